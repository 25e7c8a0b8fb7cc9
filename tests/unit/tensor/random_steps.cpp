// The calls of random programs and their operands.
#include "random_program.h"

#include <algorithm>

namespace xlac::random_programs {

using dispatch::Argument;

namespace {

/// Picks operands for one step.
struct Picker {
  Dice &dice;
  const Pool &pool;

  /// Picks a tensor for which `fits` holds, if there is one.
  template <class Fits> std::optional<Ref> pick(Fits fits) {
    std::vector<int> ids;
    for (const auto &[id, tensor] : pool)
      if (fits(tensor))
        ids.push_back(id);
    if (ids.empty())
      return {};
    return Ref{ids[dice.below(ids.size())]};
  }
  std::optional<Ref> any() {
    return pick([](const Tensor &) { return true; });
  }
  const Tensor &at(Ref ref) const { return pool.at(ref.id); }

  int64_t dim_of(const Tensor &tensor) {
    int64_t rank = std::max<int64_t>(tensor.dim(), 1);
    return dice.between(-rank, rank - 1);
  }
};

using Operands = std::optional<std::vector<Operand>>;

Operand whole(int64_t value) { return Argument(value); }

bool has_dims(const Tensor &tensor) { return tensor.dim() > 0; }

//===- Recipes ------------------------------------------------------------===//

Operands one(Picker &p) {
  auto x = p.any();
  return x ? Operands({*x}) : Operands();
}

Operands one_floating(Picker &p) {
  auto x = p.pick([](const Tensor &t) { return t.is_floating_point(); });
  return x ? Operands({*x}) : Operands();
}

/// Two tensors whose shapes broadcast, often equal ones.
Operands two(Picker &p) {
  auto x = p.any();
  if (!x)
    return {};
  Shape sizes = p.at(*x).sizes();
  auto fits = [&](const Tensor &t) {
    Shape other = t.sizes();
    for (size_t i = 0; i < std::min(sizes.size(), other.size()); ++i) {
      int64_t a = sizes[sizes.size() - 1 - i], b = other[other.size() - 1 - i];
      if (a != b && a != 1 && b != 1)
        return false;
    }
    return true;
  };
  return Operands({*x, *p.pick(fits)});
}

Operands with_number(Picker &p) {
  auto x = p.any();
  return x ? Operands({*x, whole(p.dice.between(-3, 3))}) : Operands();
}

Operands with_dim(Picker &p) {
  auto x = p.pick(has_dims);
  return x ? Operands({*x, whole(p.dim_of(p.at(*x)))}) : Operands();
}

Operands with_two_dims(Picker &p) {
  auto x = p.pick(has_dims);
  if (!x)
    return {};
  return Operands({*x, whole(p.dim_of(p.at(*x))), whole(p.dim_of(p.at(*x)))});
}

/// A tensor and a list of one dim.
Operands with_dims(Picker &p) {
  auto x = p.pick(has_dims);
  if (!x)
    return {};
  std::vector<int64_t> dims{p.dim_of(p.at(*x))};
  return Operands({*x, Argument(dims), Argument(p.dice.chance(2))});
}

Operands with_order(Picker &p) {
  auto x = p.any();
  if (!x)
    return {};
  std::vector<int64_t> order(static_cast<size_t>(p.at(*x).dim()));
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int64_t>(i);
  std::shuffle(order.begin(), order.end(), p.dice.engine);
  return Operands({*x, Argument(order)});
}

/// A tensor and sizes with the same number of elements: two adjacent dims
/// merged, or a 1 inserted.
Operands with_sizes(Picker &p) {
  auto x = p.any();
  if (!x)
    return {};
  Shape sizes = p.at(*x).sizes();
  if (sizes.size() > 1 && p.dice.chance(2)) {
    size_t at = p.dice.below(sizes.size() - 1);
    sizes[at] *= sizes[at + 1];
    sizes.erase(sizes.begin() + static_cast<long>(at) + 1);
  } else {
    sizes.insert(
        sizes.begin() + static_cast<long>(p.dice.below(sizes.size() + 1)), 1);
  }
  return Operands({*x, Argument(sizes)});
}

Operands with_expanded_sizes(Picker &p) {
  auto x = p.pick([](const Tensor &t) { return t.numel() < 32; });
  if (!x)
    return {};
  Shape sizes = p.at(*x).sizes();
  for (int64_t &size : sizes)
    if (size == 1)
      size = p.dice.between(1, 3);
  if (sizes.size() < 4 && p.dice.chance(2))
    sizes.insert(sizes.begin(), p.dice.between(1, 3));
  return Operands({*x, Argument(sizes)});
}

Operands with_place(Picker &p) {
  auto x = p.pick([](const Tensor &t) { return t.dim() > 0 && t.numel() > 0; });
  if (!x)
    return {};
  int64_t dim = p.dim_of(p.at(*x)), size = p.at(*x).size(dim);
  return Operands({*x, whole(dim), whole(p.dice.between(-size, size - 1))});
}

Operands with_range(Picker &p) {
  auto x = p.pick(has_dims);
  if (!x)
    return {};
  int64_t dim = p.dim_of(p.at(*x)), size = p.at(*x).size(dim);
  int64_t start = p.dice.between(0, size);
  return Operands(
      {*x, whole(dim), whole(start), whole(p.dice.between(0, size - start))});
}

Operands with_slice(Picker &p) {
  auto x = p.pick(has_dims);
  if (!x)
    return {};
  int64_t dim = p.dim_of(p.at(*x)), size = p.at(*x).size(dim);
  return Operands({*x, whole(dim), whole(p.dice.between(-size, size)),
                   whole(p.dice.between(-size, size + 1)),
                   whole(p.dice.between(1, 3))});
}

Operands several(Picker &p) {
  auto x = p.pick(has_dims);
  if (!x)
    return {};
  Shape sizes = p.at(*x).sizes();
  std::vector<Ref> list{*x};
  while (list.size() < 3 && !p.dice.chance(3))
    list.push_back(
        *p.pick([&](const Tensor &t) { return t.sizes() == sizes; }));
  return Operands({list, whole(p.dim_of(p.at(*x)))});
}

Operands matrices(Picker &p) {
  auto x = p.pick([](const Tensor &t) {
    return t.dim() >= 1 && t.dim() <= 3 && t.dtype() != kBool;
  });
  if (!x)
    return {};
  const Tensor &left = p.at(*x);
  auto y = p.pick([&](const Tensor &t) {
    return t.dtype() == left.dtype() && t.dim() >= 1 && t.dim() <= 2 &&
           t.size(0) == left.size(-1);
  });
  return y ? Operands({*x, *y}) : Operands();
}

Operands choice(Picker &p) {
  auto condition = p.pick([](const Tensor &t) { return t.dtype() == kBool; });
  if (!condition)
    return {};
  auto same = [&](const Tensor &t) {
    return t.sizes() == p.at(*condition).sizes();
  };
  return Operands({*condition, *p.pick(same), *p.pick(same)});
}

/// The tensor to write to, and values that broadcast to its shape.
Operands written_and_source(Picker &p) {
  auto x = p.any();
  if (!x)
    return {};
  Shape sizes = p.at(*x).sizes();
  auto fits = [&](const Tensor &t) {
    return t.sizes() == sizes || t.numel() == 1;
  };
  return Operands({*x, *p.pick(fits)});
}

struct Recipe {
  const char *name;
  Action action;
  Operands (*operands)(Picker &);
  size_t weight = 1;
  bool exact = true, smooth = true;
};

constexpr Action kCall = Action::Call, kInPlace = Action::InPlace;

/// Functions that alias on one device and copy on the other, such as reshape,
/// are not listed: later writes would have different effects.
constexpr Recipe kRecipes[] = {
    {"add", kCall, two, 3},
    {"sub", kCall, two, 2},
    {"mul", kCall, two, 2},
    {"maximum", kCall, two, 1, true, false},
    {"minimum", kCall, two, 1, true, false},
    {"eq", kCall, two, 1, true, false},
    {"lt", kCall, two, 1, true, false},
    {"ge", kCall, two, 1, true, false},
    {"where", kCall, choice, 2, true, false},
    {"add", kCall, with_number},
    {"mul", kCall, with_number},
    {"gt", kCall, with_number, 1, true, false},
    {"neg", kCall, one},
    {"abs", kCall, one, 1, true, false},
    {"relu", kCall, one, 1, true, false},
    {"sin", kCall, one_floating, 2, false},
    {"cos", kCall, one_floating, 1, false},
    {"tanh", kCall, one_floating, 2, false},
    {"sigmoid", kCall, one_floating, 1, false},
    {"clone", kCall, one},
    {"sum", kCall, with_dims, 2},
    {"mean", kCall, with_dims, 2, false},
    {"amax", kCall, with_dims, 1, true, false},
    {"argmax", kCall, with_dim, 1, true, false},
    {"cumsum", kCall, with_dim},
    {"softmax", kCall, with_dim, 1, false},
    {"matmul", kCall, matrices, 2},
    {"cat", kCall, several, 2},
    {"stack", kCall, several},
    {"flip", kCall, with_dims},
    {"tril", kCall, one},
    {"view", kCall, with_sizes, 3},
    {"transpose", kCall, with_two_dims, 3},
    {"permute", kCall, with_order, 2},
    {"expand", kCall, with_expanded_sizes},
    {"squeeze", kCall, with_dim},
    {"unsqueeze", kCall, with_dim},
    {"select", kCall, with_place, 3},
    {"narrow", kCall, with_range, 2},
    {"slice", kCall, with_slice, 3},
    {"diagonal", kCall, one},
    {"unbind", kCall, with_dim},
    {"chunk", kCall, with_number},
    {"detach", kCall, one},
    {"add", kInPlace, written_and_source, 4},
    {"sub", kInPlace, written_and_source, 2},
    {"mul", kInPlace, written_and_source, 2},
    {"mul", kInPlace, with_number},
    {"neg", kInPlace, one},
    {"relu", kInPlace, one, 1, true, false},
    {"sin", kInPlace, one_floating, 1, false},
    {"copy_", kCall, written_and_source, 4},
    {"fill_", kCall, with_number, 2},
    {"zero_", kCall, one},
};

/// Returns recipes of functions that are in the table, each repeated by its
/// weight.
std::vector<const Recipe *> recipes_for(Kind kind) {
  std::set<std::string> known;
  for (const dispatch::Entry &entry : dispatch::table())
    known.insert(entry.name);
  std::vector<const Recipe *> list;
  for (const Recipe &recipe : kRecipes)
    if (known.contains(recipe.name) &&
        (kind == Kind::Exact ? recipe.exact : recipe.smooth))
      list.insert(list.end(), recipe.weight, &recipe);
  return list;
}

} // namespace

std::optional<Step> random_step(Dice &dice, Kind kind, const Pool &pool) {
  static const std::vector<const Recipe *> lists[] = {
      recipes_for(Kind::Exact), recipes_for(Kind::Smooth)};
  Picker picker{dice, pool};
  if (dice.chance(40))
    return Step{Action::Sync, "", {}, {}};
  if (pool.size() > 12 || dice.chance(40)) {
    auto x = picker.any();
    Action action = pool.size() > 12 ? Action::Drop : Action::Read;
    return x ? std::optional(Step{action, "", {*x}, {}}) : std::nullopt;
  }
  const auto &list = lists[static_cast<size_t>(kind)];
  const Recipe &recipe = *list[dice.below(list.size())];
  auto operands = recipe.operands(picker);
  if (!operands)
    return {};
  return Step{recipe.action, recipe.name, std::move(*operands), {}};
}

} // namespace xlac::random_programs
