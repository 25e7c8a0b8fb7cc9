#include "test_image.h"

#include "xlac/runtime/device.h"
#include "xlac/runtime/work_pool.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <atomic>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace xlac;
using namespace xlac::test;

namespace {

std::atomic<std::thread::id> last_thread;
std::atomic<int> prologue_runs{0};

int32_t increment(const xlac_ctx *, const void *const *args,
                  void *const *results, void *) {
  last_thread = std::this_thread::get_id();
  for (int i = 0; i < 4; ++i)
    static_cast<float *>(results[0])[i] =
        static_cast<const float *>(args[0])[i] + 1;
  return 0;
}

int32_t fails(const xlac_ctx *ctx, const void *const *, void *const *, void *) {
  return ctx->services->fail(ctx, "broken", 6);
}

int32_t sleeps(const xlac_ctx *, const void *const *, void *const *, void *) {
  last_thread = std::this_thread::get_id();
  usleep(20000);
  return 0;
}

int32_t prologue(const xlac_ctx *, const void *const *args,
                 void *const *results, void *) {
  ++prologue_runs;
  return make_weight(nullptr, args, results, nullptr);
}

std::atomic<int> tasks_together{0}, most_together{0};

/// A task that waits until another one runs at the same time, for a while.
int32_t wait_for_another(const xlac_ctx *, void *const *, const int64_t *,
                         int64_t, int64_t) {
  int now = ++tasks_together;
  for (int i = 0; i < 2000 && now < 2 && most_together < 2; ++i) {
    usleep(100);
    now = tasks_together;
  }
  if (now > most_together)
    most_together = now;
  --tasks_together;
  return 0;
}

int32_t two_tasks(const xlac_ctx *ctx, const void *const *, void *const *,
                  void *) {
  return ctx->services->parallel_for(ctx, wait_for_another, nullptr, nullptr, 2,
                                     1);
}

std::shared_ptr<const runtime::Executable> incrementing(int64_t nanoseconds,
                                                        bool alias = false) {
  runtime::ExecutableImage image = make_image(increment, 1, 1);
  image.estimated_nanoseconds = nanoseconds;
  if (alias)
    image.aliases = {{0, 0}};
  return load(std::move(image));
}

runtime::BufferRef upload(runtime::VirtualDevice &device,
                          std::vector<float> values) {
  return *device.upload(std::as_bytes(std::span(values)));
}

float first(const runtime::BufferRef &buffer) {
  Result<const std::byte *> data = buffer->read();
  EXPECT_TRUE(data) << (data ? "" : data.error().message);
  float value = -1;
  if (data)
    std::memcpy(&value, *data, sizeof value);
  return value;
}

} // namespace

TEST(VirtualDevice, ShortProgramsRunOnTheCaller) {
  runtime::VirtualDevice device(0, {});
  auto results =
      device.launch(incrementing(100), {upload(device, {1, 2, 3, 4})});
  EXPECT_TRUE(results[0]->is_done());
  EXPECT_EQ(last_thread.load(), std::this_thread::get_id());
  EXPECT_EQ(first(results[0]), 2);
}

TEST(VirtualDevice, LongProgramsRunOnTheStream) {
  runtime::VirtualDevice device(1, {});
  EXPECT_EQ(device.name(), "xla:1");
  auto executable = incrementing(1'000'000);
  runtime::BufferRef value = upload(device, {0, 0, 0, 0});
  for (int i = 0; i < 100; ++i)
    value = device.launch(executable, {value})[0];
  EXPECT_EQ(first(value), 100);

  runtime::ExecutableImage slow = make_image(sleeps, 1, 1);
  slow.estimated_nanoseconds = 1'000'000;
  auto results = device.launch(load(std::move(slow)), {value});
  EXPECT_FALSE(results[0]->is_done());
  while (!results[0]->is_done()) // wait() may run the program on this thread
    usleep(1000);
  EXPECT_NE(last_thread.load(), std::this_thread::get_id());
  EXPECT_TRUE(device.sync());
  EXPECT_TRUE(device.is_idle());
}

