// bitcast_convert, rng_bit_generator and rng.
#include "evaluator.h"

#include "xlac/ops/infer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>

namespace xlac::host {

using ops::OpKind;

namespace {

/// Philox 4x32-10 on a 128-bit counter.
void philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]) {
  uint32_t k0 = key[0], k1 = key[1];
  uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
  for (int round = 0; round < 10; ++round) {
    uint64_t a = uint64_t{0xD2511F53} * c[0];
    uint64_t b = uint64_t{0xCD9E8D57} * c[2];
    uint32_t next[4] = {
        static_cast<uint32_t>(b >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(b),
        static_cast<uint32_t>(a >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(a)};
    std::memcpy(c, next, sizeof c);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  std::memcpy(out, c, sizeof c);
}

uint32_t rotated(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

/// Threefry 2x32-20.
void threefry(const uint32_t key[2], uint32_t x[2]) {
  static constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t keys[3] = {key[0], key[1], 0x1BD11BDA ^ key[0] ^ key[1]};
  x[0] += keys[0];
  x[1] += keys[1];
  for (uint32_t group = 0; group < 5; ++group) {
    for (int by : kRotations[group % 2]) {
      x[0] += x[1];
      x[1] = rotated(x[1], by) ^ x[0];
    }
    x[0] += keys[(group + 1) % 3];
    x[1] += keys[(group + 2) % 3] + group + 1;
  }
}

/// Threefry: both words of the block with the counter state[1] + `number`.
uint64_t threefry_bits(std::span<const uint64_t> state, uint64_t number) {
  uint32_t key[2] = {static_cast<uint32_t>(state[0]),
                     static_cast<uint32_t>(state[0] >> 32)};
  uint64_t counter = state[1] + number;
  uint32_t block[2] = {static_cast<uint32_t>(counter),
                       static_cast<uint32_t>(counter >> 32)};
  threefry(key, block);
  return block[0] | uint64_t{block[1]} << 32;
}

/// Philox with XLA's assignment: blocks have four words, and each element takes
/// one, or two if `wide`. The counter has 128 bits, whose upper half is
/// state[2], or the key if there is none.
uint64_t philox_bits(std::span<const uint64_t> state, uint64_t number,
                     bool wide) {
  uint32_t key[2] = {static_cast<uint32_t>(state[0]),
                     static_cast<uint32_t>(state[0] >> 32)};
  uint64_t per_block = wide ? 2 : 4;
  uint64_t counter = state[1] + number / per_block;
  uint64_t upper =
      (state.size() > 2 ? state[2] : state[0]) + (counter < state[1]);
  uint32_t block[4] = {
      static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32),
      static_cast<uint32_t>(upper), static_cast<uint32_t>(upper >> 32)};
  uint32_t out[4];
  philox(key, block, out);
  uint64_t part = number % per_block;
  return wide ? out[2 * part] | uint64_t{out[2 * part + 1]} << 32 : out[part];
}

Result<Literals> rng_bit_generator(OpContext &context) {
  const Literal &initial = context.operand(0);
  int64_t state_bytes = initial.byte_count();
  if (initial.type().rank() != 1 || !is_integer(initial.type().element) ||
      state_bytes < 16)
    return failure(FailureKind::Unsupported,
                   "a state of " + ops::short_text(initial.type()));
  ElementType drawn_type = context.results[1].element;
  if (is_complex(drawn_type) || bit_width(drawn_type) < 8)
    return failure(FailureKind::Unsupported,
                   "bits of " + ops::short_text(context.results[1]));
  std::vector<uint64_t> state(state_bytes / 8);
  std::memcpy(state.data(), initial.data(), state.size() * 8);
  Result<Literal> bits = Literal::allocate(context.results[1]);
  if (!bits)
    return bits.error();
  bool uses_philox =
      context.attributes<ops::RngBitGeneratorAttributes>().rng_algorithm !=
      ops::RngAlgorithm::THREE_FRY;
  size_t size = byte_size(bits->type().element);
  for (int64_t i = 0; i < bits->count(); ++i) {
    auto number = static_cast<uint64_t>(i);
    uint64_t drawn = uses_philox ? philox_bits(state, number, size > 4)
                                 : threefry_bits(state, number);
    std::memcpy(bits->mutable_data() + i * size, &drawn, size);
  }
  auto count = static_cast<uint64_t>(bits->count());
  uint64_t per_block = !uses_philox ? 1 : size > 4 ? 2 : 4;
  uint64_t blocks = count / per_block + (count % per_block != 0);
  state[1] += blocks;
  if (uses_philox && state.size() > 2 && state[1] < blocks)
    ++state[2];
  Result<Literal> next = Literal::copy_of(context.results[0], initial.data());
  if (!next)
    return next.error();
  std::memcpy(next->mutable_data(), state.data(), state.size() * 8);
  return Literals{std::move(*next), std::move(*bits)};
}

/// A number in [0, 1) from the upper 53 bits of `bits`.
double unit_of(uint64_t bits) {
  return std::ldexp(static_cast<double>(bits >> 11), -53);
}

/// Box-Muller transform of two numbers in [0, 1).
double normal_of(double first, double second) {
  return std::sqrt(-2 * std::log1p(-first)) *
         std::cos(6.283185307179586 * second);
}

/// The specification permits any numbers in the interval; every run gives the
/// same.
Result<Literals> rng(OpContext &context) {
  const Literal &low = context.operand(0), &high = context.operand(1);
  Result<Literal> drawn = Literal::allocate(context.result());
  if (!drawn)
    return drawn.error();
  static constexpr uint64_t kState[] = {0x5851F42D4C957F2D, 0};
  bool is_normal = context.attributes<ops::RngAttributes>().rng_distribution ==
                   ops::RngDistribution::NORMAL;
  for (int64_t i = 0; i < drawn->count(); ++i) {
    auto number = static_cast<uint64_t>(i);
    uint64_t bits = threefry_bits(kState, 2 * number);
    if (!is_float(low.type().element)) {
      auto from = static_cast<uint64_t>(as_integer(low));
      uint64_t range = static_cast<uint64_t>(as_integer(high)) - from;
      if (is_boolean(low.type().element))
        range = 2;
      auto value = static_cast<int64_t>(from + (range ? bits % range : bits));
      store(*drawn, i, 1, &value);
      continue;
    }
    double from = as_double(low), to = as_double(high), unit = unit_of(bits);
    double value =
        is_normal ? from + to * normal_of(unit, unit_of(threefry_bits(
                                                    kState, 2 * number + 1)))
                  : from + unit * (to - from);
    store(*drawn, i, 1, &value);
    // Rounding may give the upper bound, which the interval excludes.
    if (!is_normal && as_double(*drawn, i) >= to)
      store(*drawn, i, 1, &from);
  }
  return Literals{std::move(*drawn)};
}

/// `width` bits, at most 8, starting at bit `at`.
unsigned bits_at(const std::byte *from, int64_t at, int width) {
  return (std::to_integer<unsigned>(from[at / 8]) >> (at % 8)) &
         ((1u << width) - 1);
}

/// Packs or splits elements narrower than a byte, which take one byte each and
/// are sign- or zero-extended. The first element has the lowest bits.
Result<Literals> narrow_bitcast(OpContext &context) {
  const Literal &from = context.operand(0);
  Result<Literal> result = Literal::allocate(context.result());
  if (!result)
    return result.error();
  ElementType to = context.result().element;
  int from_width = bit_width(from.type().element), to_width = bit_width(to);
  int width = std::min(from_width, to_width);
  int64_t from_parts = from_width / width, to_parts = to_width / width;
  size_t from_size = byte_size(from.type().element), to_size = byte_size(to);
  std::memset(result->mutable_data(), 0, result->byte_count());
  for (int64_t part = 0; part < result->count() * to_parts; ++part) {
    const std::byte *source = from.data() + part / from_parts * from_size;
    std::byte *target = result->mutable_data() + part / to_parts * to_size;
    unsigned bits = bits_at(source, part % from_parts * width, width);
    int64_t at = part % to_parts * width;
    target[at / 8] |= static_cast<std::byte>(bits << (at % 8));
  }
  for (int64_t i = 0; is_integer(to) && i < result->count(); ++i) {
    int64_t value = as_integer(*result, i);
    store(*result, i, 1, &value);
  }
  return Literals{std::move(*result)};
}

Result<Literals> bitcast_convert(OpContext &context) {
  ElementType from = context.operand(0).type().element;
  ElementType to = context.result().element;
  if (bit_width(from) < 8 || bit_width(to) < 8)
    return narrow_bitcast(context);
  return Literals{context.operand(0).with_type(context.result())};
}

} // namespace

Result<Literals> evaluate_bits(OpContext &context) {
  switch (context.node.op()) {
  case OpKind::BitcastConvert:
    return bitcast_convert(context);
  case OpKind::Rng:
    return rng(context);
  default:
    return rng_bit_generator(context);
  }
}

Result<std::vector<TensorType>> infer_types(const graph::Node &node,
                                            const Literals &operands) {
  std::vector<Type> types;
  std::vector<std::optional<std::vector<int64_t>>> constants;
  for (const Literal &operand : operands) {
    types.emplace_back(operand.type());
    constants.emplace_back();
    ElementType element = operand.type().element;
    if ((is_integer(element) || is_boolean(element)) &&
        operand.count() <= 4096) {
      constants.back().emplace(operand.count());
      if (operand.count() > 0)
        load(operand, 0, operand.count(), constants.back()->data());
    }
  }
  std::vector<ops::RegionSignature> regions = graph::signatures(node.regions());
  std::vector<const Type *> places = ops::places_of(types);
  ops::InferContext context;
  context.operands = places;
  context.attributes = node.attributes();
  context.regions = regions;
  context.constants = constants;
  context.declared = node.types();
  context.declares_results = true;
  Result<std::vector<Type>> inferred = ops::infer(node.op(), context);
  if (!inferred)
    return inferred.error();
  std::vector<TensorType> results;
  for (const Type &type : *inferred) {
    if (!type.is_tensor() || !type.tensor().is_static())
      return failure(FailureKind::Unsupported,
                     "the size of " + to_string(type) + " stays open");
    results.push_back(type.tensor());
  }
  return results;
}

} // namespace xlac::host
