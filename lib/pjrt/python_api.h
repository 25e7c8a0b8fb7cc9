// The functions of Python's C API that callbacks need. They are looked up in
// the process at run time, because the plugin also runs in hosts without
// Python.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

extern "C" {
struct _object;
typedef struct _object PyObject;
}

namespace xlac::pjrt {

/// Only find(), Py_IsInitialized, is_finalizing and PyGILState_Ensure may be
/// called without the GIL.
struct PythonApi {
  int (*Py_IsInitialized)();
  int (*is_finalizing)(); ///< Py_IsFinalizing, before 3.13 _Py_IsFinalizing
  int (*PyGILState_Ensure)();
  void (*PyGILState_Release)(int);
  void (*Py_IncRef)(PyObject *);
  void (*Py_DecRef)(PyObject *);
  PyObject *(*PyImport_ImportModule)(const char *);
  PyObject *(*PyObject_GetAttrString)(PyObject *, const char *);
  PyObject *(*PyObject_CallFunction)(PyObject *, const char *, ...);
  PyObject *(*Py_BuildValue)(const char *, ...);
  PyObject *(*PyTuple_New)(ptrdiff_t);
  int (*PyTuple_SetItem)(PyObject *, ptrdiff_t, PyObject *);
  const char *(*PyUnicode_AsUTF8AndSize)(PyObject *, ptrdiff_t *);
  PyObject *(*PyObject_Str)(PyObject *);
  void (*PyErr_Fetch)(PyObject **, PyObject **, PyObject **);
  void (*PyErr_Clear)();

  /// Returns the functions; null if the process has no Python interpreter, or
  /// if it is not initialized or is finalizing.
  static const PythonApi *find();

  /// Returns the contents of a `str`; a fixed text for null and other objects.
  std::string text_of(PyObject *text) const;
  /// Clears the current exception and returns str() of it.
  std::string take_exception() const;
};

/// Holds the GIL during its lifetime.
class PythonLock {
public:
  explicit PythonLock(const PythonApi &python)
      : python_(python), state_(python.PyGILState_Ensure()) {}
  ~PythonLock() { python_.PyGILState_Release(state_); }
  PythonLock(const PythonLock &) = delete;
  PythonLock &operator=(const PythonLock &) = delete;

private:
  const PythonApi &python_;
  const int state_;
};

/// Owns a reference, which may be null. It must be destroyed with the GIL held.
class PythonRef {
public:
  /// Takes over the caller's reference.
  PythonRef(const PythonApi &python, PyObject *object)
      : python_(python), object_(object) {}
  ~PythonRef() {
    if (object_)
      python_.Py_DecRef(object_);
  }
  PythonRef(const PythonRef &) = delete;
  PythonRef &operator=(const PythonRef &) = delete;
  /// Returns a borrowed reference.
  PyObject *get() const { return object_; }
  /// Returns the reference, which the caller then owns.
  PyObject *release() {
    PyObject *object = object_;
    object_ = nullptr;
    return object;
  }

private:
  const PythonApi &python_;
  PyObject *object_;
};

} // namespace xlac::pjrt
