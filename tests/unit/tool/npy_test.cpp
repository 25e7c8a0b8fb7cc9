#include "run/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <unistd.h>

namespace xlac::cli {
namespace {

class NpyTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("xlac-npy-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string &bytes) {
    auto path = folder_ / "file.npy";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  /// Writes a version-1 file with this header text and payload.
  std::filesystem::path file(std::string header, const std::string &payload) {
    std::string bytes = "\x93NUMPY\x01";
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    return write(bytes + header + payload);
  }

  std::filesystem::path folder_;
};

TEST_F(NpyTest, WritesWhatItReads) {
  for (int i = 0; i < kElementTypeCount; ++i) {
    TensorType type;
    type.element = static_cast<ElementType>(i);
    type.dims = {2, 3};
    std::vector<std::byte> bytes(*type.byte_count(), std::byte{1});
    auto path = folder_ / "out.npy";
    ASSERT_TRUE(write_npy(path, type, bytes));
    auto back = read_npy(path);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->type.dims, type.dims);
    EXPECT_EQ(back->bytes, bytes);
  }
}

TEST_F(NpyTest, KeepsScalarsAndEmptyArrays) {
  for (std::vector<int64_t> dims :
       {std::vector<int64_t>{}, {0}, {1}, {3, 0, 2}, {5}}) {
    TensorType type;
    type.dims = dims;
    std::vector<std::byte> bytes(*type.byte_count());
    auto path = folder_ / "out.npy";
    ASSERT_TRUE(write_npy(path, type, bytes));
    auto back = read_npy(path);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->type, type);
  }
}

struct Malformed {
  std::string header, payload, expected;
};

TEST_F(NpyTest, RefusesMalformedFiles) {
  const std::vector<Malformed> cases = {
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", "1234",
       "is truncated"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "",
       "malformed shape"},
      {"{'descr': '<f4', 'fortran_order': False, "
       "'shape': (4611686018427387904, 4), }",
       "", "2^63"},
      {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
       "1234", "records"},
      {"{}", "", "header"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1", "",
       "malformed shape"}};
  for (const Malformed &one : cases) {
    auto result = read_npy(file(one.header, one.payload));
    ASSERT_FALSE(result) << one.header;
    EXPECT_NE(result.error().message.find(one.expected), std::string::npos)
        << result.error().message;
  }
  for (const std::string &bytes :
       {std::string(), std::string("\x93NUM"), std::string(100, 'x')}) {
    auto result = read_npy(write(bytes));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().failure_kind, FailureKind::User);
  }
}

TEST_F(NpyTest, ReadsFortranOrderAndBigEndian) {
  std::string header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, "
                       "3), }";
  // Column by column: 1 4, 2 5, 3 6.
  auto array =
      read_npy(file(header, std::string("\0\1\0\4\0\2\0\5\0\3\0\6", 12)));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->type.dims, (std::vector<int64_t>{2, 3}));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(load<int16_t>(&array->bytes[2 * i]), i + 1);
}

TEST_F(NpyTest, SwapsThePartsOfComplexNumbers) {
  std::string header =
      "{'descr': '>c8', 'fortran_order': False, 'shape': (1,), }";
  auto array = read_npy(file(header, std::string("\x3f\x80\0\0\x40\0\0\0", 8)));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(load<float>(&array->bytes[0]), 1);
  EXPECT_EQ(load<float>(&array->bytes[4]), 2);
}

TEST_F(NpyTest, MakesBooleansZeroOrOne) {
  auto array =
      read_npy(file("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }",
                    std::string("\0\1\2", 3)));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->bytes,
            (std::vector<std::byte>{std::byte(0), std::byte(1), std::byte(1)}));
}

TEST_F(NpyTest, LeavesNothingBehindWhenItCannotWrite) {
  TensorType type;
  auto status = write_npy(folder_ / "absent" / "out.npy", type,
                          std::vector<std::byte>(4));
  EXPECT_FALSE(status);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

} // namespace
} // namespace xlac::cli
