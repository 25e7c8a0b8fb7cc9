// Tensors that share memory by DLPack's struct.
#include "xlac/dlpack.h"
#include "xlac/ops.h"

#include <dlpack/dlpack.h>
#include <gtest/gtest.h>

namespace xlac {
namespace {

/// What another library exports.
struct Exporter {
  float numbers[6] = {0, 1, 2, 3, 4, 5};
  int64_t shape[2] = {3, 2}, strides[2] = {1, 3};
  int ended = 0;
  DLManagedTensor managed = {};

  Exporter() {
    managed.dl_tensor.data = numbers;
    managed.dl_tensor.device = {kDLCPU, 0};
    managed.dl_tensor.ndim = 2;
    managed.dl_tensor.dtype = {kDLFloat, 32, 1};
    managed.dl_tensor.shape = shape;
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor *self) {
      ++static_cast<Exporter *>(self->manager_ctx)->ended;
    };
  }
};

TEST(Dlpack, ImportsSharedMemory) {
  Exporter exporter;
  {
    Tensor tensor = from_dlpack(&exporter.managed), view = tensor[1];
    tensor = Tensor();
    EXPECT_EQ(view.to_vector<float>(), (std::vector<float>{2, 3}));
    exporter.numbers[2] = 7;
    EXPECT_EQ(view[0].item<float>(), 7);
    EXPECT_EQ(exporter.ended, 0);
  }
  EXPECT_EQ(exporter.ended, 1);
}

TEST(Dlpack, ImportsStridesAndOffsets) {
  Exporter exporter;
  exporter.managed.dl_tensor.strides = exporter.strides;
  EXPECT_TRUE(from_dlpack(&exporter.managed)
                  .equal(tensor({{0.f, 3.f}, {1.f, 4.f}, {2.f, 5.f}})));
  exporter.managed.dl_tensor.byte_offset = 2 * sizeof(float);
  exporter.managed.dl_tensor.ndim = 1;
  EXPECT_TRUE(from_dlpack(&exporter.managed).equal(tensor({2.f, 3.f, 4.f})));
  exporter.managed.dl_tensor.ndim = 0;
  EXPECT_EQ(from_dlpack(&exporter.managed).item<float>(), 2);
  EXPECT_EQ(exporter.ended, 3);
}

TEST(Dlpack, RejectsOtherDevicesAndTypes) {
  Exporter exporter;
  DLTensor &described = exporter.managed.dl_tensor;
  described.device.device_type = kDLCUDA;
  EXPECT_THROW(from_dlpack(&exporter.managed), DeviceError);
  described.device.device_type = kDLCPU;
  described.dtype.lanes = 4;
  EXPECT_THROW(from_dlpack(&exporter.managed), UnsupportedError);
  described.dtype = {kDLFloat, 128, 1};
  EXPECT_THROW(from_dlpack(&exporter.managed), UnsupportedError);
  EXPECT_EQ(exporter.ended, 3) << "it was taken over";
  EXPECT_THROW(from_dlpack(nullptr), ValueError);
}

TEST(Dlpack, ExportsEveryDtype) {
  for (Dtype dtype :
       {kBool, kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kUInt64,
        kFloat16, kBFloat16, kFloat32, kFloat64, kComplex64, kComplex128}) {
    Tensor first = tensor({{1, 0, 1}, {0, 1, 1}}, TensorOptions(dtype)).t();
    DLManagedTensor *managed = to_dlpack(first);
    EXPECT_EQ(managed->dl_tensor.ndim, 2);
    EXPECT_EQ(managed->dl_tensor.strides[0], 1);
    Tensor second = from_dlpack(managed);
    EXPECT_EQ(second.dtype(), dtype);
    EXPECT_EQ(second.str(), first.str()) << name(dtype);
    first.fill_(0);
    EXPECT_EQ(second.str(), first.str()) << "shares memory";
  }
}

TEST(Dlpack, RejectsWhatItCannotDescribe) {
  EXPECT_THROW(to_dlpack(ones({2}).to(Device("xla"))), DeviceError);
  EXPECT_THROW(to_dlpack(ones({2}).requires_grad_()), UserError);
  EXPECT_THROW(to_dlpack(ones({2}).to(Dtype::Float8_e5m2)), UserError);
}

} // namespace
} // namespace xlac
