// The Python functions that custom calls call, and who may be in Python.
#pragma once

#include "python_api.h"

#include "xlac/custom_call.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace xlac::pjrt {

/// The module of the Python package that calls go through.
inline constexpr char kPythonModule[] = "xlac._callbacks";

/// Whether calls of that target call Python.
bool is_python_target(std::string_view target);

/// A Python function that the host has registered, kept alive by this.
class PythonCallable {
public:
  PythonCallable(const PythonApi &python, PyObject *object)
      : python_(python), object_(object) {}
  ~PythonCallable();
  PythonCallable(const PythonCallable &) = delete;
  PythonCallable &operator=(const PythonCallable &) = delete;
  PyObject *object() const { return object_; }

private:
  const PythonApi &python_;
  PyObject *const object_;
};

/// The attribute `index` of a call: which function it calls.
std::optional<uint64_t> python_index(const CustomCallDictionary &attributes);

/// The function that a call with these attributes is for; null if the host
/// brings it along with each execution. Throws Error if it is gone.
std::shared_ptr<const PythonCallable>
find_python_callable(const CustomCallDictionary &attributes);

/// While it lives, the interpreter does not end. Throws
/// library::CustomCallError once close_python() has been called.
class PythonEntry {
public:
  PythonEntry();
  ~PythonEntry();
  PythonEntry(const PythonEntry &) = delete;
  PythonEntry &operator=(const PythonEntry &) = delete;
};

/// From now on calls of Python functions fail. Returns when none is running
/// any more. For the end of the interpreter.
void close_python();

} // namespace xlac::pjrt
