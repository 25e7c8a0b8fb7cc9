// Scaled dot-product attention on graph values.
#pragma once

#include "xlac/tensor/formulas.h"

namespace xlac::frontend {

/// Returns the causal mask [L, S] that is added to scores of L queries and S
/// keys.
Value causal_mask(int64_t queries, int64_t keys, const Setting &setting);

/// softmax(query keyᵀ scale + mask) over equal leading sizes; `mask` may be
/// empty. A fully masked row is 0, as in PyTorch.
Value attention_weights(const Value &query, const Value &key,
                        const Value &scale, const Value &mask);

/// These weights times `value`, as one composite. The compiler may implement
/// the composite better than its decomposition.
Value attended(const Value &query, const Value &key, const Value &value,
               const Value &scale, const Value &mask);

} // namespace xlac::frontend
