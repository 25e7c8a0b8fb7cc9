// Every kind of view, on both devices: its elements, and that writes through
// the view and to the base are visible on the other side, also after a sync.
#include "xlac/lazy.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

#include <functional>

namespace xlac {
namespace {

using Numbers = std::vector<double>;

struct ViewCase {
  const char *name;
  Shape sizes;
  std::function<Tensor(const Tensor &)> view;
  Numbers shows; ///< of arange over `sizes`
};

/// Returns the base after a write of -1 to the elements of the view.
Numbers after_write(const ViewCase &test) {
  int64_t total = 1;
  for (int64_t size : test.sizes)
    total *= size;
  Numbers base(total);
  for (int64_t i = 0; i < total; ++i)
    base[i] = static_cast<double>(i);
  for (double place : test.shows)
    base[static_cast<size_t>(place)] = -1;
  return base;
}

const std::vector<ViewCase> &cases() {
  static const std::vector<ViewCase> list{
      {"view",
       {2, 3},
       [](auto &x) { return x.view({3, -1}); },
       {0, 1, 2, 3, 4, 5}},
      {"t", {2, 3}, [](auto &x) { return x.t(); }, {0, 3, 1, 4, 2, 5}},
      {"t of one dimension", {3}, [](auto &x) { return x.t(); }, {0, 1, 2}},
      {"permute",
       {1, 2, 3},
       [](auto &x) { return x.permute({2, 0, 1}); },
       {0, 3, 1, 4, 2, 5}},
      {"movedim",
       {2, 1, 3},
       [](auto &x) { return x.movedim(0, -1); },
       {0, 3, 1, 4, 2, 5}},
      {"swapaxes",
       {2, 3},
       [](auto &x) { return x.swapaxes(0, 1); },
       {0, 3, 1, 4, 2, 5}},
      {"mT", {2, 3}, [](auto &x) { return x.mT(); }, {0, 3, 1, 4, 2, 5}},
      {"adjoint",
       {2, 3},
       [](auto &x) { return x.adjoint(); },
       {0, 3, 1, 4, 2, 5}},
      {"select", {2, 3}, [](auto &x) { return x.select(1, -1); }, {2, 5}},
      {"subscript", {2, 3}, [](auto &x) { return x[1]; }, {3, 4, 5}},
      {"subscripts",
       {2, 3},
       [](auto &x) { return x.index({Ellipsis, None, Slice(1, None)}); },
       {1, 2, 4, 5}},
      {"narrow",
       {2, 3},
       [](auto &x) { return x.narrow(1, 1, 2); },
       {1, 2, 4, 5}},
      {"slice", {7}, [](auto &x) { return x.slice(0, 1, -1, 2); }, {1, 3, 5}},
      {"squeeze", {2, 1, 1}, [](auto &x) { return x.squeeze(); }, {0, 1}},
      {"unsqueeze", {2}, [](auto &x) { return x.unsqueeze(-1); }, {0, 1}},
      {"unflatten",
       {2, 6},
       [](auto &x) { return x.unflatten(1, {2, -1}).select(1, 0); },
       {0, 1, 2, 6, 7, 8}},
      {"split", {5}, [](auto &x) { return x.split(2)[1]; }, {2, 3}},
      {"chunk", {5}, [](auto &x) { return x.chunk(2)[1]; }, {3, 4}},
      {"unbind", {2, 2}, [](auto &x) { return x.unbind(1)[1]; }, {1, 3}},
      {"tensor_split", {5}, [](auto &x) { return x.tensor_split(3)[2]; }, {4}},
      {"tensor_split_indices",
       {5},
       [](auto &x) { return x.tensor_split({1, 3})[1]; },
       {1, 2}},
      {"diagonal", {3, 3}, [](auto &x) { return x.diagonal(); }, {0, 4, 8}},
      {"diagonal_below",
       {3, 4},
       [](auto &x) { return x.diagonal(-1); },
       {4, 9}},
      {"diagonal_of_many",
       {2, 2, 3},
       [](auto &x) { return x.diagonal(1, 2, 0); },
       {6, 9}},
      {"diagonal_empty", {2, 2}, [](auto &x) { return x.diagonal(5); }, {}},
      {"unfold", {7}, [](auto &x) { return x.unfold(0, 2, 3); }, {0, 1, 3, 4}},
      {"unfold_rows",
       {4, 2},
       [](auto &x) { return x.unfold(0, 3, 1); },
       {0, 2, 4, 1, 3, 5, 2, 4, 6, 3, 5, 7}},
      {"as_strided",
       {6},
       [](auto &x) { return x.as_strided({2, 2}, {1, 3}, 1); },
       {1, 4, 2, 5}},
      {"expand_to_same",
       {2, 3},
       [](auto &x) { return x.expand({1, 2, -1}); },
       {0, 1, 2, 3, 4, 5}},
      {"chain",
       {2, 3, 4},
       [](auto &x) {
         return x.permute({2, 0, 1}).slice(0, 0, 4, 3)[1].diagonal(1).view({2});
       },
       {7, 23}},
  };
  return list;
}

class Kinds : public testing::TestWithParam<const char *> {
protected:
  Device device() const { return Device(GetParam()); }
};

TEST_P(Kinds, ShowTheirPartOfTheBase) {
  for (const ViewCase &test : cases()) {
    SCOPED_TRACE(test.name);
    Tensor base = arange(static_cast<int64_t>(after_write(test).size()),
                         TensorOptions(kFloat32).device(device()))
                      .view(test.sizes);
    Tensor view = test.view(base);
    EXPECT_TRUE(view.is_view());
    EXPECT_TRUE(view.is_alias_of(base));
    EXPECT_EQ(view.to_vector<double>(), test.shows);
    base += 1;
    Numbers moved = test.shows;
    for (double &number : moved)
      number += 1;
    EXPECT_EQ(view.to_vector<double>(), moved);
  }
}

TEST_P(Kinds, WriteToTheBase) {
  for (const ViewCase &test : cases()) {
    for (bool cut : {false, true}) {
      SCOPED_TRACE(test.name);
      Numbers expected = after_write(test);
      Tensor base = arange(static_cast<int64_t>(expected.size()),
                           TensorOptions(kFloat32).device(device()))
                        .view(test.sizes);
      Tensor view = test.view(base);
      if (cut)
        sync();
      view.fill_(-1);
      if (cut)
        sync();
      EXPECT_EQ(base.to_vector<double>(), expected);
      EXPECT_EQ(view.to_vector<double>(), Numbers(test.shows.size(), -1));
    }
  }
}

TEST_P(Kinds, BitsOfFloats) {
  Tensor base = tensor({1.0f, -2.0f}, device());
  Tensor bits = base.view(kInt32), halves = base.view(kInt16);
  EXPECT_EQ(
      bits.to_vector<int32_t>(),
      (std::vector<int32_t>{0x3f800000, static_cast<int32_t>(0xc0000000)}));
  EXPECT_EQ(halves.sizes(), Shape{4});
  halves[3].fill_(0x4080);
  EXPECT_EQ(base.to_vector<float>(), (std::vector<float>{1, 4}));
  bits.zero_();
  EXPECT_EQ(base.to_vector<float>(), (std::vector<float>{0, 0}));
  Tensor bytes = tensor({1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0},
                        TensorOptions(kUInt8).device(device()));
  EXPECT_EQ(bytes.view(kInt64).to_vector<int64_t>(),
            (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(bytes.view(kBool).to_vector<uint8_t>()[0], 1);
  EXPECT_THROW(
      tensor({1, 2, 3}, TensorOptions(kInt16).device(device())).view(kInt32),
      ShapeError);
  EXPECT_THROW(tensor(1.0, device()).view(kInt16), ShapeError);
}

TEST_P(Kinds, PartsOfComplexNumbers) {
  Tensor pairs = tensor({1.0f, 2.0f, 3.0f, 4.0f}, device()).view({2, 2});
  Tensor numbers = view_as_complex(pairs);
  EXPECT_EQ(numbers.dtype(), kComplex64);
  real(numbers).fill_(9);
  EXPECT_EQ(pairs.to_vector<float>(), (std::vector<float>{9, 2, 9, 4}));
  imag(numbers)[0].fill_(7);
  EXPECT_EQ(view_as_real(numbers).to_vector<float>(),
            (std::vector<float>{9, 7, 9, 4}));
  view_as_real(numbers).select(1, 1).fill_(0);
  EXPECT_EQ(pairs.to_vector<float>(), (std::vector<float>{9, 0, 9, 0}));
  EXPECT_EQ(numbers.view(kFloat32).to_vector<float>(),
            (std::vector<float>{9, 0, 9, 0}));
  EXPECT_THROW(imag(pairs), DtypeError);
  EXPECT_THROW(view_as_complex(numbers), DtypeError);
  EXPECT_THROW(view_as_complex(pairs.view({4, 1})), ShapeError);
}

/// A conjugate shares the memory of its operand; what would show that memory
/// as something else refuses it on all devices.
TEST_P(Kinds, ConjugatesAreViews) {
  using Complex = std::complex<float>;
  using List = std::vector<Complex>;
  Tensor pairs = tensor({1.0f, 2.0f, 3.0f, -4.0f}, device()).view({2, 2});
  Tensor z = view_as_complex(pairs), c = conj(z);
  auto read = [](const Tensor &t) { return t.to_vector<Complex>(); };
  EXPECT_TRUE(c.is_view());
  EXPECT_TRUE(c.is_alias_of(z));
  EXPECT_EQ(read(c), (List{{1, -2}, {3, 4}}));
  pairs.select(1, 1).fill_(5);
  EXPECT_EQ(read(c), (List{{1, -5}, {3, -5}}));
  c[0].fill_(Complex(7, 1));
  c.slice(0, 1).add_(Complex(0, 2));
  EXPECT_EQ(read(z), (List{{7, -1}, {3, 5 - 2}}));
  EXPECT_EQ(read(conj(c)), read(z));
  EXPECT_EQ(read(c.detach()), read(c));
  EXPECT_EQ(read(c.unsqueeze(0).expand({2, 2})[1]), read(c));
  EXPECT_EQ(real(c).to_vector<float>(), (std::vector<float>{7, 3}));
  EXPECT_EQ(imag(c).to_vector<float>(), (std::vector<float>{1, -3}));
  imag(c)[1].fill_(9);
  real(c)[0].fill_(8);
  EXPECT_EQ(pairs.to_vector<float>(), (std::vector<float>{8, -1, 3, -9}));
  imag(c).mul_(2);
  EXPECT_EQ(pairs.to_vector<float>(), (std::vector<float>{8, -2, 3, -18}));
  EXPECT_EQ(imag(conj(c)).to_vector<float>(), (std::vector<float>{-2, -18}));
  EXPECT_EQ(read(c.as_strided({2}, {1})), read(c));
  EXPECT_EQ(read(adjoint(z.view({2, 1}))), read(c));
  EXPECT_TRUE(adjoint(z.view({2, 1})).is_alias_of(z));
  Tensor copied = c.clone();
  EXPECT_EQ(view_as_real(copied).to_vector<float>(),
            (std::vector<float>{8, 2, 3, 18}));
  for (const Tensor &view : {c, c.slice(0, 1)}) {
    EXPECT_THROW(view_as_real(view), UserError);
    EXPECT_THROW(view.view(kFloat32), UserError);
  }
  EXPECT_THROW(imag(c).view(kInt32), UserError);
  EXPECT_THROW(view_as_complex(imag(c)), UserError);
  EXPECT_TRUE(conj(pairs).is_same(pairs));
  // Parts that show an element twice, as of other views.
  conj(z.unsqueeze(0).expand({3, 2}))[2].fill_(Complex(1, 1));
  EXPECT_EQ(read(z), (List{{1, -1}, {1, -1}}));
}

TEST_P(Kinds, StridesCountElementsOfTheirOwnType) {
  Tensor z = view_as_complex(
      arange(8, TensorOptions(kFloat32).device(device())).view({4, 2}));
  Tensor parts = view_as_real(z).as_strided({2, 2}, {4, 1}, 1);
  EXPECT_EQ(parts.dtype(), kFloat32);
  EXPECT_EQ(parts.to_vector<float>(), (std::vector<float>{1, 2, 5, 6}));
  parts.fill_(0);
  EXPECT_EQ(view_as_real(z).to_vector<float>(),
            (std::vector<float>{0, 0, 0, 3, 4, 0, 0, 7}));
}

TEST_P(Kinds, WritesThatNameAnElementTwiceAreRefused) {
  Tensor base = ones({1, 2}, device());
  EXPECT_THROW(base.expand({3, 2}).fill_(2), UserError);
  EXPECT_THROW(base.as_strided({2, 2}, {0, 1}).fill_(2), UserError);
  EXPECT_EQ(base.to_vector<float>(), (std::vector<float>{1, 1}));
}

TEST_P(Kinds, OtherNames) {
  Tensor a = zeros({2}, device()), b = ones({3}, device());
  a.set_(b);
  EXPECT_TRUE(a.is_alias_of(b));
  a.fill_(4);
  EXPECT_EQ(b.to_vector<float>(), (std::vector<float>{4, 4, 4}));
  Tensor c = copy(b), d = b;
  c.fill_(1);
  EXPECT_EQ(b.to_vector<float>(), (std::vector<float>{4, 4, 4}));
  EXPECT_TRUE(d.is_same(b));
  EXPECT_FALSE(deepcopy(b).is_alias_of(b));
  EXPECT_THROW(a.set_(tensor({1}, device())), DtypeError);
}

TEST_P(Kinds, PartsOfExpandedOnesAreWrittenWhereNothingIsShownTwice) {
  Tensor x = zeros({3, 1}, device());
  Tensor wide = x.expand({2, 3, 4});
  wide[1].index({Slice(), 2}).fill_(1);
  EXPECT_EQ(x.to_vector<int>(), (std::vector<int>{1, 1, 1}));
  wide.permute({2, 1, 0})[3].index({Slice(0, 2), 0}) += 4;
  EXPECT_EQ(x.to_vector<int>(), (std::vector<int>{5, 5, 1}));
  wide.slice(0, 0, 1).squeeze(0).slice(1, 3).unsqueeze(0)[0].t().zero_();
  EXPECT_EQ(x.to_vector<int>(), (std::vector<int>{0, 0, 0}));
  x.expand({3, 2}).select(1, 1).unsqueeze(1).expand({3, 5}).select(1, 4) = 2;
  EXPECT_EQ(wide.sum().item<int>(), 48);
  wide.slice(0, 2).fill_(3); // an empty slice
  EXPECT_EQ(wide.sum().item<int>(), 48);
  for (const Tensor &twice :
       {wide, wide[0], wide.select(1, 0), x.expand({3, 2})})
    EXPECT_THROW(Tensor(twice).fill_(1), UserError);
  EXPECT_EQ(wide.sum().item<int>(), 48);
}

/// Parts of overlapping views: a write changes the elements of the part only.
TEST_P(Kinds, PartsOfOverlappingOnesAreWritten) {
  using View = std::function<Tensor(const Tensor &)>;
  struct Case {
    const char *name;
    Shape sizes;
    View view;
  };
  const std::vector<Case> parts{
      {"first window", {5}, [](auto &x) { return x.unfold(0, 3, 2)[0]; }},
      {"last window", {5}, [](auto &x) { return x.unfold(0, 3, 2)[1]; }},
      {"column", {6}, [](auto &x) { return x.unfold(0, 3, 1).select(1, 2); }},
      {"every third",
       {9},
       [](auto &x) { return x.unfold(0, 3, 1).slice(0, 0, None, 3); }},
      {"diagonal", {9}, [](auto &x) { return x.unfold(0, 3, 1).diagonal(); }},
      {"turned",
       {3, 4},
       [](auto &x) { return x.unfold(1, 3, 1).permute({2, 0, 1})[1]; }},
      {"reshaped",
       {8},
       [](auto &x) { return x.unfold(0, 4, 2)[1].view({2, 2}).t()[0]; }},
      {"windows of windows",
       {8},
       [](auto &x) { return x.unfold(0, 4, 1)[2].unfold(0, 2, 1)[1]; }},
      {"windows of windows, across",
       {4, 4},
       [](auto &x) {
         return x.unfold(0, 3, 1).unfold(1, 3, 1)[1][0].slice(1, 1);
       }},
      {"strides",
       {6},
       [](auto &x) { return x.as_strided({2, 3}, {2, 1}, 1)[0]; }},
      {"strides of zero",
       {6},
       [](auto &x) { return x.as_strided({4, 3}, {0, 2}, 1)[3]; }},
      {"windows of one element",
       {},
       [](auto &x) { return x.expand({2}).unfold(0, 1, 2); }},
      {"windows of an expanded row",
       {1, 3},
       [](auto &x) {
         return x.expand({4, 3}).unfold(0, 2, 1)[1].select(1, 1);
       }},
      {"an expanded view",
       {1},
       [](auto &x) { return x.expand({4}).view({2, 2})[1].slice(0, 0, 1); }},
      {"strides of an expanded one",
       {2},
       [](auto &x) { return x.expand({1, 2}).as_strided({1, 1}, {2, 1}, 1); }},
  };
  for (const Case &test : parts)
    for (bool cut : {false, true}) {
      SCOPED_TRACE(test.name);
      int64_t count = 1;
      for (int64_t size : test.sizes)
        count *= size;
      Numbers expected(static_cast<size_t>(count), 1);
      Tensor numbers = arange(count).view(test.sizes);
      Numbers places = test.view(numbers).to_vector<double>();
      for (size_t i = 0; i < places.size(); ++i)
        expected[static_cast<size_t>(places[i])] += static_cast<double>(i) + 1;
      Tensor base = ones(test.sizes, device());
      Tensor view = test.view(base);
      Tensor added = arange(1, static_cast<int64_t>(places.size()) + 1, 1,
                            TensorOptions(kFloat32).device(device()))
                         .view(view.sizes());
      if (cut)
        sync();
      view.add_(added);
      if (cut)
        sync();
      EXPECT_EQ(base.to_vector<double>(), expected);
    }
}

TEST_P(Kinds, PartsOfOverlappingComplexOnesAreWritten) {
  auto whole = [&](const Tensor &z) {
    return view_as_real(z).to_vector<float>();
  };
  using Floats = std::vector<float>;
  Tensor z = zeros({3}, TensorOptions(kComplex64).device(device()));
  real(z.unfold(0, 2, 1)[0]).fill_(1);
  EXPECT_EQ(whole(z), (Floats{1, 0, 1, 0, 0, 0}));
  imag(z.unfold(0, 2, 1))[1].fill_(2);
  EXPECT_EQ(whole(z), (Floats{1, 0, 1, 2, 0, 2}));
  view_as_real(z.unfold(0, 2, 1))[0][1].fill_(3);
  EXPECT_EQ(whole(z), (Floats{1, 0, 3, 3, 0, 2}));
  view_as_real(z.unfold(0, 2, 1)).unfold(0, 1, 1)[1][1].fill_(4);
  EXPECT_EQ(whole(z), (Floats{1, 0, 3, 3, 4, 4}));
  Tensor pairs = zeros({6}, device());
  view_as_complex(pairs.unfold(0, 2, 2).unfold(0, 2, 1)[0].t())[1].fill_(5);
  EXPECT_EQ(pairs.to_vector<float>(), (Floats{0, 0, 5, 0, 0, 0}));
  real(z.slice(0, 0, 1).expand({3}))[1].unsqueeze(0).fill_(6);
  EXPECT_EQ(whole(z), (Floats{6, 0, 3, 3, 4, 4}));
  Tensor x = zeros({4}, device());
  x.unfold(0, 3, 1).view(kInt32)[0].fill_(0x3f800000);
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 1, 1, 0}));
  x.unfold(0, 3, 1)[1].view(kInt16).slice(0, 1, None, 2).fill_(0x4000);
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 2, 2, 2}));
}

