#include "module_cases.h"

#include "xlac/lazy.h"

#include <gtest/gtest.h>

namespace xlac::module_cases {

namespace {

void check_outside(const Case &each, const nn::AnyModule &module) {
  EXPECT_EQ(module->str(), each.str);
  std::vector<std::pair<std::string, Shape>> keys;
  for (const auto &[key, tensor] : module->state_dict())
    keys.emplace_back(key, tensor.sizes());
  EXPECT_EQ(keys, each.keys);
}

void check_values(const Case &each, const Run &run) {
  if (each.inputs.empty())
    return;
  EXPECT_EQ(run.output.sizes(), each.output.sizes);
  EXPECT_EQ(difference(run.output, each.output), "");
  ASSERT_EQ(run.gradients.size(), each.gradients.size());
  for (size_t i = 0; i < run.gradients.size(); ++i) {
    const auto &[name, gradient] = run.gradients[i];
    EXPECT_EQ(name, each.gradients[i].first);
    EXPECT_EQ(difference(gradient, each.gradients[i].second), "") << name;
  }
}

void check_same(const Run &run, const Run &on_cpu) {
  if (!run.output.defined())
    return;
  EXPECT_EQ(difference(run.output, numbers_of(on_cpu.output)), "");
  ASSERT_EQ(run.gradients.size(), on_cpu.gradients.size());
  for (size_t i = 0; i < run.gradients.size(); ++i)
    EXPECT_EQ(difference(run.gradients[i].second,
                         numbers_of(on_cpu.gradients[i].second)),
              "")
        << run.gradients[i].first;
}

} // namespace

void check_family(const std::string &family, Device device) {
  std::vector<Case> cases = read_cases(family);
  nn::NamedModules modules = modules_of(family);
  std::vector<Run> runs;
  ASSERT_EQ(cases.size(), modules.size()) << family;
  for (size_t i = 0; i < cases.size(); ++i) {
    ASSERT_EQ(cases[i].name, modules[i].first);
    runs.emplace_back(cases[i], modules[i].second, device);
  }
  if (device.type == kXLA)
    xlac::sync();
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(family + ": " + cases[i].name);
    check_outside(cases[i], runs[i].module);
    check_values(cases[i], runs[i]);
    if (device.type == kXLA)
      check_same(runs[i], Run(cases[i], modules[i].second, Device(kCPU)));
  }
}

} // namespace xlac::module_cases
