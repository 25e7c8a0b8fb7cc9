// xlac-tblgen: generates C++ for lib/ops and for the attribute conversions of
// the dialects from the op table (lib/ops/Ops.td). It also generates the public
// functions of the tensor component from the table of front-end functions
// (lib/tensor/functions).
#include "function_table.h"
#include "op_table.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/Record.h"

namespace {

llvm::cl::opt<std::string> output("gen", llvm::cl::desc("What to generate"),
                                  llvm::cl::Required);
llvm::cl::opt<std::string> family(
    "family",
    llvm::cl::desc("The family that function-definitions and -dispatch write"));

using Emitter = void (*)(const llvm::RecordKeeper &, llvm::raw_ostream &);

template <auto emit>
void from_ops(const llvm::RecordKeeper &records, llvm::raw_ostream &out) {
  emit(xlac_tblgen::read_table(records), out);
}

template <auto emit>
void from_functions(const llvm::RecordKeeper &records, llvm::raw_ostream &out) {
  emit(xlac_tblgen::read_functions(records), out);
}

template <auto emit>
void from_family(const llvm::RecordKeeper &records, llvm::raw_ostream &out) {
  emit(xlac_tblgen::read_functions(records), family, out);
}

struct Generator {
  const char *name, *summary; ///< no summary: the output is not C++
  Emitter emit;
};

constexpr Generator kGenerators[] = {
    {"kinds", "enum class OpKind", from_ops<xlac_tblgen::emit_kinds>},
    {"facts", "The table of facts", from_ops<xlac_tblgen::emit_facts>},
    {"elementwise-facts", "Facts of elementwise ops",
     from_ops<xlac_tblgen::emit_elementwise_facts>},
    {"elementwise-functions", "Functions of elementwise ops, by macros",
     from_ops<xlac_tblgen::emit_elementwise_functions>},
    {"rules", "The table of shape rules", from_ops<xlac_tblgen::emit_rules>},
    {"enums", "Enums of attributes", from_ops<xlac_tblgen::emit_enums>},
    {"enum-names", "Names of enum values",
     from_ops<xlac_tblgen::emit_enum_names>},
    {"attributes", "Attribute structs", from_ops<xlac_tblgen::emit_attributes>},
    {"dispatch", "From kind to struct", from_ops<xlac_tblgen::emit_dispatch>},
    {"conversion", "Structs from and to MLIR",
     from_ops<xlac_tblgen::emit_conversion>},
    {"vhlo-ops", "The ops of portable artifacts",
     from_ops<xlac_tblgen::emit_vhlo_ops>},
    {"vhlo-fields", "Attributes to fields and back",
     from_ops<xlac_tblgen::emit_vhlo_fields>},
    {"docs", nullptr, from_ops<xlac_tblgen::emit_docs>},
    {"function-declarations", "Front-end functions",
     from_functions<xlac_tblgen::emit_function_declarations>},
    {"methods", "Methods of class Tensor",
     from_functions<xlac_tblgen::emit_methods>},
    {"function-definitions", "Methods, in-place and out forms",
     from_family<xlac_tblgen::emit_function_definitions>},
    {"function-dispatch", "Functions by name",
     from_family<xlac_tblgen::emit_function_dispatch>},
    {"function-docs", nullptr, from_functions<xlac_tblgen::emit_function_docs>},
};

bool run(llvm::raw_ostream &out, const llvm::RecordKeeper &records) {
  for (const Generator &generator : kGenerators) {
    if (output != generator.name)
      continue;
    if (generator.summary)
      out << "// " << generator.summary << ", written by xlac-tblgen.\n\n";
    generator.emit(records, out);
    return false;
  }
  llvm::errs() << "xlac-tblgen: unknown output '" << output << "'; known are";
  for (const Generator &generator : kGenerators)
    llvm::errs() << ' ' << generator.name;
  llvm::errs() << '\n';
  return true;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv);
  llvm::TableGenMainFn function = run;
  return llvm::TableGenMain(argv[0], function);
}
