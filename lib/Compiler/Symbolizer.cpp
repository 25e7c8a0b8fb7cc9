#include "Symbolizer.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>
#include <link.h>

using namespace mlir;

namespace xlac::compiler {

/// Returns true for headers of xlac and of the standard library.
static bool isLibraryHeader(llvm::StringRef file) {
  return file.contains("include/xlac/") || file.contains("include/c++/") ||
         file.contains("/c++/v1/");
}

Symbolizer::SourceLocation Symbolizer::find(uintptr_t address) {
  Dl_info info;
  link_map *object = nullptr;
  // A return address is after the call. One byte before it is inside the call.
  uintptr_t inside = address - 1;
  if (address == 0 ||
      !dladdr1(reinterpret_cast<void *>(inside), &info,
               reinterpret_cast<void **>(&object), RTLD_DL_LINKMAP) ||
      !object)
    return {};
  llvm::StringRef path =
      object->l_name && *object->l_name ? object->l_name : "/proc/self/exe";
  std::lock_guard lock(mutex);
  llvm::Expected<llvm::DIInliningInfo> inlined =
      symbolizer.symbolizeInlinedCode(
          path, {inside - object->l_addr,
                 llvm::object::SectionedAddress::UndefSection});
  if (!inlined) {
    llvm::consumeError(inlined.takeError());
    return {};
  }
  for (uint32_t i = 0; i < inlined->getNumberOfFrames(); ++i) {
    const llvm::DILineInfo &frame = inlined->getFrame(i);
    if (frame.FileName != llvm::DILineInfo::BadString && frame.Line != 0 &&
        !isLibraryHeader(frame.FileName)) {
      // Compilers record paths as they were given, such as build/../main.cpp.
      llvm::SmallString<128> file(frame.FileName);
      llvm::sys::path::remove_dots(file, /*remove_dot_dot=*/true);
      return {std::string(file), frame.Line};
    }
  }
  return {};
}

std::string Symbolizer::describe(uintptr_t address) {
  SourceLocation place = find(address);
  return place.line ? place.file + ":" + std::to_string(place.line)
                    : std::string();
}

void Symbolizer::resolveLocations(ModuleOp module) {
  module.walk([&](Operation *op) {
    auto named = dyn_cast<NameLoc>(op->getLoc());
    if (!named)
      return;
    llvm::StringRef text = named.getName().getValue();
    uintptr_t address = 0;
    if (!text.consume_front("origin:") || text.getAsInteger(0, address))
      return;
    SourceLocation place = find(address);
    if (place.line)
      op->setLoc(
          FileLineColLoc::get(op->getContext(), place.file, place.line, 0));
    else
      op->setLoc(UnknownLoc::get(op->getContext()));
  });
}

} // namespace xlac::compiler
