// Objects for programs in C: what the compiler makes of images. A part of
// compiler.h.
#pragma once

#include "xlac/abi/abi.h"
#include "xlac/runtime/image.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace xlac {

/// The code of a program for one target and one list of sizes.
struct ObjectCode {
  /// Its collectives are custom calls that libxlac_rt.a can execute.
  runtime::ExecutableImage image;
  /// By number of collective, the description that libxlac_rt.a reads.
  std::vector<std::vector<std::byte>> calls;
};

/// The code of a program for one list of sizes.
struct ObjectSizes {
  std::vector<int64_t> values;   ///< of the program's symbols
  std::vector<ObjectCode> codes; ///< by target, the strongest first
};

/// An entry function with its code. Its public functions are
/// `<prefix>_run` and others; see xlac::aot::write_header.
struct ObjectProgram {
  std::string prefix;
  /// In ascending order of their values. All have as many values, and the same
  /// targets, numbers of arguments, results and values of prologues.
  std::vector<ObjectSizes> sizes;
};

enum class ObjectKind : uint8_t { Object, SharedObject, Archive };

struct ObjectRequest {
  std::string name; ///< prefix of all symbols; a C identifier
  ObjectKind kind = ObjectKind::Object;
  /// Constants are in a file of their own instead of in the object.
  bool weights_file = false;
  std::vector<ObjectProgram> programs; ///< at least one
};

/// The bytes of files.
struct ObjectFiles {
  std::string object;
  std::string weights; ///< empty without a weights file
  /// Functions of libxlac_rt.a that the object calls.
  std::vector<std::string> routines;
};

/// What a call of a program takes, for headers and for the object alike.
struct ObjectMemory {
  int64_t bytes = 0;          ///< of the arena
  int64_t table_offset = 0;   ///< of the table of constants in it
  int64_t scratch_offset = 0; ///< of its scratch memory
};

inline int64_t object_aligned(int64_t bytes) {
  return (bytes + XLAC_ALIGNMENT - 1) / XLAC_ALIGNMENT * XLAC_ALIGNMENT;
}

/// The memory of the program, or of its prologue, with a table of constants if
/// they are in a weights file. All parts are 64-byte aligned.
inline ObjectMemory object_memory(const runtime::ExecutableImage &image,
                                  bool is_prologue, bool weights_file) {
  ObjectMemory memory;
  if (is_prologue && image.prologue.empty())
    return memory;
  memory.table_offset = object_aligned(is_prologue ? image.prologue.arena_bytes
                                                   : image.arena_bytes);
  memory.scratch_offset = memory.table_offset;
  if (weights_file)
    memory.scratch_offset += object_aligned(
        static_cast<int64_t>(image.constants.size() * sizeof(void *)));
  memory.bytes =
      memory.scratch_offset + object_aligned(image.needs.scratch_bytes);
  return memory;
}

/// The offsets of the prologue's values in one block of memory, and the size of
/// the block as the last one.
inline std::vector<int64_t>
prepared_offsets(const runtime::Prologue &prologue) {
  std::vector<int64_t> offsets = {0};
  for (int64_t bytes : prologue.result_bytes)
    offsets.push_back(offsets.back() + object_aligned(bytes));
  return offsets;
}

} // namespace xlac
