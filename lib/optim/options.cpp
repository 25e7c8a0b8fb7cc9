#include "options.h"

#include "xlac/support/raise.h"

#include <charconv>

namespace xlac::optim {

using Kind = OptionDefault::Kind;

void check_option(bool is_valid, const char *what, double value) {
  if (is_valid)
    return;
  char text[32];
  char *end = std::to_chars(text, text + sizeof text, value).ptr;
  raise<ValueError>(std::string("Invalid ") + what + ": " +
                    std::string(text, end));
}

void check_not_negative(
    std::initializer_list<std::pair<const char *, double>> options) {
  for (const auto &[what, value] : options)
    check_option(value >= 0, what, value);
}

void check_betas(const std::pair<double, double> &betas) {
  check_option(betas.first >= 0 && betas.first < 1, "beta parameter at index 0",
               betas.first);
  check_option(betas.second >= 0 && betas.second < 1,
               "beta parameter at index 1", betas.second);
}

OptionDefault flag(const char *name, bool value) {
  return {name, value ? 1.0 : 0.0, Kind::Flag};
}
OptionDefault whole(const char *name, int64_t value) {
  return {name, static_cast<double>(value), Kind::Whole};
}
OptionDefault first(const char *pair, const char *name, double value) {
  return {name, value, Kind::First, pair};
}
OptionDefault second(const char *pair, const char *name, double value) {
  return {name, value, Kind::Second, pair};
}

std::vector<ParamGroup> one_group(std::vector<Tensor> params) {
  return {ParamGroup{std::move(params), {}}};
}

} // namespace xlac::optim
