// Scaled dot-product attention on graph values.
#pragma once

#include "xlac/tensor/formulas.h"

namespace xlac::frontend {

/// Returns the boolean causal mask [L, S] of L queries and S keys: true where a
/// query may attend to a key.
Value causal_mask(int64_t queries, int64_t keys);

/// softmax(query keyᵀ scale + mask) over equal leading sizes; `mask` may be
/// empty. A boolean mask replaces the scores where it is false by -inf. A fully
/// masked row is 0, as in PyTorch.
Value attention_weights(const Value &query, const Value &key,
                        const Value &scale, const Value &mask);

/// These weights times `value`, as one composite. The compiler may implement
/// the composite better than its decomposition.
Value attended(const Value &query, const Value &key, const Value &value,
               const Value &scale, const Value &mask);

} // namespace xlac::frontend
