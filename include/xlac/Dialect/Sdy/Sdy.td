// The sdy dialect. Ops are parsed and printed in Shardy's syntax. Attributes
// are stored as text.
#ifndef XLAC_DIALECT_SDY_SDY
#define XLAC_DIALECT_SDY_SDY

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::xlac::sdy";
  let summary = "Meshes and shardings, as Shardy writes them";
  let extraClassDeclaration = [{
    /// Stores the text of any attribute of the dialect.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;

    /// Returns the attribute whose text is `text`.
    static ::mlir::Attribute attributeOf(::mlir::MLIRContext *context,
                                         const ::llvm::Twine &text);

    /// Returns the text of an attribute of the dialect, or an empty string for
    /// any other attribute.
    static ::llvm::StringRef textOf(::mlir::Attribute attribute);

  private:
    void registerBytecode();

  public:
  }];
}

class Sdy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sdy_Dialect, mnemonic, traits>;

//===- Shardings ----------------------------------------------------------===//

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol]> {
  let summary = "Names the axes of a grid of devices and their sizes";
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$mesh);
  let hasCustomAssemblyFormat = 1;
}

/// An op whose result equals its operand. The op states the sharding of the
/// value, or the data movement that produces the sharding.
class Sdy_SameValueOp<string mnemonic>
    : Sdy_Op<mnemonic, [Pure, AllTypesMatch<["input", "result"]>]> {
  let results = (outs AnyType:$result);
}

/// Moves shards of a value between devices. The attribute `axes` names the mesh
/// axes; its text begins with `prefix`.
class Sdy_MovementOp<string mnemonic, string axes, string prefix,
                     string brackets> : Sdy_SameValueOp<mnemonic> {
  let assemblyFormat = "custom<Text>($" # axes # ", \"\\\"" # prefix #
      "\\\"\", \"\\\"" # brackets # "\\\"\") $input `out_sharding` `=` " #
      "custom<Text>($out_sharding, \"\\\"sharding\\\"\", \"\\\"<>\\\"\") " #
      "attr-dict `:` type($result)";
}

def Sdy_ShardingConstraintOp : Sdy_SameValueOp<"sharding_constraint"> {
  let summary = "The sharding of a value";
  let arguments = (ins AnyType:$input, AnyAttr:$sharding);
  let assemblyFormat = [{
    $input custom<Text>($sharding, "\"sharding\"", "\"<>\"") attr-dict
    `:` type($result)
  }];
}

def Sdy_ReshardOp : Sdy_SameValueOp<"reshard"> {
  let summary = "Reshards a value";
  let arguments = (ins AnyType:$input, AnyAttr:$sharding);
  let assemblyFormat = [{
    $input custom<Text>($sharding, "\"sharding\"", "\"<>\"") attr-dict
    `:` type($result)
  }];
}

def Sdy_DataFlowEdgeOp : Sdy_SameValueOp<"data_flow_edge"> {
  let summary = "Joins the values that flow into a loop, a call or a case";
  let arguments = (ins AnyType:$input, OptionalAttr<AnyAttr>:$sharding);
  let assemblyFormat = [{
    $input custom<EdgeSharding>($sharding) attr-dict `:` type($result)
  }];
}

