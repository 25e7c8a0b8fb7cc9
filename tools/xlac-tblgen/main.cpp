// xlac-tblgen: turns the op table (lib/ops/Ops.td) into plain C++ for lib/ops
// and into the attribute conversions of the dialects.
#include "op_table.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/Record.h"

namespace {

using Emitter = void (*)(const xlac_tblgen::Table &, llvm::raw_ostream &);

struct Generator {
  const char *name, *summary; ///< no summary: what comes out is no C++
  Emitter emit;
};

constexpr Generator kGenerators[] = {
    {"kinds", "enum class OpKind", xlac_tblgen::emit_kinds},
    {"facts", "The table of facts", xlac_tblgen::emit_facts},
    {"rules", "The table of shape rules", xlac_tblgen::emit_rules},
    {"enums", "Enums of attributes", xlac_tblgen::emit_enums},
    {"enum-names", "Names of enum values", xlac_tblgen::emit_enum_names},
    {"attributes", "Attribute structs", xlac_tblgen::emit_attributes},
    {"dispatch", "From kind to struct", xlac_tblgen::emit_dispatch},
    {"conversion", "Structs from and to MLIR", xlac_tblgen::emit_conversion},
    {"vhlo-ops", "The ops of portable artifacts", xlac_tblgen::emit_vhlo_ops},
    {"vhlo-fields", "Attributes to fields and back",
     xlac_tblgen::emit_vhlo_fields},
    {"docs", nullptr, xlac_tblgen::emit_docs},
};

llvm::cl::opt<std::string> output("gen", llvm::cl::desc("What to generate"),
                                  llvm::cl::Required);

bool run(llvm::raw_ostream &out, const llvm::RecordKeeper &records) {
  for (const Generator &generator : kGenerators) {
    if (output != generator.name)
      continue;
    if (generator.summary)
      out << "// " << generator.summary << ", written by xlac-tblgen.\n\n";
    generator.emit(xlac_tblgen::read_table(records), out);
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
