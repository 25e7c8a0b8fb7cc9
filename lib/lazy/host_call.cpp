#include "host_call.h"

#include "xlac/library/custom_calls.h"

#include <exception>

namespace xlac::lazy {

namespace {

CustomCallTensor describe(const TensorType &type, void *data) {
  CustomCallTensor tensor{element_type_name(type.element), type.dims, type.dims,
                          data};
  int64_t stride = 1;
  for (size_t i = type.dims.size(); i-- > 0;) {
    tensor.strides[i] = stride;
    stride *= type.dims[i];
  }
  return tensor;
}

/// The entry of a configuration that is a quoted string.
Result<CustomCallAttributes>
attributes_of(const ops::CustomCallAttributes &call) {
  if (!call.backend_config)
    return CustomCallAttributes{};
  const std::string &text = call.backend_config->text;
  if (text.size() < 2 || text.front() != '"' || text.back() != '"')
    return failure(FailureKind::Unsupported,
                   "a configuration that is not text, on the cpu");
  if (text.size() == 2)
    return CustomCallAttributes{};
  return CustomCallAttributes{{"", text.substr(1, text.size() - 2)}};
}

} // namespace

Result<std::vector<host::Literal>>
call_on_host(const ops::CustomCallAttributes &call,
             std::span<const host::Literal> operands,
             const std::vector<TensorType> &results) {
  auto function = library::find_custom_call(call.call_target_name);
  if (!function)
    return failure(FailureKind::User,
                   "no function is registered for the target " +
                       call.call_target_name);
  Result<CustomCallAttributes> attributes = attributes_of(call);
  if (!attributes)
    return attributes.error();
  std::vector<CustomCallTensor> inputs, outputs;
  for (const host::Literal &operand : operands)
    inputs.push_back(
        describe(operand.type(), const_cast<std::byte *>(operand.data())));
  std::vector<host::Literal> made;
  for (const TensorType &type : results) {
    Result<host::Literal> literal = host::Literal::allocate(type);
    if (!literal)
      return literal.error();
    made.push_back(std::move(*literal));
    outputs.push_back(describe(type, made.back().mutable_data()));
  }
  CustomCallLoop loop = [](int64_t count,
                           const std::function<void(int64_t, int64_t)> &body) {
    body(0, count);
  };
  try {
    (*function)(
        CustomCall{call.call_target_name, inputs, outputs, *attributes, loop});
  } catch (const std::exception &problem) {
    return failure(FailureKind::Runtime, problem.what());
  } catch (...) {
    return failure(FailureKind::Runtime, call.call_target_name + " failed");
  }
  return made;
}

} // namespace xlac::lazy
