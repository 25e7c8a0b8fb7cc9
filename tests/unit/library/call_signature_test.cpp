// The signatures of the built-in targets, and the rejection of other calls.
#include "xlac/library/custom_calls.h"

#include "call_signature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace xlac::library {
namespace {

struct Tensor {
  std::string_view element;
  std::vector<int64_t> sizes;
};

/// Returns the call's failure or an empty string; there are no buffers to read.
std::string refusal(std::string_view target,
                    const std::vector<Tensor> &operands,
                    const std::vector<Tensor> &results,
                    const CustomCallAttributes &attributes = {}) {
  auto describe = [](const std::vector<Tensor> &all) {
    std::vector<CustomCallTensor> tensors;
    for (const Tensor &one : all)
      tensors.push_back({one.element, one.sizes, one.sizes, nullptr});
    return tensors;
  };
  auto in = describe(operands), out = describe(results);
  Status checked = check_custom_call(
      CustomCall{target, in, out, attributes, CustomCallLoop()});
  return checked ? "" : checked.error().message;
}

CustomCallAttributes letter(const std::string &name, char value) {
  return {{name, int64_t(value)}};
}

TEST(CallSignature, TakesWhatJaxEmits) {
  EXPECT_EQ(refusal("lapack_sgetrf_ffi", {{"f32", {5, 3}}},
                    {{"f32", {5, 3}}, {"i32", {3}}, {"i32", {}}}),
            "");
  EXPECT_EQ(refusal("lapack_zgetrf_ffi", {{"complex<f64>", {2, 7, 3, 5}}},
                    {{"complex<f64>", {2, 7, 3, 5}},
                     {"i32", {2, 7, 3}},
                     {"i32", {2, 7}}}),
            "");
  EXPECT_EQ(refusal("lapack_cheevd_ffi", {{"complex<f32>", {4, 4}}},
                    {{"complex<f32>", {4, 4}}, {"f32", {4}}, {"i32", {}}}),
            "");
  EXPECT_EQ(refusal("lapack_dgeev_ffi", {{"f64", {0, 0}}},
                    {{"f64", {0}},
                     {"f64", {0}},
                     {"complex<f64>", {0, 0}},
                     {"complex<f64>", {0, 0}},
                     {"i32", {}}}),
            "");
  EXPECT_EQ(refusal("lapack_sgehrd_ffi", {{"f32", {0, 0}}},
                    {{"f32", {0, 0}}, {"f32", {0}}, {"i32", {}}}),
            "");
  for (char side : {'L', 'R'})
    EXPECT_EQ(
        refusal("lapack_dtrsm_ffi",
                {side == 'L' ? Tensor{"f64", {3, 3}} : Tensor{"f64", {5, 5}},
                 {"f64", {3, 5}}},
                {{"f64", {3, 5}}}, letter("side", side)),
        "");
  EXPECT_EQ(refusal("lapack_sormqr_ffi",
                    {{"f32", {6, 4}}, {"f32", {4}}, {"f32", {6, 9}}},
                    {{"f32", {6, 9}}}, {{"left", true}}),
            "");
  EXPECT_EQ(refusal("Qr", {{"complex<f32>", {2, 3}}},
                    {{"complex<f32>", {2, 3}}, {"complex<f32>", {2}}}),
            "");
  EXPECT_EQ(refusal("xlac.svd", {{"f32", {2, 3}}}, {{"f32", {2}}}), "");
  EXPECT_EQ(refusal("cpu_csr_sparse_dense_ffi",
                    {{"i64", {5}}, {"i64", {5}}, {"i64", {4}}, {"i64", {7, 2}}},
                    {{"i64", {3, 2}}}),
            "");
  EXPECT_NE(refusal("cpu_csr_sparse_dense_ffi",
                    {{"f32", {5}}, {"i32", {5}}, {"i32", {4}}, {"f32", {7}}},
                    {{"f32", {4}}}),
            "");
  EXPECT_EQ(refusal("tridiagonal_solve_perturbed_ffi",
                    {{"f32", {2, 3}},
                     {"f32", {2, 3}},
                     {"f32", {2, 3}},
                     {"f32", {2, 3, 4}}},
                    {{"f32", {2, 3, 4}}}),
            "");
  EXPECT_EQ(
      refusal("shape_assertion", {{"i1", {}}, {"i32", {}}, {"i64", {}}}, {}),
      "");
  EXPECT_EQ(refusal("xlac.require", {{"i1", {0}}}, {{"i1", {0}}}),
            "operand 0 is i1[0], i1[] expected (i1[] -> i1[])");
  EXPECT_EQ(refusal("nobody's", {{"f32", {2, 3}}}, {}), "");
}

TEST(CallSignature, SaysWhatDiffers) {
  std::vector<Tensor> results{{"f32", {5, 3}}, {"i32", {3}}, {"i32", {}}};
  auto getrf = [&](Tensor operand) {
    return refusal("lapack_sgetrf_ffi", {operand}, results);
  };
  constexpr auto form = " (T[m,n] -> T[m,n], i32[min(m,n)], i32[])";
  EXPECT_EQ(getrf({"f64", {5, 3}}),
            std::string("operand 0 is f64[5,3], f32[5,3] expected") + form);
  EXPECT_EQ(getrf({"f32", {5}}),
            std::string("operand 0 is f32[5], which has fewer than 2 "
                        "dimensions") +
                form);
  EXPECT_EQ(getrf({"f32", {1, 5, 3}}),
            std::string("result 0 is f32[5,3], f32[1,5,3] expected") + form);
  results[1].sizes = {1};
  EXPECT_EQ(getrf({"f32", {5, 3}}),
            std::string("result 1 is i32[1], i32[3] expected") + form);
  results.pop_back();
  EXPECT_EQ(getrf({"f32", {5, 3}}), std::string("takes 1 operands and gives 3 "
                                                "results, not 1 and 2") +
                                        form);
}

TEST(CallSignature, AttributesChooseTheForm) {
  std::vector<Tensor> a{{"f32", {3, 3}}, {"f32", {3, 5}}};
  std::vector<Tensor> x{{"f32", {3, 5}}};
  EXPECT_EQ(refusal("lapack_strsm_ffi", a, x, letter("side", 'L')), "");
  EXPECT_NE(refusal("lapack_strsm_ffi", a, x, letter("side", 'R'))
                .find("operand 1 is f32[3,5], f32[3,3] expected"),
            std::string::npos);
  EXPECT_EQ(refusal("lapack_strsm_ffi", a, x, letter("side", 'Q')),
            "has an attribute side that is none of 'LR'");
  // Letters must not be truncated to 8 bits.
  EXPECT_EQ(refusal("lapack_strsm_ffi", a, x, {{"side", int64_t(256 + 'L')}}),
            "has an attribute side that is none of 'LR'");
  EXPECT_NE(refusal("lapack_strsm_ffi", a, x).find("no attribute 'side'"),
            std::string::npos);
  EXPECT_NE(refusal("lapack_strsm_ffi", a, x, {{"side", std::string("L")}})
                .find("no attribute 'side'"),
            std::string::npos);
}

TEST(CallSignature, BoundsTheNumberOfReflections) {
  auto orgqr = [](int64_t taus) {
    return refusal("lapack_dorgqr_ffi", {{"f64", {6, 4}}, {"f64", {taus}}},
                   {{"f64", {6, 4}}});
  };
  EXPECT_EQ(orgqr(0), "");
  EXPECT_EQ(orgqr(4), "");
  EXPECT_NE(orgqr(5).find("operand 1 is f64[5], f64[4] expected"),
            std::string::npos);
}

TEST(CallSignature, StandsBeforeTheFunction) {
  // The memory ends where the call says, and must not be written to.
  std::vector<float> in(9, 1), out(9, 7);
  int32_t info = 7;
  CustomCallTensor operand{"f32", {3, 3}, {3, 1}, in.data()};
  CustomCallTensor results[] = {{"f32", {3, 2}, {2, 1}, out.data()},
                                {"i32", {}, {}, &info}};
  CustomCallAttributes attributes = letter("uplo", 'L');
  CustomCallLoop loop = [](int64_t count, const auto &body) { body(0, count); };
  CustomCall call{"lapack_spotrf_ffi", std::span(&operand, 1), results,
                  attributes, loop};
  auto function = find_custom_call("lapack_spotrf_ffi");
  ASSERT_TRUE(function);
  EXPECT_THROW((*function)(call), std::invalid_argument);
  EXPECT_EQ(out, std::vector<float>(9, 7));
  EXPECT_EQ(info, 7);
}

TEST(CallSignature, TakesTensorsOfAnySizes) {
  EXPECT_EQ(refusal("dce_sink", {}, {}), "");
  EXPECT_EQ(
      refusal("dce_sink", {{"f32", {2, 3}}, {"i1", {}}, {"ui4", {0}}}, {}), "");
  EXPECT_NE(refusal("dce_sink", {{"f32", {2}}}, {{"f32", {2}}}), "");
}

TEST(CallSignature, LeavesTheUsersTargetsAlone) {
  ASSERT_TRUE(add_custom_call("lapack_cgtsv_ffi", [](const CustomCall &) {}));
  EXPECT_EQ(refusal("lapack_cgtsv_ffi", {}, {{"f32", {1}}}), "");
}

TEST(CallSignature, FailedSpectraAreNaN) {
  std::vector<double> in(4, std::numeric_limits<double>::infinity());
  std::vector<double> vectors(4), values(2);
  int32_t info = 7;
  CustomCallTensor operand{"f64", {2, 2}, {2, 1}, in.data()};
  CustomCallTensor results[] = {{"f64", {2, 2}, {2, 1}, vectors.data()},
                                {"f64", {2}, {1}, values.data()},
                                {"i32", {}, {}, &info}};
  CustomCallAttributes attributes = {{"mode", int64_t('V')},
                                     {"uplo", int64_t('L')}};
  CustomCallLoop loop = [](int64_t count, const auto &body) { body(0, count); };
  (*find_custom_call("lapack_dsyevd_ffi"))(CustomCall{
      "lapack_dsyevd_ffi", std::span(&operand, 1), results, attributes, loop});
  EXPECT_EQ(info, 1);
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[1]));
}

