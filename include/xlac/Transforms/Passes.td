// The passes of the Transforms component. lib/Pipelines/Pipelines.cpp gives
// their order and the reasons for it.
#ifndef XLAC_TRANSFORMS_PASSES
#define XLAC_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def PrepareModule : Pass<"xlac-prepare-module", "::mlir::ModuleOp"> {
  let summary = "Makes the entry function the only one";
  let description = [{
    Inlines calls, composites and asynchronous bodies, flattens tuples, drops
    attributes that no later pass reads, and removes every function but the
    entry. Collectives get operands of the types that they compute in. Rejects
    recursion, and ops that cannot be compiled at all. Dimensions of unknown
    size get the sizes that follow from those of the arguments. Custom calls
    become ops where they stand for some, else calls of the host with row-major
    buffers.
  }];
  let dependentDialects = ["::xlac::chlo::ChloDialect",
                           "::xlac::stablehlo::StablehloDialect"];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"",
           "the function to compile">,
    Option<"partitions", "partitions", "int64_t", "0",
           "the number of partitions, in place of mhlo.num_partitions; 0 keeps "
           "what the module says">,
    ListOption<"shardings", "shardings", "std::string",
               "shardings of arguments, each as number:text, in place of their "
               "annotations">,
    ListOption<"sizes", "sizes", "std::string",
               "sizes of arguments, each as number:2x3, for types with unknown "
               "dimensions">,
    Option<"layouts", "layouts", "bool", "false",
           "keep the memory layouts that mhlo.layout_mode requests of arguments "
           "and results, for the pass that assigns them">];
}

def ChangeSizes : Pass<"xlac-change-sizes", "::mlir::ModuleOp"> {
  let summary = "Changes a program to other sizes of its arguments";
  let description = [{
    Gives arguments other sizes, and changes the values that depend on them. The
    program does not state which of its numbers depend on sizes, so that the
    result is a guess. The compiler uses it only to find out what distinguishes
    the kernels of two sizes, and never runs it. Fails if the program cannot have
    the sizes. Runs on what the prepare and expanding passes leave.
  }];
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"",
           "the function to change">,
    ListOption<"sizes", "sizes", "std::string",
               "sizes of arguments, each as number:2x3">];
}

def Partition : Pass<"xlac-partition", "::mlir::ModuleOp"> {
  let summary = "Cuts a program over mhlo.num_partitions devices";
  let description = [{
    Propagates the annotated shardings over all values, then rewrites each op for
    one device's shards, with collectives where it needs others'. Results are
    those of the whole program. Does nothing to a program of one partition, nor
    to one without annotations, whose partitions may be given what they like. The module's attributes `xlac.argument_shardings`,
    `xlac.result_shardings`, `xlac.global_arguments` and `xlac.global_results`
    say what became of its signature. Runs on what the prepare and expanding
    passes leave.
  }];
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"",
           "the function to partition">,
    Option<"automatic", "automatic", "bool", "false",
           "without annotations, search shardings of the arguments; as the "
           "module's attribute mhlo.use_auto_spmd_partitioning asks for">,
    Option<"smallest", "smallest", "int64_t", "4096",
           "elements that one argument must have, for the search">,
    ListOption<"batchTargets", "batch-targets", "std::string",
               "targets of custom calls that compute each index of their batch "
               "dimensions independently">];
}

def AssignLayouts : Pass<"xlac-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Gives arguments and results the layouts that callers request";
  let description = [{
    Reads the layout modes that the prepare pass leaves if its option `layouts`
    is set. An argument or result of another layout than the row-major one gets
    the type with the dimensions in the order of the memory, and a transposition.
    A result with the mode "auto" gets the layout in which the transposition that
    computes it copies nothing. The module's attributes `xlac.argument_layouts`
    and `xlac.result_layouts` list the orders of the dimensions from the major
    one to the minor one.
  }];
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
  let options = [Option<"entry", "entry", "std::string", "\"main\"",
                        "the function whose arguments and results are changed">];
}

def EraseSizes : Pass<"xlac-erase-sizes", "::mlir::ModuleOp"> {
  let summary = "Replaces sizes of a static program by unknown ones, for tests";
  let description = [{
    About half of the sizes of arguments and results become unknown. An op whose
    type states its shape, such as `reshape`, becomes the op that takes the shape
    as an operand, computed from sizes of arguments. Shape refinement for the
    original sizes must give a program with the same results. No pipeline
    contains this pass.
  }];
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
  let options = [
    Option<"entry", "entry", "std::string", "\"main\"",
           "the function whose sizes are replaced">,
    Option<"seed", "seed", "uint64_t", "0", "seed of the choice of sizes">];
}

def ExpandChlo : Pass<"xlac-expand-chlo", "::mlir::ModuleOp"> {
  let summary = "Writes CHLO ops without code generation as StableHLO";
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
}

