// Calls every built-in target in every declared form, with each of its sizes 0,
// 1 and 3. The call must fill its results and not write anything else. With
// sanitizers the test detects out-of-bounds accesses and references into empty
// matrices.
#include "xlac/library/custom_calls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <memory>

namespace xlac::library {
namespace {

constexpr int64_t kSizes[] = {0, 1, 3};

/// The letters of a form's sizes, with their values.
using Sizes = std::map<char, int64_t>;

void add_letters(const std::string &size, Sizes &sizes) {
  if (size.starts_with("min(")) {
    sizes[size[4]];
    sizes[size[6]];
  } else {
    sizes[size[0]];
    if (size_t below = size.find("<="); below != std::string::npos)
      add_letters(size.substr(below + 2), sizes);
  }
}

int64_t size_of(const std::string &size, const Sizes &sizes) {
  if (size.starts_with("min("))
    return std::min(sizes.at(size[4]), sizes.at(size[6]));
  int64_t value = sizes.at(size[0]);
  if (size_t below = size.find("<="); below != std::string::npos)
    return std::min(value, size_of(size.substr(below + 2), sizes));
  return size.ends_with("-1") ? std::max<int64_t>(value - 1, 0) : value;
}

std::string element_of(const std::string &name, const std::string &type) {
  bool is_complex = type.starts_with("complex<");
  std::string real = is_complex ? type.substr(8, 3) : type;
  if (name == "T")
    return type;
  if (name == "R")
    return real;
  return name == "C" ? "complex<" + real + ">" : name;
}

size_t bytes_of(const std::string &element) {
  if (element.starts_with("complex<"))
    return 2 * bytes_of(element.substr(8, 3));
  if (element == "i1")
    return 1;
  return std::stoul(element.substr(element.find_first_of("0123456789"))) / 8;
}

/// Tensors in memory of exactly their size.
class Tensors {
public:
  Tensors(const std::vector<DeclaredTensor> &declared, const std::string &type,
          const std::vector<int64_t> &batch, const Sizes &sizes) {
    for (const DeclaredTensor &one : declared) {
      std::vector<int64_t> dims = batch;
      for (const std::string &size : one.sizes)
        dims.push_back(size_of(size, sizes));
      add(element_of(one.element, type), dims);
    }
  }

  void add(const std::string &element, const std::vector<int64_t> &dims) {
    CustomCallTensor tensor;
    elements_.push_back(std::make_unique<std::string>(element));
    tensor.element_type = *elements_.back();
    tensor.sizes = dims;
    tensor.strides.resize(dims.size());
    int64_t stride = 1;
    for (size_t i = dims.size(); i-- > 0; stride *= dims[i])
      tensor.strides[i] = stride;
    size_t size = size_t(tensor.numel()) * bytes_of(element);
    memory_.push_back({std::make_unique<std::byte[]>(size), size});
    tensor.data = memory_.back().first.get();
    list.push_back(tensor);
  }

  void fill(int byte) {
    for (auto &[memory, size] : memory_)
      std::memset(memory.get(), byte, size);
  }
  /// Fills in small numbers; matrices are diagonally dominant.
  void fill_with_numbers() {
    for (CustomCallTensor &tensor : list) {
      int64_t count = tensor.numel();
      int64_t columns = tensor.sizes.empty() ? 1 : tensor.sizes.back();
      for (int64_t i = 0; i < count; ++i) {
        bool is_diagonal = columns > 0 && i / columns % columns == i % columns;
        double value = is_diagonal ? 4 : 0.25 * double(i % 5);
        if (tensor.element_type == "f32")
          tensor.as<float>()[i] = float(value);
        else if (tensor.element_type == "f64")
          tensor.as<double>()[i] = value;
        else if (tensor.element_type == "complex<f32>")
          tensor.as<std::complex<float>>()[i] = float(value);
        else if (tensor.element_type == "complex<f64>")
          tensor.as<std::complex<double>>()[i] = value;
        else if (tensor.element_type == "i1")
          tensor.as<uint8_t>()[i] = 1;
      }
    }
  }
  std::vector<std::vector<std::byte>> bytes() const {
    std::vector<std::vector<std::byte>> all;
    for (const auto &[memory, size] : memory_)
      all.emplace_back(memory.get(), memory.get() + size);
    return all;
  }

