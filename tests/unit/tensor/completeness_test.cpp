// Compares the required names of the front end (tests/golden/names.txt) with
// the table of functions and the golden cases. Lists missing names, and fails
// for families that are declared complete.
#include "golden_file.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

namespace {

using namespace xlac;

struct Names {
  /// By family: names, with the text after their slash.
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> all;
  std::set<std::string> complete;
};

Names read_names() {
  Names names;
  std::ifstream file(XLAC_GOLDEN_FOLDER "/names.txt");
  std::string family;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    if (line.starts_with("#") || line.empty())
      continue;
    if (!line.starts_with(" ")) {
      words >> word;
      if (word == "complete")
        while (words >> word)
          names.complete.insert(word);
      else
        words >> family;
      continue;
    }
    while (words >> word) {
      size_t slash = word.find('/');
      bool marked = slash != std::string::npos;
      names.all[family].emplace_back(word.substr(0, slash),
                                     marked ? word.substr(slash + 1) : "");
    }
  }
  return names;
}

/// A name may be that of an in-place method, or of a function in a namespace.
std::set<std::string> names_of_table() {
  std::set<std::string> known;
  for (const dispatch::Entry &entry : dispatch::table()) {
    known.insert(entry.name);
    if (entry.in_place)
      known.insert(entry.name + "_");
    size_t space = entry.name.rfind(':');
    if (entry.name.starts_with("nn::") && space != std::string::npos)
      known.insert(entry.name.substr(space + 1));
  }
  return known;
}

TEST(Completeness, EveryNameHasARecordAndACase) {
  Names names = read_names();
  std::set<std::string> records = names_of_table(), tested;
  for (const std::string &family : golden::families())
    for (const golden::Case &each : golden::read_cases(family))
      tested.insert(each.name);
  size_t count = 0;
  for (const auto &[family, members] : names.all) {
    std::string without_record, without_case;
    for (const auto &[name, mark] : members) {
      ++count;
      if (mark != "hand" && !records.contains(name))
        without_record += " " + name;
      else if (mark.empty() && !tested.contains(name))
        without_case += " " + name;
    }
    std::string missing;
    if (!without_record.empty())
      missing += family + ", not in the table:" + without_record + "\n";
    if (!without_case.empty())
      missing += family + ", without a case:" + without_case + "\n";
    if (names.complete.contains(family))
      EXPECT_EQ(missing, "");
    else
      std::cout << missing;
  }
  EXPECT_EQ(count, 465u);
  for (const std::string &family : names.complete)
    EXPECT_TRUE(names.all.contains(family)) << family;
}

TEST(Completeness, EveryFunctionOfACompleteFamilyIsTested) {
  Names names = read_names();
  std::map<std::string, std::string> marks;
  for (const auto &[family, members] : names.all)
    marks.insert(members.begin(), members.end());
  std::set<std::string> tested;
  for (const std::string &family : golden::families())
    for (const golden::Case &each : golden::read_cases(family))
      tested.insert(each.name);
  for (const dispatch::Entry &entry : dispatch::table()) {
    if (names.complete.contains(entry.family) && !marks.contains(entry.name)) {
      EXPECT_TRUE(tested.contains(entry.name)) << entry.name;
    }
  }
}

} // namespace
