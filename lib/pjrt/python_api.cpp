#include "python_api.h"

#include <dlfcn.h>
#include <optional>

namespace xlac::pjrt {

template <class Function>
static bool look_up(Function *&function, const char *name) {
  function = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

static std::optional<PythonApi> look_up_all() {
  PythonApi api = {};
  bool all = look_up(api.is_finalizing, "Py_IsFinalizing") || // from 3.13 on
             look_up(api.is_finalizing, "_Py_IsFinalizing");
#define XLAC_PYTHON(name) all = all && look_up(api.name, #name);
  XLAC_PYTHON(Py_IsInitialized)
  XLAC_PYTHON(PyGILState_Ensure)
  XLAC_PYTHON(PyGILState_Release)
  XLAC_PYTHON(Py_IncRef)
  XLAC_PYTHON(Py_DecRef)
  XLAC_PYTHON(PyImport_ImportModule)
  XLAC_PYTHON(PyObject_GetAttrString)
  XLAC_PYTHON(PyObject_CallFunction)
  XLAC_PYTHON(Py_BuildValue)
  XLAC_PYTHON(PyTuple_New)
  XLAC_PYTHON(PyTuple_SetItem)
  XLAC_PYTHON(PyUnicode_AsUTF8AndSize)
  XLAC_PYTHON(PyObject_Str)
  XLAC_PYTHON(PyErr_Fetch)
  XLAC_PYTHON(PyErr_Clear)
#undef XLAC_PYTHON
  if (!all)
    return std::nullopt;
  return api;
}

const PythonApi *PythonApi::find() {
  static const std::optional<PythonApi> api = look_up_all();
  return api && api->Py_IsInitialized() && !api->is_finalizing() ? &*api
                                                                 : nullptr;
}

std::string PythonApi::text_of(PyObject *text) const {
  ptrdiff_t size = 0;
  const char *bytes = text ? PyUnicode_AsUTF8AndSize(text, &size) : nullptr;
  if (bytes)
    return std::string(bytes, size);
  PyErr_Clear();
  return "an exception without a text";
}

std::string PythonApi::take_exception() const {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PythonRef own_type(*this, type), own_value(*this, value),
      own_trace(*this, trace);
  PythonRef text(*this,
                 value || type ? PyObject_Str(value ? value : type) : nullptr);
  return text_of(text.get());
}

} // namespace xlac::pjrt
