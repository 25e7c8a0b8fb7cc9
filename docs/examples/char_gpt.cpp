// A small GPT-2 learns the characters of a text and continues a prompt:
// char_gpt --steps=1000 --text=FILE --prompt="The program" --context=128
#include "gpt2.h"
#include "training.h"

/// Returns the prompt and the model's continuation up to the length of its
/// context. Each token is one run of one program; tokens stay on the device
/// until the end.
static std::string written(GPT2 &model, const Text &text,
                           const std::string &prompt, double temperature,
                           Device device) {
  NoGradGuard no_grad;
  KVCache cache(model->options, 1, device);
  xlac::sync(); // so that the cache's zeros are not part of the first program
  auto decode = xlac::compile(
      [&](const Tensor &token) {
        Tensor scores = model->forward_one(token, cache);
        return multinomial(softmax(scores / temperature, 1), 1);
      },
      {.full_graph = true, .name = "decode"});

  std::vector<int64_t> given = text.numbers_of(prompt);
  std::vector<Tensor> made;
  int64_t programs = xr::get_num_cached_compilation_graph();
  auto start = std::chrono::steady_clock::now();
  auto length = static_cast<size_t>(model->options.context);
  Tensor next;
  for (size_t i = 0; i < length; ++i) {
    next =
        decode(i < given.size() ? from_data(&given[i], {1, 1}, device) : next);
    if (i + 1 >= given.size())
      made.push_back(next);
  }
  programs = xr::get_num_cached_compilation_graph() - programs;
  std::vector<int64_t> numbers = cat(made, 1).to_vector<int64_t>();
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  std::printf("%zu tokens  %.1f tokens/s  %lld programs\n", length,
              static_cast<double>(length) / seconds.count(),
              static_cast<long long>(programs));
  return prompt + text.text_of(numbers);
}

int main(int argc, char **argv) {
  int64_t steps = flag(argc, argv, "steps", int64_t{1000});
  int64_t batch = flag(argc, argv, "batch", int64_t{16});
  std::string prompt = flag(argc, argv, "prompt", std::string("The program"));
  Text text(flag(argc, argv, "text", std::string(XLAC_EXAMPLE_TEXT)));
  GPT2Options options{.vocab_size = text.vocabulary(),
                      .context = flag(argc, argv, "context", int64_t{128}),
                      .width = flag(argc, argv, "width", int64_t{128}),
                      .layers = flag(argc, argv, "layers", int64_t{4}),
                      .heads = 4};
  Device device = xlac::device();
  manual_seed(1);
  std::mt19937 random(1);
  GPT2 model = GPT2(options).train().to(device);
  optim::AdamW optimizer(model->parameters(), {.lr = 1e-3});

  Progress progress(steps, 10);
  for (int64_t step = 0; step < steps; ++step) {
    auto [inputs, targets] = text.batch(batch, options.context, random, device);
    optimizer.zero_grad();
    Tensor scores = model(inputs);
    Tensor loss = F::cross_entropy(scores.view({-1, options.vocab_size}),
                                   targets.view({-1}));
    loss.backward();
    optimizer.step();
    progress.step(loss);
  }
  model.eval();
  std::cout << written(model, text, prompt, 0.8, device) << "\n";
  return progress.last() < progress.first() ? 0 : 1;
}
