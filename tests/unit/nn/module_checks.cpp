#include "module_cases.h"

#include "xlac/lazy.h"

#include <algorithm>
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

void check_buffers(const Case &each, const nn::AnyModule &module) {
  for (const auto &[name, wanted] : each.buffers) {
    auto buffers = module->named_buffers();
    auto found =
        std::find_if(buffers.begin(), buffers.end(),
                     [&](const auto &buffer) { return buffer.first == name; });
    ASSERT_NE(found, buffers.end()) << name;
    EXPECT_EQ(difference(found->second, wanted), "") << name;
  }
}

void check_values(const Case &each, const Run &run) {
  if (each.inputs.empty())
    return;
  ASSERT_EQ(run.outputs.size(), each.outputs.size());
  for (size_t i = 0; i < run.outputs.size(); ++i) {
    EXPECT_EQ(run.outputs[i].sizes(), each.outputs[i].sizes);
    EXPECT_EQ(difference(run.outputs[i], each.outputs[i]), "") << i;
  }
  check_buffers(each, run.module);
  ASSERT_EQ(run.gradients.size(), each.gradients.size());
  for (size_t i = 0; i < run.gradients.size(); ++i) {
    const auto &[name, gradient] = run.gradients[i];
    EXPECT_EQ(name, each.gradients[i].first);
    EXPECT_EQ(difference(gradient, each.gradients[i].second), "") << name;
  }
}

void check_same(const Run &run, const Run &on_cpu) {
  for (size_t i = 0; i < run.outputs.size(); ++i)
    EXPECT_EQ(difference(run.outputs[i], numbers_of(on_cpu.outputs[i])), "")
        << i;
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
  std::vector<Subject> modules = modules_of(family);
  std::vector<Run> runs;
  ASSERT_EQ(cases.size(), modules.size()) << family;
  for (size_t i = 0; i < cases.size(); ++i) {
    ASSERT_EQ(cases[i].name, modules[i].name);
    runs.emplace_back(cases[i], modules[i], device);
  }
  if (device.type == kXLA)
    xlac::sync();
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(family + ": " + cases[i].name);
    check_outside(cases[i], runs[i].module);
    check_values(cases[i], runs[i]);
    if (device.type == kXLA)
      check_same(runs[i], Run(cases[i], modules[i], Device(kCPU)));
  }
}

} // namespace xlac::module_cases
