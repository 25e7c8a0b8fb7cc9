// Attributes of ops as plain data: enums, structs that several ops share, one
// struct per op ("ConvolutionAttributes"), and OpAttributes, which holds any of
// them. They can be compared, hashed and printed without MLIR.
#pragma once

#include "xlac/ops/op.h"
#include "xlac/support/fast_hash.h"
#include "xlac/support/hash.h"
#include "xlac/support/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace xlac::ops {

// Enums with the names of the StableHLO specification
// (ComparisonDirection::LT), each with enum_name and parse_enum.
#include "xlac/ops/attribute_enums.inc"

/// Integers with a shape: padding ([[low, high], …]) and pairs of devices.
struct IntElements {
  std::vector<int64_t> shape, values;
  bool operator==(const IntElements &) const = default;

  /// Makes a matrix with `columns` columns.
  static IntElements matrix(int64_t columns, std::vector<int64_t> values);
  /// The element values[row][column] of a matrix.
  int64_t at(int64_t row, int64_t column) const {
    return values[static_cast<size_t>(row * shape[1] + column)];
  }
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("shape", shape);
    visitor("values", values);
  }
};

/// Groups of devices: a matrix whose short rows are padded with -1, or mesh
/// axes as MLIR text, which only the partitioner interprets.
struct ReplicaGroups {
  IntElements groups;
  std::string mesh_axes;
  bool operator==(const ReplicaGroups &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("groups", groups);
    visitor("mesh_axes", mesh_axes);
  }
};

/// The name of a function in the same program.
struct SymbolName {
  std::string name;
  bool operator==(const SymbolName &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("name", name);
  }
};

/// An attribute that no shape rule reads, as MLIR text ("{axis = 1}").
struct OpaqueAttribute {
  std::string text;
  bool operator==(const OpaqueAttribute &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("text", text);
  }
};

struct ChannelHandle {
  int64_t handle = 0, type = 0;
  bool operator==(const ChannelHandle &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("handle", handle);
    visitor("type", type);
  }
};

struct ResultAccuracy {
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  ResultAccuracyMode mode = ResultAccuracyMode::DEFAULT;
  bool operator==(const ResultAccuracy &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("atol", atol);
    visitor("rtol", rtol);
    visitor("ulps", ulps);
    visitor("mode", mode);
  }
};

/// The algorithm of a dot. Types are names, since "tf32" is not an element
/// type.
struct DotAlgorithm {
  std::string lhs_precision_type, rhs_precision_type, accumulation_type;
  int64_t lhs_component_count = 0, rhs_component_count = 0;
  int64_t num_primitive_operations = 0;
  bool allow_imprecise_accumulation = false;
  bool operator==(const DotAlgorithm &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("lhs_precision_type", lhs_precision_type);
    visitor("rhs_precision_type", rhs_precision_type);
    visitor("accumulation_type", accumulation_type);
    visitor("lhs_component_count", lhs_component_count);
    visitor("rhs_component_count", rhs_component_count);
    visitor("num_primitive_operations", num_primitive_operations);
    visitor("allow_imprecise_accumulation", allow_imprecise_accumulation);
  }
};

struct DotDimensionNumbers {
  std::vector<int64_t> lhs_batching_dimensions, rhs_batching_dimensions;
  std::vector<int64_t> lhs_contracting_dimensions, rhs_contracting_dimensions;
  bool operator==(const DotDimensionNumbers &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("lhs_batching_dimensions", lhs_batching_dimensions);
    visitor("rhs_batching_dimensions", rhs_batching_dimensions);
    visitor("lhs_contracting_dimensions", lhs_contracting_dimensions);
    visitor("rhs_contracting_dimensions", rhs_contracting_dimensions);
  }
};

struct RaggedDotDimensionNumbers {
  DotDimensionNumbers dot;
  std::vector<int64_t> lhs_ragged_dimensions, rhs_group_dimensions;
  bool operator==(const RaggedDotDimensionNumbers &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("dot", dot);
    visitor("lhs_ragged_dimensions", lhs_ragged_dimensions);
    visitor("rhs_group_dimensions", rhs_group_dimensions);
  }
};

struct GatherDimensionNumbers {
  std::vector<int64_t> offset_dims, collapsed_slice_dims;
  std::vector<int64_t> operand_batching_dims, start_indices_batching_dims;
  std::vector<int64_t> start_index_map;
  int64_t index_vector_dim = 0;
  bool operator==(const GatherDimensionNumbers &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("offset_dims", offset_dims);
    visitor("collapsed_slice_dims", collapsed_slice_dims);
    visitor("operand_batching_dims", operand_batching_dims);
    visitor("start_indices_batching_dims", start_indices_batching_dims);
    visitor("start_index_map", start_index_map);
    visitor("index_vector_dim", index_vector_dim);
  }
};

