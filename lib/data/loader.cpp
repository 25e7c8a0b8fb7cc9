#include "xlac/data/loader.h"

#include "draw_seed.h"

#include "xlac/ops.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

namespace xlac::data {

uint64_t draw_seed() {
  Tensor drawn = randint(0, std::numeric_limits<int64_t>::max(), {},
                         TensorOptions(kInt64).device(kCPU));
  return static_cast<uint64_t>(drawn.item<int64_t>());
}

namespace detail {

//===- Options ------------------------------------------------------------===//

void check_loader_options(const DataLoaderOptions &o) {
  XLAC_CALL("DataLoader");
  auto check = [](const char *name, int64_t value, int64_t least) {
    if (value < least)
      raise<ValueError>(std::string(name) + " must be " +
                        std::to_string(least) + " or more, got " +
                        std::to_string(value));
  };
  check("batch_size", o.batch_size, 1);
  check("num_workers", o.num_workers, 0);
  check("prefetch_factor", o.prefetch_factor, 1);
  if (o.shuffle && o.sampler)
    raise<ValueError>("sampler option is mutually exclusive with shuffle");
}

std::shared_ptr<Sampler> make_sampler(const DataLoaderOptions &options,
                                      size_t dataset_size) {
  if (options.sampler)
    return options.sampler;
  if (options.shuffle)
    return std::make_shared<RandomSampler>(dataset_size, options.seed);
  return std::make_shared<SequentialSampler>(dataset_size);
}

uint64_t epoch_seed(const DataLoaderOptions &options, uint64_t epoch) {
  return options.seed ? Random(*options.seed, epoch)() : draw_seed();
}

//===- Prefetching --------------------------------------------------------===//

struct OrderedWorkQueue::State {
  const size_t count, ahead;
  const std::function<Item(size_t)> make;

  std::mutex mutex;
  std::condition_variable is_made, may_make;
  struct Made {
    Item item;
    std::exception_ptr failure;
  };
  std::map<size_t, Made> waiting; ///< by number
  size_t started = 0, delivered = 0;
  bool is_over = false;
  std::vector<std::jthread> workers;

  Made attempt(size_t number) const {
    try {
      return {make(number), nullptr};
    } catch (...) {
      return {nullptr, std::current_exception()};
    }
  }

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      may_make.wait(lock, [this] {
        return is_over || started == count || started < delivered + ahead;
      });
      if (is_over || started == count)
        return;
      size_t number = started++;
      lock.unlock();
      Made made = attempt(number);
      lock.lock();
      waiting.emplace(number, std::move(made));
      is_made.notify_all();
    }
  }

  Made take() {
    if (workers.empty())
      return attempt(delivered++);
    std::unique_lock lock(mutex);
    is_made.wait(lock, [this] { return waiting.contains(delivered); });
    Made made = std::move(waiting.extract(delivered++).mapped());
    may_make.notify_all();
    return made;
  }

  void end() {
    std::lock_guard lock(mutex);
    is_over = true;
    may_make.notify_all();
  }
};

OrderedWorkQueue::OrderedWorkQueue(size_t count, int workers, size_t ahead,
                                   std::function<Item(size_t)> make)
    : state_(new State{.count = count,
                       .ahead = ahead,
                       .make = std::move(make),
                       .mutex = {},
                       .is_made = {},
                       .may_make = {},
                       .waiting = {},
                       .workers = {}}) {
  State *state = state_.get();
  size_t useful = std::min(static_cast<size_t>(workers), count);
  for (size_t i = 0; i < useful; ++i)
    state->workers.emplace_back([state] { state->work(); });
}

OrderedWorkQueue::~OrderedWorkQueue() {
  state_->end();
  state_->workers.clear(); // joins the threads
}

OrderedWorkQueue::Item OrderedWorkQueue::next() {
  if (state_->is_over || state_->delivered == state_->count)
    return nullptr;
  State::Made made = state_->take();
  if (made.failure) {
    state_->end();
    std::rethrow_exception(made.failure);
  }
  return std::move(made.item);
}

} // namespace detail
} // namespace xlac::data
