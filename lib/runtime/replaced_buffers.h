// Keeps the arguments that results of failed programs should have replaced, so
// that they can serve as those results.
#pragma once

#include "xlac/runtime/buffer.h"
#include "xlac/support/tensor_type.h"

#include <vector>

namespace xlac::runtime {

class ReplacedBuffers {
public:
  /// Called after a failed run; `replaces` pairs results with the arguments
  /// that they replace. A result that took the memory of its argument is
  /// restored only if it is `unwritten`. Entries whose results have no other
  /// owner are dropped.
  void keep(const std::vector<BufferRef> &arguments,
            const std::vector<BufferRef> &results,
            const std::vector<AliasPair> &replaces, bool unwritten);

  /// Makes the results ready, with the contents of the values they replace.
  /// Results stay failed if there is not enough memory.
  void restore();

private:
  struct Entry {
    BufferRef result;
    BufferRef before; ///< null: use the memory of the result itself
  };
  std::vector<Entry> entries_;
};

} // namespace xlac::runtime
