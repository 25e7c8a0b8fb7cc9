#include "fuzz/hostile.h"

#include "xlac/compiler_check_case.h"
#include "xlac/loader/compiler_library.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace xlac::fuzz {

namespace {

constexpr int64_t kLarge[] = {INT64_MAX,
                              INT64_MIN,
                              int64_t(1) << 62,
                              int64_t(1) << 33,
                              (int64_t(1) << 31) + 1,
                              6148914691236517206,
                              INT64_MIN + 1,
                              -1};

int64_t size_from(Random &random) {
  return random.chance(40) ? random.pick(kLarge) : random.between(-2, 9);
}

/// Arithmetic that wraps, as a shape rule would that ignores overflow.
int64_t wrapped(std::initializer_list<int64_t> terms) {
  uint64_t sum = 0;
  for (int64_t term : terms)
    sum += static_cast<uint64_t>(term);
  return static_cast<int64_t>(sum);
}
int64_t wrapped_product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

std::string main_of(std::string_view arguments, std::string_view result,
                    std::string_view body) {
  return fmt::format("func.func @main({}) -> {} {{\n  %z = "
                     "stablehlo.constant dense<0.0> : tensor<f32>\n{}\n  "
                     "return %r : {}\n}}\n",
                     arguments, result, body, result);
}

std::string hostile_fft(Random &random) {
  constexpr std::string_view kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  std::string_view kind = random.pick(kinds);
  std::string real = random.chance(50) ? "f64" : "f32";
  std::vector<int64_t> sizes, lengths;
  for (uint32_t i = 1 + random.below(3); i-- > 0;)
    sizes.push_back(random.between(0, 8));
  size_t count = 1 + random.below(sizes.size());
  lengths.assign(sizes.end() - static_cast<ptrdiff_t>(count), sizes.end());
  std::vector<int64_t> results = sizes;
  if (kind == "RFFT")
    results.back() = results.back() / 2 + (results.back() > 0);
  if (kind == "IRFFT")
    sizes.back() = sizes.back() / 2 + (sizes.back() > 0);
  constexpr int64_t others[] = {-1, 0, 1, 2, 3, 512, 65536};
  for (uint32_t i = random.below(3); i-- > 0;) {
    std::vector<int64_t> &list = random.chance(70)   ? lengths
                                 : random.chance(50) ? results
                                                     : sizes;
    list[random.below(list.size())] = random.pick(others);
  }
  auto type = [](const std::vector<int64_t> &dims, const std::string &element) {
    std::string all;
    for (int64_t dim : dims)
      all += fmt::format("{}x", dim);
    return "tensor<" + all + element + ">";
  };
  std::string complex = "complex<" + real + ">", list;
  for (int64_t length : lengths)
    list += fmt::format("{}{}", list.empty() ? "" : ", ", length);
  std::string from = type(sizes, kind == "RFFT" ? real : complex);
  std::string to = type(results, kind == "IRFFT" ? real : complex);
  return main_of("%a: " + from, to,
                 fmt::format("  %r = stablehlo.fft %a, type = {}, length = "
                             "[{}] : ({}) -> {}",
                             kind, list, from, to));
}

std::string hostile_pad(Random &random) {
  int64_t size = random.between(0, 6), interior = size_from(random),
          low = size_from(random), wanted = random.between(0, 9);
  int64_t spread = wrapped_product(std::max<int64_t>(size - 1, 0), interior);
  int64_t high =
      wrapped({wanted, wrapped_product(-1, size), wrapped_product(-1, spread),
               wrapped_product(-1, low)});
  if (random.chance(20))
    high = size_from(random);
  std::string to = fmt::format("tensor<{}xf32>", wanted);
  return main_of(fmt::format("%a: tensor<{}xf32>", size), to,
                 fmt::format("  %r = stablehlo.pad %a, %z, low = [{}], high = "
                             "[{}], interior = [{}] : (tensor<{}xf32>, "
                             "tensor<f32>) -> {}",
                             low, high, interior, size, to));
}

std::string hostile_window(Random &random) {
  int64_t size = random.between(0, 9);
  std::string to = fmt::format("tensor<{}xf32>", random.between(0, 9));
  return main_of(
      fmt::format("%a: tensor<{}xf32>", size), to,
      fmt::format(
          "  %r = \"stablehlo.reduce_window\"(%a, %z) ({{\n  ^bb0(%x: "
          "tensor<f32>, %y: tensor<f32>):\n    %s = stablehlo.add %x, %y : "
          "tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  }}) "
          "{{window_dimensions = array<i64: {}>, window_strides = array<i64: "
          "{}>, base_dilations = array<i64: {}>, window_dilations = array<i64: "
          "{}>, padding = dense<[[{}, {}]]> : tensor<1x2xi64>}} : "
          "(tensor<{}xf32>, tensor<f32>) -> {}",
          size_from(random), size_from(random), size_from(random),
          size_from(random), size_from(random), size_from(random), size, to));
}

std::string hostile_slice(Random &random) {
  int64_t size = random.between(0, 9);
  std::string to = fmt::format("tensor<{}xf32>", random.between(0, 9));
  auto from = fmt::format("tensor<{}xf32>", size);
  if (random.chance(50))
    return main_of(fmt::format("%a: {}, %i: tensor<i64>", from), to,
                   fmt::format("  %r = stablehlo.dynamic_slice %a, %i, sizes = "
                               "[{}] : ({}, tensor<i64>) -> {}",
                               size_from(random), from, to));
  return main_of("%a: " + from, to,
                 fmt::format("  %r = \"stablehlo.slice\"(%a) {{start_indices = "
                             "array<i64: {}>, limit_indices = array<i64: {}>, "
                             "strides = array<i64: {}>}} : ({}) -> {}",
                             size_from(random), size_from(random),
                             size_from(random), from, to));
}

/// Sizes whose product is small after overflow.
std::string hostile_product(Random &random) {
  std::vector<int64_t> sizes;
  std::string dims, all;
  for (uint32_t i = 1 + random.below(3); i-- > 0;) {
    sizes.push_back(std::max<int64_t>(size_from(random), 0));
    all += fmt::format("{}x", sizes.back());
    dims += fmt::format("{}{}", dims.empty() ? "" : ", ", sizes.size() - 1);
  }
  return main_of(
      "%a: tensor<f32>", "tensor<f32>",
      fmt::format("  %b = \"stablehlo.broadcast_in_dim\"(%a) "
                  "{{broadcast_dimensions = array<i64>}} : (tensor<f32>) -> "
                  "tensor<{}f32>\n  %r = stablehlo.reduce(%b init: %z) applies "
                  "stablehlo.add across dimensions = [{}] : (tensor<{}f32>, "
                  "tensor<f32>) -> tensor<f32>",
                  all, dims, all));
}

std::string hostile_top_k(Random &random) {
  int64_t rows = random.between(1, 4), size = random.between(1, 9);
  int64_t k = random.between(0, 5);
  int64_t to_rows = random.chance(30) ? 100000 : rows;
  int64_t to = random.chance(30) ? random.between(0, 12) : k;
  bool swapped = random.chance(10);
  std::string values = fmt::format("tensor<{}x{}xf32>", to_rows, to);
  std::string places = fmt::format("tensor<{}x{}x{}>", to_rows, to,
                                   random.chance(10) ? "f64" : "i32");
  if (swapped)
    std::swap(values, places);
  return fmt::format(
      "func.func @main(%a: tensor<{0}x{1}xf32>, %i: tensor<{0}x{1}xi32>) -> "
      "({2}, {3}) {{\n  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  %k "
      "= stablehlo.constant dense<0> : tensor<i32>\n  %r:2 = "
      "stablehlo.custom_call @ApproxTopK(%a, %i, %z, %k) {{called_computations "
      "= [@cmp], mhlo.backend_config = {{reduction_dim = {4} : i64, top_k = "
      "{5} "
      ": i64, aggregate_to_topk = {6}}}}} : (tensor<{0}x{1}xf32>, "
      "tensor<{0}x{1}xi32>, tensor<f32>, tensor<i32>) -> ({2}, {3})\n  return "
      "%r#0, %r#1 : {2}, {3}\n}}\nfunc.func private @cmp(%x: tensor<f32>, %y: "
      "tensor<f32>, %p: tensor<i32>, %q: tensor<i32>) -> tensor<i1> {{\n  %l = "
      "stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> "
      "tensor<i1>\n  return %l : tensor<i1>\n}}\n",
      rows, size, values, places, random.chance(80) ? 1 : size_from(random), k,
      random.chance(80) ? "true" : "false");
}

/// An op of an unknown or unsupported dialect, at one of several positions.
std::string unknown_op(Random &random) {
  constexpr std::string_view names[] = {
      "llvm.call",   "foo.bar",           "arith.addf",
      "mhlo.add",    "tensor.cast",       "xlac.await",
      "vhlo.add_v1", "stablehlo.nothing", "builtin.unrealized_conversion_cast",
      "shape.add"};
  std::string_view name = random.pick(names);
  int64_t size = random.chance(30) ? 0 : 4;
  std::string type = fmt::format("tensor<{}xf32>", size);
  auto op = [&](std::string_view operand, std::string_view result,
                std::string_view of) {
    return fmt::format("  {}\"{}\"({}) : ({}) -> {}\n",
                       result.empty() ? "" : fmt::format("{} = ", result), name,
                       operand, operand.empty() ? "" : of,
                       result.empty() ? "()" : of);
  };
  switch (random.below(4)) {
  case 0: // used
    return main_of("%a: " + type, type, op("%a", "%r", type));
  case 1: // dead
    return main_of("%a: " + type, type,
                   op(random.chance(50) ? "%a" : "", "", type) +
                       fmt::format("  %r = stablehlo.add %a, %a : {}", type));
  case 2: // in a region
    return main_of(
        "%a: " + type, "tensor<f32>",
        fmt::format("  %r = \"stablehlo.reduce\"(%a, %z) ({{\n  ^bb0(%x: "
                    "tensor<f32>, %y: tensor<f32>):\n{}    "
                    "\"stablehlo.return\"(%s) : (tensor<f32>) -> ()\n  }}) "
                    "{{dimensions = array<i64: 0>}} : ({}, tensor<f32>) -> "
                    "tensor<f32>",
                    op("%x", "%s", "tensor<f32>"), type));
  default: // in a function that is never called
    return main_of("%a: " + type, type,
                   fmt::format("  %r = stablehlo.add %a, %a : {}", type)) +
           fmt::format("func.func private @other(%a: {0}) -> {0} {{\n{1}  "
                       "return %r : {0}\n}}\n",
                       type, op("%a", "%r", type));
  }
}

bool is_digit(char c) { return '0' <= c && c <= '9'; }

/// Replaces the next number at or after `at`.
void change_number(std::string &text, size_t at, Random &random) {
  constexpr std::string_view numbers[] = {
      "0", "1",  "2",   "3",     "4",          "7",
      "8", "16", "512", "65536", "2147483649", "4611686018427387904"};
  while (at < text.size() && !is_digit(text[at]))
    ++at;
  size_t end = at;
  while (end < text.size() && is_digit(text[end]))
    ++end;
  if (at < end)
    text.replace(at, end - at,
                 (random.chance(10) ? "-" : "") +
                     std::string(random.pick(numbers)));
}

/// Replaces the next of `words` at or after `at` by another one.
template <size_t N>
void change_word(std::string &text, size_t at,
                 const std::string_view (&words)[N], Random &random) {
  size_t best = std::string::npos, length = 0;
  for (std::string_view word : words)
    if (size_t found = text.find(word, at); found < best) {
      best = found;
      length = word.size();
    }
  if (best != std::string::npos)
    text.replace(best, length, random.pick(words));
}

void change_line(std::string &text, size_t at, Random &random) {
  size_t begin = text.rfind('\n', at);
  begin = begin == std::string::npos ? 0 : begin + 1;
  size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
  std::string line = text.substr(begin, end - begin);
  if (random.chance(50))
    text.erase(begin, end - begin);
  else
    text.insert(begin, line);
}

} // namespace

