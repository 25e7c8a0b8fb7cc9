#ifndef XLAC_TENSOR_FUNCTIONS_ATTENTION
#define XLAC_TENSOR_FUNCTIONS_ATTENTION

include "tensor/functions/Function.td"

def scaled_dot_product_attention : Function<"Tensor scaled_dot_product_attention(const Tensor &query, const Tensor &key, const Tensor &value, const Tensor &attn_mask = {}, double dropout_p = 0, bool is_causal = false, std::optional<double> scale = {}, bool enable_gqa = false)"> {
  let doc = [{Returns softmax(query keyᵀ * scale + mask) value for queries [..., L, E], keys [..., S, E] and values [..., S, V]; leading dimensions broadcast, and `scale` is 1/√E unless given. A boolean mask is true where attention is allowed; rows without any give 0. Dropout applies whenever `dropout_p` is not 0. Throws ShapeError if sizes do not fit, DtypeError if dtypes differ, and ValueError for a mask with `is_causal`.}];
}
def multi_head_attention_forward : Function<"std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor &query, const Tensor &key, const Tensor &value, int64_t embed_dim_to_check, int64_t num_heads, const Tensor &in_proj_weight, const Tensor &in_proj_bias, const Tensor &bias_k, const Tensor &bias_v, bool add_zero_attn, double dropout_p, const Tensor &out_proj_weight, const Tensor &out_proj_bias, bool training = true, const Tensor &key_padding_mask = {}, bool need_weights = true, const Tensor &attn_mask = {}, bool use_separate_proj_weight = false, const Tensor &q_proj_weight = {}, const Tensor &k_proj_weight = {}, const Tensor &v_proj_weight = {}, bool average_attn_weights = true, bool is_causal = false)"> {
  let doc = [{Returns outputs [L, N, E], or [L, E] for a query without batch, and the attention weights [N, L, S], averaged over heads unless `average_attn_weights` is false, and undefined without `need_weights`. A boolean mask is true where attention is forbidden. Throws ValueError unless `num_heads` divides E, and ShapeError if sizes do not fit.}];
}
def rotary_embedding : Function<"Tensor rotary_embedding(const Tensor &input, const Tensor &cos, const Tensor &sin, bool interleaved = false)"> {
  let doc = [{Rotates pairs of elements of the last dimension by angles with these cosines and sines, [..., half of its size]; a pair is element i of both halves, or two neighbours if `interleaved`. Throws ShapeError if the last size is odd or the angles do not fit.}];
}
def optimization_barrier : Function<"std::vector<Tensor> optimization_barrier(const std::vector<Tensor> &tensors)"> {
  let doc = [{Returns tensors with the same values; the compiler moves no operation across the barrier.}];
}

