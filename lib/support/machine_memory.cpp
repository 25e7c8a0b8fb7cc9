#include "xlac/support/machine_memory.h"

#include <unistd.h>

namespace xlac {

int64_t memory_of_machine() {
  return static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) *
         ::sysconf(_SC_PAGESIZE);
}

} // namespace xlac
