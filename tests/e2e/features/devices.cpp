// DEV: devices and tensors.
#include "feature_rows.h"

#include <sstream>

using namespace xlac;
using namespace xlac::features;

FEATURE(DEV_01, "CPU_NUM_DEVICES=2") {
  EXPECT_EQ(Device("xla:1").str(), "xla:1");
  EXPECT_EQ(ones({2, 2}, "xla:0").device().str(), "xla:0");
  EXPECT_EQ(ones({2}, TensorOptions(Device(kXLA, 1))).device().str(), "xla:1");
  EXPECT_EQ(ones({2}).to("xla").device().str(), "xla:0");
  xlac::device(1);
  EXPECT_EQ(ones({2}).to("xla").device().str(), "xla:1");
  EXPECT_THROW(Device("gpu"), ValueError);
  EXPECT_THROW(Device("xla:x"), ValueError);
}

FEATURE(DEV_02, "") {
  EXPECT_FALSE(xr::is_initialized());
  ones({2}) + 1.0;
  EXPECT_FALSE(xr::is_initialized());
  xm::xla_device();
  EXPECT_TRUE(xr::is_initialized());
}

FEATURE(DEV_03, "CPU_NUM_DEVICES=4") {
  std::vector<Device> list = xlac::devices();
  ASSERT_EQ(list.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(list[i].str(), "xla:" + std::to_string(i));
    EXPECT_EQ(xm::xla_device_hw(list[i]), "CPU");
  }
}

FEATURE(DEV_03_set_num_devices, "") {
  xr::set_num_devices(3);
  EXPECT_EQ(xlac::device_count(), 3);
  EXPECT_THROW(xr::set_num_devices(2), UserError);
}

FEATURE(DEV_04, "CPU_NUM_DEVICES=4") {
  Tensor x = arange(1000, dtype(kFloat32)) / 70.0;
  auto compute = [&](const char *device) {
    Tensor t = x.to(device);
    return (t.sin() * t.exp().sqrt()).sum().to_vector<float>();
  };
  EXPECT_EQ(compute("xla:0"), compute("xla:3"));
}

FEATURE(DEV_05, "CPU_NUM_DEVICES=2") {
  xlac::device(0);
  Tensor a = ones({2}, "xla:1");
  EXPECT_EQ((a + a).device().str(), "xla:1");
}

FEATURE(DEV_06, "CPU_NUM_DEVICES=2") {
  Tensor a = ones({2, 2}, "xla:0"), b = ones({2, 2}, "xla:1");
  int64_t pending = debug::pending_nodes("xla:0");
  EXPECT_CONTAINS(message_of<DeviceError>([&] { a + b; }),
                  "expected all tensors to be on the same device, found xla:0 "
                  "and xla:1");
  EXPECT_CONTAINS(message_of<DeviceError>([&] { a + ones({2, 2}); }),
                  "Input tensor is not an XLA tensor");
  EXPECT_EQ(debug::pending_nodes("xla:0"), pending);
  EXPECT_EQ((a + tensor(2.0)).to_vector<float>(), (Floats{3, 3, 3, 3}));
  a.copy_(full({2, 2}, 5.0));
  EXPECT_EQ(a.to_vector<float>(), (Floats{5, 5, 5, 5}));
}

FEATURE(DEV_07) {
  EXPECT_CONTAINS(message_of<DeviceError>([] {
                    matmul(ones({2, 2}, xlac::device()), ones({2, 2}));
                  }),
                  "Input tensor is not an XLA tensor: torch.FloatTensor");
  EXPECT_CONTAINS(message_of<DeviceError>([] {
                    ones({2}, xlac::device()) + ones({2}, dtype(kInt64));
                  }),
                  "torch.LongTensor");
}

FEATURE(DEV_08) {
  Device dev = xm::xla_device();
  met::clear_all();
  Tensor t = randn({2, 2}, dev);
  EXPECT_EQ(t.sizes(), (Shape{2, 2}));
  EXPECT_EQ(t.dtype(), kFloat32);
  EXPECT_EQ(t.device().str(), "xla:0");
  EXPECT_GT(debug::pending_nodes(dev), 0);
  EXPECT_EQ(samples("TransferToDeviceTime"), 0);
  EXPECT_EQ(samples("TransferFromDeviceTime"), 0);
  EXPECT_CONTAINS(t.str(), "device='xla:0'");
  EXPECT_EQ(samples("TransferFromDeviceTime"), 1);
  Tensor many = randn({10000}, dev);
  EXPECT_NEAR(many.mean().item<double>(), 0, 0.05);
  EXPECT_NEAR(many.std().item<double>(), 1, 0.05);
}

