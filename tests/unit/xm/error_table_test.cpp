// Failures of common mistakes: the class and message of the exception, that the
// message starts with the operation's name, and that operands and the pending
// graph do not change. One case per row, on both devices where both can fail.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>
#include <typeinfo>
#include <unistd.h>

namespace xlac {
namespace {

using Operands = std::vector<Tensor>;

const bool kTwoDevices = setenv("CPU_NUM_DEVICES", "2", 1) == 0;

std::vector<Device> both_devices() { return {kCPU, Device("xla:0")}; }

/// Properties of tensors and of pending work that can be observed without
/// running it.
struct Facts {
  explicit Facts(const Operands &operands) {
    for (const Tensor &t : operands)
      text += std::to_string(t.id()) + " " + debug::tensor_debug_info(t) + " " +
              t.device().str() + std::string(name(t.dtype())) + " " +
              t.grad_fn() + (t.requires_grad() ? " grad" : "") +
              (t.is_view() ? " view" : "") +
              (t.grad().defined() ? " " + std::to_string(t.grad().id()) : "") +
              "\n";
    for (Device device : devices())
      text += std::to_string(debug::pending_nodes(device)) + "\n";
    text += device().str() + "\n" + xm::get_stablehlo();
  }
  std::string text;
};

/// Returns operands on `device`; on xla they are pending.
Operands pending(const Operands &on_cpu, Device device) {
  Operands operands;
  for (const Tensor &t : on_cpu)
    operands.push_back(t.to(device).add(0));
  return operands;
}

/// Expects that `call` throws an E that starts with `start` and contains
/// `part`, and that the properties of `operands` and of pending work do not
/// change.
template <class E, class Call>
void expect_refused(const Operands &operands, const std::string &start,
                    const std::string &part, Call call) {
  Facts before(operands);
  try {
    call();
    ADD_FAILURE() << "nothing was thrown, wanted " << part;
  } catch (const std::exception &error) {
    std::string what = error.what();
    EXPECT_STREQ(typeid(error).name(), typeid(E).name()) << what;
    EXPECT_EQ(what.find(start), 0u) << what;
    EXPECT_NE(what.find(part), std::string::npos) << what;
  }
  EXPECT_EQ(Facts(operands).text, before.text);
}

/// As above on both devices, for operands that are given on the cpu; also
/// checks that their values do not change.
template <class E, class Call>
void expect_refused_on_both(const Operands &on_cpu, const std::string &start,
                            const std::string &part, Call call) {
  for (Device device : both_devices()) {
    SCOPED_TRACE(device.str() + " " + start);
    Operands operands = pending(on_cpu, device);
    expect_refused<E>(operands, start, part, [&] { call(operands); });
    for (size_t i = 0; i < operands.size(); ++i)
      EXPECT_TRUE(equal(operands[i].detach().cpu(), on_cpu[i])) << i;
  }
}

//===- Devices ------------------------------------------------------------===//

TEST(ErrorTable, CpuOperandAmongXlaOnes) {
  struct Type {
    Dtype dtype;
    const char *name;
  };
  Tensor x = pending({ones({2})}, "xla:0")[0];
  for (auto [dtype, name] :
       {Type{kFloat32, "Float"}, Type{kFloat64, "Double"},
        Type{kFloat16, "Half"}, Type{kBFloat16, "BFloat16"},
        Type{kInt64, "Long"}, Type{kInt32, "Int"}, Type{kInt16, "Short"},
        Type{kInt8, "Char"}, Type{kUInt8, "Byte"}, Type{kBool, "Bool"},
        Type{kComplex64, "ComplexFloat"}, Type{kComplex128, "ComplexDouble"}}) {
    Tensor c = ones({2}, dtype);
    std::string part = "Input tensor is not an XLA tensor: torch." +
                       std::string(name) + "Tensor";
    expect_refused<DeviceError>({x, c}, "add():", part, [&] { x + c; });
    expect_refused<DeviceError>({x, c}, "add():", part, [&] { c + x; });
  }
  Tensor c = ones({2}), m = ones({2, 2});
  Tensor xm = pending({m}, "xla:0")[0];
  std::string part = "Input tensor is not an XLA tensor: torch.FloatTensor";
  expect_refused<DeviceError>({x, c}, "mul_():", part, [&] { x *= c; });
  expect_refused<DeviceError>({x, c}, "mul_():", part, [&] { c *= x; });
  expect_refused<DeviceError>({xm, m}, "mm():", part, [&] { xm.mm(m); });
  expect_refused<DeviceError>({x, c}, "cat():", part, [&] { cat({x, c}); });
  expect_refused<DeviceError>({x, c}, "where():", part,
                              [&] { where(x > 0, x, c); });
  expect_refused<DeviceError>({xm, c}, "linear():", part,
                              [&] { nn::Linear(2, 2)(xm); });
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 1}));
  EXPECT_EQ(c.to_vector<float>(), (std::vector<float>{1, 1}));
}

