#include "xlac/nn/pooling.h"

#include "repr.h"
#include "spatial.h"

#include "xlac/support/raise.h"

namespace xlac::nn {

//===- Maximum ------------------------------------------------------------===//

MaxPoolNdImpl::MaxPoolNdImpl(int dimensions, Options given)
    : options(std::move(given)), dimensions_(dimensions) {
  if (options.stride.empty())
    options.stride = options.kernel_size;
}

Tensor MaxPoolNdImpl::forward(const Tensor &input) {
  const Options &o = options;
  return XLAC_BY_DIMENSIONS(dimensions_, max_pool, input, o.kernel_size,
                            o.stride, o.padding, o.dilation, o.ceil_mode);
}

std::tuple<Tensor, Tensor>
MaxPoolNdImpl::forward_with_indices(const Tensor &input) {
  const Options &o = options;
  auto pool = dimensions_ == 1   ? max_pool1d_with_indices
              : dimensions_ == 2 ? max_pool2d_with_indices
                                 : max_pool3d_with_indices;
  return pool(input, o.kernel_size, o.stride, o.padding, o.dilation,
              o.ceil_mode);
}

std::string MaxPoolNdImpl::extra_repr() const {
  return fmt::format(
      "kernel_size={}, stride={}, padding={}, dilation={}, ceil_mode={}",
      repr_of(options.kernel_size), repr_of(options.stride),
      repr_of(options.padding), repr_of(options.dilation),
      repr_of(options.ceil_mode));
}

MaxUnpool2dImpl::MaxUnpool2dImpl(Options given) : options(std::move(given)) {
  options.kernel_size =
      each_of("MaxUnpool2d", options.kernel_size, 2, "kernel_size");
  options.stride =
      options.stride.empty()
          ? options.kernel_size
          : SizeList(each_of("MaxUnpool2d", options.stride, 2, "stride"));
  options.padding = each_of("MaxUnpool2d", options.padding, 2, "padding");
}

/// Throws ValueError for spatial sizes that pooling cannot have reduced to the
/// input's.
static void check_unpooled(const MaxUnpoolOptions &o, const Tensor &input,
                           const Shape &sizes) {
  if (sizes.size() != 2)
    raise<ValueError>(
        fmt::format("MaxUnpool2d: output_size should be a sequence containing "
                    "2 or {} elements, but it has a length of "
                    "'{}'",
                    input.dim(), sizes.size()));
  for (size_t i = 0; i < 2; ++i) {
    int64_t usual =
        (input.size(static_cast<int64_t>(i) - 2) - 1) * o.stride[i] +
        o.kernel_size[i] - 2 * o.padding[i];
    int64_t low = usual - o.stride[i], high = usual + o.stride[i];
    if (sizes[i] <= low || sizes[i] >= high)
      raise<ValueError>(fmt::format("MaxUnpool2d: invalid output_size {} (dim "
                                    "{} must be between {} and {})",
                                    repr_of(sizes), i, low, high));
  }
}

Tensor MaxUnpool2dImpl::forward(const Tensor &input, const Tensor &indices,
                                IntArrayRef output_size) {
  const Options &o = options;
  Shape sizes(output_size.begin(), output_size.end());
  if (static_cast<int64_t>(sizes.size()) == input.dim())
    sizes.erase(sizes.begin(), sizes.end() - 2);
  if (!sizes.empty())
    check_unpooled(o, input, sizes);
  return max_unpool2d(input, indices, o.kernel_size, o.stride, o.padding,
                      sizes);
}

std::string MaxUnpool2dImpl::extra_repr() const {
  auto tuple = [](const Shape &list) { return repr_of(list); };
  return fmt::format("kernel_size={}, stride={}, padding={}",
                     tuple(options.kernel_size), tuple(options.stride),
                     tuple(options.padding));
}

//===- Mean ---------------------------------------------------------------===//

AvgPoolNdImpl::AvgPoolNdImpl(int dimensions, Options given)
    : options(std::move(given)), dimensions_(dimensions) {
  if (dimensions == 1 && options.divisor_override)
    raise<ValueError>("AvgPool1d: there is no divisor_override");
  if (options.stride.empty())
    options.stride = options.kernel_size;
}

Tensor AvgPoolNdImpl::forward(const Tensor &input) {
  const Options &o = options;
  if (dimensions_ == 1)
    return avg_pool1d(input, o.kernel_size, o.stride, o.padding, o.ceil_mode,
                      o.count_include_pad);
  auto pool = dimensions_ == 2 ? avg_pool2d : avg_pool3d;
  return pool(input, o.kernel_size, o.stride, o.padding, o.ceil_mode,
              o.count_include_pad, o.divisor_override);
}

std::string AvgPoolNdImpl::extra_repr() const {
  // Only AvgPool1d prints all of its arguments as tuples.
  auto text = [&](const SizeList &list) {
    return dimensions_ == 1 ? repr_of(static_cast<const Shape &>(list))
                            : repr_of(list);
  };
  return fmt::format("kernel_size={}, stride={}, padding={}",
                     text(options.kernel_size), text(options.stride),
                     text(options.padding));
}

Tensor LPPool2dImpl::forward(const Tensor &input) {
  return lp_pool2d(input, options.norm_type.to<double>(), options.kernel_size,
                   options.stride, options.ceil_mode);
}
std::string LPPool2dImpl::extra_repr() const {
  return fmt::format("norm_type={}, kernel_size={}, stride={}, ceil_mode={}",
                     repr_of(options.norm_type), repr_of(options.kernel_size),
                     repr_of(options.stride), repr_of(options.ceil_mode));
}

//===- Adaptive pooling ---------------------------------------------------===//

/// Formats sizes as "output_size=(None, 7)".
static std::string output_size_text(const SizeList &sizes) {
  auto text = [](int64_t size) {
    return size == -1 ? std::string("None") : std::to_string(size);
  };
  if (sizes.size() == 1)
    return "output_size=" + text(sizes[0]);
  std::vector<std::string> each;
  for (int64_t size : sizes)
    each.push_back(text(size));
  return fmt::format("output_size=({})", fmt::join(each, ", "));
}

Tensor AdaptiveAvgPoolNdImpl::forward(const Tensor &input) {
  return XLAC_BY_DIMENSIONS(dimensions_, adaptive_avg_pool, input,
                            options.output_size);
}
std::string AdaptiveAvgPoolNdImpl::extra_repr() const {
  return output_size_text(options.output_size);
}

Tensor AdaptiveMaxPoolNdImpl::forward(const Tensor &input) {
  return dimensions_ == 1 ? adaptive_max_pool1d(input, options.output_size)
                          : adaptive_max_pool2d(input, options.output_size);
}
std::tuple<Tensor, Tensor>
AdaptiveMaxPoolNdImpl::forward_with_indices(const Tensor &input) {
  return dimensions_ == 1
             ? adaptive_max_pool1d_with_indices(input, options.output_size)
             : adaptive_max_pool2d_with_indices(input, options.output_size);
}
std::string AdaptiveMaxPoolNdImpl::extra_repr() const {
  return output_size_text(options.output_size);
}

} // namespace xlac::nn
