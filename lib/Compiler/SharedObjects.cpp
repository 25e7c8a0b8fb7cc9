#include "SharedObjects.h"

#include "SharedObjectsFile.h"

#include "llvm/ADT/Twine.h"

using llvm::ArrayRef;
using llvm::StringRef;

// The file that xlac-shared-objects writes when xlac is built. The assembler
// reads it, because compilers take seconds for a literal of this size.
asm(".pushsection .rodata\n"
    ".balign 16\n"
    ".hidden xlac_shared_objects\n"
    ".globl xlac_shared_objects\n"
    "xlac_shared_objects:\n"
    ".incbin \"" XLAC_SHARED_OBJECTS_FILE "\"\n"
    ".hidden xlac_shared_objects_end\n"
    ".globl xlac_shared_objects_end\n"
    "xlac_shared_objects_end:\n"
    ".popsection\n");

extern "C" {
extern const char xlac_shared_objects[];
extern const char xlac_shared_objects_end[];
}

namespace xlac::compiler {

SharedObjects &SharedObjects::process() {
  // Outlives static destructors.
  static auto *instance = new SharedObjects;
  return *instance;
}

SharedObjects::SharedObjects() {
  readSharedObjects(
      ArrayRef(xlac_shared_objects, xlac_shared_objects_end),
      [&](StringRef name, ArrayRef<char> code) { included[name] = code; });
}

/// Returns the profile whose code of shared functions suits `target`.
static StringRef profileFor(const TargetProfile &target) {
  if (target.vector_bits == 512)
    return "avx512";
  return target.features & kFeatureAvx2 ? "avx2" : "";
}

SharedObject SharedObjects::find(const TargetProfile &target, StringRef name) {
  auto found = included.find((profileFor(target) + "/" + name).str());
  if (found != included.end())
    return {found->second, nullptr};
  auto object = compiled.find((target.name + "/" + name).str());
  if (!object)
    return {};
  return {ArrayRef(object->data(), object->size()), std::move(object)};
}

void SharedObjects::keep(const TargetProfile &target, ArrayRef<StringRef> names,
                         const jit::Object &object) {
  auto kept = std::make_shared<const jit::Object>(object);
  for (StringRef name : names)
    compiled.keep((target.name + "/" + name).str(), kept);
}

} // namespace xlac::compiler