std::string mutated(std::string text, Random &random) {
  constexpr std::string_view types[] = {
      "f32>", "f64>",  "i32>", "i64>",  "i1>", "ui8>",
      "i8>",  "bf16>", "f16>", "ui32>", "i4>", "complex<f32>>"};
  constexpr std::string_view ops[] = {
      "stablehlo.add",     "stablehlo.and",         "stablehlo.negate",
      "stablehlo.reverse", "stablehlo.reshape",     "stablehlo.transpose",
      "foo.bar",           "stablehlo.convert",     "stablehlo.bitcast_convert",
      "stablehlo.abs",     "stablehlo.concatenate", "stablehlo.pad"};
  for (uint32_t i = 1 + random.below(3); i-- > 0 && text.size() > 1;) {
    size_t at = random.below(text.size());
    switch (random.below(8)) {
    case 0:
      change_word(text, at, types, random);
      break;
    case 1:
      change_word(text, at, ops, random);
      break;
    case 2:
      change_line(text, at, random);
      break;
    default:
      change_number(text, at, random);
    }
  }
  return text;
}

std::string hostile_program(Random &random) {
  using Make = std::string (*)(Random &);
  constexpr Make makers[] = {hostile_fft,   hostile_pad,     hostile_window,
                             hostile_slice, hostile_product, hostile_top_k,
                             unknown_op};
  return random.pick(makers)(random);
}

