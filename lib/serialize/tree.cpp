// Values, their kinds and their trees.
#include "xlac/tree.h"

#include "xlac/support/raise.h"

namespace xlac {

using detail::TensorMapper;
using detail::TensorVisitor;

//===- Value --------------------------------------------------------------===//

#define XLAC_VALUE_OF(Type)                                                    \
  Value::Value(Type value)                                                     \
      : rep_(std::make_shared<const Rep>(Rep{std::move(value)})) {}
XLAC_VALUE_OF(bool)
XLAC_VALUE_OF(double)
XLAC_VALUE_OF(std::string)
XLAC_VALUE_OF(Bytes)
XLAC_VALUE_OF(Tensor)
XLAC_VALUE_OF(List)
XLAC_VALUE_OF(Tuple)
XLAC_VALUE_OF(Set)
XLAC_VALUE_OF(Dict)
#undef XLAC_VALUE_OF

Value::Value(const char *value) : Value(std::string(value)) {}
Value::Value(Integer value)
    : rep_(std::make_shared<const Rep>(Rep{value.value})) {}

void Value::throw_out_of_range() {
  raise<ValueError>("an integer does not fit into its type");
}

std::string Value::kind() const {
  if (!rep_)
    return detail::kind_name<None_t>();
  return std::visit(
      [](const auto &held) -> std::string {
        return detail::kind_name<std::decay_t<decltype(held)>>();
      },
      rep_->held);
}

void Value::throw_other_kind(const char *wanted) const {
  raise<TypeError>("value is " + kind() + ", not " + wanted);
}

const std::vector<Value> *Value::find_items() const {
  if (const List *list = get_if<List>())
    return list;
  if (const Tuple *tuple = get_if<Tuple>())
    return &tuple->items;
  if (const Set *set = get_if<Set>())
    return &set->items;
  return nullptr;
}

const std::vector<Value> &Value::items() const {
  if (const std::vector<Value> *list = find_items())
    return *list;
  throw_other_kind("a list");
}

const Value &Value::at(std::string_view key) const {
  const Dict *dict = get_if<Dict>();
  if (!dict)
    throw_other_kind("a dict");
  for (const auto &[name, item] : *dict)
    if (const auto *text = name.get_if<std::string>(); text && *text == key)
      return item;
  raise<KeyError>("no key '" + std::string(key) + "'");
}

const Value &Value::at(size_t index) const {
  const std::vector<Value> &list = items();
  if (index >= list.size())
    raise<IndexError>("index " + std::to_string(index) +
                      " is out of range for " + std::to_string(list.size()) +
                      " items");
  return list[index];
}

size_t Value::size() const {
  if (const std::vector<Value> *list = find_items())
    return list->size();
  if (const Dict *dict = get_if<Dict>())
    return dict->size();
  if (const auto *text = get_if<std::string>())
    return text->size();
  if (const Bytes *bytes = get_if<Bytes>())
    return bytes->size();
  throw_other_kind("a list");
}

//===- StateDict ----------------------------------------------------------===//

Tensor &StateDict::operator[](const std::string &name) {
  auto [place, added] = places_.try_emplace(name, items_.size());
  if (added)
    items_.emplace_back(name, Tensor());
  return items_[place->second].second;
}

const Tensor &StateDict::at(const std::string &name) const {
  auto place = places_.find(name);
  if (place == places_.end())
    raise<KeyError>("no key '" + name + "'");
  return items_[place->second].second;
}

bool StateDict::contains(const std::string &name) const {
  return places_.contains(name);
}

//===- Trees --------------------------------------------------------------===//

static bool is_sequence(const Value &value) {
  return value.is<Value::List>() || value.is<Value::Tuple>() ||
         value.is<Value::Set>();
}

namespace detail {

void throw_item_count(const char *what, size_t wanted, size_t got) {
  raise<TypeError>("value has " + std::to_string(got) + " items, the " + what +
                   " " + std::to_string(wanted));
}

} // namespace detail

void Tree<Value>::visit(const Value &tree, const TensorVisitor &visit_tensor) {
  if (const Tensor *tensor = tree.get_if<Tensor>())
    visit_tensor(*tensor);
  else if (const Value::Dict *dict = tree.get_if<Value::Dict>())
    for (const auto &[key, item] : *dict)
      visit(item, visit_tensor);
  else if (is_sequence(tree))
    for (const Value &item : tree.items())
      visit(item, visit_tensor);
}

Value Tree<Value>::map(const Value &tree, const TensorMapper &map_tensor) {
  if (const Tensor *tensor = tree.get_if<Tensor>())
    return map_tensor(*tensor);
  if (const Value::Dict *dict = tree.get_if<Value::Dict>()) {
    Value::Dict mapped;
    for (const auto &[key, item] : *dict)
      mapped.emplace_back(key, map(item, map_tensor));
    return mapped;
  }
  if (!is_sequence(tree))
    return tree;
  Value::List mapped;
  for (const Value &item : tree.items())
    mapped.push_back(map(item, map_tensor));
  if (tree.is<Value::Tuple>())
    return Value::Tuple{std::move(mapped)};
  if (tree.is<Value::Set>())
    return Value::Set{std::move(mapped)};
  return mapped;
}

void Tree<StateDict>::visit(const StateDict &tree,
                            const TensorVisitor &visit_tensor) {
  for (const auto &[name, tensor] : tree)
    visit_tensor(tensor);
}

StateDict Tree<StateDict>::map(const StateDict &tree,
                               const TensorMapper &map_tensor) {
  StateDict mapped;
  for (const auto &[name, tensor] : tree)
    mapped[name] = map_tensor(tensor);
  return mapped;
}

Value Tree<StateDict>::to_value(const StateDict &tree) {
  Value::Dict items;
  for (const auto &[name, tensor] : tree)
    items.emplace_back(name, Tree<Tensor>::to_value(tensor));
  return items;
}

StateDict Tree<StateDict>::from_value(const Value &value) {
  StateDict tree;
  for (const auto &[name, tensor] : value.to<Value::Dict>())
    tree[name.to<std::string>()] = Tree<Tensor>::from_value(tensor);
  return tree;
}

} // namespace xlac
