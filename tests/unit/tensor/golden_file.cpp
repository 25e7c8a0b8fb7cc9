#include "golden_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace xlac::golden {

namespace {

Dtype dtype_named(const std::string &name) {
  static const std::vector<std::pair<std::string, Dtype>> kNames = {
      {"b1", kBool},       {"i8", kInt8},       {"i16", kInt16},
      {"i32", kInt32},     {"i64", kInt64},     {"u8", kUInt8},
      {"u16", kUInt16},    {"u32", kUInt32},    {"u64", kUInt64},
      {"f16", kFloat16},   {"f32", kFloat32},   {"f64", kFloat64},
      {"bf16", kBFloat16}, {"c64", kComplex64}, {"c128", kComplex128}};
  for (const auto &[text, dtype] : kNames)
    if (text == name)
      return dtype;
  throw std::runtime_error("unknown dtype " + name);
}

bool is_whole(Dtype dtype) {
  return !is_floating_point(dtype) && !is_complex(dtype);
}

int64_t whole_of(const std::string &word) {
  return word[0] == '-' ? std::stoll(word)
                        : static_cast<int64_t>(std::stoull(word));
}

/// Reads the words of a tensor after "T".
TensorText read_tensor(std::istringstream &words, bool has_layout) {
  TensorText tensor;
  std::string word;
  words >> word;
  tensor.dtype = dtype_named(word);
  if (has_layout)
    words >> tensor.layout;
  words >> word;
  if (word != "-") {
    std::istringstream sizes(word);
    for (std::string size; std::getline(sizes, size, ',');)
      tensor.sizes.push_back(std::stoll(size));
  }
  words >> word; // skips the colon
  while (words >> word) {
    if (is_whole(tensor.dtype))
      tensor.integers.push_back(whole_of(word));
    else
      tensor.reals.push_back(std::strtod(word.c_str(), nullptr));
  }
  size_t count = is_whole(tensor.dtype)     ? tensor.integers.size()
                 : is_complex(tensor.dtype) ? tensor.reals.size() / 2
                                            : tensor.reals.size();
  size_t wanted = 1;
  for (int64_t size : tensor.sizes)
    wanted *= static_cast<size_t>(size);
  if (count != wanted)
    throw std::runtime_error("a tensor of " + std::to_string(wanted) +
                             " elements has " + std::to_string(count));
  return tensor;
}

template <class T> std::vector<T> read_list(std::istringstream &words) {
  std::vector<T> list;
  for (std::string word; words >> word;)
    list.push_back(static_cast<T>(std::strtod(word.c_str(), nullptr)));
  return list;
}

double read_real(std::istringstream &words) {
  std::string word;
  words >> word;
  return std::strtod(word.c_str(), nullptr);
}

ArgumentText read_argument(std::istringstream &words, size_t &awaited) {
  ArgumentText argument;
  char kind = 0;
  words >> kind;
  std::string text;
  switch (kind) {
  case 'T':
    argument.tensors.push_back(read_tensor(words, true));
    return argument;
  case 'L':
    argument.is_list = true;
    words >> awaited;
    return argument;
  case 'b':
    words >> text;
    argument.other = text == "1";
    return argument;
  case 'i':
    words >> text;
    argument.other = whole_of(text);
    return argument;
  case 'f':
    argument.other = read_real(words);
    return argument;
  case 'c': {
    double real = read_real(words);
    argument.other = std::complex<double>(real, read_real(words));
    return argument;
  }
  case 's':
    std::getline(words >> std::ws, text);
    argument.other = text;
    return argument;
  case 'd':
    words >> text;
    argument.other = dtype_named(text);
    return argument;
  case 'I':
    argument.other = read_list<int64_t>(words);
    return argument;
  case 'F':
    argument.other = read_list<double>(words);
    return argument;
  case 'n':
    return argument;
  default:
    throw std::runtime_error(std::string("unknown argument ") + kind);
  }
}

void read_flags(std::istringstream &words, Case &made) {
  for (std::string word; words >> word;) {
    if (word.starts_with("tolerance="))
      made.tolerance = std::stod(word.substr(10));
    else if (word.starts_with("smooth="))
      made.smooth = std::stoi(word.substr(7));
    else
      made.only_device = word;
  }
}

/// Reads the lines of one file; the next `awaited` tensors belong to `list`.
struct Reader {
  std::vector<Case> cases;
  ArgumentText *list = nullptr;
  size_t awaited = 0;

  void read_line(const std::string &family, int number,
                 const std::string &line) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "=") {
      Case made;
      made.family = family;
      made.line = number;
      words >> made.name;
      read_flags(words, made);
      cases.push_back(std::move(made));
      return;
    }
    if (cases.empty() || (kind == "-") != (awaited > 0))
      throw std::runtime_error("misplaced line");
    Case &last = cases.back();
    std::string word;
    if (kind == "-") {
      words >> word;
      list->tensors.push_back(read_tensor(words, true));
      --awaited;
    } else if (kind == "p") {
      last.positional.push_back(read_argument(words, awaited));
      list = &last.positional.back();
    } else if (kind == "k") {
      words >> word;
      last.named.emplace_back(word, read_argument(words, awaited));
      list = &last.named.back().second;
    } else if (kind == "r") {
      words >> word;
      last.results.push_back(read_tensor(words, false));
    } else if (kind == "g") {
      size_t operand = 0;
      words >> operand >> word;
      last.gradients.emplace_back(operand, read_tensor(words, false));
    } else if (kind == "e") {
      words >> last.error;
    } else {
      throw std::runtime_error("unknown line");
    }
  }
};

} // namespace

Tensor TensorText::make(Device device, std::optional<Dtype> wanted) const {
  TensorOptions options(wanted.value_or(dtype));
  Tensor plain;
  if (is_whole(dtype)) {
    plain = from_data(integers.data(), sizes, options);
  } else if (is_complex(dtype)) {
    std::vector<std::complex<double>> elements;
    for (size_t i = 0; i < reals.size(); i += 2)
      elements.emplace_back(reals[i], reals[i + 1]);
    plain = from_data(elements.data(), sizes, options);
  } else {
    plain = from_data(reals.data(), sizes, options);
  }
  plain = plain.to(device);
  if (layout == 't') {
    Shape order(sizes.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = static_cast<int64_t>(order.size() - 1 - i);
    return plain.permute(order).clone().permute(order);
  }
  if (layout == 's') {
    Shape wide = sizes;
    wide.back() *= 2;
    Tensor rows = zeros(wide, options.device(device));
    Tensor view = rows.slice(-1, {}, {}, 2);
    view.copy_(plain);
    return view;
  }
  return plain;
}

std::string Case::place() const {
  return family + ".txt:" + std::to_string(line) + " " + name;
}

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const auto &entry :
       std::filesystem::directory_iterator(XLAC_GOLDEN_FOLDER))
    if (entry.path().extension() == ".txt" && entry.path().stem() != "names")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Case> read_cases(const std::string &family) {
  std::ifstream file(std::string(XLAC_GOLDEN_FOLDER) + "/" + family + ".txt");
  Reader reader;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    try {
      reader.read_line(family, number, line);
    } catch (const std::exception &error) {
      throw std::runtime_error(family + ".txt:" + std::to_string(number) +
                               ": " + error.what());
    }
  }
  return std::move(reader.cases);
}

double weight_of(size_t number, size_t index) {
  return (static_cast<double>((37 * index + 11 * number) % 17) - 8) / 8;
}

} // namespace xlac::golden
