#include "xlac/library/call_bytes.h"

#include "xlac/support/element_type.h"

#include <bit>
#include <variant>

namespace xlac::library {

namespace {

void write_value(ByteWriter &out, const CustomCallValue &value) {
  out.u8(static_cast<uint8_t>(value.index()));
  std::visit(
      [&](const auto &held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, bool>)
          out.u8(held);
        else if constexpr (std::is_same_v<Held, int64_t>)
          out.i64(held);
        else if constexpr (std::is_same_v<Held, double>)
          out.u64(std::bit_cast<uint64_t>(held));
        else if constexpr (std::is_same_v<Held, std::string>)
          out.text(held);
        else if constexpr (std::is_same_v<Held, std::vector<int64_t>>)
          out.i64s(held);
        else
          out.f64s(held);
      },
      value);
}

CustomCallValue read_value(ByteReader &in) {
  switch (in.u8()) {
  case 0:
    return in.boolean();
  case 1:
    return in.i64();
  case 2:
    return std::bit_cast<double>(in.u64());
  case 3: {
    std::string text;
    in.text(text);
    return text;
  }
  case 4: {
    std::vector<int64_t> numbers;
    in.i64s(numbers);
    return numbers;
  }
  case 5: {
    std::vector<double> numbers;
    in.f64s(numbers);
    return numbers;
  }
  default:
    return in.reject();
  }
}

void write_tensors(ByteWriter &out,
                   const std::vector<CustomCallTensor> &tensors) {
  out.u64(tensors.size());
  for (const CustomCallTensor &tensor : tensors) {
    out.text(tensor.element_type);
    out.i64s(tensor.sizes);
    out.i64s(tensor.strides);
  }
}

void read_tensors(ByteReader &in, std::vector<CustomCallTensor> &tensors) {
  tensors.resize(in.count(24));
  for (CustomCallTensor &tensor : tensors) {
    std::string name;
    in.text(name);
    in.i64s(tensor.sizes);
    in.i64s(tensor.strides);
    auto element = parse_element_type(name);
    if (!element || tensor.sizes.size() != tensor.strides.size()) {
      in.reject();
      return;
    }
    tensor.element_type = element_type_name(*element);
  }
}

} // namespace

void write_attributes(ByteWriter &out, const CustomCallAttributes &attributes) {
  out.u64(attributes.size());
  for (const auto &[name, value] : attributes) {
    out.text(name);
    write_value(out, value);
  }
}

void read_attributes(ByteReader &in, CustomCallAttributes &attributes) {
  attributes.resize(in.count(10));
  for (auto &[name, value] : attributes) {
    in.text(name);
    value = read_value(in);
  }
}

std::vector<std::byte> serialize(const DescribedCall &call) {
  ByteWriter out;
  out.text(call.target);
  out.text(call.source);
  write_attributes(out, call.attributes);
  write_tensors(out, call.operands);
  write_tensors(out, call.results);
  return out.take();
}

bool deserialize(std::span<const std::byte> bytes, DescribedCall &call) {
  ByteReader in(bytes);
  in.text(call.target);
  in.text(call.source);
  read_attributes(in, call.attributes);
  read_tensors(in, call.operands);
  read_tensors(in, call.results);
  return in.finished();
}

} // namespace xlac::library
