// The MLIR context of a request. Private to the component.
#ifndef XLAC_LIB_COMPILER_WORKSPACE_H
#define XLAC_LIB_COMPILER_WORKSPACE_H

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace xlac::compiler {

/// A context for one request at a time, so that threads share nothing. To load
/// the dialects takes as long as to read a small program. Therefore small
/// programs pass their context on to later requests. Contexts keep the types
/// and attributes of all their programs, so each serves a limited number.
class Workspace {
public:
  Workspace();
  ~Workspace();
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  mlir::MLIRContext &context() { return *entry->context; }
  /// Lets a later request use the context after this one. The program must have
  /// been compiled without an error, and `bytes` is the size of its source and
  /// constants.
  void passOn(size_t bytes);

  /// A context with the number of programs that it has served.
  struct Entry {
    std::unique_ptr<mlir::MLIRContext> context;
    int uses = 0;
  };

private:
  std::unique_ptr<Entry> entry;
  bool isPassedOn = false;
};

} // namespace xlac::compiler

#endif
