// Runs each call of the front end with a failure of each of its memory
// requests. The call must succeed or throw one error, and the same call must
// work afterwards.
#include "allocation_faults.h"

#include "xlac/xlac.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace xlac {
namespace {

namespace fs = std::filesystem;
using allocation_faults::FailureKind;

#ifdef XLAC_MANY_FAULTS
/// the number of requests that fail one by one
constexpr int64_t kEach = INT64_MAX;
#else
constexpr int64_t kEach = 200;
#endif
/// After kEach requests about one in kStride fails.
constexpr int64_t kStride = 37;

/// With a disk cache, known programs are not compiled again.
const bool kHasCache =
    setenv("XLAC_CACHE_DIR",
           (testing::TempDir() + "xlac-allocation-faults").c_str(), 0) == 0;

struct Call {
  std::string name;
  /// The tested call; returns whether its results are right.
  std::function<bool()> run;
};

/// In memory if possible, since every save waits for its disk.
const fs::path &folder() {
  if (fs::exists("/dev/shm"))
    setenv("TMPDIR", "/dev/shm", 1);
  static xu::TmpFolder made;
  static const fs::path path = made.name();
  return path;
}

const StateDict &state() {
  static const StateDict made = [] {
    StateDict dict;
    dict["weight"] = arange(600.0).reshape({20, 30});
    dict["bias"] = arange(7.0).to(kFloat64);
    dict["ids"] = full({3}, 5, kInt64);
    return dict;
  }();
  return made;
}

bool is_state(const StateDict &tensors) {
  bool same = tensors.size() == state().size();
  for (const auto &[name, tensor] : state())
    same = same && tensors.contains(name) && equal(tensors.at(name), tensor);
  return same;
}

std::string path_of(const char *name) { return folder() / name; }

constexpr std::string_view kProgram = R"(
func.func @main(%a: tensor<4x3xf32>, %b: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.exponential %0 : tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
)";

/// A program of 128 KiB, most of it a constant.
std::string large_program() {
  std::string digits;
  for (int i = 0; i < 16384; ++i)
    digits += fmt::format("{:02X}{:02X}803F", i % 256, i / 256);
  return "func.func @main() -> tensor<16384xf32> {\n  %0 = stablehlo.constant "
         "dense<\"0x" +
         digits +
         "\"> : tensor<16384xf32>\n  return %0 : tensor<16384xf32>\n}\n";
}

std::vector<Call> load_calls() {
  return {
      {"safetensors",
       [] { return is_state(load_safetensors(path_of("s.safetensors"))); }},
      {"npy",
       [] { return equal(load_npy(path_of("a.npy")), state().at("weight")); }},
      {"npz", [] { return is_state(load_npz(path_of("a.npz"))); }},
      {"npz_compressed", [] { return is_state(load_npz(path_of("c.npz"))); }},
      {"torch", [] { return is_state(load<StateDict>(path_of("t.pt"))); }},
      {"xser", [] { return is_state(xser::load<StateDict>(path_of("x"))); }},
      {"safetensors_map",
       [] {
         return is_state(
             load_safetensors(path_of("s.safetensors"), {.map = true}));
       }},
  };
}

std::vector<Call> save_calls() {
  auto both = [](const char *name, auto save, auto load) {
    return Call{name, [=] {
                  save(path_of(name));
                  return is_state(load(path_of(name)));
                }};
  };
  auto of_torch = [](const fs::path &path) { return load<StateDict>(path); };
  return {
      both(
          "save_torch", [](const fs::path &p) { save(to_value(state()), p); },
          of_torch),
      both(
          "save_xm", [](const fs::path &p) { xm::save(to_value(state()), p); },
          of_torch),
      both(
          "save_xser",
          [](const fs::path &p) { xser::save(to_value(state()), p); },
          [](const fs::path &p) { return xser::load<StateDict>(p); }),
      both(
          "save_safetensors",
          [](const fs::path &p) { save_safetensors(state(), p); },
          [](const fs::path &p) { return load_safetensors(p); }),
      both(
          "save_npz", [](const fs::path &p) { save_npz(state(), p); },
          [](const fs::path &p) { return load_npz(p); }),
  };
}

double number_of(const Tensor &x) { return x.item<double>(); }

/// Calls that use one device.
std::vector<Call> device_calls(DeviceType type) {
  std::string name = type == kCPU ? "cpu_" : "xla_";
  auto on = [type] { return type == kCPU ? Device(kCPU) : xlac::device(); };
  return {
      {name + "compute",
       [on] {
         Tensor x = arange(64.0, on()).reshape({8, 8});
         Tensor y = (x.matmul(x) + 1.0).relu().sum();
         return number_of(y) == 529600;
       }},
      {name + "views_and_writes",
       [on] {
         Tensor x = zeros({4, 6}, on());
         x.slice(1, 0, 3).add_(2.0);
         x[1].mul_(3.0);
         x.t()[5].fill_(1.0);
         return number_of(x.sum()) == 24 + 12 + 4;
       }},
      {name + "backward",
       [on] {
         Tensor w = ones({5, 5}, on()).requires_grad_(true);
         Tensor x = full({3, 5}, 2.0, on());
         x.matmul(w).pow(2.0).sum().backward();
         return number_of(w.grad().sum()) == 25 * 3 * 2 * 10 * 2;
       }},
      {name + "to_host",
       [on] {
         Tensor x = arange(1000.0, on());
         Tensor host = (x * 2.0).cpu();
         return number_of(host[999]) == 1998;
       }},
      {name + "random",
       [on] {
         manual_seed(3);
         Tensor x = rand({50}, on());
         return number_of(x.max()) < 1 && number_of(x.min()) >= 0;
       }},
  };
}

std::vector<Call> program_calls() {
  return {
      {"xla_sync",
       [] {
         Tensor x = full({16}, 3.0, xlac::device());
         Tensor y = x * 2.0 + 1.0;
         xlac::sync(true);
         return number_of(y.sum()) == 112;
       }},
      {"xla_eager",
       [] {
         experimental::EagerModeGuard eager(true);
         Tensor x = full({16}, 3.0, xlac::device());
         return number_of((x * 2.0).sum()) == 96;
       }},
      {"trace",
       [] {
         return stablehlo::trace(
                    [](const std::vector<Tensor> &in) {
                      return std::vector<Tensor>{in[0].sin() * 2.0};
                    },
                    {ones({4})})
                    .inputs()
                    .size() == 1;
       }},
      {"run",
       [] {
         static const auto executable =
             stablehlo::build(stablehlo::Program::parse(kProgram));
         auto results = executable.run({zeros({4, 3}), ones({3, 2})});
         return number_of(results[0].sum()) == 8;
       }},
      {"build_known",
       [] {
         static const auto program = stablehlo::Program::parse(kProgram);
         auto results =
             stablehlo::build(program).run({zeros({4, 3}), ones({3, 2})});
         return number_of(results[0].sum()) == 8;
       }},
      {"parse_text",
       [] {
         return stablehlo::Program::parse(large_program()).outputs()[0].shape ==
                Shape{16384};
       }},
      {"parse_bytecode",
       [] {
         static const Bytes bytes =
             stablehlo::Program::parse(large_program()).bytecode();
         std::string_view text(reinterpret_cast<const char *>(bytes.data()),
                               bytes.size());
         return stablehlo::Program::parse(text).outputs()[0].shape ==
                Shape{16384};
       }},
  };
}

std::vector<Call> all_calls() {
  std::vector<Call> calls;
  for (auto list : {load_calls(), save_calls(), device_calls(kCPU),
                    device_calls(kXLA), program_calls()})
    calls.insert(calls.end(), list.begin(), list.end());
  return calls;
}

void PrintTo(const Call &call, std::ostream *os) { *os << call.name; }

/// Returns "right", "wrong", or the exception's message.
std::string outcome_of(const Call &call) {
  try {
    return call.run() ? "right" : "wrong";
  } catch (const Error &error) {
    return std::string("error: ") + error.what();
  } catch (const std::bad_alloc &) {
    return "error: bad_alloc";
  } catch (const std::exception &error) {
    return std::string("foreign: ") + error.what();
  } catch (...) {
    return "unknown";
  }
}

class AllocationFaults : public testing::TestWithParam<Call> {
protected:
  static void SetUpTestSuite() {
    save_safetensors(state(), path_of("s.safetensors"));
    save_npy(state().at("weight"), path_of("a.npy"));
    save_npz(state(), path_of("a.npz"));
    save_npz(state(), path_of("c.npz"), true);
    save(to_value(state()), path_of("t.pt"));
    xser::save(to_value(state()), path_of("x"));
  }
};

INSTANTIATE_TEST_SUITE_P(All, AllocationFaults, testing::ValuesIn(all_calls()),
                         [](const auto &one) { return one.param.name; });

/// Returns the outcome of `call` while request `number` fails. It runs in a new
/// thread, which has no memory cached from previous calls. `failed` is the
/// number of failed requests.
std::string outcome_with(const Call &call, FailureKind failure_kind,
                         int64_t number, int64_t &failed) {
  struct Armed {
    ~Armed() { failed = allocation_faults::disarm(); }
    int64_t &failed;
  };
  std::string outcome;
  auto check = [&] {
    Armed armed{failed};
    allocation_faults::arm(failure_kind, number);
    return call.run();
  };
  std::thread([&] { outcome = outcome_of({call.name, check}); }).join();
  return outcome;
}

/// The first request to fail; allows continuing after a request that ended the
/// process.
int64_t first_number() {
  const char *text = std::getenv("XLAC_FIRST_FAULT");
  return text ? std::atoll(text) : 1;
}

TEST_P(AllocationFaults, AreReportedAndPass) {
  const Call &call = GetParam();
  ASSERT_EQ(outcome_of(call), "right");
  int64_t injected = 0, reported = 0;
  for (FailureKind failure_kind : {FailureKind::One, FailureKind::All}) {
    for (int64_t number = first_number();;
         number += number < kEach ? 1 : kStride) {
      SCOPED_TRACE(
          "request " + std::to_string(number) +
          (failure_kind == FailureKind::All ? " and all after it" : ""));
      if (std::getenv("XLAC_SHOW_FAULTS"))
        std::fprintf(stderr, "%s %d %lld\n", call.name.c_str(),
                     int(failure_kind), static_cast<long long>(number));
      int64_t failed = 0;
      std::string outcome = outcome_with(call, failure_kind, number, failed);
      EXPECT_TRUE(outcome == "right" || outcome.starts_with("error"))
          << outcome;
      // The next wait for a device rethrows its failure once.
      if (outcome != "right")
        (void)outcome_of({"wait", [] {
                            xlac::sync(true);
                            return true;
                          }});
      ASSERT_EQ(outcome_of(call), "right") << "after " << outcome;
      if (failed == 0)
        break;
      injected += failed;
      reported += outcome != "right";
    }
  }
  EXPECT_GT(injected, 0);
  RecordProperty("injected", std::to_string(injected));
  RecordProperty("reported", std::to_string(reported));
}

} // namespace
} // namespace xlac
