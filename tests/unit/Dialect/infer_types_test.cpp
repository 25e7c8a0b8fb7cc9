// Type inference of the MLIR dialects: which ops support it, that it gives the
// types of their shape rules, and its failures.
#include "xlac/Dialect/AllDialects.h"
#include "xlac/Dialect/Chlo/ChloDialect.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/ops/elementwise.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <set>

namespace xlac {
namespace {

using mlir::InferTypeOpInterface;
using mlir::RankedTensorType;
namespace hlo = xlac::stablehlo;

struct Dialects {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};

  Dialects() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }
};

std::string text(mlir::TypeRange types) {
  std::string result;
  llvm::raw_string_ostream out(result);
  llvm::interleaveComma(types, out);
  return result;
}

/// Every op whose types can be inferred, with the types of its rule. Inference
/// must preserve unknown sizes and bounds.
constexpr const char *kProgram = R"(
!d = tensor<?x4xf32, #stablehlo.bounds<8, ?>>
!q = tensor<?x4x!quant.uniform<i8:f32, 0.5:3>>
func.func @elementwise(%a: !d, %c: tensor<?x4xcomplex<f32>>, %p: tensor<?x4xi1>,
                       %s: tensor<f32>, %q: !q, %i: tensor<4xindex>) {
  %0 = stablehlo.abs %c : (tensor<?x4xcomplex<f32>>) -> tensor<?x4xf32>
  %1 = stablehlo.real %c : (tensor<?x4xcomplex<f32>>) -> tensor<?x4xf32>
  %2 = stablehlo.imag %c : (tensor<?x4xcomplex<f32>>) -> tensor<?x4xf32>
  %3 = stablehlo.complex %1, %2 : tensor<?x4xcomplex<f32>>
  %4 = stablehlo.compare LT, %a, %a : (!d, !d) -> tensor<?x4xi1, #stablehlo.bounds<8, ?>>
  %5 = stablehlo.select %p, %a, %a : tensor<?x4xi1>, !d
  %6 = stablehlo.clamp %s, %a, %s : (tensor<f32>, !d, tensor<f32>) -> !d
  %7 = stablehlo.reduce_precision %a, format = e5m10 : !d
  %8 = stablehlo.uniform_dequantize %q : (!q) -> tensor<?x4xf32>
  %9 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) : (!d, !d) -> tensor<?x4xi1, #stablehlo.bounds<8, ?>>
  %10 = stablehlo.add %i, %i : tensor<4xindex>
  %11 = stablehlo.add %q, %q : !q
  return
}
func.func @other(%a: tensor<4x?xf32>, %v: tensor<4xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %v, %v) <{epsilon = 0.0 : f32, feature_index = 0 : i64}> : (tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>)
  %1:3 = "stablehlo.batch_norm_grad"(%a, %v, %v, %v, %a) <{epsilon = 0.0 : f32, feature_index = 0 : i64}> : (tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>)
  %2 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 0.0 : f32, feature_index = 0 : i64}> : (tensor<4x?xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x?xf32>
  %3 = stablehlo.constant dense<1> : tensor<2xi8>
  %4 = chlo.constant dense<1> : tensor<2xi8>
  %5 = stablehlo.cholesky %a, lower = true : tensor<4x?xf32>
  %6 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %7 = stablehlo.fft %v, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  %8:2 = "stablehlo.sort"(%a, %a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %u: tensor<f32>, %w: tensor<f32>):
    %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) : (tensor<4x?xf32>, tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>)
  return
}
func.func @movement(%a: !d, %i: tensor<i32>, %n: tensor<3x1xi64>, %s: tensor<f32>, %u: tensor<3x4xf32>) {
  %0 = stablehlo.broadcast %a, sizes = [2] : (!d) -> tensor<2x?x4xf32, #stablehlo.bounds<?, 8, ?>>
  %1 = stablehlo.concatenate %a, %u, dim = 0 : (!d, tensor<3x4xf32>) -> tensor<?x4xf32, #stablehlo.bounds<11, ?>>
  %2 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 2] : (!d, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %3 = stablehlo.dynamic_update_slice %a, %2, %i, %i : (!d, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> !d
  %4 = "stablehlo.gather"(%a, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (!d, tensor<3x1xi64>) -> tensor<3x4xf32>
  %5 = stablehlo.pad %a, %s, low = [1, 0], high = [1, 0], interior = [0, 1] : (!d, tensor<f32>) -> tensor<?x7xf32, #stablehlo.bounds<10, ?>>
  %6 = stablehlo.reverse %a, dims = [0] : !d
  %7 = stablehlo.slice %a [0:4, 0:4:2] : (!d) -> tensor<4x2xf32>
  %8 = stablehlo.transpose %a, dims = [1, 0] : (!d) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  %9 = stablehlo.get_dimension_size %a, dim = 0 : (!d) -> tensor<i32>
  %10 = stablehlo.set_dimension_size %u, %9, dim = 0 : (tensor<3x4xf32>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>>
  %11 = "stablehlo.scatter"(%a, %n, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (!d, tensor<3x1xi64>, tensor<3x4xf32>) -> !d
  return
}
func.func @reductions(%a: !d, %h: tensor<6x?xf16>, %i: tensor<f32>, %j: tensor<f16>, %m: tensor<3x4xf32>, %n: tensor<6x4xf32>) {
  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1] : (!d, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<8>>
  %1 = "stablehlo.reduce_window"(%h, %j) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<6x?xf16>, tensor<f16>) -> tensor<3x?xf32>
  %2 = "stablehlo.select_and_scatter"(%n, %m, %i) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<6x4xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}
func.func @control(%a: !d, %b: tensor<2x4xf32>, %p: tensor<i1>, %i: tensor<i32>, %m: memref<2xf32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : !d
  }, {
    stablehlo.return %b : tensor<2x4xf32>
  }) : (tensor<i1>) -> !d
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %a : !d
  }) : (tensor<i32>) -> !d
  %2 = stablehlo.while(%x = %a) : !d
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %x : !d
  }
  %3 = stablehlo.while(%x = %m) : memref<2xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %x : memref<2xf32>
  }
  %4 = stablehlo.create_token : !stablehlo.token
  %5 = stablehlo.after_all %4, %4 : !stablehlo.token
  %6:2 = stablehlo.optimization_barrier %a, %p : !d, tensor<i1>
  %7 = stablehlo.tuple %a, %4 : tuple<!d, !stablehlo.token>
  %8 = stablehlo.get_tuple_element %7[0] : (tuple<!d, !stablehlo.token>) -> !d
  return
}
func.func @collectives(%a: !d, %f: !stablehlo.future<!d, tensor<i1>>, %t: !stablehlo.token) {
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.replica_id : tensor<ui32>
  %2 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (!d) -> !d
  %3 = "stablehlo.collective_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (!d) -> !d
  %4 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!d) -> tensor<?x2xf32, #stablehlo.bounds<16, ?>>
  %5 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!d) -> !d
  %6 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!d) -> !d
  %7 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (!d) -> !d
  %8:2 = "stablehlo.async_done"(%f) : (!stablehlo.future<!d, tensor<i1>>) -> (!d, tensor<i1>)
  %9 = "stablehlo.outfeed"(%a, %t) : (!d, !stablehlo.token) -> !stablehlo.token
  %10 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!d, !stablehlo.token) -> !stablehlo.token
  return
}
func.func @chlo(%a: !d, %r: tensor<4xf32>, %p: tensor<4xi1>) {
  %0 = chlo.broadcast_compare %a, %r {comparison_direction = #chlo<comparison_direction LT>} : (!d, tensor<4xf32>) -> tensor<?x4xi1, #stablehlo.bounds<8, ?>>
  %1 = chlo.broadcast_complex %a, %r : (!d, tensor<4xf32>) -> tensor<?x4xcomplex<f32>, #stablehlo.bounds<8, ?>>
  %2 = chlo.broadcast_select %p, %a, %r : (tensor<4xi1>, !d, tensor<4xf32>) -> !d
  %3 = "chlo.constant_like"(%a) <{value = 1 : i32}> : (!d) -> tensor<?x4xi32, #stablehlo.bounds<8, ?>>
  %4:2 = chlo.scan(%a) inits(%r) dimension=0 {
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    %z = stablehlo.add %x, %y : tensor<4xf32>
    stablehlo.return %z, %z : tensor<4xf32>, tensor<4xf32>
  } : (!d, tensor<4xf32>) -> (!d, tensor<4xf32>)
  %5:2 = chlo.top_k(%a, k = 2) : !d -> (tensor<?x2xf32, #stablehlo.bounds<8, ?>>, tensor<?x2xi32, #stablehlo.bounds<8, ?>>)
  return
}
)";

/// Elementwise ops of one or two operands of one type, each with a supported
/// type. Ops with other types have a case in kProgram.
std::string uniformOps() {
  using ops::OpKind;
  const std::set<OpKind> others = {OpKind::Abs,
                                   OpKind::Real,
                                   OpKind::Imag,
                                   OpKind::Complex,
                                   OpKind::Compare,
                                   OpKind::Select,
                                   OpKind::Clamp,
                                   OpKind::Convert,
                                   OpKind::ReducePrecision,
                                   OpKind::Map,
                                   OpKind::UniformQuantize,
                                   OpKind::UniformDequantize,
                                   OpKind::ChloConstantLike,
                                   OpKind::ChloBroadcastCompare,
                                   OpKind::ChloBroadcastComplex,
                                   OpKind::ChloBroadcastSelect};
  const std::string bounded = ", #stablehlo.bounds<8, ?>>";
  std::string body;
  for (int i = 0; i < ops::kOpKindCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    const ops::ElementwiseFacts *facts = ops::elementwise_facts(kind);
    if (!facts || others.count(kind))
      continue;
    bool real = facts->elements & ops::kFloat;
    std::string type =
        real ? "tensor<?x4xf32" + bounded : std::string("tensor<?x4xi32>");
    bool test = ops::short_name(kind).starts_with("is_");
    std::string result = test ? "tensor<?x4xi1" + bounded : type;
    std::string value = real ? "%a" : "%b";
    bool two = ops::facts(kind).operands.size() == 2;
    body += "  \"" + std::string(ops::op_name(kind)) + "\"(" + value +
            (two ? ", " + value : "") + ") : (" + type +
            (two ? ", " + type : "") + ") -> " + result + "\n";
  }
  return "func.func private @f(%a: tensor<?x4xf32" + bounded +
         ", %b: tensor<?x4xi32>) {\n" + body + "  return\n}\n";
}

TEST(InferTypes, OnlyInferableOpsClaimIt) {
  Dialects dialects;
  size_t seen = 0;
  for (mlir::RegisteredOperationName name :
       dialects.context.getRegisteredOperations()) {
    llvm::StringRef dialect = name.getDialectNamespace();
    if (dialect != "stablehlo" && dialect != "chlo")
      continue;
    ++seen;
    std::optional<ops::OpKind> kind = opKind(name);
    ASSERT_TRUE(kind) << name.getStringRef().str();
    EXPECT_EQ(name.hasInterface<InferTypeOpInterface>(),
              ops::facts(*kind).inferable)
        << name.getStringRef().str();
  }
  EXPECT_GT(seen, 150u);
}

/// Infers the types of every op of `program` and compares them with the
/// declared ones.
void checkProgram(Dialects &dialects, const std::string &program,
                  std::set<std::string> &seen) {
  auto module = dialects.parse(program);
  ASSERT_TRUE(module);
  module->walk([&](InferTypeOpInterface op) {
    llvm::SmallVector<mlir::Type> types;
    EXPECT_TRUE(mlir::succeeded(op.inferReturnTypes(
        &dialects.context, op.getLoc(), op->getOperands(),
        op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
        op->getRegions(), types)));
    EXPECT_EQ(text(types), text(op->getResultTypes()))
        << op->getName().getStringRef().str();
    seen.insert(op->getName().getStringRef().str());
  });
}

TEST(InferTypes, GivesWhatTheRuleGives) {
  Dialects dialects;
  std::set<std::string> seen;
  checkProgram(dialects, kProgram, seen);
  checkProgram(dialects, uniformOps(), seen);
  for (mlir::RegisteredOperationName name :
       dialects.context.getRegisteredOperations())
    if (opKind(name) && name.hasInterface<InferTypeOpInterface>())
      EXPECT_TRUE(seen.count(name.getStringRef().str()))
          << name.getStringRef().str() << " has no case here";
}

TEST(InferTypes, BuildersNeedNoTypes) {
  Dialects dialects;
  mlir::OpBuilder builder(&dialects.context);
  mlir::Location loc = builder.getUnknownLoc();
  auto module = dialects.parse(
      "func.func private @f(tensor<?x4xf32>, tensor<8x4xf32>, tensor<f32>)");
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  mlir::Block *block = function.addEntryBlock();
  builder.setInsertionPointToStart(block);
  mlir::Value a = block->getArgument(0), b = block->getArgument(1);
  mlir::Value init = block->getArgument(2);
  auto type = [](mlir::Operation *op) { return text(op->getResultTypes()); };
  EXPECT_EQ(type(hlo::AddOp::create(builder, loc, a, b)), "tensor<8x4xf32>");
  EXPECT_EQ(type(hlo::CompareOp::create(builder, loc, a, a,
                                        hlo::ComparisonDirection::LT)),
            "tensor<?x4xi1>");
  EXPECT_EQ(type(hlo::SliceOp::create(
                builder, loc, b, llvm::ArrayRef<int64_t>{1, 0},
                llvm::ArrayRef<int64_t>{7, 4}, llvm::ArrayRef<int64_t>{2, 1})),
            "tensor<3x4xf32>");
  // The reducer region is built after its op.
  EXPECT_EQ(type(hlo::ReduceOp::create(builder, loc, b, init,
                                       llvm::ArrayRef<int64_t>{0})),
            "tensor<4xf32>");
}

TEST(InferTypes, RefusesWithTheLabel) {
  Dialects dialects;
  mlir::OpBuilder builder(&dialects.context);
  mlir::Location loc = builder.getUnknownLoc();
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&dialects.context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  mlir::Block block;
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  auto vector = RankedTensorType::get({2}, builder.getF32Type());
  block.addArguments({scalar, vector}, {loc, loc});
  llvm::SmallVector<mlir::Type> types;
  auto infer = [&](auto op, mlir::ValueRange operands) {
    return decltype(op)::inferReturnTypes(&dialects.context, loc, operands,
                                          /*attributes=*/nullptr,
                                          /*properties=*/nullptr,
                                          /*regions=*/{}, types);
  };
  EXPECT_TRUE(mlir::failed(infer(hlo::AddOp(), block.getArguments())));
  EXPECT_EQ(message, "'stablehlo.add' op lhs f32[] and rhs f32[2] differ in "
                     "shape (C1)");
  EXPECT_TRUE(mlir::failed(infer(hlo::AddOp(), block.getArgument(0))));
  EXPECT_EQ(message, "'stablehlo.add' op has 1 operands, 2 expected");
  EXPECT_TRUE(mlir::failed(infer(hlo::TransposeOp(), block.getArgument(0))));
  EXPECT_EQ(message, "'stablehlo.transpose' lacks an attribute or has one of a "
                     "wrong form");
  EXPECT_TRUE(types.empty());
}

TEST(InferTypes, CompatibleAreTypesThatMayBeTheSame) {
  Dialects dialects;
  auto type = [&](const std::string &name) {
    return mlir::parseType(name, &dialects.context);
  };
  mlir::Type known = type("tensor<2x4xf32>"), open = type("tensor<?x4xf32>");
  mlir::Type bounded = type("tensor<?x4xf32, #stablehlo.bounds<8, ?>>");
  for (mlir::Type a : {known, open, bounded})
    for (mlir::Type b : {known, open, bounded})
      EXPECT_TRUE(hlo::AddOp::isCompatibleReturnTypes(a, b));
  EXPECT_FALSE(
      hlo::AddOp::isCompatibleReturnTypes(known, type("tensor<2xf32>")));
  EXPECT_FALSE(
      hlo::AddOp::isCompatibleReturnTypes(open, type("tensor<?x3xf32>")));
  EXPECT_FALSE(
      hlo::AddOp::isCompatibleReturnTypes(open, type("tensor<?x4xf64>")));
  EXPECT_FALSE(hlo::AddOp::isCompatibleReturnTypes(open, {open, open}));
  mlir::Type storage = type("tensor<2xi8>");
  mlir::Type quantized = type("tensor<2x!quant.uniform<i8:f32, 0.5>>");
  EXPECT_FALSE(hlo::AddOp::isCompatibleReturnTypes(storage, quantized));
  EXPECT_TRUE(hlo::ConstantOp::isCompatibleReturnTypes(storage, quantized));
  EXPECT_TRUE(
      xlac::chlo::ConstantOp::isCompatibleReturnTypes(storage, quantized));
}

} // namespace
} // namespace xlac
