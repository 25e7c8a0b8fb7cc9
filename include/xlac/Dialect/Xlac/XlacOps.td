// The xlac dialect: a fused program as kernels (regions of StableHLO ops with a
// schedule) and the ordered launches that run them on planned buffers.
#ifndef XLAC_DIALECT_XLAC_OPS
#define XLAC_DIALECT_XLAC_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Xlac_Dialect : Dialect {
  let name = "xlac";
  let cppNamespace = "::xlac::ir";
  let summary = "Kernels, their schedules, and programs of launches";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class Xlac_Op<string mnemonic, list<Trait> traits = []>
    : Op<Xlac_Dialect, mnemonic, traits>;

def Xlac_BufferType : TypeDef<Xlac_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "An address that the driver has: argument, result, arena, constant";
}

//===- Schedules ----------------------------------------------------------===//

def Xlac_ScheduleKind : I32EnumAttr<"ScheduleKind", "How a kernel is emitted", [
    I32EnumAttrCase<"Loop", 0, "loop">,
    I32EnumAttrCase<"Reduction", 1, "reduction">,
    I32EnumAttrCase<"Contraction", 2, "contraction">,
    I32EnumAttrCase<"Transpose", 3, "transpose">,
    I32EnumAttrCase<"Scatter", 4, "scatter">,
    I32EnumAttrCase<"Scan", 5, "scan">,
    I32EnumAttrCase<"Sort", 6, "sort">,
    I32EnumAttrCase<"Library", 7, "library">]> {
  let cppNamespace = "::xlac::ir";
  let genSpecializedAttr = 0;
}

def Xlac_ScheduleAttr : AttrDef<Xlac_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "Schedule kind, and how the work is divided";
  let description = [{
    Fusion chooses the kind; the schedule pass fills in the rest. A kernel runs
    as one or more phases, one after another; phase i has `tasks[i]` tasks of
    which the runtime gives `grain[i]` to a piece. `tile` is the emitter's own.
    `workspace` bytes of arena are passed to every phase behind the results.
  }];
  let parameters = (ins
    EnumParameter<Xlac_ScheduleKind>:$kind,
    OptionalArrayRefParameter<"int64_t">:$tasks,
    OptionalArrayRefParameter<"int64_t">:$grain,
    OptionalArrayRefParameter<"int64_t">:$tile,
    DefaultValuedParameter<"int64_t", "0">:$workspace,
    DefaultValuedParameter<"int64_t", "0">:$flops,
    DefaultValuedParameter<"int64_t", "0">:$bytes);
  let assemblyFormat = [{
    `<` $kind
    (`,` `tasks` `=` `[` $tasks^ `]`)?
    (`,` `grain` `=` `[` $grain^ `]`)?
    (`,` `tile` `=` `[` $tile^ `]`)?
    (`,` `workspace` `=` $workspace^)?
    (`,` `flops` `=` $flops^)?
    (`,` `bytes` `=` $bytes^)? `>`
  }];
}

//===- Collectives --------------------------------------------------------===//

/// The values equal those of the runtime's enum of the same name.
def Xlac_CollectiveKind : I32EnumAttr<"CollectiveKind", "What is asked of other processes or of the host", [
    I32EnumAttrCase<"AllGather", 0, "all_gather">,
    I32EnumAttrCase<"AllReduce", 1, "all_reduce">,
    I32EnumAttrCase<"AllToAll", 2, "all_to_all">,
    I32EnumAttrCase<"Broadcast", 3, "broadcast">,
    I32EnumAttrCase<"Permute", 4, "permute">,
    I32EnumAttrCase<"Reduce", 5, "reduce">,
    I32EnumAttrCase<"ReduceScatter", 6, "reduce_scatter">,
    I32EnumAttrCase<"Send", 7, "send">,
    I32EnumAttrCase<"Recv", 8, "recv">,
    I32EnumAttrCase<"Infeed", 9, "infeed">,
    I32EnumAttrCase<"Outfeed", 10, "outfeed">,
    I32EnumAttrCase<"PartitionId", 11, "partition_id">,
    I32EnumAttrCase<"ReplicaId", 12, "replica_id">,
    I32EnumAttrCase<"CustomCall", 13, "custom_call">]> {
  let cppNamespace = "::xlac::ir";
  let genSpecializedAttr = 0;
}

/// The values equal those of the runtime's enum of the same name. Groups of ids
/// in the attribute denote groups of processes according to this mode.
def Xlac_ProcessGrouping : I32EnumAttr<"ProcessGrouping", "How ids become groups of processes", [
    I32EnumAttrCase<"CrossReplica", 0, "cross_replica">,
    I32EnumAttrCase<"CrossPartition", 1, "cross_partition">,
    I32EnumAttrCase<"CrossReplicaAndPartition", 2, "cross_replica_and_partition">,
    I32EnumAttrCase<"FlattenedIds", 3, "flattened_ids">]> {
  let cppNamespace = "::xlac::ir";
  let genSpecializedAttr = 0;
}

