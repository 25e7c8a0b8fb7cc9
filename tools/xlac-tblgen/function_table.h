// The table of front-end functions (lib/tensor/functions/functions.td) as the
// generators see it: each record's C++ declaration taken apart.
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
  std::string default_value; ///< empty when the argument is required
};

/// A public function; `name` is without its namespace.
struct Function {
  std::string result, name, doc;
  std::string cxx_namespace; ///< within xlac, or empty
  std::string family;        ///< name of its td file
  std::vector<Parameter> parameters;
  bool method = false, in_place = false, out = false;
  size_t self = 0; ///< the parameter that is *this in methods
  const llvm::Record *record = nullptr;
};

/// A form of a function that also takes the tensors it writes.
struct OutForm {
  std::vector<Parameter> parameters; ///< with the tensors, without defaults
  size_t results = 1;                ///< how many of them are written
};

/// All functions, by family, in the order of their records. A declaration that
/// cannot be read ends the program with a message at its place.
std::vector<Function> read_functions(const llvm::RecordKeeper &records);

/// The out forms of `function` that no other function's arguments can mean.
std::vector<OutForm> out_forms(const Function &function,
                               const std::vector<Function> &all);

/// "xlac::linalg::norm".
std::string qualified_name(const Function &function);

/// "const Tensor &self, Scalar alpha = 1" of all but the parameter `skipped`.
std::string parameter_list(const std::vector<Parameter> &parameters,
                           bool with_defaults, size_t skipped = ~size_t{0});

/// The plain type of a parameter: "const Tensor &" gives "Tensor".
std::string plain_type(const std::string &type);

using Functions = std::vector<Function>;
void emit_function_declarations(const Functions &all, llvm::raw_ostream &out);
void emit_methods(const Functions &all, llvm::raw_ostream &out);
/// Methods, in-place and out forms of the functions of one family.
void emit_function_definitions(const Functions &all, llvm::StringRef family,
                               llvm::raw_ostream &out);
/// The entries of one family in the table that tests call functions by.
void emit_function_dispatch(const Functions &all, llvm::StringRef family,
                            llvm::raw_ostream &out);
void emit_function_docs(const Functions &all, llvm::raw_ostream &out);

} // namespace xlac_tblgen
