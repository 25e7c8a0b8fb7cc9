// The table of front-end functions (lib/tensor/functions/functions.td) for the
// generators: the C++ declaration of each record, parsed.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class Record;
class RecordKeeper;
class raw_ostream;
} // namespace llvm

namespace xlac_tblgen {

struct Parameter {
  std::string type, name;
  std::string default_value; ///< empty for a required argument
};

/// A public function; `name` is without its namespace.
struct Function {
  std::string result, name, doc;
  std::string cxx_namespace; ///< within xlac, or empty
  std::string family;        ///< the name of its td file
  std::vector<Parameter> parameters;
  bool method = false, in_place = false, out = false;
  size_t self = 0; ///< the parameter that is *this in methods
  const llvm::Record *record = nullptr;
};

/// An overload of a function that also takes the tensors that it writes to.
struct OutForm {
  /// including these tensors, without defaults
  std::vector<Parameter> parameters;
  size_t results = 1; ///< number of written tensors
};

/// Returns all functions by family, in the order of their records. A
/// declaration that cannot be parsed ends the program with a message at its
/// location.
std::vector<Function> read_functions(const llvm::RecordKeeper &records);

/// Returns the out forms of `function` that are not ambiguous with other
/// functions.
std::vector<OutForm> out_forms(const Function &function,
                               const std::vector<Function> &all);

/// Returns "xlac::linalg::norm".
std::string qualified_name(const Function &function);

/// Returns "const Tensor &self, Scalar alpha = 1", without the parameter
/// `skipped`.
std::string parameter_list(const std::vector<Parameter> &parameters,
                           bool with_defaults, size_t skipped = ~size_t{0});

/// Returns the type without qualifiers: "Tensor" for "const Tensor &".
std::string plain_type(const std::string &type);

using Functions = std::vector<Function>;
void emit_function_declarations(const Functions &all, llvm::raw_ostream &out);
void emit_methods(const Functions &all, llvm::raw_ostream &out);
/// Emits methods, in-place and out forms of the functions of one family.
void emit_function_definitions(const Functions &all, llvm::StringRef family,
                               llvm::raw_ostream &out);
/// Emits the entries of one family in the table by which tests call functions.
void emit_function_dispatch(const Functions &all, llvm::StringRef family,
                            llvm::raw_ostream &out);
void emit_function_docs(const Functions &all, llvm::raw_ostream &out);

} // namespace xlac_tblgen
