// The sdy dialect as far as programs of one device need it: meshes and
// shardings are read, kept and printed as they stand, and say nothing yet.
#ifndef XLAC_DIALECT_SDY_SDY
#define XLAC_DIALECT_SDY_SDY

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::mlir::sdy";
  let summary = "Meshes and shardings, as Shardy writes them";
  let extraClassDeclaration = [{
    /// Every attribute of the dialect is kept as its text.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
  }];
}

class Sdy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sdy_Dialect, mnemonic, traits>;

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol]> {
  let summary = "Names the axes of a grid of devices and their sizes";
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$mesh);
  let hasCustomAssemblyFormat = 1;
}

def Sdy_ShardingConstraintOp : Sdy_Op<"sharding_constraint", [Pure,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "Says how a value is to be spread over devices";
  let arguments = (ins AnyType:$input, AnyAttr:$sharding);
  let results = (outs AnyType:$result);
  let hasCustomAssemblyFormat = 1;
}

#endif
