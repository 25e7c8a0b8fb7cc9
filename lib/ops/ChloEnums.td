// CHLO's enums, in a separate file so that their code is generated without
// StableHLO's.
#ifndef XLAC_OPS_CHLO_ENUMS
#define XLAC_OPS_CHLO_ENUMS

include "mlir/IR/EnumAttr.td"

class Chlo_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::xlac::chlo";
  let genSpecializedAttr = 0;
}

def Chlo_ComparisonDirection : Chlo_Enum<"ComparisonDirection",
    "Which comparison", [
    I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
    I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
    I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;

def Chlo_ComparisonType : Chlo_Enum<"ComparisonType",
    "How values are ordered", [
    I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
    I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
    I32EnumAttrCase<"UNSIGNED", 4>]>;

def Chlo_Precision : Chlo_Enum<"Precision",
    "Precision of a contraction's operand", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
    I32EnumAttrCase<"HIGHEST", 2>]>;

#endif