def ExpandRareOps : Pass<"xlac-expand-rare-ops", "::mlir::ModuleOp"> {
  let summary = "Writes rare StableHLO ops as common ones";
  let description = [{
    Products of large complex matrices become four products of their parts.
    Large convolutions over an image that zeros spread, as transposed
    convolutions and gradients of strided ones are, become convolutions over the
    image itself. If the dilation divides the size of the window, one convolution
    computes all results between two pixels as features. Otherwise, and for small
    images with many features, there is a convolution for each part of the
    window. The results interleave.
  }];
}

def UnrollLoops : Pass<"xlac-unroll-loops", "::mlir::ModuleOp"> {
  let summary = "Writes out short counted loops of elementwise work";
  let description = [{
    Loops of at most 16 trips and 400 ops in all, whose counter has a constant
    start, step and end and whose body is elementwise, become their trips.
  }];
}

def HoistFromLoops : Pass<"xlac-hoist-from-loops", "::mlir::ModuleOp"> {
  let summary = "Computes before loops what all iterations have in common";
  let description = [{
    An op whose operands are the same in each iteration moves before the loop, if
    it takes more time than reading its result. So does the product of weights
    and a slice of an array, if the iterations read most slices: the inputs of a
    recurrent layer are multiplied by their weights in one product.
  }];
}

def ChannelsLast : Pass<"xlac-channels-last", "::mlir::ModuleOp"> {
  let summary = "Lays images between convolutions out with channels last";
  let description = [{
    Convolutions with channels before the spatial dimensions, and the ops that
    they connect, get the form with channels last, if one of the convolutions is
    depthwise and the transpositions at the borders move few bytes. Vectors of
    all these ops are then channels, and threads compute the same rows of images
    in one op after the other.

    With `packs-weights`, this is also done if nearly all multiplications belong
    to convolutions whose channels fill the panels of a GEMM.
  }];
  let options = [Option<"packsWeights", "packs-weights", "bool", "false",
                        "whether weights that do not change are packed before "
                        "the run">];
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
}

def Simplify : Pass<"xlac-simplify", "::mlir::ModuleOp"> {
  let summary = "Folds, removes and merges StableHLO ops";
  let description = [{
    Folds exact ops on small constants, removes ops that do nothing, composes
    movement ops, then eliminates common subexpressions and dead code. Never
    folds transcendentals, nor makes a constant of more than 64 KiB.

    Writes ops that have slow kernels as others: sums of a `select_and_scatter`,
    and gradients of the weights of depthwise convolutions.

    Results keep their bits, except that products and convolutions may add in
    another order.
  }];
}

def SkipMaskedColumns : Pass<"xlac-skip-masked-columns", "::mlir::ModuleOp"> {
  let summary = "Leaves out of attention what a mask hides";
  let description = [{
    If iotas or constants decide the mask of an attention, as in causal attention
    and in attention to a window of positions, the rows of the scores are computed
    in blocks, each without the columns that the mask gives the same values.
    Reductions and the product over the columns combine the part that is computed
    with one column of the others, as often as there are others. So results are
    those of the specification, also if rows are hidden entirely, or values are
    infinite or NaN, except for the order of sums.
  }];
  let options = [Option<"minRows", "min-rows", "int64_t", "256",
                        "rows from which on scores are computed in blocks">,
                 Option<"minColumns", "min-columns", "int64_t", "512",
                        "columns from which on scores are computed in blocks">,
                 Option<"minScores", "min-scores", "int64_t", "524288",
                        "scores from which on they are computed in blocks">];
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
}

def SplitPrologue : Pass<"xlac-split-prologue", "::mlir::ModuleOp"> {
  let summary = "Moves ops that depend only on invariant arguments to a prologue";
  let description = [{
    The values that the rest of the entry function reads become results of a
    function marked `xlac.prologue`, which lists the numbers of the arguments it
    reads, and arguments of the entry behind its own. Values that cost no more
    to compute than to read stay. Donated arguments are never invariant.

    With `find`, arguments that the program uses as weights are invariant too:
    products and convolutions, and lookups such as gathers, are their only uses.
    The pass marks what is invariant with `xlac.invariant`.
  }];
  let options = [ListOption<"arguments", "arguments", "unsigned",
                            "numbers of the invariant arguments">,
                 Option<"find", "find", "bool", "false",
                        "whether weights are invariant as well">];
}

def BucketAllReduces : Pass<"xlac-bucket-all-reduces", "::mlir::ModuleOp"> {
  let summary = "Cuts all_reduces of many tensors into buckets of 4 MiB";
  let description = [{
    Tensors that are computed after fewer steps are in earlier buckets. Bits of
    results stay what they were.
  }];
}

