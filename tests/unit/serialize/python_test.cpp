// NumPy and the safetensors library read saved files.
#include "python.h"

#include "xlac/xlac.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

using serialize::python_with;
using serialize::runs_well;

/// Makes one tensor per dtype, under its name, and a few shapes.
StateDict all_kinds(bool for_numpy) {
  StateDict tensors;
  for (int i = 0; i <= static_cast<int>(kFloat8_e8m0fnu); ++i) {
    auto dtype = static_cast<Dtype>(i);
    bool is_absent = for_numpy ? dtype == kBFloat16 || dtype > kComplex128
                               : dtype == kComplex128;
    if (!is_absent)
      tensors[std::string(name(dtype))] =
          tensor({{1, 0, 3}, {0, 5, 6}}, TensorOptions(dtype)).t();
  }
  tensors["scalar"] = tensor(2.5);
  tensors["empty"] = zeros({0, 3});
  tensors["much"] = arange(100000, kFloat32);
  return tensors;
}

TEST(Python, NumPyReadsWhatWasSaved) {
  std::string python = python_with("numpy");
  if (python.empty())
    GTEST_SKIP() << "python3, or XLAC_TORCH_PYTHON, has no numpy";
  xu::TmpFolder folder;
  StateDict tensors = all_kinds(true);
  save_npz(tensors, folder.name() / "stored.npz");
  save_npz(tensors, folder.name() / "deflated.npz", true);
  save_npy(tensors.at("int32"), folder.name() / "one.npy");
  EXPECT_TRUE(runs_well(python, R"(
import sys, numpy
for name in ("stored", "deflated"):
    arrays = dict(numpy.load(f"{sys.argv[1]}/{name}.npz"))
    assert len(arrays) == 17, arrays.keys()
    assert list(arrays)[:2] == ["bool", "int8"], list(arrays)
    assert arrays.pop("scalar").shape == () and arrays.pop("empty").shape == (0, 3)
    assert (arrays.pop("much") == numpy.arange(100000)).all()
    for key, array in arrays.items():
        assert str(array.dtype) == key, (key, array.dtype)
        wanted = numpy.array([[1, 0], [0, 5], [3, 6]]).astype(array.dtype)
        assert (array == wanted).all(), (key, array)
assert numpy.load(f"{sys.argv[1]}/one.npy").tolist() == [[1, 0], [0, 5], [3, 6]]
)",
                        folder.name()));
}

TEST(Python, SafetensorsReadsWhatWasSaved) {
  std::string python = python_with("torch, safetensors");
  if (python.empty())
    GTEST_SKIP() << "python3, or XLAC_TORCH_PYTHON, has no torch and "
                    "safetensors";
  xu::TmpFolder folder;
  save_safetensors(all_kinds(false), folder.name() / "all.safetensors",
                   {{"format", "pt"}, {"quote", "\""}});
  EXPECT_TRUE(runs_well(python, R"(
import sys, torch
from safetensors import safe_open
from safetensors.torch import load_file
path = sys.argv[1] + "/all.safetensors"
with safe_open(path, "pt") as file:
    assert file.metadata() == {"format": "pt", "quote": '"'}, file.metadata()
    # The Python side of the library does not know this one.
    names = [name for name in file.keys() if name != "float8_e8m0fnu"]
    tensors = {name: file.get_tensor(name) for name in names}
assert tensors.pop("scalar").item() == 2.5 and tensors.pop("empty").shape == (0, 3)
assert torch.equal(tensors.pop("much"), torch.arange(100000.0))
assert len(tensors) == 18, tensors.keys()
for name, tensor in tensors.items():
    assert str(tensor.dtype) == "torch." + name, (name, tensor.dtype)
    wanted = torch.tensor([[1, 0], [0, 5], [3, 6]]).to(tensor.dtype)
    assert tensor.to(torch.complex64).tolist() == wanted.to(torch.complex64).tolist(), name
)",
                        folder.name()));
}

} // namespace
} // namespace xlac
