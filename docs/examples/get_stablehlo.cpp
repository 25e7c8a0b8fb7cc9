// docs/examples/get_stablehlo.cpp
#include <fstream>
#include "mnist.h"

int main() {
  Device device = xm::xla_device();
  MNIST model = MNIST().eval().to(device);
  Tensor data = randn({4, 1, 28, 28}, device);

  Tensor output = model(data);
  std::string text = xm::get_stablehlo({output});      // nothing has run: the graph of `output`
  std::cout << text;                                   // module @... { func.func @main(...) -> tensor<4x10xf32> ... }

  Bytes bytecode = xm::get_stablehlo_bytecode({output});
  std::ofstream("mnist.mlir.bc", std::ios::binary).write(reinterpret_cast<const char*>(bytecode.data()), bytecode.size());

  // training graphs have no obvious outputs: ask for everything pending
  nn::NLLLoss loss_fn;
  loss_fn(output, zeros({4}, TensorOptions(device).dtype(kInt64))).backward();
  std::cout << xm::get_stablehlo();

  // the same as an object, without a device tensor in sight
  auto program = stablehlo::trace([&](const std::vector<Tensor>& in) { return std::vector{model(in[0])}; }, {data});
  program.save("mnist.mlir");
  auto executable = stablehlo::build(stablehlo::Program::load("mnist.mlir"));
  std::cout << program.hash() << " " << executable.kernel_count() << " kernels\n";
}
