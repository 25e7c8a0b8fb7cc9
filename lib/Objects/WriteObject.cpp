#include "xlac/Objects/Objects.h"

#include "LinkFile.h"
#include "ObjectModule.h"

#include "xlac/Jit/Jit.h"

#include "llvm-c/Target.h"

using llvm::Expected;
using llvm::StringRef;

namespace xlac::objects {

static Expected<std::string> packed(const ObjectRequest &request,
                                    StringRef object, bool runtime) {
  switch (request.kind) {
  case ObjectKind::Object:
    return object.str();
  case ObjectKind::SharedObject:
    return linkSharedObject(object, runtime);
  case ObjectKind::Archive:
    return makeArchive(object, request.name);
  }
  llvm_unreachable("all kinds of files are handled");
}

Expected<ObjectFiles> writeObject(const ObjectRequest &request) {
  LLVMInitializeX86AsmParser(); // for cpuid in object_functions.c
  ObjectFiles files;
  jit::Object object;
  {
    llvm::LLVMContext context;
    ObjectModule builder(request, context);
    if (llvm::Error error = builder.build())
      return std::move(error);
    std::unique_ptr<llvm::Module> module = builder.takeModule();
    files.weights = builder.takeWeights();
    files.routines = builder.takeRoutines();
    // The programs' code is finished, and the other functions run everywhere.
    auto bytes = jit::compileToObject(*module, known_profiles().front());
    if (!bytes)
      return bytes.takeError();
    object = std::move(*bytes);
  }
  Expected<std::string> result =
      packed(request, StringRef(object.data(), object.size()),
             !files.routines.empty());
  if (!result)
    return result.takeError();
  files.object = std::move(*result);
  return files;
}

} // namespace xlac::objects
