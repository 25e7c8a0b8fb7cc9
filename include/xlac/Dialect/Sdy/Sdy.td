// The sdy dialect as far as programs of one device need it: meshes, shardings
// and manual computations are read, kept and printed as they stand.
#ifndef XLAC_DIALECT_SDY_SDY
#define XLAC_DIALECT_SDY_SDY

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
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

def Sdy_ManualComputationOp : Sdy_Op<"manual_computation", [
    IsolatedFromAbove, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "Runs its body on each device's part of the operands";
  let arguments = (ins Variadic<AnyType>:$inputs, AnyAttr:$in_shardings,
      AnyAttr:$out_shardings, AnyAttr:$manual_axes);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The number of parts that the manual axes make of a device's grid: the
    /// product of their sizes in the mesh that the shardings name. Fails, with
    /// an error on the op, where a mesh or an axis is not defined.
    ::mlir::FailureOr<int64_t> partCount(const ::mlir::SymbolTable &symbols);
  }];
}

def Sdy_ReturnOp : Sdy_Op<"return", [Pure, ReturnLike, Terminator,
    HasParent<"ManualComputationOp">]> {
  let summary = "Ends the body of a manual computation";
  let arguments = (ins Variadic<AnyType>:$results);
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange());
  }]>];
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

#endif
