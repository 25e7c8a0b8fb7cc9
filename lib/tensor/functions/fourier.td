#ifndef XLAC_TENSOR_FUNCTIONS_FOURIER
#define XLAC_TENSOR_FUNCTIONS_FOURIER

include "tensor/functions/Function.td"

let cxx_namespace = "fft" in {
def fft_fft : Function<"Tensor fft(const Tensor &self, std::optional<int64_t> n = {}, int64_t dim = -1, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Returns the Fourier transform along `dim`, complex; the input is first cut or padded with zeros to `n` points. `norm` is "backward" (the default: the inverse divides by n), "ortho" (both divide by sqrt(n)) or "forward" (the transform divides by n). Throws ValueError for fewer than one point, and DtypeError for half floats.}];
}
def fft_ifft : Function<"Tensor ifft(const Tensor &self, std::optional<int64_t> n = {}, int64_t dim = -1, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Returns the inverse Fourier transform along `dim`; arguments and errors as in fft.}];
}
def fft_rfft : Function<"Tensor rfft(const Tensor &self, std::optional<int64_t> n = {}, int64_t dim = -1, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Returns the first n / 2 + 1 elements of the Fourier transform of real numbers, which determine the others. Throws DtypeError for complex numbers; otherwise as fft.}];
}
def fft_irfft : Function<"Tensor irfft(const Tensor &self, std::optional<int64_t> n = {}, int64_t dim = -1, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Returns the `n` real numbers of which `self` is the first half of the Fourier transform; `n` is 2 (size - 1) unless given. Otherwise as ifft.}];
}
def fft_fft2 : Function<"Tensor fft2(const Tensor &self, IntArrayRef s = {}, IntArrayRef dim = {-2, -1}, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Returns the Fourier transform over two dims, as fftn.}];
}
def fft_ifft2 : Function<"Tensor ifft2(const Tensor &self, IntArrayRef s = {}, IntArrayRef dim = {-2, -1}, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Returns the inverse Fourier transform over two dims, as ifftn.}];
}
def fft_fftn : Function<"Tensor fftn(const Tensor &self, IntArrayRef s = {}, IntArrayRef dim = {}, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Returns the Fourier transform over `dim`, by default over the last dims that `s` has sizes for, or all; `s` holds the numbers of points, with -1 for the input's size. Throws ValueError for repeated dims and lists of different lengths; otherwise as fft.}];
}
def fft_ifftn : Function<"Tensor ifftn(const Tensor &self, IntArrayRef s = {}, IntArrayRef dim = {}, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Returns the inverse Fourier transform over several dims; arguments and errors as in fftn.}];
}
def fft_fftfreq : Function<"Tensor fftfreq(int64_t n, double d = 1, TensorOptions options = {})"> {
  let doc = [{Returns the frequencies of the elements of an fft of `n` samples `d` apart: 0, 1, …, then the negative ones, divided by n * d. Throws ValueError unless `n` is positive, and DtypeError for bool and integer dtypes.}];
}
def fft_fftshift : Function<"Tensor fftshift(const Tensor &self, IntArrayRef dim = {})"> {
  let doc = [{Moves the element of frequency 0 from the front to the middle of each of `dim`; an empty list means all.}];
}
def fft_ifftshift : Function<"Tensor ifftshift(const Tensor &self, IntArrayRef dim = {})"> {
  let doc = [{Undoes fftshift, also for odd sizes.}];
}
}

def stft : Function<"Tensor stft(const Tensor &self, int64_t n_fft, std::optional<int64_t> hop_length = {}, std::optional<int64_t> win_length = {}, const Tensor &window = {}, bool center = true, const std::string &pad_mode = \"reflect\", bool normalized = false, std::optional<bool> onesided = {}, std::optional<bool> return_complex = {})",
                    [Method]> {
  let doc = [{Returns the Fourier transforms of windows of `n_fft` samples, `hop_length` (n_fft / 4) apart, of signals [T] or [N, T], as [..., frequencies, windows]. `return_complex` must be true for real signals, else ValueError; these give only the first n_fft / 2 + 1 frequencies unless `onesided` is false.}];
}
def istft : Function<"Tensor istft(const Tensor &self, int64_t n_fft, std::optional<int64_t> hop_length = {}, std::optional<int64_t> win_length = {}, const Tensor &window = {}, bool center = true, bool normalized = false, std::optional<bool> onesided = {}, std::optional<int64_t> length = {}, bool return_complex = false)",
                     [Method]> {
  let doc = [{Returns the signals, [T] or [N, T], whose stft is closest to `self` by least squares, cut or padded with zeros to `length`; parameters as in stft. Throws DtypeError unless `self` is complex, and ShapeError if its frequencies do not fit `n_fft`.}];
}

#endif
