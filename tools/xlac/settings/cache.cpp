// xlac cache: inspects and manages the disk cache.
#include "commands.h"
#include "json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <optional>

namespace xlac::cli {
namespace {

struct CacheOptions : SharedOptions {
  std::string action;
  std::optional<int64_t> megabytes;
};

int print_stats(const std::filesystem::path &directory,
                const cache::StoreStats &stats, bool as_json) {
  if (as_json) {
    Json json;
    json.add("directory", directory.string());
    json.add("entries", static_cast<int64_t>(stats.entries));
    json.add("bytes", static_cast<int64_t>(stats.bytes));
    json.add("temporary_bytes", static_cast<int64_t>(stats.temporary_bytes));
    json.add("limit_bytes", static_cast<int64_t>(stats.limit));
    std::puts(json.text().c_str());
    return 0;
  }
  std::printf("%s: %lld entries, %.1f MiB of at most %.0f MiB\n",
              directory.c_str(), static_cast<long long>(stats.entries),
              static_cast<double>(stats.bytes) / (1 << 20),
              static_cast<double>(stats.limit) / (1 << 20));
  return 0;
}

int stats(cache::Store &store, bool as_json) {
  return print_stats(store.directory(), store.stats(), as_json);
}

/// What the commands that only look print of a folder that does not exist.
int look_at_nothing(const CacheOptions &options,
                    const std::filesystem::path &directory) {
  cache::StoreStats none;
  none.limit = cache::kDefaultLimit;
  if (options.action == "stats")
    return print_stats(directory, none, options.json);
  if (options.action == "verify")
    std::puts("0 entries are sound, 0 damaged");
  return 0;
}

int list(cache::Store &store) {
  for (const auto &entry : store.list())
    std::printf("%-10s %10lld  %s\n", cache::to_string(entry.kind),
                static_cast<long long>(entry.bytes), entry.key.c_str());
  return 0;
}

int verify(cache::Store &store) {
  auto result = store.verify();
  for (const std::string &name : result.damaged)
    std::printf("damaged: %s\n", name.c_str());
  std::printf("%lld entries are sound, %lld damaged\n",
              static_cast<long long>(result.sound),
              static_cast<long long>(result.damaged.size()));
  return result.damaged.empty() ? 0 : 1;
}

int manage(const CacheOptions &options) {
  auto directory = options.cache_directory.empty()
                       ? cache::default_directory()
                       : std::filesystem::path(options.cache_directory);
  bool prunes = options.action == "prune", clears = options.action == "clear";
  if (prunes && !options.megabytes) {
    std::fprintf(stderr, "xlac cache prune: --megabytes is needed; 'clear' "
                         "removes all entries\n");
    return 2;
  }
  // Commands that only look create nothing.
  std::error_code error;
  if (!prunes && !clears && !std::filesystem::exists(directory, error))
    return look_at_nothing(options, directory);
  auto store = prunes || clears ? cache::Store::open(directory)
                                : cache::Store::open_readonly(directory);
  if (!store)
    return report(store.error());
  if (options.action == "stats")
    return stats(**store, options.json);
  if (options.action == "list")
    return list(**store);
  if (options.action == "verify")
    return verify(**store);
  auto done =
      clears ? (*store)->clear() : (*store)->prune(*options.megabytes << 20);
  if (!done)
    return report(done.error());
  return stats(**store, options.json);
}

} // namespace

Command add_cache_command(CLI::App &app) {
  auto options = std::make_shared<CacheOptions>();
  app.add_option("action", options->action,
                 "stats, list, verify, prune or clear")
      ->required()
      ->check(CLI::IsMember({"stats", "list", "verify", "prune", "clear"}));
  app.add_option("--cache-dir", options->cache_directory, "Cache directory");
  app.add_option("--megabytes", options->megabytes,
                 "prune: keep at most so many MiB")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 40));
  app.add_flag("--json", options->json, "Report stats as one JSON object");
  return [options] { return manage(*options); };
}

} // namespace xlac::cli
