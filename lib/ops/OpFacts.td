// Facts that the table gives of an op beyond what MLIR's TableGen knows;
// xlac-tblgen turns them into lib/ops' plain C++.
#ifndef XLAC_OPS_FACTS
#define XLAC_OPS_FACTS

/// What an op does to its data; what fusion and scheduling ask first.
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

/// One form that an op has had in portable artifacts, the VHLO op
/// `<mnemonic>_v<number>`: the version that brought it, and the attributes (by
/// their names here or in VHLO) that the form before it lacked.
class Xlac_VhloForm<string version, list<string> newAttributes = []> {
  string since = version;
  list<string> added = newAttributes;
  bit oneValue = 0;    // one operand and one result where others have more
  bit hasRegions = 1;  // the form has the op's regions
  string retired = ""; // an attribute that later forms lack
  string behind = "";  // the attribute before the retired one
}
defvar Xlac_VhloFromStart = [Xlac_VhloForm<"0.9.0">];

/// The facts of one op. `shapeRule` names the rule in lib/ops; where it is
/// empty the rule bears the op's own name. `inferable` says that operands,
/// attributes and regions alone give the result types. An op without a VHLO form
/// stays as it is in an artifact.
class Xlac_OpFacts {
  Xlac_Kind kind = Xlac_Other;
  string shapeRule = "";
  bit inferable = 0;
  bit sideEffects = 0;
  list<Xlac_VhloForm> vhlo = [];  // its forms in portable artifacts
  list<string> vhloWithout = [];  // fields that none of the forms has
}

#endif