def Sdy_FuncDataFlowEdgeOp : Sdy_SameValueOp<"func_data_flow_edge"> {
  let summary = "Joins the values that flow into a function";
  let arguments = (ins AnyType:$input);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

def Sdy_PropagationDirection : I32EnumAttr<"PropagationDirection",
    "Where shardings may propagate to", [
      I32EnumAttrCase<"NONE", 0>, I32EnumAttrCase<"FORWARD", 1>,
      I32EnumAttrCase<"BACKWARD", 2>, I32EnumAttrCase<"BOTH", 3>]> {
  let cppNamespace = "::xlac::sdy";
}

def Sdy_PropagationBarrierOp : Sdy_SameValueOp<"propagation_barrier"> {
  let summary = "Bounds the way of shardings";
  let arguments = (ins AnyType:$input,
                       Sdy_PropagationDirection:$allowed_direction);
  let assemblyFormat = [{
    $input `allowed_direction` `=` $allowed_direction attr-dict
    `:` type($result)
  }];
}

def Sdy_AllGatherOp
    : Sdy_MovementOp<"all_gather", "gathering_axes", "list_of_axis_ref_lists", "[]"> {
  let summary = "Gathers a value along axes";
  let arguments = (ins AnyType:$input, AnyAttr:$gathering_axes,
                       AnyAttr:$out_sharding);
}

def Sdy_AllSliceOp
    : Sdy_MovementOp<"all_slice", "slicing_axes", "list_of_axis_ref_lists", "[]"> {
  let summary = "Takes a value's parts along axes";
  let arguments = (ins AnyType:$input, AnyAttr:$slicing_axes,
                       AnyAttr:$out_sharding);
}

def Sdy_ReduceScatterOp
    : Sdy_MovementOp<"reduce_scatter", "reduce_scatter_axes", "list_of_axis_ref_lists", "[]"> {
  let summary = "Sums a value's summands along axes and shards the sum";
  let arguments = (ins AnyType:$input, AnyAttr:$reduce_scatter_axes,
                       AnyAttr:$out_sharding);
}

def Sdy_ShardedToUnreducedOp
    : Sdy_MovementOp<"sharded_to_unreduced", "axes", "list_of_axis_ref_lists", "[]"> {
  let summary = "Makes summands of a value's parts along axes";
  let arguments = (ins AnyType:$input, AnyAttr:$axes,
                       AnyAttr:$out_sharding);
}

def Sdy_AllToAllOp
    : Sdy_MovementOp<"all_to_all", "params", "all_to_all_param_list", "[]"> {
  let summary = "Moves axes from one dimension to another";
  let arguments = (ins AnyType:$input, AnyAttr:$params,
                       AnyAttr:$out_sharding);
}

def Sdy_AllReduceOp : Sdy_MovementOp<"all_reduce", "reduction_axes", "axis_ref_list", "{}"> {
  let summary = "Sums a value's summands along axes";
  let arguments = (ins AnyType:$input, AnyAttr:$reduction_axes,
                       AnyAttr:$out_sharding);
}

def Sdy_ReplicatedToUnreducedOp
    : Sdy_MovementOp<"replicated_to_unreduced", "axes", "axis_ref_list", "{}"> {
  let summary = "Makes summands of a value's copies along axes";
  let arguments = (ins AnyType:$input, AnyAttr:$axes,
                       AnyAttr:$out_sharding);
}

def Sdy_CollectivePermuteOp : Sdy_SameValueOp<"collective_permute"> {
  let summary = "Exchanges parts of a value between devices";
  let arguments = (ins AnyType:$input, AnyAttr:$out_sharding);
  let assemblyFormat = [{
    $input `out_sharding` `=`
    custom<Text>($out_sharding, "\"sharding\"", "\"<>\"") attr-dict
    `:` type($result)
  }];
}

def Sdy_ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let summary = "Gives all values of a group one sharding";
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = [{
    $input `group_id` `=` custom<Number>($group_id) attr-dict `:` type($input)
  }];
}

def Sdy_ConstantOp : Sdy_Op<"constant", [Pure, ConstantLike,
    AllTypesMatch<["value", "output"]>]> {
  let summary = "A constant that is not shared between its uses";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyType:$output);
  let assemblyFormat = "attr-dict $value";
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
    /// Returns the number of shards that the manual axes define: the product of
    /// their sizes in the mesh that the shardings name. Fails, with an error on
    /// the op, if a mesh or an axis is not defined.
    ::mlir::FailureOr<int64_t> partCount(const ::mlir::SymbolTable &symbols);
  }];
}

def Sdy_NamedComputationOp : Sdy_Op<"named_computation", [
    IsolatedFromAbove, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "Runs its body on the operands, under a name";
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
      OptionalAttr<AnyAttr>:$in_shardings,
      OptionalAttr<AnyAttr>:$out_shardings);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Sdy_ReturnOp : Sdy_Op<"return", [Pure, ReturnLike, Terminator,
    ParentOneOf<["ManualComputationOp", "NamedComputationOp"]>]> {
  let summary = "Ends the body of a computation";
  let arguments = (ins Variadic<AnyType>:$results);
  let builders = [OpBuilder<(ins), [{
    build($_builder, $_state, ::mlir::ValueRange());
  }]>];
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

#endif
