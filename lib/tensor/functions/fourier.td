#ifndef XLAC_TENSOR_FUNCTIONS_FOURIER
#define XLAC_TENSOR_FUNCTIONS_FOURIER

include "tensor/functions/Function.td"

let cxx_namespace = "fft" in {
def fft_fft : Function<"Tensor fft(const Tensor &self, std::optional<int64_t> n = {}, int64_t dim = -1, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{The norm is backward (the inverse is divided by n), ortho or forward.}];
}
def fft_ifft : Function<"Tensor ifft(const Tensor &self, std::optional<int64_t> n = {}, int64_t dim = -1, std::optional<std::string> norm = {})", [Out]>;
def fft_rfft : Function<"Tensor rfft(const Tensor &self, std::optional<int64_t> n = {}, int64_t dim = -1, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{Of real numbers: the first half, with the middle.}];
}
def fft_irfft : Function<"Tensor irfft(const Tensor &self, std::optional<int64_t> n = {}, int64_t dim = -1, std::optional<std::string> norm = {})", [Out]> {
  let doc = [{The real sequence of which `self` is the first half; n is 2 (size - 1) unless given.}];
}
def fft_fft2 : Function<"Tensor fft2(const Tensor &self, IntArrayRef s = {}, IntArrayRef dim = {-2, -1}, std::optional<std::string> norm = {})", [Out]>;
def fft_ifft2 : Function<"Tensor ifft2(const Tensor &self, IntArrayRef s = {}, IntArrayRef dim = {-2, -1}, std::optional<std::string> norm = {})", [Out]>;
def fft_fftn : Function<"Tensor fftn(const Tensor &self, IntArrayRef s = {}, IntArrayRef dim = {}, std::optional<std::string> norm = {})", [Out]>;
def fft_ifftn : Function<"Tensor ifftn(const Tensor &self, IntArrayRef s = {}, IntArrayRef dim = {}, std::optional<std::string> norm = {})", [Out]>;
def fft_fftfreq : Function<"Tensor fftfreq(int64_t n, double d = 1, TensorOptions options = {})"> {
  let doc = [{Frequencies of the results of fft, for samples `d` apart.}];
}
def fft_fftshift : Function<"Tensor fftshift(const Tensor &self, IntArrayRef dim = {})"> {
  let doc = [{Moves frequency 0 to the middle.}];
}
def fft_ifftshift : Function<"Tensor ifftshift(const Tensor &self, IntArrayRef dim = {})">;
}

def stft : Function<"Tensor stft(const Tensor &self, int64_t n_fft, std::optional<int64_t> hop_length = {}, std::optional<int64_t> win_length = {}, const Tensor &window = {}, bool center = true, const std::string &pad_mode = \"reflect\", bool normalized = false, std::optional<bool> onesided = {}, std::optional<bool> return_complex = {})",
                    [Method]> {
  let doc = [{Fourier transforms of windows `hop_length` apart, complex; `return_complex` must be true for real signals.}];
}
def istft : Function<"Tensor istft(const Tensor &self, int64_t n_fft, std::optional<int64_t> hop_length = {}, std::optional<int64_t> win_length = {}, const Tensor &window = {}, bool center = true, bool normalized = false, std::optional<bool> onesided = {}, std::optional<int64_t> length = {}, bool return_complex = false)",
                     [Method]> {
  let doc = [{The signal whose stft is `self`, by least squares.}];
}

#endif
