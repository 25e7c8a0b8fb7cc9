// Machine code that kernels of several sizes share. A template is the code of
// one form (xlac/Codegen/KernelForm.h) that reads the numbers that differ
// between sizes from memory. The first kernel of a form is compiled with all
// numbers as constants. When a kernel of the same form but with other numbers
// comes, the form is compiled once more, with parameters for what differs.
// Private to the component.
#ifndef XLAC_LIB_COMPILER_KERNELTEMPLATES_H
#define XLAC_LIB_COMPILER_KERNELTEMPLATES_H

#include "xlac/Codegen/KernelForm.h"
#include "xlac/Codegen/SizeVariants.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace xlac::compiler {

struct KernelTemplate {
  /// Numbers of a kernel that the code serves. Those without a parameter are in
  /// the code, as are the claims.
  codegen::KernelNumbers numbers;
  codegen::KernelParameters parameters;
  std::string code;   ///< key of the code in the kernel store
  std::string symbol; ///< name of the kernel in the code

  /// Returns the parameters' values for a kernel with these numbers, or nothing
  /// if the code does not serve it.
  std::optional<std::vector<int64_t>>
  extentsFor(const codegen::KernelNumbers &other) const;
};

/// The templates of a family of programs that differ in sizes. The members may
/// be called from several threads.
class KernelTemplates {
public:
  /// Reads what `write` returned. Malformed input gives no templates.
  static KernelTemplates read(std::span<const std::byte> bytes);
  std::vector<std::byte> write() const;

  KernelTemplates() = default;
  KernelTemplates(KernelTemplates &&other) noexcept;

  struct Use {
    KernelTemplate code;
    std::vector<int64_t> extents;
  };
  /// Returns a template whose code serves a kernel of this form. Templates that
  /// were added after reading are not considered, so that the result does not
  /// depend on the order in which threads compile.
  std::optional<Use> find(const codegen::KernelForm &form) const;

  /// Returns a template for this form, without code and symbol: one that serves
  /// `form`, all that the most similar template serves, and the kernel for
  /// other sizes, whose forms are `variants`, where these have the same key. If
  /// there are none, all numbers are in the code.
  Use generalize(const codegen::KernelForm &form,
                 std::span<const codegen::KernelForm> variants = {}) const;

  /// True if a program of the family was compiled before.
  bool hasOtherSizes() const { return knownTexts > 0; }

  /// True if one of the templates has parameters.
  bool hasAnySizeCode() const;

  /// The kernels of programs of the family, each with a few sizes.
  codegen::KernelTexts texts;
  /// Those of them that the present program has with other sizes. Not stored.
  codegen::SizeVariants variants;

  /// Adds a template of a form after its code has been compiled.
  void add(const std::string &form, KernelTemplate added);
  /// Returns true if a template or a text was added.
  bool hasChanged() const;

private:
  size_t textCount() const;

  using Templates = std::map<std::string, std::vector<KernelTemplate>>;

  Templates known;
  size_t knownTexts = 0;
  mutable std::mutex mutex;
  std::vector<std::pair<std::string, KernelTemplate>> added;
};

} // namespace xlac::compiler

#endif