def LowerCollectives : Pass<"xlac-lower-collectives", "::mlir::ModuleOp"> {
  let summary = "Writes collectives, transfers and feeds as xlac.tensor_collective";
  let description = [{
    Computations of reducing collectives become kernels over whole tensors.
    Tokens lose their uses: the order of collectives stands for them.
  }];
  let dependentDialects = ["::xlac::ir::XlacDialect"];
}

def RegatherShards : Pass<"xlac-regather-shards", "::mlir::ModuleOp"> {
  let summary = "Gathers shards again for uses that are far apart";
  let description = [{
    Applies to all_gathers of weights and of activations. Between two uses, as in
    the forward and the backward pass, only the shard takes memory. The gathered
    value stays if the program gathers little between them.
  }];
  let dependentDialects = ["::xlac::ir::XlacDialect"];
}

def BucketCollectives : Pass<"xlac-bucket-collectives", "::mlir::ModuleOp"> {
  let summary = "Combines all_gathers and reduce_scatters into buckets";
  let description = [{
    A bucket has collectives of equal groups and dimensions. Its all_gathers are
    carried out where the first one was, its reduce_scatters where the last one
    was. Its bytes are the bytes of all shards on one device, but at least
    256 KiB and at most 4 MiB. Bits of results stay what they were.
  }];
  let dependentDialects = ["::xlac::ir::XlacDialect"];
}

def LowerVectorProducts : Pass<"xlac-lower-vector-products", "::mlir::ModuleOp"> {
  let summary = "Turns products of large matrices and vectors into reductions";
  let description = [{
    Such a product is bound by the memory that holds the matrix. A reduction
    reads the matrix once, as it lies, and fuses with the ops around it. In a
    product with up to six columns, the operands are exchanged, because a GEMM
    with few rows reads the matrix in place too.
  }];
}

def HoistTransposes : Pass<"xlac-hoist-transposes", "::mlir::ModuleOp"> {
  let summary = "Transposes before elementwise ops instead of behind them";
  let description = [{
    The kernel of a large transposition computes elementwise ops on what it has
    transposed, not on what it reads. So ops that lead from an argument, or from
    narrower elements, to a transposition move behind it: images of bytes that
    are scaled and put into NCHW layout need one kernel.
  }];
}

def PadJoinedImages : Pass<"xlac-pad-joined-images", "::mlir::ModuleOp"> {
  let summary = "Pads images of convolutions that are concatenations";
  let description = [{
    The loop that joins the pieces of an image writes the padded image. The
    convolution then reads it in place, instead of copying it to pad it.
  }];
}

def FuseKernels : Pass<"xlac-fuse-kernels", "::mlir::ModuleOp"> {
  let summary = "Groups ops into kernels and outlines them";
  let dependentDialects = ["::xlac::ir::XlacDialect"];
}

def StartCollectives : Pass<"xlac-start-collectives", "::mlir::ModuleOp"> {
  let summary = "Splits collectives of 64 KiB and more into a start and a wait";
  let description = [{
    Those directly in a function; in loops and branches they stay whole.
  }];
  let dependentDialects = ["::xlac::ir::XlacDialect"];
}

def PrefetchGathers : Pass<"xlac-prefetch-gathers", "::mlir::ModuleOp"> {
  let summary = "Starts each all_gather of arguments while the previous one is used";
  let description = [{
    The start moves up to the first reader of the all_gather before it. Two of
    them take memory at a time.
  }];
  let dependentDialects = ["::xlac::ir::XlacDialect"];
}

def OrderLaunches : Pass<"xlac-order-launches", "::mlir::ModuleOp"> {
  let summary = "Orders kernels for the least memory, and collectives to overlap with them";
  let description = [{
    A launch moves up to where its operands are ready if it is the last reader
    of more bytes of the arena than its results take there. One that reads
    nothing of the arena moves down to its first reader. Collectives keep their
    order; started ones that take no more memory than what they send, and what
    only they read, move up to where they can run, behind launches that free a
    value in one pass over it. All are awaited where something reads their
    results. What updates an operand in place, or takes a donated argument's
    place, stays behind those that read it before.
  }];
}

def Rematerialize : Pass<"xlac-rematerialize", "::mlir::ModuleOp"> {
  let summary = "Computes values again instead of keeping them, to save memory";
  let description = [{
    Applies if arguments, results and the arena take more bytes than the limit.
    Copies the kernels and collectives that compute a value before a later use of
    it, so that it takes no memory until then. Values that save most bytes for
    the time of the copies are first. Their operands are arguments, values that
    are in memory anyway, copied as well, or kept if they are small. Results in
    the memory of donated arguments do not count. The order of ops must be final.
  }];
  let options = [Option<"limit", "limit", "int64_t", "INT64_MAX",
                        "bytes of arguments, results and the arena">];
}

def PlanBuffers : Pass<"xlac-plan-buffers", "::mlir::ModuleOp"> {
  let summary = "Turns the entry function into a program of launches over buffers";
  let dependentDialects = ["::xlac::ir::XlacDialect"];
}

#endif
