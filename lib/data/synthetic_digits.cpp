#include "xlac/data/synthetic_digits.h"

#include "digit_strokes.h"

#include "xlac/support/file_writer.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <zlib.h>

namespace xlac::data {

namespace {

constexpr int kSide = 28;

/// Gray values of an image, row by row.
using Image = std::array<double, kSide * kSide>;

/// The distortion of one sample: rotation, shear, scaling and translation,
/// followed by displacement by low-frequency waves.
class Warp {
public:
  explicit Warp(Random &random) {
    constexpr double kTurn = 0.26, kShear = 0.25, kShift = 0.07;
    double turn = random.uniform(-kTurn, kTurn);
    double shear = random.uniform(-kShear, kShear);
    double wide = random.uniform(0.55, 0.85), high = random.uniform(0.6, 0.8);
    xx_ = wide * std::cos(turn) + shear * std::sin(turn);
    xy_ = shear * std::cos(turn) - high * std::sin(turn);
    yx_ = wide * std::sin(turn);
    yy_ = high * std::cos(turn);
    x_ = 0.5 + random.uniform(-kShift, kShift);
    y_ = 0.5 + random.uniform(-kShift, kShift);
    for (Wave &wave : waves_)
      wave = {random.uniform(2, 6), random.uniform(2, 6),
              random.uniform(0, 2 * std::numbers::pi),
              random.uniform(-0.025, 0.025), random.uniform(-0.025, 0.025)};
  }

  /// Maps a point of the unit square to pixel coordinates.
  Point operator()(const Point &point) const {
    double x = point.x - 0.5, y = point.y - 0.5;
    Point moved{x_ + xx_ * x + xy_ * y, y_ + yx_ * x + yy_ * y};
    for (const Wave &wave : waves_) {
      double push = std::sin(wave.along_x * x + wave.along_y * y + wave.phase);
      moved.x += wave.x * push;
      moved.y += wave.y * push;
    }
    return {moved.x * kSide, moved.y * kSide};
  }

private:
  struct Wave {
    double along_x, along_y, phase, x, y;
  };
  double xx_, xy_, yx_, yy_, x_, y_;
  std::array<Wave, 3> waves_;
};

/// Returns the distance from (x, y) to the line segment from a to b.
double distance(double x, double y, const Point &a, const Point &b) {
  double dx = b.x - a.x, dy = b.y - a.y;
  double square = dx * dx + dy * dy;
  double t = square > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / square : 0;
  t = std::clamp(t, 0.0, 1.0);
  return std::hypot(x - a.x - t * dx, y - a.y - t * dy);
}

/// Draws a line with soft edges; pixels keep the brighter of both values.
void draw_piece(Image &image, const Point &a, const Point &b, double width,
                double grey) {
  double reach = width / 2 + 1;
  auto first = [&](double u, double v) {
    return std::max(0, static_cast<int>(std::floor(std::min(u, v) - reach)));
  };
  auto last = [&](double u, double v) {
    return std::min(kSide - 1,
                    static_cast<int>(std::ceil(std::max(u, v) + reach)));
  };
  for (int row = first(a.y, b.y); row <= last(a.y, b.y); ++row)
    for (int column = first(a.x, b.x); column <= last(a.x, b.x); ++column) {
      double away = distance(column + 0.5, row + 0.5, a, b);
      double ink = grey * std::clamp(width / 2 + 0.5 - away, 0.0, 1.0);
      double &pixel = image[static_cast<size_t>(row * kSide + column)];
      pixel = std::max(pixel, ink);
    }
}

/// Draws a few short faint lines as noise.
void scratch(Image &image, Random &random) {
  for (uint64_t count = random.below(4); count > 0; --count) {
    Point from{random.uniform(0, kSide), random.uniform(0, kSide)};
    Point to{from.x + 4 * random.normal(), from.y + 4 * random.normal()};
    draw_piece(image, from, to, random.uniform(0.6, 1.6),
               random.uniform(0.2, 0.6));
  }
}

void append_digit(Bytes &pixels, int digit, Random &random) {
  Image image{};
  Warp warp(random);
  double width = random.uniform(1.4, 3.2), grey = random.uniform(0.65, 1.0);
  for (const Stroke &stroke : strokes_of(digit, random))
    for (size_t i = 0; i + 1 < stroke.size(); ++i)
      draw_piece(image, warp(stroke[i]), warp(stroke[i + 1]), width, grey);
  scratch(image, random);
  double noise = random.uniform(0.02, 0.12);
  for (double pixel : image) {
    double noisy = std::clamp(pixel + noise * random.normal(), 0.0, 1.0);
    pixels.push_back(static_cast<uint8_t>(std::lround(255 * noisy)));
  }
}

void append_number(Bytes &bytes, int64_t number) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<uint8_t>(number >> shift));
}

/// Compresses `bytes` with gzip.
std::string gzipped(const Bytes &bytes) {
  constexpr int kGzip = 15 + 16, kMemory = 8; // the largest window
  constexpr size_t kBlock = size_t{1} << 20;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    raise<OutOfMemoryError>("there is no memory to compress with");
  std::unique_ptr<z_stream, int (*)(z_stream *)> ended(&stream, deflateEnd);
  std::string packed;
  for (size_t at = 0, size = 0; at == 0 || at < bytes.size(); at += size) {
    size = std::clamp<size_t>(bytes.size() - at, 1, kBlock);
    bool is_last = at + size >= bytes.size();
    stream.next_in = const_cast<Bytef *>(bytes.data() + at);
    stream.avail_in = static_cast<uInt>(std::min(size, bytes.size() - at));
    do {
      size_t done = packed.size();
      packed.resize(done + kBlock);
      stream.next_out = reinterpret_cast<Bytef *>(packed.data() + done);
      stream.avail_out = kBlock;
      deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
      packed.resize(packed.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  return packed;
}

void write_file(std::filesystem::path path, const Bytes &bytes, bool compress) {
  if (compress)
    path += ".gz";
  std::string_view plain(reinterpret_cast<const char *>(bytes.data()),
                         bytes.size());
  unwrap(compress ? write_whole_file(path, gzipped(bytes))
                  : write_whole_file(path, plain));
}

/// Writes the images and labels of one part; `part` makes the random numbers of
/// both parts distinct.
void write_part(const std::filesystem::path &folder, const std::string &name,
                int64_t size, uint64_t part,
                const SyntheticDigitsOptions &options) {
  Bytes images, labels;
  for (int64_t number : {int64_t{0x803}, size, int64_t{kSide}, int64_t{kSide}})
    append_number(images, number);
  for (int64_t number : {int64_t{0x801}, size})
    append_number(labels, number);
  Random random(options.seed, part);
  for (int64_t i = 0; i < size; ++i) {
    int digit = static_cast<int>(random.below(10));
    labels.push_back(static_cast<uint8_t>(digit));
    append_digit(images, digit, random);
  }
  write_file(folder / (name + "-images-idx3-ubyte"), images, options.compress);
  write_file(folder / (name + "-labels-idx1-ubyte"), labels, options.compress);
}

} // namespace

void write_synthetic_digits(const std::filesystem::path &folder,
                            SyntheticDigitsOptions options) {
  XLAC_CALL("write_synthetic_digits");
  if (options.train_size < 0 || options.test_size < 0)
    raise<ValueError>("sizes must not be negative, got " +
                      std::to_string(options.train_size) + " and " +
                      std::to_string(options.test_size));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    raise<RuntimeError>("cannot make the folder " + folder.string());
  write_part(folder, "train", options.train_size, 0, options);
  write_part(folder, "t10k", options.test_size, 1, options);
}

} // namespace xlac::data
