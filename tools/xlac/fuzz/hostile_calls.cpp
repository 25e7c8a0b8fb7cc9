#include "fuzz/hostile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace xlac::fuzz {

namespace {

/// What a target takes, written down apart from its own declaration. Sizes are
/// letters of {b: batch, m, n, k: the smaller, 0: one less than n}; the first
/// letter is the element: T, R (real), C (complex), i (i32), p (i1).
struct Target {
  std::string_view name; ///< ? stands for LAPACK's letter of T
  std::string_view types;
  std::string_view operands, results;
  std::string_view attributes;
};

constexpr Target kTargets[] = {
    {"lapack_?potrf_ffi", "sdcz", "Tbnn", "Tbnn ib", "uplo = 76 : ui8"},
    {"lapack_?getrf_ffi", "sdcz", "Tbmn", "Tbmn ibk ib", ""},
    {"lapack_?trsm_ffi", "sdcz", "Tbmm Tbmn", "Tbmn",
     "side = 76 : ui8, uplo = 76 : ui8, diag = 78 : ui8, trans_x = 78 : ui8"},
    {"lapack_?gtsv_ffi", "sdcz", "Tbn Tbn Tbn Tbnm", "Tbn Tbn Tbn Tbnm ib", ""},
    {"lapack_?geqrf_ffi", "sdcz", "Tbmn", "Tbmn Tbk", ""},
    {"lapack_?geqp3_ffi", "sdcz", "Tbmn ibn", "Tbmn ibn Tbk", ""},
    {"lapack_?orgqr_ffi", "sd", "Tbmn Tbk", "Tbmn", ""},
    {"lapack_?ungqr_ffi", "cz", "Tbmn Tbk", "Tbmn", ""},
    {"lapack_?ormqr_ffi", "sd", "Tbmk Tbk Tbmn", "Tbmn",
     "left = true, transpose = false"},
    {"lapack_?unmqr_ffi", "cz", "Tbmk Tbk Tbmn", "Tbmn",
     "left = true, transpose = true"},
    {"lapack_?gehrd_ffi", "sdcz", "Tbnn", "Tbnn Tb0 ib",
     "low = 1 : i64, high = 2 : i64"},
    {"lapack_?sytrd_ffi", "sd", "Tbnn", "Tbnn Rbn Rb0 Tb0 ib",
     "uplo = 76 : ui8"},
    {"lapack_?hetrd_ffi", "cz", "Tbnn", "Tbnn Rbn Rb0 Tb0 ib",
     "uplo = 85 : ui8"},
    {"lapack_?gesdd_ffi", "sdcz", "Tbmn", "Tbmn Rbk Tbmm Tbnn ib",
     "mode = 65 : ui8"},
    {"lapack_?gesvd_ffi", "sdcz", "Tbmn", "Tbmn Rbk Tbmk Tbkn ib",
     "mode = 83 : ui8"},
    {"lapack_?gesdd_ffi", "sdcz", "Tbmn", "Tbmn Rbk Tbmm Tbnn ib",
     "mode = 78 : ui8"},
    {"lapack_?syevd_ffi", "sd", "Tbnn", "Tbnn Rbn ib",
     "mode = 86 : ui8, uplo = 76 : ui8"},
    {"lapack_?heevd_ffi", "cz", "Tbnn", "Tbnn Rbn ib",
     "mode = 78 : ui8, uplo = 85 : ui8"},
    {"lapack_?geev_ffi", "sd", "Tbnn", "Tbn Tbn Cbnn Cbnn ib",
     "compute_left = 86 : ui8, compute_right = 86 : ui8"},
    {"lapack_?geev_ffi", "cz", "Tbnn", "Tbn Tbnn Tbnn ib",
     "compute_left = 78 : ui8, compute_right = 86 : ui8"},
    {"lapack_?gees_ffi", "sd", "Tbnn", "Tbnn Tbnn Tbn Tbn ib ib",
     "mode = 86 : ui8, sort = 78 : ui8"},
    {"lapack_?gees_ffi", "cz", "Tbnn", "Tbnn Tbnn Tbn ib ib",
     "mode = 86 : ui8, sort = 78 : ui8"},
    {"LuDecomposition", "sdcz", "Tbmn", "Tbmn ibk ibm", ""},
    {"Qr", "sdcz", "Tbmn", "Tbmn Tbk", ""},
    {"ProductOfElementaryHouseholderReflectors", "sdcz", "Tbmn Tbk", "Tbmn",
     ""},
    {"Eigh", "sdcz", "Tbnn", "Tbnn Rbn", ""},
    {"xlac.qr", "sdcz", "Tbmn", "Tbmk Tbkn", ""},
    {"xlac.svd", "sdcz", "Tbmn", "Tbmk Rbk Tbkn", ""},
    {"xlac.svd", "sdcz", "Tbmn", "Rbk", ""},
    {"xlac.eig", "sdcz", "Tbnn", "Cbn Cbnn", ""},
    {"xlac.require", "s", "p", "p", ""},
    {"shape_assertion", "s", "p i", "", "error_message = \"no {0}\""},
    {"mhlo.topk", "sd", "Tn", "Tm im", "k = 2 : i64, largest = true"},
};

struct Value {
  std::string element;
  std::vector<int64_t> sizes;

