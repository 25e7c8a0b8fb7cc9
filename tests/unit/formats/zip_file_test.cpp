// Zip files: round trips, and detection of invalid directories.
#include "xlac/formats/zip_file.h"

#include "xlac/error.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

namespace xlac::formats {
namespace {

/// size of a directory entry before its name
constexpr size_t kCentralSize = 46;

struct Record {
  std::string name, content;
  bool is_deflated = false;
};

std::string written(const std::vector<Record> &records) {
  std::ostringstream os;
  ZipWriter zip(os);
  for (const Record &record : records)
    zip.add(record.name, {record.content}, record.is_deflated);
  zip.finish();
  return os.str();
}

/// Returns the offset of a name's directory entry.
size_t entry_of(const std::string &bytes, const std::string &name) {
  return bytes.rfind(name) - kCentralSize;
}

template <class T>
std::string with_field(std::string bytes, const std::string &name, size_t field,
                       T value) {
  std::memcpy(&bytes[entry_of(bytes, name) + field], &value, sizeof value);
  return bytes;
}

void expect_refused(const std::string &bytes, const std::string &message) {
  try {
    std::istringstream is(bytes);
    ZipReader zip(is);
    for (const std::string &name : zip.names())
      zip.read(name);
    ADD_FAILURE() << "read, wanted " << message;
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
        << error.what();
  }
}

TEST(ZipFile, GivesRecordsInTheirOrder) {
  std::string much(3'000'000, 'm');
  for (size_t i = 0; i < much.size(); i += 7)
    much[i] = static_cast<char>(i / 7 * i);
  const std::vector<Record> records = {{"z", "stored"},
                                       {"a", much, true},
                                       {"empty", ""},
                                       {"none", "", true},
                                       {"m", much}};
  std::string bytes = written(records);
  std::istringstream is(bytes);
  ZipReader zip(is);
  EXPECT_EQ(zip.file_size(), bytes.size());
  ASSERT_EQ(zip.names().size(), records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(zip.names()[i], records[i].name);
    EXPECT_EQ(zip.read(records[i].name), records[i].content);
  }
  EXPECT_TRUE(zip.contains("none"));
  EXPECT_FALSE(zip.contains("other"));
  EXPECT_THROW(zip.read("other"), UserError);
  EXPECT_EQ(bytes.find("stored") % 64, 0u);
}

TEST(ZipFile, PartsBecomeOneRecord) {
  for (bool is_deflated : {false, true}) {
    std::ostringstream os;
    ZipWriter zip(os);
    zip.add("r", {"one ", "", "two"}, is_deflated);
    zip.finish();
    std::istringstream is(os.str());
    EXPECT_EQ(ZipReader(is).read("r"), "one two");
  }
}

TEST(ZipFile, DirectoriesThatLieAreRefused) {
  std::string text(1000, 'x');
  std::string stored = written({{"first", text}, {"other", text}});
  std::string deflated = written({{"first", text, true}});
  auto size = static_cast<uint32_t>(stored.size());
  expect_refused(written({{"first", "a"}, {"first", "b"}}), "occurs twice");
  // Both records claim nearly the whole file.
  std::string both = stored;
  for (const char *name : {"first", "other"})
    for (size_t field : {size_t{20}, size_t{24}})
      both = with_field(both, name, field, size - 100);
  expect_refused(both, "its records overlap");
  expect_refused(with_field(stored, "first", 24, uint32_t{999}),
                 "sizes that do not fit");
  expect_refused(with_field(deflated, "first", 24, uint32_t{1} << 30),
                 "sizes that do not fit");
  for (uint32_t wrong : {999u, 1001u})
    expect_refused(with_field(deflated, "first", 24, wrong),
                   "cannot be decompressed");
  expect_refused(with_field(deflated, "first", 20, uint32_t{5}),
                 "cannot be decompressed");
  expect_refused(with_field(stored, "first", 16, uint32_t{1}),
                 "wrong checksum");
  expect_refused(with_field(deflated, "first", 16, uint32_t{1}),
                 "wrong checksum");
  expect_refused(with_field(stored, "first", 42, size), "is outside");
  expect_refused(with_field(stored, "first", 42, uint32_t{3}), "has no header");
  expect_refused(with_field(stored, "first", 10, uint16_t{12}),
                 "is encrypted, or compressed otherwise");
  expect_refused(with_field(stored, "first", 8, uint16_t{1}),
                 "is encrypted, or compressed otherwise");
  expect_refused(with_field(stored, "first", 28, uint16_t{60000}),
                 "directory ends early");
}

} // namespace
} // namespace xlac::formats
