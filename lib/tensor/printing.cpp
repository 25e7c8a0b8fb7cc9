// str(): PyTorch's repr. Numbers share a width and either all have an exponent
// or none; more than `threshold` elements show only the edges.
#include "xlac/tensor/access.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>

namespace xlac {

using namespace front;

namespace {

PrintOptions print_options;
std::mutex options_mutex;

std::string formatted(const char *format, int digits, double value) {
  char text[512];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

/// How all real numbers of one tensor are written.
class NumberFormat {
public:
  NumberFormat(const std::vector<double> &values, bool whole,
               const PrintOptions &o);
  std::string write(double value) const;
  size_t width() const { return width_; }

private:
  std::string plain(double value) const;

  int precision_;
  bool whole_type_, whole_ = true, scientific_ = false;
  size_t width_ = 1;
};

NumberFormat::NumberFormat(const std::vector<double> &values, bool whole,
                           const PrintOptions &o)
    : precision_(o.precision), whole_type_(whole) {
  double least = INFINITY, most = 0;
  for (double value : values) {
    if (!std::isfinite(value) || value == 0)
      continue;
    least = std::min(least, std::fabs(value));
    most = std::max(most, std::fabs(value));
    whole_ &= value == std::ceil(value);
  }
  for (double value : values)
    whole_ &= !std::isfinite(value) || value == std::ceil(value);
  if (!whole_type_ && most > 0) {
    scientific_ = whole_ ? most / least > 1000.0 || most > 1e8
                         : most / least > 1000.0 || most > 1e8 || least < 1e-4;
    if (o.sci_mode)
      scientific_ = *o.sci_mode;
  }
  for (double value : values)
    if (std::isfinite(value) && value != 0)
      width_ = std::max(width_, plain(value).size());
}

std::string NumberFormat::plain(double value) const {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  if (whole_type_)
    return formatted("%.*f", 0, value);
  if (scientific_)
    return formatted("%.*e", precision_, value);
  if (whole_)
    return formatted("%.*f", 0, value) + ".";
  return formatted("%.*f", precision_, value);
}

std::string NumberFormat::write(double value) const {
  std::string text = plain(value);
  return std::string(width_ - std::min(width_, text.size()), ' ') + text;
}

/// The tensor's elements as text, all of one width.
class Elements {
public:
  Elements(const Tensor &tensor, const std::vector<int64_t> &shown,
           const PrintOptions &o);
  const std::string &at(int64_t index) const {
    auto found = std::lower_bound(
        texts_.begin(), texts_.end(), index,
        [](const auto &entry, int64_t i) { return entry.first < i; });
    return found->second;
  }
  size_t width() const { return width_; }

private:
  std::vector<std::pair<int64_t, std::string>> texts_;
  size_t width_ = 0;
};

Elements::Elements(const Tensor &tensor, const std::vector<int64_t> &shown,
                   const PrintOptions &o) {
  Dtype dtype = tensor.dtype();
  auto add = [&](int64_t i, std::string text) {
    width_ = std::max(width_, text.size());
    texts_.emplace_back(i, std::move(text));
  };
  if (dtype == kBool) {
    std::vector<bool> values = tensor.to_vector<bool>();
    size_t width = 4;
    for (int64_t i : shown)
      width = std::max<size_t>(width, values[i] ? 4 : 5);
    for (int64_t i : shown) {
      std::string text = values[i] ? "True" : "False";
      add(i, std::string(width - text.size(), ' ') + text);
    }
  } else if (dtype == kInt64 || dtype == kUInt64) {
    std::vector<int64_t> values = tensor.to_vector<int64_t>();
    std::vector<std::string> texts;
    size_t width = 1;
    for (int64_t i : shown) {
      texts.push_back(dtype == kInt64
                          ? std::to_string(values[i])
                          : std::to_string(static_cast<uint64_t>(values[i])));
      width = std::max(width, texts.back().size());
    }
    for (size_t k = 0; k < shown.size(); ++k)
      add(shown[k], std::string(width - texts[k].size(), ' ') + texts[k]);
  } else if (is_complex(dtype)) {
    auto values = tensor.to_vector<std::complex<double>>();
    std::vector<double> reals, imaginaries;
    for (int64_t i : shown) {
      reals.push_back(values[i].real());
      imaginaries.push_back(std::fabs(values[i].imag()));
    }
    NumberFormat real(reals, false, o), imaginary(imaginaries, false, o);
    for (int64_t i : shown)
      add(i, real.write(values[i].real()) +
                 (std::signbit(values[i].imag()) ? "-" : "+") +
                 imaginary.write(std::fabs(values[i].imag())) + "j");
  } else {
    std::vector<double> values = tensor.to_vector<double>(), picked;
    for (int64_t i : shown)
      picked.push_back(values[i]);
    NumberFormat format(picked, !is_floating_point(dtype), o);
    for (int64_t i : shown)
      add(i, format.write(values[i]));
  }
}

/// Lays out brackets and rows.
class Layout {
public:
  Layout(const Shape &sizes, const PrintOptions &o, bool shortened)
      : sizes_(sizes), options_(o), shortened_(shortened) {}

  /// Positions along a dimension; -1 stands for "...".
  std::vector<int64_t> positions(size_t dim) const;
  /// Flat indices of all elements that are shown, ascending.
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
  int64_t room = options_.linewidth - static_cast<int64_t>(indent);
  int64_t per_line =
      std::max<int64_t>(1, room / (static_cast<int64_t>(elements.width()) + 2));
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

/// device=…, size=…, dtype=… behind the numbers.
std::string suffix(const Tensor &tensor, bool empty) {
  std::string text;
  Shape sizes = tensor.sizes();
  if (tensor.is_xla())
    text += ", device='" + tensor.device().str() + "'";
  if (empty && sizes.size() != 1)
    text += ", size=(" + [&] {
      std::string list = to_text(sizes);
      return list.substr(1, list.size() - 2);
    }() + ")";
  Dtype dtype = tensor.dtype();
  Dtype default_complex =
      get_default_dtype() == kFloat64 ? kComplex128 : kComplex64;
  bool follows = dtype == get_default_dtype() ||
                 (!empty && (dtype == kBool || dtype == kInt64 ||
                             dtype == default_complex));
  if (!follows)
    text += ", dtype=torch." + std::string(name(dtype));
  if (tensor.requires_grad())
    text += ", requires_grad=True";
  return text;
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
    return "tensor([]" + suffix(*this, true) + ")";
  Shape shape = sizes();
  Layout layout(shape, o, numel() > o.threshold);
  Elements elements(*this, layout.shown(), o);
  return "tensor(" + layout.write(elements, 7) + suffix(*this, false) + ")";
}

std::ostream &operator<<(std::ostream &os, const Tensor &tensor) {
  return os << tensor.str();
}

void set_printoptions(PrintOptions o) {
  std::lock_guard lock(options_mutex);
  print_options = o;
}

} // namespace xlac
