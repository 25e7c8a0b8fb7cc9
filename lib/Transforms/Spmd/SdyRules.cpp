// The rules of custom calls: Shardy's sharding rules, as text such as
// op_sharding_rule<([i, j], [j, k])->([i, k]) {i=8, j=4, k=2} reduction={j}>,
// and batch dimensions.
#include "SpmdRules.h"

using namespace mlir;

namespace xlac::transforms {

namespace {

class SdyRuleReader {
public:
  SdyRuleReader(StringRef text, Operation *op, SpmdRule &rule,
                std::string &problem)
      : rest(text), op(op), rule(rule), problem(problem) {}

  bool read();

private:
  bool fail(const Twine &what) {
    if (problem.empty())
      problem = ("has a sharding rule that " + what).str();
    return false;
  }
  bool take(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  /// Reads the name of a factor: i, j, … z, z_1, z_2, …
  bool takeFactor(unsigned &factor);
  bool readTensors(SmallVector<DimFactors> &tensors);
  bool readSizes();
  bool readLists();
  /// Checks the dimensions of a value, and adds them to the rule.
  bool addDims(Value value, const DimFactors &read, DimFactors &dims);

  /// More factors than any tensors have.
  static constexpr unsigned kMostFactors = 1 << 16;

  StringRef rest;
  Operation *op;
  SpmdRule &rule;
  std::string &problem;
  SmallVector<int64_t> sizes;
  SmallVector<bool> replicated; ///< factors that must not be sharded
};

} // namespace

bool SdyRuleReader::takeFactor(unsigned &factor) {
  rest = rest.ltrim();
  if (rest.empty() || rest.front() < 'i' || rest.front() > 'z')
    return false;
  factor = rest.front() - 'i';
  rest = rest.drop_front();
  unsigned number = 0;
  if (!rest.consume_front("_"))
    return true;
  if (rest.consumeInteger(10, number) || number > kMostFactors)
    return false;
  factor += number;
  return true;
}

/// Reads `([i, jk], [j])`.
bool SdyRuleReader::readTensors(SmallVector<DimFactors> &tensors) {
  if (!take("("))
    return fail("lacks a list of tensors");
  while (!take(")")) {
    if (!take("["))
      return fail("has a tensor without dimensions");
    DimFactors &dims = tensors.emplace_back();
    while (!take("]")) {
      unsigned factor = 0;
      auto &dim = dims.emplace_back();
      while (takeFactor(factor))
        dim.push_back(factor);
      if (dim.empty())
        return fail("has a dimension without factors");
      take(",");
    }
    take(",");
  }
  return true;
}

/// Reads `{i=8, j=4}`.
bool SdyRuleReader::readSizes() {
  if (!take("{"))
    return true;
  while (!take("}")) {
    unsigned factor = 0;
    int64_t size = 0;
    if (!takeFactor(factor) || factor != sizes.size() || !take("=") ||
        rest.consumeInteger(10, size) || size < 1)
      return fail("has factors without sizes");
    sizes.push_back(size);
    take(",");
  }
  return true;
}

/// Reads `reduction={j} need_replication={k} …, custom>`.
bool SdyRuleReader::readLists() {
  replicated.assign(sizes.size(), false);
  while (!take(">")) {
    if (take(",") && take("custom"))
      continue;
    StringRef name = rest.take_until([](char c) { return c == '='; });
    rest = rest.drop_front(name.size());
    if (!take("=") || !take("{"))
      return fail("does not end");
    while (!take("}")) {
      unsigned factor = 0;
      if (!takeFactor(factor) || factor >= sizes.size())
        return fail("names factors that it does not have");
      if (name.trim() == "need_replication")
        replicated[factor] = true;
      take(",");
    }
  }
  return rest.trim().empty() || fail("has text after its end");
}

bool SdyRuleReader::addDims(Value value, const DimFactors &read,
                            DimFactors &dims) {
  RankedTensorType type = shardableType(value);
  if (!type || type.getRank() != int64_t(read.size()))
    return fail("has other dimensions than its tensors");
  dims.resize(read.size());
  SmallVector<bool> seen(sizes.size(), false);
  for (auto [d, factors] : llvm::enumerate(read)) {
    int64_t product = 1;
    for (unsigned factor : factors) {
      if (factor >= sizes.size() || seen[factor])
        return fail("names a factor twice in a tensor, or one without a size");
      seen[factor] = true;
      if (llvm::MulOverflow(product, sizes[factor], product))
        return fail("has factors that are too large");
      if (factors.size() > 1)
        rule.factors[factor].pads = false;
    }
    if (product != type.getDimSize(d))
      return fail("has factors of other sizes than the dimensions of its "
                  "tensors");
    // A faster factor can be sharded only if all slower ones are.
    for (unsigned factor : factors) {
      if (replicated[factor])
        break;
      dims[d].push_back(factor);
    }
  }
  return true;
}

bool SdyRuleReader::read() {
  SmallVector<DimFactors> operands, results;
  if (!take("op_sharding_rule") || !take("<") || !readTensors(operands) ||
      !take("->") || !readTensors(results) || !readSizes() || !readLists())
    return fail("cannot be read");
  if (operands.size() != op->getNumOperands() ||
      results.size() != op->getNumResults())
    return fail("has another number of tensors than the op");
  for (int64_t size : sizes)
    rule.addFactor(size);
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (!addDims(value, operands[i], rule.operands[i]))
      return false;
  for (auto [i, value] : llvm::enumerate(op->getResults()))
    if (!addDims(value, results[i], rule.results[i]))
      return false;
  return true;
}

void addBatchDims(Operation *op, int64_t count, SpmdRule &rule) {
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  RankedTensorType first;
  for (Value value : values) {
    RankedTensorType type = shardableType(value);
    if (!type || type.getRank() < count)
      return;
    if (!first)
      first = type;
    if (type.getShape().take_front(count) != first.getShape().take_front(count))
      return;
  }
  for (int64_t d = 0; first && d < count; ++d) {
    // The function would compute on the contents of padding.
    unsigned factor = rule.addFactor(first.getDimSize(d), SpmdFactor::Parallel,
                                     /*pads=*/false);
    for (SmallVector<DimFactors> *list : {&rule.operands, &rule.results})
      for (DimFactors &dims : *list)
        dims[d] = {factor};
  }
}

bool addSdyRule(StringRef text, Operation *op, SpmdRule &rule,
                std::string &problem) {
  return SdyRuleReader(text, op, rule, problem).read();
}

} // namespace xlac::transforms
