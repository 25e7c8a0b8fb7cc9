// Trains ResNet-18, in its form for images of 32 x 32, on colored digits:
// train_resnet --steps=200 --batch=64 --width=64 --images=4096
#include "resnet.h"
#include "training.h"

int main(int argc, char **argv) {
  int64_t steps = flag(argc, argv, "steps", int64_t{200});
  int64_t batch = flag(argc, argv, "batch", int64_t{64});
  int64_t images = flag(argc, argv, "images", int64_t{4096});
  int64_t width = flag(argc, argv, "width", int64_t{64});
  Device device = xlac::device();
  manual_seed(1);
  ResNet18 model =
      ResNet18(ResNetOptions{
                   .num_classes = 10, .width = width, .small_images = true})
          .train()
          .to(device);
  optim::SGD optimizer(model->parameters(),
                       {.lr = 0.02, .momentum = 0.9, .weight_decay = 5e-4});

  Digits data = drawn_digits(images, 3, 32, 1, kCPU);
  Progress progress(steps, 10);
  for (int64_t step = 0; step < steps; ++step) {
    int64_t first = step * batch % (images - batch + 1);
    Tensor inputs = data.images.narrow(0, first, batch).to(device);
    Tensor targets = data.labels.narrow(0, first, batch).to(device);
    optimizer.zero_grad();
    Tensor loss = F::cross_entropy(model(inputs), targets);
    loss.backward();
    optimizer.step();
    progress.step(loss);
  }

  NoGradGuard no_grad;
  model.eval();
  Digits test = drawn_digits(batch, 3, 32, 1u << 31, device);
  Tensor right = (model(test.images).argmax(1) == test.labels).sum();
  std::cout << right.item<int64_t>() << " of " << batch
            << " new digits are right\n";
  return progress.last() < progress.first() ? 0 : 1;
}
