// Hand-written modules through the whole Jit: compiled, extracted as a blob,
// copied to two addresses and called there.
#include "xlac/Jit/Jit.h"
#include "xlac/abi/abi.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

#include <sys/mman.h>

using namespace llvm;
using namespace xlac;

static const TargetProfile kBaseline{"baseline", 0, 128};
static const TargetProfile kAvx2{"avx2", kFeatureAvx2, 256};
static const TargetProfile kAvx512{"avx512", kFeatureAvx2 | kFeatureAvx512,
                                   512};

static std::unique_ptr<Module> parse(StringRef text, LLVMContext &context,
                                     const TargetProfile &profile) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module =
      parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  if (module)
    EXPECT_FALSE(errorToBool(jit::prepareModule(*module, profile)));
  return module;
}

static Expected<runtime::Blob> build(StringRef text,
                                     const TargetProfile &profile) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(text, context, profile);
  if (!module)
    return createStringError("cannot parse");
  return jit::compileToBlob(*module, profile);
}

static std::string failureOf(StringRef text, const TargetProfile &profile) {
  Expected<runtime::Blob> blob = build(text, profile);
  if (blob)
    return "";
  return toString(blob.takeError());
}

static const runtime::BlobSymbol *findSymbol(const runtime::Blob &blob,
                                             StringRef name) {
  for (const runtime::BlobSymbol &symbol : blob.symbols)
    if (symbol.name == name)
      return &symbol;
  return nullptr;
}

/// The blob in executable memory.
struct Mapping {
  explicit Mapping(const runtime::Blob &blob) : size(blob.bytes.size()) {
    address = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memcpy(address, blob.bytes.data(), size);
    mprotect(address, size, PROT_READ | PROT_EXEC);
  }
  ~Mapping() { munmap(address, size); }
  void *at(const runtime::Blob &blob, StringRef name) const {
    const runtime::BlobSymbol *symbol = findSymbol(blob, name);
    EXPECT_TRUE(symbol) << name.str();
    return static_cast<char *>(address) + (symbol ? symbol->offset : 0);
  }
  void *address;
  size_t size;
};

/// out[i] = a[i] * 1.5 + table[i], with a helper function and a callback.
static constexpr const char *kKernel = R"(
@table = internal constant [8 x float] [float 1.0, float 2.0, float 3.0,
  float 4.0, float 5.0, float 6.0, float 7.0, float 8.0], align 32
define internal <8 x float> @twist(<8 x float> %x) noinline {
  %y = fmul <8 x float> %x, splat (float 1.5)
  ret <8 x float> %y
}
define hidden i32 @kernel.0(ptr %ctx, ptr %buffers, ptr %extents, i64 %b, i64 %e) {
  %in = load ptr, ptr %buffers
  %slot = getelementptr ptr, ptr %buffers, i64 1
  %out = load ptr, ptr %slot
  %x = load <8 x float>, ptr %in, align 4
  %y = call <8 x float> @twist(<8 x float> %x)
  %t = load <8 x float>, ptr @table, align 32
  %z = fadd <8 x float> %y, %t
  store <8 x float> %z, ptr %out, align 4
  %services = load ptr, ptr %ctx
  %fail.slot = getelementptr i8, ptr %services, i64 48
  %fail = load ptr, ptr %fail.slot
  %bad = icmp sgt i64 %b, 0
  br i1 %bad, label %failing, label %fine
failing:
  %status = call i32 %fail(ptr %ctx, ptr @message, i64 2)
  ret i32 %status
fine:
  ret i32 0
}
@message = private unnamed_addr constant [2 x i8] c"no"
)";

static std::string lastMessage;
static int32_t recordFailure(const xlac_ctx *, const char *message,
                             int64_t length) {
  lastMessage.assign(message, length);
  return 7;
}

static void runKernel(const runtime::Blob &blob) {
  ASSERT_EQ(offsetof(xlac_services, fail), 48u);
  xlac_services services{};
  services.fail = recordFailure;
  xlac_ctx ctx{&services, nullptr, nullptr, nullptr};
  Mapping first(blob), second(blob);
  ASSERT_NE(first.address, second.address);
  for (const Mapping *mapping : {&first, &second}) {
    auto kernel =
        reinterpret_cast<xlac_kernel_fn>(mapping->at(blob, "kernel.0"));
    float in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {};
    void *buffers[] = {in, out};
    EXPECT_EQ(kernel(&ctx, buffers, nullptr, 0, 1), 0);
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(out[i], in[i] * 1.5f + (i + 1));
    EXPECT_EQ(kernel(&ctx, buffers, nullptr, 1, 2), 7);
    EXPECT_EQ(lastMessage, "no");
  }
}

/// Bitcode of C functions has a level already.
TEST(Jit, ModulesMayHaveAPicLevel) {
  EXPECT_EQ(failureOf(R"(
define i32 @f() {
  ret i32 7
}
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"PIC Level", i32 2}
)",
                      kBaseline),
            "");
}

