// Recurrent layers and cells. Options are in PyTorch's argument order, with its
// defaults. On xla devices the steps of a layer are one loop of the program,
// however long the sequence is. All weights are uniform in ±1/√hidden_size at
// first.
#pragma once

#include "xlac/nn/families.h"
#include "xlac/nn/utils.h"

namespace xlac::nn {

//===- Layers -------------------------------------------------------------===//

struct RNNOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size;
  int64_t num_layers = 1;
  std::string nonlinearity = "tanh"; ///< or "relu"
  bool bias = true;
  bool batch_first = false;
  double dropout = 0; ///< between layers, in training
  bool bidirectional = false;
};

struct GRUOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size;
  int64_t num_layers = 1;
  bool bias = true;
  bool batch_first = false;
  double dropout = 0; ///< between layers, in training
  bool bidirectional = false;
};

struct LSTMOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size;
  int64_t num_layers = 1;
  bool bias = true;
  bool batch_first = false;
  double dropout = 0; ///< between layers, in training
  bool bidirectional = false;
  int64_t proj_size = 0; ///< of the hidden state; 0: hidden_size
};

/// What the layers share. Parameters are, for each layer k and direction,
/// weight_ih_lk [gates · H, in], weight_hh_lk [gates · H, H or P], bias_ih_lk
/// and bias_hh_lk [gates · H] and weight_hr_lk [P, H]; names of the way back
/// end in "_reverse". ValueError for options out of their domain.
struct XLAC_API RNNBaseImpl : Module {
  /// All of them, in that order.
  std::vector<Tensor> flat_weights;

protected:
  RNNBaseImpl(int64_t gates, const LSTMOptions &given);
  std::string extra_repr() const override;

  /// What functions of ops.h want: `input` and first states of the batch that
  /// it holds. ShapeError and ValueError when something does not fit.
  void check_input(const Tensor &input, int64_t rank) const;
  /// A first state as it was given, or zeros; `width` is its last size.
  Tensor state_for(const Tensor &given, const Tensor &input, int64_t width,
                   const char *what) const;
  /// The same for a packed sequence, in its order.
  Tensor state_for(const Tensor &given, const utils::rnn::PackedSequence &input,
                   int64_t width, const char *what) const;
  int64_t hidden_width() const;

  /// As they are for all kinds.
  LSTMOptions common_;
};

/// h = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu.
struct XLAC_API RNNImpl : RNNBaseImpl {
  using Options = RNNOptions;
  explicit RNNImpl(Options given);
  /// Outputs of the last layer at all times and last hidden states [layers ·
  /// directions, N, H]. The input is [T, N, in], [N, T, in] if batch_first or
  /// [T, in]; `hx` are first hidden states, zeros unless defined.
  std::tuple<Tensor, Tensor> forward(const Tensor &input,
                                     const Tensor &hx = {});
  /// The same of sequences of several lengths.
  std::tuple<utils::rnn::PackedSequence, Tensor>
  forward(const utils::rnn::PackedSequence &input, const Tensor &hx = {});
  Options options;
};
XLAC_MODULE(RNN);

/// Gated recurrent units, the reset gate on W_hn h + b_hn.
struct XLAC_API GRUImpl : RNNBaseImpl {
  using Options = GRUOptions;
  explicit GRUImpl(Options given);
  /// As RNN.
  std::tuple<Tensor, Tensor> forward(const Tensor &input,
                                     const Tensor &hx = {});
  std::tuple<utils::rnn::PackedSequence, Tensor>
  forward(const utils::rnn::PackedSequence &input, const Tensor &hx = {});
  Options options;
};
XLAC_MODULE(GRU);

/// Long short-term memory; with proj_size, hidden states are W_hr h.
struct XLAC_API LSTMImpl : RNNBaseImpl {
  using Options = LSTMOptions;
  /// Hidden states and cells.
  using States = std::tuple<Tensor, Tensor>;
  explicit LSTMImpl(Options given);
  /// As RNN, with two states.
  std::tuple<Tensor, States> forward(const Tensor &input,
                                     const States &hx = {});
  std::tuple<utils::rnn::PackedSequence, States>
  forward(const utils::rnn::PackedSequence &input, const States &hx = {});
  Options options;
};
XLAC_MODULE(LSTM);

//===- Cells --------------------------------------------------------------===//

struct RNNCellOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size;
  bool bias = true;
  std::string nonlinearity = "tanh"; ///< or "relu"
};

struct GatedCellOptions {
  static constexpr size_t required = 2;
  int64_t input_size, hidden_size;
  bool bias = true;
};

/// What the cells share.
struct XLAC_API RNNCellBaseImpl : Module {
  Tensor weight_ih, weight_hh; ///< [gates · H, in], [gates · H, H]
  Tensor bias_ih, bias_hh;     ///< [gates · H]

protected:
  RNNCellBaseImpl(int64_t gates, RNNCellOptions given);
  std::string extra_repr() const override;
  /// The state as given, or zeros for the batch of `input`. ShapeError for
  /// inputs and states of other than 1 or 2 dimensions.
  Tensor state_for(const Tensor &given, const Tensor &input) const;

  RNNCellOptions common_;
};

/// One step of RNN.
struct XLAC_API RNNCellImpl : RNNCellBaseImpl {
  using Options = RNNCellOptions;
  explicit RNNCellImpl(Options given);
  /// The next hidden state, for an input [N, in] or [in].
  Tensor forward(const Tensor &input, const Tensor &hx = {});
  Options options;
};
XLAC_MODULE(RNNCell);

/// One step of LSTM.
struct XLAC_API LSTMCellImpl : RNNCellBaseImpl {
  using Options = GatedCellOptions;
  explicit LSTMCellImpl(Options given);
  /// The next hidden state and cell.
  std::tuple<Tensor, Tensor> forward(const Tensor &input,
                                     const std::tuple<Tensor, Tensor> &hx = {});
  Options options;
};
XLAC_MODULE(LSTMCell);

/// One step of GRU.
struct XLAC_API GRUCellImpl : RNNCellBaseImpl {
  using Options = GatedCellOptions;
  explicit GRUCellImpl(Options given);
  /// The next hidden state.
  Tensor forward(const Tensor &input, const Tensor &hx = {});
  Options options;
};
XLAC_MODULE(GRUCell);

} // namespace xlac::nn
