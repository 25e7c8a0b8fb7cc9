#include "engine.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace xlac::autograd {

namespace {

class BackwardPass {
public:
  explicit BackwardPass(const Request &request) : request_(request) {
    for (const Edge &input : request.inputs)
      inputs_.insert(input.node.get());
  }
  std::vector<Tensor> run();

private:
  void explore();
  void find_needed();
  void add(const Edge &edge, const Tensor &grad);
  void visit(GradNode &node);
  void run_hooks(GradNode &node, std::vector<Tensor> &grads);
  bool ends_at(const GradNode *node) const {
    return request_.ends_at_inputs && inputs_.contains(node);
  }
  bool is_needed(const GradNode *node) const {
    return request_.inputs.empty() || needed_.contains(node);
  }

  struct Later {
    bool operator()(const std::shared_ptr<GradNode> &a,
                    const std::shared_ptr<GradNode> &b) const {
      return a->sequence < b->sequence;
    }
  };

  const Request &request_;
  /// In topological order: each node follows the nodes at the ends of its
  /// edges.
  std::vector<std::shared_ptr<GradNode>> order_;
  std::unordered_map<const GradNode *, size_t> waits_for_;
  std::unordered_set<const GradNode *> inputs_, needed_;
  std::unordered_map<const GradNode *, std::vector<Tensor>> arrived_;
  std::priority_queue<std::shared_ptr<GradNode>,
                      std::vector<std::shared_ptr<GradNode>>, Later>
      ready_;
  std::vector<Tensor> captured_;
  /// Writes to `grad` of tensors, executed once all gradients are computed.
  struct Store {
    std::shared_ptr<GradNode> node;
    std::function<void()> write;
  };
  std::vector<Store> stores_;
};

void BackwardPass::explore() {
  struct Frame {
    std::shared_ptr<GradNode> node;
    size_t next = 0;
  };
  std::unordered_set<const GradNode *> seen;
  std::vector<Frame> stack;
  for (const Edge &root : request_.roots) {
    if (!seen.insert(root.node.get()).second)
      continue;
    stack.push_back({root.node, 0});
    while (!stack.empty()) {
      Frame &frame = stack.back();
      if (frame.next == frame.node->edges.size() || ends_at(frame.node.get())) {
        order_.push_back(frame.node);
        stack.pop_back();
        continue;
      }
      const Edge &edge = frame.node->edges[frame.next++];
      if (!edge)
        continue;
      ++waits_for_[edge.node.get()];
      if (seen.insert(edge.node.get()).second)
        stack.push_back({edge.node, 0});
    }
  }
}

void BackwardPass::find_needed() {
  needed_ = inputs_;
  for (const std::shared_ptr<GradNode> &node : order_)
    if (std::any_of(node->edges.begin(), node->edges.end(), [&](const Edge &e) {
          return e && needed_.contains(e.node.get());
        }))
      needed_.insert(node.get());
}

void BackwardPass::add(const Edge &edge, const Tensor &grad) {
  std::vector<Tensor> &slots = arrived_[edge.node.get()];
  slots.resize(edge.node->outputs.size());
  if (!grad.defined())
    return;
  const GradType &type = edge.node->outputs[edge.output];
  if (grad.sizes() != type.sizes)
    raise<ShapeError>("a gradient of shape " + frontend::to_text(grad.sizes()) +
                      " arrived for a result of shape " +
                      frontend::to_text(type.sizes) + " of " +
                      edge.node->name());
  Tensor fitting = grad.to(type.dtype);
  Tensor &slot = slots[edge.output];
  slot = slot.defined() ? slot + fitting : fitting;
}

void BackwardPass::run_hooks(GradNode &node, std::vector<Tensor> &grads) {
  for (const GradNode::OutputHook &hook : node.hooks) {
    Tensor &grad = grads[hook.output];
    if (!grad.defined())
      continue;
    Tensor replaced = hook.hook(grad);
    if (replaced.defined())
      grad = replaced;
  }
  for (const GradNode::OutputHook &keeper : node.keepers)
    if (Tensor &grad = grads[keeper.output]; grad.defined())
      stores_.push_back({node.shared_from_this(),
                         [hook = keeper.hook, grad] { hook(grad); }});
}

void BackwardPass::visit(GradNode &node) {
  std::vector<Tensor> grads = std::move(arrived_[&node]);
  arrived_.erase(&node);
  grads.resize(node.outputs.size());
  bool ends = ends_at(&node);
  if (!ends)
    run_hooks(node, grads);
  bool is_input = false, continues = request_.inputs.empty();
  for (size_t i = 0; i < request_.inputs.size(); ++i)
    if (request_.inputs[i].node.get() == &node) {
      captured_[i] = grads[request_.inputs[i].output];
      is_input = true;
    }
  if (ends)
    return;
  for (const Edge &edge : node.edges)
    continues |= edge && needed_.contains(edge.node.get());
  std::vector<Tensor> passed(node.edges.size());
  bool any = std::any_of(grads.begin(), grads.end(),
                         [](const Tensor &g) { return g.defined(); });
  bool ends_here = is_input && node.edges.empty();
  if (any && continues && !ends_here && node.stores()) {
    stores_.push_back(
        {node.shared_from_this(),
         [&node, grads = std::move(grads)] { node.apply(grads); }});
  } else if (any && continues && !ends_here) {
    std::lock_guard lock(node.mutex);
    passed = node.apply(std::move(grads));
    passed.resize(node.edges.size());
    if (!request_.retain_graph)
      node.release();
  }
  for (size_t i = 0; i < node.edges.size(); ++i) {
    const Edge &edge = node.edges[i];
    if (!edge)
      continue;
    if (is_needed(edge.node.get()))
      add(edge, passed[i]);
    if (--waits_for_[edge.node.get()] == 0 && is_needed(edge.node.get()))
      ready_.push(edge.node);
  }
}

std::vector<Tensor> BackwardPass::run() {
  explore();
  find_needed();
  captured_.resize(request_.inputs.size());
  for (size_t i = 0; i < request_.roots.size(); ++i)
    if (is_needed(request_.roots[i].node.get()))
      add(request_.roots[i], request_.grads[i]);
  std::unordered_set<const GradNode *> begun;
  for (const Edge &root : request_.roots)
    if (waits_for_[root.node.get()] == 0 && is_needed(root.node.get()) &&
        begun.insert(root.node.get()).second)
      ready_.push(root.node);
  while (!ready_.empty()) {
    std::shared_ptr<GradNode> node = ready_.top();
    ready_.pop();
    visit(*node);
  }
  for (const Store &store : stores_) {
    std::lock_guard lock(store.node->mutex);
    store.write();
  }
  return std::move(captured_);
}

} // namespace

std::vector<Tensor> run_backward(const Request &request) {
  AutoGradMode mode(request.create_graph);
  return BackwardPass(request).run();
}

} // namespace xlac::autograd
