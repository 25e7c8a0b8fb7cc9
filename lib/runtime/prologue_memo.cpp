#include "prologue_memo.h"

#include <algorithm>

namespace xlac::runtime {

/// Maximum number of entries; beyond it the least recently used is removed.
static constexpr int64_t kMaximumEntries = 64;

std::vector<PrologueMemo::Source>
PrologueMemo::sources_of(const Executable &executable,
                         const std::vector<BufferRef> &buffers) {
  std::vector<Source> sources;
  for (uint32_t argument : executable.image().prologue.arguments)
    sources.push_back({buffers[argument]->id(), buffers[argument]->version()});
  return sources;
}

std::list<PrologueMemo::Entry>::iterator
PrologueMemo::drop(std::list<Entry>::iterator entry) {
  bytes_ -= entry->bytes;
  return entries_.erase(entry);
}

const std::vector<BufferRef> *
PrologueMemo::find(const Executable &executable,
                   const std::vector<BufferRef> &arguments) {
  std::vector<Source> sources = sources_of(executable, arguments);
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    if (it->executable_id != executable.id() || it->sources != sources)
      continue;
    entries_.splice(entries_.begin(), entries_, it);
    return &entries_.front().values;
  }
  return nullptr;
}

void PrologueMemo::insert(const std::shared_ptr<const Executable> &executable,
                          const std::vector<BufferRef> &arguments,
                          std::vector<BufferRef> values,
                          const std::shared_ptr<Allocator> &allocator,
                          int64_t limit) {
  purge({});
  int64_t bytes = 0;
  for (const BufferRef &value : values)
    bytes += value->bytes();
  for (uint32_t argument : executable->image().prologue.arguments)
    arguments[argument]->watch(allocator);
  entries_.push_front({executable->id(), executable,
                       sources_of(*executable, arguments), std::move(values),
                       bytes});
  bytes_ += bytes;
  while (entries() > kMaximumEntries || (entries() > 1 && bytes_ > limit))
    drop(std::prev(entries_.end()));
}

void PrologueMemo::purge(const std::vector<uint64_t> &dead) {
  for (auto it = entries_.begin(); it != entries_.end();) {
    bool gone = it->executable.expired() ||
                std::any_of(it->sources.begin(), it->sources.end(),
                            [&](const Source &source) {
                              return std::find(dead.begin(), dead.end(),
                                               source.buffer) != dead.end();
                            });
    it = gone ? drop(it) : std::next(it);
  }
}

void PrologueMemo::clear() {
  entries_.clear();
  bytes_ = 0;
}

} // namespace xlac::runtime
