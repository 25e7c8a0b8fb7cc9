#include "xlac/loader/source_names.h"

#include "stored_compiler.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/support/byte_stream.h"
#include "xlac/support/hash.h"

#include <optional>

namespace xlac {

static std::vector<std::byte> write_names(const SourceNames &names) {
  ByteWriter out;
  for (const auto *list : {&names.arguments, &names.results, &names.entries}) {
    out.u64(list->size());
    for (const std::string &name : *list)
      out.text(name);
  }
  return out.take();
}

static std::optional<SourceNames> read_names(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  SourceNames names;
  for (auto *list : {&names.arguments, &names.results, &names.entries}) {
    list->resize(in.count(8));
    for (std::string &name : *list)
      in.text(name);
  }
  if (!in.finished())
    return std::nullopt;
  return names;
}

Result<SourceNames> names_of_source(const Source &source, cache::Store *store) {
  std::string key;
  if (auto id = compiler_id_for(store); id && store) {
    Hasher hasher;
    hasher.update("names");
    hasher.update(source.bytes);
    hasher.update(source.entry);
    hasher.update(*id);
    key = to_hex(hasher.finish());
    if (auto entry = store->get(cache::Kind::Alias, key))
      if (auto names = read_names(*entry))
        return std::move(*names);
  }
  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  auto described = (*compiler)->describe(source);
  if (!described)
    return described.error();
  SourceNames names{std::move(described->signature.argument_names),
                    std::move(described->signature.result_names),
                    std::move(described->entries)};
  if (!key.empty())
    (void)store->put(cache::Kind::Alias, key, write_names(names), 0,
                     /*sync=*/false);
  return names;
}

} // namespace xlac
