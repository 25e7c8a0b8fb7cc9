// str(): PyTorch's repr. Numbers share a width and either all have an exponent
// or none; more than `threshold` elements show only the edges.
#include "xlac/support/fork.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <mutex>
#include <optional>

namespace xlac {

using namespace frontend;

namespace {

PrintOptions print_options;
ForkMutex options_mutex;

std::string formatted(const char *format, int digits, double value) {
  char text[512];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

/// The common format of all real numbers of one tensor.
class NumberFormat {
public:
  NumberFormat(const std::vector<double> &values, const PrintOptions &o);
  /// Formats right-aligned to the common width, which NaN and infinities may
  /// exceed.
  std::string write(double value) const;
  size_t width() const { return width_; }

private:
  std::string plain(double value) const;

  int precision_;
  bool whole_ = true, scientific_ = false;
  size_t width_ = 1;
};

NumberFormat::NumberFormat(const std::vector<double> &values,
                           const PrintOptions &o)
    : precision_(o.precision) {
  double least = INFINITY, most = 0;
  for (double value : values) {
    if (!std::isfinite(value) || value == 0)
      continue;
    least = std::min(least, std::fabs(value));
    most = std::max(most, std::fabs(value));
    whole_ &= value == std::ceil(value);
  }
  scientific_ = most > 0 && (most / least > 1000.0 || most > 1e8 ||
                             (!whole_ && least < 1e-4));
  scientific_ = o.sci_mode.value_or(scientific_);
  for (double value : values)
    if (std::isfinite(value) && value != 0)
      width_ = std::max(width_, plain(value).size());
}

std::string NumberFormat::plain(double value) const {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  if (scientific_)
    return formatted("%.*e", precision_, value);
  if (whole_)
    return formatted("%.*f", 0, value) + ".";
  return formatted("%.*f", precision_, value);
}

std::string padded(const std::string &text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string NumberFormat::write(double value) const {
  return padded(plain(value), width_);
}

/// The printed elements as text.
class Elements {
public:
  Elements(const Tensor &tensor, std::vector<int64_t> shown,
           const PrintOptions &o);
  const std::string &at(int64_t index) const {
    auto found = std::lower_bound(shown_.begin(), shown_.end(), index);
    return texts_[found - shown_.begin()];
  }
  /// The width of one element for the division into lines.
  size_t width() const { return width_; }

private:
  void write_words(std::vector<std::string> words);
  void write_reals(const std::vector<double> &values, const PrintOptions &o);
  void write_complex(const std::vector<std::complex<double>> &values,
                     const PrintOptions &o);
  template <class T> std::vector<T> picked(const Tensor &tensor) const {
    std::vector<T> all = tensor.to_vector<T>(), values;
    for (int64_t i : shown_)
      values.push_back(all[i]);
    return values;
  }

  std::vector<int64_t> shown_; ///< ascending
  std::vector<std::string> texts_;
  size_t width_ = 1;
};

void Elements::write_words(std::vector<std::string> words) {
  for (const std::string &word : words)
    width_ = std::max(width_, word.size());
  for (const std::string &word : words)
    texts_.push_back(padded(word, width_));
}

void Elements::write_reals(const std::vector<double> &values,
                           const PrintOptions &o) {
  NumberFormat format(values, o);
  width_ = format.width();
  for (double value : values)
    texts_.push_back(format.write(value));
}

void Elements::write_complex(const std::vector<std::complex<double>> &values,
                             const PrintOptions &o) {
  std::vector<double> reals, imaginaries;
  for (std::complex<double> value : values) {
    reals.push_back(value.real());
    imaginaries.push_back(value.imag());
  }
  NumberFormat real(reals, o), imaginary(imaginaries, o);
  width_ = real.width() + imaginary.width() + 1;
  for (std::complex<double> value : values) {
    std::string text = imaginary.write(value.imag());
    text.erase(0, text.find_first_not_of(' '));
    texts_.push_back(real.write(value.real()) + (text[0] == '-' ? "" : "+") +
                     text + "j");
  }
}

Elements::Elements(const Tensor &tensor, std::vector<int64_t> shown,
                   const PrintOptions &o)
    : shown_(std::move(shown)) {
  Dtype dtype = tensor.dtype();
  std::vector<std::string> words;
  if (is_complex(dtype)) {
    write_complex(picked<std::complex<double>>(tensor), o);
    return;
  }
  if (is_floating_point(dtype)) {
    write_reals(picked<double>(tensor), o);
    return;
  }
  if (dtype == kBool)
    for (bool value : picked<bool>(tensor))
      words.push_back(value ? "True" : "False");
  else if (dtype == kUInt64)
    for (uint64_t value : picked<uint64_t>(tensor))
      words.push_back(std::to_string(value));
  else
    for (int64_t value : picked<int64_t>(tensor))
      words.push_back(std::to_string(value));
  write_words(std::move(words));
}

/// Lays out brackets and rows.
class Layout {
public:
  Layout(const Shape &sizes, const PrintOptions &o, bool shortened)
      : sizes_(sizes), options_(o), shortened_(shortened) {}

  /// Positions along a dimension; -1 stands for "...".
  std::vector<int64_t> positions(size_t dim) const;
  /// Flat indices of all printed elements, ascending.
  std::vector<int64_t> shown() const;
  std::string write(const Elements &elements, size_t indent) const;

private:
  void collect(size_t dim, int64_t base, std::vector<int64_t> &list) const;
  std::string write_row(const Elements &elements, int64_t base,
                        size_t indent) const;
  std::string write_block(const Elements &elements, size_t dim, int64_t base,
                          size_t indent) const;

  const Shape &sizes_;
  const PrintOptions &options_;
  bool shortened_;
};

std::vector<int64_t> Layout::positions(size_t dim) const {
  int64_t size = sizes_[dim], edge = options_.edgeitems;
  std::vector<int64_t> list;
  bool cut = shortened_ && size > 2 * edge;
  for (int64_t i = 0; i < size; ++i) {
    if (cut && i == edge) {
      list.push_back(-1);
      i = size - edge;
    }
    list.push_back(i);
  }
  return list;
}

void Layout::collect(size_t dim, int64_t base,
                     std::vector<int64_t> &list) const {
  if (dim == sizes_.size()) {
    list.push_back(base);
    return;
  }
  for (int64_t i : positions(dim))
    if (i >= 0)
      collect(dim + 1, base * sizes_[dim] + i, list);
}

std::vector<int64_t> Layout::shown() const {
  std::vector<int64_t> list;
  collect(0, 0, list);
  return list;
}

std::string Layout::write_row(const Elements &elements, int64_t base,
                              size_t indent) const {
  int64_t available = options_.linewidth - static_cast<int64_t>(indent);
  int64_t per_line = std::max<int64_t>(
      1, available / (static_cast<int64_t>(elements.width()) + 2));
  std::string text = "[";
  int64_t on_line = 0;
  bool first = true;
  for (int64_t i : positions(sizes_.size() - 1)) {
    if (!first) {
      text += ",";
      text += on_line == per_line ? "\n" + std::string(indent + 1, ' ') : " ";
    }
    if (on_line == per_line)
      on_line = 0;
    text += i < 0 ? " ..." : elements.at(base * sizes_.back() + i);
    first = false;
    ++on_line;
  }
  return text + "]";
}

std::string Layout::write_block(const Elements &elements, size_t dim,
                                int64_t base, size_t indent) const {
  if (dim + 1 == sizes_.size())
    return write_row(elements, base, indent);
  std::string text = "[",
              separator = "," + std::string(sizes_.size() - dim - 1, '\n') +
                          std::string(indent + 1, ' ');
  bool first = true;
  for (int64_t i : positions(dim)) {
    if (!first)
      text += separator;
    text += i < 0 ? "..."
                  : write_block(elements, dim + 1, base * sizes_[dim] + i,
                                indent + 1);
    first = false;
  }
  return text + "]";
}

std::string Layout::write(const Elements &elements, size_t indent) const {
  return sizes_.empty() ? elements.at(0) : write_block(elements, 0, 0, indent);
}

/// Returns device=…, size=…, dtype=…, grad_fn=…, which follow the numbers.
std::vector<std::string> suffixes(const Tensor &tensor, bool empty) {
  std::vector<std::string> list;
  Shape sizes = tensor.sizes();
  if (tensor.is_xla())
    list.push_back("device='" + tensor.device().str() + "'");
  if (empty && sizes.size() != 1) {
    std::string text = to_text(sizes);
    list.push_back("size=(" + text.substr(1, text.size() - 2) + ")");
  }
  Dtype dtype = tensor.dtype();
  Dtype default_complex =
      get_default_dtype() == kFloat64 ? kComplex128 : kComplex64;
  bool follows = dtype == get_default_dtype() ||
                 (!empty && (dtype == kBool || dtype == kInt64 ||
                             dtype == default_complex));
  if (!follows)
    list.push_back("dtype=torch." + std::string(name(dtype)));
  std::string function =
      recorder() ? recorder()->gradient_function(tensor) : std::string();
  if (!function.empty() && list.size() == 1 && tensor.is_xla())
    list[0] += ", grad_fn=<" + function + ">"; // these two stay on one line
  else if (!function.empty())
    list.push_back("grad_fn=<" + function + ">");
  else if (tensor.requires_grad())
    list.push_back("requires_grad=True");
  return list;
}

/// Appends the suffixes. A suffix that does not fit starts a new line.
std::string with_suffixes(std::string text,
                          const std::vector<std::string> &list,
                          const PrintOptions &o) {
  // Two more columns than the text has, as PyTorch counts.
  size_t line = text.size() - (text.rfind('\n') + 1) + 2;
  for (const std::string &suffix : list) {
    if (line + suffix.size() + 2 > static_cast<size_t>(o.linewidth)) {
      text += ",\n       " + suffix;
      line = 7 + suffix.size();
    } else {
      text += ", " + suffix;
      line += suffix.size() + 2;
    }
  }
  return text + ")";
}

} // namespace

std::string Tensor::str() const {
  XLAC_CALL("str");
  impl_of(*this);
  PrintOptions o;
  {
    std::lock_guard lock(options_mutex);
    o = print_options;
  }
  if (numel() == 0)
    return with_suffixes("tensor([]", suffixes(*this, true), o);
  Shape shape = sizes();
  Layout layout(shape, o, numel() > o.threshold);
  Elements elements(*this, layout.shown(), o);
  return with_suffixes("tensor(" + layout.write(elements, 7),
                       suffixes(*this, false), o);
}

std::ostream &operator<<(std::ostream &os, const Tensor &tensor) {
  return os << tensor.str();
}

void set_printoptions(PrintOptions o) {
  std::lock_guard lock(options_mutex);
  print_options = o;
}

} // namespace xlac
