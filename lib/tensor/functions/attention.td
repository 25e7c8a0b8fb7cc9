#ifndef XLAC_TENSOR_FUNCTIONS_ATTENTION
#define XLAC_TENSOR_FUNCTIONS_ATTENTION

include "tensor/functions/Function.td"

def scaled_dot_product_attention : Function<"Tensor scaled_dot_product_attention(const Tensor &query, const Tensor &key, const Tensor &value, const Tensor &attn_mask = {}, double dropout_p = 0, bool is_causal = false, std::optional<double> scale = {}, bool enable_gqa = false)"> {
  let doc = [{softmax(q kᵀ scale + mask) v; scale is 1/√E unless given, a boolean mask is true where attention is allowed.}];
}
def multi_head_attention_forward : Function<"std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor &query, const Tensor &key, const Tensor &value, int64_t embed_dim_to_check, int64_t num_heads, const Tensor &in_proj_weight, const Tensor &in_proj_bias, const Tensor &bias_k, const Tensor &bias_v, bool add_zero_attn, double dropout_p, const Tensor &out_proj_weight, const Tensor &out_proj_bias, bool training = true, const Tensor &key_padding_mask = {}, bool need_weights = true, const Tensor &attn_mask = {}, bool use_separate_proj_weight = false, const Tensor &q_proj_weight = {}, const Tensor &k_proj_weight = {}, const Tensor &v_proj_weight = {}, bool average_attn_weights = true, bool is_causal = false)"> {
  let doc = [{Outputs [L, N, E] and weights, which are undefined without `need_weights`. A boolean mask is true where attention is forbidden.}];
}
def rotary_embedding : Function<"Tensor rotary_embedding(const Tensor &input, const Tensor &cos, const Tensor &sin, bool interleaved = false)"> {
  let doc = [{Turns pairs of the last dimension by angles: pairs are the two halves' elements, or neighbours if interleaved.}];
}
def optimization_barrier : Function<"std::vector<Tensor> optimization_barrier(const std::vector<Tensor> &tensors)"> {
  let doc = [{The same values; the compiler moves nothing across.}];
}

def rnn_tanh : Function<"std::tuple<Tensor, Tensor> rnn_tanh(const Tensor &input, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first)"> {
  let doc = [{Outputs and last states of layers of recurrence; `params` holds per layer and direction w_ih, w_hh and, with biases, b_ih, b_hh.}];
}
def rnn_tanh_packed : Function<"std::tuple<Tensor, Tensor> rnn_tanh(const Tensor &data, const Tensor &batch_sizes, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional)">;
def rnn_relu : Function<"std::tuple<Tensor, Tensor> rnn_relu(const Tensor &input, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first)"> {
  let doc = [{Outputs and last states of layers of recurrence; `params` holds per layer and direction w_ih, w_hh and, with biases, b_ih, b_hh.}];
}
def rnn_relu_packed : Function<"std::tuple<Tensor, Tensor> rnn_relu(const Tensor &data, const Tensor &batch_sizes, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional)">;
def gru : Function<"std::tuple<Tensor, Tensor> gru(const Tensor &input, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first)"> {
  let doc = [{Outputs and last states of layers of recurrence; `params` holds per layer and direction w_ih, w_hh and, with biases, b_ih, b_hh.}];
}
def gru_packed : Function<"std::tuple<Tensor, Tensor> gru(const Tensor &data, const Tensor &batch_sizes, const Tensor &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional)">;
def lstm : Function<"std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor &input, const std::vector<Tensor> &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first)"> {
  let doc = [{Outputs, last hidden states and last cells; `hx` holds the first ones. Hidden states of another size than the cells are projected: `params` then holds w_hr after the others of each direction.}];
}
def lstm_packed : Function<"std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor &data, const Tensor &batch_sizes, const std::vector<Tensor> &hx, const std::vector<Tensor> &params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional)">;
def rnn_tanh_cell : Function<"Tensor rnn_tanh_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih = {}, const Tensor &b_hh = {})">;
def rnn_relu_cell : Function<"Tensor rnn_relu_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih = {}, const Tensor &b_hh = {})">;
def gru_cell : Function<"Tensor gru_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih = {}, const Tensor &b_hh = {})">;
def lstm_cell : Function<"std::tuple<Tensor, Tensor> lstm_cell(const Tensor &input, const std::vector<Tensor> &hx, const Tensor &w_ih, const Tensor &w_hh, const Tensor &b_ih = {}, const Tensor &b_hh = {})"> {
  let doc = [{The next hidden state and cell.}];
}

#endif