FEATURE(DEV_09) {
  std::ostringstream text;
  text << ones({2}, xlac::device()).device();
  EXPECT_EQ(text.str(), "xla:0");
}

FEATURE(DEV_10) {
  Tensor a = tensor({{1.0, 2.0}, {3.0, 4.0}}), b = tensor({10, 20});
  Tensor sum = a.to(xlac::device()) + b.to(xlac::device());
  EXPECT_EQ(sum.dtype(), kFloat32);
  EXPECT_EQ(sum.to_vector<float>(), (a + b).to_vector<float>());
}

FEATURE(DEV_11) {
  Device dev = xlac::device();
  Tensor a = arange(6, dtype(kFloat32)).view({2, 3});
  Tensor b = arange(12, dtype(kFloat32)).view({3, 4});
  EXPECT_TRUE(allclose(a.to(dev).mm(b.to(dev)).cpu(), a.mm(b), 1e-5));
  EXPECT_CONTAINS(
      message_of<ShapeError>([&] { ones({2, 3}, dev).mm(ones({4, 5}, dev)); }),
      "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)");
}

FEATURE(DEV_13, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xm::xla_device().str(), "xla:0");
  EXPECT_EQ(xm::xla_device(3).str(), "xla:3");
  EXPECT_EQ(ones({2}, "xla").device().str(), "xla:3");
  EXPECT_EQ(xm::xla_device({}, "CPU").str(), "xla:3");
  EXPECT_THROW(xm::xla_device({}, "TPU"), DeviceError);
  EXPECT_CONTAINS(
      message_of<IndexError>([] { xm::xla_device(10); }),
      "Device index 10 out of range in [xla:0, xla:1, xla:2, xla:3]");
}

FEATURE(DEV_14, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xm::get_xla_supported_devices().size(), 4u);
  EXPECT_EQ(xm::get_xla_supported_devices({}, 2).size(), 2u);
  EXPECT_TRUE(xm::get_xla_supported_devices("TPU").empty());
}

FEATURE(DEV_15) {
  EXPECT_EQ(xm::xla_device_hw(xlac::device()), "CPU");
  EXPECT_THROW(xm::xla_device_hw(Device(kCPU)), DeviceError);
  EXPECT_THROW(xm::xla_device_hw(Device(kXLA, 77)), DeviceError);
}

FEATURE(DEV_16) {
  Tensor t = ones({2}, xlac::device());
  met::clear_all();
  EXPECT_TRUE(xm::is_xla_tensor(t));
  EXPECT_EQ(samples("ExecuteTime"), 0);
  EXPECT_FALSE(xm::is_xla_tensor(t.cpu()));
}

FEATURE(DEV_17, "CPU_NUM_DEVICES=2") {
  EXPECT_EQ(xm::xla_real_devices(),
            (std::vector<std::string>{"CPU:0", "CPU:1"}));
  EXPECT_EQ(xm::xla_real_devices({Device("xla:1")}),
            (std::vector<std::string>{"CPU:1"}));
}

FEATURE(DEV_18, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xlac::device().str(), "xla:0");
  xlac::device(3);
  EXPECT_EQ(xlac::device().str(), "xla:3");
  EXPECT_THROW(xlac::device(4), IndexError);
}

FEATURE(DEV_19, "CPU_NUM_DEVICES=4") {
  std::string names;
  for (Device device : xlac::devices())
    names += device.str() + " ";
  EXPECT_EQ(names, "xla:0 xla:1 xla:2 xla:3 ");
}

FEATURE(DEV_20, "CPU_NUM_DEVICES=4") { EXPECT_EQ(xlac::device_count(), 4); }

FEATURE(DEV_21) {
  Tensor t = ones({3, 2}, xlac::device());
  for (const Tensor &view : {t.t(), t.slice(1, 0, 1), t.expand({3, 3, 2})}) {
    EXPECT_TRUE(view.is_contiguous());
    EXPECT_TRUE(view.contiguous().is_same(view));
  }
}

FEATURE(DEV_22) {
  Tensor t = ones({2}, xlac::device());
  EXPECT_FALSE(t.has_storage());
  EXPECT_CONTAINS(message_of<DeviceError>([&] { t.data_ptr<float>(); }),
                  "xla tensors have no storage");
  EXPECT_TRUE(t.cpu().has_storage());
  EXPECT_EQ(*t.cpu().data_ptr<float>(), 1.0f);
}

