// A variational autoencoder learns to draw digits:
// train_vae --steps=500 --batch=64
#include "training.h"

constexpr int64_t kSide = 28, kPixels = kSide * kSide, kHidden = 256,
                  kCode = 16;

struct VAEImpl : nn::Module {
  nn::Linear hidden{nullptr}, mean{nullptr}, log_variance{nullptr};
  nn::Sequential decoder{nullptr};

  VAEImpl() {
    hidden = register_module("hidden", nn::Linear(kPixels, kHidden));
    mean = register_module("mean", nn::Linear(kHidden, kCode));
    log_variance = register_module("log_variance", nn::Linear(kHidden, kCode));
    decoder = register_module(
        "decoder", nn::Sequential(nn::Linear(kCode, kHidden), nn::ReLU(),
                                  nn::Linear(kHidden, kPixels)));
  }

  /// Returns the loss, the negative evidence lower bound.
  Tensor loss(const Tensor &images) {
    Tensor pixels = flatten(images, 1), h = F::relu(hidden(pixels));
    Tensor mu = mean(h), log_var = log_variance(h);
    Tensor code = mu + randn_like(mu) * (0.5 * log_var).exp();
    Tensor wrong =
        F::binary_cross_entropy_with_logits(decoder(code), pixels, {}, "sum");
    Tensor far = -0.5 * (1.0 + log_var - mu.square() - log_var.exp()).sum();
    return (wrong + far) / images.size(0);
  }
};
XLAC_MODULE(VAE);

int main(int argc, char **argv) {
  int64_t steps = flag(argc, argv, "steps", int64_t{500});
  int64_t batch = flag(argc, argv, "batch", int64_t{64});
  Device device = xlac::device();
  manual_seed(1);
  VAE model = VAE().train().to(device);
  optim::Adam optimizer(model->parameters(), {.lr = 1e-3});

  Progress progress(steps, 10);
  for (int64_t step = 0; step < steps; ++step) {
    Digits data =
        drawn_digits(batch, 1, kSide, static_cast<unsigned>(step), device);
    optimizer.zero_grad();
    Tensor loss = model->loss(data.images.clamp(0, 1));
    loss.backward();
    optimizer.step();
    progress.step(loss);
  }

  NoGradGuard no_grad;
  Tensor drawn =
      sigmoid(model->decoder(randn({1, kCode}, device))).view({kSide, kSide});
  std::vector<float> pixels = drawn.to_vector<float>();
  for (int64_t y = 0; y < kSide; y += 2) { // one character for two rows
    for (int64_t x = 0; x < kSide; ++x)
      std::cout << " .:*#"[std::min(
          4, static_cast<int>(5 * pixels[static_cast<size_t>(y * kSide + x)]))];
    std::cout << "\n";
  }
  return progress.last() < progress.first() ? 0 : 1;
}
