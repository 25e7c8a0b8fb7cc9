// Compares the table of portable artifact ops with the documented facts of the
// format, if these are available.
#include "xlac/Dialect/Vhlo/VhloOps.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace xlac::vhlo {
namespace {

/// A row of the facts.
struct Row {
  std::string first, last, attributes;
  bool operator==(const Row &) const = default;
};

std::ostream &operator<<(std::ostream &out, const Row &row) {
  return out << row.first << " to " << row.last << ": " << row.attributes;
}

std::string trimmed(llvm::StringRef text) { return text.trim().str(); }

/// The rows of the first table whose head begins with `| op |`.
std::map<std::string, Row> read_rows(std::istream &in) {
  std::map<std::string, Row> rows;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (llvm::StringRef(line).starts_with("| op |"))
      inside = true;
    else if (inside && line.empty())
      break;
    llvm::SmallVector<llvm::StringRef> cells;
    llvm::StringRef(line).split(cells, '|');
    if (inside && cells.size() > 5 && !cells[1].trim().empty())
      rows[trimmed(cells[1])] = {trimmed(cells[2]), trimmed(cells[3]),
                                 trimmed(cells[5])};
  }
  rows.erase("op");
  rows.erase("---");
  return rows;
}

/// Returns the last version before `until`, which is never the first of a major
/// version.
std::string last_before(Version until) {
  if (until == kNoVersion)
    return "current";
  return Version{until.major, until.minor - 1, 0}.text();
}

TEST(VhloTable, IsThatOfTheFormat) {
  std::ifstream file(XLAC_SHARED_DIR "/reference/vhlo-wire.md");
  if (!file)
    GTEST_SKIP() << XLAC_SHARED_DIR "/reference/vhlo-wire.md is absent";
  std::map<std::string, Row> rows = read_rows(file);
  ASSERT_FALSE(rows.empty());
  std::map<std::string, Row> own;
  for (const OpFacts &facts : allOps()) {
    Row &row = own[facts.name];
    row.first = facts.since.text();
    row.last = last_before(facts.until);
    for (const AttributeFacts &attribute : facts.attributes)
      row.attributes +=
          (row.attributes.empty() ? "" : ", ") + std::string(attribute.name);
  }
  // The facts omit the only op with a dash in its name.
  rows["cross-replica-sum_v1"] = {"0.9.0", "current", "replica_groups"};
  EXPECT_EQ(own, rows);
}

TEST(VhloTable, FormsFollowOneAnother) {
  for (const OpFacts &facts : allOps()) {
    EXPECT_LT(facts.since, facts.until) << facts.name;
    EXPECT_LE(facts.attributes.size(), kMaxAttributes) << facts.name;
    EXPECT_EQ(findForm(facts.source, facts.since), &facts) << facts.name;
  }
}

TEST(Version, ReadsTargets) {
  auto text = [](llvm::StringRef target) {
    llvm::Expected<Version> version = parseTargetVersion(target);
    return version ? version->text() : llvm::toString(version.takeError());
  };
  EXPECT_EQ(text("current"), kCurrentVersion.text());
  EXPECT_EQ(text("minimum"), "0.9.0");
  EXPECT_EQ(text("1.9.7"), "1.9.0");
  for (const char *bad : {"", "1.9", "1.9.0.0", "v1.9.0", "1.-9.0", "a.b.c"})
    EXPECT_NE(text(bad).find("not of the form"), std::string::npos) << bad;
  for (const char *unknown : {"0.8.0", "1.21.0", "99.0.0"})
    EXPECT_NE(text(unknown).find("cannot be written"), std::string::npos);
}

TEST(Version, HasItsBytecode) {
  const std::pair<Version, int64_t> expected[] = {
      {{0, 9, 0}, 0},  {{0, 10, 0}, 1}, {{0, 11, 0}, 1}, {{0, 12, 0}, 3},
      {{0, 13, 0}, 3}, {{0, 14, 0}, 4}, {{0, 15, 0}, 6}, {{1, 20, 0}, 6}};
  for (auto [version, bytecode] : expected)
    EXPECT_EQ(bytecodeVersion(version), bytecode) << version.text();
}

} // namespace
} // namespace xlac::vhlo
