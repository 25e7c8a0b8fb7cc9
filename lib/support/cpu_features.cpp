// Features of this processor. In a file of its own, so that libxlac_rt.a has
// nothing else of the component.
#include "xlac/support/target_profile.h"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xlac {
namespace {

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers cpuid(unsigned leaf, unsigned subleaf = 0) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d);
  return r;
}

bool bit(unsigned value, int number) { return value >> number & 1; }

/// Register states that the operating system saves: 0x6 for AVX, 0xe6 for
/// AVX-512, 0x60000 for AMX tiles (Intel SDM volume 1, 13.3).
uint64_t saved_states() {
  if (!bit(cpuid(1).c, 27)) // OSXSAVE
    return 0;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

/// Linux grants AMX tile data only on request, once for all threads of the
/// process. Forked children inherit the permission.
bool amx_permitted() {
  constexpr int kArchReqXcompPerm = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kArchReqXcompPerm, kTileData) == 0;
}

bool has_avx2_set(const Registers &basic, const Registers &extended) {
  const Registers high = cpuid(0x80000001);
  return bit(basic.c, 12) &&   // FMA
         bit(basic.c, 22) &&   // MOVBE
         bit(basic.c, 23) &&   // POPCNT
         bit(basic.c, 28) &&   // AVX
         bit(basic.c, 29) &&   // F16C
         bit(extended.b, 3) && // BMI1
         bit(extended.b, 5) && // AVX2
         bit(extended.b, 8) && // BMI2
         bit(high.c, 5);       // LZCNT
}

uint64_t amx_features(const Registers &extended, uint64_t states) {
  constexpr uint64_t kTiles = 0x60000;
  if ((states & kTiles) != kTiles || !bit(extended.d, 24) || !amx_permitted())
    return 0;
  uint64_t features = kFeatureAmxTile;
  if (bit(extended.d, 25))
    features |= kFeatureAmxInt8;
  if (bit(extended.d, 22))
    features |= kFeatureAmxBf16;
  return features;
}

uint64_t detect() {
  uint64_t states = saved_states();
  const Registers basic = cpuid(1), extended = cpuid(7), more = cpuid(7, 1);
  if ((states & 0x6) != 0x6 || !has_avx2_set(basic, extended))
    return 0;
  uint64_t features = kFeatureAvx2;
  if (bit(more.a, 4))
    features |= kFeatureAvxVnni;
  bool avx512 = (states & 0xe6) == 0xe6;
  for (int number : {16, 17, 28, 30, 31}) // F, DQ, CD, BW, VL
    avx512 = avx512 && bit(extended.b, number);
  if (!avx512)
    return features;
  features |= kFeatureAvx512;
  if (bit(extended.c, 11))
    features |= kFeatureAvx512Vnni;
  if (bit(more.a, 5))
    features |= kFeatureAvx512Bf16;
  if (bit(extended.d, 23))
    features |= kFeatureAvx512Fp16;
  return features | amx_features(extended, states);
}

uint64_t host_features() {
  static const uint64_t features = detect();
  return features;
}

} // namespace

bool host_supports(uint64_t features) {
  return (features & ~host_features()) == 0;
}

} // namespace xlac
