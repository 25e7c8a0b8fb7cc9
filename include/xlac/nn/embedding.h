// Tables of vectors, looked up by index. Options are in PyTorch's argument
// order, with its defaults.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

struct EmbeddingOptions {
  static constexpr size_t required = 2;
  int64_t num_embeddings, embedding_dim;
  std::optional<int64_t> padding_idx = {}; ///< may count from the end
  std::optional<double> max_norm = {};
  double norm_type = 2;
  bool scale_grad_by_freq = false;
  bool sparse = false;
};
/// Rows of `weight`, standard normal at first. Row padding_idx starts as zeros
/// and gets no gradient. With max_norm, forward scales the rows that it reads
/// down to that norm, in place. ValueError for a padding_idx that is no row,
/// UnsupportedError for sparse.
struct XLAC_API EmbeddingImpl : Module {
  using Options = EmbeddingOptions;
  explicit EmbeddingImpl(Options given);
  /// Indices of any shape; the result has one dimension more.
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight; ///< [num_embeddings, embedding_dim]

protected:
  std::string extra_repr() const override;
};
/// The handle of EmbeddingImpl.
class XLAC_API Embedding : public ModuleHolder<Embedding, EmbeddingImpl> {
public:
  using ModuleHolder::ModuleHolder;
  /// Of a copy of `embeddings` [rows, width], which stays as it is if `freeze`.
  /// The first two of `options` are taken from it.
  static Embedding from_pretrained(const Tensor &embeddings, bool freeze = true,
                                   EmbeddingOptions options = {0, 0});
};

struct EmbeddingBagOptions {
  static constexpr size_t required = 2;
  int64_t num_embeddings, embedding_dim;
  std::optional<double> max_norm = {};
  double norm_type = 2;
  bool scale_grad_by_freq = false;
  std::string mode = "mean"; ///< or "sum" or "max"
  bool sparse = false;
  bool include_last_offset = false; ///< the last offset ends the last bag
  std::optional<int64_t> padding_idx = {};
};
/// Sums, means or greatest of rows of `weight`, one for each bag of indices.
/// Starts and fails as Embedding; ValueError for another mode.
struct XLAC_API EmbeddingBagImpl : Module {
  using Options = EmbeddingBagOptions;
  explicit EmbeddingBagImpl(Options given);
  /// Bags are the rows of `input`, or begin at `offsets` if it has one
  /// dimension. Weights need the mode "sum".
  Tensor forward(const Tensor &input, const Tensor &offsets = {},
                 const Tensor &per_sample_weights = {});
  Options options;
  Tensor weight; ///< [num_embeddings, embedding_dim]

protected:
  std::string extra_repr() const override;
};
/// The handle of EmbeddingBagImpl.
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
