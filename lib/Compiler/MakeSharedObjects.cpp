// Compiles the common shared functions and writes them to a file, which becomes
// a part of the compiler's library. Runs when xlac is built.
#include "SharedObjectsFile.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Jit/Jit.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace xlac;

static Error writeFunction(raw_ostream &out, const TargetProfile &profile,
                           const std::string &name) {
  LLVMContext context;
  llvm::Module module(name, context);
  if (Error error = jit::prepareModule(module, profile))
    return error;
  codegen::emitSharedFunction(name, module);
  if (Error error = jit::optimize(module, profile))
    return error;
  Expected<jit::Object> object = jit::compileToObject(module, profile);
  if (!object)
    return object.takeError();
  compiler::writeSharedObject(out, profile.name + "/" + name, *object);
  return Error::success();
}

static Error writeAll(raw_ostream &out) {
  for (const char *wanted : {"avx2", "avx512"}) {
    Result<TargetProfile> profile = find_profile(wanted);
    if (!profile)
      return createStringError("there is no profile " + Twine(wanted));
    for (const std::string &name : codegen::commonSharedFunctions(*profile))
      if (Error error = writeFunction(out, *profile, name))
        return error;
  }
  return Error::success();
}

int main(int argc, char **argv) {
  ExitOnError exitOnError("xlac-shared-objects: ");
  if (argc != 2)
    exitOnError(createStringError("usage: xlac-shared-objects FILE"));
  std::error_code problem;
  raw_fd_ostream out(argv[1], problem);
  exitOnError(errorCodeToError(problem));
  exitOnError(writeAll(out));
  out.close();
  exitOnError(errorCodeToError(out.error()));
  return 0;
}
