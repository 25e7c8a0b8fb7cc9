// Properties of ops in the table beyond those of MLIR's TableGen. xlac-tblgen
// generates plain C++ in lib/ops from them.
#ifndef XLAC_OPS_FACTS
#define XLAC_OPS_FACTS

/// The category of an op, used by fusion and scheduling.
class Xlac_Kind<string n> {
  string name = n;
}
def Xlac_Elementwise : Xlac_Kind<"elementwise">;
def Xlac_Reduction : Xlac_Kind<"reduction">;
def Xlac_Movement : Xlac_Kind<"movement">;
def Xlac_Contraction : Xlac_Kind<"contraction">;
def Xlac_Random : Xlac_Kind<"random">;
def Xlac_Collective : Xlac_Kind<"collective">;
def Xlac_Control : Xlac_Kind<"control">;
def Xlac_Other : Xlac_Kind<"other">;

/// A form of the op in portable artifacts, the VHLO op `<mnemonic>_v<number>`.
/// It has the version that introduced it, and the attributes (by their names
/// here or in VHLO) that the previous form lacked.
class Xlac_VhloForm<string version, list<string> newAttributes = []> {
  string since = version;
  list<string> added = newAttributes;
  bit oneValue = 0;    // one operand and one result; later forms have several
  bit hasRegions = 1;  // the form has the op's regions
  string retired = ""; // an attribute that later forms lack
  string behind = ""; // the attribute before the retired one
}
defvar Xlac_VhloFromStart = [Xlac_VhloForm<"0.9.0">];

//===- Properties of elementwise ops --------------------------------------===//

/// Sets of element types that an op supports.
class Xlac_Elements<list<string> names> {
  list<string> sets = names; // of enum ElementSet
}
def Xlac_AnyElement : Xlac_Elements<["Boolean", "Signed", "Unsigned", "Float",
                                     "Complex", "Quantized"]>;
def Xlac_Number : Xlac_Elements<["Signed", "Unsigned", "Float", "Complex",
                                 "Quantized"]>;
def Xlac_SignedNumber : Xlac_Elements<["Signed", "Float", "Complex",
                                       "Quantized"]>;
def Xlac_Integer : Xlac_Elements<["Signed", "Unsigned"]>;
def Xlac_BooleanOrInteger : Xlac_Elements<["Boolean", "Signed", "Unsigned"]>;
def Xlac_IntegerOrFloat : Xlac_Elements<["Signed", "Unsigned", "Float"]>;
def Xlac_ComplexOnly : Xlac_Elements<["Complex"]>;
def Xlac_FloatOnly : Xlac_Elements<["Float"]>;
def Xlac_FloatOrQuantized : Xlac_Elements<["Float", "Quantized"]>;
def Xlac_FloatOrComplex : Xlac_Elements<["Float", "Complex"]>;
def Xlac_FloatComplexOrQuantized : Xlac_Elements<["Float", "Complex",
                                                  "Quantized"]>;

/// Time per element in compiled code, for vectors in registers, relative to an
/// addition of the same type. Cheaper ops count as 1.
class Xlac_Cost<int real, int whole = 1, int pair = real> {
  int float = real;
  int integer = whole;
  int complex = pair;
}
def Xlac_Cheap : Xlac_Cost<1>;

/// Maximum error of the compiled function of floats, in units in the last place
/// (ULP). The error of f16 and narrower floats is at most 0.51.
class Xlac_Accuracy {
  bit exact = 0; // correctly rounded or no rounding; other fields unused
  string f32 = "0.5";
  string f64 = "0.5";
  string unfusedF32 = "0.5"; // without fused multiply-add
  string unfusedF64 = "0.5";
  string referenceF64 = "0"; // maximum error of the evaluator in f64
  string steepest = "0"; // maximum slope of the function; 0: unbounded
  string floorF64 = "0"; // smaller f64 results are measured in its ULP
  string referenceFloorF64 = "0"; // the same, for the error of the evaluator
  string aimF32 = "1"; // larger errors are bold in docs/generated/accuracy.md
}
def Xlac_Exact : Xlac_Accuracy {
  let exact = 1;
}
class Xlac_Ulps<string ulps32, string ulps64, string unfused32 = "2",
                string unfused64 = ulps64, string reference64 = "4",
                string slope = "0", string floor64 = "0",
                string referenceFloor64 = floor64, string aim32 = "2">
    : Xlac_Accuracy {
  let f32 = ulps32;
  let f64 = ulps64;
  let unfusedF32 = unfused32;
  let unfusedF64 = unfused64;
  let referenceF64 = reference64;
  let steepest = slope;
  let floorF64 = floor64;
  let referenceFloorF64 = referenceFloor64;
  let aimF32 = aim32;
}

