// docs/examples/save_load.cpp
#include <cassert>
#include "mnist.h"

int main() {
  Device device = xm::xla_device();
  Tensor t0 = randn({2, 2}, device);
  Tensor t1 = randn({2, 2}, device);

  // recommended: through the cpu
  xlac::save(std::tuple(t0.cpu(), t1.cpu()), "tensors.pt");
  auto [c0, c1] = xlac::load<std::tuple<Tensor, Tensor>>("tensors.pt");
  t0 = c0.to(device);
  t1 = c1.to(device);

  // a model
  MNIST model = MNIST().to(device);
  xm::save(model->state_dict(), "model.pt");           // master only, moved to the cpu
  model->load_state_dict(xlac::load<StateDict>("model.pt"));
  xser::save(model->state_dict(), "model.xser");       // one tensor at a time
  model->load_state_dict(xser::load<StateDict>("model.xser"));

  // xla tensors directly: they come back to their device
  xlac::save(std::tuple(t0, t1), "xla.pt");
  auto [x0, x1] = xlac::load<std::tuple<Tensor, Tensor>>("xla.pt");
  assert(x0.device() == device);

  // a tensor with its view: refused, unless moved to the cpu first
  Tensor view = t0.index({Slice(0, 2)});
  try {
    xlac::save(std::tuple(t0, view), "views.pt");
  } catch (const Error& e) {
    std::cout << e.what() << "\n";                     // Tensor ID 2 is sharing a view with tensor ID 1
  }
  xm::save(std::tuple(t0, view), "views.pt");          // two independent cpu tensors

  // copies
  Tensor same = t0;                                    // the same tensor
  Tensor deep = xlac::copy(t0);                        // copy.copy(t0): its own values
  Tensor shallow = t0.view(t0.sizes());                // shares values with t0
  t0.fill_(1);
  assert(same.is_same(t0) && equal(shallow, t0) && !equal(deep, t0));
}
