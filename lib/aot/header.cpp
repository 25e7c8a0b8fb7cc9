#include "header.h"

#include "names.h"

#include "xlac/abi/abi.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace xlac::aot {

namespace {

constexpr char kStatus[] = R"(#ifndef XLAC_RT_STATUS
#define XLAC_RT_STATUS
/* Results of functions. xlac/rt.h has the same list. */
enum xlac_rt_status {
  XLAC_RT_OK = 0,
  XLAC_RT_FAILED = 1,       /* the program failed */
  XLAC_RT_NO_MEMORY = 2,    /* a routine of libxlac_rt.a found no memory */
  XLAC_RT_BAD_ARGUMENT = 3, /* a pointer is null or not aligned */
  XLAC_RT_BAD_SIZES = 4,    /* the object has no code for these sizes */
  XLAC_RT_BAD_CPU = 5,      /* the processor lacks features of the target */
  XLAC_RT_BAD_WEIGHTS = 6   /* not the weights file of this program */
};
#endif
/* Threads and messages of calls, from xlac/rt.h. A null pointer: the call is
 * serial, and its status alone tells about failures. */
struct xlac_rt_context;
)";

/// The C type of elements. 16-bit and narrower floats are bit patterns; complex
/// numbers are pairs.
const char *c_type(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::UI2:
  case ElementType::UI4:
  case ElementType::UI8:
  case ElementType::F4E2M1FN:
  case ElementType::F6E2M3FN:
  case ElementType::F6E3M2FN:
  case ElementType::F8E3M4:
  case ElementType::F8E4M3:
  case ElementType::F8E4M3B11FNUZ:
  case ElementType::F8E4M3FN:
  case ElementType::F8E4M3FNUZ:
  case ElementType::F8E5M2:
  case ElementType::F8E5M2FNUZ:
  case ElementType::F8E8M0FNU:
    return "uint8_t";
  case ElementType::I2:
  case ElementType::I4:
  case ElementType::I8:
    return "int8_t";
  case ElementType::I16:
    return "int16_t";
  case ElementType::I32:
    return "int32_t";
  case ElementType::I64:
    return "int64_t";
  case ElementType::UI16:
  case ElementType::BF16:
  case ElementType::F16:
    return "uint16_t";
  case ElementType::UI32:
    return "uint32_t";
  case ElementType::UI64:
    return "uint64_t";
  case ElementType::F32:
  case ElementType::Complex64:
    return "float";
  case ElementType::F64:
  case ElementType::Complex128:
    return "double";
  }
  return "void";
}

/// What the C type does not say.
const char *note_of(ElementType type) {
  if (is_boolean(type))
    return ", 0 or 1";
  if (is_complex(type))
    return ", real and imaginary parts";
  if (byte_size(type) * 8 != bit_width(type))
    return ", one byte each";
  if (is_float(type) && type != ElementType::F32 && type != ElementType::F64)
    return ", bit patterns";
  return "";
}

/// Text that a comment can contain.
std::string in_comment(std::string text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < ' ')
      text[i] = ' ';
    if (i > 0 && ((text[i - 1] == '*' && text[i] == '/') ||
                  (text[i - 1] == '/' && text[i] == '*')))
      text[i - 1] = ' ';
  }
  return text;
}

/// An argument or result.
struct Value {
  std::string name;  ///< in C
  std::string label; ///< in the source, or empty
  Type type;         ///< of the source
  Type first;        ///< with the first list of sizes
  std::vector<std::string> dims;
};

class HeaderWriter {
public:
  HeaderWriter(const Request &request, const ObjectFiles &files)
      : request_(request), files_(files) {}

  void begin(const std::string &source);
  void program(const HeaderProgram &program);
  void end();

