// The TableGen class of front-end functions; docs/internals/adding_an_op.md
// shows how to write a record.
#ifndef XLAC_TENSOR_FUNCTIONS_FUNCTION
#define XLAC_TENSOR_FUNCTIONS_FUNCTION

class Variant;
/// Also a method of Tensor; *this is the parameter `self`, or else the first
/// one.
def Method : Variant;
/// The method `name_`, which writes the result to its tensor.
def InPlace : Variant;
/// The overloads that end with `Tensor &out` and write the result there.
def Out : Variant;

/// One overload of a public function: its C++ declaration with parameter names
/// and defaults, without XLAC_API and semicolon. A function whose first
/// parameter is `Tensor &self` modifies its tensor, as fill_ does.
class Function<string text, list<Variant> forms = []> {
  string declaration = text;
  list<Variant> variants = forms;
  /// One or two sentences about facts that the declaration does not state.
  string doc = "";
  /// The namespace within xlac: "linalg", "fft", "nn::functional".
  string cxx_namespace = "";
}

#endif
