// NumPy's files: round trips, files written by NumPy, damaged files.
#include "xlac/support/npy_header.h"

#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace xlac {
namespace {

namespace fs = std::filesystem;

class Npy : public testing::Test {
protected:
  fs::path path(const std::string &name) const { return folder_.name() / name; }
  fs::path write(const std::string &bytes) const {
    fs::remove(path("made"));
    std::ofstream(path("made"), std::ios::binary) << bytes;
    return path("made");
  }
  xu::TmpFolder folder_;
};

fs::path seed(const std::string &name) {
  return fs::path(XLAC_COMPAT_FOLDER) / name;
}

std::string content(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Makes a version-1 file with this header text and payload.
std::string file_of(const std::string &header, const std::string &payload) {
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + payload;
}

template <class E, class Fn>
void expect_refused(const std::string &message, Fn fn) {
  try {
    fn();
    ADD_FAILURE() << "nothing thrown, wanted " << message;
  } catch (const E &error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos)
        << error.what();
  }
}

std::vector<Dtype> numpy_dtypes() {
  std::vector<Dtype> dtypes;
  for (int i = 0; i <= static_cast<int>(kComplex128); ++i)
    if (static_cast<Dtype>(i) != kBFloat16)
      dtypes.push_back(static_cast<Dtype>(i));
  return dtypes;
}

//===- One array ----------------------------------------------------------===//

TEST_F(Npy, RoundTripOfEveryDtypeAndShape) {
  for (Dtype dtype : numpy_dtypes()) {
    Tensor t = tensor({{1, 0, 3}, {0, 5, 6}}, TensorOptions(dtype));
    for (const Tensor &each :
         {t, t.t(), t[0], t[0][1], zeros({0, 2}).to(dtype)}) {
      save_npy(each, path("a.npy"));
      Tensor back = load_npy(path("a.npy"));
      EXPECT_EQ(back.dtype(), dtype);
      EXPECT_EQ(back.str(), each.str());
    }
  }
}

TEST_F(Npy, WritesWhatNumPyWrites) {
  save_npy(tensor({1, 2}, kInt32), path("a.npy"));
  std::string header = "{'descr': '<i4', 'fortran_order': False, "
                       "'shape': (2,), }";
  header.append(128 - 10 - 1 - header.size(), ' ');
  EXPECT_EQ(content(path("a.npy")),
            file_of(header + "\n", std::string("\1\0\0\0\2\0\0\0", 8)));
}

TEST_F(Npy, WhatNumPyLacks) {
  for (Dtype dtype : {kBFloat16, kFloat8_e5m2})
    expect_refused<DtypeError>("NumPy's files have no torch.", [&] {
      save_npy(ones({2}, dtype), path("a.npy"));
    });
  EXPECT_THROW(save_npy(Tensor(), path("a.npy")), ValueError);
  EXPECT_THROW(save_npy(ones({2}), path("no/such")), RuntimeError);
  EXPECT_TRUE(fs::is_empty(folder_.name()));
  EXPECT_THROW(load_npy(path("missing")), RuntimeError);
  EXPECT_THROW(load_npy(folder_.name()), RuntimeError);
}

TEST_F(Npy, TensorsNeverChangeTheFile) {
  save_npy(arange(3, kFloat32), path("a.npy"));
  Tensor a = load_npy(path("a.npy"));
  a.fill_(7);
  EXPECT_TRUE(equal(load_npy(path("a.npy")), arange(3, kFloat32)));
  EXPECT_TRUE(load_npy(path("a.npy"), {.map_location = "xla"}).is_xla());
}

TEST_F(Npy, HeadersOfOtherWriters) {
  std::string four("\0\0\x80\x3f", 4);
  for (const char *header :
       {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{\"shape\": (1L,), 'fortran_order': False, 'descr': '=f4', }  \n",
        "{ 'descr' : '|f4' , 'fortran_order' : True , 'shape' : ( 1 , ) }"})
    EXPECT_TRUE(equal(load_npy(write(file_of(header, four))), ones({1})))
        << header;
  // Version 2 has a header length of four bytes.
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': ()}";
  std::string bytes("\x93NUMPY\x02\0", 8);
  bytes += {static_cast<char>(header.size()), 0, 0, 0};
  EXPECT_EQ(load_npy(write(bytes + header + four)).dim(), 0);
}

TEST_F(Npy, MalformedFilesAreRefused) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", "1234",
       "needs 16 bytes, the file holds 4"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "12345",
       "needs 4 bytes, the file holds 5"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "",
       "malformed shape"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 2), }", "12345678",
       "malformed shape"},
      {"{'descr': '<f4', 'fortran_order': False, "
       "'shape': (4611686018427387904, 4), }",
       "", "2^63"},
      {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
       "1234", "records"},
      {"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "1234",
       "has dtype '|O'; expected a number"},
      {"{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }", "1234",
       "has dtype '<U1'; expected a number"},
      {"{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }", "1234",
       "damaged header"},
      {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, "
       "'shape': (1,), }",
       "1234", "unexpected 'descr'"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}",
       "1234", "unexpected 'x'"},
      {"{'descr': '<f4', 'fortran_order': False}", "", "'shape' is missing"},
      {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "1234",
       "text after its header"},
      {"{}", "", "missing"}};
  for (const auto &[header, payload, message] : cases)
    expect_refused<UserError>(
        message, [&] { load_npy(write(file_of(header, payload))); });
  for (const std::string &bytes :
       {std::string(), std::string("\x93NUM"), std::string(100, 'x'),
        std::string("\x93NUMPY\x09\0\1\0", 10)})
    EXPECT_THROW(load_npy(write(bytes)), UserError);
  std::string many = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < 65; ++i)
    many += "1,";
  EXPECT_THROW(load_npy(write(file_of(many + ")}", "1234"))), UnsupportedError);
}