struct ScatterDimensionNumbers {
  std::vector<int64_t> update_window_dims, inserted_window_dims;
  std::vector<int64_t> input_batching_dims, scatter_indices_batching_dims;
  std::vector<int64_t> scatter_dims_to_operand_dims;
  int64_t index_vector_dim = 0;
  bool operator==(const ScatterDimensionNumbers &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("update_window_dims", update_window_dims);
    visitor("inserted_window_dims", inserted_window_dims);
    visitor("input_batching_dims", input_batching_dims);
    visitor("scatter_indices_batching_dims", scatter_indices_batching_dims);
    visitor("scatter_dims_to_operand_dims", scatter_dims_to_operand_dims);
    visitor("index_vector_dim", index_vector_dim);
  }
};

struct ConvDimensionNumbers {
  int64_t input_batch_dimension = 0, input_feature_dimension = 0;
  std::vector<int64_t> input_spatial_dimensions;
  int64_t kernel_input_feature_dimension = 0;
  int64_t kernel_output_feature_dimension = 0;
  std::vector<int64_t> kernel_spatial_dimensions;
  int64_t output_batch_dimension = 0, output_feature_dimension = 0;
  std::vector<int64_t> output_spatial_dimensions;
  bool operator==(const ConvDimensionNumbers &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("input_batch_dimension", input_batch_dimension);
    visitor("input_feature_dimension", input_feature_dimension);
    visitor("input_spatial_dimensions", input_spatial_dimensions);
    visitor("kernel_input_feature_dimension", kernel_input_feature_dimension);
    visitor("kernel_output_feature_dimension", kernel_output_feature_dimension);
    visitor("kernel_spatial_dimensions", kernel_spatial_dimensions);
    visitor("output_batch_dimension", output_batch_dimension);
    visitor("output_feature_dimension", output_feature_dimension);
    visitor("output_spatial_dimensions", output_spatial_dimensions);
  }
};

struct OutputOperandAlias {
  std::vector<int64_t> output_tuple_indices;
  int64_t operand_index = 0;
  std::vector<int64_t> operand_tuple_indices;
  bool operator==(const OutputOperandAlias &) const = default;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("output_tuple_indices", output_tuple_indices);
    visitor("operand_index", operand_index);
    visitor("operand_tuple_indices", operand_tuple_indices);
  }
};

/// The value of a constant, in the buffer layout of support/element_type.h. A
/// splat stores only one element. Copies share the bytes.
struct DenseElements {
  TensorType type;
  std::shared_ptr<const void> owner; ///< keeps `bytes` alive; may be empty
  std::span<const std::byte> bytes;
  bool splat = false;

  /// Takes the bytes of all elements; equal elements become a splat.
  static DenseElements make(TensorType type, std::vector<std::byte> bytes);
  /// Makes a splat; `value` has the size of one element.
  static DenseElements make_splat(TensorType type,
                                  std::vector<std::byte> value);
  /// The elements of an integer or boolean type; empty for other types or for
  /// more than 2^20 elements.
  std::optional<std::vector<int64_t>> integers() const;

  bool operator==(const DenseElements &other) const;
  template <class Visitor> void visit(Visitor &&visitor) const {
    visitor("type", type);
    visitor("splat", splat);
    visitor("bytes", bytes);
  }
};

// struct AddAttributes etc., one for each op that has attributes.
#include "xlac/ops/attribute_structs.inc"

/// The attributes of one op of any kind; immutable and cheap to copy. The
/// default value represents the defaults of all attributes. Attributes equal to
/// their defaults compare and hash like it.
class OpAttributes {
public:
  OpAttributes() = default;
  template <class T>
    requires requires { T::kKind; }
  OpAttributes(T attributes) {
    if (attributes == defaults<T>())
      return;
    kind_ = T::kKind;
    held_ = std::make_shared<const T>(std::move(attributes));
  }

  /// The attributes as struct T. If they belong to another op, returns the
  /// defaults of T.
  template <class T> const T &get() const {
    if (!held_ || kind_ != T::kKind)
      return defaults<T>();
    return *static_cast<const T *>(held_.get());
  }
  /// Whether every attribute has its default.
  bool empty() const { return !held_; }

  bool operator==(const OpAttributes &other) const;
  /// Hashes a representation that is the same in every process.
  void hash(Hasher &hasher) const;
  /// The same for tables within this process; hashes nothing if empty.
  void hash(FastHasher &hasher) const;
  /// "{dimension = 1, is_stable = true}" for an op of that kind; empty if the
  /// op has no attributes.
  std::string text(OpKind kind) const;

private:
  template <class T> static const T &defaults() {
    static const T value;
    return value;
  }

  OpKind kind_{};
  std::shared_ptr<const void> held_;
};

} // namespace xlac::ops
