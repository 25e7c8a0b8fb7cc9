// Recurrent layers and cells. Options have PyTorch's order of arguments and its
// defaults. On xla devices the time steps of a layer are one loop of the
// program. All weights are initialized uniformly in ±1/√hidden_size.
#pragma once

#include "xlac/nn/families.h"
#include "xlac/nn/utils.h"

namespace xlac::nn {

//===- Layers -------------------------------------------------------------===//

/// Options of RNN.
struct RNNOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size;   ///< features of the input and of the state
  int64_t num_layers = 1;            ///< stacked layers
  std::string nonlinearity = "tanh"; ///< or "relu"
  bool bias = true;                  ///< whether there is a learned bias
  bool batch_first = false;          ///< the batch is dimension 0, not 1
  double dropout = 0;                ///< between layers, in training
  bool bidirectional = false; ///< also runs backwards, and joins the results
};

/// Options of GRU.
struct GRUOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size; ///< features of the input and of the state
  int64_t num_layers = 1;          ///< stacked layers
  bool bias = true;                ///< whether there is a learned bias
  bool batch_first = false;        ///< the batch is dimension 0, not 1
  double dropout = 0;              ///< between layers, in training
  bool bidirectional = false; ///< also runs backwards, and joins the results
};

/// Options of LSTM.
struct LSTMOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size; ///< features of the input and of the state
  int64_t num_layers = 1;          ///< stacked layers
  bool bias = true;                ///< whether there is a learned bias
  bool batch_first = false;        ///< the batch is dimension 0, not 1
  double dropout = 0;              ///< between layers, in training
  bool bidirectional = false; ///< also runs backwards, and joins the results
  int64_t proj_size = 0;      ///< size of the hidden state; 0: hidden_size
};

/// Common part of the layers. The parameters of layer k and direction are
/// weight_ih_lk [gates · H, in], weight_hh_lk [gates · H, H or P], bias_ih_lk
/// and bias_hh_lk [gates · H] and weight_hr_lk [P, H]. Names of the reverse
/// direction end in "_reverse". Throws ValueError for options out of range.
struct XLAC_API RNNBaseImpl : Module {
  /// All parameters, in that order.
  std::vector<Tensor> flat_weights;

protected:
  RNNBaseImpl(int64_t gates, const LSTMOptions &given);
  std::string extra_repr() const override;

  /// Checks `input` against `rank` and the options. Throws ShapeError or
  /// ValueError.
  void check_input(const Tensor &input, int64_t rank) const;
  /// Returns the given initial state, or zeros; `width` is its last size.
  /// Throws when the state does not fit the batch of `input`.
  Tensor state_for(const Tensor &given, const Tensor &input, int64_t width,
                   const char *what) const;
  /// As above, for a packed sequence, permuted to its order.
  Tensor state_for(const Tensor &given, const utils::rnn::PackedSequence &input,
                   int64_t width, const char *what) const;
  /// Features of the hidden state of a layer.
  int64_t hidden_width() const;

  /// The options that all kinds have.
  LSTMOptions common_;
};

/// h = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu.
struct XLAC_API RNNImpl : RNNBaseImpl {
  using Options = RNNOptions;
  explicit RNNImpl(Options given);
  /// Returns the outputs of the last layer at all times and the last hidden
  /// states [layers · directions, N, H]. The input is [T, N, in], [N, T, in] if
  /// batch_first, or [T, in]. `hx` are the initial hidden states; undefined
  /// means zeros.
  std::tuple<Tensor, Tensor> forward(const Tensor &input,
                                     const Tensor &hx = {});
  /// As above, for sequences of different lengths.
  std::tuple<utils::rnn::PackedSequence, Tensor>
  forward(const utils::rnn::PackedSequence &input, const Tensor &hx = {});
  Options options;
};
XLAC_MODULE(RNN);

/// Gated recurrent units; the reset gate applies to W_hn h + b_hn.
struct XLAC_API GRUImpl : RNNBaseImpl {
  using Options = GRUOptions;
  explicit GRUImpl(Options given);
  /// As RNNImpl::forward.
  std::tuple<Tensor, Tensor> forward(const Tensor &input,
                                     const Tensor &hx = {});
  std::tuple<utils::rnn::PackedSequence, Tensor>
  forward(const utils::rnn::PackedSequence &input, const Tensor &hx = {});
  Options options;
};
XLAC_MODULE(GRU);

/// Long short-term memory. With proj_size the hidden states are W_hr h.
struct XLAC_API LSTMImpl : RNNBaseImpl {
  using Options = LSTMOptions;
  /// The hidden states and the cell states.
  using States = std::tuple<Tensor, Tensor>;
  explicit LSTMImpl(Options given);
  /// As RNNImpl::forward, with two states.
  std::tuple<Tensor, States> forward(const Tensor &input,
                                     const States &hx = {});
  std::tuple<utils::rnn::PackedSequence, States>
  forward(const utils::rnn::PackedSequence &input, const States &hx = {});
  Options options;
};
XLAC_MODULE(LSTM);

//===- Cells --------------------------------------------------------------===//

/// Options of RNNCell.
struct RNNCellOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size;   ///< features of the input and of the state
  bool bias = true;                  ///< whether there is a learned bias
  std::string nonlinearity = "tanh"; ///< or "relu"
};

/// Options of LSTMCell and GRUCell.
struct GatedCellOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size; ///< features of the input and of the state
  bool bias = true;                ///< whether there is a learned bias
};

/// Common part of the cells.
struct XLAC_API RNNCellBaseImpl : Module {
  Tensor weight_ih, weight_hh; ///< [gates · H, in], [gates · H, H]
  Tensor bias_ih, bias_hh;     ///< [gates · H]

protected:
  RNNCellBaseImpl(int64_t gates, RNNCellOptions given);
  std::string extra_repr() const override;
  /// Returns the given state, or zeros for the batch of `input`. Throws
  /// ShapeError for inputs and states that do not have 1 or 2 dimensions.
  Tensor state_for(const Tensor &given, const Tensor &input) const;

  /// The options that all cells have.
  RNNCellOptions common_;
};

/// One step of RNN.
struct XLAC_API RNNCellImpl : RNNCellBaseImpl {
  using Options = RNNCellOptions;
  explicit RNNCellImpl(Options given);
  /// Returns the next hidden state for an input [N, in] or [in].
  Tensor forward(const Tensor &input, const Tensor &hx = {});
  Options options;
};
XLAC_MODULE(RNNCell);

/// One step of LSTM.
struct XLAC_API LSTMCellImpl : RNNCellBaseImpl {
  using Options = GatedCellOptions;
  explicit LSTMCellImpl(Options given);
  /// Returns the next hidden state and cell state.
  std::tuple<Tensor, Tensor> forward(const Tensor &input,
                                     const std::tuple<Tensor, Tensor> &hx = {});
  Options options;
};
XLAC_MODULE(LSTMCell);

/// One step of GRU.
struct XLAC_API GRUCellImpl : RNNCellBaseImpl {
  using Options = GatedCellOptions;
  explicit GRUCellImpl(Options given);
  /// Returns the next hidden state.
  Tensor forward(const Tensor &input, const Tensor &hx = {});
  Options options;
};
XLAC_MODULE(GRUCell);

} // namespace xlac::nn