TEST_F(Npy, HeadersHaveALongest) {
  NpyHeader none;
  EXPECT_EQ(none.size, 0u);
  std::string bytes("\x93NUMPY\x02\0\xff\xff\xff\x7f", 12);
  bytes.resize(kMaxNpyHeaderSize + 100, ' ');
  EXPECT_FALSE(parse_npy_header(bytes));
}

//===- Several arrays -----------------------------------------------------===//

TEST_F(Npy, ArchivesKeepOrderAndNames) {
  for (bool compressed : {false, true}) {
    StateDict arrays;
    arrays["z.weight"] = arange(6, kFloat32).reshape({2, 3}).t();
    arrays["a"] = tensor(2.5, kFloat64);
    arrays["much"] = zeros({300, 1000});
    arrays["none"] = zeros({0, 4}, kInt16);
    save_npz(arrays, path("a.npz"), compressed);
    EXPECT_EQ(fs::file_size(path("a.npz")) < 100'000, compressed);
    StateDict back = load_npz(path("a.npz"));
    ASSERT_EQ(back.size(), arrays.size());
    auto found = back.begin();
    for (const auto &[name, tensor] : arrays) {
      EXPECT_EQ(found->first, name);
      EXPECT_TRUE(equal(found->second, tensor)) << name;
      ++found;
    }
  }
  StateDict bad;
  bad["b"] = ones({2}, kBFloat16);
  expect_refused<DtypeError>("b: NumPy", [&] { save_npz(bad, path("b.npz")); });
  bad["b"] = {};
  EXPECT_THROW(save_npz(bad, path("b.npz")), ValueError);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.name()), {}), 1);
}

TEST_F(Npy, XlaTensorsAreComputedTogether) {
  Device dev = xlac::device();
  StateDict arrays;
  arrays["a"] = ones({2}, dev) * 3.0;
  arrays["b"] = arrays["a"] + 1.0;
  met::clear_all();
  save_npz(arrays, path("a.npz"));
  EXPECT_EQ(met::metric_data("ExecuteTime")->total_samples, 1);
  EXPECT_TRUE(equal(load_npz(path("a.npz")).at("b"), full({2}, 4.0)));
  EXPECT_TRUE(load_npz(path("a.npz"), {.map_location = dev}).at("b").is_xla());
}

TEST_F(Npy, FilesOfNumPy) {
  for (const char *name : {"numpy_arrays.npz", "numpy_compressed.npz"}) {
    StateDict arrays = load_npz(seed(name));
    EXPECT_EQ(arrays.begin()->first, "?");
    for (const auto &[kind, array] : arrays) {
      if (kind.size() > 3)
        continue;
      EXPECT_EQ(array.sizes(), (Shape{2, 3})) << kind;
      EXPECT_TRUE(
          equal(array, tensor({{1, 0, 3}, {0, 5, 6}}).to(array.dtype())))
          << kind;
    }
    EXPECT_EQ(arrays.at("i2").dtype(), kInt16);
    EXPECT_EQ(arrays.at(">c16").dtype(), kComplex128);
    EXPECT_TRUE(arrays.at("columns").is_contiguous());
    EXPECT_TRUE(
        equal(arrays.at("columns"), arange(24, kFloat32).reshape({2, 3, 4})));
    EXPECT_EQ(arrays.at("scalar").item<double>(), 2.5);
    EXPECT_EQ(arrays.at("empty").sizes(), (Shape{3, 0}));
  }
  EXPECT_TRUE(equal(load_npz(seed("numpy_compressed.npz")).at("many"),
                    arange(4).repeat_interleave(2000)));
  expect_refused<UserError>("has dtype '|O'",
                            [] { load_npy(seed("numpy_objects.npy")); });
  expect_refused<UserError>("has dtype '<U2'",
                            [] { load_npy(seed("numpy_texts.npy")); });
  expect_refused<UserError>("holds records",
                            [] { load_npy(seed("numpy_records.npy")); });
}

} // namespace
} // namespace xlac
