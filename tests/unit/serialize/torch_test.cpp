// Loads files of torch.save, and lets PyTorch load files of save().
#include "python.h"

#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <sstream>

namespace xlac {
namespace {

namespace fs = std::filesystem;

fs::path seed(const std::string &name) {
  return fs::path(XLAC_COMPAT_FOLDER) / name;
}

std::string text_of(const Value &value) {
  std::ostringstream os;
  os << value;
  return os.str();
}

TEST(TorchFiles, ValuesOfEveryKind) {
  Value data = load(seed("torch_values.pt"));
  EXPECT_EQ(text_of(data.at("t")),
            "tensor([[0., 3.],\n        [1., 4.],\n        [2., 5.]])");
  EXPECT_EQ(text_of(data.at("row")), "tensor([3., 4., 5.])");
  EXPECT_EQ(text_of(data.at("wide")), "tensor([7., 7., 7.])");
  Value dtypes = data.at("dtypes");
  ASSERT_EQ(dtypes.size(), 15u);
  std::string seen;
  for (const Value &item : dtypes.items()) {
    auto tensor = item.to<Tensor>();
    seen += std::string(name(tensor.dtype())) + " ";
    EXPECT_EQ(tensor.to(kFloat32).to_vector<float>()[2],
              tensor.dtype() == kBool ? 1 : 3);
  }
  EXPECT_EQ(seen, "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
                  "float16 bfloat16 float32 float64 complex64 complex128 ");
  EXPECT_EQ(data.at("parameter").to<Tensor>().to_vector<float>(),
            (std::vector<float>{1.5, -2}));
  EXPECT_EQ(data.at("empty").to<Tensor>().sizes(), (Shape{0, 3}));
  EXPECT_EQ(text_of(data.at("plain")),
            "(1, -2, 1099511627776, 1.5, True, None, 'é', b'\\x00\\xff', "
            "{3, 4}, (2, 3))");
}

TEST(TorchFiles, StateDictOfAModule) {
  auto state = load<StateDict>(seed("torch_state_dict.pt"));
  EXPECT_EQ(state.size(), 7u);
  EXPECT_EQ(state.begin()->first, "0.weight");
  std::vector<float> bias = state.at("0.bias").to_vector<float>();
  EXPECT_FLOAT_EQ(bias[0], -0.27234524488449097f);
  EXPECT_EQ(state.at("1.num_batches_tracked").item<int64_t>(), 0);
  // The same data in another pickle protocol.
  Value later = load(seed("torch_protocol5.pt"));
  EXPECT_EQ(later.at("lr").to<double>(), 0.5);
  EXPECT_EQ(text_of(later.at("state")), text_of(to_value(state)));
}

TEST(TorchFiles, FromBeforeTheZipFormat) {
  for (const char *name :
       {"torch_legacy.pt", "torch_legacy_protocol4.pt", "torch_protocol4.pt"}) {
    Value data = load(seed(name));
    Tensor base = arange(12, kFloat32).reshape({3, 4});
    EXPECT_TRUE(equal(data.at("t").to<Tensor>(), base.t())) << name;
    EXPECT_TRUE(equal(data.at("row").to<Tensor>(), base[1]));
    EXPECT_TRUE(equal(data.at("step").to<Tensor>(), base.slice(1, 0, 4, 2)));
    auto parameter = data.at("parameter").to<Tensor>();
    EXPECT_EQ(parameter.to_vector<float>(), (std::vector<float>{1.5, -2}));
    EXPECT_TRUE(parameter.requires_grad());
    EXPECT_FALSE(data.at("frozen").to<Tensor>().requires_grad());
    EXPECT_TRUE(
        equal(data.at("wide").to<Tensor>(), tensor({1, 2, 65535}, kUInt16)));
    EXPECT_TRUE(equal(data.at("flags").to<Tensor>(), tensor({true, false})));
    EXPECT_EQ(data.at("empty").to<Tensor>().sizes(), (Shape{0, 3}));
    EXPECT_EQ(text_of(data.at("plain")), "(1, 'é', None, [True])");
  }
  Value data = load(seed("torch_protocol4.pt"));
  EXPECT_EQ(data.at("set").size(), 2u);
  EXPECT_EQ(data.at("long").to<std::string>(), std::string(300, 'a'));
  EXPECT_EQ(data.at("array").to<Bytes>(), (Bytes{'x', 'y'}));
}

TEST(TorchFiles, LazyBitsAreApplied) {
  using C = std::complex<float>;
  for (const char *name : {"torch_lazy_bits.pt", "torch_lazy_bits_legacy.pt"}) {
    Value data = load(seed(name));
    auto tensor_at = [&](const char *key) { return data.at(key).to<Tensor>(); };
    auto at = [&](const char *key) { return tensor_at(key).to_vector<C>(); };
    EXPECT_EQ(at("plain"), (std::vector<C>{{1, 2}, {3, -4}, {-5, 0}, {0, 6}}));
    EXPECT_EQ(at("conj"), (std::vector<C>{{1, -2}, {3, 4}, {-5, 0}, {0, -6}}));
    EXPECT_EQ(at("turned"),
              (std::vector<C>{{1, -2}, {-5, 0}, {3, 4}, {0, -6}}));
    EXPECT_EQ(at("both"), (std::vector<C>{{-1, 2}, {-3, -4}, {5, 0}, {0, 6}}));
    EXPECT_EQ(tensor_at("double").to_vector<std::complex<double>>(),
              (std::vector<std::complex<double>>{{-5, 0}, {0, -6}}));
    EXPECT_EQ(tensor_at("neg").to_vector<float>(),
              (std::vector<float>{-2, 4, 0, -6}));
    EXPECT_TRUE(std::signbit(tensor_at("neg").to_vector<float>()[2]));
    EXPECT_EQ(tensor_at("whole").to_vector<int64_t>(),
              (std::vector<int64_t>{-1, 2}));
    EXPECT_EQ(at("parameter"), at("conj"));
    EXPECT_TRUE(tensor_at("parameter").requires_grad());
    EXPECT_EQ(tensor_at("empty").sizes(), (Shape{0, 2}));
  }
}

TEST(TorchFiles, WhatIsNoDataIsNamed) {
  auto message = [](const char *name) -> std::string {
    try {
      load(seed(name));
    } catch (const UnsupportedError &error) {
      return error.what();
    }
    return "loaded";
  };
  EXPECT_NE(message("torch_device.pt").find("torch.device"), std::string::npos);
  EXPECT_NE(message("torch_module.pt").find("torch.nn.modules.linear.Linear"),
            std::string::npos)
      << message("torch_module.pt");
}

constexpr char kScript[] = R"(
import sys, torch
data = torch.load(sys.argv[1] + "/saved.pt", map_location="cpu")
assert data["t"].tolist() == [[1.5, 2.0], [3.0, -4.0]], data
assert data["again"][0] is data["t"] and data["again"][1] is data["t"]
assert data["xla"].tolist() == [2.0, 2.0]
names = [str(t.dtype) for t in data["dtypes"]]
assert names == ["torch." + n for n in ("bool int8 int16 int32 int64 uint8 "
    "uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 "
    "complex128 float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz "
    "float8_e8m0fnu").split()], names
assert all(t.to(torch.complex64)[0] == 1 for t in data["dtypes"])
assert data["plain"] == (1, -2, 2**40, 1.5, True, None, "é", b"\x00\xff", {3})
assert data[5] == []
)";

TEST(TorchFiles, TorchReadsWhatWasSaved) {
  std::string python = serialize::python_with("torch");
  if (python.empty())
    GTEST_SKIP() << "python3, or XLAC_TORCH_PYTHON, has no torch";
  Tensor t = tensor({{1.5, 2.0}, {3.0, -4.0}});
  Value::List dtypes;
  for (int i = 0; i <= static_cast<int>(kFloat8_e8m0fnu); ++i)
    dtypes.push_back(tensor({1, 0}, TensorOptions(static_cast<Dtype>(i))));
  xu::TmpFolder folder;
  save(Value::Dict{{"t", t},
                   {"again", Value::List{t, t}},
                   {"xla", full({2}, 2.0, Device("xla:0"))},
                   {"dtypes", dtypes},
                   {"plain",
                    Value::Tuple{{1, -2, int64_t{1} << 40, 1.5, true, None, "é",
                                  Bytes{0, 255}, Value::Set{{3}}}}},
                   {5, Value::List{}}},
       folder.name() / "saved.pt");
  EXPECT_TRUE(serialize::runs_well(python, kScript, folder.name()));
}

} // namespace
} // namespace xlac
