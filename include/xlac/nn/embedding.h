// Embeddings: tables of vectors, looked up by index. Options have PyTorch's
// order of arguments and its defaults.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

/// Options of Embedding.
struct EmbeddingOptions {
  static constexpr size_t required = 2;
  int64_t num_embeddings, embedding_dim; ///< rows and columns of the table
  /// negative values count from the end
  std::optional<int64_t> padding_idx = {};
  /// Rows with a larger norm are scaled down to it.
  std::optional<double> max_norm = {};
  double norm_type = 2; ///< exponent p of the norm
  /// Divides gradients by the index's count in the batch.
  bool scale_grad_by_freq = false;
  bool sparse = false; ///< must be false: gradients are dense
};
/// Looks up rows of `weight`, which is initialized with standard normal
/// numbers. Row padding_idx starts as zeros and gets no gradient. With
/// max_norm, forward first scales the rows that it reads down to that norm, in
/// place. Throws ValueError for a padding_idx out of range and UnsupportedError
/// for sparse.
struct XLAC_API EmbeddingImpl : Module {
  using Options = EmbeddingOptions;
  explicit EmbeddingImpl(Options given);
  /// Takes indices of any shape; the result has one more dimension.
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight; ///< [num_embeddings, embedding_dim]

protected:
  std::string extra_repr() const override;
};
/// The handle of an EmbeddingImpl.
class XLAC_API Embedding : public ModuleHolder<Embedding, EmbeddingImpl> {
public:
  using ModuleHolder::ModuleHolder;
  /// Makes an Embedding of a copy of `embeddings` [rows, width]. With `freeze`
  /// the weight gets no gradient. The first two `options` are taken from the
  /// sizes of `embeddings`.
  static Embedding from_pretrained(const Tensor &embeddings, bool freeze = true,
                                   EmbeddingOptions options = {0, 0});
};

/// Options of EmbeddingBag.
struct EmbeddingBagOptions {
  static constexpr size_t required = 2;
  int64_t num_embeddings, embedding_dim; ///< rows and columns of the table
  /// Rows with a larger norm are scaled down to it.
  std::optional<double> max_norm = {};
  double norm_type = 2; ///< exponent p of the norm
  /// Divides gradients by the index's count in the batch.
  bool scale_grad_by_freq = false;
  std::string mode = "mean"; ///< "sum", "mean" or "max"
  bool sparse = false;       ///< must be false: gradients are dense
  /// the last offset is the end of the last bag
  bool include_last_offset = false;
  /// Index that adds nothing to bags and has no gradient.
  std::optional<int64_t> padding_idx = {};
};
/// Sums, means or maxima of rows of `weight`, one per bag of indices.
/// Initialization and errors are those of Embedding. Throws ValueError for an
/// unknown mode.
struct XLAC_API EmbeddingBagImpl : Module {
  using Options = EmbeddingBagOptions;
  explicit EmbeddingBagImpl(Options given);
  /// Each row of a two-dimensional `input` is a bag. For a one-dimensional
  /// `input`, `offsets` are the starts of the bags. per_sample_weights require
  /// the mode "sum".
  Tensor forward(const Tensor &input, const Tensor &offsets = {},
                 const Tensor &per_sample_weights = {});
  Options options;
  Tensor weight; ///< [num_embeddings, embedding_dim]

protected:
  std::string extra_repr() const override;
};
/// The handle of an EmbeddingBagImpl.
class XLAC_API EmbeddingBag
    : public ModuleHolder<EmbeddingBag, EmbeddingBagImpl> {
public:
  using ModuleHolder::ModuleHolder;
  /// As Embedding::from_pretrained.
  static EmbeddingBag from_pretrained(const Tensor &embeddings,
                                      bool freeze = true,
                                      EmbeddingBagOptions options = {0, 0});
};

} // namespace xlac::nn
