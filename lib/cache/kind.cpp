#include "xlac/cache/kind.h"

namespace xlac::cache {

const char *to_string(Kind kind) {
  switch (kind) {
  case Kind::Executable:
    return "executable";
  case Kind::Kernel:
    return "kernel";
  case Kind::Alias:
    return "alias";
  case Kind::Templates:
    return "templates";
  }
  return "unknown";
}

} // namespace xlac::cache
