// Programs as objects: the StableHLO of what tensors wait for, or of a file.
#pragma once

#include "xlac/tensor.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace xlac::stablehlo {

/// A StableHLO program with an entry function `main`.
class XLAC_API Program {
public:
  /// The program of StableHLO text or bytecode, told apart by content. Throws
  /// UserError, with line and column, where it is not valid.
  static Program parse(std::string_view text_or_bytecode);
  /// The program of a file.
  static Program load(const std::filesystem::path &path);

  /// The module as text, with source locations if asked for.
  std::string text(bool debug_info = false) const;
  /// A portable artifact for readers of StableHLO `version` ("1.9.0") and
  /// later. Throws UserError, naming op or type, where `version` lacks
  /// something.
  Bytes bytecode(std::string_view version = "current") const;
  /// Writes bytecode() to a path that ends in .bc, else text().
  void save(const std::filesystem::path &path) const;
  /// Hex; the same for every process and run.
  std::string hash() const;
  struct Type {
    Dtype dtype;
    Shape shape;
  };
  std::vector<Type> inputs() const;
  std::vector<Type> outputs() const;

private:
  friend Program from_tensors(const std::vector<Tensor> &);
  struct Rep;
  static Program make(std::string_view source, std::string name);
  const Rep &rep() const;
  std::shared_ptr<const Rep> rep_;
};

/// What the tensors wait for, or everything pending on the current device; runs
/// nothing. Numbers and uploaded data are arguments.
XLAC_API Program from_tensors(const std::vector<Tensor> &outputs = {});

} // namespace xlac::stablehlo