/// Calls `run` until the last program has run on this thread. Other processes
/// may delay some of the calls.
template <class Run> bool runs_here_once(Run run) {
  for (int i = 0; i < 1000; ++i) {
    last_thread = std::thread::id();
    run();
    if (last_thread.load() == std::this_thread::get_id())
      return true;
  }
  return false;
}

TEST(VirtualDevice, WaitersRunWhatIsQueued) {
  runtime::VirtualDevice device(0, {});
  auto launch_two = [&] {
    runtime::BufferRef value = upload(device, {1, 2, 3, 4});
    for (int i = 0; i < 2; ++i)
      value = device.launch(incrementing(1'000'000), {value})[0];
    return value;
  };
  EXPECT_TRUE(runs_here_once([&] { EXPECT_EQ(first(launch_two()), 3); }));
  EXPECT_TRUE(runs_here_once([&] {
    runtime::BufferRef value = launch_two();
    EXPECT_TRUE(device.sync());
    EXPECT_TRUE(value->is_done());
  }));
  // A buffer may outlive its device.
  runtime::BufferRef value;
  {
    runtime::VirtualDevice other(1, {});
    value =
        other.launch(incrementing(1'000'000), {upload(other, {1, 2, 3, 4})})[0];
  }
  EXPECT_EQ(first(value), 2);
}