TEST(Jit, RunsAtAnyAddress) {
  Expected<runtime::Blob> blob = build(kKernel, kAvx2);
  ASSERT_TRUE(static_cast<bool>(blob)) << toString(blob.takeError());
  EXPECT_EQ(blob->bytes.size() % XLAC_ALIGNMENT, 0u);
  EXPECT_EQ(blob->features, kFeatureAvx2);
  const runtime::BlobSymbol *symbol = findSymbol(*blob, "kernel.0");
  ASSERT_TRUE(symbol);
  EXPECT_GT(symbol->size, 0u);
  runKernel(*blob);
}

TEST(Jit, BaselineNeedsNoFeature) {
  Expected<runtime::Blob> blob = build(kKernel, kBaseline);
  ASSERT_TRUE(static_cast<bool>(blob)) << toString(blob.takeError());
  EXPECT_EQ(blob->features, 0u);
  runKernel(*blob);
}

TEST(Jit, FeaturesAreThoseUsed) {
  constexpr const char *kWide = R"(
define hidden void @wide(ptr %p) {
  %x = load <16 x float>, ptr %p, align 4
  %y = fadd <16 x float> %x, %x
  store <16 x float> %y, ptr %p, align 4
  ret void
})";
  Expected<runtime::Blob> wide = build(kWide, kAvx512);
  ASSERT_TRUE(static_cast<bool>(wide)) << toString(wide.takeError());
  EXPECT_EQ(wide->features, kFeatureAvx2 | kFeatureAvx512);
  Expected<runtime::Blob> scalar =
      build("define hidden i64 @f(i64 %x) { %y = add i64 %x, 1 ret i64 %y }",
            kAvx512);
  ASSERT_TRUE(static_cast<bool>(scalar)) << toString(scalar.takeError());
  EXPECT_EQ(scalar->features, 0u);
  TargetProfile all{"all", 0xff, 512};
  Expected<runtime::Blob> dot = build(R"(
declare <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32>, <64 x i8>, <64 x i8>)
declare <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float>, <32 x bfloat>, <32 x bfloat>)
define hidden <16 x i32> @d(<16 x i32> %a, <64 x i8> %b, <64 x i8> %c) {
  %r = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %a, <64 x i8> %b, <64 x i8> %c)
  ret <16 x i32> %r
}
define hidden <16 x float> @e(<16 x float> %a, <32 x bfloat> %b, <32 x bfloat> %c) {
  %r = call <16 x float> @llvm.x86.avx512bf16.dpbf16ps.512(<16 x float> %a, <32 x bfloat> %b, <32 x bfloat> %c)
  ret <16 x float> %r
})",
                                      all);
  ASSERT_TRUE(static_cast<bool>(dot)) << toString(dot.takeError());
  EXPECT_EQ(dot->features, kFeatureAvx2 | kFeatureAvx512 | kFeatureAvx512Vnni |
                               kFeatureAvx512Bf16);
}

TEST(Jit, AvxVnniIsAFeatureOfItsOwn) {
  Expected<runtime::Blob> dot = build(R"(
declare <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32>, <32 x i8>, <32 x i8>)
define hidden void @d(ptr %p) {
  %a = load <8 x i32>, ptr %p, align 4
  %b = bitcast <8 x i32> %a to <32 x i8>
  %r = call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> %a, <32 x i8> %b, <32 x i8> %b)
  store <8 x i32> %r, ptr %p, align 4
  ret void
})",
                                      *find_profile("avx2-vnni"));
  ASSERT_TRUE(static_cast<bool>(dot)) << toString(dot.takeError());
  EXPECT_EQ(dot->features, kFeatureAvx2 | kFeatureAvxVnni);
}

TEST(Jit, NamesTheMissingSymbol) {
  std::string message = failureOf(R"(
declare double @exp(double)
define hidden double @f(double %x) {
  %y = call double @exp(double %x)
  ret double %y
})",
                                  kAvx2);
  EXPECT_NE(message.find("'exp'"), std::string::npos) << message;
}

TEST(Jit, RefusesAbsoluteRelocations) {
  std::string message = failureOf(R"(
@pointers = hidden constant [1 x ptr] [ptr @f]
define hidden i64 @f(i64 %x) {
  %p = getelementptr [1 x ptr], ptr @pointers, i64 0, i64 %x
  %v = load i64, ptr %p
  ret i64 %v
})",
                                  kAvx2);
  EXPECT_NE(message.find("not relative"), std::string::npos) << message;
}

TEST(Jit, RefusesWritableData) {
  std::string message = failureOf(R"(
@state = hidden global i64 3
define hidden i64 @f() {
  %v = load i64, ptr @state
  store i64 5, ptr @state
  ret i64 %v
})",
                                  kAvx2);
  EXPECT_NE(message.find("writable"), std::string::npos) << message;
}

TEST(Jit, MalformedModulesAreErrors) {
  LLVMContext context;
  Module module("bad", context);
  EXPECT_FALSE(errorToBool(jit::prepareModule(module, kAvx2)));
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  Function *function =
      Function::Create(FunctionType::get(i64, {i64}, false),
                       GlobalValue::ExternalLinkage, "f", module);
  BasicBlock::Create(context, "entry", function);
  Error error = jit::optimize(module, kAvx2);
  EXPECT_NE(toString(std::move(error)).find("malformed"), std::string::npos);
}