/// Returns the declared size where every letter means 3.
int64_t size_of(const std::string &declared) {
  return declared.ends_with("-1") ? 2 : 3;
}

TEST(CallSignature, TakesWhatIsDeclared) {
  auto tensors = [](const std::vector<DeclaredTensor> &declared,
                    const std::string &type) {
    std::string_view real =
        type == "f64" || type == "complex<f64>" ? "f64" : "f32";
    std::vector<Tensor> made;
    for (const DeclaredTensor &tensor : declared) {
      Tensor one{tensor.element, {}};
      if (tensor.element == "T")
        one.element = type;
      else if (tensor.element == "R")
        one.element = real;
      else if (tensor.element == "C")
        one.element = real == "f64" ? "complex<f64>" : "complex<f32>";
      for (const std::string &size : tensor.sizes)
        one.sizes.push_back(size_of(size));
      made.push_back(one);
    }
    return made;
  };
  std::vector<DeclaredCall> all = declared_calls();
  EXPECT_GT(all.size(), 90u);
  for (const DeclaredCall &call : all) {
    std::string type = call.element.empty() ? "f32" : call.element;
    CustomCallAttributes attributes;
    if (!call.attribute.empty())
      attributes = letter(call.attribute, call.value);
    auto operands = tensors(call.operands, type);
    auto results = tensors(call.results, type);
    EXPECT_EQ(refusal(call.target, operands, results, attributes), "")
        << call.target;
    results.push_back({"f32", {2}});
    // Another test covers a user's target of that name.
    if (call.target != "lapack_cgtsv_ffi")
      EXPECT_NE(refusal(call.target, operands, results, attributes), "")
          << call.target;
  }
}

} // namespace
} // namespace xlac::library
