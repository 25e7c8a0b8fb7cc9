// The few functions of Python's C API that callbacks need, found in the process
// at run time: the plugin also serves hosts without Python.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

extern "C" {
struct _object;
typedef struct _object PyObject;
}

namespace xlac::pjrt {

struct PythonApi {
  int (*Py_IsInitialized)();
  int (*is_finalizing)(); ///< under one of two names
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

  /// Null where the process has no Python that runs.
  static const PythonApi *find();

  /// The text of a str.
  std::string text_of(PyObject *text) const;
  /// The text of the exception that is set, which it clears.
  std::string take_exception() const;
};

/// Holds the interpreter's lock.
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

/// A reference, dropped under the lock.
class PythonRef {
public:
  PythonRef(const PythonApi &python, PyObject *object)
      : python_(python), object_(object) {}
  ~PythonRef() {
    if (object_)
      python_.Py_DecRef(object_);
  }
  PythonRef(const PythonRef &) = delete;
  PythonRef &operator=(const PythonRef &) = delete;
  PyObject *get() const { return object_; }
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
