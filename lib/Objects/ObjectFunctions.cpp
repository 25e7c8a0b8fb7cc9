#include "ObjectModule.h"

namespace xlac::objects {

llvm::StringRef objectFunctions() {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
  alignas(4) static constexpr unsigned char bytes[] = {
#embed "object_functions.bc"
  };
#pragma clang diagnostic pop
  return {reinterpret_cast<const char *>(bytes), sizeof bytes};
}

} // namespace xlac::objects
