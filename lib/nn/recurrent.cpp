#include "xlac/nn/recurrent.h"

#include "initial_values.h"
#include "repr.h"

#include "xlac/support/raise.h"

namespace xlac::nn {

using utils::rnn::PackedSequence;

//===- Common part of layers ----------------------------------------------===//

static void check_options(const LSTMOptions &o) {
  if (o.dropout < 0 || o.dropout > 1)
    raise<ValueError>("dropout should be a number in range [0, 1] representing "
                      "the probability of an element being zeroed");
  if (o.hidden_size <= 0)
    raise<ValueError>("hidden_size must be greater than zero");
  if (o.num_layers <= 0)
    raise<ValueError>("num_layers must be greater than zero");
  if (o.proj_size < 0)
    raise<ValueError>("proj_size should be a positive integer or zero to "
                      "disable projections");
  if (o.proj_size >= o.hidden_size)
    raise<ValueError>("proj_size has to be smaller than hidden_size");
}

RNNBaseImpl::RNNBaseImpl(int64_t gates, const LSTMOptions &given)
    : common_(given) {
  const LSTMOptions &o = common_;
  check_options(o);
  int64_t rows = gates * o.hidden_size, directions = o.bidirectional ? 2 : 1;
  auto add = [&](const std::string &name, IntArrayRef sizes) {
    flat_weights.push_back(
        register_parameter(name, uniform_start(sizes, o.hidden_size)));
  };
  for (int64_t layer = 0; layer < o.num_layers; ++layer)
    for (int64_t way = 0; way < directions; ++way) {
      int64_t in = layer == 0 ? o.input_size : hidden_width() * directions;
      std::string suffix =
          "_l" + std::to_string(layer) + (way == 1 ? "_reverse" : "");
      add("weight_ih" + suffix, {rows, in});
      add("weight_hh" + suffix, {rows, hidden_width()});
      if (o.bias) {
        add("bias_ih" + suffix, {rows});
        add("bias_hh" + suffix, {rows});
      }
      if (o.proj_size > 0)
        add("weight_hr" + suffix, {o.proj_size, o.hidden_size});
    }
}

int64_t RNNBaseImpl::hidden_width() const {
  return common_.proj_size > 0 ? common_.proj_size : common_.hidden_size;
}

std::string RNNBaseImpl::extra_repr() const {
  const LSTMOptions &o = common_;
  std::string text = repr_of(o.input_size) + ", " + repr_of(o.hidden_size);
  if (o.proj_size != 0)
    text += ", proj_size=" + repr_of(o.proj_size);
  if (o.num_layers != 1)
    text += ", num_layers=" + repr_of(o.num_layers);
  if (!o.bias)
    text += ", bias=False";
  if (o.batch_first)
    text += ", batch_first=True";
  if (o.dropout != 0)
    text += ", dropout=" + repr_of(o.dropout);
  if (o.bidirectional)
    text += ", bidirectional=True";
  return text;
}

void RNNBaseImpl::check_input(const Tensor &input, int64_t rank) const {
  if (rank != 2 && rank != 3)
    raise<ShapeError>(name() + ": Expected input to be 2D or 3D, got " +
                      std::to_string(rank) + "D instead");
  if (input.dim() != rank)
    raise<ShapeError>(name() + ": input must have " + std::to_string(rank) +
                      " dimensions, got " + std::to_string(input.dim()));
  Dtype wanted = flat_weights[0].dtype();
  if (input.dtype() != wanted)
    raise<ValueError>(name() + ": input must have the type torch." +
                      std::string(xlac::name(wanted)) + ", got type torch." +
                      std::string(xlac::name(input.dtype())));
  if (input.size(-1) != common_.input_size)
    raise<ShapeError>(name() +
                      ": input.size(-1) must be equal to input_size. "
                      "Expected " +
                      std::to_string(common_.input_size) + ", got " +
                      std::to_string(input.size(-1)));
}

/// Returns `given`, or zeros. Throws ShapeError unless it has these sizes.
static Tensor checked_state(const Tensor &given, const Shape &sizes,
                            const Tensor &input, const char *what) {
  if (!given.defined())
    return zeros(sizes, input.options());
  if (given.sizes() != sizes)
    raise<ShapeError>(std::string("Expected ") + what + " size " +
                      repr_of(sizes) + ", got " + repr_of(given.sizes()));
  return given;
}

Tensor RNNBaseImpl::state_for(const Tensor &given, const Tensor &input,
                              int64_t width, const char *what) const {
  int64_t count = common_.num_layers * (common_.bidirectional ? 2 : 1);
  if (input.dim() == 2)
    return checked_state(given, {count, width}, input, what);
  int64_t batch = input.size(common_.batch_first ? 0 : 1);
  return checked_state(given, {count, batch, width}, input, what);
}

/// Reorders the sequences of a state; without an order returns it unchanged.
static Tensor ordered(const Tensor &state, const Tensor &order) {
  return order.defined() ? state.index_select(1, order.to(state.device()))
                         : state;
}

Tensor RNNBaseImpl::state_for(const Tensor &given, const PackedSequence &input,
                              int64_t width, const char *what) const {
  int64_t count = common_.num_layers * (common_.bidirectional ? 2 : 1);
  int64_t batch = input.batch_sizes[0].item<int64_t>();
  Tensor state = checked_state(given, {count, batch, width}, input.data, what);
  return given.defined() ? ordered(state, input.sorted_indices) : state;
}

static PackedSequence like(const PackedSequence &input, const Tensor &data) {
  return {data, input.batch_sizes, input.sorted_indices,
          input.unsorted_indices};
}

//===- Layers -------------------------------------------------------------===//

static LSTMOptions common_of(const GRUOptions &o) {
  return {o.input_size,  o.hidden_size, o.num_layers,    o.bias,
          o.batch_first, o.dropout,     o.bidirectional, 0};
}

static LSTMOptions common_of(const RNNOptions &o) {
  return {o.input_size,  o.hidden_size, o.num_layers,    o.bias,
          o.batch_first, o.dropout,     o.bidirectional, 0};
}

/// True for "tanh", false for "relu". Throws ValueError for another name.
static bool is_tanh(const std::string &nonlinearity) {
  if (nonlinearity != "tanh" && nonlinearity != "relu")
    raise<ValueError>("Unknown nonlinearity '" + nonlinearity +
                      "'. Select from 'tanh' or 'relu'.");
  return nonlinearity == "tanh";
}

RNNImpl::RNNImpl(Options given)
    : RNNBaseImpl(1, common_of(given)), options(std::move(given)) {
  is_tanh(options.nonlinearity);
}

std::tuple<Tensor, Tensor> RNNImpl::forward(const Tensor &input,
                                            const Tensor &hx) {
  check_input(input, input.dim());
  Tensor state = state_for(hx, input, hidden_width(), "hidden");
  auto run = [&](auto function) {
    return function(input, state, flat_weights, options.bias,
                    options.num_layers, options.dropout, is_training(),
                    options.bidirectional, options.batch_first);
  };
  return is_tanh(options.nonlinearity)
             ? run([](const auto &...args) { return rnn_tanh(args...); })
             : run([](const auto &...args) { return rnn_relu(args...); });
}

std::tuple<PackedSequence, Tensor> RNNImpl::forward(const PackedSequence &input,
                                                    const Tensor &hx) {
  check_input(input.data, 2);
  Tensor state = state_for(hx, input, hidden_width(), "hidden");
  auto run = [&](auto function) {
    return function(input.data, input.batch_sizes, state, flat_weights,
                    options.bias, options.num_layers, options.dropout,
                    is_training(), options.bidirectional);
  };
  auto [data, last] =
      is_tanh(options.nonlinearity)
          ? run([](const auto &...args) { return rnn_tanh(args...); })
          : run([](const auto &...args) { return rnn_relu(args...); });
  return {like(input, data), ordered(last, input.unsorted_indices)};
}

GRUImpl::GRUImpl(Options given)
    : RNNBaseImpl(3, common_of(given)), options(given) {}

std::tuple<Tensor, Tensor> GRUImpl::forward(const Tensor &input,
                                            const Tensor &hx) {
  check_input(input, input.dim());
  return gru(input, state_for(hx, input, hidden_width(), "hidden"),
             flat_weights, options.bias, options.num_layers, options.dropout,
             is_training(), options.bidirectional, options.batch_first);
}

std::tuple<PackedSequence, Tensor> GRUImpl::forward(const PackedSequence &input,
                                                    const Tensor &hx) {
  check_input(input.data, 2);
  auto [data, last] =
      gru(input.data, input.batch_sizes,
          state_for(hx, input, hidden_width(), "hidden"), flat_weights,
          options.bias, options.num_layers, options.dropout, is_training(),
          options.bidirectional);
  return {like(input, data), ordered(last, input.unsorted_indices)};
}

LSTMImpl::LSTMImpl(Options given) : RNNBaseImpl(4, given), options(given) {}

std::tuple<Tensor, LSTMImpl::States> LSTMImpl::forward(const Tensor &input,
                                                       const States &hx) {
  check_input(input, input.dim());
  const auto &[hidden, cell] = hx;
  auto [output, last_hidden, last_cell] =
      lstm(input,
           {state_for(hidden, input, hidden_width(), "hidden[0]"),
            state_for(cell, input, options.hidden_size, "hidden[1]")},
           flat_weights, options.bias, options.num_layers, options.dropout,
           is_training(), options.bidirectional, options.batch_first);
  return {output, {last_hidden, last_cell}};
}

std::tuple<PackedSequence, LSTMImpl::States>
LSTMImpl::forward(const PackedSequence &input, const States &hx) {
  check_input(input.data, 2);
  const auto &[hidden, cell] = hx;
  auto [data, last_hidden, last_cell] =
      lstm(input.data, input.batch_sizes,
           {state_for(hidden, input, hidden_width(), "hidden[0]"),
            state_for(cell, input, options.hidden_size, "hidden[1]")},
           flat_weights, options.bias, options.num_layers, options.dropout,
           is_training(), options.bidirectional);
  return {like(input, data),
          {ordered(last_hidden, input.unsorted_indices),
           ordered(last_cell, input.unsorted_indices)}};
}

//===- Cells --------------------------------------------------------------===//

RNNCellBaseImpl::RNNCellBaseImpl(int64_t gates, RNNCellOptions given)
    : common_(std::move(given)) {
  int64_t width = common_.hidden_size, rows = gates * width;
  auto start = [&](IntArrayRef sizes) { return uniform_start(sizes, width); };
  weight_ih =
      register_parameter("weight_ih", start({rows, common_.input_size}));
  weight_hh = register_parameter("weight_hh", start({rows, width}));
  bias_ih =
      register_parameter("bias_ih", common_.bias ? start({rows}) : Tensor());
  bias_hh =
      register_parameter("bias_hh", common_.bias ? start({rows}) : Tensor());
}

std::string RNNCellBaseImpl::extra_repr() const {
  std::string text =
      repr_of(common_.input_size) + ", " + repr_of(common_.hidden_size);
  if (!common_.bias)
    text += ", bias=False";
  if (common_.nonlinearity != "tanh")
    text += ", nonlinearity=" + common_.nonlinearity;
  return text;
}

Tensor RNNCellBaseImpl::state_for(const Tensor &given,
                                  const Tensor &input) const {
  auto check = [&](const Tensor &tensor, const char *what) {
    if (tensor.dim() != 1 && tensor.dim() != 2)
      raise<ShapeError>(name() + ": Expected " + what +
                        " to be 1D or 2D, got " + std::to_string(tensor.dim()) +
                        "D instead");
  };
  check(input, "input");
  if (given.defined()) {
    check(given, "hidden");
    return given;
  }
  Shape sizes = input.sizes();
  sizes.back() = common_.hidden_size;
  return zeros(sizes, input.options());
}

RNNCellImpl::RNNCellImpl(Options given)
    : RNNCellBaseImpl(1, given), options(std::move(given)) {
  is_tanh(options.nonlinearity);
}

Tensor RNNCellImpl::forward(const Tensor &input, const Tensor &hx) {
  Tensor state = state_for(hx, input);
  return is_tanh(options.nonlinearity)
             ? rnn_tanh_cell(input, state, weight_ih, weight_hh, bias_ih,
                             bias_hh)
             : rnn_relu_cell(input, state, weight_ih, weight_hh, bias_ih,
                             bias_hh);
}

LSTMCellImpl::LSTMCellImpl(Options given)
    : RNNCellBaseImpl(4, {given.input_size, given.hidden_size, given.bias}),
      options(given) {}

std::tuple<Tensor, Tensor>
LSTMCellImpl::forward(const Tensor &input,
                      const std::tuple<Tensor, Tensor> &hx) {
  const auto &[hidden, cell] = hx;
  return lstm_cell(input, {state_for(hidden, input), state_for(cell, input)},
                   weight_ih, weight_hh, bias_ih, bias_hh);
}

GRUCellImpl::GRUCellImpl(Options given)
    : RNNCellBaseImpl(3, {given.input_size, given.hidden_size, given.bias}),
      options(given) {}

Tensor GRUCellImpl::forward(const Tensor &input, const Tensor &hx) {
  return gru_cell(input, state_for(hx, input), weight_ih, weight_hh, bias_ih,
                  bias_hh);
}

} // namespace xlac::nn
