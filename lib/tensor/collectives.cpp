#include "xlac/tensor/collectives.h"

#include "tensor_lists.h"

#include "xlac/lazy/pending_collectives.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/session.h"
#include "xlac/tensor/formulas.h"

#include <algorithm>
#include <map>

namespace xlac::frontend {

namespace {

std::string to_text(const Groups &groups) {
  std::string text = "[";
  for (const std::vector<int64_t> &group : groups)
    text += (text.size() > 1 ? ", " : "") +
            frontend::to_text(Shape(group.begin(), group.end()));
  return text + "]";
}

/// The device of this replica, on which all tensors must live.
Device replica_device(const std::vector<Tensor> &tensors) {
  Device device = common_device(tensors);
  if (device.type == kCPU)
    raise<DeviceError>("Input tensor is not an XLA tensor: torch." +
                       lazy::legacy_name(impl_of(tensors[0]).dtype) + "Tensor");
  if (int ordinal = lazy::ordinal_of(device.index);
      ordinal != lazy::replication().ordinal)
    raise<DeviceError>("the tensor is on " + device.str() + ", of replica " +
                       std::to_string(ordinal) + ", but this is replica " +
                       std::to_string(lazy::replication().ordinal));
  return device;
}

std::string_view reduce_name(OpKind op) {
  switch (op) {
  case OpKind::Add:
    return "sum";
  case OpKind::Multiply:
    return "mul";
  case OpKind::And:
    return "and";
  case OpKind::Or:
    return "or";
  case OpKind::Minimum:
    return "min";
  default:
    return "max";
  }
}

void check_dtype(OpKind op, Dtype dtype, double scale) {
  bool bits = op == OpKind::And || op == OpKind::Or;
  bool order = op == OpKind::Minimum || op == OpKind::Maximum;
  if ((bits && (is_floating_point(dtype) || is_complex(dtype))) ||
      (order && is_complex(dtype)))
    raise<DtypeError>("the reduction " + std::string(reduce_name(op)) +
                      " has no meaning for " + lazy::legacy_name(dtype));
  if (scale != 1 && dtype == kBool)
    raise<DtypeError>("Bool tensors cannot be scaled");
}

/// Returns the dtype of the reduction: sums and products of narrow floats are
/// computed in f32 and rounded once at the end.
Dtype folded_dtype(OpKind op, Dtype dtype) {
  bool rounds = op == OpKind::Add || op == OpKind::Multiply;
  return rounds && is_floating_point(dtype) && element_size(dtype) < 4
             ? kFloat32
             : dtype;
}

Value scaled(Value value, double scale, Device device) {
  if (scale == 1)
    return value;
  ElementType type = value.tensor().element;
  Dtype dtype = *lazy::dtype_of_element(type);
  // Integers are multiplied in f64; the conversion back rounds towards zero.
  Dtype factor =
      is_floating_point(dtype) || is_complex(dtype) ? dtype : kFloat64;
  Shape sizes = value.tensor().dims;
  value = build::convert(std::move(value), lazy::element_type(factor));
  Value number =
      build::broadcast_to(number_value(scale, factor, device), sizes);
  return build::convert(
      build::binary(OpKind::Multiply, std::move(value), std::move(number)),
      type);
}

/// Returns copies: a collective within a group of one changes nothing.
std::vector<Tensor> clones(const std::vector<Tensor> &tensors) {
  std::vector<Tensor> copies;
  for (const Tensor &tensor : tensors)
    copies.push_back(tensor.clone());
  return copies;
}

/// Records a collective as pending, so that it runs even if its results are
/// never read. Returns the results.
std::vector<Value> noted(Device device, std::vector<Value> results) {
  if (lazy::runs_at_once())
    return results;
  auto size = [](const Value &result) {
    return count_of(result.tensor().dims);
  };
  // The smallest result becomes an output of the program.
  auto least = std::min_element(
      results.begin(), results.end(),
      [&](const Value &a, const Value &b) { return size(a) < size(b); });
  lazy::add_pending_collective(device.index, *least);
  return results;
}

Value noted(Device device, Value result) {
  return noted(device, std::vector<Value>{std::move(result)})[0];
}

bool is_single_replica() { return lazy::replication().world <= 1; }

} // namespace

//===- Groups -------------------------------------------------------------===//

Groups complete_groups(Groups groups) {
  auto world = static_cast<size_t>(lazy::replication().world);
  if (groups.empty()) {
    groups.emplace_back();
    for (size_t i = 0; i < world; ++i)
      groups[0].push_back(static_cast<int64_t>(i));
    return groups;
  }
  std::vector<bool> seen(world);
  size_t count = 0;
  for (const std::vector<int64_t> &group : groups)
    for (int64_t ordinal : group) {
      bool fits = ordinal >= 0 && static_cast<size_t>(ordinal) < world &&
                  !seen[static_cast<size_t>(ordinal)];
      if (!fits)
        raise<ValueError>("groups " + to_text(groups) + " hold replica " +
                          std::to_string(ordinal) +
                          (ordinal >= 0 && static_cast<size_t>(ordinal) < world
                               ? " twice"
                               : ", but there are " + std::to_string(world)));
      seen[static_cast<size_t>(ordinal)] = true;
      ++count;
    }
  if (count != world)
    raise<ValueError>("groups " + to_text(groups) +
                      " lack some of the replicas, of which there are " +
                      std::to_string(world));
  std::erase_if(groups, [](const auto &group) { return group.empty(); });
  return groups;
}

Groups equal_groups(Groups groups, std::optional<int64_t> size) {
  groups = complete_groups(std::move(groups));
  size_t wanted = size ? static_cast<size_t>(std::max<int64_t>(*size, 0))
                       : groups[0].size();
  for (const std::vector<int64_t> &group : groups)
    if (group.size() != wanted)
      raise<ValueError>(
          "groups " + to_text(groups) + " must have " +
          std::to_string(size.value_or(static_cast<int64_t>(wanted))) +
          " replicas each");
  return groups;
}

//===- Reductions ---------------------------------------------------------===//

std::vector<Tensor> all_reduce(OpKind op, const std::vector<Tensor> &tensors,
                               double scale, const Groups &groups) {
  XLAC_CALL("all_reduce");
  for (const Tensor &tensor : tensors)
    check_dtype(op, impl_of(tensor).dtype, scale);
  if (is_single_replica() || tensors.empty())
    return clones(tensors);
  Device device = replica_device(tensors);
  std::vector<Dtype> dtypes = dtypes_of(tensors);
  // All operands of one op have the same element type.
  std::map<Dtype, std::vector<size_t>> alike;
  for (size_t i = 0; i < tensors.size(); ++i)
    alike[folded_dtype(op, dtypes[i])].push_back(i);
  std::vector<Value> results(tensors.size());
  for (const auto &[folded, members] : alike) {
    std::vector<Value> operands;
    for (size_t i : members)
      operands.push_back(value_on(tensors[i], device, folded));
    std::vector<Value> reduced =
        noted(device, build::all_reduce(op, std::move(operands), groups));
    for (size_t j = 0; j < members.size(); ++j)
      results[members[j]] =
          build::convert(scaled(std::move(reduced[j]), scale, device),
                         lazy::element_type(dtypes[members[j]]));
  }
  return finish_all(std::move(results), device, dtypes);
}

Tensor reduce_scatter(OpKind op, const Tensor &tensor, double scale,
                      int64_t dim, const Groups &groups) {
  XLAC_CALL("reduce_scatter");
  Dtype dtype = impl_of(tensor).dtype;
  check_dtype(op, dtype, scale);
  if (is_single_replica())
    return tensor.clone();
  Device device = replica_device({tensor});
  Value value = value_on(tensor, device, folded_dtype(op, dtype));
  Value kept =
      noted(device, build::reduce_scatter(op, std::move(value), dim, groups));
  return finish(build::convert(scaled(std::move(kept), scale, device),
                               lazy::element_type(dtype)),
                device, dtype);
}

//===- Data movement ------------------------------------------------------===//

std::vector<Tensor> all_gather(const std::vector<Tensor> &tensors, int64_t dim,
                               const Groups &groups) {
  XLAC_CALL("all_gather");
  if (is_single_replica() || tensors.empty())
    return clones(tensors);
  Device device = replica_device(tensors);
  return finish_all(
      noted(device, build::all_gather(values_on(tensors, device), dim, groups)),
      device, dtypes_of(tensors));
}

Tensor all_to_all(const Tensor &tensor, int64_t split_dim, int64_t concat_dim,
                  const Groups &groups) {
  XLAC_CALL("all_to_all");
  if (is_single_replica())
    return tensor.clone();
  Device device = replica_device({tensor});
  return finish(noted(device, build::all_to_all(value_on(tensor, device),
                                                split_dim, concat_dim, groups)),
                device, impl_of(tensor).dtype);
}

Tensor
collective_permute(const Tensor &tensor,
                   const std::vector<std::pair<int64_t, int64_t>> &pairs) {
  XLAC_CALL("collective_permute");
  if (is_single_replica())
    return pairs.empty() ? zeros_like(tensor) : tensor.clone();
  Device device = replica_device({tensor});
  return finish(
      noted(device, build::collective_permute(value_on(tensor, device), pairs)),
      device, impl_of(tensor).dtype);
}

std::vector<Tensor> collective_broadcast(const std::vector<Tensor> &tensors,
                                         const Groups &groups) {
  XLAC_CALL("collective_broadcast");
  if (is_single_replica() || tensors.empty())
    return clones(tensors);
  Device device = replica_device(tensors);
  return finish_all(noted(device, build::collective_broadcast(
                                      values_on(tensors, device), groups)),
                    device, dtypes_of(tensors));
}

void overwrite_all(const std::vector<Tensor> &targets,
                   const std::vector<Tensor> &values) {
  bool before = is_recording();
  set_recording(false);
  try {
    for (size_t i = 0; i < targets.size(); ++i)
      overwrite(targets[i], impl_of(values[i]).value());
  } catch (...) {
    set_recording(before);
    throw;
  }
  set_recording(before);
}

} // namespace xlac::frontend
