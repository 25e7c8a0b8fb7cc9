#include "ObjectModule.h"

// Not #embed: ccache would not notice that the file has changed.
__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        "xlac_object_functions_begin:\n"
        ".incbin \"" XLAC_OBJECT_FUNCTIONS "\"\n"
        "xlac_object_functions_end:\n"
        ".byte 0\n"
        ".popsection\n");

extern "C" {
[[gnu::visibility("hidden")]] extern const char xlac_object_functions_begin[];
[[gnu::visibility("hidden")]] extern const char xlac_object_functions_end[];
}

namespace xlac::objects {

llvm::StringRef objectFunctions() {
  return {xlac_object_functions_begin,
          size_t(xlac_object_functions_end - xlac_object_functions_begin)};
}

} // namespace xlac::objects
