// Signatures of built-in custom calls. Each is declared with its function and
// checked in one place: when a program is loaded and at each call.
#pragma once

#include "xlac/custom_call.h"
#include "xlac/library/declared_call.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::library {

/// The operands and results of a target, written as
///   "T[m,n] -> T[m,n], T[min(m,n)], i32[]".
///
/// T is the target's element type, R its real part, C its complex type; other
/// names are element types. A size is a letter, which is bound at its first use
/// as a size, `n-1` (0 for n = 0) or `min(m,n)`. `k<=SIZE` binds k and bounds
/// it. All tensors have the same batch dimensions before those written, unless
/// the target takes none. `any[]...` at the end of the operands stands for
/// tensors with one element of any type, `any[...]...` for tensors of any type
/// and sizes. Several forms are separated by ';'. A form that begins with
/// `mode=A:` is for calls whose attribute `mode` is the letter A, or 1 if the
/// attribute is true.
class CallSignature {
public:
  /// `element` is T. If it is empty, T is the type of the first operand, which
  /// must be a type that decompositions support.
  explicit CallSignature(std::string_view text, std::string_view element = {});
  /// A signature without batch dimensions.
  static CallSignature without_batches(std::string_view text);

  /// Throws std::invalid_argument, with the tensor, its type and the expected
  /// type, unless the call matches a form. Reads no buffers.
  void check(const CustomCall &call) const;

  struct Form : DeclaredCall {
    std::string text;
  };
  /// `target` stays empty.
  const std::vector<Form> &forms() const { return forms_; }

private:
  std::vector<Form> forms_;
  std::string element_;
};

} // namespace xlac::library
