#include "perf_map.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace xlac {

bool perf_map_wanted() {
  static const bool wanted = [] {
    const char *value = std::getenv("XLAC_PERF_MAP");
    return value && std::strcmp(value, "1") == 0;
  }();
  return wanted;
}

void write_perf_map(const Blob &blob, const void *address) {
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  // /tmp is shared: never follow a link that somebody laid there.
  int file = open(path.c_str(),
                  O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  std::string lines;
  char range[64];
  for (const BlobSymbol &symbol : blob.symbols) {
    std::snprintf(range, sizeof range, "%" PRIx64 " %" PRIx64 " ",
                  reinterpret_cast<uint64_t>(address) + symbol.offset,
                  symbol.size);
    lines += range;
    lines += symbol.name;
    lines += '\n';
  }
  [[maybe_unused]] ssize_t written = write(file, lines.data(), lines.size());
  close(file);
}

} // namespace xlac
