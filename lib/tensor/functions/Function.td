// What a record of a front-end function says; docs/internals/adding_an_op.md
// shows how to write one.
#ifndef XLAC_TENSOR_FUNCTIONS_FUNCTION
#define XLAC_TENSOR_FUNCTIONS_FUNCTION

class Variant;
/// A method of Tensor too; *this is the parameter `self`, or else the first.
def Method : Variant;
/// The method `name_`, which writes the result into its tensor.
def InPlace : Variant;
/// The overloads that end with `Tensor &out` and write the result there.
def Out : Variant;

/// One overload of a public function, declared as in C++: with its parameters'
/// names and defaults, without XLAC_API and semicolon. A function whose first
/// parameter is `Tensor &self` changes its tensor, as fill_ does.
class Function<string text, list<Variant> forms = []> {
  string declaration = text;
  list<Variant> variants = forms;
  /// A sentence or two: what the declaration does not tell.
  string doc = "";
  /// The namespace within xlac: "linalg", "fft", "nn::functional".
  string cxx_namespace = "";
}

#endif
