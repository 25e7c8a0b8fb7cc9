#include "xlac/nn/embedding.h"

#include "initial_values.h"
#include "repr.h"

#include "xlac/nn_functional.h"
#include "xlac/support/raise.h"

#include <fmt/format.h>

namespace xlac::nn {

/// Converts padding_idx to count from the front. Throws for invalid or
/// unsupported options.
template <class Options>
static Options checked(const std::string &name, Options options) {
  if (options.sparse)
    raise<UnsupportedError>(name + ": there are no sparse gradients, leave "
                                   "sparse = false");
  int64_t rows = options.num_embeddings;
  if (std::optional<int64_t> &padding = options.padding_idx) {
    if (*padding < -rows || *padding >= rows)
      raise<ValueError>(name + ": Padding_idx must be within num_embeddings");
    *padding += *padding < 0 ? rows : 0;
  }
  return options;
}

/// Makes a standard normal table with zeros in the padding row.
template <class Options> static Tensor table(const Options &options) {
  Tensor weight =
      init::normal_(empty({options.num_embeddings, options.embedding_dim}));
  if (options.padding_idx)
    weight.select(0, *options.padding_idx).zero_();
  return weight;
}

/// Makes a module whose table is a copy of `embeddings`.
template <class Holder, class Options>
static Holder with_table(const Tensor &embeddings, bool freeze,
                         Options options) {
  if (embeddings.dim() != 2)
    raise<ShapeError>("from_pretrained: Embeddings parameter is expected to be "
                      "2-dimensional");
  options.num_embeddings = embeddings.size(0);
  options.embedding_dim = embeddings.size(1);
  Holder made(options);
  made.to(embeddings.options());
  NoGradGuard guard;
  made->weight.copy_(embeddings);
  made->weight.requires_grad_(!freeze);
  return made;
}

/// Formats the options that both modules print after their sizes.
template <class Options>
static std::string norms_shown(const Options &options) {
  std::string text;
  if (options.max_norm)
    text += ", max_norm=" + repr_of(*options.max_norm);
  if (options.norm_type != 2)
    text += ", norm_type=" + repr_of(options.norm_type);
  if (options.scale_grad_by_freq)
    text += ", scale_grad_by_freq=True";
  return text;
}

EmbeddingImpl::EmbeddingImpl(Options given)
    : options(checked("Embedding", given)) {
  weight = register_parameter("weight", table(options));
}

Tensor EmbeddingImpl::forward(const Tensor &input) {
  return functional::embedding(input, weight, options.padding_idx,
                               options.max_norm, options.norm_type,
                               options.scale_grad_by_freq);
}

std::string EmbeddingImpl::extra_repr() const {
  std::string text =
      fmt::format("{}, {}", options.num_embeddings, options.embedding_dim);
  if (options.padding_idx)
    text += fmt::format(", padding_idx={}", *options.padding_idx);
  return text + norms_shown(options);
}

Embedding Embedding::from_pretrained(const Tensor &embeddings, bool freeze,
                                     EmbeddingOptions options) {
  return with_table<Embedding>(embeddings, freeze, options);
}

EmbeddingBagImpl::EmbeddingBagImpl(Options given)
    : options(checked("EmbeddingBag", std::move(given))) {
  if (options.mode != "sum" && options.mode != "mean" && options.mode != "max")
    raise<ValueError>("EmbeddingBag: mode has to be one of sum, mean or max");
  weight = register_parameter("weight", table(options));
}

Tensor EmbeddingBagImpl::forward(const Tensor &input, const Tensor &offsets,
                                 const Tensor &per_sample_weights) {
  return functional::embedding_bag(
      input, weight, offsets, options.max_norm, options.norm_type,
      options.scale_grad_by_freq, options.mode, options.sparse,
      per_sample_weights, options.include_last_offset, options.padding_idx);
}

std::string EmbeddingBagImpl::extra_repr() const {
  std::string text =
      fmt::format("{}, {}{}, mode='{}'", options.num_embeddings,
                  options.embedding_dim, norms_shown(options), options.mode);
  if (options.padding_idx)
    text += fmt::format(", padding_idx={}", *options.padding_idx);
  return text;
}

EmbeddingBag EmbeddingBag::from_pretrained(const Tensor &embeddings,
                                           bool freeze,
                                           EmbeddingBagOptions options) {
  return with_table<EmbeddingBag>(embeddings, freeze, std::move(options));
}

} // namespace xlac::nn
