// The scaled product on graph values, for the functions that end in it.
#pragma once

#include "xlac/tensor/formulas.h"

namespace xlac::frontend {

/// What a causal mask adds to scores of L queries and S keys [L, S].
Value causal_mask(int64_t queries, int64_t keys, const Setting &setting);

/// softmax(query keyᵀ scale + mask) over equal leading sizes; `mask` may be
/// empty. A row that the mask forbids altogether is 0, as in PyTorch.
Value attention_weights(const Value &query, const Value &key,
                        const Value &scale, const Value &mask);

/// Such weights times `value`: one composite, which the compiler may know
/// better than its parts.
Value attended(const Value &query, const Value &key, const Value &value,
               const Value &scale, const Value &mask);

} // namespace xlac::frontend
