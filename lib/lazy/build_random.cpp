// Builder of random bits.
#include "builder_parts.h"

#include "xlac/lazy/build.h"

namespace xlac::build {

std::pair<Value, Value> rng_bit_generator(Value state, ElementType type,
                                          const Shape &dims) {
  ops::RngBitGeneratorAttributes attributes;
  attributes.rng_algorithm = ops::RngAlgorithm::PHILOX;
  Type state_type = state.type();
  graph::NodeRef node =
      emit(OpKind::RngBitGenerator, attributes, {std::move(state)},
           {state_type, Type(tensor_type(type, dims))});
  return {{node, 0}, {node, 1}};
}

} // namespace xlac::build
