// Values, state dicts and the trees of C++ types.
#include "xlac/tree.h"

#include "xlac/ops.h"

#include <gtest/gtest.h>

#include <sstream>

namespace {
struct Lengths {
  std::vector<int64_t> counts;
  const char *unit = "words"; // has no Tree
};
struct Batch {
  xlac::Tensor images, labels;
  Lengths lengths;
  double scale = 1;
};
struct Point {
  xlac::Tensor place;
  int64_t weight = 0;
};
} // namespace
XLAC_TREE(Batch, images, labels, lengths, scale);
XLAC_TREE(Point, place, weight);

namespace xlac {
namespace {

std::string text_of(const Value &value) {
  std::ostringstream os;
  os << value;
  return os.str();
}

TEST(Value, KnowsItsKind) {
  EXPECT_TRUE(Value().is<None_t>());
  EXPECT_TRUE(Value(true).is<bool>());
  EXPECT_TRUE(Value(3).is<int64_t>());
  EXPECT_TRUE(Value(uint8_t{3}).is<int>());
  EXPECT_FALSE(Value(3).is<bool>());
  EXPECT_TRUE(Value(2.5f).is<double>());
  EXPECT_TRUE(Value("a").is<std::string>());
  EXPECT_EQ(Value(3).to<int>(), 3);
  EXPECT_THROW(Value(300).to<uint8_t>(), ValueError);
  EXPECT_THROW(Value(3).to<double>(), TypeError);
  EXPECT_THROW(Value("3").to<int>(), TypeError);
  EXPECT_THROW(Value(uint64_t{1} << 63), ValueError);
}

TEST(Value, GivesItsItems) {
  Value value = Value::Dict{{"a", 1}, {"l", Value::List{1, "b", None}}};
  EXPECT_EQ(value.size(), 2u);
  EXPECT_EQ(value.at("a").to<int>(), 1);
  EXPECT_EQ(value.at("l").at(1).to<std::string>(), "b");
  EXPECT_THROW(value.at("c"), KeyError);
  EXPECT_THROW(value.at("l").at(3), IndexError);
  EXPECT_THROW(value.at(size_t{0}), TypeError);
  EXPECT_THROW(value.at("a").at("b"), TypeError);
  EXPECT_THROW(Value(1).size(), TypeError);
}

TEST(Value, PrintsAsPython) {
  EXPECT_EQ(text_of(Value::Tuple{{tensor({1, 2}), 3}}), "(tensor([1, 2]), 3)");
  EXPECT_EQ(text_of(Value::Tuple{{1}}), "(1,)");
  EXPECT_EQ(text_of(Value::Tuple{}), "()");
  EXPECT_EQ(text_of(Value::Set{}), "set()");
  EXPECT_EQ(text_of(Value::Set{{1, 2}}), "{1, 2}");
  EXPECT_EQ(text_of(Value::List{true, None, "it's", Bytes{65, 200}}),
            "[True, None, \"it's\", b'A\\xc8']");
  EXPECT_EQ(text_of(Value::Dict{{"a\n", 1.0}, {2, 1e16}, {3, 1e-5}}),
            "{'a\\n': 1.0, 2: 1e+16, 3: 1e-05}");
  EXPECT_EQ(text_of(Value::List{0.1, 123456.789, -0.0, 1e22, 0.0001}),
            "[0.1, 123456.789, -0.0, 1e+22, 0.0001]");
}

TEST(StateDict, KeepsItsOrder) {
  StateDict state;
  state["weight"] = ones({2});
  state["bias"] = zeros({1});
  state["weight"] = zeros({3});
  EXPECT_EQ(state.size(), 2u);
  EXPECT_EQ(state.begin()->first, "weight");
  EXPECT_EQ(state.at("weight").numel(), 3);
  EXPECT_TRUE(state.contains("bias"));
  EXPECT_FALSE(state.contains("b"));
  EXPECT_THROW(state.at("b"), KeyError);
  auto back = from_value<StateDict>(to_value(state));
  EXPECT_TRUE(back.at("bias").is_same(state.at("bias")));
}

TEST(Tree, VisitsSharedTensorsOnce) {
  Tensor a = ones({1}), b = ones({2});
  auto tree = std::tuple(a, std::vector{b, a},
                         std::map<std::string, Tensor>{{"a", a}, {"u", {}}},
                         std::optional(b), 3, std::string("x"));
  std::vector<int64_t> seen;
  for_each_tensor(tree, [&](const Tensor &t) { seen.push_back(t.numel()); });
  EXPECT_EQ(seen, (std::vector<int64_t>{1, 2}));

  int calls = 0;
  auto mapped = map_tensors(tree, [&](const Tensor &t) {
    ++calls;
    return t.clone();
  });
  EXPECT_EQ(calls, 2);
  EXPECT_FALSE(std::get<0>(mapped).is_same(a));
  EXPECT_TRUE(std::get<0>(mapped).is_same(std::get<1>(mapped)[1]));
  EXPECT_TRUE(std::get<2>(mapped)["a"].is_same(std::get<0>(mapped)));
  EXPECT_FALSE(std::get<2>(mapped)["u"].defined());
  EXPECT_EQ(std::get<4>(mapped), 3);
}

TEST(Tree, MapsValues) {
  Tensor a = ones({1});
  Value value = Value::Dict{{"s", Value::Set{{1, 2}}},
                            {"t", Value::Tuple{{a, a}}},
                            {"l", Value::List{a, "x"}}};
  Value mapped = map_tensors(value, [](const Tensor &t) { return t + 1.0; });
  EXPECT_EQ(text_of(mapped), "{'s': {1, 2}, 't': (tensor([2.]), tensor([2.])), "
                             "'l': [tensor([2.]), 'x']}");
  EXPECT_TRUE(mapped.at("t").at(0).to<Tensor>().is_same(
      mapped.at("l").at(0).to<Tensor>()));
}

TEST(Tree, ConvertsToValuesAndBack) {
  using Type = std::tuple<std::vector<bool>, std::array<float, 2>,
                          std::pair<std::string, Bytes>, std::map<int, double>,
                          std::optional<int>>;
  Type tree{{true, false}, {1, 2.5f}, {"n", {1, 2}}, {{7, 0.5}}, {}};
  Value value = to_value(tree);
  EXPECT_EQ(
      text_of(value),
      "([True, False], [1.0, 2.5], ('n', b'\\x01\\x02'), {7: 0.5}, None)");
  EXPECT_EQ(from_value<Type>(value), tree);
  using Three = std::tuple<int, int, int>;
  EXPECT_THROW(from_value<Three>(Value::List{1, 2}), TypeError);
  EXPECT_THROW(from_value<Three>(Value(1)), TypeError);
  EXPECT_THROW((from_value<std::array<int, 1>>(Value::List{1, 2})), TypeError);
  EXPECT_EQ(from_value<double>(Value(2)), 2.0);
  EXPECT_EQ(text_of(to_value(Value::Dict{{"a", 1}})), "{'a': 1}");
  EXPECT_EQ(from_value<Value::Set>(Value::Set{{1}}).items.size(), 1u);
}

TEST(Tree, KnowsStructs) {
  Tensor a = ones({1});
  Batch batch{a, a, {{1, 2}}, 2.5};
  int count = 0;
  for_each_tensor(batch, [&](const Tensor &) { ++count; });
  EXPECT_EQ(count, 1);
  Batch moved = map_tensors(batch, [](const Tensor &t) { return t.clone(); });
  EXPECT_TRUE(moved.images.is_same(moved.labels));
  EXPECT_FALSE(moved.images.is_same(a));
  EXPECT_EQ(moved.lengths.counts.size(), 2u);
  EXPECT_EQ(moved.scale, 2.5);

  std::vector<Point> points{{a, 1}, {a, 2}};
  Value value = to_value(points);
  EXPECT_EQ(text_of(value.at(1)), "{'place': tensor([1.]), 'weight': 2}");
  EXPECT_EQ(from_value<std::vector<Point>>(value)[1].weight, 2);
  EXPECT_THROW(from_value<Point>(Value::Dict{{"place", a}}), KeyError);
}

} // namespace
} // namespace xlac