/// Writes to a dimension that is still expanded are rejected, through windows,
/// too.
TEST_P(Kinds, ExpandedPartsOfOverlappingOnesAreRefused) {
  Tensor x = zeros({1, 3}, device());
  Tensor wide = x.expand({4, 3});
  for (const Tensor &twice :
       {wide.unfold(0, 2, 2), wide.unfold(0, 2, 1)[0],
        wide.unfold(1, 2, 1)[0].select(0, 1).unsqueeze(0).expand({2, 2}),
        wide.view({2, 2, 3})[1],
        x.view({3}).as_strided({2, 3, 2}, {0, 1, 0})[0]})
    EXPECT_THROW(Tensor(twice).fill_(1), UserError);
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{0, 0, 0}));
}

TEST_P(Kinds, DiagonalsAlongAnExpandedDimensionAreWritten) {
  auto whole = [](const Tensor &x) { return x.to_vector<int>(); };
  Tensor x = zeros({4, 1}, device());
  Tensor wide = x.expand({4, 3}); // columns are expanded
  wide.diagonal().fill_(1);
  EXPECT_EQ(whole(x), (std::vector<int>{1, 1, 1, 0}));
  wide.diagonal(-2).fill_(2);
  EXPECT_EQ(whole(x), (std::vector<int>{1, 1, 2, 2}));
  wide.diagonal(1, 1, 0).fill_(3); // rows 1 to 3
  EXPECT_EQ(whole(x), (std::vector<int>{1, 3, 3, 3}));
  Tensor y = zeros({2, 2}, device());
  Tensor deep = y.expand({2, 2, 2}); // the first dimension is expanded
  Tensor across = deep.diagonal();   // [k, i] is y[i, k]
  EXPECT_EQ(across.sizes(), (Shape{2, 2}));
  across.copy_(tensor({{1, 2}, {3, 4}}, device()));
  EXPECT_EQ(whole(y), (std::vector<int>{1, 3, 2, 4}));
  deep.diagonal(1)[0].fill_(9); // column 0 of row 1
  EXPECT_EQ(whole(y), (std::vector<int>{1, 3, 9, 4}));
  Tensor one = zeros({1, 1}, device());
  one.expand({2, 3}).diagonal(2).fill_(5); // a single element
  EXPECT_EQ(one.item<int>(), 5);
  EXPECT_THROW(one.expand({2, 3}).diagonal().fill_(6), UserError);
  EXPECT_EQ(one.item<int>(), 5);
}