TEST(ErrorTable, TwoXlaDevices) {
  Tensor a = pending({ones({2, 2})}, "xla:0")[0];
  Tensor b = pending({ones({2, 2})}, "xla:1")[0];
  std::string part =
      "expected all tensors to be on the same device, found xla:0 and xla:1";
  expect_refused<DeviceError>({a, b}, "add():", part, [&] { a + b; });
  expect_refused<DeviceError>({a, b}, "sub_():", part, [&] { a -= b; });
  expect_refused<DeviceError>({a, b}, "mm():", part, [&] { a.mm(b); });
  expect_refused<DeviceError>({a, b}, "stack():", part, [&] { stack({a, b}); });
  expect_refused<DeviceError>({a, b}, "gather():", part,
                              [&] { gather(a, 0, b.to(kInt64)); });
}

TEST(ErrorTable, UnknownDeviceIndex) {
  std::string part = "Device index 10 out of range in [xla:0, xla:1]";
  Tensor t = ones({2});
  expect_refused<IndexError>({}, "device():", part, [] { xlac::device(10); });
  expect_refused<IndexError>({}, "xla_device():", part,
                             [] { xm::xla_device(10); });
  expect_refused<IndexError>({}, "ones():", part, [] { ones({2}, "xla:10"); });
  expect_refused<IndexError>({}, "randn():", part,
                             [] { randn({2}, "xla:10"); });
  expect_refused<IndexError>({t}, "to():", part, [&] { t.to("xla:10"); });
}

TEST(ErrorTable, StorageOfAnXlaTensor) {
  Tensor t = pending({ones({2})}, "xla:0")[0];
  expect_refused<DeviceError>({t}, "data_ptr():", "xla tensors have no storage",
                              [&] { t.data_ptr<float>(); });
}

//===- Shapes, dims and dtypes --------------------------------------------===//

TEST(ErrorTable, Broadcasting) {
  std::string part =
      "Shapes are not compatible for broadcasting: f32[2,2,4,4] vs. f32[2,2]. "
      "Expected dimension 2 of shape f32[2,2,4,4] (4) to match dimension 0 of "
      "shape f32[2,2] (2). Either that or that any of them is either 1 or "
      "unbounded. Try reshaping one of the tensors to match the other.";
  Operands pair{ones({2, 2, 4, 4}), ones({2, 2})};
  expect_refused_on_both<ShapeError>(pair, "add():", part,
                                     [](Operands &o) { o[0] + o[1]; });
  expect_refused_on_both<ShapeError>(pair, "atan2():", part,
                                     [](Operands &o) { atan2(o[0], o[1]); });
  expect_refused_on_both<ShapeError>(pair, "div_():", part,
                                     [](Operands &o) { o[0] /= o[1]; });
}

TEST(ErrorTable, BroadcastingNamesTheFirstDimensionsThatDiffer) {
  std::string part =
      "f32[4] vs. f32[2,3]. Expected dimension 0 of shape f32[4] (4) to match "
      "dimension 1 of shape f32[2,3] (3).";
  expect_refused_on_both<ShapeError>({ones({4}), ones({2, 3})}, "mul():", part,
                                     [](Operands &o) { o[0] * o[1]; });
}

TEST(ErrorTable, Flip) {
  std::string part =
      "expected each dimension to appear at most once. Found dimensions: "
      "0 (3 times), 3 (2 times). Consider changing dims from "
      "[0, 0, 0, 1, 2, 3, -1] to [0, 1, 2, 3].";
  expect_refused_on_both<ValueError>(
      {ones({2, 2, 2, 2})}, "flip():", part,
      [](Operands &o) { flip(o[0], {0, 0, 0, 1, 2, 3, -1}); });
}

