// Cases of conformance files, for tests of the compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlac {

/// One runnable case of a conformance file. The constants of the case become
/// inputs. The values that its checks compare become results.
struct CheckCase {
  std::string name; ///< file:function
  struct Comparison {
    enum class Kind { Equal, AlmostEqual, Close } kind = Kind::Equal;
    uint32_t actual = 0, expected = 0; ///< results of the program
    double tolerance = 1e-4;           ///< AlmostEqual
    int64_t min_ulp = 0, max_ulp = 3;  ///< Close
  };
  /// Programs that run in parallel, listed row by row.
  struct Grid {
    std::string setup; ///< StableHLO text, entry `main`; makes the operands
    std::vector<std::vector<std::byte>> setup_inputs;
    std::string programs; ///< StableHLO text that contains all programs
    std::vector<std::vector<std::string>> rows; ///< [replica][partition]
    std::vector<std::string> infeed; ///< functions that produce the infeed data
  };
  std::vector<Comparison> comparisons;
  std::string module; ///< StableHLO text of the program, entry `main`
  std::vector<std::vector<std::byte>> inputs;
  /// If present, its results are the first inputs of `module`, followed by
  /// `inputs`.
  std::optional<Grid> grid;
  std::string unsupported; ///< why the case cannot run, or empty
};

} // namespace xlac