/// Reads a case of one of the files as a program.
static std::string
corpus_program(Random &random,
               const std::vector<std::filesystem::path> &corpus) {
  std::filesystem::path path = random.pick(corpus);
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  auto compiler = open_compiler();
  if (!compiler)
    return {};
  auto cases = (*compiler)->check_cases(Source{bytes, path.string(), "main"});
  if (!cases || cases->empty())
    return {};
  return random.pick(*cases).module;
}

/// Returns a random program without some sizes. The sizes of its arguments are
/// those of the program that it was made from, except for one to three.
static HostileProgram hostile_sizes(uint64_t seed) {
  Random random(seed);
  Case one = generate(random, {.max_ops = 10});
  auto text = text_of(one, {.unknown_sizes = seed});
  if (!text)
    return {};
  HostileProgram program{*text, sizes_of(one)};
  for (uint32_t i = 1 + random.below(3); i-- > 0 && !program.sizes.empty();) {
    std::vector<int64_t> &sizes =
        program.sizes[random.below(program.sizes.size())].second;
    if (sizes.empty())
      continue;
    int64_t &size = sizes[random.below(sizes.size())];
    const int64_t others[] = {0, 1, size + 1, size * 2, size / 2, 7, 10'000};
    size = random.pick(others);
  }
  return program;
}

/// The kind of program of a seed.
enum class Family { Call, Program, Sizes, Corpus, Image };

static Family family_of(Random &random, bool has_corpus) {
  uint32_t draw = random.below(100);
  if (draw < 40)
    return Family::Call;
  if (draw < 65)
    return Family::Program;
  if (draw < 75)
    return Family::Sizes;
  if (draw < 97 && has_corpus)
    return Family::Corpus;
  return draw < 97 ? Family::Program : Family::Image;
}

static HostileProgram
program_of(uint64_t seed, Random &random, Family family,
           const std::vector<std::filesystem::path> &corpus) {
  if (family == Family::Sizes)
    return hostile_sizes(seed);
  if (family == Family::Corpus)
    return {mutated(corpus_program(random, corpus), random), {}};
  std::string text =
      family == Family::Call ? hostile_call(random) : hostile_program(random);
  return {random.chance(10) ? mutated(text, random) : text, {}};
}

std::string hostile_text(uint64_t seed,
                         const std::vector<std::filesystem::path> &corpus) {
  Random random(seed);
  Family family = family_of(random, !corpus.empty());
  if (family == Family::Image)
    return "";
  HostileProgram program = program_of(seed, random, family, corpus);
  std::string shapes;
  for (const auto &[argument, sizes] : program.sizes)
    shapes += fmt::format(" --shape {}={}", argument, fmt::join(sizes, "x"));
  return shapes.empty() ? program.text : "//" + shapes + "\n" + program.text;
}

Outcome run_hostile_seed(uint64_t seed,
                         const std::vector<std::filesystem::path> &corpus,
                         const CompilerOptions &options) {
  Random random(seed);
  Family family = family_of(random, !corpus.empty());
  if (family == Family::Image)
    return load_damaged_image(random, options);
  return run_hostile(program_of(seed, random, family, corpus), options);
}

} // namespace xlac::fuzz
