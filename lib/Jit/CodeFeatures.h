// Determines the CPU features that machine code uses, from its instructions.
#ifndef XLAC_JIT_CODEFEATURES_H
#define XLAC_JIT_CODEFEATURES_H

#include "xlac/support/target_profile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace xlac::jit {

/// Decodes code and returns the CpuFeature bits that it needs beyond x86-64-v2.
/// Code that cannot be decoded counts as using all features of the profile.
class FeatureScan {
public:
  static llvm::Expected<std::unique_ptr<FeatureScan>>
  create(const TargetProfile &profile);
  ~FeatureScan();

  uint64_t featuresOf(llvm::ArrayRef<uint8_t> code);

private:
  FeatureScan();
  struct Decoder;
  std::unique_ptr<Decoder> decoder_;
  uint64_t profileFeatures_ = 0;
};

} // namespace xlac::jit

#endif
