#include "header.h"

#include <gtest/gtest.h>

namespace xlac::aot {
namespace {

/// A program of one argument and one result.
struct Fixture {
  Request request;
  ObjectProgram program;
  HeaderProgram entry;
  ObjectFiles files;

  Fixture(TensorType argument, TensorType result) {
    request.name = "net";
    request.targets = {host_profile()};
    ObjectCode code;
    code.image.arguments = {Type(argument)};
    code.image.results = {Type(result)};
    program.prefix = "net";
    program.sizes.emplace_back().codes.push_back(std::move(code));
    entry.entry = "main";
    entry.signature = {{Type(argument)}, {Type(result)}, {"x"}, {"y"}};
  }
  runtime::ExecutableImage &image() {
    return program.sizes.front().codes.front().image;
  }
  std::string text() {
    entry.program = &program;
    return write_header("a.mlir", request, {entry}, files);
  }
};

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Header, StatesShapesAndBytes) {
  Fixture one({ElementType::F32, {2, 3}}, {ElementType::I1, {}});
  std::string text = one.text();
  for (const char *part :
       {"#define NET_X_SHAPE {2, 3}\n", "#define NET_X_BYTES 24\n",
        "#define NET_X_TYPE \"f32\"\n", "#define NET_Y_RANK 0\n",
        "#define NET_Y_BYTES 1\n", "  const float *x; /* f32[2][3] */\n",
        "  uint8_t *y; /* i1, 0 or 1 */\n", "#define NET_ARENA_BYTES 64\n",
        "int32_t net_run(\n    const net_arguments *arguments,\n"})
    EXPECT_TRUE(contains(text, part)) << part << text;
  EXPECT_FALSE(contains(text, "NET_Y_SHAPE")) << "{} is no initializer in C11";
}

TEST(Header, EachElementTypeHasACType) {
  const std::pair<ElementType, const char *> types[] = {
      {ElementType::BF16, "uint16_t *y; /* bf16[4], bit patterns */"},
      {ElementType::I4, "int8_t *y; /* i4[4], one byte each */"},
      {ElementType::F8E4M3, "uint8_t *y; /* f8E4M3[4], bit patterns */"},
      {ElementType::Complex128,
       "double *y; /* complex<f64>[4], real and imaginary parts */"},
      {ElementType::UI64, "uint64_t *y; /* ui64[4] */"}};
  for (auto [type, declaration] : types) {
    Fixture one({type, {4}}, {type, {4}});
    EXPECT_TRUE(contains(one.text(), declaration)) << one.text();
  }
}

TEST(Header, CommentsOfTheSourceStayComments) {
  Fixture one({ElementType::F32, {1}}, {ElementType::F32, {1}});
  one.entry.signature.argument_names = {"*/ int evil; /*\n"};
  std::string text = one.text();
  EXPECT_FALSE(contains(text, "*/ int evil"));
  EXPECT_TRUE(contains(text, "const float *int_evil;"));
}

TEST(Header, MemoryIncludesScratchAndTheTableOfWeights) {
  Fixture one({ElementType::F32, {1}}, {ElementType::F32, {1}});
  one.image().arena_bytes = 100;
  one.image().needs.scratch_bytes = 70;
  one.image().constants.resize(9);
  EXPECT_TRUE(contains(one.text(), "#define NET_ARENA_BYTES 256\n"));
  one.request.weights_file = true;
  EXPECT_TRUE(contains(one.text(), "#define NET_ARENA_BYTES 384\n"));
  EXPECT_TRUE(contains(one.text(), "const void *weights,"));
}

TEST(Header, SizesAreParameters) {
  Fixture one({ElementType::F32, {kDynamic}}, {ElementType::F32, {kDynamic}});
  one.image().arguments =
      one.image().results = {Type(TensorType{ElementType::F32, {1}})};
  one.request.symbols = {{"n", {1, 2, 8}}};
  one.request.arguments = {{0, {{size_t(0), 0}}}};
  std::string text = one.text();
  for (const char *part :
       {"int32_t net_run(\n    int64_t n,\n", "#define NET_N_MAX 8\n",
        "int64_t net_arena_bytes(int64_t n);", " *   n: 1, 2, 8\n",
        "int64_t net_result_bytes(int64_t n, int32_t result);"})
    EXPECT_TRUE(contains(text, part)) << part << text;
  EXPECT_FALSE(contains(text, "NET_X_BYTES"));
}

} // namespace
} // namespace xlac::aot
