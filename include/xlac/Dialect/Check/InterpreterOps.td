// The interpreter dialect: a conformance case runs several programs in parallel
// and prints values with it.
#ifndef XLAC_DIALECT_CHECK_INTERPRETEROPS
#define XLAC_DIALECT_CHECK_INTERPRETEROPS

include "ops/StablehloBase.td"

def Interpreter_Dialect : Dialect {
  let name = "interpreter";
  let cppNamespace = "::xlac::interpreter";
  let summary = "Running and looking at the programs of a test";
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
}

class Interpreter_Op<string mnemonic, list<Trait> traits = []>
    : Op<Interpreter_Dialect, mnemonic, traits>;

def Interpreter_RunParallelOp : Interpreter_Op<"run_parallel"> {
  let summary = "Runs a grid of programs, each on a device of its own";
  let description = [{
    Rows of `programs` are replicas, columns partitions. Operands and results
    are those of the programs, one program after another. `infeed` names
    functions whose results feed the programs' infeed, in order.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$infeed,
                       TypedArrayAttrBase<FlatSymbolRefArrayAttr,
                                          "rows of programs">:$programs);
  let results = (outs Variadic<Stablehlo_Value>:$results);
}

def Interpreter_PrintOp : Interpreter_Op<"print"> {
  let summary = "Prints a value";
  let arguments = (ins Stablehlo_Value:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Interpreter_ProbeOp : Interpreter_Op<"probe", [
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "Writes a value to a file and passes it on";
  let arguments = (ins Stablehlo_Tensor:$operand, StrAttr:$probe_id);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `probe_id` `=` $probe_id attr-dict `:` type($result)
  }];
}

#endif