  std::vector<CustomCallTensor> list;

private:
  std::vector<std::unique_ptr<std::string>> elements_;
  std::vector<std::pair<std::unique_ptr<std::byte[]>, size_t>> memory_;
};

struct Letters {
  const char *name;
  std::string_view letters; ///< values of the attribute, in turn
};
constexpr Letters kLetters[] = {
    {"uplo", "LU"},         {"side", "LR"},         {"diag", "NU"},
    {"trans_x", "NTC"},     {"mode", "NV"},         {"sort", "N"},
    {"compute_left", "NV"}, {"compute_right", "VN"}};
/// The number of variants that cover all value pairs of adjacent attributes.
constexpr size_t kVariants = 6;

CustomCallAttributes attributes_of(const DeclaredCall &form, size_t variant,
                                   int64_t columns) {
  CustomCallAttributes attributes;
  size_t position = 0;
  for (const Letters &one : kLetters)
    attributes.emplace_back(
        one.name, int64_t(one.letters[(variant / (1 + position++ % 2)) %
                                      one.letters.size()]));
  attributes.emplace_back("left", variant % 2 == 0);
  attributes.emplace_back("transpose", variant / 2 % 2 == 0);
  attributes.emplace_back("low", int64_t(1));
  attributes.emplace_back("high", columns);
  attributes.emplace_back("k", columns);
  attributes.emplace_back("largest", variant % 2 == 0);
  attributes.emplace_back("error_message", std::string("no {0}"));
  for (auto &[name, value] : attributes)
    if (name == form.attribute) {
      if (std::holds_alternative<bool>(value))
        value = form.value == '1';
      else
        value = int64_t(form.value);
    }
  return attributes;
}

/// Calls the form once for each of two fillings of the results. Returns true if
/// it ran.
bool call_twice(const DeclaredCall &form, const std::string &type,
                const std::vector<int64_t> &batch, const Sizes &sizes,
                size_t variant) {
  Tensors operands(form.operands, type, batch, sizes),
      results(form.results, type, batch, sizes);
  if (form.more_operands)
    operands.add("i32", {});
  operands.fill_with_numbers();
  int64_t columns = sizes.empty() ? 0 : sizes.rbegin()->second;
  CustomCallAttributes attributes = attributes_of(form, variant, columns);
  CustomCallLoop serial = [](int64_t count, const auto &run) { run(0, count); };
  CustomCall call{form.target, operands.list, results.list, attributes, serial};
  if (!check_custom_call(call))
    return false;
  std::vector<std::vector<std::byte>> made[2];
  for (int round : {0, 1}) {
    results.fill(round ? 0x5a : 0xa5);
    try {
      (*find_custom_call(form.target))(call);
    } catch (const std::exception &) {
      return false; // rejected for these sizes or attributes
    }
    made[round] = results.bytes();
  }
  EXPECT_TRUE(made[0] == made[1]) << "not all of the results is written";
  return true;
}

/// Calls `run` with every combination of kSizes for the letters of `form`.
template <class F> void for_each_sizes(const DeclaredCall &form, const F &run) {
  Sizes sizes;
  for (const auto *list : {&form.operands, &form.results})
    for (const DeclaredTensor &tensor : *list)
      for (const std::string &size : tensor.sizes)
        add_letters(size, sizes);
  size_t choices = 1;
  for (size_t i = 0; i < sizes.size(); ++i)
    choices *= std::size(kSizes);
  for (size_t choice = 0; choice < choices; ++choice) {
    size_t rest = choice;
    for (auto &[letter, size] : sizes) {
      size = kSizes[rest % std::size(kSizes)];
      rest /= std::size(kSizes);
    }
    run(sizes);
  }
}

TEST(EdgeSizes, FillResultsAndNothingElse) {
  size_t ran = 0;
  for (const DeclaredCall &form : declared_calls()) {
    std::vector<std::string> types{form.element};
    if (form.element.empty())
      types = {"f32", "f64", "complex<f32>", "complex<f64>"};
    size_t before = ran;
    for (const std::string &type : types)
      for (const std::vector<int64_t> &batch :
           {std::vector<int64_t>{}, std::vector<int64_t>{2}}) {
        if (!batch.empty() && !form.takes_batches)
          continue;
        for_each_sizes(form, [&](const Sizes &sizes) {
          for (size_t variant = 0; variant < kVariants; ++variant) {
            std::string text = form.target + " of " + type;
            for (auto [letter, size] : sizes)
              text += std::string(", ") + letter + " = " + std::to_string(size);
            SCOPED_TRACE(text + ", variant " + std::to_string(variant));
            ran += call_twice(form, type, batch, sizes, variant);
          }
        });
      }
    EXPECT_GT(ran, before) << form.target << " never ran";
  }
}

} // namespace
} // namespace xlac::library
