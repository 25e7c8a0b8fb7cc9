#include "KernelTemplates.h"

#include "xlac/support/byte_stream.h"

#include <algorithm>
#include <cassert>

namespace xlac::compiler {

using codegen::KernelForm;
using codegen::KernelNumbers;
using codegen::KernelParameters;

/// Limit on the templates of one form. The oldest are dropped.
static constexpr size_t kMostTemplates = 16;
static constexpr char kMagic[] = {'x', 'l', 'k', 't', '0', '0', '0', '3'};

static bool sameShape(const KernelNumbers &left, const KernelNumbers &right) {
  return left.constants.size() == right.constants.size() &&
         left.claims.size() == right.claims.size();
}

std::optional<std::vector<int64_t>>
KernelTemplate::extentsFor(const KernelNumbers &other) const {
  if (!sameShape(numbers, other))
    return std::nullopt;
  std::vector<int64_t> extents(parameters.count);
  std::vector<bool> isSet(parameters.count);
  for (size_t i = 0; i < other.constants.size(); ++i) {
    auto value = static_cast<int64_t>(other.constants[i]);
    int32_t parameter = parameters.parameter[i];
    if (parameter == KernelParameters::kFixed) {
      if (other.constants[i] != numbers.constants[i])
        return std::nullopt;
    } else if (!isSet[parameter]) {
      extents[parameter] = value;
      isSet[parameter] = true;
    } else if (extents[parameter] != value) {
      return std::nullopt;
    }
  }
  for (size_t i = 0; i < other.claims.size(); ++i)
    if (codegen::commonClaims(numbers.claims[i], other.claims[i]) !=
        numbers.claims[i])
      return std::nullopt;
  return extents;
}

std::optional<KernelTemplates::Use>
KernelTemplates::find(const KernelForm &form) const {
  auto found = known.find(form.key);
  if (found == known.end())
    return std::nullopt;
  const KernelTemplate *best = nullptr;
  std::vector<int64_t> extents;
  for (const KernelTemplate &each : found->second)
    if (auto values = each.extentsFor(form.numbers);
        values && (!best || each.parameters.count < best->parameters.count)) {
      best = &each;
      extents = std::move(*values);
    }
  if (!best)
    return std::nullopt;
  return Use{*best, std::move(extents)};
}

/// Returns the template that serves what `old` serves and `form`. Sizes that
/// have equal values in both share a parameter. Each decision has its own,
/// because decisions are often equal by coincidence.
static KernelTemplate joined(const KernelTemplate &old,
                             const KernelForm &form) {
  const KernelNumbers &numbers = form.numbers;
  KernelTemplate result{numbers, {}, {}, {}};
  std::map<std::pair<int64_t, std::pair<uint64_t, uint64_t>>, int32_t> made;
  for (size_t i = 0; i < numbers.constants.size(); ++i) {
    int32_t parameter = old.parameters.parameter[i];
    bool isFixed = parameter == KernelParameters::kFixed;
    uint64_t now = numbers.constants[i], before = old.numbers.constants[i];
    bool isDecision = std::binary_search(form.decisions.begin(),
                                         form.decisions.end(), uint32_t(i));
    if (isFixed && before == now && !isDecision) {
      result.parameters.parameter.push_back(KernelParameters::kFixed);
      continue;
    }
    int32_t next = result.parameters.count;
    if (!isDecision)
      next = made.try_emplace({parameter, {isFixed ? before : 0, now}}, next)
                 .first->second;
    result.parameters.count = std::max(result.parameters.count, next + 1);
    result.parameters.parameter.push_back(next);
  }
  for (size_t i = 0; i < numbers.claims.size(); ++i)
    result.numbers.claims[i] =
        codegen::commonClaims(numbers.claims[i], old.numbers.claims[i]);
  return result;
}

/// Returns the template that has all numbers in the code.
static KernelTemplate fixed(const KernelNumbers &numbers) {
  KernelTemplate result{numbers, {}, {}, {}};
  result.parameters.parameter.assign(numbers.constants.size(),
                                     KernelParameters::kFixed);
  return result;
}

/// Returns the template of `list` whose numbers differ least, or null.
static const KernelTemplate *
mostSimilar(const std::vector<KernelTemplate> &list,
            const KernelNumbers &numbers) {
  const KernelTemplate *best = nullptr;
  size_t least = SIZE_MAX;
  for (const KernelTemplate &each : list) {
    if (!sameShape(each.numbers, numbers))
      continue;
    size_t differences = 0;
    for (size_t i = 0; i < numbers.constants.size(); ++i)
      differences += each.numbers.constants[i] != numbers.constants[i];
    if (differences < least) {
      least = differences;
      best = &each;
    }
  }
  return best;
}

KernelTemplates::Use
KernelTemplates::generalize(const KernelForm &form,
                            std::span<const KernelForm> variants) const {
  const KernelNumbers &numbers = form.numbers;
  std::optional<KernelTemplate> all;
  if (auto found = known.find(form.key); found != known.end())
    if (const KernelTemplate *similar = mostSimilar(found->second, numbers))
      all = *similar;
  for (const KernelForm &variant : variants)
    if (variant.key == form.key && sameShape(variant.numbers, numbers))
      all = all ? joined(*all, variant) : fixed(variant.numbers);
  KernelTemplate best = all ? joined(*all, form) : fixed(numbers);
  auto extents = best.extentsFor(numbers);
  assert(extents && "a template serves the kernel that it is made for");
  return {std::move(best), std::move(*extents)};
}

bool KernelTemplates::hasAnySizeCode() const {
  for (const auto &[form, list] : known)
    for (const KernelTemplate &each : list)
      if (each.parameters.count > 0)
        return true;
  return false;
}

void KernelTemplates::add(const std::string &form, KernelTemplate each) {
  std::lock_guard lock(mutex);
  added.emplace_back(form, std::move(each));
}

bool KernelTemplates::hasChanged() const {
  std::lock_guard lock(mutex);
  return !added.empty() || textCount() > knownTexts;
}

size_t KernelTemplates::textCount() const {
  size_t count = 0;
  for (const auto &[key, list] : texts)
    count += list.size();
  return count;
}

KernelTemplates::KernelTemplates(KernelTemplates &&other) noexcept
    : texts(std::move(other.texts)), variants(std::move(other.variants)),
      known(std::move(other.known)), knownTexts(other.knownTexts),
      added(std::move(other.added)) {}

//===- Storage ------------------------------------------------------------===//

std::vector<std::byte> KernelTemplates::write() const {
  std::lock_guard lock(mutex);
  Templates all = known;
  for (const auto &[form, each] : added) {
    std::vector<KernelTemplate> &list = all[form];
    // Those that the new one replaces.
    std::erase_if(list, [&](const KernelTemplate &old) {
      return old.parameters.count <= each.parameters.count &&
             each.extentsFor(old.numbers);
    });
    list.push_back(each);
    if (list.size() > kMostTemplates)
      list.erase(list.begin());
  }
  ByteWriter out;
  out.magic(kMagic);
  out.u64(all.size());
  for (const auto &[form, list] : all) {
    out.text(form);
    out.u64(list.size());
    for (const KernelTemplate &each : list) {
      out.list(each.numbers.constants);
      out.list(each.numbers.claims);
      out.list(each.parameters.parameter);
      out.u32(each.parameters.count);
      out.text(each.code);
      out.text(each.symbol);
    }
  }
  out.u64(texts.size());
  for (const auto &[key, list] : texts) {
    out.text(key);
    out.u64(list.size());
    for (const std::string &text : list)
      out.text(text);
  }
  return out.take();
}

/// Returns false unless every parameter of the template exists.
static bool isConsistent(const KernelTemplate &each) {
  const KernelParameters &parameters = each.parameters;
  return parameters.parameter.size() == each.numbers.constants.size() &&
         parameters.count >= 0 &&
         size_t(parameters.count) <= parameters.parameter.size() &&
         std::all_of(parameters.parameter.begin(), parameters.parameter.end(),
                     [&](int32_t parameter) {
                       return parameter >= KernelParameters::kFixed &&
                              parameter < parameters.count;
                     });
}

KernelTemplates KernelTemplates::read(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  KernelTemplates result;
  if (!in.magic(kMagic))
    return result;
  for (size_t forms = in.count(16); forms > 0 && in.good(); --forms) {
    std::string form;
    in.text(form);
    std::vector<KernelTemplate> list(in.count(44));
    for (KernelTemplate &each : list) {
      in.list(each.numbers.constants);
      in.list(each.numbers.claims);
      in.list(each.parameters.parameter);
      each.parameters.count = static_cast<int32_t>(in.u32());
      in.text(each.code);
      in.text(each.symbol);
      if (!isConsistent(each))
        in.reject();
    }
    result.known.emplace(std::move(form), std::move(list));
  }
  for (size_t texts = in.count(16); texts > 0 && in.good(); --texts) {
    std::string key;
    in.text(key);
    std::vector<std::string> &list = result.texts[key];
    list.resize(in.count(8));
    for (std::string &text : list)
      in.text(text);
  }
  result.knownTexts = result.textCount();
  return in.finished() ? std::move(result) : KernelTemplates();
}

} // namespace xlac::compiler
