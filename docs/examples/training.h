// Shared code of the training programs: flags, images and text as data, and
// progress lines.
#pragma once
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <xlac/xlac.h>

using namespace xlac;

//===- Flags --------------------------------------------------------------===//

/// Returns the text after --name= on the command line, or the default.
inline std::string flag(int argc, char **argv, const std::string &name,
                        std::string fallback) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).starts_with("--" + name + "="))
      fallback = argv[i] + name.size() + 3;
  return fallback;
}
inline int64_t flag(int argc, char **argv, const std::string &name,
                    int64_t fallback) {
  std::string text = flag(argc, argv, name, std::to_string(fallback));
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), fallback);
  if (error != std::errc() || *end)
    throw ValueError("--" + name + " wants a number, got " + text);
  return fallback;
}

//===- Progress lines -----------------------------------------------------===//

/// Ends steps, and prints a line at intervals: the loss, steps per second since
/// the last line, and the number of compiled programs.
class Progress {
public:
  Progress(int64_t steps, int64_t lines)
      : steps_(steps), every_(std::max<int64_t>(1, steps / lines)) {}

  void step(const Tensor &loss) {
    xlac::sync();
    ++done_;
    if (done_ != 1 && done_ % every_ != 0 && done_ != steps_)
      return;
    last_ = loss.item<double>(); // waits for the loss
    if (done_ == 1)
      first_ = last_;
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double> seconds = now - since_;
    std::printf("step %lld/%lld  loss %.4f  %.1f steps/s  %lld programs\n",
                static_cast<long long>(done_), static_cast<long long>(steps_),
                last_,
                static_cast<double>(done_ - done_before_) / seconds.count(),
                static_cast<long long>(xr::get_num_cached_compilation_graph()));
    std::fflush(stdout);
    since_ = now;
    done_before_ = done_;
  }
  /// Losses of the first and the last printed step.
  double first() const { return first_; }
  double last() const { return last_; }

private:
  int64_t steps_, every_, done_ = 0, done_before_ = 0;
  double first_ = 0, last_ = 0;
  std::chrono::steady_clock::time_point since_ =
      std::chrono::steady_clock::now();
};

//===- Images -------------------------------------------------------------===//

/// Seven-segment digits, each image with its own position, size, brightness and
/// noise: float32 [count, channels, side, side] approximately in [0, 1], and
/// int64 [count].
struct Digits {
  Tensor images, labels;
};
inline Digits drawn_digits(int64_t count, int64_t channels, int64_t side,
                           unsigned seed, Device device) {
  // Segments: top, upper left, upper right, middle, lower left, lower right,
  // bottom.
  static constexpr int kBars[10] = {0b1110111, 0b0010010, 0b1011101, 0b1011011,
                                    0b0111010, 0b1101011, 0b1101111, 0b1010010,
                                    0b1111111, 0b1111011};
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::normal_distribution<float> noise(0, 0.1f);
  auto s = static_cast<float>(side);
  std::vector<float> pixels;
  pixels.reserve(static_cast<size_t>(count * channels * side * side));
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < count; ++i) {
    int64_t digit = static_cast<int64_t>(random() % 10);
    labels.push_back(digit);
    float height = s * (0.5f + 0.3f * uniform(random)), width = height * 0.55f;
    float top = (s - height) * uniform(random);
    float left = (s - width) * uniform(random);
    float thick = s * 0.09f;
    auto inside = [&](float y, float x) {
      auto bar = [&](int number, float y0, float x0, float y1, float x1) {
        return (kBars[digit] >> (6 - number) & 1) && y >= y0 - thick / 2 &&
               y <= y1 + thick / 2 && x >= x0 - thick / 2 &&
               x <= x1 + thick / 2;
      };
      float middle = top + height / 2, bottom = top + height,
            right = left + width;
      return bar(0, top, left, top, right) || bar(1, top, left, middle, left) ||
             bar(2, top, right, middle, right) ||
             bar(3, middle, left, middle, right) ||
             bar(4, middle, left, bottom, left) ||
             bar(5, middle, right, bottom, right) ||
             bar(6, bottom, left, bottom, right);
    };
    for (int64_t channel = 0; channel < channels; ++channel) {
      float bright = 0.6f + 0.4f * uniform(random);
      for (int64_t y = 0; y < side; ++y)
        for (int64_t x = 0; x < side; ++x)
          pixels.push_back((inside(static_cast<float>(y), static_cast<float>(x))
                                ? bright
                                : 0.0f) +
                           noise(random));
    }
  }
  return {from_data(pixels.data(), {count, channels, side, side}, device),
          from_data(labels.data(), {count}, device)};
}

//===- Text ---------------------------------------------------------------===//

/// A text as numbers, one per ASCII character; other characters are dropped.
class Text {
public:
  /// Reads a file, or all pages (.md) of a folder.
  explicit Text(const std::filesystem::path &source) {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_directory(source)) {
      for (const auto &entry : std::filesystem::directory_iterator(source))
        if (entry.path().extension() == ".md")
          files.push_back(entry.path());
      std::sort(files.begin(), files.end());
    } else {
      files.push_back(source);
    }
    std::string text;
    for (const auto &path : files) {
      std::ifstream file(path, std::ios::binary);
      text.append(std::istreambuf_iterator<char>(file), {});
    }
    // bytes of non-ASCII characters
    std::erase_if(text, [](char c) { return c < 0; });
    if (text.size() < 1000)
      throw RuntimeError(source.string() + " has too little text");
    characters_ = text;
    std::sort(characters_.begin(), characters_.end());
    characters_.erase(std::unique(characters_.begin(), characters_.end()),
                      characters_.end());
    numbers_ = numbers_of(text);
  }

  /// Returns the number of distinct characters.
  int64_t vocabulary() const {
    return static_cast<int64_t>(characters_.size());
  }
  int64_t size() const { return static_cast<int64_t>(numbers_.size()); }

  /// Throws ValueError for a character that does not occur in the text.
  std::vector<int64_t> numbers_of(const std::string &text) const {
    std::vector<int64_t> numbers;
    for (char c : text) {
      auto place = std::lower_bound(characters_.begin(), characters_.end(), c);
      if (place == characters_.end() || *place != c)
        throw ValueError(std::string("the text has no '") + c + "'");
      numbers.push_back(place - characters_.begin());
    }
    return numbers;
  }
  std::string text_of(const std::vector<int64_t> &numbers) const {
    std::string text;
    for (int64_t number : numbers)
      text += characters_[static_cast<size_t>(number)];
    return text;
  }

  /// Random sections of the text: int64 [count, length], and the same sections
  /// shifted by one character.
  struct Batch {
    Tensor inputs, targets;
  };
  Batch batch(int64_t count, int64_t length, std::mt19937 &random,
              Device device) const {
    std::vector<int64_t> inputs, targets;
    for (int64_t i = 0; i < count; ++i) {
      auto from = numbers_.begin() +
                  static_cast<int64_t>(random() %
                                       static_cast<uint64_t>(size() - length));
      inputs.insert(inputs.end(), from, from + length);
      targets.insert(targets.end(), from + 1, from + length + 1);
    }
    return {from_data(inputs.data(), {count, length}, device),
            from_data(targets.data(), {count, length}, device)};
  }

private:
  std::string characters_; ///< sorted
  std::vector<int64_t> numbers_;
};
