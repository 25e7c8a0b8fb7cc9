#include "python_callable.h"

#include "errors.h"

#include "xlac/library/custom_calls.h"
#include "xlac/support/program_names.h"

#include <condition_variable>
#include <cstring>
#include <mutex>

namespace xlac::pjrt {
namespace {

/// Indices from this one on are numbers of functions that are registered with
/// the Python package. JAX counts the functions of a program from zero.
constexpr uint64_t kFirstRegistered = uint64_t(1) << 32;

/// Counts the calls that are in Python, and rejects further calls once it is
/// closed. Never destroyed.
struct PythonGate {
  std::mutex mutex;
  std::condition_variable left;
  int inside = 0;
  bool is_closed = false;

  static PythonGate &process() {
    static PythonGate *gate = new PythonGate();
    return *gate;
  }
};

} // namespace

PythonEntry::PythonEntry() {
  PythonGate &gate = PythonGate::process();
  std::lock_guard lock(gate.mutex);
  if (gate.is_closed)
    throw library::CustomCallError(FailureKind::Runtime,
                                   "the Python interpreter is exiting");
  ++gate.inside;
}

PythonEntry::~PythonEntry() {
  PythonGate &gate = PythonGate::process();
  std::lock_guard lock(gate.mutex);
  --gate.inside;
  gate.left.notify_all();
}

bool is_python_target(std::string_view target) {
  return names::is_python_callback(target);
}

std::optional<uint64_t> python_index(const CustomCallDictionary &attributes) {
  for (const auto &[name, value] : attributes)
    if (uint64_t index = 0;
        name == "index" && value.bytes.size() == sizeof index) {
      std::memcpy(&index, value.bytes.data(), sizeof index);
      return index;
    }
  return std::nullopt;
}

PythonCallable::~PythonCallable() {
  try {
    PythonEntry entry;
    if (PythonApi::find()) {
      PythonLock lock(python_);
      python_.Py_DecRef(object_);
    }
  } catch (const library::CustomCallError &) {
    // The interpreter is exiting and may no longer be called.
  }
}

std::shared_ptr<const PythonCallable>
find_python_callable(const CustomCallDictionary &attributes) {
  std::optional<uint64_t> index = python_index(attributes);
  if (!index || *index < kFirstRegistered)
    return nullptr;
  PythonEntry entry;
  const PythonApi *python = PythonApi::find();
  if (!python)
    throw_invalid("this process runs no Python");
  PythonLock lock(*python);
  PythonRef module(*python, python->PyImport_ImportModule(kPythonModule));
  PythonRef find(*python, module.get() ? python->PyObject_GetAttrString(
                                             module.get(), "find")
                                       : nullptr);
  PythonRef found(*python, find.get()
                               ? python->PyObject_CallFunction(
                                     find.get(), "K",
                                     static_cast<unsigned long long>(*index))
                               : nullptr);
  if (!found.get())
    throw_invalid(python->take_exception());
  auto callable = std::make_shared<const PythonCallable>(*python, found.get());
  found.release();
  return callable;
}

void close_python() {
  PythonGate &gate = PythonGate::process();
  std::unique_lock lock(gate.mutex);
  gate.is_closed = true;
  gate.left.wait(lock, [&] { return gate.inside == 0; });
}

} // namespace xlac::pjrt
