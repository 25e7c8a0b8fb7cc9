// What failed programs were to replace: their arguments are kept, and can take
// the place of the results that were not made.
#pragma once

#include "xlac/runtime/buffer.h"
#include "xlac/support/tensor_type.h"

#include <vector>

namespace xlac::runtime {

class ReplacedBuffers {
public:
  /// Of a failed run: `replaces` pairs results with the arguments that they
  /// replace. A result that has taken over the memory of its argument is
  /// restored only if that is `unwritten`. Entries whose results no other owner
  /// holds are dropped.
  void keep(const std::vector<BufferRef> &arguments,
            const std::vector<BufferRef> &results,
            const std::vector<AliasPair> &replaces, bool unwritten);

  /// The results become ready, with the contents of what they replace. Those
  /// that memory is short for stay failed.
  void restore();

private:
  struct Entry {
    BufferRef result;
    BufferRef before; ///< null: the memory of the result itself
  };
  std::vector<Entry> entries_;
};

} // namespace xlac::runtime
