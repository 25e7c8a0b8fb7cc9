#include "DescribeCollectives.h"

#include "DescribeHostFunction.h"

#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/Import/Import.h"
#include "xlac/support/program_names.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using llvm::Error;
using llvm::StringRef;

namespace xlac::compiler {

static Error readTypes(ArrayAttr types, std::vector<TensorType> &into) {
  for (mlir::Type type : types.getAsValueRange<TypeAttr>()) {
    std::optional<xlac::Type> plain = convertType(type);
    if (!plain || !plain->is_tensor() || !plain->tensor().byte_count())
      return llvm::createStringError(
          std::make_error_code(std::errc::not_supported),
          "a collective takes a value that no buffer can hold");
    into.push_back(plain->tensor());
  }
  return Error::success();
}

static Error readReducers(ir::CollectiveOp op,
                          const codegen::KernelTable &table,
                          runtime::Collective &what) {
  std::optional<ArrayAttr> names = op.getReducers();
  if (!names)
    return Error::success();
  for (auto name : names->getAsRange<FlatSymbolRefAttr>()) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<ir::KernelOp>(op, name);
    auto place = table.find(name.getValue());
    if (!kernel || place == table.end())
      return llvm::createStringError("a collective reduces by @" +
                                     name.getValue() +
                                     ", which is not a kernel");
    ir::ScheduleAttr schedule = kernel.getSchedule();
    if (schedule.getWorkspace() > 0)
      return llvm::createStringError("a collective reduces by @" +
                                     name.getValue() +
                                     ", which needs a workspace");
    runtime::CollectiveReducer reducer;
    reducer.kernel = place->second.entry;
    reducer.tasks.assign(schedule.getTasks().begin(),
                         schedule.getTasks().end());
    auto piece =
        cast<RankedTensorType>(kernel.getBody().getArgument(0).getType());
    reducer.elements = std::max<int64_t>(piece.getNumElements(), 1);
    what.reducers.push_back(std::move(reducer));
  }
  return Error::success();
}

/// The values of both enums are equal.
static_assert(int(ir::CollectiveKind::CustomCall) ==
                  int(runtime::CollectiveKind::CustomCall) &&
              ir::getMaxEnumValForCollectiveKind() + 1 ==
                  runtime::kCollectiveKindCount);
static_assert(ir::getMaxEnumValForProcessGrouping() + 1 ==
              runtime::kProcessGroupingCount);

static runtime::Collective convert(ir::CollectiveAttr attribute) {
  runtime::Collective what;
  what.kind = static_cast<runtime::CollectiveKind>(attribute.getKind());
  what.grouping =
      static_cast<runtime::ProcessGrouping>(attribute.getGrouping());
  what.channel = attribute.getChannel();
  what.dimension = attribute.getDimension();
  what.concat_dimension = attribute.getConcat();
  what.dynamic_root = attribute.getDynamicRoot();
  what.host = attribute.getHost();
  what.fill.assign(attribute.getFill().begin(), attribute.getFill().end());
  what.body = attribute.getBody();
  ArrayRef<int64_t> ids = attribute.getGroups();
  int64_t columns = std::max<int64_t>(attribute.getColumns(), 1);
  for (size_t row = 0; row * columns < ids.size(); ++row) {
    ArrayRef<int64_t> group = ids.drop_front(row * columns).take_front(columns);
    what.groups.emplace_back(group.begin(), group.end());
  }
  return what;
}

Error describeCollectives(ir::ProgramOp entry,
                          const codegen::KernelTable &table,
                          runtime::ExecutableImage &image) {
  SmallVector<ir::CollectiveOp> found;
  entry.walk([&](ir::CollectiveOp op) { found.push_back(op); });
  image.collectives.resize(found.size());
  for (ir::CollectiveOp op : found) {
    if (op.getIndex() >= found.size())
      return llvm::createStringError("collectives are not numbered in one row");
    runtime::Collective &what = image.collectives[op.getIndex()];
    what = convert(op.getWhat());
    what.function = describeHostFunction(op.getWhat(), op.getLoc());
    if (Error error = readTypes(op.getOperandTypes(), what.operands))
      return error;
    if (Error error = readTypes(op.getResultTypes(), what.results))
      return error;
    if (Error error = readReducers(op, table, what))
      return error;
  }
  return Error::success();
}

void describeSignature(ModuleOp module, runtime::ExecutableImage &image) {
  if (auto donated =
          module->getAttrOfType<DenseI64ArrayAttr>(names::kDonatedArguments))
    for (int64_t argument : donated.asArrayRef())
      image.donated.push_back(static_cast<uint32_t>(argument));
  if (auto kinds = module->getAttrOfType<ArrayAttr>(names::kMemoryKinds))
    for (auto kind : kinds.getAsRange<StringAttr>())
      image.memory_kinds.push_back(kind.getValue().str());
  auto orders = [&](StringRef name, std::vector<std::vector<int64_t>> &into) {
    if (auto all = module->getAttrOfType<ArrayAttr>(name))
      for (auto order : all.getAsRange<DenseI64ArrayAttr>())
        into.push_back(order.asArrayRef().vec());
  };
  orders(names::kArgumentLayouts, image.argument_layouts);
  orders(names::kResultLayouts, image.result_layouts);
}

Error describePartitions(ModuleOp module, runtime::ExecutableImage &image) {
  auto texts = [&](StringRef name, std::vector<Sharding> &into) -> Error {
    auto all = module->getAttrOfType<ArrayAttr>(name);
    for (auto text : all.getAsRange<StringAttr>()) {
      auto sharding = parse_sharding(text.getValue().str());
      if (!sharding)
        return llvm::createStringError(sharding.error().message);
      into.push_back(std::move(*sharding));
    }
    return Error::success();
  };
  auto types = [&](StringRef name, std::vector<xlac::Type> &into) -> Error {
    auto all = module->getAttrOfType<ArrayAttr>(name);
    for (mlir::Type type : all.getAsValueRange<TypeAttr>()) {
      std::optional<xlac::Type> plain = convertType(type);
      if (!plain)
        return llvm::createStringError(
            std::make_error_code(std::errc::not_supported),
            "the program's signature has no buffer form");
      into.push_back(std::move(*plain));
    }
    return Error::success();
  };
  if (!module->hasAttr(names::kArgumentShardings))
    return Error::success();
  image.partitions = image.grid.partitions;
  if (Error error = texts(names::kArgumentShardings, image.argument_shardings))
    return error;
  if (Error error = texts(names::kResultShardings, image.result_shardings))
    return error;
  if (Error error = types(names::kGlobalArguments, image.global_arguments))
    return error;
  return types(names::kGlobalResults, image.global_results);
}

runtime::GridShape gridOf(ModuleOp module) {
  auto count = [&](StringRef name) {
    auto attribute = module->getAttrOfType<IntegerAttr>(name);
    bool fits = attribute && attribute.getValue().isSignedIntN(31);
    int64_t number = fits ? attribute.getValue().getSExtValue() : 1;
    return static_cast<int>(std::max<int64_t>(number, 1));
  };
  return {count(names::kReplicaCount), count(names::kPartitionCount)};
}

} // namespace xlac::compiler