TEST(Jit, WhatLlvmCannotSelectIsAnError) {
  std::string message = failureOf(R"(
declare <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32>, <64 x i8>, <64 x i8>)
define hidden <16 x i32> @d(<16 x i32> %a, <64 x i8> %b, <64 x i8> %c) {
  %r = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %a, <64 x i8> %b, <64 x i8> %c)
  ret <16 x i32> %r
})",
                                  kAvx2);
  EXPECT_NE(message.find("LLVM rejects"), std::string::npos) << message;
  // The next module is not affected.
  Expected<runtime::Blob> blob = build(kKernel, kAvx2);
  EXPECT_TRUE(static_cast<bool>(blob)) << toString(blob.takeError());
}

TEST(Jit, BlobsOfOneObjectDoNotDependOnEachOther) {
  std::string text = kKernel;
  // Appended, with the function and the data that both kernels use.
  std::string second = text.substr(text.find("define hidden"));
  second = second.substr(0, second.find("@message ="));
  second.replace(second.find("kernel.0"), 8, "second.0");
  LLVMContext context;
  std::unique_ptr<Module> module = parse(text + second, context, kAvx2);
  ASSERT_TRUE(module);
  Expected<SmallVector<char, 0>> object = jit::compileToObject(*module, kAvx2);
  ASSERT_TRUE(static_cast<bool>(object)) << toString(object.takeError());
  jit::RootFilter kernel = [](StringRef name) { return name == "kernel.0"; };
  jit::RootFilter other = [](StringRef name) { return name == "second.0"; };
  auto both = jit::linkBlobs(*object, kAvx2, {other, kernel});
  ASSERT_TRUE(static_cast<bool>(both)) << toString(both.takeError());
  auto alone = jit::linkBlobs(*object, kAvx2, kernel);
  ASSERT_TRUE(static_cast<bool>(alone)) << toString(alone.takeError());
  ASSERT_EQ(both->size(), 2u);
  EXPECT_FALSE(findSymbol((*both)[0], "kernel.0"));
  EXPECT_FALSE(findSymbol((*both)[1], "second.0"));
  EXPECT_EQ((*both)[1].bytes, alone->front().bytes);
  EXPECT_EQ((*both)[1].features, kFeatureAvx2);
  runKernel((*both)[1]);
}

TEST(Jit, LibrariesProvideWhatAnObjectLacks) {
  // The function and its callers are in separate modules.
  std::string text = kKernel;
  size_t begin = text.find("define internal"), end = text.find("define hidden");
  std::string function = text.substr(begin, end - begin);
  function.replace(function.find("internal"), 8, "hidden");
  std::string callers = text.substr(0, begin) +
                        "declare hidden <8 x float> @twist(<8 x float>)\n" +
                        text.substr(end);
  auto compiled = [](const std::string &source) {
    LLVMContext context;
    std::unique_ptr<Module> module = parse(source, context, kAvx2);
    Expected<jit::Object> object = jit::compileToObject(*module, kAvx2);
    EXPECT_TRUE(static_cast<bool>(object)) << toString(object.takeError());
    return std::move(*object);
  };
  jit::Object object = compiled(callers), library = compiled(function);
  auto alone = jit::linkBlob(object, kAvx2);
  ASSERT_FALSE(static_cast<bool>(alone));
  EXPECT_NE(toString(alone.takeError()).find("twist"), std::string::npos);
  auto blobs = jit::linkBlobs(object, kAvx2, jit::RootFilter(),
                              llvm::ArrayRef<char>(library));
  ASSERT_TRUE(static_cast<bool>(blobs)) << toString(blobs.takeError());
  EXPECT_TRUE(findSymbol(blobs->front(), "twist"));
  runKernel(blobs->front());
}

TEST(Jit, RefusesWhatIsNoObject) {
  const char text[] = "this is no object file, of whatever kind it may be";
  Expected<runtime::Blob> blob =
      jit::linkBlob(jit::Object(text, text + sizeof text), kAvx2);
  ASSERT_FALSE(static_cast<bool>(blob));
  consumeError(blob.takeError());
}

TEST(Jit, UnpreparedModulesAreRefused) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(
      "define hidden void @f() { ret void }", diagnostic, context);
  Expected<SmallVector<char, 0>> object = jit::compileToObject(*module, kAvx2);
  ASSERT_FALSE(static_cast<bool>(object));
  EXPECT_NE(toString(object.takeError()).find("not prepared"),
            std::string::npos);
}

TEST(Jit, AssemblyNamesTheKernel) {
  LLVMContext context;
  std::unique_ptr<Module> module = parse(kKernel, context, kAvx2);
  Expected<std::string> text = jit::compileToAssembly(*module, kAvx2);
  ASSERT_TRUE(static_cast<bool>(text)) << toString(text.takeError());
  EXPECT_NE(text->find("kernel.0:"), std::string::npos);
}
