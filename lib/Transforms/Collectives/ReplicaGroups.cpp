#include "ReplicaGroups.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace xlac::transforms {

/// More devices than any supported grid has.
static constexpr int64_t kMostDevices = 1 << 20;

namespace {

/// A factor of the mesh's coordinates: an axis, or the sub-axis of a reference.
struct Factor {
  int64_t size = 1;
  int64_t stride = 1; ///< in lexicographical positions
};

class MeshGroups {
public:
  explicit MeshGroups(stablehlo::MeshAttr mesh) : mesh(mesh) {}

  std::optional<IdGroups> read(ArrayAttr references, std::string &problem);

private:
  bool readAxes(std::string &problem);
  bool addReference(stablehlo::AxisRefAttr reference, std::string &problem);
  /// Returns the positions of all combinations. The last factor varies fastest.
  static SmallVector<int64_t> positions(ArrayRef<Factor> factors);
  void addRest();

  struct Axis {
    StringRef name;
    Factor factor;
    /// Sub-axes that references use: (size of the preceding part, size).
    SmallVector<std::pair<int64_t, int64_t>> taken;
  };
  stablehlo::MeshAttr mesh;
  SmallVector<Axis> axes;
  SmallVector<Factor> within, across;
};

} // namespace

bool MeshGroups::readAxes(std::string &problem) {
  int64_t total = 1;
  for (Attribute attribute : mesh.getAxes()) {
    auto axis = dyn_cast<stablehlo::MeshAxisAttr>(attribute);
    if (!axis || axis.getSize() <= 0 ||
        llvm::MulOverflow(total, axis.getSize(), total) ||
        total > kMostDevices) {
      problem = "has a mesh with an axis that is none, or too large";
      return false;
    }
    axes.push_back({axis.getName().getValue(), {axis.getSize(), 1}, {}});
  }
  for (size_t i = axes.size(); i-- > 1;)
    axes[i - 1].factor.stride = axes[i].factor.stride * axes[i].factor.size;
  return true;
}

bool MeshGroups::addReference(stablehlo::AxisRefAttr reference,
                              std::string &problem) {
  auto axis = llvm::find_if(axes, [&](const Axis &one) {
    return one.name == reference.getName().getValue();
  });
  if (axis == axes.end()) {
    problem = "names axis '" + reference.getName().getValue().str() +
              "', which its mesh does not have";
    return false;
  }
  int64_t before = 1, size = axis->factor.size;
  if (stablehlo::SubAxisInfoAttr part = reference.getSubAxisInfo()) {
    before = part.getPreSize();
    size = part.getSize();
  }
  bool fits = before > 0 && size > 0 && before <= axis->factor.size &&
              size <= axis->factor.size &&
              axis->factor.size % (before * size) == 0;
  for (auto [otherBefore, otherSize] : axis->taken)
    fits &= before * size <= otherBefore || otherBefore * otherSize <= before;
  if (!fits) {
    problem = "takes a part of axis '" + axis->name.str() +
              "' that it does not have or takes twice";
    return false;
  }
  axis->taken.push_back({before, size});
  within.push_back(
      {size, axis->factor.stride * (axis->factor.size / (before * size))});
  return true;
}

/// Factors that no reference uses distinguish the groups.
void MeshGroups::addRest() {
  for (Axis &axis : axes) {
    llvm::sort(axis.taken);
    int64_t done = 1;
    auto rest = [&](int64_t before) {
      if (before > done)
        across.push_back(
            {before / done, axis.factor.stride * (axis.factor.size / before)});
    };
    for (auto [before, size] : axis.taken) {
      rest(before);
      done = before * size;
    }
    rest(axis.factor.size);
  }
}

SmallVector<int64_t> MeshGroups::positions(ArrayRef<Factor> factors) {
  SmallVector<int64_t> all = {0};
  for (const Factor &factor : factors) {
    SmallVector<int64_t> next;
    for (int64_t base : all)
      for (int64_t i = 0; i < factor.size; ++i)
        next.push_back(base + i * factor.stride);
    all = std::move(next);
  }
  return all;
}

std::optional<IdGroups> MeshGroups::read(ArrayAttr references,
                                         std::string &problem) {
  if (!readAxes(problem))
    return std::nullopt;
  for (Attribute attribute : references) {
    auto reference = dyn_cast<stablehlo::AxisRefAttr>(attribute);
    if (!reference) {
      problem = "has axes that are not references to axes";
      return std::nullopt;
    }
    if (!addReference(reference, problem))
      return std::nullopt;
  }
  addRest();
  SmallVector<int64_t> members = positions(within), starts = positions(across);
  SmallVector<int64_t> devices;
  if (DenseIntElementsAttr ids = mesh.getDeviceIds())
    for (const APInt &id : ids.getValues<APInt>())
      devices.push_back(id.getSExtValue());
  if (!devices.empty() && devices.size() != members.size() * starts.size()) {
    problem = "has a mesh with device_ids that do not fit its axes";
    return std::nullopt;
  }
  IdGroups groups;
  groups.columns = members.size();
  for (int64_t start : starts)
    for (int64_t member : members)
      groups.ids.push_back(devices.empty() ? start + member
                                           : devices[start + member]);
  return groups;
}

std::optional<IdGroups> readIdGroups(Attribute attribute,
                                     std::string &problem) {
  if (auto meshAxes =
          dyn_cast<stablehlo::ReplicaGroupMeshAxesAttr>(attribute)) {
    auto mesh = dyn_cast<stablehlo::MeshAttr>(meshAxes.getMesh());
    if (mesh)
      return MeshGroups(mesh).read(meshAxes.getAxes(), problem);
    problem = "names a mesh that stands elsewhere, which is not supported";
    return std::nullopt;
  }
  auto matrix = dyn_cast<DenseIntElementsAttr>(attribute);
  if (!matrix || cast<ShapedType>(matrix.getType()).getRank() != 2) {
    problem = "has groups that are not a matrix of ids";
    return std::nullopt;
  }
  IdGroups groups;
  groups.columns = cast<ShapedType>(matrix.getType()).getDimSize(1);
  for (const APInt &id : matrix.getValues<APInt>())
    groups.ids.push_back(id.getSExtValue());
  return groups;
}

} // namespace xlac::transforms