  std::string take() { return std::move(text_); }

private:
  template <class... T> void line(fmt::format_string<T...> form, T &&...args) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<T>(args)...);
    text_ += '\n';
  }
  std::vector<Value> values(const std::vector<Type> &types,
                            const std::vector<Type> &first,
                            const std::vector<std::string> &labels,
                            std::string_view unnamed,
                            std::vector<std::string> &taken) const;
  void describe(const HeaderProgram &program);
  void constants(const std::string &prefix, const Value &value);
  void structure(const std::string &name, const std::vector<Value> &values,
                 bool are_arguments);
  void memory(const HeaderProgram &program);
  void function(const std::string &name,
                const std::vector<std::string> &parameters);
  void functions(const HeaderProgram &program);
  void size_functions(const std::string &prefix,
                      const std::vector<std::string> &sizes, bool prepares);
  bool is_symbolic() const { return !request_.symbols.empty(); }

  const Request &request_;
  const ObjectFiles &files_;
  std::string text_;
  std::vector<Value> arguments_, results_;
};

std::vector<Value> HeaderWriter::values(const std::vector<Type> &types,
                                        const std::vector<Type> &first,
                                        const std::vector<std::string> &labels,
                                        std::string_view unnamed,
                                        std::vector<std::string> &taken) const {
  std::vector<std::string> all = labels;
  all.resize(first.size());
  std::vector<std::string> names = c_names(all, unnamed, taken);
  std::vector<Value> result;
  for (size_t i = 0; i < first.size(); ++i) {
    Value value{names[i], in_comment(all[i]), types[i], first[i], {}};
    if (types[i].is_tensor())
      for (int64_t dim : types[i].tensor().dims)
        value.dims.push_back(dim == kDynamic ? "?" : std::to_string(dim));
    result.push_back(std::move(value));
  }
  return result;
}

void HeaderWriter::begin(const std::string &source) {
  std::string guard = capitals(request_.name) + "_H";
  line("/* Compiled by xlac from {}. C11, also for C++.", in_comment(source));
  line(" *");
  line(" * All functions may be called from several threads at the same time, "
       "with\n * other memory and other contexts. Tensors are row-major.");
  if (!files_.routines.empty())
    line(" *\n * Programs link libxlac_rt.a, of which the object calls {}.",
         fmt::join(files_.routines, ", "));
  line(" */");
  line("#ifndef {}\n#define {}\n", guard, guard);
  line("#include <stdint.h>\n");
  line("#ifdef __cplusplus\nextern \"C\" {{\n#endif\n");
  text_ += kStatus;
  std::string big = capitals(request_.name);
  line(
      "\n/* Alignment of arenas, results{}. Arguments may have any address. */",
      request_.weights_file ? ", prepared values and weights"
                            : " and prepared values");
  line("#define {}_ALIGNMENT {}", big, XLAC_ALIGNMENT);
  if (request_.weights_file) {
    line("\n/* The file with the constants. Functions take the address of its "
         "contents,\n * for example a mapping of the file. */");
    line("#define {}_WEIGHTS_FILE \"{}.weights\"", big, request_.name);
    line("#define {}_WEIGHTS_BYTES {}", big, files_.weights.size());
  }
  line("\n/* The target whose code runs on this processor, or null. */");
  line("const char *{}_target(void);", request_.name);
  std::string targets;
  for (const TargetProfile &target : request_.targets)
    targets += (targets.empty() ? "" : ", ") + target.name;
  line("/* Lets later calls run the code for this target: {}.", targets);
  line(" * Null: the first of them that this processor supports, which is the "
       "default.\n * XLAC_RT_BAD_CPU if the object has no such target, or this "
       "processor does not\n * support it. */");
  line("int32_t {}_use_target(const char *target);", request_.name);
}

