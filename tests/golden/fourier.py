from golden import *  # noqa: F403

for name in ("fft", "ifft", "rfft", "irfft"):
    full = f"fft.{name}"
    for dtype in (f32, f64):
        case(full, T(6, dtype=dtype))
    if name != "rfft":
        case(full, T(5, dtype=c64))
        case(full, T(3, dtype=c128))
    for n in (1, 4, 7, 9):
        case(full, T(2, 6), n)
    case(full, T(5, 2), None, 0)
    case(full, T(2, 5, transposed=True), dim=-1)
    for norm in ("backward", "ortho", "forward"):
        case(full, T(2, 6), norm=norm)
    case(full, T(3, dtype=i64))
    case(full, T(2, 6), norm="other", raises="ValueError")
    case(full, T(3), 0, raises="ValueError")
    case(full, T(3), None, 1, raises="IndexError")
case("fft.rfft", T(4, dtype=c64), raises="DtypeError")
for name in ("fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn"):
    case(name, T(3, 4, dtype=c64))
    case(name, T(2, 3, 4))
    case(name, T(3, 4), [4, 3], [0, 1], "ortho")
    case(name, T(3, 4), [2, 2], [0, 0], raises="ValueError")
case("fft.fftn", T(2, 3, 4), [2, 2])
case("fft.fftn", T(2, 3, 4), [2, 2], [0], raises="ValueError")
for n in (1, 4, 5):
    case("fft.fftfreq", n)
case("fft.fftfreq", 6, 0.5)
case("fft.fftshift", T(2, 5))
case("fft.fftshift", T(4, 5), 1)
case("fft.fftshift", T(4, 5, dtype=i64), [0])
case("fft.ifftshift", T(2, 5))
case("fft.ifftshift", T(4, 5), [1])
WINDOW = T(values=[0.25, 0.75, 1.0, 0.75], grad=False)
case("stft", T(12), 4, return_complex=True)
case("stft", T(2, 12), 6, 2, return_complex=True)
case("stft", T(12), 6, 3, 4, WINDOW, return_complex=True)
for mode in ("constant", "replicate", "circular"):
    case("stft", T(12), 4, 2, pad_mode=mode, return_complex=True)
case("stft", T(12), 4, 2, center=False, normalized=True, return_complex=True)
case("stft", T(12), 4, 2, onesided=False, return_complex=True)
case("stft", T(12, dtype=c64), 4, 2)
case("stft", T(12), 4, raises="ValueError")
case("stft", T(12), 4, 0, return_complex=True, raises="ValueError")
case("istft", T(3, 7, dtype=c64), 4, 2)
case("istft", T(2, 3, 7, dtype=c64), 4, 2, 4, WINDOW)
case("istft", T(3, 7, dtype=c64), 4, 2, length=10)
case("istft", T(3, 7, dtype=c64), 4, 2, normalized=True)
case("istft", T(4, 7, dtype=c64), 4, 2, onesided=False)
case("istft", T(3, 7), 4, 2, raises="DtypeError")
