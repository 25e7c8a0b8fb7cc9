// The op table for the generators: ops with their operands, attributes, regions
// and facts, in the order of their full names.
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

/// The representation of an attribute in MLIR, where its C++ type does not
/// determine it.
enum class Form { Plain, Unit, Enum, IntegerEnum, EnumArray };

struct Attribute {
  std::string name;
  std::string cpp_type;      ///< without std::optional
  std::string default_value; ///< initializer, or empty
  std::string attr_class;    ///< MLIR class of an enum's attribute
  Form form = Form::Plain;
  bool optional = false;    ///< std::optional member
  bool has_default = false; ///< if absent it has its default
};

/// One form of an op in portable artifacts; see Xlac_VhloForm.
struct VhloForm {
  std::string since;
  std::vector<std::string> added;
  bool one_value = false, has_regions = true;
  std::string retired, behind;
};

/// The time per element by class of type; see Xlac_Cost.
struct Cost {
  int64_t floating = 1, integer = 1, complex = 1;
};

/// The facts of an elementwise op; see OpFacts.td.
struct Elementwise {
  std::vector<std::string> elements; ///< of enum ElementSet
  bool exact = false;
  /// The members of struct Accuracy in order, as text.
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
  std::optional<Elementwise> elementwise; ///< for elementwise ops
};

struct Enum {
  std::string name;
  std::vector<std::pair<std::string, int64_t>> cases;
};

/// An attribute whose fields are separate attributes of the op in portable
/// artifacts.
struct FlattenedAttribute {
  struct Field {
    std::string name, vhlo_name;
    std::string cpp_type; ///< the type that holds its value
  };
  std::string name; ///< its C++ class without Attr
  std::vector<Field> fields;
};

struct Table {
  std::vector<Op> ops;
  std::vector<Enum> enums;
  std::vector<FlattenedAttribute> spreads;
};

/// Reads the table. A record that has no plain C++ form ends the program with a
/// message at its location in the td file.
Table read_table(const llvm::RecordKeeper &records);

/// Reads the elementwise facts of `record` into `op`. A field without a value
/// ends the program with a message at the record.
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

/// Converts "dot_general" to "DotGeneral".
std::string camel_case(llvm::StringRef name);

} // namespace xlac_tblgen
