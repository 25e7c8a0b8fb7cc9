// Programs as objects: the StableHLO of what tensors wait for.
#pragma once

#include "xlac/xla_model.h"

#include <filesystem>
#include <memory>

namespace xlac::stablehlo {

/// A StableHLO program.
class XLAC_API Program {
public:
  /// The module as text, with source locations if asked for.
  std::string text(bool debug_info = false) const;
  /// Writes text() to `path`.
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
  std::shared_ptr<const Rep> rep_;
};

/// What the tensors wait for, or everything pending on the current device; runs
/// nothing. Numbers and uploaded data are arguments.
XLAC_API Program from_tensors(const std::vector<Tensor> &outputs = {});

} // namespace xlac::stablehlo
