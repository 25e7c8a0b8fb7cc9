// DEV-35: compares xla with cpu for every overload of every function that has a
// golden case, with operands of each dtype.
#include "feature_rows.h"
#include "golden_run.h"

#include <algorithm>
#include <map>
#include <set>

using namespace xlac;
using namespace xlac::features;
using golden::Case;
using golden::Prepared;

namespace {

/// The results of a call, or its exception.
struct Outcome {
  dispatch::Results results;
  std::string error, what;
};

Outcome outcome_of(const Case &each, Device device,
                   const golden::Retype &retype) {
  Outcome outcome;
  try {
    outcome.results = golden::evaluate(golden::prepare(each, device, retype));
  } catch (const std::exception &error) {
    outcome.error = golden::exception_class();
    outcome.what = error.what();
  }
  return outcome;
}

/// A case whose first operand's dtype is replaced everywhere.
class Trial {
public:
  Trial(const Case &each, Dtype dtype) : case_(each), dtype_(dtype) {
    Dtype own = golden::prepare(each, kCPU).operands.at(0).dtype();
    retype_ = [own, dtype](Dtype found) {
      return found == own ? dtype : found;
    };
    cpu_ = outcome_of(each, kCPU, retype_);
  }
  void run_on_xla() { xla_ = outcome_of(case_, Device("xla:0"), retype_); }
  bool takes_dtype() const { return cpu_.error.empty(); }
  void check() const;

private:
  const Case &case_;
  const Dtype dtype_;
  golden::Retype retype_;
  Outcome cpu_, xla_;
};

void Trial::check() const {
  SCOPED_TRACE(case_.place() + " of " + std::string(name(dtype_)));
  ASSERT_EQ(xla_.error, cpu_.error) << xla_.what << "\n" << cpu_.what;
  ASSERT_EQ(xla_.results.size(), cpu_.results.size());
  for (size_t i = 0; i < cpu_.results.size(); ++i)
    EXPECT_EQ(
        golden::difference(xla_.results[i], cpu_.results[i], case_.tolerance),
        "");
}

/// Returns one case per overload that has a tensor operand, preferably with
/// f32.
std::vector<Case> representatives() {
  std::map<const dispatch::Entry *, Case> chosen;
  auto rank = [](const Case &each) {
    Prepared made = golden::prepare(each, kCPU);
    const Tensor &first = made.operands[0];
    return 2 * (first.dtype() == kFloat32) + (first.numel() > 1);
  };
  for (const std::string &family : golden::families()) {
    // In complex types the values at singular points of f32 are not defined.
    if (family == "kinks")
      continue;
    for (const Case &each : golden::read_cases(family)) {
      Prepared made = golden::prepare(each, kCPU);
      if (!each.error.empty() || !each.only_device.empty() ||
          made.operands.empty())
        continue;
      auto [place, added] =
          chosen.try_emplace(dispatch::bind(made.call).entry, each);
      if (!added && rank(each) > rank(place->second))
        place->second = each;
    }
  }
  std::vector<Case> all;
  for (auto &[entry, each] : chosen)
    all.push_back(std::move(each));
  return all;
}

constexpr Dtype kDtypes[] = {kFloat32, kFloat64, kFloat16, kBFloat16, kInt32,
                             kInt64,   kUInt8,   kBool,    kComplex64};

} // namespace

FEATURE(DEV_35, "") {
  const std::vector<Case> cases = representatives();
  EXPECT_GT(cases.size(), 450u);
  size_t taken = 0;
  for (Dtype dtype : kDtypes) {
    constexpr size_t kTogether = 64;
    for (size_t begin = 0; begin < cases.size(); begin += kTogether) {
      std::vector<Trial> trials;
      for (size_t i = begin; i < std::min(begin + kTogether, cases.size()); ++i)
        trials.emplace_back(cases[i], dtype);
      for (Trial &trial : trials)
        trial.run_on_xla();
      xlac::sync();
      for (const Trial &trial : trials) {
        taken += trial.takes_dtype();
        trial.check();
      }
    }
  }
  EXPECT_GT(taken, 3400u);
  // equal and allclose, which return C++ values, and functions whose shapes
  // depend on values.
  EXPECT_EQ(
      met::executed_fallback_ops(),
      (std::vector<std::string>{"aten::_local_scalar_dense", "aten::argwhere",
                                "aten::bincount", "aten::masked_select",
                                "aten::nonzero", "aten::repeat_interleave",
                                "aten::unique", "aten::unique_consecutive"}));
}
