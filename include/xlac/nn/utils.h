// What is done with all parameters at once, and sequences of several lengths:
// PyTorch's torch.nn.utils.
#pragma once

#include "xlac/tensor.h"

#include <optional>
#include <tuple>
#include <vector>

namespace xlac::nn {

namespace utils {
/// The norm of all tensors' elements together, on their device. With
/// error_if_nonfinite, which waits for it, RuntimeError when it is not finite.
XLAC_API Tensor get_total_norm(const std::vector<Tensor> &tensors,
                               double norm_type = 2,
                               bool error_if_nonfinite = false);
/// Scales gradients, whose common norm is `total_norm`, so that it is at most
/// `max_norm`.
XLAC_API void clip_grads_with_norm_(const std::vector<Tensor> &parameters,
                                    double max_norm, const Tensor &total_norm);
/// Scales gradients so that their common norm is at most `max_norm`; gives the
/// norm before, on the device. With error_if_nonfinite, which waits for the
/// norm, RuntimeError when it is not finite.
XLAC_API Tensor clip_grad_norm_(const std::vector<Tensor> &parameters,
                                double max_norm, double norm_type = 2,
                                bool error_if_nonfinite = false);
/// Gradients are clamped to ±clip_value.
XLAC_API void clip_grad_value_(const std::vector<Tensor> &parameters,
                               double clip_value);
/// All elements in one row.
XLAC_API Tensor parameters_to_vector(const std::vector<Tensor> &parameters);
/// Writes consecutive parts of `vector` to the parameters.
XLAC_API void vector_to_parameters(const Tensor &vector,
                                   const std::vector<Tensor> &parameters);
namespace rnn {
/// Sequences of several lengths without padding: the rows of time 0 of all,
/// longest sequence first, then those of time 1, …
struct PackedSequence {
  Tensor data;
  Tensor batch_sizes; ///< sequences that last to each time; int64, on the cpu
  /// Undefined when sorted already; int64, on the cpu.
  Tensor sorted_indices, unsorted_indices;
};
/// `input` is [T, N, …], or [N, T, …] if batch_first. With enforce_sorted,
/// ValueError unless lengths decrease.
XLAC_API PackedSequence pack_padded_sequence(const Tensor &input,
                                             const Tensor &lengths,
                                             bool batch_first = false,
                                             bool enforce_sorted = true);
/// The padded sequences and their lengths; `total_length` times if given.
XLAC_API std::tuple<Tensor, Tensor>
pad_packed_sequence(const PackedSequence &sequence, bool batch_first = false,
                    double padding_value = 0,
                    std::optional<int64_t> total_length = {});
} // namespace rnn
} // namespace utils

} // namespace xlac::nn