def rnn_tanh : Function<"std::tuple<Tensor, Tensor> rnn_tanh(const Tensor &input, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first)"> {
  let doc = [{Returns the outputs and last states of recurrent layers with tanh over an input [T, N, in], [N, T, in] with `batch_first`, or [T, in]; `hx` is [layers * directions, N, hidden]. `params` holds for each layer and direction w_ih, w_hh and, with biases, b_ih and b_hh. Throws ValueError for a wrong number of tensors, and ShapeError if sizes do not fit.}];
}
def rnn_tanh_packed : Function<"std::tuple<Tensor, Tensor> rnn_tanh(const Tensor &data, const Tensor &batch_sizes, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional)"> {
  let doc = [{Runs rnn_tanh on packed sequences: `data` holds the rows of all times in turn, and `batch_sizes` the number of sequences at each time, which must not increase, else ValueError. The outputs are packed in the same way. It runs the pending operations of `batch_sizes`.}];
}
def rnn_relu : Function<"std::tuple<Tensor, Tensor> rnn_relu(const Tensor &input, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first)"> {
  let doc = [{Returns the outputs and last states of recurrent layers with relu over an input [T, N, in], [N, T, in] with `batch_first`, or [T, in]; `hx` is [layers * directions, N, hidden]. `params` holds for each layer and direction w_ih, w_hh and, with biases, b_ih and b_hh. Throws ValueError for a wrong number of tensors, and ShapeError if sizes do not fit.}];
}
def rnn_relu_packed : Function<"std::tuple<Tensor, Tensor> rnn_relu(const Tensor &data, const Tensor &batch_sizes, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional)"> {
  let doc = [{Runs rnn_relu on packed sequences: `data` holds the rows of all times in turn, and `batch_sizes` the number of sequences at each time, which must not increase, else ValueError. The outputs are packed in the same way. It runs the pending operations of `batch_sizes`.}];
}
def gru : Function<"std::tuple<Tensor, Tensor> gru(const Tensor &input, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first)"> {
  let doc = [{Returns the outputs and last states of gated recurrent units (Cho et al., 2014) over an input [T, N, in], [N, T, in] with `batch_first`, or [T, in]; `hx` is [layers * directions, N, hidden]. `params` holds for each layer and direction w_ih, w_hh and, with biases, b_ih and b_hh. Throws ValueError for a wrong number of tensors, and ShapeError if sizes do not fit.}];
}
def gru_packed : Function<"std::tuple<Tensor, Tensor> gru(const Tensor &data, const Tensor &batch_sizes, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional)"> {
  let doc = [{Runs gru on packed sequences: `data` holds the rows of all times in turn, and `batch_sizes` the number of sequences at each time, which must not increase, else ValueError. The outputs are packed in the same way. It runs the pending operations of `batch_sizes`.}];
}
def lstm : Function<"std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor &input, const std::vector<Tensor> &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first)"> {
  let doc = [{Returns the outputs, last hidden states and last cell states of LSTM layers (Hochreiter and Schmidhuber, 1997); `hx` holds the initial hidden and cell states. Input, `params` and errors are as in gru. Hidden states of another size than the cell states are projected: `params` then holds w_hr after the others of each direction.}];
}
def lstm_packed : Function<"std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor &data, const Tensor &batch_sizes, const std::vector<Tensor> &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional)"> {
  let doc = [{Runs lstm on packed sequences: `data` holds the rows of all times in turn, and `batch_sizes` the number of sequences at each time, which must not increase, else ValueError. The outputs are packed in the same way. It runs the pending operations of `batch_sizes`.}];
}
def rnn_tanh_cell : Function<"Tensor rnn_tanh_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih = {}, const Tensor &b_hh = {})"> {
  let doc = [{Returns the next hidden state tanh(w_ih input + b_ih + w_hh hx + b_hh) for an input [N, in] or [in]; biases may be undefined. Throws ShapeError if sizes do not fit.}];
}
def rnn_relu_cell : Function<"Tensor rnn_relu_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih = {}, const Tensor &b_hh = {})"> {
  let doc = [{Returns the next hidden state relu(w_ih input + b_ih + w_hh hx + b_hh) for an input [N, in] or [in]; biases may be undefined. Throws ShapeError if sizes do not fit.}];
}
def gru_cell : Function<"Tensor gru_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih = {}, const Tensor &b_hh = {})"> {
  let doc = [{Returns the next hidden state of a gated recurrent unit; w_ih is [3 * hidden, in], with the reset, update and new gates in turn. Biases may be undefined; throws ShapeError if sizes do not fit.}];
}
def lstm_cell : Function<"std::tuple<Tensor, Tensor> lstm_cell(const Tensor &input, const std::vector<Tensor> &hx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih = {}, const Tensor &b_hh = {})"> {
  let doc = [{Returns the next hidden and cell states of an LSTM; `hx` holds both, and w_ih is [4 * hidden, in], with the input, forget, cell and output gates in turn. Throws ValueError unless `hx` holds two tensors, and ShapeError if sizes do not fit.}];
}

#endif
