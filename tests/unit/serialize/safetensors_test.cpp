// safetensors files: round trips, files of the original library, and one
// violation of every rule of the format.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace xlac {
namespace {

namespace fs = std::filesystem;

class Safetensors : public testing::Test {
protected:
  fs::path path(const std::string &name) const { return folder_.name() / name; }
  fs::path write(const std::string &bytes) const {
    std::ofstream(path("made"), std::ios::binary) << bytes;
    return path("made");
  }
  xu::TmpFolder folder_;
};

std::string content(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string length_bytes(uint64_t length) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes;
}

/// Makes a file with this header and `data_size` bytes after it.
std::string file_of(const std::string &header, size_t data_size = 0) {
  return length_bytes(header.size()) + header + std::string(data_size, '\1');
}

std::vector<std::string> names_of(const StateDict &tensors) {
  std::vector<std::string> names;
  for (const auto &[name, tensor] : tensors)
    names.push_back(name);
  return names;
}

TEST_F(Safetensors, RoundTripOfEveryDtypeAndShape) {
  StateDict tensors;
  for (int i = 0; i <= static_cast<int>(kFloat8_e8m0fnu); ++i) {
    auto dtype = static_cast<Dtype>(i);
    if (dtype == kComplex128)
      continue; // not supported by the format
    Tensor t = tensor({{1, 0, 3}, {0, 5, 6}}, TensorOptions(dtype));
    std::string name(xlac::name(dtype));
    tensors[name] = t;
    tensors[name + ".transposed"] = t.t();
    tensors[name + ".scalar"] = t[0][0];
    tensors[name + ".empty"] = zeros({0, 2}).to(dtype);
  }
  save_safetensors(tensors, path("all.safetensors"));
  StateDict back = load_safetensors(path("all.safetensors"));
  EXPECT_EQ(names_of(back), names_of(tensors));
  for (const auto &[name, tensor] : tensors) {
    EXPECT_EQ(back.at(name).dtype(), tensor.dtype()) << name;
    EXPECT_EQ(back.at(name).str(), tensor.str()) << name;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.name()), {}), 1);
}

TEST_F(Safetensors, FileOfTheLibrary) {
  fs::path file = fs::path(XLAC_COMPAT_FOLDER) / "values.safetensors";
  EXPECT_EQ(safetensors_metadata(file), (std::map<std::string, std::string>{
                                            {"format", "pt"}, {"note", "é"}}));
  StateDict tensors = load_safetensors(file);
  EXPECT_EQ(tensors.size(), 20u);
  for (const auto &[name, tensor] : tensors) {
    if (name == "scalar" || name == "empty")
      continue;
    EXPECT_EQ(xlac::name(tensor.dtype()), name);
    Tensor wanted = xlac::tensor({{1, 0, 3}}).to(tensor.dtype());
    EXPECT_EQ(tensor.str(), wanted.str());
  }
  EXPECT_EQ(tensors.at("scalar").item<float>(), 2.5f);
  EXPECT_EQ(tensors.at("empty").sizes(), (Shape{0, 3}));
}

TEST_F(Safetensors, NoTensorsAtAll) {
  save_safetensors({}, path("none"));
  EXPECT_EQ(load_safetensors(path("none")).size(), 0u);
  EXPECT_TRUE(safetensors_metadata(path("none")).empty());
}

TEST_F(Safetensors, MetadataAndNamesOfAnyText) {
  std::map<std::string, std::string> metadata = {
      {"format", "pt"}, {"quote \"", "line\n"}, {"ü", "\xf0\x9f\x98\x80"}};
  StateDict tensors;
  tensors["a.\"b\"\\\n"] = ones({2});
  save_safetensors(tensors, path("m"), metadata);
  EXPECT_EQ(safetensors_metadata(path("m")), metadata);
  EXPECT_TRUE(load_safetensors(path("m")).contains("a.\"b\"\\\n"));
}

TEST_F(Safetensors, WidestElementsComeFirst) {
  StateDict tensors;
  tensors["flags"] = tensor({true, false, true});
  tensors["wide"] = tensor({1.0, 2.0}, kFloat64);
  tensors["half"] = tensor({1.0}, kFloat16);
  save_safetensors(tensors, path("w"));
  std::string bytes = content(path("w"));
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  std::string header = bytes.substr(8, length);
  header.resize(header.find_last_not_of(' ') + 1);
  EXPECT_EQ(header,
            R"({"flags":{"dtype":"BOOL","shape":[3],"data_offsets":[18,21]},)"
            R"("wide":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)"
            R"("half":{"dtype":"F16","shape":[1],"data_offsets":[16,18]}})");
  EXPECT_EQ(bytes.size(), 8 + length + 21);
}

