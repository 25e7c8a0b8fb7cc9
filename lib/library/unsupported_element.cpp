#include "xlac/library/routine_list.h"

#include <string>

namespace xlac::library {

Failure unsupported_element(const char *routine, int64_t element) {
  std::string name =
      element >= 0 && element < kElementTypeCount
          ? std::string(element_type_name(static_cast<ElementType>(element)))
          : std::to_string(element);
  return failure(FailureKind::Unsupported,
                 std::string(routine) + ": unsupported element type " + name);
}

} // namespace xlac::library