/// The gradient: the function `<name>_rule` of lib/autograd. The op is smooth
/// between `from` and `to`; there a test compares the rule with finite
/// differences. Rules without such a range have tests of their own.
class Xlac_Gradient<string name, string low = "", string high = ""> {
  string rule = name; // "zero": constant wherever it is differentiable
  string from = low;
  string to = high;
}
def Xlac_ZeroGradient : Xlac_Gradient<"zero">;
/// No gradient: recorded programs never contain the op.
def Xlac_NoGradient : Xlac_Gradient<"none">;

/// Whether results of narrow floats must be rounded if the operands are exact.
class Xlac_Rounding<string n> {
  string name = n;
}
def Xlac_AlwaysRounds : Xlac_Rounding<"Always">;
/// Formats of one byte or less may lack values that wider formats have: a
/// negative zero, a sign, the next integer.
def Xlac_RoundsToBytes : Xlac_Rounding<"Bytes">;
/// The result is one of the operands or its absolute value.
def Xlac_NeverRounds : Xlac_Rounding<"Never">;

/// The functions of lib/Codegen that compute a vector of floats (Num) and of
/// complex numbers (Complex). Integers, and ops without a name here, are
/// implemented in ScalarOps*.cpp.
class Xlac_Lanes<string num, string complexNumbers,
                 Xlac_Rounding rounds = Xlac_AlwaysRounds> {
  bit present = 1;
  string real = num;
  string complex = complexNumbers;
  Xlac_Rounding rounding = rounds;
}
/// Expanded to other ops before code generation.
def Xlac_NoLanes : Xlac_Lanes<"", ""> {
  let present = 0;
}

/// The computation of the evaluator in lib/host, independent of lib/Codegen:
/// C++ expressions of x (and y), in double and in std::complex<double>.
/// Integers, and ops without an expression, are implemented in
/// lib/host/elementwise.cpp and scalar_math.cpp.
class Xlac_Evaluator<string doubles, string complexNumbers = ""> {
  string libm = ""; // the function of the C library, if there is one
  string real = doubles;
  string complex = complexNumbers;
  string predicate = "";
}
class Xlac_Libm<string name, string complexNumbers = "">
    : Xlac_Evaluator<"", complexNumbers> {
  let libm = name;
}
class Xlac_Predicate<string text> : Xlac_Evaluator<""> {
  let predicate = text;
}
def Xlac_OwnEvaluator : Xlac_Evaluator<"">;
def Xlac_NoEvaluator : Xlac_Evaluator<"">;

/// The element types of the op itself.
def Xlac_OwnElements : Xlac_Elements<[]>;

/// Random generation of the op by `xlac fuzz`: its weight, its function in
/// tools/xlac/fuzz/plans_elementwise.cpp, and its element types.
/// `keepsNumbers`: operands without NaN never give NaN.
class Xlac_Plan<int often, string make = "unary", bit keepsNumbers = 0,
                Xlac_Elements elements = Xlac_OwnElements> {
  int weight = often;
  string function = make;
  bit numbers = keepsNumbers;
  Xlac_Elements on = elements;
}
/// Not generated, or generated by plans of another family.
def Xlac_NoPlan : Xlac_Plan<0, "">;

/// The properties of one op. `shapeRule` is the name of the rule in lib/ops; if
/// it is empty, the rule has the op's name. `inferable`: the result types
/// follow from operands, attributes and regions. An op without a VHLO form is
/// not converted in an artifact.
class Xlac_OpFacts {
  Xlac_Kind kind = Xlac_Other;
  string shapeRule = "";
  bit inferable = 0;
  bit sideEffects = 0;
  list<Xlac_VhloForm> vhlo = [];  // its forms in portable artifacts
  list<string> vhloWithout = [];  // fields that none of the forms has
  /// Cost of one element of the result; reductions have a cost model of their
  /// own.
  Xlac_Cost cost = ?;
  // Elementwise ops must have all of these; xlac-tblgen rejects an op without
  // one.
  Xlac_Elements elements = ?;
  Xlac_Accuracy accuracy = ?;
  Xlac_Gradient gradient = ?;
  Xlac_Lanes lanes = ?;
  Xlac_Evaluator evaluator = ?;
  Xlac_Plan fuzz = ?;
}

#endif
