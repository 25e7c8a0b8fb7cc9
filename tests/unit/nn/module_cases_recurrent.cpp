#include "module_cases.h"

namespace xlac::module_cases {

using namespace nn;

namespace {

template <class Layer>
constexpr bool has_cells =
    std::same_as<Layer, LSTM> || std::same_as<Layer, LSTMCell>;

/// Calls the module with a sequence and its initial states.
const auto with_states = [](const auto &module, const List &in) {
  if constexpr (has_cells<std::decay_t<decltype(module)>>)
    return module(in[0], std::tuple(in[1], in[2]));
  else
    return module(in[0], in[1]);
};

/// As above, with packed sequences.
const auto packed(bool batch_first) {
  return [batch_first](const auto &module, const List &in) {
    auto sequence = utils::rnn::pack_padded_sequence(in[0], tensor({2, 4, 3}),
                                                     batch_first, false);
    if (in.size() == 1)
      return module(sequence);
    if constexpr (has_cells<std::decay_t<decltype(module)>>)
      return module(sequence, std::tuple(in[1], in[2]));
    else
      return module(sequence, in[1]);
  };
}

template <class Layer>
void add_layers(const std::string &name, std::vector<Subject> &list) {
  using Options = typename Layer::Contained::Options;
  Options plain{.input_size = 3, .hidden_size = 2};
  Options no_bias{.input_size = 3, .hidden_size = 2, .bias = false};
  Options two{.input_size = 3,
              .hidden_size = 2,
              .num_layers = 2,
              .batch_first = true,
              .dropout = 0.5,
              .bidirectional = true};
  Options both{.input_size = 3,
               .hidden_size = 2,
               .num_layers = 2,
               .bidirectional = true};
  Options by_batch{.input_size = 3, .hidden_size = 2, .batch_first = true};
  list.push_back({name, Layer(plain)});
  list.push_back(called(name + " with states", Layer(no_bias), with_states));
  list.push_back(called(name + " both ways", Layer(two), with_states));
  list.push_back(called(name + " of one sequence", Layer(plain), with_states));
  list.push_back({name + " of one step", Layer(plain)});
  list.push_back(called(name + " packed", Layer(both), packed(false)));
  list.push_back(
      called(name + " packed by batch", Layer(by_batch), packed(true)));
}

} // namespace

std::vector<Subject> recurrent() {
  std::vector<Subject> list;
  add_layers<RNN>("RNN", list);
  add_layers<GRU>("GRU", list);
  add_layers<LSTM>("LSTM", list);
  list.push_back({"RNN with relu", RNN(3, 2, 1, "relu")});
  list.push_back(
      called("RNN with relu packed", RNN(3, 2, 1, "relu"), packed(false)));
  list.push_back(called("LSTM projected",
                        LSTM(3, 4, 2, true, false, 0.0, true, 2), with_states));
  list.push_back(called("LSTM projected and packed",
                        LSTM(3, 4, 1, false, false, 0.0, false, 2),
                        packed(false)));
  list.push_back({"RNNCell", RNNCell(3, 2)});
  list.push_back({"RNNCell with relu", RNNCell(3, 2, false, "relu")});
  list.push_back({"RNNCell without state", RNNCell(3, 2)});
  list.push_back({"GRUCell", GRUCell(3, 2)});
  list.push_back({"GRUCell without state", GRUCell(3, 2, false)});
  list.push_back(called("LSTMCell", LSTMCell(3, 2), with_states));
  list.push_back({"LSTMCell without state", LSTMCell(3, 2, false)});
  return list;
}

} // namespace xlac::module_cases