TEST(ErrorTable, Full) {
  std::string part =
      "expected concrete sizes (i.e. non-symbolic) to be positive values. "
      "However found negative ones: [2, -2, 2].";
  for (Device device : both_devices())
    expect_refused<ShapeError>({}, "full():", part,
                               [&] { full({2, -2, 2}, 1.5, device); });
}

TEST(ErrorTable, Gather) {
  expect_refused_on_both<ShapeError>(
      {ones({2, 2}), zeros({2, 2, 2}, kInt64)}, "gather():",
      "expected rank of input (2) and index (3) tensors to be the same.",
      [](Operands &o) { gather(o[0], 1, o[1]); });
  expect_refused_on_both<ShapeError>(
      {ones({2, 2, 2, 2}), zeros({4, 2, 4, 2}, kInt64)}, "gather():",
      "expected sizes of index [4, 2, 4, 2] to be smaller or equal those of "
      "input [2, 2, 2, 2] on all dimensions, except on dimension 1. However, "
      "that's not true on dimensions [0, 2].",
      [](Operands &o) { gather(o[0], -3, o[1]); });
}

TEST(ErrorTable, Random) {
  expect_refused_on_both<ValueError>(
      {ones({10})},
      "random_():", "expected `from` (3) to be smaller than `to` (1).",
      [](Operands &o) { o[0].random_(3, 1); });
  expect_refused_on_both<ValueError>(
      {ones({10}, kFloat16)}, "random_():",
      "expected `to` to be within the range [-65504, 65504]. However got value "
      "65505, which is greater than the upper bound.",
      [](Operands &o) { o[0].random_(3, 65506); });
  expect_refused_on_both<ValueError>(
      {ones({10}, kUInt8)}, "random_():",
      "expected `from` to be within the range [0, 255]. However got value -1, "
      "which is smaller than the lower bound.",
      [](Operands &o) { o[0].random_(-1, 5); });
}

TEST(ErrorTable, MatrixProduct) {
  std::string part = "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)";
  Operands pair{ones({2, 3}), ones({4, 5})};
  expect_refused_on_both<ShapeError>(pair, "mm():", part,
                                     [](Operands &o) { o[0].mm(o[1]); });
  expect_refused_on_both<ShapeError>(pair, "matmul():", part,
                                     [](Operands &o) { matmul(o[0], o[1]); });
}

TEST(ErrorTable, Concatenation) {
  expect_refused_on_both<ShapeError>(
      {ones({5, 1}), ones({2, 2})}, "cat():",
      "cannot concatenate tensors of shape f32[5,1] with f32[2,2] at dimension "
      "0",
      [](Operands &o) { cat(o); });
}

TEST(ErrorTable, View) {
  expect_refused_on_both<ShapeError>(
      {arange(12.0)}, "view():",
      "shape '[3, 5]' is invalid for input of size "
      "12",
      [](Operands &o) { o[0].view({3, 5}); });
}

TEST(ErrorTable, Dimension) {
  std::string part =
      "Dimension out of range (expected to be in range of [-2, 1], but got 3)";
  Operands one{ones({2, 3})};
  expect_refused_on_both<IndexError>(one, "sum():", part,
                                     [](Operands &o) { o[0].sum({3}); });
  expect_refused_on_both<IndexError>(one, "size():", part,
                                     [](Operands &o) { o[0].size(3); });
  expect_refused_on_both<IndexError>(one, "softmax():", part,
                                     [](Operands &o) { softmax(o[0], 3); });
  expect_refused_on_both<IndexError>(one, "transpose():", part,
                                     [](Operands &o) { o[0].transpose(0, 3); });
}

TEST(ErrorTable, Index) {
  std::string part = "index 5 is out of bounds for dimension 0 with size 3";
  Operands one{arange(3.0)};
  expect_refused_on_both<IndexError>(one, "select():", part,
                                     [](Operands &o) { o[0][5]; });
  expect_refused_on_both<IndexError>(one, "index():", part,
                                     [](Operands &o) { o[0].index({5}); });
  expect_refused_on_both<IndexError>(
      one, "index_put_():", part,
      [](Operands &o) { o[0].index_put_({5}, 1.0); });
}

