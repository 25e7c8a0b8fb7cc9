// A source parsed in a separate context.
#pragma once

#include "xlac/Dialect/AllDialects.h"
#include "xlac/Import/Import.h"

namespace xlac::test {

struct Parsed {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::string error;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Parsed(std::string_view bytes) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    Source source;
    source.bytes = bytes;
    source.name = "test.mlir";
    module = parseModule(source, context, error);
  }
};

} // namespace xlac::test