void HeaderWriter::describe(const HeaderProgram &program) {
  line("\n/* Function @{}.", program.entry);
  auto list = [&](const char *what, const std::vector<Value> &values) {
    line(" *\n * {}:{}", what, values.empty() ? " none" : "");
    for (const Value &value : values)
      line(" *   {}: {}{}", value.name, to_string(value.type),
           value.label.empty() || value.label == value.name
               ? ""
               : " \"" + value.label + "\"");
  };
  list("Arguments", arguments_);
  list("Results", results_);
  const runtime::ExecutableImage &image =
      program.program->sizes.front().codes.front().image;
  if (!image.aliases.empty())
    line(" *");
  for (AliasPair pair : image.aliases)
    line(" * {} may have the memory of {}, which the call then overwrites.",
         results_[pair.result].name, arguments_[pair.argument].name);
  if (is_symbolic()) {
    line(" *\n * Sizes:");
    for (const SizeSymbol &symbol : request_.symbols) {
      int64_t low = symbol.values.front(), high = symbol.values.back();
      if (high - low + 1 == static_cast<int64_t>(symbol.values.size()))
        line(" *   {}: {} to {}", symbol.name, low, high);
      else
        line(" *   {}: {}", symbol.name, fmt::join(symbol.values, ", "));
    }
    for (const SymbolicArgument &argument : request_.arguments) {
      std::vector<std::string> dims;
      for (const SizeOfDim &dim : argument.dims)
        dims.push_back(dim.symbol ? request_.symbols[*dim.symbol].name
                                  : std::to_string(dim.number));
      line(" *   {} has {}", arguments_[argument.argument].name,
           fmt::join(dims, " x "));
    }
  }
  line(" */");
}

void HeaderWriter::constants(const std::string &prefix, const Value &value) {
  if (!value.type.is_tensor())
    return;
  std::string big = capitals(prefix + "_" + value.name);
  const TensorType &type = value.type.tensor();
  line("#define {}_TYPE \"{}\"", big, element_type_name(type.element));
  line("#define {}_RANK {}", big, type.rank());
  if (!type.is_static())
    return;
  if (type.rank() > 0)
    line("#define {}_SHAPE {{{}}}", big, fmt::join(type.dims, ", "));
  line("#define {}_ELEMENTS {}", big, type.element_count().value_or(0));
  line("#define {}_BYTES {}", big, type.byte_count().value_or(0));
}

void HeaderWriter::structure(const std::string &name,
                             const std::vector<Value> &values,
                             bool are_arguments) {
  line("typedef struct {} {{", name);
  for (const Value &value : values) {
    const char *constness = are_arguments ? "const " : "";
    if (!value.type.is_tensor()) {
      line("  {}void *{}; /* token, may be null */", constness, value.name);
      continue;
    }
    ElementType element = value.type.tensor().element;
    std::string dims;
    for (const std::string &dim : value.dims)
      dims += fmt::format("[{}]", dim);
    line("  {}{} *{}; /* {}{}{} */", constness, c_type(element), value.name,
         element_type_name(element), dims, note_of(element));
  }
  if (values.empty())
    line("  {}void *none; /* not used */", are_arguments ? "const " : "");
  line("}} {};\n", name);
}

/// Sizes of memory, if they do not depend on sizes of arguments.
void HeaderWriter::memory(const HeaderProgram &program) {
  std::string big = capitals(program.program->prefix);
  int64_t arena = XLAC_ALIGNMENT, prepared = 0;
  for (const ObjectSizes &sizes : program.program->sizes)
    for (const ObjectCode &code : sizes.codes) {
      for (bool is_prologue : {false, true})
        arena = std::max(
            arena, object_memory(code.image, is_prologue, request_.weights_file)
                       .bytes);
      prepared =
          std::max(prepared, prepared_offsets(code.image.prologue).back());
    }
  line("/* Bytes of working memory of a call{}. */",
       is_symbolic() ? ", enough for all sizes" : "");
  line("#define {}_ARENA_BYTES {}", big, arena);
  if (prepared > 0) {
    line("/* Bytes of the values that {}_prepare computes{}. */",
         program.program->prefix,
         is_symbolic() ? ", enough for all sizes" : "");
    line("#define {}_PREPARED_BYTES {}", big, prepared);
  }
  line("");
}

/// Declares a function with a parameter per line.
void HeaderWriter::function(const std::string &name,
                            const std::vector<std::string> &parameters) {
  line("int32_t {}(\n    {});", name, fmt::join(parameters, ",\n    "));
}