TEST(ErrorTable, Item) {
  Operands one{ones({4})};
  expect_refused_on_both<ValueError>(
      one, "item():", "a Tensor with 4 elements cannot be converted to Scalar",
      [](Operands &o) { o[0].item(); });
}

TEST(ErrorTable, InPlacePromotion) {
  std::string part = "result type Float can't be cast to the desired output "
                     "type Long";
  Operands pair{tensor({1, 2}), tensor({0.5, 1.5})};
  expect_refused_on_both<DtypeError>(pair, "add_():", part,
                                     [](Operands &o) { o[0] += o[1]; });
  expect_refused_on_both<DtypeError>(pair, "mul_():", part,
                                     [](Operands &o) { o[0] *= 0.5; });
  expect_refused_on_both<DtypeError>(pair, "div_():", part,
                                     [](Operands &o) { o[0] /= o[0]; });
  expect_refused_on_both<DtypeError>(
      pair, "add():", part, [](Operands &o) { add(o[0], o[1], 1, o[0]); });
}

//===- Gradients ----------------------------------------------------------===//

TEST(ErrorTable, BackwardOfANonScalar) {
  for (Device device : both_devices()) {
    Tensor x = ones({3}, device).requires_grad_(), y = x * 2.0;
    expect_refused<UserError>(
        {x, y},
        "backward():", "grad can be implicitly created only for scalar outputs",
        [&] { y.backward(); });
    y.sum().backward();
    EXPECT_EQ(x.grad().to_vector<float>(), (std::vector<float>{2, 2, 2}));
  }
}

TEST(ErrorTable, BackwardTwice) {
  std::string part = "Trying to backward through the graph a second time";
  for (Device device : both_devices()) {
    SCOPED_TRACE(device.str());
    Tensor x = full({3}, 2.0, device).requires_grad_();
    Tensor fresh = ones({3}, device).requires_grad_();
    Tensor y = (x * x).sum();
    y.backward();
    expect_refused<UserError>({x, y}, "backward():", part,
                              [&] { y.backward(); });
    // Tensors before the freed part of the graph get no gradient either.
    Tensor z = (fresh * 3.0).sum() + y;
    expect_refused<UserError>({x, fresh, y, z}, "backward():", part,
                              [&] { z.backward(); });
    EXPECT_EQ(x.grad().to_vector<float>(), (std::vector<float>{4, 4, 4}));
    EXPECT_FALSE(fresh.grad().defined());
  }
}

TEST(ErrorTable, WriteToALeaf) {
  std::string part =
      "a leaf Variable that requires grad is being used in an in-place "
      "operation";
  for (Device device : both_devices()) {
    SCOPED_TRACE(device.str());
    Tensor x = full({2}, 3.0, device).requires_grad_();
    Tensor y = (x * x).sum(), other = ones({2}, device);
    expect_refused<UserError>({x, y}, "add_():", part, [&] { x += other; });
    expect_refused<UserError>({x, y}, "mul_():", part, [&] { x *= 2.0; });
    expect_refused<UserError>({x, y}, "copy_():", part,
                              [&] { x.copy_(other); });
    expect_refused<UserError>({x, y}, "zero_():", part, [&] { x.zero_(); });
    expect_refused<UserError>({x, y}, "index_put_():", part,
                              [&] { x.index_put_({0}, 1.0); });
    // The values that y saved are still those of x.
    y.backward();
    EXPECT_EQ(x.grad().to_vector<float>(), (std::vector<float>{6, 6}));
    EXPECT_EQ(x.detach().to_vector<float>(), (std::vector<float>{3, 3}));
  }
}

//===- Files --------------------------------------------------------------===//

/// Returns a path in the folder for temporary files that is unique to this
/// process.
std::filesystem::path own_path(const char *name) {
  return std::filesystem::temp_directory_path() /
         ("xlac-error-table-" + std::to_string(getpid()) + "-" + name);
}

