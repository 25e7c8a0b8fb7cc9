// Writes a training step of GPT-2 (124 million parameters, 1,024 tokens per
// sequence) as StableHLO, and prints the options with which `xlac explain`
// shards it over the axes data and model (docs/scaling.md):
//
//   gpt2_step SEQUENCES FILE [LAYERS]
//
// Nothing is run.
#include "gpt2.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>
#include <string>

namespace {

std::string step_of(const GPT2Options &options, int64_t sequences) {
  Device device = xlac::device();
  GPT2 model = GPT2(options).train().to(device);
  optim::SGD optimizer(model->parameters(), {.lr = 0.1});
  Tensor tokens = zeros({sequences, options.context}, kInt64).to(device);
  Tensor targets = zeros({sequences, options.context}, kInt64).to(device);
  xlac::sync();
  Tensor loss = F::cross_entropy(model(tokens).view({-1, options.vocab_size}),
                                 targets.view({-1}));
  loss.backward();
  optimizer.step();
  std::vector<Tensor> results = model->parameters();
  results.push_back(loss);
  return xm::get_stablehlo(results);
}

/// " --shard N=SPEC" for each argument with this type.
std::string shards_of(const std::string &program, const std::string &type,
                      const std::string &spec) {
  std::string options;
  std::regex pattern("%arg(\\d+): tensor<" + type + ">");
  std::string head = program.substr(0, program.find("->"));
  for (std::sregex_iterator at(head.begin(), head.end(), pattern), end;
       at != end; ++at)
    options += " --shard " + (*at)[1].str() + "=" + spec;
  return options;
}

} // namespace

int main(int argc, char **argv) {
  int64_t sequences = argc > 1 ? std::atoll(argv[1]) : 0;
  GPT2Options options;
  if (argc == 4)
    options.layers = std::atoll(argv[3]);
  if (sequences < 1 || argc < 3 || argc > 4 || options.layers < 1) {
    std::cerr << "usage: gpt2_step SEQUENCES FILE [LAYERS]\n";
    return 2;
  }
  std::string program = step_of(options, sequences);
  std::ofstream(argv[2]) << program;
  // Weights are [in, out]. Heads and hidden units are sharded over the model
  // axis.
  std::cout << shards_of(program, std::to_string(sequences) + "x1024xi64",
                         "data,-")
            << shards_of(program, "768x2304xf32", "-,model")
            << shards_of(program, "768x3072xf32", "-,model")
            << shards_of(program, "768x768xf32", "model,-")
            << shards_of(program, "3072x768xf32", "model,-") << "\n";
}