void HeaderWriter::functions(const HeaderProgram &program) {
  const std::string &prefix = program.program->prefix;
  const runtime::Prologue &prologue =
      program.program->sizes.front().codes.front().image.prologue;
  std::vector<std::string> sizes;
  for (const SizeSymbol &symbol : request_.symbols)
    sizes.push_back("int64_t " + symbol.name);
  auto parameters = [&](std::vector<std::string> own) {
    std::vector<std::string> all = sizes;
    all.push_back("const " + prefix + "_arguments *arguments");
    all.insert(all.end(), own.begin(), own.end());
    if (request_.weights_file)
      all.push_back("const void *weights");
    all.push_back("void *arena");
    all.push_back("struct xlac_rt_context *context");
    return all;
  };
  if (!prologue.empty()) {
    std::vector<std::string> invariant;
    for (uint32_t number : prologue.arguments)
      invariant.push_back(arguments_[number].name);
    line("/* Computes what depends only on arguments that stay the same from "
         "call to call,\n * into `prepared`. Call it again when one of them "
         "changes: {}. */",
         fmt::join(invariant, ", "));
    function(prefix + "_prepare", parameters({"void *prepared"}));
    line("");
  }
  line("/* Runs the program. Returns XLAC_RT_OK or another xlac_rt_status. The "
       "arena is\n * free for other uses between calls. */");
  std::vector<std::string> own = {"const " + prefix + "_results *results"};
  if (!prologue.empty())
    own.push_back("const void *prepared");
  function(prefix + "_run", parameters(own));
  if (is_symbolic())
    size_functions(prefix, sizes, !prologue.empty());
}

void HeaderWriter::size_functions(const std::string &prefix,
                                  const std::vector<std::string> &sizes,
                                  bool prepares) {
  std::string names = fmt::format("{}", fmt::join(sizes, ", "));
  line("\n/* Bytes of working memory of a call with these sizes; -1 for sizes "
       "that the\n * object has no code for. */");
  line("int64_t {}_arena_bytes({});", prefix, names);
  if (prepares) {
    line("/* The same for the values that {}_prepare computes. */", prefix);
    line("int64_t {}_prepared_bytes({});", prefix, names);
  }
  line("/* Bytes of a result; -1 for other sizes and for results that do not "
       "exist. */");
  line("int64_t {}_result_bytes({}, int32_t result);", prefix, names);
  line("/* Sets the dimensions of a result, as many as its rank. */");
  line("int32_t {}_result_shape({}, int32_t result, int64_t *dims);", prefix,
       names);
}

void HeaderWriter::program(const HeaderProgram &program) {
  const std::string &prefix = program.program->prefix;
  const runtime::ExecutableImage &image =
      program.program->sizes.front().codes.front().image;
  // Names that other constants and parameters have.
  std::vector<std::string> taken = {"ARENA", "PREPARED", "WEIGHTS", "ARGUMENT",
                                    "RESULT"};
  arguments_ = values(program.signature.arguments, image.arguments,
                      program.signature.argument_names, "arg", taken);
  results_ = values(program.signature.results, image.results,
                    program.signature.result_names, "result", taken);
  describe(program);
  std::string big = capitals(prefix);
  line("#define {}_ARGUMENT_COUNT {}", big, arguments_.size());
  line("#define {}_RESULT_COUNT {}", big, results_.size());
  for (const Value &value : arguments_)
    constants(prefix, value);
  for (const Value &value : results_)
    constants(prefix, value);
  for (const SizeSymbol &symbol : request_.symbols) {
    line("#define {}_{}_MIN {}", big, capitals(symbol.name),
         symbol.values.front());
    line("#define {}_{}_MAX {}", big, capitals(symbol.name),
         symbol.values.back());
  }
  line("");
  structure(prefix + "_arguments", arguments_, true);
  structure(prefix + "_results", results_, false);
  memory(program);
  functions(program);
}

void HeaderWriter::end() { line("\n#ifdef __cplusplus\n}}\n#endif\n#endif"); }

} // namespace

std::string write_header(const std::string &source, const Request &request,
                         const std::vector<HeaderProgram> &programs,
                         const ObjectFiles &files) {
  HeaderWriter writer(request, files);
  writer.begin(source);
  for (const HeaderProgram &program : programs)
    writer.program(program);
  writer.end();
  return writer.take();
}

} // namespace xlac::aot