TEST_P(Kinds, InPlaceOnesAliasWhatTheyShowed) {
  Tensor x = arange(6, device()).view({2, 3}), same = x.data();
  x.t_().unsqueeze_(0).squeeze_(0)[2].fill_(-1);
  EXPECT_EQ(x.sizes(), (Shape{3, 2}));
  EXPECT_EQ(same.to_vector<int64_t>(),
            (std::vector<int64_t>{0, 1, -1, 3, 4, -1}));
}

TEST_P(Kinds, Resizing) {
  Tensor x = arange(4, device());
  x.resize_({2, 3});
  EXPECT_EQ(x.to_vector<int64_t>(), (std::vector<int64_t>{0, 1, 2, 3, 0, 0}));
  x.resize_({2});
  EXPECT_EQ(x.to_vector<int64_t>(), (std::vector<int64_t>{0, 1}));
  x.fill_(5);
  EXPECT_EQ(x.to_vector<int64_t>(), (std::vector<int64_t>{5, 5}));
  EXPECT_THROW(x.resize_({-1}), ShapeError);
}

INSTANTIATE_TEST_SUITE_P(Devices, Kinds, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

TEST(CpuViews, MemoryOfTheBase) {
  Tensor base = arange(12, TensorOptions(kFloat32)).view({3, 4});
  float *memory = base.data_ptr<float>();
  EXPECT_EQ(base[1].data_ptr<float>(), memory + 4);
  EXPECT_EQ(base.diagonal(1).data_ptr<float>(), memory + 1);
  EXPECT_EQ(base.diagonal(1).strides(), Shape{5});
  EXPECT_EQ(base.diagonal(-2).data_ptr<float>(), memory + 8);
  EXPECT_EQ(base.unfold(1, 2, 2).strides(), (Shape{4, 2, 1}));
  EXPECT_EQ(base.slice(1, 1, 4, 2).strides(), (Shape{4, 2}));
  EXPECT_EQ(base.expand({2, 3, 4}).strides(), (Shape{0, 4, 1}));
  EXPECT_EQ(base.unsqueeze(1).strides(), (Shape{4, 4, 1}));
  EXPECT_EQ(base.t()[1].as_strided({2}, {4}).data_ptr<float>(), memory + 1);
  Tensor column = base.select(1, 2);
  *column.data_ptr<float>() = -5;
  EXPECT_EQ(base.to_vector<float>()[2], -5);
  EXPECT_EQ(column.to_vector<float>()[0], -5);
  Tensor numbers = view_as_complex(base.view({6, 2}));
  EXPECT_EQ(imag(numbers).data_ptr<float>(), memory + 1);
  EXPECT_EQ(imag(numbers).strides(), Shape{2});
  EXPECT_THROW(base.t().view(kInt16), ShapeError);
  EXPECT_THROW(base.as_strided({5}, {4}), ShapeError);
}

TEST(XlaViews, StridesNeverRefuse) {
  Tensor x = arange(6, Device("xla:0")).view({2, 3});
  EXPECT_EQ(x.t().view({-1}).to_vector<int64_t>(),
            (std::vector<int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(x.t().strides(), (Shape{2, 1}));
  EXPECT_TRUE(x.t().is_contiguous());
  EXPECT_THROW(x.data_ptr<int64_t>(), DeviceError);
}

} // namespace
} // namespace xlac