def Xlac_CollectiveAttr : AttrDef<Xlac_Dialect, "Collective"> {
  let mnemonic = "collective";
  let summary = "A collective, transfer, feed or custom call without its operands";
  let description = [{
    `groups` are rows of `columns` ids, short ones filled with -1; of a permute,
    send or recv they are pairs of source and target. `dimension` is the one
    gathered, scattered or split. `fill` has the bits of an element for each
    result, for processes that receive nothing. With `dynamic_root` the last
    operand has the root of each result. `body` is a hash of the reducers. A
    custom call has a `target`, the entries of its configuration, and layouts
    (dimensions from the fastest to the slowest) unless all are row-major.
  }];
  let parameters = (ins
    EnumParameter<Xlac_CollectiveKind>:$kind,
    EnumParameter<Xlac_ProcessGrouping>:$grouping,
    OptionalArrayRefParameter<"int64_t">:$groups,
    DefaultValuedParameter<"int64_t", "0">:$columns,
    DefaultValuedParameter<"int64_t", "0">:$channel,
    DefaultValuedParameter<"int64_t", "0">:$dimension,
    DefaultValuedParameter<"int64_t", "0">:$concat,
    OptionalArrayRefParameter<"int64_t">:$fill,
    DefaultValuedParameter<"bool", "false">:$dynamic_root,
    DefaultValuedParameter<"bool", "false">:$host,
    DefaultValuedParameter<"uint64_t", "0">:$body,
    OptionalParameter<"::mlir::StringAttr">:$target,
    OptionalParameter<"::mlir::DictionaryAttr">:$config,
    OptionalParameter<"::mlir::ArrayAttr">:$layouts);
  let assemblyFormat = [{
    `<` $kind `,` $grouping
    (`,` `groups` `=` `[` $groups^ `]`)?
    (`,` `columns` `=` $columns^)?
    (`,` `channel` `=` $channel^)?
    (`,` `dimension` `=` $dimension^)?
    (`,` `concat` `=` $concat^)?
    (`,` `fill` `=` `[` $fill^ `]`)?
    (`,` `dynamic_root` `=` $dynamic_root^)?
    (`,` `host` `=` $host^)?
    (`,` `body` `=` $body^)?
    (`,` `target` `=` $target^)?
    (`,` `config` `=` $config^)?
    (`,` `layouts` `=` $layouts^)? `>`
  }];
}

//===- Kernels (tensor form) ----------------------------------------------===//

def Xlac_KernelOp : Xlac_Op<"kernel", [IsolatedFromAbove, Symbol,
    SingleBlockImplicitTerminator<"YieldOp">, HasParent<"::mlir::ModuleOp">]> {
  let summary = "A fused computation over tensors with a schedule";
  let description = [{
    The region's arguments are the operands, its yielded values the results;
    in between are StableHLO ops. Kernels equal in body and schedule are one.

    `in_place` pairs result numbers with operand numbers: at every launch that
    operand lies in the result's buffer already, so that a dynamic_update_slice
    or scatter at the root need only write what changes. The operand has no
    other use in the body than as the thing updated.

    `streamed` lists results that are better written past the caches: large,
    and not read again by the program.

    `any_size` asks for code whose structure depends as little as possible on
    sizes, so that kernels of other sizes can share it.

    `may_overwrite` pairs results of a reduction along rows with operands: the
    kernel reads an element of the operand for the last time before it writes the
    result's element at the same place, so that both may have one buffer.

    `cold` says that programs spend so little time in the kernel that its machine
    code is generated without optimization.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Xlac_ScheduleAttr:$schedule,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$in_place,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$streamed,
                       UnitAttr:$any_size,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$may_overwrite,
                       UnitAttr:$cold);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name $schedule attr-dict-with-keyword $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    YieldOp getYield();
    /// Returns the types of the results, in order.
    ::mlir::TypeRange getResultTypesOfBody();
    /// Returns the operand whose buffer result `number` overwrites, if any.
    std::optional<unsigned> getInPlaceOperand(unsigned number);
  }];
}

