// Tensors in nested data: batches, state dicts, saved values, and values that
// replicas exchange. Tree<T> defines how to visit the tensors of a T and how to
// convert a T to a Value.
#pragma once

#include "xlac/tensor.h"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>

namespace xlac {

/// Nested data: nothing, bool, integer, real, string, bytes, tensor, list,
/// tuple, set or dict. Values are immutable; copies share their contents.
class XLAC_API Value {
public:
  /// A list of Python.
  using List = std::vector<Value>;
  /// A tuple of Python.
  struct Tuple {
    /// The elements, in order.
    std::vector<Value> items;
  };
  /// A set of Python.
  struct Set {
    /// The elements, in order.
    std::vector<Value> items;
  };
  /// Keeps insertion order.
  using Dict = std::vector<std::pair<Value, Value>>;

  Value() = default;
  /// A value of that type.
  Value(None_t) {}
  /// A value of that type.
  Value(bool value);
  /// A value of that type.
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Value(T value) : Value(Integer{checked_integer(value)}) {}
  /// A value of that type.
  Value(double value);
  /// A value of that type.
  Value(std::string value);
  /// A value of that type.
  Value(const char *value);
  /// A value of that type.
  Value(Bytes value);
  /// A value of that type.
  Value(Tensor value);
  /// A value of that type.
  Value(List value);
  /// A value of that type.
  Value(Tuple value);
  /// A value of that type.
  Value(Set value);
  /// A value of that type.
  Value(Dict value);

