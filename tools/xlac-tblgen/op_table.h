// The op table as the generators see it: ops with their operands, attributes,
// regions and facts, in the order of their full names.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Record;
class RecordKeeper;
class raw_ostream;
} // namespace llvm

namespace xlac_tblgen {

struct Operand {
  std::string name, category; ///< OperandCategory: Tensor, Token or Any
  bool variadic = false;
  bool sizes = false; ///< gives sizes of the result
};

/// How an attribute's value is held by MLIR, where its C++ type does not tell.
enum class Form { Plain, Unit, Enum, IntegerEnum, EnumArray };

struct Attribute {
  std::string name;
  std::string cpp_type;      ///< without std::optional
  std::string default_value; ///< initializer, or empty
  std::string attr_class;    ///< MLIR class of an enum's attribute
  Form form = Form::Plain;
  bool optional = false;    ///< std::optional member
  bool has_default = false; ///< may be absent; then it has its default
};

/// One form of an op in portable artifacts; Xlac_VhloForm says more.
struct VhloForm {
  std::string since;
  std::vector<std::string> added;
  bool one_value = false, has_regions = true;
  std::string retired, behind;
};

/// Time of one element, by the class of its type; Xlac_Cost says more.
struct Cost {
  int64_t floating = 1, integer = 1, complex = 1;
};

/// What the table says of an elementwise op; OpFacts.td says more.
struct Elementwise {
  std::vector<std::string> elements; ///< of enum ElementSet
  bool exact = false;
  /// Numbers as text: those of struct Accuracy, in its order.
  std::vector<std::string> accuracy;
  std::string gradient; ///< the rule's function, or empty
  std::string from, to;
  bool has_lanes = false;
  std::string lanes, complex_lanes, rounding;
  std::string libm, real, complex, predicate; ///< a name and C++ expressions
  int64_t weight = 0;
  std::string plan;
  bool keeps_numbers = false;
  std::vector<std::string> fuzz_elements;
};

struct Op {
  std::string name; ///< "stablehlo.add"
  std::string kind; ///< "Add", "ChloAcos"
  std::string op_class, rule;
  std::vector<Operand> operands, results;
  std::vector<Attribute> attributes;
  int regions = 0;
  bool variadic_regions = false;
  bool commutative = false, inferable = false, side_effects = false;
  bool terminator = false;
  std::vector<VhloForm> vhlo;
  std::vector<std::string> vhlo_without;
  Cost cost;
  std::optional<Elementwise> elementwise; ///< of ops of that class
};

struct Enum {
  std::string name;
  std::vector<std::pair<std::string, int64_t>> cases;
};

/// An attribute whose fields are attributes of the op in portable artifacts.
struct FlattenedAttribute {
  struct Field {
    std::string name, vhlo_name;
    std::string cpp_type; ///< what holds a value of it
  };
  std::string name; ///< its C++ class without Attr
  std::vector<Field> fields;
};

struct Table {
  std::vector<Op> ops;
  std::vector<Enum> enums;
  std::vector<FlattenedAttribute> spreads;
};

/// Reads the table; a record that has no plain form ends the program with a
/// message at its place in the td file.
Table read_table(const llvm::RecordKeeper &records);

/// Reads into `op` what `record` says of an elementwise op; a field without a
/// value ends the program with a message at the record.
void read_elementwise(const llvm::Record *record, Op &op);

void emit_kinds(const Table &table, llvm::raw_ostream &out);
void emit_facts(const Table &table, llvm::raw_ostream &out);
void emit_elementwise_facts(const Table &table, llvm::raw_ostream &out);
void emit_elementwise_functions(const Table &table, llvm::raw_ostream &out);
void emit_rules(const Table &table, llvm::raw_ostream &out);
void emit_enums(const Table &table, llvm::raw_ostream &out);
void emit_enum_names(const Table &table, llvm::raw_ostream &out);
void emit_attributes(const Table &table, llvm::raw_ostream &out);
void emit_dispatch(const Table &table, llvm::raw_ostream &out);
void emit_conversion(const Table &table, llvm::raw_ostream &out);
void emit_vhlo_ops(const Table &table, llvm::raw_ostream &out);
void emit_vhlo_fields(const Table &table, llvm::raw_ostream &out);
void emit_docs(const Table &table, llvm::raw_ostream &out);

/// "dot_general" becomes "DotGeneral".
std::string camel_case(llvm::StringRef name);

} // namespace xlac_tblgen
