// Measures the error of every compiled transcendental and special function,
// checks the bounds of the op table, and writes the table of
// docs/generated/accuracy.md.
//
//   accuracy [--full | --every N] [--write FILE] [--check FILE] [--only NAME]
//            [--type TYPE] [--threads N]
//
// --full sweeps all values of f32, --every N one in N, both with larger samples
// of f64. --only and --type measure some functions and one type; the table's
// other entries are kept. Exits with 1 if a bound is broken, or if the table of
// --check lacks a function.
#include "sweep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

namespace xlac::accuracy {
namespace {

struct Options {
  Density density;
  std::string write, check, only, type;
  unsigned threads = 0; ///< 0: one per core
};

std::string formatted(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Rounds up, so that the sweep does not exceed the printed number.
std::string figure(double ulps) {
  if (ulps == 0)
    return "0";
  if (std::isinf(ulps))
    return "wrong";
  if (ulps >= 100)
    return formatted("%.2g", ulps * 1.01);
  return formatted("%.3f", std::ceil(ulps * 1000) / 1000);
}

/// The target accuracy: 2 ULP in f32, 1 for exponential, logarithm and the
/// roots, 0.51 for half floats.
double aimOf(const Function &function, Type type) {
  if (type == Type::F16 || type == Type::BF16)
    return 0.51;
  return function.aim32;
}

std::string cell(const Function &function, Type type, const Measurement &m) {
  std::string text = figure(m.ulps);
  if (type != Type::F64 && m.ulps > aimOf(function, type))
    text = "**" + text + "**";
  return text;
}

const char *plainName(const Function &function) {
  return std::strchr(function.op, '.') + 1;
}

/// True if `only` is the name of `function`, or a part of it when no function
/// has that exact name.
bool isWanted(const Function &function, const std::string &only) {
  auto names = [&](const Function &other) { return only == plainName(other); };
  std::span<const Function> all = functions();
  if (std::any_of(all.begin(), all.end(), names))
    return names(function);
  return std::strstr(function.op, only.c_str()) != nullptr;
}

/// The measurements of one function.
using Row = std::map<Type, Measurement>;

/// Returns the cells of one type in a row, without separators.
std::vector<std::string> cellsOf(const Function &function, Type type,
                                 const Measurement &m, Density density) {
  bool isUnary = function.domain == Domain::Unary;
  std::vector<std::string> cells = {cell(function, type, m)};
  if (type != Type::F32 && type != Type::F64)
    return cells;
  std::string place = formatted("%.9g", m.x);
  if (!isUnary)
    place += ", " + formatted("%.9g", m.y);
  cells.push_back(m.ulps == 0 ? "" : place);
  if (type == Type::F32)
    cells.push_back(!isUnary ? "pairs"
                    : density.every == 1
                        ? "all"
                        : "1 in " + std::to_string(density.every));
  return cells;
}

/// Returns a row of the table. Cells of types that were not measured are taken
/// from the `old` row.
std::string rowOf(const Function &function, const Row &measured,
                  Density density, const std::string &old) {
  static constexpr size_t columns[] = {1, 2, 3, 6};
  std::vector<std::string> cells(8);
  size_t begin = 2;
  for (std::string &cell : cells) {
    size_t end = old.find(" | ", begin);
    if (end == std::string::npos)
      break;
    cell = old.substr(begin, end - begin);
    begin = end + 3;
  }
  cells[0] = plainName(function);
  for (const auto &[type, measurement] : measured) {
    std::vector<std::string> own =
        cellsOf(function, type, measurement, density);
    std::copy(own.begin(), own.end(),
              cells.begin() + columns[static_cast<int>(type)]);
  }
  std::string line = "|";
  for (const std::string &cell : cells)
    line += " " + cell + " |";
  return line + " " + function.note + " |";
}

const char *const kPreamble =
    "# Accuracy\n\nWritten by `accuracy --full --write "
    "docs/generated/accuracy.md` (tests/accuracy), not by hand; with `--only "
    "NAME` or `--type TYPE` rows are measured anew in place, with `--every N` "
    "on one value of f32 in N.\n\nThe largest error of compiled code, in units "
    "in the last place (ULP) of the exact result; "
    "among denormal results a unit is the smallest denormal. f16 and bf16: "
    "every value; f32: the share of values in the column beside it, from all "
    "exponents, with denormals and special values; f64 and functions of two "
    "operands: a sample of as many kinds, 25 million values or 2 million "
    "pairs. A wrong NaN, infinity or sign of zero counts as an infinite "
    "error. 0.5 is correct rounding. Bold: above the aim of 0.51 in f16 and "
    "bf16, 1 for exponential, log and roots in f32, 2 for the others; f64 has "
    "no aim.\n\nThe figures hold where the target has fused multiply-add "
    "(profile avx2 and up), for vectors of any width. Bounds stand in "
    "the op table, lib/ops; the test `accuracy` holds them on a sample, "
    "`./dev torture` on every value of f32.\n\n"
    "| function | f16 | bf16 | f32 | at | of f32 | f64 | at | |\n"
    "|---|---|---|---|---|---|---|---|---|\n";

/// Writes the table to `path`; rows of functions that were not measured are
/// kept.
void write(const std::string &path, const std::map<const Function *, Row> &rows,
           Density density) {
  std::map<std::string, std::string> old;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("| "))
      old[line.substr(2, line.find(" |", 2) - 2)] = line;
  in.close();
  std::ofstream out(path);
  out << kPreamble;
  for (const Function &function : functions()) {
    auto row = rows.find(&function);
    const std::string &line = old[plainName(function)];
    if (row != rows.end())
      out << rowOf(function, row->second, density, line) << "\n";
    else if (!line.empty())
      out << line << "\n";
  }
}

/// Returns the number of functions without a row in the table at `path`.
int missingRows(const std::string &path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  int missing = 0;
  for (const Function &function : functions()) {
    std::string start = std::string("\n| ") + plainName(function) + " |";
    if (text.str().find(start) != std::string::npos)
      continue;
    std::printf("%s has no row for %s: write it anew\n", path.c_str(),
                function.op);
    ++missing;
  }
  return missing;
}

int run(const Options &options) {
  std::map<const Function *, Row> rows;
  int held = 0, broken = 0;
  for (const Function &function : functions()) {
    if (!isWanted(function, options.only))
      continue;
    for (Type type : kTypes) {
      static const char *const names[] = {"f16", "bf16", "f32", "f64"};
      const char *name = names[static_cast<int>(type)];
      if (!options.type.empty() && options.type != name)
        continue;
      auto start = std::chrono::steady_clock::now();
      Measurement m = sweep(function, type, options.density, options.threads);
      double seconds = std::chrono::duration<double>(
                           std::chrono::steady_clock::now() - start)
                           .count();
      bool ok = m.problem.empty() && m.ulps <= boundOf(function, type);
      (ok ? held : broken) += 1;
      std::printf("%s %s %s: %.6g ULP of %g allowed at (%.17g, %.17g) = "
                  "(%a, %a): got %.17g, want %.17g; %llu in %.2f s %s\n",
                  ok ? "ok  " : "OVER", function.op, name, m.ulps,
                  boundOf(function, type), m.x, m.y, m.x, m.y, m.got, m.want,
                  static_cast<unsigned long long>(m.count), seconds,
                  m.problem.c_str());
      std::fflush(stdout);
      rows[&function][type] = m;
    }
  }
  if (!options.write.empty())
    write(options.write, rows, options.density);
  if (!options.check.empty())
    broken += missingRows(options.check);
  std::printf("%d passed, %d failed\n", held, broken);
  return broken ? 1 : 0;
}

} // namespace
} // namespace xlac::accuracy

int main(int argc, char **argv) {
  xlac::accuracy::Options options;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word == "--full") {
      options.density = {1, true};
    } else if (word == "--every" && i + 1 < argc) {
      options.density = {unsigned(std::max(1, std::atoi(argv[++i]))), true};
    } else if (word == "--write" && i + 1 < argc) {
      options.write = argv[++i];
    } else if (word == "--check" && i + 1 < argc) {
      options.check = argv[++i];
    } else if (word == "--only" && i + 1 < argc) {
      options.only = argv[++i];
    } else if (word == "--type" && i + 1 < argc) {
      options.type = argv[++i];
    } else if (word == "--threads" && i + 1 < argc) {
      options.threads = unsigned(std::max(0, std::atoi(argv[++i])));
    } else {
      std::fprintf(
          stderr, "usage: accuracy [--full | --every N] [--write FILE] "
                  "[--check FILE] [--only NAME] [--type TYPE] [--threads N]\n");
      return 2;
    }
  }
  return xlac::accuracy::run(options);
}
