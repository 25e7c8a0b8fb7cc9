// A program outside of the source tree: traces, compiles and runs through the
// CMake target xlac::xlac.
#include <xlac/xlac.h>

#include <cstdio>

int main() {
  xlac::Tensor a = xlac::tensor({{1.0, 2.0}, {3.0, 4.0}}, xlac::Device("xla"));
  xlac::Tensor b = xlac::matmul(a, a) + 1.0;
  std::vector<float> values = b.to_vector<float>();
  bool right = values == std::vector<float>{8, 11, 16, 23};
  std::printf("consumer: %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
