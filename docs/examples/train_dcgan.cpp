// DCGAN: one network draws digits, another one distinguishes them from real
// ones. train_dcgan --steps=500 --batch=32
#include "training.h"

constexpr int64_t kCode = 32, kSide = 16;

static nn::Sequential make_generator(int64_t width) {
  auto up = [](int64_t inputs, int64_t outputs, int64_t stride,
               int64_t padding) {
    return nn::ConvTranspose2d({.in_channels = inputs,
                                .out_channels = outputs,
                                .kernel_size = 4,
                                .stride = stride,
                                .padding = padding,
                                .bias = false});
  };
  return nn::Sequential(up(kCode, 2 * width, 1, 0), nn::BatchNorm2d(2 * width),
                        nn::ReLU(), up(2 * width, width, 2, 1),
                        nn::BatchNorm2d(width), nn::ReLU(), up(width, 1, 2, 1),
                        nn::Sigmoid());
}

static nn::Sequential make_discriminator(int64_t width) {
  auto down = [](int64_t inputs, int64_t outputs, int64_t stride,
                 int64_t padding) {
    return nn::Conv2d({.in_channels = inputs,
                       .out_channels = outputs,
                       .kernel_size = 4,
                       .stride = stride,
                       .padding = padding,
                       .bias = false});
  };
  return nn::Sequential(down(1, width, 2, 1), nn::LeakyReLU(0.2),
                        down(width, 2 * width, 2, 1),
                        nn::BatchNorm2d(2 * width), nn::LeakyReLU(0.2),
                        down(2 * width, 1, 1, 0), nn::Flatten());
}

/// DCGAN's initialization.
static void initialize(nn::Module &module) {
  for (auto &[name, parameter] : module.named_parameters(/*recurse=*/false))
    if (parameter.dim() == 4)
      nn::init::normal_(parameter, 0, 0.02);
}

int main(int argc, char **argv) {
  int64_t steps = flag(argc, argv, "steps", int64_t{500});
  int64_t batch = flag(argc, argv, "batch", int64_t{32});
  int64_t width = flag(argc, argv, "width", int64_t{32});
  Device device = xlac::device();
  manual_seed(1);
  nn::Sequential generator = make_generator(width),
                 discriminator = make_discriminator(width);
  for (nn::Sequential *network : {&generator, &discriminator}) {
    (*network)->apply(initialize);
    network->train().to(device);
  }
  optim::Adam draws(generator->parameters(),
                    {.lr = 2e-4, .betas = {0.5, 0.999}});
  optim::Adam judges(discriminator->parameters(),
                     {.lr = 2e-4, .betas = {0.5, 0.999}});
  Tensor given = ones({batch, 1}, device), drawn = zeros({batch, 1}, device);

  Progress progress(steps, 10);
  for (int64_t step = 0; step < steps; ++step) {
    Tensor real =
        drawn_digits(batch, 1, kSide, static_cast<unsigned>(step), device)
            .images.clamp(0, 1);
    Tensor made = generator(randn({batch, kCode, 1, 1}, device));

    judges.zero_grad();
    Tensor judged =
        F::binary_cross_entropy_with_logits(discriminator(real), given) +
        F::binary_cross_entropy_with_logits(discriminator(made.detach()),
                                            drawn);
    judged.backward();
    judges.step();

    draws.zero_grad();
    F::binary_cross_entropy_with_logits(discriminator(made), given).backward();
    draws.step();
    progress.step(judged);
  }
  // Initially it cannot distinguish them: the loss is 2 ln 2.
  return progress.last() < progress.first() ? 0 : 1;
}
