/* The header must be C, and lay itself out as C++ sees it. */
#include "xlac/abi/abi.h"

#include <stddef.h>

size_t xlac_test_services_size(void) { return sizeof(xlac_services); }
size_t xlac_test_fail_offset(void) { return offsetof(xlac_services, fail); }
size_t xlac_test_collective_offset(void) {
  return offsetof(xlac_services, collective);
}
size_t xlac_test_ctx_size(void) { return sizeof(xlac_ctx); }
