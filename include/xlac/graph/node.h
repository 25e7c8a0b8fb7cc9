// The traced program as plain data. Each node is one StableHLO op and refers to
// its operands. A node is immutable once it is shared. It has an intrusive
// reference count, so that it takes one allocation. Destroying a chain of any
// length does not recurse.
#pragma once

#include "xlac/ops/attributes.h"
#include "xlac/ops/infer.h"
#include "xlac/ops/op.h"
#include "xlac/support/fast_hash.h"
#include "xlac/support/tensor_type.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace xlac::graph {

class Node;
struct Function;
using FunctionRef = std::shared_ptr<const Function>;

/// A counted reference to a node. Threads may hold copies independently.
class NodeRef {
public:
  NodeRef() = default;
  /// Shares ownership of `node`, which may be null.
  explicit NodeRef(const Node *node);
  NodeRef(const NodeRef &other) : NodeRef(other.node_) {}
  NodeRef(NodeRef &&other) noexcept : node_(other.node_) {
    other.node_ = nullptr;
  }
  NodeRef &operator=(NodeRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~NodeRef();

  const Node *get() const { return node_; }
  const Node &operator*() const { return *node_; }
  const Node *operator->() const { return node_; }
  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const NodeRef &) const = default;

private:
  const Node *node_ = nullptr;
};

/// One result of a node.
struct Value {
  NodeRef node;
  uint32_t number = 0;

  const Type &type() const;
  /// The type, which must be a tensor type.
  const TensorType &tensor() const;
  explicit operator bool() const { return static_cast<bool>(node); }
  bool operator==(const Value &) const = default;
};

/// A list of nodes with arguments and results: the body of a function or a
/// region of an op. `nodes` is in topological order. Values of enclosing blocks
/// may be used too.
struct Block {
  std::vector<NodeRef> arguments; ///< nodes of kind Parameter
  std::vector<NodeRef> nodes;
  std::vector<Value> results;
};

/// Data that the owner of a graph attaches to a parameter.
class ParameterData {
public:
  virtual ~ParameterData() = default;
};

/// What the owner of a graph keeps with an op. It is no part of the program:
/// no key, text or compiled code depends on it.
class Attachment {
public:
  virtual ~Attachment() = default;
};

enum class NodeKind : uint8_t {
  Op,        ///< a StableHLO or CHLO op
  Parameter, ///< an argument of a block, or device data
  Call,      ///< calls callees[0]
  Foreign,   ///< an op of another dialect, with name and attributes as text
};

class Node {
public:
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;

  /// Takes result types unchecked: the caller has inferred them.
  static NodeRef make_op(ops::OpKind op, ops::OpAttributes attributes,
                         std::vector<Value> operands, std::vector<Type> types,
                         std::vector<Block> regions = {},
                         std::vector<FunctionRef> callees = {},
                         uintptr_t origin = 0);
  static NodeRef make_parameter(Type type,
                                std::shared_ptr<ParameterData> data = {});
  static NodeRef make_call(FunctionRef callee, std::vector<Value> operands,
                           uintptr_t origin = 0);
  /// `attributes` is the MLIR text of the attribute dictionary, "{…}" or empty.
  static NodeRef make_foreign(std::string name, std::string attributes,
                              std::vector<Value> operands,
                              std::vector<Type> types,
                              std::vector<Block> regions = {},
                              std::vector<FunctionRef> callees = {});

  NodeKind kind() const { return kind_; }
  /// Only for nodes of kind Op.
  ops::OpKind op() const { return op_; }
  const ops::OpAttributes &attributes() const { return attributes_; }
  std::span<const Value> operands() const { return operands_; }
  std::span<const Type> types() const { return types_; }
  std::span<const Block> regions() const;
  /// Functions that the node refers to: the callee of a call, the decomposition
  /// of a composite.
  std::span<const FunctionRef> callees() const;
  /// Return address of the public call that recorded the node, or 0.
  uintptr_t origin() const { return origin_; }
  /// "stablehlo.add", "func.call", or a foreign op's name.
  std::string name() const;
  const std::string &foreign_name() const;
  const std::string &foreign_attributes() const;
  const std::shared_ptr<ParameterData> &data() const { return data_; }
  /// Discardable attributes as MLIR text, for example a sharding; mostly empty.
  const std::string &extra_attributes() const;
  /// Only allowed before the node is shared.
  static void set_extra_attributes(const NodeRef &node, std::string text);

  /// Null for most nodes.
  const std::shared_ptr<const Attachment> &attachment() const;
  /// Only before the node is shared.
  static void attach(const NodeRef &node,
                     std::shared_ptr<const Attachment> attachment);

  /// Whether the node must be kept in order even if its results are unused.
  bool has_effect() const;
  /// A hash of everything but the operands, including regions and callees.
  /// Equal nodes have equal hashes in this process. Values that regions capture
  /// count by their index in captures().
  const Hash128 &local_hash() const { return local_hash_; }

private:
  /// Fields that few nodes have.
  struct ExtraFields {
    std::vector<Block> regions;
    std::vector<FunctionRef> callees;
    std::string foreign_name, foreign_attributes, extra_attributes;
    std::shared_ptr<const Attachment> attachment;
  };

  explicit Node(NodeKind kind) : kind_(kind) {}
  static void *operator new(size_t size);
  static void operator delete(void *memory);
  ~Node() = default;
  ExtraFields &rare();
  static void destroy(const Node *node);
  void compute_local_hash();

  friend class NodeRef;
  mutable std::atomic<uint32_t> references_{0};
  NodeKind kind_;
  ops::OpKind op_{};
  ops::OpAttributes attributes_;
  std::vector<Value> operands_;
  std::vector<Type> types_;
  std::unique_ptr<ExtraFields> extra_fields_;
  std::shared_ptr<ParameterData> data_;
  uintptr_t origin_ = 0;
  Hash128 local_hash_;
};

inline NodeRef::NodeRef(const Node *node) : node_(node) {
  if (node_)
    node_->references_.fetch_add(1, std::memory_order_relaxed);
}

inline NodeRef::~NodeRef() {
  if (node_ && node_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    Node::destroy(node_);
}

inline const Type &Value::type() const { return node->types()[number]; }
inline const TensorType &Value::tensor() const { return type().tensor(); }

/// The argument and result types of an op's regions, as shape rules use them.
std::vector<ops::RegionSignature> signatures(std::span<const Block> regions);

/// The values that the regions of `node` capture, with repetitions.
std::vector<const Node *> captures(const Node &node);
/// Appends the values that `block` captures to `values`, without repetitions,
/// in order of use.
void add_captures(const Block &block, std::vector<Value> &values);

/// One level of a traversal with an explicit stack: a node and the index of its
/// next operand or capture.
struct PostOrderFrame {
  explicit PostOrderFrame(const Node *node);
  /// The node of the next operand or capture; null after the last.
  const Node *next_child();

  const Node *node;

private:
  std::vector<const Node *> captured;
  size_t next_ = 0;
};

/// The nodes that `roots` depend on, including themselves, each after its
/// operands. Parameters appear in the order of first use. Nodes inside regions
/// are not listed, but values that regions capture are. It does not recurse.
std::vector<NodeRef> post_order(std::span<const Value> roots);

} // namespace xlac::graph