  std::string text() const {
    std::string all;
    for (int64_t size : sizes)
      all += fmt::format("{}x", size);
    return fmt::format("tensor<{}{}>", all, element);
  }
};

struct Sizes {
  std::vector<int64_t> batch;
  int64_t m, n;
  char type;
};

std::string element_of(char letter, char type) {
  bool is_complex = type == 'c' || type == 'z';
  std::string real = type == 's' || type == 'c' ? "f32" : "f64";
  switch (letter) {
  case 'T':
    return is_complex ? "complex<" + real + ">" : real;
  case 'R':
    return real;
  case 'C':
    return "complex<" + real + ">";
  default:
    return letter == 'p' ? "i1" : "i32";
  }
}

std::vector<Value> values_of(std::string_view list, const Sizes &sizes) {
  std::vector<Value> values;
  for (char letter : list) {
    if (letter == ' ')
      continue;
    if (std::string_view("TRCip").find(letter) != std::string_view::npos) {
      values.push_back({element_of(letter, sizes.type), {}});
      continue;
    }
    std::vector<int64_t> &into = values.back().sizes;
    switch (letter) {
    case 'b':
      into = sizes.batch;
      break;
    case 'm':
      into.push_back(sizes.m);
      break;
    case 'n':
      into.push_back(sizes.n);
      break;
    case 'k':
      into.push_back(std::min(sizes.m, sizes.n));
      break;
    default:
      into.push_back(std::max<int64_t>(sizes.n - 1, 0));
    }
  }
  return values;
}

/// Changes a size, a rank, an element type or how many there are.
void damage(std::vector<Value> &values, Random &random) {
  constexpr std::string_view elements[] = {
      "f32", "f64", "i32", "i1", "complex<f32>", "complex<f64>", "ui8", "bf16"};
  uint32_t what = random.below(8);
  if (values.empty() || what == 7) {
    values.insert(values.begin() + random.below(values.size() + 1),
                  Value{"f32", {random.between(0, 5)}});
    return;
  }
  size_t at = random.below(values.size());
  Value &value = values[at];
  if (what == 6) {
    values.erase(values.begin() + static_cast<ptrdiff_t>(at));
  } else if (what == 5) {
    value.element = random.pick(elements);
  } else if (what == 4 || value.sizes.empty()) {
    value.sizes.insert(value.sizes.begin() +
                           random.below(value.sizes.size() + 1),
                       random.between(0, 4));
  } else if (what == 3) {
    value.sizes.erase(value.sizes.begin() + random.below(value.sizes.size()));
  } else {
    constexpr int64_t sizes[] = {0, 1, 2, 3, 7, 16, 64, 500, 1 << 14};
    value.sizes[random.below(value.sizes.size())] = random.pick(sizes);
  }
}

std::string damaged_attributes(std::string text, Random &random) {
  constexpr std::string_view values[] = {"76", "82", "85", "78",  "65", "83",
                                         "86", "0",  "1",  "255", "3"};
  for (size_t at = 0; (at = text.find("= ", at)) != std::string::npos; ++at) {
    if (!random.chance(30) || text[at + 2] < '0' || text[at + 2] > '9')
      continue;
    size_t end = text.find_first_not_of("0123456789", at + 2);
    bool is_wide = text.compare(end, 6, " : i64") == 0 && random.chance(30);
    text.replace(at + 2, end - at - 2,
                 is_wide ? "-9223372036854775808"
                         : std::string(random.pick(values)));
  }
  return text;
}

std::string types_text(const std::vector<Value> &values) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + value.text();
  return text;
}

} // namespace

std::string hostile_call(Random &random) {
  const Target &target = random.pick(kTargets);
  Sizes sizes{{}, random.between(0, 9), random.between(0, 9), 0};
  sizes.type = target.types[random.below(target.types.size())];
  for (uint32_t i = random.below(3); i-- > 0;)
    sizes.batch.push_back(random.between(0, 3));
  if (random.chance(10))
    sizes.m = random.between(20, 60);
  auto operands = values_of(target.operands, sizes);
  auto results = values_of(target.results, sizes);
  std::string attributes(target.attributes);
  for (uint32_t i = random.below(4); i-- > 0;) {
    if (random.chance(60))
      damage(results, random);
    else if (random.chance(60))
      damage(operands, random);
    else
      attributes = damaged_attributes(attributes, random);
  }
  std::string name(target.name);
  if (size_t at = name.find('?'); at != std::string::npos)
    name[at] = sizes.type;
  std::string arguments, uses, returned;
  for (size_t i = 0; i < operands.size(); ++i) {
    arguments +=
        fmt::format("{}%a{}: {}", i ? ", " : "", i, operands[i].text());
    uses += fmt::format("{}%a{}", i ? ", " : "", i);
  }
  for (size_t i = 0; i < results.size(); ++i)
    returned += fmt::format("{}%r{}", i ? ", " : "",
                            results.size() > 1 ? fmt::format("#{}", i) : "");
  std::string text = fmt::format(
      "func.func @main({}) -> ({}) {{\n  {}stablehlo.custom_call @{}({}) "
      "{{has_side_effect = true, mhlo.backend_config = {{{}}}}} : ({}) -> "
      "({})\n  return {}",
      arguments, types_text(results),
      results.empty() ? "" : fmt::format("%r:{} = ", results.size()), name,
      uses, attributes, types_text(operands), types_text(results), returned);
  if (results.size() == 1)
    text.replace(text.find("%r:1"), 4, "%r");
  return text + (results.empty()
                     ? "\n}\n"
                     : fmt::format(" : {}\n}}\n", types_text(results)));
}

} // namespace xlac::fuzz
