// docs/examples/basics.cpp
#include <iostream>
#include <xlac/xlac.h>

using namespace xlac;

int main() {
  Tensor t = randn({2, 2}, xm::xla_device());
  std::cout << t.device() << "\n" << t << "\n";        // xla:0   tensor([[ 0.5410, -0.2934], ...], device='xla:0')

  Tensor t0 = randn({2, 2}, xm::xla_device());
  Tensor t1 = randn({2, 2}, xm::xla_device());
  std::cout << t0 + t1 << "\n" << t0.mm(t1) << "\n";

  Tensor l_in = randn(10, xm::xla_device());
  nn::Linear linear = nn::Linear(10, 20).to(xm::xla_device());
  std::cout << linear(l_in) << "\n";

  nn::Linear cpu_linear(10, 20);
  try {
    std::cout << cpu_linear(l_in);
  } catch (const DeviceError& e) {
    std::cout << e.what() << "\n";                     // linear(): Input tensor is not an XLA tensor: torch.FloatTensor (weight ...)
  }

  Tensor x = tensor({{1.0, 2.0}, {3.0, 4.0}}, TensorOptions(kFloat).device(xlac::device()));
  x.requires_grad_();
  Tensor y = (x * x).sum();
  y.backward();
  std::cout << x.grad() << " " << x.index({Slice(0, 1), Ellipsis}) << " " << x[0] << "\n";
}