TEST_F(Safetensors, TensorsNeverChangeTheFile) {
  StateDict tensors;
  tensors["a"] = arange(4, kFloat32);
  save_safetensors(tensors, path("p"));
  std::string before = content(path("p"));
  Tensor a, again;
  {
    StateDict first = load_safetensors(path("p"));
    a = first.at("a");
  }
  again = load_safetensors(path("p")).at("a");
  a.add_(1);
  EXPECT_EQ(a.to_vector<float>(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(again.to_vector<float>(), (std::vector<float>{0, 1, 2, 3}));
  // The file is replaced, so loaded tensors do not change.
  tensors["a"] = again * 2.0;
  save_safetensors(tensors, path("p"));
  EXPECT_EQ(again.to_vector<float>(), (std::vector<float>{0, 1, 2, 3}));
  fs::remove(path("p"));
  EXPECT_EQ(again.to_vector<float>(), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_NE(before, "");
}

TEST_F(Safetensors, MisalignedAndOtherBooleansAreCopied) {
  std::string header =
      R"({"flags":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]},)"
      R"("n":{"dtype":"I32","shape":[2],"data_offsets":[3,11]}})";
  std::string data("\2\0\1\5\0\0\0\6\0\0\0", 11);
  for (bool map : {false, true}) {
    StateDict tensors =
        load_safetensors(write(file_of(header) + data), {.map = map});
    EXPECT_TRUE(equal(tensors.at("flags"), tensor({true, false, true})));
    EXPECT_EQ(tensors.at("flags").to(kInt32).to_vector<int>(),
              (std::vector<int>{1, 0, 1}));
    EXPECT_TRUE(equal(tensors.at("n"), tensor({5, 6}, kInt32)));
  }
}

TEST_F(Safetensors, AnyOrderOfEntriesIsRead) {
  std::string header =
      R"({"b":{"data_offsets":[4,8],"shape":[],"dtype":"F32"},)"
      R"("__metadata__":{"k":"v"},)"
      R"("e":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},)"
      R"("a":{"dtype":"U8","shape":[2,2],)"
      R"("data_offsets":[0,4]}}   )";
  fs::path file = write(file_of(header, 8));
  EXPECT_EQ(names_of(load_safetensors(file)),
            (std::vector<std::string>{"b", "e", "a"}));
  EXPECT_EQ(load_safetensors(file).at("b").dim(), 0);
  EXPECT_EQ(safetensors_metadata(file).at("k"), "v");
}

TEST_F(Safetensors, XlaTensorsAndMapLocation) {
  Device dev = xlac::device();
  StateDict tensors;
  tensors["a"] = ones({2, 2}, dev) * 3.0;
  tensors["view"] = tensors["a"][0];
  met::clear_all();
  save_safetensors(tensors, path("x"));
  EXPECT_EQ(met::metric_data("ExecuteTime")->total_samples, 1);
  EXPECT_TRUE(load_safetensors(path("x")).at("view").is_cpu());
  StateDict back = load_safetensors(path("x"), {.map_location = dev});
  EXPECT_TRUE(back.at("a").is_xla());
  EXPECT_TRUE(equal(back.at("a"), tensors.at("a")));
}

TEST_F(Safetensors, WhatCannotBeWritten) {
  auto save_one = [&](const std::string &name, const Tensor &tensor) {
    StateDict tensors;
    tensors[name] = tensor;
    save_safetensors(tensors, path("bad"));
  };
  EXPECT_THROW(save_one("a", ones({2}, kComplex128)), DtypeError);
  EXPECT_THROW(save_one("a", Tensor()), ValueError);
  EXPECT_THROW(save_one("\xff", ones({2})), ValueError);
  EXPECT_THROW(save_one("__metadata__", ones({2})), ValueError);
  StateDict none;
  EXPECT_THROW(save_safetensors(none, path("bad"), {{"k", "\xc3"}}),
               ValueError);
  EXPECT_THROW(save_safetensors(none, path("no/such/folder")), RuntimeError);
  EXPECT_TRUE(fs::is_empty(folder_.name()));
}

//===- Invalid files ------------------------------------------------------===//

TEST_F(Safetensors, EveryRuleIsChecked) {
  // Entries of a header without its braces, and the error.
  struct Case {
    std::string entries;
    size_t data_size;
    std::string message;
  };
  std::string a = R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  const std::vector<Case> cases = {
      {a, 3, R"(has data_offsets [0, 4] in 3 bytes)"},
      {a, 5, "1 bytes at the end belong to no entry"},
      {"", 1, "1 bytes at the end belong to no entry"},
      {a + "," + a, 8, R"(key "a" occurs twice)"},
      {a + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[4,0]})", 4,
       "has data_offsets [4, 0]"},
      {a + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]})", 6,
       R"("b" overlaps another)"},
      {a + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 4,
       "overlaps another"},
      {a + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[5,9]})", 9,
       R"("b" follows bytes that belong to none)"},
      {R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 8,
       R"("a" follows bytes that belong to none)"},
      {R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]})", 4,
       "has 4 bytes, wanted 8"},
      {R"("a":{"dtype":"F32","shape":[4611686018427387904,4],)"
       R"("data_offsets":[0,0]})",
       0, "wanted more than 2^63"},
      {R"("a":{"dtype":"F32","shape":[9223372036854775808],)"
       R"("data_offsets":[0,0]})",
       0, "has a number past 2^63"},
      {R"("a":{"dtype":"F32","shape":[99999999999999999999],)"
       R"("data_offsets":[0,0]})",
       0, "not whole or too large"},
      {R"("a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]})", 4,
       R"(a negative number at "shape")"},
      {R"("a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})", 4,
       "not whole or too large"},
      {R"("a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]})", 4,
       R"(a list at "shape")"},
      {R"("a":{"dtype":"F32","shape":1,"data_offsets":[0,4]})", 4,
       R"(a number at "shape")"},
      {R"("a":{"dtype":4,"shape":[1],"data_offsets":[0,4]})", 4,
       R"(a number at "dtype")"},
      {R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]})", 4,
       "has 3 data_offsets"},
      {R"("a":{"dtype":"F32","shape":[1],"data_offsets":[]})", 0,
       "has 0 data_offsets"},
      {R"("a":{"dtype":"F32","data_offsets":[0,4]})", 4, "lacks"},
      {R"("a":{"dtype":"F32","dtype":"F32","shape":[1],)"
       R"("data_offsets":[0,4]})",
       4, R"(key "dtype" occurs twice)"},
      {R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":"y"})", 4,
       R"(a text at "x")"},
      {R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":{}})", 4,
       R"(an object at "x")"},
      {R"("a":"b")", 0, R"(a text at "a")"},
      {R"("a":null)", 0, "null"},
      {R"("__metadata__":{"k":1})", 0, R"(a number at "k")"},
      {R"("__metadata__":{"k":true})", 0, "a boolean"},
      {R"("__metadata__":{"k":{}})", 0, "an object"},
      {R"("__metadata__":{"k":"v","k":"v"})", 0, "occurs twice"},
      {R"("__metadata__":[])", 0, "a list"},
      {"\"\xff\":{}", 0, "not JSON in UTF-8"},
      {"\"\xed\xa0\x80\":{}", 0, "not JSON in UTF-8"},
      {R"("\ud800":{})", 0, "not JSON in UTF-8"},
      {"a", 0, "not JSON"},
      {a + ",", 4, "not JSON"},
      {std::string("} \0 polyglot", 12), 0, "zero byte"},
      {"} {", 0, "not JSON"},
  };
  for (const Case &one : cases) {
    fs::path file = write(file_of("{" + one.entries + "}", one.data_size));
    try {
      load_safetensors(file);
      ADD_FAILURE() << one.entries;
    } catch (const UserError &error) {
      EXPECT_NE(std::string(error.what()).find(one.message), std::string::npos)
          << one.entries << "\n"
          << error.what();
    }
    EXPECT_THROW(safetensors_metadata(file), UserError);
  }
}