FEATURE(DEV_23) {
  Tensor t = arange(6, dtype(kFloat32)).view({2, 3});
  Tensor x = t.to(xlac::device());
  EXPECT_EQ(x.t().strides(), (Shape{2, 1}));
  EXPECT_EQ(x.t().view({-1}).to_vector<float>(), (Floats{0, 3, 1, 4, 2, 5}));
  EXPECT_THROW(t.t().view({-1}), Error);
}

FEATURE(DEV_25) {
  Tensor source = tensor({1.0, 2.0});
  Tensor copy = source.to(xlac::device());
  EXPECT_EQ(copy.sizes(), source.sizes());
  EXPECT_EQ(copy.dtype(), source.dtype());
  source.fill_(7.0);
  EXPECT_EQ(copy.to_vector<float>(), (Floats{1, 2}));
}

FEATURE(DEV_26) {
  for (Dtype type :
       {kBool, kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kUInt64,
        kFloat16, kBFloat16, kFloat32, kFloat64, kComplex64, kComplex128}) {
    Tensor t = tensor({1.0, 0.0, 3.25}).to(type);
    Tensor back = t.to(xlac::device()).cpu();
    EXPECT_EQ(back.dtype(), type);
    EXPECT_EQ(back.str(), t.str()) << name(type);
  }
}

FEATURE(DEV_27, "CPU_NUM_DEVICES=2") {
  Tensor t = arange(4, dtype(kFloat32)).view({2, 2});
  Tensor w = t.slice(0, 0, 1).to("xla:0");
  w.fill_(7.0);
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 1, 2, 3}));
  EXPECT_FALSE(w.is_view());
  Tensor moved = w.slice(1, 0, 1).to("xla:1");
  EXPECT_FALSE(moved.is_view());
}

FEATURE(DEV_28) {
  Tensor x = ones({2}, xlac::device());
  Tensor c = x.cpu();
  x.fill_(2.0);
  EXPECT_EQ(c.to_vector<float>(), (Floats{1, 1}));
  c.fill_(3.0);
  EXPECT_EQ(x.to_vector<float>(), (Floats{2, 2}));
}

FEATURE(DEV_29, "CPU_NUM_DEVICES=2") {
  Tensor t0 = ones({2}, "xla:0");
  Tensor t1 = t0.to("xla:1");
  t0 += 1.0;
  EXPECT_EQ(t1.device().str(), "xla:1");
  EXPECT_EQ(t1.to_vector<float>(), (Floats{1, 1}));
  EXPECT_EQ(t0.to_vector<float>(), (Floats{2, 2}));
}

FEATURE(DEV_30) {
  Device dev = xlac::device();
  Tensor t = ones({2, 2}, dev).requires_grad_();
  for (const Tensor &copied : {xlac::copy(t), deepcopy(t)}) {
    EXPECT_EQ(copied.dtype(), t.dtype());
    EXPECT_EQ(copied.device(), dev);
    EXPECT_TRUE(copied.requires_grad());
    EXPECT_TRUE(copied.is_leaf());
    EXPECT_FALSE(copied.is_alias_of(t));
    copied.detach().fill_(7.0);
    EXPECT_EQ(copied.detach().to_vector<float>(), Floats(4, 7));
    EXPECT_EQ(t.detach().to_vector<float>(), Floats(4, 1));
  }
  Tensor result = t * 2.0;
  EXPECT_EQ(xlac::copy(result).grad_fn(), "");
  EXPECT_TRUE(xlac::copy(result).requires_grad());
  EXPECT_FALSE(xlac::copy(t.detach()).requires_grad());
}

FEATURE(DEV_31) {
  Tensor t = zeros({4}, xlac::device());
  Tensor s = t.view({4});
  s.fill_(1.0);
  xlac::sync();
  EXPECT_EQ(t.to_vector<float>(), (Floats{1, 1, 1, 1}));
  EXPECT_TRUE(s.is_alias_of(t));
}

FEATURE(DEV_32) {
  Tensor t = ones({2, 2}, xlac::device());
  t.index({Slice(0, 1)}).mul_(2.0);
  EXPECT_EQ(t.to_vector<float>(), (Floats{2, 2, 1, 1}));
  Tensor row = t[1];
  t.fill_(5.0);
  EXPECT_EQ(row.to_vector<float>(), (Floats{5, 5}));
}
