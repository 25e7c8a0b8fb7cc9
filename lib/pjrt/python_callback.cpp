// On a platform named cpu, JAX passes the Python functions as user data of the
// execution: a struct whose first field points to an array of callables. On
// other platforms the Python package registers the functions, and the
// executable holds references to them. The module xlac._callbacks converts
// between buffers and arrays.
#include "python_callback.h"

#include "errors.h"
#include "ffi_call.h"
#include "python_api.h"
#include "python_callable.h"

#include "xlac/library/custom_calls.h"
#include "xlac/support/program_names.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace xlac::pjrt {

namespace {

/// The functions of kPythonModule that call a callback.
constexpr char kCall[] = "call", kCallInPlace[] = "call_in_place";

PyObject *integers(const PythonApi &python, const std::vector<int64_t> &values,
                   int64_t factor) {
  PythonRef tuple(python, python.PyTuple_New(values.size()));
  for (size_t i = 0; tuple.get() && i < values.size(); ++i)
    python.PyTuple_SetItem(
        tuple.get(), i,
        python.Py_BuildValue("L", static_cast<long long>(values[i] * factor)));
  return tuple.release();
}

/// Returns a tuple of the address, element type, sizes, and strides in bytes.
PyObject *describe(const PythonApi &python, const CustomCallTensor &tensor) {
  auto type = parse_element_type(tensor.element_type);
  const std::string element(tensor.element_type);
  return python.Py_BuildValue(
      "(KsNN)", reinterpret_cast<unsigned long long>(tensor.data),
      element.c_str(), integers(python, tensor.sizes, 1),
      integers(python, tensor.strides, type ? byte_size(*type) : 1));
}

/// Returns a tuple that describes all operands or all results. Tokens are None.
PyObject *describe(const PythonApi &python,
                   std::span<const CustomCallTensor> tensors,
                   std::span<const int64_t> tokens) {
  size_t count = tensors.size() + tokens.size();
  PythonRef tuple(python, python.PyTuple_New(count));
  size_t next = 0;
  for (size_t place = 0; tuple.get() && place < count; ++place) {
    bool is_token = std::find(tokens.begin(), tokens.end(),
                              static_cast<int64_t>(place)) != tokens.end();
    python.PyTuple_SetItem(tuple.get(), place,
                           is_token || next == tensors.size()
                               ? python.Py_BuildValue("")
                               : describe(python, tensors[next++]));
  }
  return tuple.release();
}

/// Returns a borrowed reference to the function that the attribute `index`
/// selects.
PyObject *callable_of(const CustomCall &call) {
  if (const FfiProgram::Site *site = site_of(call); site && site->callable)
    return site->callable->object();
  const auto *launch = static_cast<const FfiLaunch *>(call.origin.launch);
  std::optional<uint64_t> index = python_index(*call.origin.attributes);
  if (!index)
    throw library::CustomCallError(FailureKind::User,
                                   "has no attribute 'index' of type ui64");
  // The id of the type depends on the host. The functions are the only user
  // data that hosts pass to executions with callbacks.
  if (!launch || launch->user_data.size() != 1)
    throw library::CustomCallError(
        FailureKind::User, "the execution brings no Python functions along");
  const void *data = launch->user_data.front().second;
  PyObject **callables = nullptr;
  std::memcpy(&callables, data, sizeof callables);
  return callables[*index];
}

void call_python(const CustomCall &call) {
  PythonEntry entry;
  const PythonApi *python = PythonApi::find();
  if (!python)
    throw library::CustomCallError(FailureKind::Runtime,
                                   "this process runs no Python");
  PyObject *callable = callable_of(call);
  std::vector<CustomCallTensor> operands = join_aliases(call);
  PythonLock lock(*python);
  PythonRef module(*python, python->PyImport_ImportModule(kPythonModule));
  const char *name =
      call.target == names::kBufferCallback ? kCallInPlace : kCall;
  PythonRef function(
      *python, module.get() ? python->PyObject_GetAttrString(module.get(), name)
                            : nullptr);
  PythonRef problem(
      *python,
      function.get()
          ? python->PyObject_CallFunction(
                function.get(), "ONN", callable,
                describe(*python, operands, call.origin.operand_tokens),
                describe(*python, call.results, call.origin.result_tokens))
          : nullptr);
  std::string text =
      problem.get() ? python->text_of(problem.get()) : python->take_exception();
  if (!text.empty())
    throw library::CustomCallError(
        FailureKind::Runtime, "CpuCallback error calling callback: " + text);
}

} // namespace

void add_python_targets() {
  for (std::string_view target : names::kPythonCallbacks)
    if (target != "xla_python_cpu_callback")
      (void)library::add_custom_call(std::string(target), call_python);
}

} // namespace xlac::pjrt