def Xlac_YieldOp : Xlac_Op<"yield", [Terminator, Pure, ReturnLike,
    HasParent<"KernelOp">]> {
  let summary = "Ends a kernel's body with its results";
  let arguments = (ins Variadic<AnyType>:$results);
  let builders = [OpBuilder<(ins), [{ (void)$_state; }]>];
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

def Xlac_PackedOp : Xlac_Op<"packed", [Pure]> {
  let summary = "An operand of a contraction whose packed form is `source`";
  let description = [{
    `source` has the bytes of the xlac.pack of a contraction with the same
    operands. The kernel's contraction reads the result as the side that it
    packs, through views such as transpositions. Nothing else reads it.
  }];
  let arguments = (ins AnyType:$source);
  let results = (outs AnyType:$operand);
  let assemblyFormat =
      "$source attr-dict `:` functional-type($source, $operand)";
}

def Xlac_PackOp : Xlac_Op<"pack", [Pure]> {
  let summary = "The packed side of a contraction, as bytes";
  let description = [{
    `product` is the result of the contraction, which is not computed. The
    target determines how many bytes there are and what they mean.
  }];
  let arguments = (ins AnyType:$product);
  let results = (outs AnyType:$bytes);
  let assemblyFormat =
      "$product attr-dict `:` functional-type($product, $bytes)";
}

def Xlac_AbsentOp : Xlac_Op<"absent", [Pure]> {
  let summary = "A tensor of which only the type matters";
  let description = [{
    The side of a contraction that xlac.pack does not read.
  }];
  let results = (outs AnyType:$value);
  let assemblyFormat = "attr-dict `:` type($value)";
}

def Xlac_CallOp : Xlac_Op<"call", []> {
  let summary = "Calls a kernel on tensors; becomes launches when buffers are planned";
  let description = [{
    With `slices`, the kernel's tasks can run in that many slices of equal
    length: slice i writes the i-th part of each result, in row-major order, and
    reads the i-th part of each operand, or all of it if `whole` has the
    operand's number. `joined` marks a call that may run slice by slice with the
    previous one of its block, which has the same number of slices.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyType>:$operands,
                       OptionalAttr<I64Attr>:$slices,
                       OptionalAttr<DenseI64ArrayAttr>:$whole,
                       UnitAttr:$joined);
  let results = (outs Variadic<AnyType>:$results);
  let builders = [OpBuilder<(ins "mlir::TypeRange":$results,
                                 "mlir::FlatSymbolRefAttr":$kernel,
                                 "mlir::ValueRange":$operands), [{
    build($_builder, $_state, results, kernel, operands, /*slices=*/nullptr,
          /*whole=*/nullptr, /*joined=*/nullptr);
  }]>];
  let assemblyFormat =
      "$kernel `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
}

def Xlac_TensorCollectiveOp : Xlac_Op<"tensor_collective", []> {
  let summary = "A collective, transfer, feed or custom call on tensors; the order of these is the program's";
  let description = [{
    Tokens are gone: collectives of a block happen in its order. `reducers` are
    kernels that combine two tensors into one, one for each result.

    A `started` collective goes on while the program does; its results are read
    through the xlac.await behind it alone.
  }];
  let arguments = (ins Xlac_CollectiveAttr:$what, Variadic<AnyType>:$operands,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$reducers,
                       UnitAttr:$started);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat =
      "(`started` $started^)? $what `(` $operands `)` (`by` $reducers^)? attr-dict `:` functional-type($operands, $results)";
}

def Xlac_AwaitOp : Xlac_Op<"await", [AttrSizedOperandSegments]> {
  let summary = "The results of a started collective, once it is done";
  let description = [{
    `pending` are all results of the collective, whose bytes the results are;
    `read` are its operands, which stay as they are until here.
  }];
  let arguments = (ins Variadic<AnyType>:$pending, Variadic<AnyType>:$read);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat =
      "$pending `:` type($pending) `reading` $read `:` type($read) attr-dict `->` type($results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the started collective that produces `pending`, or null.
    TensorCollectiveOp getCollective();
  }];
}

//===- Programs (buffer form) ---------------------------------------------===//

