#include "run/given_arrays.h"

#include "run/array_text.h"
#include "run/values.h"
#include "xlac/formats/zip_file.h"
#include "xlac/support/npy_header.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace xlac::cli {
namespace {

const Type kPair = TensorType{ElementType::F32, {2}};
const Type kScalar = TensorType{ElementType::I32, {}};

class GivenArraysTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("xlac-given-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string &name) { return folder_ / name; }

  std::string write_pair(const std::string &name, float a, float b) {
    float numbers[] = {a, b};
    auto bytes = std::as_bytes(std::span(numbers));
    EXPECT_TRUE(write_npy(path(name), kPair.tensor(), bytes));
    return path(name);
  }

  static std::string npy_of(float a, float b) {
    float numbers[] = {a, b};
    return make_npy_header(kPair.tensor()) +
           std::string(reinterpret_cast<char *>(numbers), sizeof numbers);
  }

  std::string write_npz(const std::vector<std::string> &names) {
    std::ofstream os(path("file.npz"), std::ios::binary);
    formats::ZipWriter zip(os);
    float next = 1;
    for (const std::string &name : names) {
      std::string bytes = npy_of(next, next);
      zip.add(name + ".npy", {bytes});
      next += 1;
    }
    zip.finish();
    return path("file.npz");
  }

  /// The first elements of all arrays, or the failure.
  std::string given(const std::vector<std::string> &words,
                    const std::vector<Type> &types,
                    const std::vector<std::string> &names = {}) {
    auto parsed =
        GivenArrays::parse(words, "input", [&]() { return Result(names); });
    if (!parsed)
      return parsed.error().message;
    auto arrays = parsed->all_arrays(types);
    if (!arrays)
      return arrays.error().message;
    std::string out;
    for (const HostArray &array : *arrays)
      out += (out.empty() ? "" : " ") +
             (array.bytes.empty() ? "none" : element_text(array, 0));
    return out;
  }

  std::filesystem::path folder_;
};

TEST_F(GivenArraysTest, MixesWordsInOrderByNumberAndByName) {
  std::string file = write_pair("a.npy", 5, 6);
  EXPECT_EQ(given({file, "2xf32=7", "i32=3"}, {kPair, kPair, kScalar}),
            "5 7 3");
  EXPECT_EQ(given({"1=" + file, "2xf32=7,8"}, {kPair, kPair}), "7 5");
  EXPECT_EQ(given({"w=" + file, "zeros"}, {kPair, kPair, kScalar},
                  {"x", "params['w']", ""}),
            "no input has the name 'w'; there are x, params['w']");
  EXPECT_EQ(given({"params.w=" + file, "zeros"}, {kPair, kPair, kScalar},
                  {"x", "params['w']", ""}),
            "0 5 0");
  EXPECT_EQ(given({"0=random:3", "1=zeros"}, {kPair, kPair}),
            given({"random:3", "1=zeros"}, {kPair, kPair}));
  EXPECT_EQ(given({}, {}), "");
  EXPECT_EQ(given({"zeros"}, {Type(TokenType{}), kScalar}), "none 0");
}

TEST_F(GivenArraysTest, TakesArraysOfFilesByName) {
  std::string named = write_npz({"b", "a"});
  EXPECT_EQ(given({named}, {kPair, kPair}, {"a", "b"}), "2 1");
  EXPECT_EQ(given({named, "b=2xf32=9"}, {kPair, kPair}, {"a", "b"}), "2 9");
  EXPECT_EQ(given({named + ":a"}, {kPair}), "2");
  EXPECT_EQ(given({"0=" + named + ":b"}, {kPair}), "1");
  EXPECT_EQ(given({named}, {kPair}, {"c"}),
            named + ": none of its 2 arrays has the name of an input; there "
                    "are c");
  EXPECT_EQ(given({named + ":c"}, {kPair}),
            named + ": has no array 'c'; there are b, a");
  EXPECT_EQ(given({"0=" + named}, {kPair}),
            "0=" + named +
                ": has 2 arrays; name one as FILE:ARRAY, there are "
                "b, a");
  EXPECT_EQ(given({write_npz({"arr_0", "arr_1"})}, {kPair, kPair}), "1 2");
}

TEST_F(GivenArraysTest, NamesWhatIsMissingOrWrong) {
  std::string file = write_pair("a.npy", 5, 6);
  EXPECT_EQ(given({file}, {kPair, kPair, kScalar}, {"x", "y", ""}),
            "the program takes 3 inputs, got 1; missing: input 1 'y' of "
            "tensor<2xf32>, input 2 of tensor<i32>");
  EXPECT_EQ(given({file, file}, {kPair}),
            file + " gives input 1; the program has 1 inputs");
  EXPECT_EQ(given({"0=zeros", "0=" + file}, {kPair}),
            "input 0 is given by 0=zeros and by 0=" + file);
  EXPECT_EQ(given({file}, {kScalar}),
            "input 0: " + file +
                " holds tensor<2xf32>, the program takes tensor<i32>");
  EXPECT_EQ(given({"zeros", "random:1"}, {kPair}),
            "'random:1': only one of zeros and random:SEED can stand for the "
            "remaining inputs; give others as NUMBER=random:1");
  EXPECT_EQ(given({"random:x"}, {kPair}),
            "'random:x' is not random:SEED with a whole number");
  EXPECT_EQ(given({"99999999999999999=zeros"}, {kPair}),
            "there is no input 99999999999999999");
  EXPECT_EQ(given({"=zeros"}, {kPair}), "'=zeros' is not NAME=VALUE");
  EXPECT_EQ(given({path("none.npy")}, {kPair}),
            path("none.npy") + ": cannot be opened: No such file or directory");
}

TEST_F(GivenArraysTest, RefusesNumbersBeyondNarrowIntegers) {
  Type narrow = TensorType{ElementType::I4, {2}};
  TensorType bytes{ElementType::I8, {2}};
  std::byte values[] = {std::byte(7), std::byte(8)};
  ASSERT_TRUE(write_npy(path("n.npy"), bytes, values));
  EXPECT_EQ(given({path("n.npy")}, {narrow}),
            "input 0: " + path("n.npy") + ": element 1 is no number of i4");
}

TEST_F(GivenArraysTest, ReadsSafetensors) {
  std::string json =
      R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[4,12]},)"
      R"("n":{"dtype":"I32","shape":[],"data_offsets":[0,4]}})";
  uint64_t length = json.size();
  int32_t number = 9;
  float numbers[] = {3, 4};
  std::ofstream os(path("a.safetensors"), std::ios::binary);
  os.write(reinterpret_cast<char *>(&length), 8) << json;
  os.write(reinterpret_cast<char *>(&number), 4);
  os.write(reinterpret_cast<char *>(numbers), 8);
  os.close();
  EXPECT_EQ(given({path("a.safetensors")}, {kScalar, kPair}, {"n", "x"}),
            "9 3");
  std::filesystem::resize_file(path("a.safetensors"), 40);
  EXPECT_EQ(given({path("a.safetensors")}, {kScalar, kPair}, {"n", "x"}),
            path("a.safetensors") + ": it ends inside its header");
}

