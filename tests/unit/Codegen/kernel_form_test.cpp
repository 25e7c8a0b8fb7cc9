// Forms of functions that differ in numbers, claims or structure, and code with
// parameters.
#include "xlac/Codegen/KernelForm.h"

#include "xlac/Codegen/FastNumbers.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace xlac::codegen;

namespace {

class KernelFormTest : public testing::Test {
protected:
  /// A phase with that body; it is named after the number of phases made.
  Function *phase(const std::string &body,
                  const std::string &declarations = "") {
    std::string name = "kernel" + std::to_string(modules.size());
    std::string text = "declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, "
                       "<4 x i1>, <4 x float>)\n" +
                       declarations + "define i32 @" + name +
                       "(ptr %context, ptr %buffers, ptr %extents, i64 %begin, "
                       "i64 %end) {\n" +
                       body + "  ret i32 0\n}\n";
    SMDiagnostic problem;
    modules.push_back(parseAssemblyString(text, problem, context));
    if (!modules.back()) {
      ADD_FAILURE() << problem.getMessage().str() << "\n" << text;
      return nullptr;
    }
    return modules.back()->getFunction(name);
  }

  KernelForm form(const std::string &body) { return formOf({phase(body)}); }

  std::string textOf(Function *function) {
    std::string text;
    raw_string_ostream(text) << *function;
    EXPECT_FALSE(verifyFunction(*function, &errs())) << text;
    return text;
  }

  LLVMContext context;
  std::vector<std::unique_ptr<Module>> modules;
};

TEST_F(KernelFormTest, NumbersAreNotInTheKey) {
  KernelForm a = form("  %x = add i64 %begin, 12\n  %y = mul i64 %x, 3\n");
  KernelForm b = form("  %p = add i64 %begin, 70\n  %q = mul i64 %p, 3\n");
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.numbers.constants, (std::vector<uint64_t>{12, 3, 0}));
  EXPECT_EQ(b.numbers.constants, (std::vector<uint64_t>{70, 3, 0}));
}

/// Neither the builder nor a coincidence of numbers changes the form.
TEST_F(KernelFormTest, SizesAndDecisionsAreInstructions) {
  auto emitted = [&](int64_t size, int64_t tiles) {
    Function *function = phase("");
    IRBuilder<> ir(&function->getEntryBlock().front());
    Value *sum = ir.CreateAdd(emitSize(ir, size), emitDecision(ir, tiles));
    ir.CreateICmpEQ(ir.CreateURem(sum, ir.getInt64(8)), ir.getInt64(0));
    return formOf({function});
  };
  KernelForm a = emitted(0, 1), b = emitted(77, 1);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.numbers.constants, (std::vector<uint64_t>{0, 0, 1, 8, 0, 0}));
  EXPECT_EQ(b.numbers.constants, (std::vector<uint64_t>{77, 0, 1, 8, 0, 0}));
  EXPECT_EQ(a.decisions, std::vector<uint32_t>{2});
}

/// Only what an innermost loop computes in each iteration is fast, unless it
/// calls a function of another module.
TEST_F(KernelFormTest, AddressesInInnermostLoopsAreFast) {
  Function *function = phase(R"(  br label %outer
outer:
  %i = phi i64 [ 1, %0 ], [ %i2, %latch ]
  %row = mul i64 %i, 2
  br label %inner
inner:
  %j = phi i64 [ 3, %outer ], [ %j2, %inner ]
  %invariant = add i64 %row, 4
  %place = mul i64 %j, 5
  %offset = add i64 %place, %invariant
  %at = getelementptr float, ptr %buffers, i64 %offset
  %value = load float, ptr %at
  %scaled = fmul float %value, 6.0
  store float %scaled, ptr %at
  %j2 = add i64 %j, 7
  %again = icmp slt i64 %j2, 8
  br i1 %again, label %inner, label %latch
latch:
  %i2 = add i64 %i, 9
  %more = icmp slt i64 %i2, %end
  br i1 %more, label %outer, label %tiles
tiles:
  %k = phi i64 [ 10, %latch ], [ %k2, %tiles ]
  %tile = mul i64 %k, 11
  call void @tile(ptr %buffers, i64 %tile)
  %k2 = add i64 %k, 12
  %next = icmp slt i64 %k2, 13
  br i1 %next, label %tiles, label %last
last:
  %m = phi i64 [ 14, %tiles ], [ %m2, %last ]
  %element = mul i64 %m, 15
  %rest = getelementptr float, ptr %buffers, i64 %element
  store float 0.0, ptr %rest
  %m2 = add i64 %m, 16
  %left = icmp slt i64 %m2, 17
  br i1 %left, label %last, label %done
done:
)",
                             "declare void @tile(ptr, i64)\n");
  ASSERT_TRUE(function);
  std::vector<uint64_t> constants = formOf({function}).numbers.constants;
  std::vector<uint32_t> loops = loopsOfFastNumbers({function});
  ASSERT_EQ(loops.size(), constants.size());
  std::vector<std::pair<uint64_t, uint32_t>> found;
  for (size_t i = 0; i < loops.size(); ++i)
    if (loops[i] > 0)
      found.emplace_back(constants[i], loops[i]);
  EXPECT_EQ(found, (std::vector<std::pair<uint64_t, uint32_t>>{
                       {5, 1}, {7, 1}, {15, 2}, {16, 2}}));
}

