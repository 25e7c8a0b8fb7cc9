#include "xlac/lazy/host_values.h"

#include "host_call.h"

#include "xlac/host/custom_call.h"
#include "xlac/host/evaluate.h"
#include "xlac/lazy/build.h"
#include "xlac/support/raise.h"

namespace xlac::lazy {

using graph::Value;

Value host_value(host::Literal literal) {
  Type type(literal.type());
  return {graph::Node::make_parameter(
              std::move(type),
              std::make_shared<host::HostData>(std::move(literal))),
          0};
}

const host::Literal &host_literal(const Value &value) {
  return static_cast<const host::HostData *>(value.node->data().get())->literal;
}

std::vector<host::Literal> evaluate_on_host(const std::vector<Value> &values) {
  host::set_custom_call_evaluator(call_on_host);
  // Evaluated nodes are not pending on any device.
  build::emitted_nodes() = 0;
  std::vector<host::Literal> results = unwrap(host::evaluate(values));
  for (host::Literal &result : results)
    if (result.owner().use_count() > 1)
      result = unwrap(host::Literal::copy_of(result.type(), result.data()));
  return results;
}

host::Literal converted(const host::Literal &literal, ElementType element) {
  if (literal.type().element == element)
    return literal;
  return evaluate_on_host({build::convert(host_value(literal), element)})[0];
}

} // namespace xlac::lazy
