#include "family_visit.h"

#include "kernel_stores.h"

#include "xlac/support/fork.h"
#include "xlac/support/likely_sizes.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/settings.h"

#include <optional>
#include <utility>

namespace xlac {
namespace {

/// The sizes of all arguments that are static tensors.
ArgumentSizes sizes_of(const std::vector<Type> &arguments) {
  ArgumentSizes sizes;
  for (uint32_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].is_tensor() && arguments[i].tensor().is_static())
      sizes.emplace_back(i, arguments[i].tensor().dims);
  return sizes;
}

/// Sizes with which a program that runs with `sizes` is likely to run as well.
/// Only sizes that differ in `first` change, which has the same arguments and
/// ranks. Equal sizes stay equal, since they may have to be.
std::vector<ArgumentSizes> other_sizes(const ArgumentSizes &sizes,
                                       const ArgumentSizes &first) {
  std::vector<ArgumentSizes> all(likely_sizes(1).size(), sizes);
  for (size_t i = 0; i < sizes.size() && i < first.size(); ++i) {
    const std::vector<int64_t> &shape = sizes[i].second,
                               &before = first[i].second;
    for (size_t d = 0; d < shape.size() && d < before.size(); ++d) {
      if (shape[d] == before[d])
        continue;
      std::vector<int64_t> likely = likely_sizes(shape[d]);
      for (size_t choice = 0; choice < likely.size(); ++choice)
        all[choice][i].second[d] = likely[choice];
    }
  }
  return all;
}

/// Compiles code for any size of the family on the background thread. The image
/// is of no use, because the program has been compiled.
void compile_for_any_size(Compilable &program, CompilerOptions compile,
                          cache::Store *store, bool is_awaited) {
  compile.any_size_code = AnySizeCode::Now;
  compile.threads = 1;
  compile.dump_directory.clear();
  std::string family = compile.family;
  BackgroundCompiler::process().add(
      family,
      [parse = program.parse_again(), compile = std::move(compile),
       store](const std::atomic<bool> &is_cancelled) mutable {
        ForkSection section;
        static constinit metrics::NamedMetric times("BackgroundCompileTime",
                                                    metrics::Unit::Nanoseconds);
        metrics::Timer timer(times);
        std::optional<StoredKernels> kernels;
        if (store)
          compile.kernels = &kernels.emplace(*store);
        compile.is_cancelled = &is_cancelled;
        if (auto parsed = parse())
          (void)(*parsed)->compile(compile);
      },
      is_awaited);
}

} // namespace

bool compiles_in_background() {
  static const bool compiles = flag_setting(SettingId::BackgroundCompile, true);
  return compiles;
}

std::vector<ArgumentSizes>
other_sizes_of_unknown(const std::vector<Type> &arguments,
                       const ArgumentSizes &sizes) {
  ArgumentSizes known;
  for (const auto &[argument, shape] : sizes)
    known.emplace_back(argument, argument < arguments.size() &&
                                         arguments[argument].is_tensor()
                                     ? arguments[argument].tensor().dims
                                     : shape);
  return other_sizes(sizes, known);
}

FamilyVisit::FamilyVisit(CompilerOptions &compile, cache::Store *store,
                         bool in_background)
    : store_(store),
      in_background_(in_background && !compile.family.empty() &&
                     !compile.call_partitioner && compiles_in_background()) {
  if (!in_background_)
    return;
  state_ = BackgroundCompiler::process().enter(compile.family);
  if (state_ == BackgroundCompiler::Family::Known)
    compile.any_size_code = AnySizeCode::Later;
  other_sizes_ = std::exchange(compile.other_sizes, {});
}

void FamilyVisit::leave(Compilable &program, CompilerOptions compile,
                        const CompileReport &report) {
  if (!in_background_ || state_ == BackgroundCompiler::Family::Visited)
    return;
  BackgroundCompiler &background = BackgroundCompiler::process();
  ArgumentSizes sizes = compile.argument_sizes.empty()
                            ? sizes_of(program.arguments())
                            : compile.argument_sizes;
  std::vector<ArgumentSizes> others = std::move(other_sizes_);
  if (report.lacks_any_size_code && others.empty())
    others = other_sizes(sizes, background.first_sizes(compile.family));
  background.note(compile.family, std::move(sizes));
  if (!report.lacks_any_size_code &&
      (others.empty() || report.kernels_for_other_sizes > 0))
    return;
  // The next size waits for the general code alone, which two sizes give. What
  // has another form with further sizes comes later.
  if (!report.lacks_any_size_code)
    compile.other_sizes = {others.front()};
  compile_for_any_size(program, compile, store_, /*is_awaited=*/true);
  if (others == compile.other_sizes)
    return;
  compile.other_sizes = std::move(others);
  compile_for_any_size(program, std::move(compile), store_,
                       /*is_awaited=*/false);
}

} // namespace xlac