TEST_F(KernelFormTest, StructureIsInTheKey) {
  const std::string base = "  %x = add i64 %begin, 12\n";
  std::string key = form(base).key;
  for (const char *other : {
           "  %x = sub i64 %begin, 12\n",
           "  %x = add i64 %end, 12\n",
           "  %x = add i64 12, %begin\n",
           "  %x = add i64 %begin, %end\n",
           "  %x = add i64 %begin, 12\n  %y = add i64 %x, 12\n",
           "  %x = shl i64 %begin, 12\n",
       })
    EXPECT_NE(form(other).key, key) << other;
  // Numbers of shifts, flags of bits and narrow integers are data.
  EXPECT_NE(form("  %x = shl i64 %begin, 1\n").key,
            form("  %x = shl i64 %begin, 2\n").key);
  EXPECT_NE(form("  store i8 1, ptr %buffers\n").key,
            form("  store i8 2, ptr %buffers\n").key);
}

TEST_F(KernelFormTest, VectorsHaveFewNumbers) {
  auto constants = [&](const std::string &vector) {
    return form("  store " + vector + ", ptr %buffers, align 4\n")
        .numbers.constants;
  };
  using List = std::vector<uint64_t>;
  // The last number is the status that the function returns.
  EXPECT_EQ(constants("<4 x i64> <i64 3, i64 10, i64 17, i64 24>"),
            (List{3, 7, 0}));
  EXPECT_EQ(constants("<4 x i64> zeroinitializer"), (List{0, 0, 0}));
  EXPECT_EQ(constants("<4 x i64> <i64 3, i64 10, i64 17, i64 25>"), (List{0}));
  EXPECT_EQ(constants("<4 x float> splat (float 1.0)"), (List{0x3f800000, 0}));
  EXPECT_EQ(constants("<2 x float> <float 1.0, float 2.0>"), (List{0}));
}

TEST_F(KernelFormTest, ClaimsAreCompared) {
  KernelForm strong =
      form("  %x = load i64, ptr %buffers, align 32\n"
           "  %y = add nsw nuw i64 %x, 1\n  %z = udiv exact i64 %y, 4\n");
  KernelForm weak = form("  %x = load i64, ptr %buffers, align 8\n"
                         "  %y = add nsw i64 %x, 1\n  %z = udiv i64 %y, 4\n");
  EXPECT_EQ(strong.key, weak.key);
  ASSERT_EQ(strong.numbers.claims.size(), weak.numbers.claims.size());
  for (size_t i = 0; i < weak.numbers.claims.size(); ++i)
    EXPECT_EQ(commonClaims(strong.numbers.claims[i], weak.numbers.claims[i]),
              weak.numbers.claims[i]);
  Function *function =
      phase("  %x = load i64, ptr %buffers, align 32\n"
            "  %y = add nsw nuw i64 %x, 1\n  %z = udiv exact i64 %y, 4\n");
  parameterize({function},
               {std::vector<int32_t>(strong.numbers.constants.size(),
                                     KernelParameters::kFixed),
                0},
               weak.numbers.claims);
  std::string text = textOf(function);
  EXPECT_NE(text.find("load i64, ptr %buffers, align 8"), std::string::npos);
  EXPECT_NE(text.find("add nsw i64"), std::string::npos) << text;
  EXPECT_NE(text.find("udiv i64"), std::string::npos) << text;
}

TEST_F(KernelFormTest, ParametersAreLoaded) {
  Function *function = phase(
      "  %x = add i64 %begin, 12\n  %y = mul i64 %x, 3\n"
      "  %z = add i64 %y, 12\n"
      "  store <4 x i64> <i64 0, i64 5, i64 10, i64 15>, ptr %buffers\n"
      "  store <4 x float> splat (float 0.5), ptr %buffers\n"
      "  %m = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %buffers, "
      "<4 x i1> <i1 1, i1 1, i1 0, i1 0>, <4 x float> zeroinitializer)\n");
  KernelForm form = formOf({function});
  ASSERT_EQ(form.numbers.constants,
            (std::vector<uint64_t>{12, 3, 12, 0, 5, 0x3f000000, 2, 0, 0}));
  KernelParameters parameters{{0, -1, 0, -1, 1, 2, 3, -1, -1}, 4};
  parameterize({function}, parameters, form.numbers.claims);
  std::string text = textOf(function);
  auto count = [&](const std::string &part) {
    size_t found = 0;
    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
      ++found;
    return found;
  };
  EXPECT_EQ(count("!invariant.load"), 4u) << text;
  EXPECT_EQ(count("12"), 0u) << text;
  EXPECT_EQ(count("load float, ptr"), 1u) << text;
  EXPECT_EQ(count("icmp ult <4 x i32>"), 1u) << text;
  EXPECT_NE(text.find("mul i64 %x, 3"), std::string::npos) << text;
}

} // namespace
