// custom_call.h: its only function that is not a template.
#include "xlac/tensor/access.h"

#include "xlac/custom_call.h"
#include "xlac/library/custom_calls.h"

namespace xlac {

void register_custom_call(const std::string &target,
                          CustomCallFunction function) {
  XLAC_CALL("register_custom_call");
  Status added = library::add_custom_call(target, std::move(function));
  if (!added)
    raise<ValueError>(added.error().message);
}

} // namespace xlac
