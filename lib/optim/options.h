// Checks and descriptions of optimizer options, for constructors.
#pragma once

#include "xlac/optim/optimizer.h"

namespace xlac::optim {

/// Throws ValueError "Invalid <what>: <value>" unless `is_valid`.
void check_option(bool is_valid, const char *what, double value);
/// Throws ValueError for an option below 0.
void check_not_negative(
    std::initializer_list<std::pair<const char *, double>> options);
/// Throws ValueError unless both are at least 0 and below 1.
void check_betas(const std::pair<double, double> &betas);

OptionDefault flag(const char *name, bool value);
OptionDefault whole(const char *name, int64_t value);
/// The two elements of a pair, by name, in a list of options.
OptionDefault first(const char *pair, const char *name, double value);
OptionDefault second(const char *pair, const char *name, double value);

/// Makes one group of all parameters that uses the defaults.
std::vector<ParamGroup> one_group(std::vector<Tensor> params);

} // namespace xlac::optim
