// Writes digits that a program has drawn itself, as the files of MNIST: in
// place of a download for the programs beside this one.
#include <iostream>
#include <xlac/xlac.h>

int main(int argc, char **argv) {
  const std::string folder = argc > 1 ? argv[1] : "mnist-data";
  xlac::data::write_synthetic_digits(folder, {.train_size = 20000});
  xlac::data::datasets::MNIST train(folder, true), test(folder, false);
  std::cout << train.size() << " digits to learn from and " << test.size()
            << " to test with are in " << folder << "\n";
}
