#include "replaced_buffers.h"

#include <cstring>

namespace xlac::runtime {

void ReplacedBuffers::keep(const std::vector<BufferRef> &arguments,
                           const std::vector<BufferRef> &results,
                           const std::vector<AliasPair> &replaces,
                           bool unwritten) {
  std::erase_if(entries_,
                [](const Entry &entry) { return entry.result.is_sole(); });
  for (AliasPair pair : replaces) {
    if (pair.argument >= arguments.size() || pair.result >= results.size() ||
        !arguments[pair.argument])
      continue;
    BufferRef before = arguments[pair.argument];
    const BufferRef &result = results[pair.result];
    bool has_moved = before->wait() && !before->data() && result->data();
    if (has_moved && !unwritten)
      continue;
    if (has_moved)
      before = {};
    // After several failed programs, use the value that the first was to
    // replace.
    for (const Entry &entry : entries_)
      if (before && entry.before && entry.result == before)
        before = entry.before;
    entries_.push_back({result, std::move(before)});
  }
}

void ReplacedBuffers::restore() {
  for (Entry &entry : entries_) {
    if (entry.before) {
      Buffer &result = *entry.result;
      // Fails if an earlier program could not be restored either.
      if (!entry.before->wait())
        continue;
      if (!result.data() && !result.materialize())
        continue;
      if (result.bytes() > 0)
        std::memcpy(result.data(), entry.before->data(), result.bytes());
    }
    entry.result->set_ready();
  }
  entries_.clear();
}

} // namespace xlac::runtime
