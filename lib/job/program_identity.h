// What all processes of a job have in common: the executable, the settings of
// collectives and, on one host, the folder of compiled programs. A job of
// others would fail later, at the first collective that differs.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>

namespace xlac::job {

/// Numbers that two processes compare; 0 is unknown and equals all.
struct ProgramIdentity {
  uint64_t executable = 0;  ///< hash of the file
  uint64_t collectives = 0; ///< hash of the settings of collectives
  uint64_t cache = 0;       ///< hash of the settings of the disk cache
};

/// The identity of this process. The file is read once.
ProgramIdentity own_identity();

/// Collective failure if process `number`, whose identity is `theirs`, differs
/// from process `reference`, whose identity is `own`.
Status compare_identities(const ProgramIdentity &own, int reference,
                          const ProgramIdentity &theirs, int number,
                          bool is_same_host);

} // namespace xlac::job
