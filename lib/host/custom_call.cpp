#include "xlac/host/custom_call.h"

#include "op_context.h"

#include <atomic>

namespace xlac::host {

static std::atomic<CustomCallEvaluator> installed{nullptr};

void set_custom_call_evaluator(CustomCallEvaluator evaluator) {
  installed = evaluator;
}

bool can_run_custom_calls() { return installed != nullptr; }

Result<Literals> evaluate_custom_call(OpContext &context) {
  return installed.load()(context.attributes<ops::CustomCallAttributes>(),
                          context.operands, context.results);
}

} // namespace xlac::host
