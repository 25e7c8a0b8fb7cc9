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

void print(const Json &json) { std::puts(json.text().c_str()); }

int print_stats(const std::filesystem::path &directory,
                const cache::StoreStats &stats, bool as_json) {
  if (as_json) {
    Json json;
    json.add("directory", directory.string());
    json.add("entries", stats.entries);
    json.add("bytes", stats.bytes);
    json.add("temporary_bytes", stats.temporary_bytes);
    json.add("limit_bytes", stats.limit.bytes);
    json.add("limit_origin", cache::to_string(stats.limit.origin));
    print(json);
    return 0;
  }
  std::printf("%s: %lld entries, %.1f MiB of at most %.0f MiB\n",
              directory.c_str(), static_cast<long long>(stats.entries),
              static_cast<double>(stats.bytes) / (1 << 20),
              static_cast<double>(stats.limit.bytes) / (1 << 20));
  return 0;
}

int print_limit(const std::filesystem::path &directory,
                const cache::StoreStats &stats, bool as_json) {
  if (as_json)
    return print_stats(directory, stats, true);
  std::printf("%s: %.0f MiB (%s)\n", directory.c_str(),
              static_cast<double>(stats.limit.bytes) / (1 << 20),
              std::string(cache::to_string(stats.limit.origin)).c_str());
  return 0;
}

int print_list(const std::vector<cache::EntryInfo> &entries, bool as_json) {
  Json list = Json::list();
  for (const auto &entry : entries) {
    if (!as_json) {
      std::printf("%-10s %10lld  %s\n", cache::to_string(entry.kind),
                  static_cast<long long>(entry.bytes), entry.key.c_str());
      continue;
    }
    Json json;
    json.add("kind", cache::to_string(entry.kind));
    json.add("key", entry.key);
    json.add("bytes", entry.bytes);
    json.add("last_used_ns", entry.last_used);
    list.push(std::move(json));
  }
  Json json;
  json.add("entries", std::move(list));
  if (as_json)
    print(json);
  return 0;
}

int print_verified(const cache::VerifyResult &result, bool as_json) {
  int code = result.damaged.empty() ? 0 : 1;
  if (as_json) {
    Json json, damaged = Json::list();
    for (const std::string &name : result.damaged)
      damaged.push(name);
    json.add("sound", result.sound);
    json.add("damaged", std::move(damaged));
    print(json);
    return code;
  }
  for (const std::string &name : result.damaged)
    std::printf("damaged: %s\n", name.c_str());
  std::printf("%lld entries are sound, %lld damaged\n",
              static_cast<long long>(result.sound),
              static_cast<long long>(result.damaged.size()));
  return code;
}

/// The commands that only look. `store` is null if the directory does not
/// exist.
int look(const CacheOptions &options, const std::filesystem::path &directory,
         cache::Store *store) {
  if (options.action == "list")
    return print_list(store ? store->list() : std::vector<cache::EntryInfo>(),
                      options.json);
  if (options.action == "verify")
    return print_verified(store ? store->verify() : cache::VerifyResult(),
                          options.json);
  cache::StoreStats stats;
  stats.limit = cache::find_limit(-1);
  if (store)
    stats = store->stats();
  return options.action == "limit"
             ? print_limit(directory, stats, options.json)
             : print_stats(directory, stats, options.json);
}

Status change(const CacheOptions &options, cache::Store &store) {
  if (options.action == "clear")
    return store.clear();
  int64_t bytes = *options.megabytes << 20;
  return options.action == "limit" ? store.set_limit(bytes)
                                   : store.prune(bytes);
}

int manage(const CacheOptions &options) {
  auto directory = options.cache_directory.empty()
                       ? cache::default_directory()
                       : std::filesystem::path(options.cache_directory);
  bool prunes = options.action == "prune";
  if (prunes && !options.megabytes) {
    std::fprintf(stderr, "xlac cache prune: --megabytes is needed; 'clear' "
                         "removes all entries\n");
    return 2;
  }
  bool changes = prunes || options.action == "clear" ||
                 (options.action == "limit" && options.megabytes);
  if (options.megabytes && !changes) {
    std::fprintf(stderr, "xlac cache %s: takes no --megabytes\n",
                 options.action.c_str());
    return 2;
  }
  // Commands that only look create nothing.
  std::error_code error;
  if (!changes && !std::filesystem::exists(directory, error))
    return look(options, directory, nullptr);
  auto store = changes ? cache::Store::open(directory)
                       : cache::Store::open_readonly(directory);
  if (!store)
    return report(store.error());
  if (!changes)
    return look(options, directory, store->get());
  if (auto done = change(options, **store); !done)
    return report(done.error());
  // Opened again: the limit may have changed.
  store = cache::Store::open_readonly(directory);
  if (!store)
    return report(store.error());
  return print_stats(directory, (*store)->stats(), options.json);
}

} // namespace

Command add_cache_command(CLI::App &app) {
  auto options = std::make_shared<CacheOptions>();
  app.add_option("action", options->action,
                 "stats, list, verify, limit, prune or clear")
      ->required()
      ->check(CLI::IsMember(
          {"stats", "list", "verify", "limit", "prune", "clear"}));
  app.add_option("--cache-dir", options->cache_directory, "Cache directory");
  app.add_option(
         "--megabytes", options->megabytes,
         "prune: keep at most so many MiB; limit: never keep more, which "
         "without this option prints the limit")
      ->check(CLI::Range(int64_t(0), int64_t(1) << 42));
  app.add_flag("--json", options->json, "Report as one JSON object");
  return [options] { return manage(*options); };
}

} // namespace xlac::cli
