// The cases of conformance files, for tests of the compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlac {

/// One case of a conformance file, made runnable: the constants of the case
/// became inputs, what its checks compare became results.
struct CheckCase {
  std::string name; ///< file:function
  struct Comparison {
    enum class Kind { Equal, AlmostEqual, Close } kind = Kind::Equal;
    uint32_t actual = 0, expected = 0; ///< results of the program
    double tolerance = 1e-4;           ///< AlmostEqual
    int64_t min_ulp = 0, max_ulp = 3;  ///< Close
  };
  /// Programs that run side by side, one after another row by row.
  struct Grid {
    std::string setup; ///< StableHLO text, entry `main`: their operands
    std::vector<std::vector<std::byte>> setup_inputs;
    std::string programs; ///< StableHLO text that holds them all
    std::vector<std::vector<std::string>> rows; ///< replicas of partitions
    std::vector<std::string> infeed; ///< functions that make what is fed
  };
  std::vector<Comparison> comparisons;
  std::string module; ///< StableHLO text of the program, entry `main`
  std::vector<std::vector<std::byte>> inputs;
  /// Where there is one, its results are the inputs of `module` before
  /// `inputs`.
  std::optional<Grid> grid;
  std::string unsupported; ///< why the case cannot run at all, or empty
};

} // namespace xlac