def Xlac_ProgramOp : Xlac_Op<"program", [IsolatedFromAbove, Symbol,
    SingleBlock, NoTerminator, HasParent<"::mlir::ModuleOp">]> {
  let summary = "Ordered launches over buffers";
  let description = [{
    `function_type` gives the tensors that the program takes and returns.
    `aliases` pairs result numbers with argument numbers whose buffer the result
    may reuse. The symbol is `xlac_entry`, or `xlac_prologue` for what is
    computed once from invariant arguments: `program_arguments` are their
    numbers among the entry's, which takes the prologue's results behind its
    other arguments.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttr:$function_type,
                       I64Attr:$arena_bytes,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$aliases,
                       OptionalAttr<DenseI64ArrayAttr>:$program_arguments);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$sym_name `:` $function_type `arena` `=` $arena_bytes attr-dict-with-keyword $body";
}

def Xlac_ArgumentOp : Xlac_Op<"argument", [Pure]> {
  let summary = "The buffer of an argument of the program; read only";
  let arguments = (ins I64Attr:$index);
  let results = (outs Xlac_BufferType:$buffer);
  let assemblyFormat = "$index attr-dict";
}

def Xlac_ResultOp : Xlac_Op<"result", [Pure]> {
  let summary = "The buffer of a result of the program";
  let arguments = (ins I64Attr:$index);
  let results = (outs Xlac_BufferType:$buffer);
  let assemblyFormat = "$index attr-dict";
}

def Xlac_ConstantOp : Xlac_Op<"constant", [Pure]> {
  let summary = "A constant of the image, too large to live in a kernel";
  let arguments = (ins I64Attr:$index, ElementsAttr:$value);
  let results = (outs Xlac_BufferType:$buffer);
  let assemblyFormat = "$index `=` $value attr-dict";
}

def Xlac_ArenaOp : Xlac_Op<"arena", [Pure]> {
  let summary = "A slice of the arena";
  let arguments = (ins I64Attr:$offset, I64Attr:$size);
  let results = (outs Xlac_BufferType:$buffer);
  let assemblyFormat = "`[` $offset `,` $size `]` attr-dict";
}

def Xlac_LaunchOp : Xlac_Op<"launch", [AttrSizedOperandSegments]> {
  let summary = "Runs all phases of a kernel over buffers";
  let description = [{
    `slices`, `whole` and `joined` are those of xlac.call. Launches that are
    joined with the previous one run with it slice by slice.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel,
                       Variadic<Xlac_BufferType>:$inputs,
                       Variadic<Xlac_BufferType>:$outputs,
                       Optional<Xlac_BufferType>:$workspace,
                       OptionalAttr<I64Attr>:$slices,
                       OptionalAttr<DenseI64ArrayAttr>:$whole,
                       UnitAttr:$joined);
  let assemblyFormat =
      "$kernel `(` $inputs `)` `->` `(` $outputs `)` (`workspace` $workspace^)? attr-dict";
}

def Xlac_CollectiveOp : Xlac_Op<"collective", [AttrSizedOperandSegments]> {
  let summary = "A collective over buffers, `index` among those of the image";
  let arguments = (ins I64Attr:$index, Xlac_CollectiveAttr:$what,
                       TypeArrayAttr:$operand_types, TypeArrayAttr:$result_types,
                       Variadic<Xlac_BufferType>:$inputs,
                       Variadic<Xlac_BufferType>:$outputs,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$reducers,
                       UnitAttr:$started);
  let assemblyFormat =
      "(`started` $started^)? $index $what `(` $inputs `)` `->` `(` $outputs `)` (`by` $reducers^)? attr-dict";
}

def Xlac_AwaitCollectiveOp : Xlac_Op<"await_collective"> {
  let summary = "Waits until the started collective of that index is done";
  let arguments = (ins I64Attr:$index);
  let assemblyFormat = "$index attr-dict";
}

def Xlac_CopyOp : Xlac_Op<"copy"> {
  let summary = "Copies bytes between buffers that do not overlap";
  let arguments = (ins Xlac_BufferType:$source, Xlac_BufferType:$target,
                       I64Attr:$bytes);
  let assemblyFormat = "$source `->` $target `,` $bytes attr-dict";
}

def Xlac_SwapOp : Xlac_Op<"swap"> {
  let summary = "Exchanges the memory of two buffers between iterations";
  let description = [{
    Ends the body of a `while`, in place of a copy from `next` to `carry`: the
    next iteration finds the bytes of each in the other. After the loop both
    have their own memory again. There, `carry` has its last value, and `next`
    has no defined value.
  }];
  let arguments = (ins Xlac_BufferType:$next, Xlac_BufferType:$carry,
                       I64Attr:$bytes);
  let assemblyFormat = "$next `with` $carry `,` $bytes attr-dict";
}

def Xlac_WhileOp : Xlac_Op<"while", [NoTerminator, NoRegionArguments]> {
  let summary = "Runs `condition`, and while the i1 in `predicate` holds, `body`";
  let arguments = (ins Xlac_BufferType:$predicate);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = "$predicate attr-dict-with-keyword $condition `do` $body";
}

def Xlac_CaseOp : Xlac_Op<"case", [NoTerminator, NoRegionArguments]> {
  let summary = "Runs the branch that `index` selects";
  let description = [{
    The index is an i32, out of range meaning the last branch; or, with
    `predicate`, an i1 where true means branch 0 and false branch 1.
  }];
  let arguments = (ins Xlac_BufferType:$index, UnitAttr:$predicate);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let assemblyFormat = "(`predicate` $predicate^)? $index attr-dict-with-keyword $branches";
}

#endif
