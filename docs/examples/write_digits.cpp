// Writes synthetic digits as the files of MNIST, for the other programs of this
// folder when MNIST is not available.
#include <iostream>
#include <xlac/xlac.h>

int main(int argc, char **argv) {
  const std::string folder = argc > 1 ? argv[1] : "mnist-data";
  xlac::data::write_synthetic_digits(folder, {.train_size = 20000});
  xlac::data::datasets::MNIST train(folder, true), test(folder, false);
  std::cout << train.size() << " digits to learn from and " << test.size()
            << " to test with are in " << folder << "\n";
}
