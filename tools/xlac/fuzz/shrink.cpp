#include "fuzz/shrink.h"

#include <algorithm>

namespace xlac::fuzz {
namespace {

class Shrinker {
public:
  Shrinker(Shrunk &best, const ProgramLimits &limits,
           const std::function<Outcome(const Case &)> &runs, int max_attempts)
      : best_(best), limits_(limits), runs_(runs), max_attempts_(max_attempts) {
  }

  void run() {
    bool shorter = true;
    while (shorter && left()) {
      shorter = drop_ops();
      shorter |= lower_choices();
    }
    keep_one_result();
    // The evaluator handles one process only.
    if (best_.smallest.grid.count() > 1)
      return;
    cut_above();
    simplify_inputs();
  }

private:
  bool left() const { return best_.attempts < max_attempts_; }

  bool try_case(Case candidate) {
    if (!left())
      return false;
    ++best_.attempts;
    Outcome outcome = run_apart([&] { return runs_(candidate); });
    if (!outcome.failed() || !outcome.resembles(best_.outcome))
      return false;
    best_.smallest = std::move(candidate);
    best_.outcome = outcome;
    return true;
  }

  /// Tries the program of `choices`, unless its generation crashes.
  bool try_choices(const Choices &choices) {
    if (!left() || choices == best_.smallest.choices)
      return false;
    Outcome dry = run_apart([&] {
      generate(Random(choices), limits_);
      return Outcome{};
    });
    if (dry.failed())
      return false;
    return try_case(generate(Random(choices), limits_));
  }

  /// Removes the choices of one op after another, the last op first, and
  /// decrements the op count.
  bool drop_ops() {
    bool any = false;
    for (size_t i = best_.smallest.steps.size(); i-- > 1;) {
      const Case &now = best_.smallest;
      if (i >= now.steps.size() || now.steps.size() <= 2)
        continue;
      Choices choices = now.choices;
      choices.erase(choices.begin() + static_cast<ptrdiff_t>(now.steps[i - 1]),
                    choices.begin() + static_cast<ptrdiff_t>(now.steps[i]));
      // The op count is the choice just before the first op.
      uint32_t &count = choices[now.steps[0] - 1];
      count = static_cast<uint32_t>(now.steps.size()) - 3;
      any |= try_choices(choices);
    }
    return any;
  }

  /// Sets each choice to 0 or halves it: one process, smaller sizes, simpler
  /// types.
  bool lower_choices() {
    bool any = false;
    for (size_t i = 0; i < best_.smallest.choices.size() && left(); ++i) {
      if (best_.smallest.choices[i] == 0)
        continue;
      Choices choices = best_.smallest.choices;
      choices[i] = 0;
      if (try_choices(choices)) {
        any = true;
        continue;
      }
      if (i >= best_.smallest.choices.size() || best_.smallest.choices[i] < 2)
        continue;
      choices = best_.smallest.choices;
      choices[i] /= 2;
      any |= try_choices(choices);
    }
    return any;
  }

  /// Returns the results of the smallest case and their computed values.
  Terms results() const {
    Terms terms;
    const Case &now = best_.smallest;
    const auto &roots = now.program.entry_function()->body.results;
    for (size_t i = 0; i < roots.size(); ++i) {
      Term &term = terms.emplace_back(Term{roots[i], now.expected[i]});
      for (const Process &peer : now.peers)
        term.peers.push_back(peer.expected[i]);
    }
    return terms;
  }

  void keep_one_result() {
    Terms all = results();
    for (size_t i = 0; all.size() > 1 && i < all.size(); ++i) {
      Case candidate = make_case({all[i]}, best_.smallest.grid);
      if (try_case(std::move(candidate)))
        return;
    }
  }

  /// Replaces operands of the last op by arguments with the same values.
  void cut_above() {
    Terms all = results();
    if (all.size() != 1 || all[0].value.node->kind() != graph::NodeKind::Op)
      return;
    const graph::Node &last = *all[0].value.node;
    if (!graph::captures(last).empty())
      return;
    std::vector<graph::Value> operands(last.operands().begin(),
                                       last.operands().end());
    for (graph::Value &operand : operands) {
      if (operand.node->kind() != graph::NodeKind::Op)
        continue;
      Result<std::vector<host::Literal>> data =
          host::evaluate(std::span(&operand, 1));
      if (!data)
        continue;
      graph::Value kept = operand;
      operand = {
          graph::Node::make_parameter(
              operand.type(), std::make_shared<host::HostData>((*data)[0])),
          0};
      if (!try_case(make_case(
              {{rebuilt(last, operands, all[0].value.number), all[0].checked}},
              {})))
        operand = kept;
    }
  }

  static graph::Value rebuilt(const graph::Node &node,
                              const std::vector<graph::Value> &operands,
                              uint32_t number) {
    return {
        graph::Node::make_op(node.op(), node.attributes(), operands,
                             {node.types().begin(), node.types().end()},
                             {node.regions().begin(), node.regions().end()},
                             {node.callees().begin(), node.callees().end()}),
        number};
  }

  /// Tries inputs of zeros and ones. Only if all results are exact, since a
  /// radius is valid for the original inputs only.
  void simplify_inputs() {
    for (size_t i = 0; i < best_.smallest.inputs.size(); ++i)
      for (double value : {0.0, 1.0})
        if (left() && try_input(i, value))
          break;
  }

  bool try_input(size_t i, double value) {
    Case candidate = best_.smallest;
    if (!std::all_of(candidate.expected.begin(), candidate.expected.end(),
                     [](const Checked &one) { return one.exact(); }))
      return false;
    TensorType type = candidate.inputs[i].type();
    Result<host::Literal> plain = host::Literal::allocate(type);
    if (!plain)
      return false;
    auto whole = static_cast<int64_t>(value);
    std::complex<double> both(value, 0);
    for (int64_t k = 0; k < plain->count(); ++k) {
      if (is_complex(type.element))
        host::store(*plain, k, 1, &both);
      else if (is_float(type.element))
        host::store(*plain, k, 1, &value);
      else
        host::store(*plain, k, 1, &whole);
    }
    candidate.inputs[i] = *plain;
    auto expected = host::evaluate(candidate.program, candidate.inputs);
    if (!expected)
      return false;
    for (size_t k = 0; k < expected->size(); ++k)
      candidate.expected[k].data = (*expected)[k];
    return try_case(std::move(candidate));
  }

  Shrunk &best_;
  ProgramLimits limits_;
  const std::function<Outcome(const Case &)> &runs_;
  int max_attempts_;
};

} // namespace

Shrunk shrink(Case failing, const Outcome &outcome, const ProgramLimits &limits,
              const std::function<Outcome(const Case &)> &runs,
              int max_attempts) {
  Shrunk best{std::move(failing), outcome, 0};
  Shrinker(best, limits, runs, max_attempts).run();
  return best;
}

} // namespace xlac::fuzz
