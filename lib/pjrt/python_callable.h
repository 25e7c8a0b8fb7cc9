// The Python functions that custom calls call, and the guard that keeps the
// interpreter alive during a call.
#pragma once

#include "python_api.h"

#include "xlac/custom_call.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace xlac::pjrt {

/// The module of the Python package that implements calls.
inline constexpr char kPythonModule[] = "xlac._callbacks";

/// Whether custom calls with that target call Python functions.
bool is_python_target(std::string_view target);

/// Owns a reference to a Python function that the host has registered.
class PythonCallable {
public:
  /// Takes over the caller's reference to `object`.
  PythonCallable(const PythonApi &python, PyObject *object)
      : python_(python), object_(object) {}
  /// Acquires the GIL and releases the reference. Leaks it if the interpreter
  /// is exiting.
  ~PythonCallable();
  PythonCallable(const PythonCallable &) = delete;
  PythonCallable &operator=(const PythonCallable &) = delete;
  /// Returns a borrowed reference.
  PyObject *object() const { return object_; }

private:
  const PythonApi &python_;
  PyObject *const object_;
};

/// Returns the attribute `index`, which selects the function of a call; empty
/// if there is none of 8 bytes.
std::optional<uint64_t> python_index(const CustomCallDictionary &attributes);

/// Returns the function that a call with these attributes calls; null if the
/// host passes it with each execution. Throws Error if the process runs no
/// Python or the function no longer exists, and library::CustomCallError after
/// close_python(). Acquires the GIL.
std::shared_ptr<const PythonCallable>
find_python_callable(const CustomCallDictionary &attributes);

/// Keeps the interpreter from exiting: close_python() waits for its
/// destruction.
class PythonEntry {
public:
  /// Throws library::CustomCallError after close_python().
  PythonEntry();
  ~PythonEntry();
  PythonEntry(const PythonEntry &) = delete;
  PythonEntry &operator=(const PythonEntry &) = delete;
};

/// Makes all later calls of Python functions fail, and waits until none is
/// running. To be called before the interpreter exits, without the GIL.
void close_python();

} // namespace xlac::pjrt
