#include "tape.h"

#include "xlac/support/fork.h"

#include <mutex>
#include <new>

namespace xlac::autograd {

using frontend::TensorAccess;
using xlac::detail::TensorImpl;

namespace {

/// Guards state that is created on first use by any thread.
ForkMutex &lazy_mutex() {
  static ForkMutex mutex;
  return mutex;
}

constexpr uint64_t kLeafSequence = UINT64_MAX;

/// Adds the incoming gradient to a leaf's `grad`.
class AccumulateGrad final : public GradNode {
public:
  explicit AccumulateGrad(const Tensor &leaf)
      : leaf_(TensorAccess::impl(leaf)) {
    sequence = kLeafSequence;
    outputs = {grad_type(leaf)};
  }
  std::string name() const override { return "AccumulateGrad"; }
  bool stores() const override { return true; }
  std::vector<Tensor> apply(std::vector<Tensor> grads) override {
    if (!grads[0].defined())
      return {};
    Tensor leaf = TensorAccess::wrap(leaf_);
    State &state = state_of(leaf);
    if (!state.grad.defined())
      state.grad = is_grad_enabled() ? grads[0].clone() : grads[0].detach();
    else if (is_grad_enabled())
      state.grad = state.grad + grads[0];
    else
      state.grad += grads[0];
    return {};
  }

private:
  std::shared_ptr<TensorImpl> leaf_;
};

} // namespace

GradType grad_type(const Tensor &tensor) {
  return {tensor.dtype(), tensor.device(), tensor.sizes()};
}

static std::atomic<uint64_t> nodes_made{0};

GradNode::GradNode() : sequence(nodes_made++) {}
uint64_t next_sequence() { return nodes_made; }

GradNode::~GradNode() {
  // Dropping an edge may destroy its node and call this destructor again. The
  // outermost call destroys all of them, so that the recursion depth is
  // bounded.
  thread_local std::vector<Edge> *waiting = nullptr;
  if (waiting) {
    // If the list cannot grow, the edges are dropped recursively.
    try {
      for (Edge &edge : edges)
        waiting->push_back(std::move(edge));
    } catch (const std::bad_alloc &) {
    }
    return;
  }
  std::vector<Edge> list = std::move(edges);
  waiting = &list;
  while (!list.empty()) {
    Edge last = std::move(list.back());
    list.pop_back();
  }
  waiting = nullptr;
}

State &state_of(TensorImpl &impl) {
  std::lock_guard lock(lazy_mutex());
  if (!impl.autograd)
    impl.autograd = std::make_unique<State>();
  return static_cast<State &>(*impl.autograd);
}

State &state_of(const Tensor &tensor) {
  return state_of(frontend::impl_of(tensor));
}

/// For a view that was written to through its base or another view: makes its
/// value a function of the base's current value.
static void follow_base(const Tensor &view, TensorImpl &impl, State &state) {
  if (state.from_function)
    raise<UserError>(
        "the tensor is a view that an autograd::Function returned, "
        "and its base or another view of its base has been "
        "modified inplace. Clone the output of the function.");
  Tensor base = TensorAccess::wrap(impl.base);
  Saved saved = save_shape(base);
  graph::Value shown = saved.value;
  for (size_t i = impl.base->steps.size(); i < impl.steps.size(); ++i)
    shown = impl.steps[i].apply(shown);
  record_call("AsStridedBackward0", {saved}, {shown}, {view});
  impl.recorded_at = impl.version();
  state.one_of_several = false;
}

Edge gradient_edge(const Tensor &tensor) {
  TensorImpl &impl = frontend::impl_of(tensor);
  if (!impl.needs_grad())
    return {};
  State &state = state_of(impl);
  if (impl.base && impl.base->requires_grad &&
      impl.recorded_at != impl.version())
    follow_base(tensor, impl, state);
  if (state.edge)
    return state.edge;
  std::lock_guard lock(lazy_mutex());
  std::shared_ptr<GradNode> node = state.accumulator.lock();
  if (!node) {
    node = std::make_shared<AccumulateGrad>(tensor);
    for (const Hook &hook : state.leaf_hooks)
      node->hooks.push_back({0, hook});
    state.accumulator = node;
  }
  return {node, 0};
}

Saved save(const Tensor &tensor, graph::Value value) {
  TensorImpl &impl = frontend::impl_of(tensor);
  Saved saved;
  saved.value = std::move(value);
  saved.edge = gradient_edge(tensor);
  saved.type = grad_type(tensor);
  saved.tensor = TensorAccess::impl(tensor);
  saved.counter = impl.version_counter();
  saved.version = impl.version();
  return saved;
}

Saved save_shape(const Tensor &tensor) {
  TensorType type{lazy::element_type(tensor.dtype()), tensor.sizes(), {}, {}};
  Saved saved =
      save(tensor, {graph::Node::make_parameter(Type(std::move(type))), 0});
  saved.checked = false;
  return saved;
}

std::string backward_name(const char *call) {
  struct Special {
    std::string_view call, name;
  };
  // Calls whose PyTorch node has a different name than the function.
  static constexpr Special specials[] = {
      {"batch_norm", "NativeBatchNorm"},
      {"conv1d", "Convolution"},
      {"conv2d", "Convolution"},
      {"conv3d", "Convolution"},
      {"conv_transpose1d", "Convolution"},
      {"conv_transpose2d", "Convolution"},
      {"conv_transpose3d", "Convolution"},
      {"cross_entropy", "NllLoss"},
      {"flatten", "View"},
      {"layer_norm", "NativeLayerNorm"},
      {"linear", "Addmm"},
      {"matmul", "Mm"},
      {"max_pool2d", "MaxPool2DWithIndices"},
      {"operator[]", "Select"},
      {"reshape", "View"},
      {"to", "ToCopy"},
      {"true_divide", "Div"},
  };
  std::string_view text = call ? call : "function";
  for (const Special &special : specials)
    if (special.call == text)
      return std::string(special.name) + "Backward0";
  std::string name;
  bool upper = true;
  for (char c : text) {
    if (c == '_' || c == '.') {
      upper = true;
      continue;
    }
    name +=
        upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return name + "Backward0";
}

} // namespace xlac::autograd