TEST_F(GivenArraysTest, SurvivesDamagedFiles) {
  auto content = [&](const std::string &name) {
    std::ifstream is(name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(is), {});
  };
  std::string json =
      R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  uint64_t length = json.size();
  std::string tensors(reinterpret_cast<char *>(&length), 8);
  tensors += json + std::string(8, '\0');
  std::vector<std::string> files = {content(write_pair("a.npy", 1, 2)),
                                    content(write_npz({"x"})), tensors};
  int64_t calls = 0, right = 0;
  auto try_bytes = [&](const std::string &bytes) {
    std::ofstream(path("damaged"), std::ios::binary) << bytes;
    auto parsed = GivenArrays::parse({path("damaged")}, "input", [] {
      return Result(std::vector<std::string>{"x"});
    });
    ++calls;
    auto sizes = parsed ? parsed->sizes() : parsed.error();
    auto arrays = parsed ? parsed->all_arrays({kPair}) : parsed.error();
    right += bool(arrays);
    if (arrays)
      EXPECT_EQ(arrays->at(0).bytes.size(), 8u);
  };
  for (const std::string &file : files) {
    try_bytes(file);
    EXPECT_GT(right, 0);
    for (size_t at = 0; at < file.size(); ++at) {
      try_bytes(file.substr(0, at));
      for (int flip : {1, 0x40, 0xff}) {
        std::string bytes = file;
        bytes[at] = static_cast<char>(bytes[at] ^ flip);
        try_bytes(bytes);
      }
    }
  }
  EXPECT_GT(calls, 1000);
  EXPECT_LT(right, calls);
}

TEST_F(GivenArraysTest, KnowsSizesBeforeTheProgramIsCompiled) {
  auto parsed = GivenArrays::parse(
      {"1=" + write_npz({"k"}) + ":k", "3x0xf32=", "zeros"}, "input");
  ASSERT_TRUE(parsed) << parsed.error().message;
  auto sizes = parsed->sizes();
  ASSERT_TRUE(sizes) << sizes.error().message;
  EXPECT_EQ(*sizes, (ArgumentSizes{{0, {3, 0}}, {1, {2}}}));
}

TEST(ArrayText, ReadsElementsOfAllTypes) {
  auto text = [](const char *word) {
    auto array = parse_array(word);
    return array ? shortened(*array) : array.error().message;
  };
  EXPECT_EQ(text("2x2xf32=[[1,2],[3,4.5]]"),
            "tensor<2x2xf32> [[1, 2], [3, 4.5]]");
  EXPECT_EQ(text("2xi1=true,0"), "tensor<2xi1> [true, false]");
  EXPECT_EQ(text("3xbf16=1 -inf nan"), "tensor<3xbf16> [1, -inf, nan]");
  EXPECT_EQ(text("2xcomplex<f32>=(1,-2),3"),
            "tensor<2xcomplex<f32>> [(1, -2), (3, 0)]");
  EXPECT_EQ(text("ui64=18446744073709551615"),
            "tensor<ui64> 18446744073709551615");
  EXPECT_EQ(text("2xi4=-8,7"), "tensor<2xi4> [-8, 7]");
  EXPECT_EQ(text("i4=8"), "'8' is not a number of i4");
  EXPECT_EQ(text("ui2=-1"), "'-1' is not a number of ui2");
  EXPECT_EQ(text("f32=0x10"), "'0x10' is not a number of f32");
  EXPECT_EQ(text("i32=1.5"), "'1.5' is not a number of i32");
  EXPECT_EQ(text("2xf32=1,2,3"), "tensor<2xf32> has 2 elements, got 3");
  EXPECT_EQ(text("2xf32="), "tensor<2xf32> has 2 elements, got 0");
  EXPECT_EQ(text("0xf32="), "tensor<0xf32> []");
  EXPECT_EQ(text("9223372036854775807x9xf32=1"),
            "tensor<9223372036854775807x9xf32> is too large");
  EXPECT_EQ(text("2xq8=1"), "'2xq8=1' is not an array such as 2xf32=1,2");
  for (int i = 0; i < kElementTypeCount; ++i) {
    auto type = static_cast<ElementType>(i);
    auto one = parse_array("3x" + std::string(element_type_name(type)) + "=1");
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(element_value(type, one->bytes.data()), 1);
  }
}

} // namespace
} // namespace xlac::cli
