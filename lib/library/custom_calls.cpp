#include "xlac/library/custom_calls.h"

#include "xlac/library/call_targets.h"
#include "xlac/support/fork.h"

#include "lapack_calls.h"

#include <atomic>
#include <map>
#include <mutex>

namespace xlac::library {

namespace {

using Handle = std::shared_ptr<const CustomCallFunction>;

/// "shape_assertion": the first operand must be true. Numbers in braces in the
/// message are replaced by operands: {0} is the operand after the condition.
void assert_shape(const CustomCall &call) {
  if (*call.operands[0].as<bool>())
    return;
  std::string text = call.attribute<std::string>("error_message");
  for (size_t i = 1; i < call.operands.size(); ++i) {
    const CustomCallTensor &operand = call.operands[i];
    std::string name = "{" + std::to_string(i - 1) + "}";
    std::string value =
        operand.element_type == "i32"   ? std::to_string(*operand.as<int32_t>())
        : operand.element_type == "i64" ? std::to_string(*operand.as<int64_t>())
                                        : "?";
    for (size_t at; (at = text.find(name)) != std::string::npos;)
      text.replace(at, name.size(), value);
  }
  throw std::runtime_error(text);
}

/// "xlac.require": returns its operand, which must be true. Otherwise the run
/// fails with the configuration's text.
void require(const CustomCall &call) {
  if (!*call.operands[0].as<bool>())
    throw std::runtime_error(call.attribute<std::string>(""));
  *call.results[0].as<bool>() = true;
}

/// "dce_sink": keeps its operands from being left out, and does nothing.
void keep_operands(const CustomCall &) {}

struct Registry {
  ForkMutex mutex;
  std::map<std::string, Handle, std::less<>> own; ///< registered by the user
  CustomCallTable built_in;
  std::atomic<void (*)(const char *)> resolver{nullptr};

  Registry() {
    add_lapack_factorizations(built_in);
    add_lapack_reflections(built_in);
    add_lapack_spectra(built_in);
    add_lapack_singular_values(built_in);
    add_sparse_products(built_in);
    add_call(built_in, "shape_assertion",
             CallSignature::without_batches("i1[], any[]... ->"), assert_shape);
    add_call(built_in, "dce_sink",
             CallSignature::without_batches("any[...]... ->"), keep_operands);
    add_call(built_in, kRequireTarget,
             CallSignature::without_batches("i1[] -> i1[]"), require);
  }
};

Registry &registry() {
  // Never destroyed: programs may still run while the process ends.
  static Registry *one = new Registry();
  return *one;
}

} // namespace

Status add_custom_call(const std::string &target, CustomCallFunction function) {
  if (target.empty())
    return failure(FailureKind::User, "a custom call needs a name");
  if (!function)
    return failure(FailureKind::User,
                   "the custom call '" + target + "' needs a function");
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  auto [place, added] = all.own.emplace(
      target, std::make_shared<const CustomCallFunction>(std::move(function)));
  if (!added)
    return failure(FailureKind::User, "the custom call '" + target +
                                          "' has been registered before");
  return {};
}

void set_custom_call_resolver(void (*resolve)(const char *target)) {
  registry().resolver = resolve;
}

/// The call, or null if the function is the user's or unknown. The caller holds
/// the registry's mutex.
static std::shared_ptr<const BuiltInCall>
find_built_in(const Registry &all, std::string_view target) {
  auto built_in = all.built_in.find(target);
  bool is_used = built_in != all.built_in.end() && !all.own.contains(target);
  return is_used ? built_in->second : nullptr;
}

/// `built_in_function` is the member to take of a built-in call.
static Handle find_known(const std::string &target,
                         CustomCallFunction BuiltInCall::*built_in_function) {
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  if (auto own = all.own.find(target); own != all.own.end())
    return own->second;
  auto built_in = find_built_in(all, target);
  return built_in ? Handle(built_in, &((*built_in).*built_in_function))
                  : nullptr;
}

static Handle find_function(const std::string &target,
                            CustomCallFunction BuiltInCall::*member) {
  Handle known = find_known(target, member);
  auto resolve = known ? nullptr : registry().resolver.load();
  if (!resolve)
    return known;
  resolve(target.c_str());
  return find_known(target, member);
}

Handle find_custom_call(const std::string &target) {
  return find_function(target, &BuiltInCall::checked);
}

Handle find_unchecked_call(const std::string &target) {
  return find_function(target, &BuiltInCall::function);
}

std::vector<DeclaredCall> declared_calls() {
  std::vector<DeclaredCall> calls;
  for (const auto &[target, built_in] : registry().built_in)
    for (const CallSignature::Form &form : built_in->signature.forms()) {
      calls.push_back(form);
      calls.back().target = target;
    }
  return calls;
}

bool is_built_in_call(const std::string &target) {
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  return find_built_in(all, target) != nullptr;
}

Status check_custom_call(const CustomCall &call) {
  Registry &all = registry();
  std::lock_guard lock(all.mutex);
  auto built_in = find_built_in(all, call.target);
  if (!built_in)
    return {};
  try {
    built_in->signature.check(call);
    return {};
  } catch (const std::invalid_argument &problem) {
    return failure(FailureKind::User, problem.what());
  }
}

} // namespace xlac::library
