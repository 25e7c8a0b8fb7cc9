// An LSTM learns the characters of a text:
// train_lstm --steps=500 --batch=32 --length=64 --hidden=128
#include "training.h"

struct CharLSTMImpl : nn::Module {
  nn::Embedding embedding{nullptr};
  nn::LSTM lstm{nullptr};
  nn::Linear scores{nullptr};

  CharLSTMImpl(int64_t vocabulary, int64_t hidden) {
    embedding = register_module("embedding", nn::Embedding(vocabulary, hidden));
    lstm = register_module("lstm", nn::LSTM({.input_size = hidden,
                                             .hidden_size = hidden,
                                             .num_layers = 2,
                                             .batch_first = true}));
    scores = register_module("scores", nn::Linear(hidden, vocabulary));
  }
  /// Maps [N, L] to [N, L, vocabulary].
  Tensor forward(const Tensor &tokens) {
    return scores(std::get<0>(lstm(embedding(tokens))));
  }
};
XLAC_MODULE(CharLSTM);

int main(int argc, char **argv) {
  int64_t steps = flag(argc, argv, "steps", int64_t{500});
  int64_t batch = flag(argc, argv, "batch", int64_t{32});
  int64_t length = flag(argc, argv, "length", int64_t{64});
  int64_t hidden = flag(argc, argv, "hidden", int64_t{128});
  Text text(flag(argc, argv, "text", std::string(XLAC_EXAMPLE_TEXT)));
  Device device = xlac::device();
  manual_seed(1);
  std::mt19937 random(1);
  CharLSTM model = CharLSTM(text.vocabulary(), hidden).train().to(device);
  optim::Adam optimizer(model->parameters(), {.lr = 3e-3});

  Progress progress(steps, 10);
  for (int64_t step = 0; step < steps; ++step) {
    auto [inputs, targets] = text.batch(batch, length, random, device);
    optimizer.zero_grad();
    Tensor scores = model(inputs);
    Tensor loss = F::cross_entropy(scores.view({-1, text.vocabulary()}),
                                   targets.view({-1}));
    loss.backward();
    nn::utils::clip_grad_norm_(model->parameters(), 1);
    optimizer.step();
    progress.step(loss);
  }
  return progress.last() < progress.first() ? 0 : 1;
}