  /// Whether the value is of this kind. All integer types are one kind, all
  /// floating-point types another; None_t means nothing.
  template <class T> bool is() const;
  /// TypeError if the value is of another kind, ValueError if a T cannot
  /// represent the integer.
  template <class T> T to() const;
  /// Pointer to the contents if they have the type Held, else null. Held is one
  /// of bool, int64_t, double, std::string, Bytes, Tensor, List, Tuple, Set and
  /// Dict.
  template <class Held> const Held *get_if() const;
  /// The value for a string key of a dict; KeyError if it is missing.
  const Value &at(std::string_view key) const;
  /// An item of a list, tuple or set; IndexError if it is out of range.
  const Value &at(size_t index) const;
  /// All items of a list, tuple or set; TypeError for other kinds.
  const std::vector<Value> &items() const;
  /// Number of items of a list, tuple, set or dict, or of bytes of a string;
  /// TypeError for other kinds.
  size_t size() const;

private:
  /// An integer.
  struct Integer {
    /// The number.
    int64_t value;
  };
  struct Rep;
  explicit Value(Integer value);
  template <class T> static int64_t checked_integer(T value) {
    if (!std::in_range<int64_t>(value))
      throw_out_of_range();
    return static_cast<int64_t>(value);
  }
  [[noreturn]] static void throw_out_of_range();
  [[noreturn]] void throw_other_kind(const char *wanted) const;
  std::string kind() const;
  const std::vector<Value> *find_items() const;
  std::shared_ptr<const Rep> rep_; ///< null: nothing
};

/// As Python prints it: (tensor([1]), 3, 'a').
XLAC_API std::ostream &operator<<(std::ostream &os, const Value &value);

/// Named tensors, in insertion order.
class XLAC_API StateDict {
public:
  /// Inserts an undefined tensor if the name is missing.
  Tensor &operator[](const std::string &name);
  /// KeyError if the name is missing.
  const Tensor &at(const std::string &name) const;
  /// Whether there is an entry of that name.
  bool contains(const std::string &name) const;
  /// The number of entries.
  size_t size() const { return items_.size(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

private:
  std::vector<std::pair<std::string, Tensor>> items_;
  std::unordered_map<std::string, size_t> places_;
};

//===- Value's parts ------------------------------------------------------===//

/// What a Value holds; for this header alone.
struct Value::Rep {
  /// The value.
  std::variant<None_t, bool, int64_t, double, std::string, Bytes, Tensor, List,
               Tuple, Set, Dict>
      held;
};

namespace detail {
/// The type in which a Value stores a T.
template <class T> struct ValueKind {
  using Held = T;
};
template <std::integral T>
  requires(!std::same_as<T, bool>)
struct ValueKind<T> {
  using Held = int64_t;
};
template <std::floating_point T> struct ValueKind<T> {
  using Held = double;
};
template <class Held> constexpr const char *kind_name() {
  if constexpr (std::is_same_v<Held, None_t>)
    return "nothing";
  else if constexpr (std::is_same_v<Held, bool>)
    return "a bool";
  else if constexpr (std::is_same_v<Held, int64_t>)
    return "an integer";
  else if constexpr (std::is_same_v<Held, double>)
    return "a real number";
  else if constexpr (std::is_same_v<Held, std::string>)
    return "a string";
  else if constexpr (std::is_same_v<Held, Bytes>)
    return "bytes";
  else if constexpr (std::is_same_v<Held, Tensor>)
    return "a tensor";
  else if constexpr (std::is_same_v<Held, Value::List>)
    return "a list";
  else if constexpr (std::is_same_v<Held, Value::Tuple>)
    return "a tuple";
  else if constexpr (std::is_same_v<Held, Value::Set>)
    return "a set";
  else {
    static_assert(std::is_same_v<Held, Value::Dict>,
                  "a Value holds no such type");
    return "a dict";
  }
}
} // namespace detail

template <class T> bool Value::is() const {
  using Held = typename detail::ValueKind<T>::Held;
  if (!rep_)
    return std::is_same_v<Held, None_t>;
  return std::holds_alternative<Held>(rep_->held);
}

template <class Held> const Held *Value::get_if() const {
  return rep_ ? std::get_if<Held>(&rep_->held) : nullptr;
}

template <class T> T Value::to() const {
  using Held = typename detail::ValueKind<T>::Held;
  if (!is<T>())
    throw_other_kind(detail::kind_name<Held>());
  if constexpr (std::is_same_v<Held, None_t>) {
    return None;
  } else {
    const Held &held = *get_if<Held>();
    if constexpr (std::is_same_v<Held, int64_t>)
      if (!std::in_range<T>(held))
        throw_out_of_range();
    return static_cast<T>(held);
  }
}

//===- Trees --------------------------------------------------------------===//

/// Customization point: how to visit a T, rebuild it with other tensors,
/// convert it to a Value and back. It is defined for Tensor, Value and its
/// parts, StateDict, numbers, strings, optional, vector, array, pair, tuple and
/// map. For other structs use XLAC_TREE.
template <class T> struct Tree;

namespace detail {
using TensorVisitor = std::function<void(const Tensor &)>;
using TensorMapper = std::function<Tensor(const Tensor &)>;

template <class T>
concept HasTree = requires { sizeof(Tree<T>); };

/// Throws the TypeError for `what` with `got` items instead of `wanted`.
[[noreturn]] XLAC_API void throw_item_count(const char *what, size_t wanted,
                                            size_t got);

/// For types without tensors.
template <class T> struct LeafTree {
  static void visit(const T &, const TensorVisitor &) {}
  static T map(const T &tree, const TensorMapper &) { return tree; }
  static Value to_value(const T &tree) { return Value(tree); }
  static T from_value(const Value &value) { return value.to<T>(); }
};
/// For std::pair and std::tuple.
template <class T> struct TupleTree;
/// For structs whose Tree lists the name and member of each field.
template <class T> struct FieldTree;
} // namespace detail

template <> struct Tree<Tensor> {
  static void visit(const Tensor &tree, const detail::TensorVisitor &visit) {
    visit(tree);
  }
  static Tensor map(const Tensor &tree, const detail::TensorMapper &map) {
    return map(tree);
  }
  static Value to_value(const Tensor &tree) {
    return tree.defined() ? Value(tree) : Value();
  }
  static Tensor from_value(const Value &value) {
    return value.is<None_t>() ? Tensor() : value.to<Tensor>();
  }
};

template <> struct XLAC_API Tree<Value> {
  static void visit(const Value &tree, const detail::TensorVisitor &visit);
  static Value map(const Value &tree, const detail::TensorMapper &map);
  static Value to_value(const Value &tree) { return tree; }
  static Value from_value(const Value &value) { return value; }
};

template <> struct XLAC_API Tree<StateDict> {
  static void visit(const StateDict &tree, const detail::TensorVisitor &visit);
  static StateDict map(const StateDict &tree, const detail::TensorMapper &map);
  static Value to_value(const StateDict &tree);
  static StateDict from_value(const Value &value);
};

namespace detail {
/// For the parts of Value, implemented through Value.
template <class T> struct PartTree {
  static void visit(const T &tree, const TensorVisitor &visit) {
    Tree<Value>::visit(Value(tree), visit);
  }
  static T map(const T &tree, const TensorMapper &map) {
    return Tree<Value>::map(Value(tree), map).template to<T>();
  }
  static Value to_value(const T &tree) { return Value(tree); }
  static T from_value(const Value &value) { return value.to<T>(); }
};
} // namespace detail

template <std::integral T> struct Tree<T> : detail::LeafTree<T> {};
template <std::floating_point T> struct Tree<T> : detail::LeafTree<T> {
  /// Accepts integers too.
  static T from_value(const Value &value) {
    return value.is<int64_t>() ? static_cast<T>(value.to<int64_t>())
                               : value.to<T>();
  }
};
template <> struct Tree<std::string> : detail::LeafTree<std::string> {};
template <> struct Tree<Bytes> : detail::LeafTree<Bytes> {};
template <> struct Tree<Value::Tuple> : detail::PartTree<Value::Tuple> {};
template <> struct Tree<Value::Set> : detail::PartTree<Value::Set> {};
template <> struct Tree<Value::Dict> : detail::PartTree<Value::Dict> {};

template <class T> struct Tree<std::optional<T>> {
  using Type = std::optional<T>;
  static void visit(const Type &tree, const detail::TensorVisitor &visit) {
    if (tree)
      Tree<T>::visit(*tree, visit);
  }
  static Type map(const Type &tree, const detail::TensorMapper &map) {
    return tree ? Type(Tree<T>::map(*tree, map)) : Type();
  }
  static Value to_value(const Type &tree) {
    return tree ? Tree<T>::to_value(*tree) : Value();
  }
  static Type from_value(const Value &value) {
    return value.is<None_t>() ? Type() : Type(Tree<T>::from_value(value));
  }
};

template <class T> struct Tree<std::vector<T>> {
  using Type = std::vector<T>;
  static void visit(const Type &tree, const detail::TensorVisitor &visit) {
    for (const T &item : tree)
      Tree<T>::visit(item, visit);
  }
  static Type map(const Type &tree, const detail::TensorMapper &map) {
    Type result;
    result.reserve(tree.size());
    for (const T &item : tree)
      result.push_back(Tree<T>::map(item, map));
    return result;
  }
  static Value to_value(const Type &tree) {
    Value::List items;
    items.reserve(tree.size());
    for (const T &item : tree)
      items.push_back(Tree<T>::to_value(item));
    return items;
  }
  static Type from_value(const Value &value) {
    Type result;
    for (const Value &item : value.items())
      result.push_back(Tree<T>::from_value(item));
    return result;
  }
};

template <class T, size_t N> struct Tree<std::array<T, N>> {
  using Type = std::array<T, N>;
  static void visit(const Type &tree, const detail::TensorVisitor &visit) {
    for (const T &item : tree)
      Tree<T>::visit(item, visit);
  }
  static Type map(Type tree, const detail::TensorMapper &map) {
    for (T &item : tree)
      item = Tree<T>::map(item, map);
    return tree;
  }
  static Value to_value(const Type &tree) {
    return Tree<std::vector<T>>::to_value({tree.begin(), tree.end()});
  }
  static Type from_value(const Value &value) {
    const std::vector<Value> &items = value.items();
    if (items.size() != N)
      detail::throw_item_count("array", N, items.size());
    Type result;
    for (size_t i = 0; i < N; ++i)
      result[i] = Tree<T>::from_value(items[i]);
    return result;
  }
};

template <class... T>
struct Tree<std::tuple<T...>> : detail::TupleTree<std::tuple<T...>> {};
template <class A, class B>
struct Tree<std::pair<A, B>> : detail::TupleTree<std::pair<A, B>> {};

template <class K, class T> struct Tree<std::map<K, T>> {
  using Type = std::map<K, T>;
  static void visit(const Type &tree, const detail::TensorVisitor &visit) {
    for (const auto &[key, item] : tree)
      Tree<T>::visit(item, visit);
  }
  static Type map(Type tree, const detail::TensorMapper &map) {
    for (auto &[key, item] : tree)
      item = Tree<T>::map(item, map);
    return tree;
  }
  static Value to_value(const Type &tree) {
    Value::Dict items;
    for (const auto &[key, item] : tree)
      items.emplace_back(Tree<K>::to_value(key), Tree<T>::to_value(item));
    return items;
  }
  static Type from_value(const Value &value) {
    Type result;
    for (const auto &[key, item] : value.to<Value::Dict>())
      result.emplace(Tree<K>::from_value(key), Tree<T>::from_value(item));
    return result;
  }
};

/// Calls fn(const Tensor &) for each defined tensor; a shared tensor is visited
/// once.
template <class T, class Fn> void for_each_tensor(const T &tree, Fn &&fn) {
  std::map<int64_t, bool> seen;
  Tree<T>::visit(tree, [&](const Tensor &tensor) {
    if (tensor.defined() && seen.emplace(tensor.id(), true).second)
      fn(tensor);
  });
}

/// Returns the same structure with fn(tensor) in place of each tensor. Shared
/// tensors stay shared; undefined tensors stay undefined.
template <class T, class Fn> T map_tensors(const T &tree, Fn &&fn) {
  std::map<int64_t, Tensor> made;
  return Tree<T>::map(tree, [&](const Tensor &tensor) {
    if (!tensor.defined())
      return tensor;
    auto [place, added] = made.try_emplace(tensor.id());
    if (added)
      place->second = fn(tensor);
    return place->second;
  });
}

/// The data as a Value.
template <class T> Value to_value(const T &tree) {
  return Tree<T>::to_value(tree);
}
/// TypeError if the value does not have the structure of a T.
template <class T> T from_value(const Value &value) {
  return Tree<T>::from_value(value);
}

//===- Trees of tuples, parts and structs ---------------------------------===//

namespace detail {

template <class T> struct TupleTree {
  template <size_t I> using Item = std::tuple_element_t<I, T>;
  static constexpr auto places =
      std::make_index_sequence<std::tuple_size_v<T>>();

  static void visit(const T &tree, const TensorVisitor &visit) {
    std::apply(
        [&](const auto &...items) {
          (Tree<std::decay_t<decltype(items)>>::visit(items, visit), ...);
        },
        tree);
  }
  static T map(const T &tree, const TensorMapper &map) {
    return std::apply(
        [&](const auto &...items) {
          return T{Tree<std::decay_t<decltype(items)>>::map(items, map)...};
        },
        tree);
  }
  static Value to_value(const T &tree) {
    return std::apply(
        [&](const auto &...items) {
          return Value::Tuple{
              {Tree<std::decay_t<decltype(items)>>::to_value(items)...}};
        },
        tree);
  }
  static T from_value(const Value &value) {
    const std::vector<Value> &items = value.items();
    if (items.size() != std::tuple_size_v<T>)
      throw_item_count("tuple", std::tuple_size_v<T>, items.size());
    return read(items, places);
  }

private:
  template <size_t... I>
  static T read(const std::vector<Value> &items, std::index_sequence<I...>) {
    return T{Tree<Item<I>>::from_value(items[I])...};
  }
};

template <class T> struct FieldTree {
  static void visit(const T &tree, const TensorVisitor &visit) {
    for_fields([&](const char *, auto member) {
      using Field = std::decay_t<decltype(std::declval<T &>().*member)>;
      if constexpr (HasTree<Field>)
        Tree<Field>::visit(tree.*member, visit);
    });
  }
  static T map(T tree, const TensorMapper &map) {
    for_fields([&](const char *, auto member) {
      using Field = std::decay_t<decltype(std::declval<T &>().*member)>;
      if constexpr (HasTree<Field>)
        tree.*member = Tree<Field>::map(tree.*member, map);
    });
    return tree;
  }
  static Value to_value(const T &tree) {
    Value::Dict fields;
    for_fields([&](const char *name, auto member) {
      using Field = std::decay_t<decltype(std::declval<T &>().*member)>;
      static_assert(HasTree<Field>, "a field of this struct has no Tree");
      fields.emplace_back(name, Tree<Field>::to_value(tree.*member));
    });
    return fields;
  }
  static T from_value(const Value &value) {
    T tree;
    for_fields([&](const char *name, auto member) {
      using Field = std::decay_t<decltype(std::declval<T &>().*member)>;
      static_assert(HasTree<Field>, "a field of this struct has no Tree");
      tree.*member = Tree<Field>::from_value(value.at(std::string_view(name)));
    });
    return tree;
  }

private:
  template <class Fn> static void for_fields(Fn &&fn) {
    std::apply(
        [&](const auto &...field) { (fn(field.first, field.second), ...); },
        Tree<T>::fields());
  }
};

} // namespace detail
} // namespace xlac

// Expands to one pair of name and member for each of up to 64 fields. Each
// XLAC_TREE_ROUND lets the preprocessor expand the rest of the list once more.
#define XLAC_TREE_PARENTHESES ()
#define XLAC_TREE_EXPAND(...)                                                  \
  XLAC_TREE_EXPAND4(XLAC_TREE_EXPAND4(XLAC_TREE_EXPAND4(__VA_ARGS__)))
#define XLAC_TREE_EXPAND4(...)                                                 \
  XLAC_TREE_EXPAND3(XLAC_TREE_EXPAND3(XLAC_TREE_EXPAND3(__VA_ARGS__)))
#define XLAC_TREE_EXPAND3(...)                                                 \
  XLAC_TREE_EXPAND2(XLAC_TREE_EXPAND2(XLAC_TREE_EXPAND2(__VA_ARGS__)))
#define XLAC_TREE_EXPAND2(...)                                                 \
  XLAC_TREE_EXPAND1(XLAC_TREE_EXPAND1(XLAC_TREE_EXPAND1(__VA_ARGS__)))
#define XLAC_TREE_EXPAND1(...) __VA_ARGS__
#define XLAC_TREE_FIELDS(Type, ...)                                            \
  __VA_OPT__(XLAC_TREE_EXPAND(XLAC_TREE_ROUND(Type, __VA_ARGS__)))
#define XLAC_TREE_ROUND(Type, field, ...)                                      \
  std::pair(#field, &Type::field)                                              \
      __VA_OPT__(, XLAC_TREE_AGAIN XLAC_TREE_PARENTHESES(Type, __VA_ARGS__))
#define XLAC_TREE_AGAIN() XLAC_TREE_ROUND

/// Defines Tree for a struct with the listed fields, for for_each_tensor,
/// map_tensors, loaders, save and mesh_reduce. Use it outside any namespace.
/// Fields without tensors stay unchanged.
#define XLAC_TREE(Type, ...)                                                   \
  template <> struct xlac::Tree<Type> : xlac::detail::FieldTree<Type> {        \
    static auto fields() {                                                     \
      return std::tuple(XLAC_TREE_FIELDS(Type, __VA_ARGS__));                  \
    }                                                                          \
  }