TEST_F(Safetensors, LengthsAreChecked) {
  auto refused = [&](const std::string &bytes, const std::string &message) {
    try {
      load_safetensors(write(bytes));
      ADD_FAILURE() << message;
    } catch (const UserError &error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
          << error.what();
    }
  };
  refused("", "too short");
  refused("1234567", "too short");
  refused(length_bytes(0), "does not start with {");
  refused(length_bytes(3) + " {}", "does not start with {");
  refused(length_bytes(3) + "{}", "ends inside its header");
  refused(length_bytes(100'000'001) + "{}", "is too long");
  refused(length_bytes(~uint64_t{0}) + "{}", "is too long");
  refused(length_bytes(2) + "[]", "does not start with {");
  EXPECT_EQ(load_safetensors(write(file_of("{}"))).size(), 0u);
}

TEST_F(Safetensors, DtypesThatTensorsLack) {
  for (const char *dtype : {"F4", "F6_E2M3", "F128", "f32", ""}) {
    std::string header = std::string(R"({"a":{"dtype":")") + dtype +
                         R"(","shape":[0],"data_offsets":[0,0]}})";
    try {
      load_safetensors(write(file_of(header)));
      ADD_FAILURE() << dtype;
    } catch (const UnsupportedError &error) {
      EXPECT_NE(std::string(error.what())
                    .find("entry \"a\" has dtype \"" + std::string(dtype)),
                std::string::npos)
          << error.what();
    }
  }
  std::string sizes;
  for (int i = 0; i < 65; ++i)
    sizes += i ? ",1" : "1";
  EXPECT_THROW(
      load_safetensors(write(file_of(R"({"a":{"dtype":"U8","shape":[)" + sizes +
                                         R"(],"data_offsets":[0,1]}})",
                                     1))),
      UnsupportedError);
}

TEST_F(Safetensors, WhatIsNoFile) {
  EXPECT_THROW(load_safetensors(path("missing")), RuntimeError);
  EXPECT_THROW(load_safetensors(folder_.name()), RuntimeError);
}

} // namespace
} // namespace xlac
