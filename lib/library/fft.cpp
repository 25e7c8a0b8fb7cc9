#include "fft_plan.h"
#include "scratch_block.h"
#include "xlac/library/routine_list.h"

#include "xlac/library/routines.h"
#include "xlac/support/target_profile.h"

#include <algorithm>
#include <string>

namespace xlac::library {

namespace {

template <class T> void dispatch(const FftWork<T> &work) {
#if defined(__x86_64__)
  if (host_supports(kFeatureAvx512))
    return avx512::run_fft_pass(work);
  if (host_supports(kFeatureAvx2))
    return avx2::run_fft_pass(work);
#endif
  baseline::run_fft_pass(work);
}

/// The imaginary parts of the buffer of `place` if it is planar, else null.
template <class T>
T *imaginary(const xlac_fft_layout &place, void *const *buffers,
             const int64_t *parameters) {
  constexpr int32_t workspace = 2;
  bool planar = place.buffer < workspace &&
                (parameters[XLAC_FFT_AT_PLANAR] >> place.buffer & 1);
  return planar ? static_cast<T *>(buffers[workspace + 1 + place.buffer])
                : nullptr;
}

template <class T>
Status run(const xlac_fft_pass &pass, void *const *buffers,
           const int64_t *parameters) {
  int64_t kind = parameters[XLAC_FFT_AT_KIND];
  std::shared_ptr<const FftPlan<T>> plan;
  if (!xlac_fft_only_pairs(&pass))
    plan = FftPlan<T>::get(pass.length);
  std::shared_ptr<const FftTwiddles<T>> twiddle_factors, roots;
  if (pass.twiddle)
    twiddle_factors = FftTwiddles<T>::get(pass.twiddle, pass.length);
  // Row 1 of a table of two rows.
  if (pass.pairs)
    roots = FftTwiddles<T>::get(2 * pass.length, 2);
  ScratchBlock scratch(plan ? fft_scratch(plan->tables()) : 0);
  FftWork<T> work{.pass = &pass,
                  .inverse = kind == XLAC_IFFT || kind == XLAC_IRFFT,
                  .tables = plan ? &plan->tables() : nullptr,
                  .twiddle_factors =
                      twiddle_factors ? twiddle_factors->data() : nullptr,
                  .pair_roots = roots ? roots->data() + pass.length : nullptr,
                  .from = static_cast<const T *>(buffers[pass.from.buffer]),
                  .to = static_cast<T *>(buffers[pass.to.buffer]),
                  .from_imag = imaginary<T>(pass.from, buffers, parameters),
                  .to_imag = imaginary<T>(pass.to, buffers, parameters),
                  .scratch = scratch.data(),
                  .first = parameters[XLAC_FFT_AT_FIRST],
                  .last = std::min(parameters[XLAC_FFT_AT_LAST], pass.tasks)};
  dispatch(work);
  return {};
}

Failure wrong(const std::string &what) {
  return failure(FailureKind::Internal, "fft: " + what);
}

} // namespace

Status run_fft(void *const *buffers, const int64_t *parameters) {
  int64_t kind = parameters[XLAC_FFT_AT_KIND];
  int64_t rank = parameters[XLAC_FFT_AT_RANK];
  auto element = static_cast<ElementType>(parameters[XLAC_FFT_AT_ELEMENT]);
  if (rank < 1 || rank > XLAC_FFT_MOST_RANK)
    return wrong("rank " + std::to_string(rank) + ", expected 1 to 3");
  if (kind < XLAC_FFT || kind > XLAC_IRFFT)
    return wrong("unknown kind");
  bool real = kind == XLAC_RFFT;
  bool single = element == (real ? ElementType::F32 : ElementType::Complex64);
  if (!single && element != (real ? ElementType::F64 : ElementType::Complex128))
    return unsupported_element("fft", parameters[XLAC_FFT_AT_ELEMENT]);
  const int64_t *lengths = parameters + XLAC_FFT_AT_LENGTH;
  if (std::any_of(lengths, lengths + rank, [](int64_t n) { return n <= 0; }))
    return {};
  xlac_fft_pass passes[XLAC_FFT_MOST_PASSES];
  int count =
      xlac_fft_passes(kind, single ? 4 : 8, parameters[XLAC_FFT_AT_BATCH], rank,
                      lengths, passes);
  int64_t pass = parameters[XLAC_FFT_AT_PASS];
  if (pass < 0 || pass >= count)
    return wrong("no pass number " + std::to_string(pass));
  return single ? run<float>(passes[pass], buffers, parameters)
                : run<double>(passes[pass], buffers, parameters);
}

} // namespace xlac::library