TEST(ErrorTable, SaveATensorAndItsView) {
  Tensor t = pending({ones({2, 2})}, "xla:0")[0], view = t.slice(0, 0, 1);
  std::string part = "Tensor ID " + std::to_string(view.id()) +
                     " is sharing a view with tensor ID " +
                     std::to_string(t.id());
  std::filesystem::path path = own_path("views.pt");
  expect_refused<UserError>({t, view}, "save():", part,
                            [&] { save(std::tuple(t, view), path); });
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// Runs `body` in a process that has not used the runtime; the test fails if it
/// fails.
template <class Body> void in_a_new_process(Body body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        body();
        std::exit(testing::Test::HasFailure() ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

TEST(ErrorTable, LoadToAMissingDevice) {
  in_a_new_process([] {
    std::string path = own_path("device.pt").string();
    pid_t writer = fork();
    if (writer == 0) {
      setenv("CPU_NUM_DEVICES", "4", 1);
      save(ones({2}, "xla:3"), path);
      _exit(0);
    }
    int status = 0;
    waitpid(writer, &status, 0);
    expect_refused<DeviceError>(
        {}, "load():", "was saved from xla:3, which is not available",
        [&] { load<Tensor>(path); });
    std::filesystem::remove(path);
  });
}

//===- Compiled functions, cache, memory, device type ---------------------===//

TEST(ErrorTable, ExecutionInsideFullGraph) {
  Tensor x = ones({2}, "xla:0");
  auto asks =
      compile([](const Tensor &t) { return (t * 3.0).sum().item<float>(); },
              {.full_graph = true});
  std::string part = "Unexpected execution happens inside the compiled "
                     "function, exiting";
  xlac::sync();
  expect_refused<UserError>({x}, "item():", part, [&] { asks(x); });
  auto steps = compile(
      [](const Tensor &t) {
        xlac::sync();
        return t + t;
      },
      {.full_graph = true});
  expect_refused<UserError>({x}, "sync():", part, [&] { steps(x); });
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 1}));
}

TEST(ErrorTable, TooManyGraphs) {
  auto twice = compile([](const Tensor &t) { return t + t; },
                       {.max_different_graphs = 1});
  EXPECT_EQ(twice(ones({2}, "xla:0")).to_vector<float>(),
            (std::vector<float>{2, 2}));
  Tensor x = ones({3}, "xla:0");
  xlac::sync();
  expect_refused<UserError>(
      {x}, "compile():",
      "Maximum number of different graphs allowed per function exceeded: 1",
      [&] { twice(x); });
  EXPECT_EQ(twice(ones({2}, "xla:0")).to_vector<float>(),
            (std::vector<float>{2, 2}));
}

TEST(ErrorTable, CacheTwice) {
  in_a_new_process([] {
    std::filesystem::path folder = own_path("cache");
    xr::initialize_cache(folder);
    expect_refused<UserError>({}, "initialize_cache():",
                              "Computation cache has already been initialized",
                              [&] { xr::initialize_cache(folder / "other"); });
    EXPECT_FALSE(std::filesystem::exists(folder / "other"));
    std::filesystem::remove_all(folder);
  });
}

TEST(ErrorTable, CacheAfterTheFirstCompilation) {
  in_a_new_process([] {
    (ones({2}, "xla:0") + 1.0).cpu();
    std::filesystem::path folder = own_path("cache");
    expect_refused<UserError>({}, "initialize_cache():",
                              "Computation cache has already been initialized",
                              [&] { xr::initialize_cache(folder); });
    EXPECT_FALSE(std::filesystem::exists(folder));
  });
}

TEST(ErrorTable, Memory) {
  const Shape sizes{int64_t{1} << 25, (int64_t{1} << 25) + 1};
  std::string part = "Out of memory allocating 4503599761588224 bytes";
  expect_refused<OutOfMemoryError>({}, "ones():", part, [&] { ones(sizes); });
  Tensor x = pending({ones({2})}, "xla:0")[0];
  Tensor huge = ones(sizes, "xla:0") * 3.0;
  expect_refused<OutOfMemoryError>({x, huge}, "cpu():", part,
                                   [&] { huge.cpu(); });
  expect_refused<OutOfMemoryError>({x, huge}, "sync():", part,
                                   [&] { xlac::sync(true); });
  huge = {};
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 1}));
}

TEST(ErrorTable, DeviceTypeTpu) {
  in_a_new_process([] {
    setenv("PJRT_DEVICE", "TPU", 1);
    try {
      xlac::device();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const DeviceError &error) {
      EXPECT_STREQ(error.what(), "device(): PJRT_DEVICE=TPU: only CPU devices "
                                 "are available");
    }
    EXPECT_FALSE(xr::is_initialized());
  });
}

} // namespace
} // namespace xlac