TEST(VirtualDevice, MeasuredTimesReplaceTheEstimate) {
  runtime::VirtualDevice device(0, {});
  auto fast = incrementing(1'000'000'000);
  EXPECT_EQ(fast->expected_nanoseconds(), 1'000'000'000);
  EXPECT_TRUE(runs_here_once([&] {
    auto results = device.launch(fast, {upload(device, {1, 2, 3, 4})});
    while (!results[0]->is_done())
      usleep(100);
  }));
  EXPECT_LT(fast->expected_nanoseconds(), 1'000'000'000);

  runtime::ExecutableImage image = make_image(sleeps, 1, 1);
  image.estimated_nanoseconds = 5'000;
  auto slow = load(std::move(image));
  auto launch = [&] {
    return device.launch(slow, {upload(device, {1, 2, 3, 4})})[0];
  };
  EXPECT_TRUE(launch()->is_done());
  runtime::BufferRef second = launch();
  EXPECT_FALSE(second->is_done());
  EXPECT_TRUE(device.sync());
}

TEST(VirtualDevice, CompletionIsFinishedWithTheRun) {
  runtime::VirtualDevice device(1, {});
  auto completion = [] {
    return runtime::Buffer::pending(std::make_shared<runtime::Allocator>(), 0);
  };
  runtime::ExecutableImage slow = make_image(sleeps, 0, 0);
  slow.estimated_nanoseconds = 1'000'000;
  runtime::BufferRef done = completion();
  EXPECT_TRUE(
      device.launch(load(std::move(slow)), {}, {.completion = done}).empty());
  EXPECT_FALSE(done->is_done());
  EXPECT_TRUE(done->wait());

  runtime::BufferRef failed = completion();
  std::string heard;
  failed->on_ready([&](const Status &status) {
    heard = status ? "ready" : status.error().message;
  });
  device.launch(load(make_image(fails, 0, 0)), {}, {.completion = failed});
  EXPECT_FALSE(failed->wait());
  EXPECT_NE(heard.find("broken"), std::string::npos) << heard;
}

TEST(VirtualDevice, ShortBehindLongKeepsTheOrder) {
  runtime::VirtualDevice device(0, {});
  runtime::ExecutableImage slow = make_image(sleeps, 0, 0);
  slow.estimated_nanoseconds = 1'000'000;
  device.launch(load(std::move(slow)), {});
  auto results =
      device.launch(incrementing(10), {upload(device, {5, 0, 0, 0})});
  EXPECT_EQ(first(results[0]), 6);
}

TEST(VirtualDevice, FailuresStick) {
  runtime::VirtualDevice device(0, {});
  for (int64_t nanoseconds : {10, 1'000'000}) {
    runtime::ExecutableImage image = make_image(fails, 0, 1);
    image.estimated_nanoseconds = nanoseconds;
    runtime::BufferRef bad = device.launch(load(std::move(image)), {})[0];
    runtime::BufferRef worse =
        device.launch(incrementing(nanoseconds), {bad})[0];
    Status status = worse->wait();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "program: broken");
    EXPECT_FALSE(bad->read());
    EXPECT_FALSE(device.sync());
    EXPECT_TRUE(device.sync());
  }
}

std::vector<runtime::BufferRef> list_of(runtime::BufferRef buffer) {
  std::vector<runtime::BufferRef> list;
  list.push_back(std::move(buffer));
  return list;
}

TEST(VirtualDevice, LaunchesCanHaveMoreThreadsThanTheDevice) {
  if (runtime::WorkPool::process().size() < 2)
    GTEST_SKIP() << "the pool has one thread";
  runtime::VirtualDevice device(0, {.threads = 1});
  auto program = load(make_image(two_tasks, 0, 0));
  auto most_of = [&](int threads) {
    most_together = 0;
    device.launch(program, {}, {.threads = threads});
    EXPECT_TRUE(device.sync());
    return most_together.load();
  };
  EXPECT_EQ(most_of(0), 1);
  EXPECT_EQ(most_of(2), 2);
  EXPECT_EQ(most_of(0), 1);
}

TEST(VirtualDevice, FailedResultsAreWhatTheyReplaceAfterASync) {
  const std::vector<AliasPair> replaces = {{0, 0}};
  for (int64_t nanoseconds : {10, 1'000'000}) {
    runtime::VirtualDevice device(0, {});
    auto launch = [&](auto *entry, runtime::BufferRef argument,
                      bool donates = false) {
      runtime::ExecutableImage image = make_image(entry, 1, 1);
      image.estimated_nanoseconds = nanoseconds;
      if (donates)
        image.aliases = replaces;
      return device.launch(load(std::move(image)), list_of(std::move(argument)),
                           {.replaces = replaces})[0];
    };
    // Two programs that fail, and one that depends on them.
    runtime::BufferRef failed = launch(fails, upload(device, {1, 2, 3, 4}));
    failed = launch(increment, launch(fails, std::move(failed)));
    EXPECT_FALSE(failed->wait());
    EXPECT_FALSE(device.sync());
    EXPECT_EQ(first(failed), 1);
    EXPECT_EQ(first(launch(increment, failed)), 2);
    // An argument with another reference is copied.
    runtime::BufferRef held = upload(device, {5, 5, 5, 5}),
                       other = launch(fails, held);
    EXPECT_FALSE(device.sync());
    EXPECT_EQ(first(other), 5);
    EXPECT_NE(other->data(), held->data());
    // A program that has started may have overwritten a donated argument.
    runtime::BufferRef lost = launch(fails, upload(device, {1, 1, 1, 1}), true);
    EXPECT_FALSE(device.sync());
    EXPECT_FALSE(lost->read());
    EXPECT_TRUE(device.sync());
  }
}

TEST(VirtualDevice, WrongArgumentsFailTheResults) {
  runtime::VirtualDevice device(0, {});
  runtime::BufferRef small = upload(device, {1});
  EXPECT_FALSE(device.launch(incrementing(10), {small})[0]->wait());
  EXPECT_FALSE(device.launch(incrementing(10), {})[0]->wait());
  EXPECT_FALSE(device.launch(incrementing(10), {nullptr})[0]->wait());
  EXPECT_FALSE(device.sync());
}

TEST(VirtualDevice, DonatesOnlyWhatNobodyElseHolds) {
  for (int64_t nanoseconds : {10, 1'000'000}) {
    runtime::VirtualDevice device(0, {});
    auto executable = incrementing(nanoseconds, /*alias=*/true);
    runtime::BufferRef value = upload(device, {1, 1, 1, 1});
    std::byte *memory = value->data();
    runtime::BufferRef kept = value;
    runtime::BufferRef result =
        device.launch(executable, {std::move(value)})[0];
    EXPECT_EQ(first(result), 2);
    EXPECT_NE(result->data(), memory);
    EXPECT_EQ(first(kept), 1);
    ASSERT_TRUE(device.sync()); // the launch has released it
    std::vector<runtime::BufferRef> moved;
    moved.push_back(std::move(kept));
    result = device.launch(executable, std::move(moved))[0];
    EXPECT_EQ(first(result), 2);
    EXPECT_EQ(result->data(), memory);
    alignas(64) float outside[4] = {7, 7, 7, 7};
    moved.clear();
    moved.push_back(runtime::Buffer::borrow(outside, sizeof outside));
    EXPECT_EQ(first(device.launch(executable, std::move(moved))[0]), 8);
    EXPECT_EQ(outside[0], 7);
    EXPECT_TRUE(device.sync());
  }
}

TEST(VirtualDevice, PrologueRunsOncePerWeights) {
  runtime::VirtualDevice device(0, {});
  runtime::ExecutableImage image = make_image(add_weight, 2, 1);
  add_jump(image.blobs[0], "xlac_prologue", prologue);
  image.prologue.arguments = {1};
  image.prologue.result_bytes = {16};
  auto executable = load(std::move(image));
  runtime::BufferRef x = upload(device, {1, 1, 1, 1});
  runtime::BufferRef weight = upload(device, {2, 2, 2, 2});
  prologue_runs = 0;
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(first(device.launch(executable, {x, weight})[0]), 21);
  EXPECT_EQ(prologue_runs, 1);
  EXPECT_EQ(device.memory().prologue_entries, 1);
  EXPECT_EQ(device.memory().prologue_bytes, 16);
  // A write makes a new version.
  float three[4] = {3, 3, 3, 3};
  std::memcpy(*weight->write(), three, sizeof three);
  EXPECT_EQ(first(device.launch(executable, {x, weight})[0]), 31);
  EXPECT_EQ(prologue_runs, 2);
  // The next launch removes saved values of destroyed weights.
  weight = upload(device, {4, 4, 4, 4});
  EXPECT_EQ(first(device.launch(executable, {x, weight})[0]), 41);
  EXPECT_EQ(device.memory().prologue_entries, 1);
}

/// The program whose prologue has `bytes` of values.
std::shared_ptr<const runtime::Executable> with_prologue(int64_t bytes) {
  runtime::ExecutableImage image = make_image(add_weight, 2, 1);
  add_jump(image.blobs[0], "xlac_prologue", prologue);
  image.prologue.arguments = {1};
  image.prologue.result_bytes = {bytes};
  return load(std::move(image));
}

TEST(VirtualDevice, PrologueOfBorrowedWeights) {
  runtime::VirtualDevice device(0, {});
  auto executable = with_prologue(16);
  runtime::BufferRef x = upload(device, {1, 1, 1, 1});
  // Others may write to this memory between launches.
  float outside[4] = {2, 2, 2, 2};
  runtime::BufferRef weight =
      runtime::Buffer::borrow(outside, sizeof outside, {}, /*may_change=*/true);
  EXPECT_EQ(first(device.launch(executable, {x, weight})[0]), 21);
  std::fill_n(outside, 4, 3.0f);
  EXPECT_EQ(first(device.launch(executable, {x, weight})[0]), 31);
  EXPECT_EQ(device.memory().prologue_entries, 0);
  // Values of other borrowed memory are kept as long as its buffer exists.
  for (int i = 0; i < 3; ++i) {
    weight = runtime::Buffer::borrow(outside, sizeof outside);
    prologue_runs = 0;
    EXPECT_EQ(first(device.launch(executable, {x, weight})[0]), 31);
    EXPECT_EQ(first(device.launch(executable, {x, weight})[0]), 31);
    EXPECT_EQ(prologue_runs, 1);
    EXPECT_EQ(device.memory().prologue_entries, 1);
  }
}

TEST(VirtualDevice, PrologueValuesAreBounded) {
  runtime::VirtualDevice device(0, {.memory_limit = 64 << 10});
  auto executable = with_prologue(6 << 10);
  runtime::BufferRef x = upload(device, {1, 1, 1, 1});
  std::vector<runtime::BufferRef> weights;
  for (float i = 0; i < 5; ++i) {
    weights.push_back(upload(device, {i, i, i, i}));
    EXPECT_EQ(first(device.launch(executable, {x, weights.back()})[0]),
              1 + 10 * i);
    // A quarter of the memory.
    EXPECT_LE(device.memory().prologue_bytes, 16 << 10);
  }
  EXPECT_EQ(device.memory().prologue_entries, 2);
  // They are freed if the memory is needed.
  EXPECT_TRUE(device.allocate(56 << 10));
  EXPECT_EQ(device.memory().prologue_entries, 0);
}

TEST(VirtualDevice, OutOfMemoryIsAFailure) {
  runtime::VirtualDevice device(0, {.memory_limit = 4096});
  EXPECT_FALSE(device.allocate(8192));
  runtime::ExecutableImage image = make_image(increment, 1, 1);
  image.arena_bytes = 1 << 20;
  runtime::BufferRef result =
      device.launch(load(std::move(image)), {upload(device, {1, 1, 1, 1})})[0];
  Status status = result->wait();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().failure_kind, FailureKind::OutOfMemory);
}

TEST(VirtualDevice, ManyCallers) {
  runtime::VirtualDevice device(0, {});
  auto quick = incrementing(10), slow = incrementing(1'000'000);
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&] {
      runtime::BufferRef value = upload(device, {0, 0, 0, 0});
      for (int i = 0; i < 200; ++i) {
        std::vector<runtime::BufferRef> arguments;
        arguments.push_back(std::move(value));
        value = device.launch(i % 3 ? quick : slow, std::move(arguments))[0];
      }
      EXPECT_EQ(first(value), 200);
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_TRUE(device.sync());
}

TEST(Devices, RegistryAndFork) {
  EXPECT_FALSE(runtime::configure_devices({.count = 0}));
  EXPECT_TRUE(runtime::configure_devices({.count = 2}));
  EXPECT_EQ(runtime::virtual_device_count(), 2);
  Result<runtime::VirtualDevice *> device = runtime::find_device(1);
  ASSERT_TRUE(device);
  EXPECT_EQ((*device)->ordinal(), 1);
  EXPECT_FALSE(runtime::find_device(2));
  EXPECT_FALSE(runtime::find_device(-1));
  EXPECT_FALSE(runtime::configure_devices({.count = 3}));
  EXPECT_FALSE(runtime::provide_devices(0));
  EXPECT_FALSE(runtime::provide_devices(1 << 20));
  EXPECT_TRUE(runtime::provide_devices(1));
  EXPECT_EQ(runtime::virtual_device_count(), 2);
  EXPECT_TRUE(runtime::provide_devices(3));
  EXPECT_EQ(runtime::virtual_device_count(), 3);
  EXPECT_EQ((*runtime::find_device(2))->ordinal(), 2);
  EXPECT_EQ(*runtime::find_device(1), *device);
  auto executable = incrementing(1'000'000);
  runtime::BufferRef value = upload(**device, {0, 0, 0, 0});
  value = (*device)->launch(executable, {value})[0];
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 20; ++i)
      value = (*device)->launch(executable, {value})[0];
    _exit(first(value) == 21 && (*device)->sync() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  value = (*device)->launch(executable, {value})[0];
  EXPECT_EQ(first(value), 2);
}
