#include "xlac/tensor/recorder.h"

#include <algorithm>
#include <utility>

namespace xlac::frontend {

namespace {

Recorder *installed = nullptr;
thread_local bool recording = true;
/// The operands of the running calls, outermost first. `innermost` is the index
/// of the innermost call's first one. Nothing is recorded outside of calls.
thread_local std::vector<Operand> notes;
thread_local size_t innermost = 0;
thread_local int running = 0;
thread_local uint64_t calls = 0;

} // namespace

void set_recorder(Recorder *recorder) { installed = recorder; }
Recorder *recorder() { return installed; }
bool is_recording() { return recording; }
void set_recording(bool on) { recording = on; }

void note_exactly(Operand operand) { notes.push_back(std::move(operand)); }

std::span<const Operand> recorded_operands() {
  return std::span<const Operand>(notes).subspan(innermost);
}

std::span<const Operand> all_noted_operands() { return notes; }

bool any_requires_grad(std::span<const Operand> operands) {
  return std::any_of(operands.begin(), operands.end(),
                     [](const Operand &o) { return o.tensor->needs_grad(); });
}

bool is_call_running() { return running > 0; }
uint64_t running_call() { return calls; }

OperandScope::OperandScope() : outer_(innermost) {
  innermost = notes.size();
  if (running++ == 0)
    ++calls;
}

OperandScope::~OperandScope() {
  notes.resize(innermost);
  innermost = outer_;
  --running;
}

} // namespace xlac::frontend
