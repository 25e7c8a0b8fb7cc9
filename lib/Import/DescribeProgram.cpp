// What a caller of a program has to know, beyond the types of its entry.
#include "xlac/Import/Import.h"

#include "xlac/Dialect/Sdy/SdyDialect.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/support/program_names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace xlac {

/// "mesh" and the text of its attribute.
static std::string textOf(sdy::MeshOp mesh) {
  std::string text = mesh.getSymName().str();
  llvm::raw_string_ostream stream(text);
  stream << " = ";
  mesh.getMeshAttr().print(stream);
  return text;
}

static int64_t countOf(ModuleOp module, StringRef name) {
  auto count = module->getAttrOfType<IntegerAttr>(name);
  return count ? count.getInt() : 1;
}

llvm::Expected<ProgramDescription> describeProgram(ModuleOp module,
                                                   StringRef entry) {
  llvm::Expected<Signature> signature = signatureOf(module, entry);
  if (!signature)
    return signature.takeError();
  ProgramDescription all;
  all.signature = std::move(*signature);
  all.replicas = countOf(module, names::kReplicaCount);
  all.partitions = countOf(module, names::kPartitionCount);
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      all.entries.push_back(function.getSymName().str());
  for (sdy::MeshOp mesh : module.getOps<sdy::MeshOp>())
    all.meshes.push_back(textOf(mesh));
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto alias =
            function.getArgAttrOfType<IntegerAttr>(i, names::kAliasingOutput))
      all.aliases.push_back({static_cast<uint32_t>(alias.getInt()), i});
  llvm::SetVector<StringRef> targets;
  module.walk([&](stablehlo::CustomCallOp call) {
    targets.insert(call.getCallTargetName());
  });
  for (StringRef target : targets)
    all.custom_calls.push_back(target.str());
  return all;
}

} // namespace xlac
