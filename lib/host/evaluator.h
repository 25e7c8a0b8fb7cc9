// The evaluator behind evaluate.h: blocks, nodes, and regions over scalars.
#pragma once

#include "op_context.h"

#include <unordered_map>

namespace xlac::host {

/// Values of one block during evaluation; values of outer blocks are visible.
class Environment {
public:
  explicit Environment(const Environment *parent) : parent_(parent) {}

  /// Null if the value was never set.
  const Datum *find(const graph::Value &value) const;
  void set(const graph::Node *node, std::vector<Datum> values) {
    values_[node] = std::move(values);
  }
  /// After this, drop_uses frees values that no later node of `block` uses.
  void count_uses(const graph::Block &block);
  void drop_uses(const graph::Node &node);

private:
  const Environment *parent_;
  std::unordered_map<const graph::Node *, std::vector<Datum>> values_;
  std::unordered_map<const graph::Node *, int64_t> uses_;
};

class Evaluator {
public:
  Result<std::vector<Datum>> run_block(const graph::Block &block,
                                       std::vector<Datum> arguments,
                                       const Environment *outer);

private:
  class Regions : public RegionRunner {
  public:
    Regions(Evaluator &evaluator, const Environment *outer)
        : evaluator_(evaluator), outer_(outer) {}
    Result<std::vector<Datum>> run(const graph::Block &block,
                                   std::vector<Datum> arguments) override;
    Result<Literals> run_lifted(const graph::Block &block,
                                const Literals &arguments,
                                int64_t count) override;

  private:
    Result<std::vector<Datum>> run_lifted_node(const graph::Node &node,
                                               Environment &environment);
    Result<Literals> run_each(const graph::Block &block,
                              const Literals &arguments, int64_t count);

    Evaluator &evaluator_;
    const Environment *outer_;
  };

  Result<std::vector<Datum>> run_node(const graph::Node &node,
                                      Environment &environment);
  Result<Literals> run_family(const graph::Node &node, const Literals &operands,
                              std::vector<TensorType> types,
                              Environment &environment);
  Result<Literals> run_expressed(const graph::Node &node, Literals operands,
                                 std::vector<TensorType> types,
                                 Environment &environment);
  Result<std::vector<TensorType>> result_types(const graph::Node &node,
                                               const Literals &operands);
  Result<std::vector<Datum>> run_structural(const graph::Node &node,
                                            std::vector<Datum> operands,
                                            Environment &environment);
  Result<std::vector<Datum>> run_while(const graph::Node &node,
                                       std::vector<Datum> values,
                                       Environment &environment);
};

/// Result types of `node` for these operands, if declared types have unknown
/// sizes.
Result<std::vector<TensorType>> infer_types(const graph::Node &node,
                                            const Literals &operands);

/// bitcast_convert, rng and rng_bit_generator.
Result<Literals> evaluate_bits(OpContext &context);

} // namespace xlac::host
