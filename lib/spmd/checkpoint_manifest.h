// The manifest of a distributed checkpoint: the structure of the saved data,
// and the files and pieces of each tensor.
#pragma once

#include "xlac/tree.h"

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace xlac::distributed_checkpoint {

/// Elements of a tensor that one entry of a safetensors file has.
struct Piece {
  std::string file;   ///< within the folder
  std::string name;   ///< of the entry
  Shape begin, sizes; ///< position in the tensor
  std::string digest; ///< BLAKE2b of the elements' bytes, in hex
};

/// A saved tensor. Its pieces cover it without overlap.
struct SavedTensor {
  Dtype dtype = kFloat32;
  Shape sizes;
  std::vector<Piece> pieces;
};

struct Manifest {
  /// The saved data; each tensor is a number of rank 0, its index in `tensors`.
  Value structure;
  std::vector<SavedTensor> tensors;
};

/// The manifest's file name.
inline constexpr const char *kManifestName = "manifest.pt";

/// Converts pieces for messages between processes and for the manifest.
Value value_of_piece(const Piece &piece);
Piece piece_from(const Value &value);

/// Writes the manifest over an older one, atomically. Throws RuntimeError if
/// that fails.
void write_manifest(const Manifest &manifest,
                    const std::filesystem::path &folder);
/// Reads and checks the manifest. Throws UserError if there is none, or if it
/// is damaged.
Manifest read_manifest(const std::filesystem::path &folder);

/// Returns the name of a file of elements: part `part` of process `process`.
std::string element_file_name(int64_t save_number, int process, int part);
/// Returns the number after that of all files of elements in `folder`.
int64_t next_save_number(const std::filesystem::path &folder);
/// Removes files of elements, and temporary ones, that `manifest` does not
/// name. Ignores failures: the next save tries again.
void remove_other_files(const Manifest &manifest,
                        const std::filesystem::path &folder);

/// Returns the message of an error without the name of the public call and
/// without the source location.
std::string plain_message(const std::exception &error);

} // namespace xlac::distributed_checkpoint
