// Functions of all parameters together, and sequences of different lengths:
// PyTorch's torch.nn.utils.
#pragma once

#include "xlac/tensor.h"

#include <optional>
#include <tuple>
#include <vector>

namespace xlac::nn {

namespace utils {
/// Returns the norm over the elements of all tensors, on their device. With
/// error_if_nonfinite it waits for the norm and throws RuntimeError when it is
/// not finite.
XLAC_API Tensor get_total_norm(const std::vector<Tensor> &tensors,
                               double norm_type = 2,
                               bool error_if_nonfinite = false);
/// Scales the gradients, whose common norm is `total_norm`, so that their norm
/// is at most `max_norm`.
XLAC_API void clip_grads_with_norm_(const std::vector<Tensor> &parameters,
                                    double max_norm, const Tensor &total_norm);
/// Scales the gradients so that their common norm is at most `max_norm`.
/// Returns the norm before scaling, on the device. With error_if_nonfinite it
/// waits for the norm and throws RuntimeError when it is not finite.
XLAC_API Tensor clip_grad_norm_(const std::vector<Tensor> &parameters,
                                double max_norm, double norm_type = 2,
                                bool error_if_nonfinite = false);
/// Clamps gradients to ±clip_value.
XLAC_API void clip_grad_value_(const std::vector<Tensor> &parameters,
                               double clip_value);
/// Concatenates all elements to a vector.
XLAC_API Tensor parameters_to_vector(const std::vector<Tensor> &parameters);
/// Writes consecutive slices of `vector` to the parameters.
XLAC_API void vector_to_parameters(const Tensor &vector,
                                   const std::vector<Tensor> &parameters);
namespace rnn {
/// Sequences of different lengths without padding: the rows of all sequences at
/// time 0, longest sequence first, then those at time 1, and so on.
struct PackedSequence {
  /// The elements of all sequences, step by step.
  Tensor data;
  /// sequences that are active at each time; int64, on the cpu
  Tensor batch_sizes;
  /// Undefined if the sequences were sorted already; int64, on the cpu.
  Tensor sorted_indices, unsorted_indices;
};
/// `input` is [T, N, …], or [N, T, …] if batch_first. With enforce_sorted it
/// throws ValueError unless lengths decrease.
XLAC_API PackedSequence pack_padded_sequence(const Tensor &input,
                                             const Tensor &lengths,
                                             bool batch_first = false,
                                             bool enforce_sorted = true);
/// Returns the padded sequences and their lengths. The time dimension has size
/// `total_length` if given.
XLAC_API std::tuple<Tensor, Tensor>
pad_packed_sequence(const PackedSequence &sequence, bool batch_first = false,
                    double padding_value = 0,
                    std::optional<int64_t> total_length = {});
} // namespace rnn
} // namespace utils

} // namespace xlac::nn
