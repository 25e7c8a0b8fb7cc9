#include "program_identity.h"

#include "xlac/support/fast_hash.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace xlac::job {

static uint64_t number_of(const FastHasher &hasher) {
  return std::max<uint64_t>(hasher.finish().low, 1);
}

static uint64_t hash_of_executable() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  if (!file)
    return 0;
  FastHasher hasher;
  std::vector<char> bytes(1 << 20);
  while (file.read(bytes.data(), std::ssize(bytes)) || file.gcount() > 0)
    hasher.update(std::string_view(bytes.data(), file.gcount()));
  return number_of(hasher);
}

ProgramIdentity own_identity() {
  static const uint64_t executable = hash_of_executable();
  auto hash_of = [](std::initializer_list<SettingId> settings) {
    FastHasher hasher;
    for (SettingId id : settings)
      hasher.update(std::string_view(text_setting(id).value_or("")));
    return number_of(hasher);
  };
  return {executable, hash_of({SettingId::JobCollectives, SettingId::JobLinks}),
          hash_of({SettingId::Cache, SettingId::CacheDir,
                   SettingId::PersistentCachePath})};
}

Status compare_identities(const ProgramIdentity &own, int reference,
                          const ProgramIdentity &theirs, int number,
                          bool is_same_host) {
  auto differ = [](uint64_t a, uint64_t b) {
    return a != 0 && b != 0 && a != b;
  };
  std::string both = "process " + std::to_string(number) + " and process " +
                     std::to_string(reference);
  if (differ(own.executable, theirs.executable))
    return failure(FailureKind::Collective,
                   both + " run different executables; all processes of a job "
                          "must run the same file");
  if (differ(own.collectives, theirs.collectives))
    return failure(FailureKind::Collective,
                   both + " have different XLAC_COLLECTIVES or XLAC_LINKS; set "
                          "the same for all processes");
  if (is_same_host && differ(own.cache, theirs.cache))
    return failure(FailureKind::Collective,
                   both + " are on one host, but have different XLAC_CACHE_DIR "
                          "or XLAC_CACHE; set the same for all processes, so "
                          "that each program is compiled once");
  return {};
}

} // namespace xlac::job
