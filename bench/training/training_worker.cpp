// Trains one of the models of docs/examples for bench_training.py.
//
//   training_worker make MODEL SIZE FOLDER      writes initial weights, batches
//   training_worker train MODEL SIZE FOLDER LR  reads them, executes commands
//
// Commands are lines on stdin: "curve N" prints the losses of N steps from the
// initial weights as a JSON list, "time N" prints the seconds that N further
// steps take.
#include "gpt2.h"
#include "mnist.h"
#include "resnet.h"
#include "training.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace {

/// The small size is for testing the benchmark itself.
struct Sizes {
  bool small;
  int64_t batches = 10;
  int64_t mnist_batch() const { return small ? 8 : 64; }
  int64_t resnet_batch() const { return small ? 16 : 32; }
  int64_t resnet_width() const { return small ? 8 : 64; }
  int64_t gpt_batch() const { return small ? 2 : 16; }
  GPT2Options gpt() const {
    return small ? GPT2Options{96, 16, 32, 2, 4}
                 : GPT2Options{96, 64, 128, 4, 4};
  }
};

/// A model, its data and its loss.
struct Task {
  std::function<std::shared_ptr<nn::Module>()> make;
  std::function<Digits(int64_t batch)> data; ///< inputs and targets
  std::function<Tensor(nn::Module &, const Tensor &, const Tensor &)> loss;
};

Task mnist_task(Sizes sizes) {
  return {[] { return MNIST().ptr(); },
          [=](int64_t batch) {
            return drawn_digits(sizes.mnist_batch(), 1, 28,
                                static_cast<unsigned>(batch), kCPU);
          },
          [](nn::Module &model, const Tensor &x, const Tensor &y) {
            return F::nll_loss(static_cast<MNISTImpl &>(model).forward(x), y);
          }};
}

Task resnet_task(Sizes sizes) {
  return {[=] {
            return ResNet18(ResNetOptions{.num_classes = 10,
                                          .width = sizes.resnet_width(),
                                          .small_images = true})
                .ptr();
          },
          [=](int64_t batch) {
            return drawn_digits(sizes.resnet_batch(), 3, 32,
                                static_cast<unsigned>(batch), kCPU);
          },
          [](nn::Module &model, const Tensor &x, const Tensor &y) {
            return F::cross_entropy(
                static_cast<ResNet18Impl &>(model).forward(x), y);
          }};
}

/// Synthetic text in which each character is mostly determined by the previous
/// two.
Digits made_up_text(int64_t count, int64_t length, int64_t vocabulary,
                    unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int64_t> inputs, targets;
  for (int64_t i = 0; i < count; ++i) {
    int64_t a = 1, b = static_cast<int64_t>(random() % 7);
    for (int64_t j = 0; j < length; ++j) {
      int64_t next =
          (3 * a + 5 * b + static_cast<int64_t>(random() % 3)) % vocabulary;
      inputs.push_back(b);
      targets.push_back(next);
      a = b;
      b = next;
    }
  }
  return {from_data(inputs.data(), {count, length}),
          from_data(targets.data(), {count, length})};
}

Task gpt_task(Sizes sizes) {
  GPT2Options options = sizes.gpt();
  return {[=] { return GPT2(options).ptr(); },
          [=](int64_t batch) {
            return made_up_text(sizes.gpt_batch(), options.context,
                                options.vocab_size,
                                static_cast<unsigned>(batch));
          },
          [=](nn::Module &model, const Tensor &x, const Tensor &y) {
            Tensor scores = static_cast<GPT2Impl &>(model).forward(x);
            return F::cross_entropy(scores.view({-1, options.vocab_size}),
                                    y.view({-1}));
          }};
}

Task task_of(const std::string &model, Sizes sizes) {
  if (model == "mnist_cnn")
    return mnist_task(sizes);
  if (model == "resnet18")
    return resnet_task(sizes);
  if (model == "char_gpt")
    return gpt_task(sizes);
  throw ValueError("there is no model " + model);
}

void make(const Task &task, Sizes sizes, const std::filesystem::path &folder) {
  manual_seed(1);
  save_npz(task.make()->state_dict(), folder / "state.npz");
  StateDict batches;
  for (int64_t i = 0; i < sizes.batches; ++i) {
    Digits batch = task.data(i);
    batches[fmt::format("inputs{}", i)] = batch.images;
    batches[fmt::format("targets{}", i)] = batch.labels;
  }
  save_npz(batches, folder / "batches.npz");
}

class Worker {
public:
  Worker(Task task, Sizes sizes, std::filesystem::path folder, double rate)
      : task_(std::move(task)), folder_(std::move(folder)), rate_(rate) {
    StateDict batches = load_npz(folder_ / "batches.npz");
    for (int64_t i = 0; i < sizes.batches; ++i)
      batches_.push_back({batches.at(fmt::format("inputs{}", i)),
                          batches.at(fmt::format("targets{}", i))});
    restart();
  }

  std::string curve(int64_t steps) {
    restart();
    std::vector<double> losses;
    for (int64_t i = 0; i < steps; ++i)
      losses.push_back(step().item<double>());
    return fmt::format("[{:.9g}]", fmt::join(losses, ", "));
  }
  std::string time(int64_t steps) {
    auto start = std::chrono::steady_clock::now();
    for (int64_t i = 0; i < steps; ++i)
      step();
    xm::wait_device_ops();
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    return fmt::format("{:.9g}", seconds.count());
  }

private:
  void restart() {
    model_ = task_.make();
    model_->load_state_dict(load_npz(folder_ / "state.npz"));
    model_->to(device_);
    model_->train();
    optimizer_.emplace(model_->parameters(),
                       optim::SGDOptions{.lr = rate_, .momentum = 0.9});
    done_ = 0;
  }
  Tensor step() {
    const Digits &batch = batches_[done_++ % batches_.size()];
    Tensor x = batch.images.to(device_), y = batch.labels.to(device_);
    optimizer_->zero_grad();
    Tensor loss = task_.loss(*model_, x, y);
    loss.backward();
    optimizer_->step();
    xlac::sync();
    return loss;
  }

  Task task_;
  std::filesystem::path folder_;
  double rate_;
  Device device_ = xlac::device();
  std::vector<Digits> batches_;
  std::shared_ptr<nn::Module> model_;
  std::optional<optim::SGD> optimizer_;
  size_t done_ = 0;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 5 || argc > 6) {
    std::cerr << "training_worker make|train MODEL small|full FOLDER [LR]\n";
    return 2;
  }
  std::string command = argv[1];
  Sizes sizes{std::string_view(argv[3]) == "small"};
  Task task = task_of(argv[2], sizes);
  if (command == "make") {
    make(task, sizes, argv[4]);
    return 0;
  }
  Worker worker(task, sizes, argv[4], argc > 5 ? std::atof(argv[5]) : 0.01);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    int64_t steps = 0;
    words >> command >> steps;
    std::cout << (command == "curve" ? worker.curve(steps) : worker.time(steps))
              << std::endl;
  }
  return 0;
}
