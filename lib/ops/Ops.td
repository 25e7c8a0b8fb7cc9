// All op kinds of programs; the input of xlac-tblgen.
#ifndef XLAC_OPS_ALL
#define XLAC_OPS_ALL

include "ops/StablehloOps.td"
include "ops/ChloOps.td"

// Calls and returns of functions. MLIR's func dialect defines the ops; only
// their properties are declared here.
def Xlac_Func : Dialect {
  let name = "func";
}

def Xlac_FuncCall : Op<Xlac_Func, "call">, Xlac_OpFacts {
  let arguments = (ins Variadic<Stablehlo_ValueOrBuffer>:$operands,
                       FlatSymbolRefAttr:$callee);
  let results = (outs Variadic<Stablehlo_ValueOrBuffer>:$results);
  let kind = Xlac_Control;
  let shapeRule = "func_call";
  let vhlo = Xlac_VhloFromStart;
}

def Xlac_FuncReturn : Op<Xlac_Func, "return", [Terminator]>, Xlac_OpFacts {
  let arguments = (ins Variadic<Stablehlo_ValueOrBuffer>:$operands);
  let kind = Xlac_Control;
  let shapeRule = "return";
}

#endif
