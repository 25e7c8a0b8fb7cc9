#include "SpmdArguments.h"

#include "SpmdSearch.h"

using namespace mlir;

namespace xlac::transforms {

/// Roles that are searched, partial plans that are kept, plans of each search
/// that are compared in full, and meshes.
static constexpr size_t kMostRoles = 32, kBeam = 3, kFinalists = 2,
                        kMostMeshes = 6;
/// Most costs of ops to compute for all meshes: for each op, and in total.
static constexpr int64_t kStepsPerOp = 1200, kMostSteps = 2'000'000;
/// The part of the time by which a plan may be slower if it holds nothing
/// instead of everything.
static constexpr double kMemoryWeight = 0.03;

namespace {

/// A mesh with named axes over the prime ones.
struct NamedMesh {
  SmallVector<int64_t> sizes;
  DeviceMesh mesh;
  SmallVector<AxisList> axes; ///< of each named axis of more than one device
  SmallVector<unsigned> rings;
};

/// Shardings of some arguments and what follows from them.
struct PartialPlan {
  std::vector<SpmdSlot> slots;
  std::vector<double> cost; ///< of each op, in milliseconds
  double milliseconds = 0, score = 0;
};

class ArgumentSearch {
public:
  ArgumentSearch(func::FuncOp function, const NamedMesh &named,
                 SpmdPropagation &shardings, int64_t budget,
                 const DeviceRates &rates);

  /// Appends the best plans on this mesh to `plans`, and those that `plans` has
  /// of one axis, with this mesh's axes in its place.
  void run(std::vector<ArgumentPlan> &plans);

private:
  struct Trial {
    double score;
    size_t plan;
    const AxisSharding *candidate; ///< null to leave the role open
  };

  SmallVector<AxisSharding> candidatesOf(const ArgumentRole &role) const;
  double timeOf(unsigned op) const {
    return costs.timesOf(op) * costs.priceOf(op).milliseconds(rates);
  }
  double heldBytes() const;
  double scoreOf(double milliseconds) const {
    return milliseconds * (1 + kMemoryWeight * heldBytes() / whole);
  }
  bool apply(const ArgumentRole &role, const AxisSharding &candidate,
             SpmdPropagation::Journal &changes);
  double changeOf(const SpmdPropagation::Journal &changes,
                  const PartialPlan &plan, PartialPlan *into);
  std::vector<double> gains(const PartialPlan &root);
  std::vector<PartialPlan> extend(const std::vector<PartialPlan> &plans,
                                  size_t role);
  std::vector<PartialPlan> beam(const PartialPlan &root,
                                ArrayRef<size_t> order);
  std::optional<ArgumentPlan> complete(const std::vector<SpmdSlot> &slots);
  std::optional<std::vector<SpmdSlot>> onThisMesh(const ArgumentPlan &plan);

  func::FuncOp function;
  const NamedMesh &named;
  SpmdPropagation &shardings;
  const DeviceRates &rates;
  SpmdProgramCost costs;
  std::vector<ArgumentRole> roles;
  std::vector<SmallVector<AxisSharding>> candidates; ///< of each role
  std::vector<SmallVector<unsigned, 4>> users;       ///< of each value
  std::vector<SpmdSlot> start;
  int64_t budget;
  double whole = 0; ///< bytes of all arguments
};

} // namespace

ArgumentSearch::ArgumentSearch(func::FuncOp function, const NamedMesh &named,
                               SpmdPropagation &shardings, int64_t budget,
                               const DeviceRates &rates)
    : function(function), named(named), shardings(shardings), rates(rates),
      costs(function, named.mesh, shardings),
      roles(argumentRoles(function, shardings)),
      users(shardings.state().size()), start(shardings.state()),
      budget(budget) {
  costs.setRings(named.rings);
  if (roles.size() > kMostRoles)
    roles.resize(kMostRoles);
  for (const ArgumentRole &role : roles)
    candidates.push_back(candidatesOf(role));
  for (auto [i, op] : llvm::enumerate(shardings.ops()))
    visitSlots(function, shardings, op, [&, i = unsigned(i)](unsigned slot) {
      if (users[slot].empty() || users[slot].back() != i)
        users[slot].push_back(i);
    });
  whole = std::max(heldBytes(), 1.0);
}

/// Returns the bytes of the shards of all arguments.
double ArgumentSearch::heldBytes() const {
  double bytes = 0;
  func::FuncOp main = function; // its accessors are not const
  for (BlockArgument argument : main.getArguments())
    if (shardings.numberOf(argument))
      bytes += shardBytes(named.mesh, shardableType(argument),
                          shardings.of(argument));
  return bytes;
}

/// Each axis shards one dimension or none.
SmallVector<AxisSharding>
ArgumentSearch::candidatesOf(const ArgumentRole &role) const {
  size_t rank = shardings.state()[role.slots.front()].type.getRank();
  SmallVector<AxisSharding> found;
  SmallVector<size_t> dims(named.axes.size(), 0); // the rank for none
  while (true) {
    AxisSharding sharding(rank);
    for (auto [axes, dim] : llvm::zip_equal(named.axes, dims))
      if (dim < rank)
        sharding.dims[dim].append(axes);
    if (llvm::all_of(role.slots, [&](unsigned slot) {
          return shardings.allows(slot, sharding);
        }))
      found.push_back(std::move(sharding));
    size_t i = 0;
    while (i < dims.size() && ++dims[i] > rank)
      dims[i++] = 0;
    if (i == dims.size())
      return found;
  }
}

/// Gives a role a sharding and propagates it. Returns false if a custom call's
/// partitioner fails.
bool ArgumentSearch::apply(const ArgumentRole &role,
                           const AxisSharding &candidate,
                           SpmdPropagation::Journal &changes) {
  shardings.record(&changes);
  for (unsigned slot : role.slots)
    shardings.decide(slot, candidate);
  bool applied = succeeded(shardings.spread());
  shardings.record(nullptr);
  return applied;
}

/// Returns by how much the time grows beside `plan`, from which `changes` come.
/// Stores the new times of ops in `into` if that is not null.
double ArgumentSearch::changeOf(const SpmdPropagation::Journal &changes,
                                const PartialPlan &plan, PartialPlan *into) {
  llvm::SetVector<unsigned> touched;
  for (const auto &[slot, before] : changes)
    touched.insert(users[slot].begin(), users[slot].end());
  budget -= int64_t(touched.size());
  double change = 0;
  for (unsigned op : touched) {
    double now = timeOf(op);
    change += now - plan.cost[op];
    if (into)
      into->cost[op] = now;
  }
  return change;
}

/// Returns what the best sharding of each role alone saves.
std::vector<double> ArgumentSearch::gains(const PartialPlan &root) {
  std::vector<double> gains;
  for (auto [role, list] : llvm::zip_equal(roles, candidates)) {
    double least = root.score;
    for (const AxisSharding &candidate : list) {
      SpmdPropagation::Journal changes;
      if (budget > 0 && apply(role, candidate, changes))
        least = std::min(least, scoreOf(root.milliseconds +
                                        changeOf(changes, root, nullptr)));
      shardings.undo(changes);
    }
    gains.push_back(root.score - least);
  }
  return gains;
}

/// Returns the best plans in which the role has any sharding, or is left open.
std::vector<PartialPlan>
ArgumentSearch::extend(const std::vector<PartialPlan> &plans, size_t role) {
  std::vector<Trial> trials;
  for (auto [i, plan] : llvm::enumerate(plans)) {
    trials.push_back({plan.score, i, nullptr});
    shardings.restore(plan.slots);
    for (const AxisSharding &candidate : candidates[role]) {
      SpmdPropagation::Journal changes;
      if (budget > 0 && apply(roles[role], candidate, changes))
        trials.push_back(
            {scoreOf(plan.milliseconds + changeOf(changes, plan, nullptr)), i,
             &candidate});
      shardings.undo(changes);
    }
  }
  // Equal scores are mostly those of equal shardings, of which one suffices.
  llvm::stable_sort(
      trials, [](const Trial &a, const Trial &b) { return a.score < b.score; });
  std::vector<PartialPlan> best;
  for (const Trial &trial : trials) {
    if (best.size() == kBeam)
      break;
    if (!best.empty() && trial.score <= best.back().score * (1 + 1e-9))
      continue;
    PartialPlan &plan = best.emplace_back(plans[trial.plan]);
    plan.score = trial.score;
    if (!trial.candidate)
      continue;
    shardings.restore(plan.slots);
    SpmdPropagation::Journal changes;
    apply(roles[role], *trial.candidate, changes);
    plan.milliseconds += changeOf(changes, plans[trial.plan], &plan);
    plan.slots = shardings.state();
  }
  return best;
}

std::vector<PartialPlan> ArgumentSearch::beam(const PartialPlan &root,
                                              ArrayRef<size_t> order) {
  std::vector<PartialPlan> plans = {root};
  for (size_t role : order)
    if (budget > 0)
      plans = extend(plans, role);
  return plans;
}

/// Searches the shardings of all values under those of arguments.
std::optional<ArgumentPlan>
ArgumentSearch::complete(const std::vector<SpmdSlot> &slots) {
  shardings.restore(start);
  ArgumentPlan plan;
  plan.mesh.assign(named.sizes.begin(), named.sizes.end());
  for (const ArgumentRole &role : argumentRoles(function, shardings))
    for (unsigned slot : role.slots)
      if (shardings.allows(slot, slots[slot].sharding))
        shardings.decide(slot, slots[slot].sharding);
  for (BlockArgument argument : function.getArguments())
    plan.arguments.push_back(shardings.numberOf(argument)
                                 ? named.mesh.toSharding(shardings.of(argument))
                                 : Sharding());
  if (failed(searchShardings(function, named.mesh, shardings)))
    return std::nullopt;
  for (unsigned i = 0; i < shardings.ops().size(); ++i) {
    SpmdPrice price = costs.priceOf(i);
    double times = costs.timesOf(i);
    plan.milliseconds += times * price.milliseconds(rates);
    plan.bytes_received += times * price.received;
    plan.rounds += times * price.rounds;
  }
  plan.argument_bytes = heldBytes();
  return plan;
}

/// Returns the values with the shardings of arguments of another mesh's plan;
/// nothing if this mesh does not have them.
std::optional<std::vector<SpmdSlot>>
ArgumentSearch::onThisMesh(const ArgumentPlan &plan) {
  std::vector<SpmdSlot> slots = start;
  llvm::DenseMap<unsigned, AxisSharding> wanted;
  for (BlockArgument argument : function.getArguments())
    if (std::optional<unsigned> slot = shardings.numberOf(argument)) {
      std::optional<AxisSharding> exact =
          named.mesh.fromSharding(plan.arguments[argument.getArgNumber()],
                                  shardableType(argument).getRank());
      if (!exact)
        return std::nullopt;
      wanted[*slot] = std::move(*exact);
    }
  for (const ArgumentRole &role : argumentRoles(function, shardings))
    for (unsigned slot : role.slots)
      slots[slot].sharding = wanted.lookup(role.slots.front());
  return slots;
}

void ArgumentSearch::run(std::vector<ArgumentPlan> &plans) {
  std::vector<ArgumentPlan> ofOneAxis;
  if (named.sizes.size() > 1)
    llvm::copy_if(
        plans, std::back_inserter(ofOneAxis),
        [](const ArgumentPlan &plan) { return plan.mesh.size() == 1; });
  if (failed(shardings.propagate()))
    return;
  PartialPlan root;
  root.slots = shardings.state();
  for (unsigned i = 0; i < shardings.ops().size(); ++i) {
    root.cost.push_back(timeOf(i));
    root.milliseconds += root.cost.back();
  }
  root.score = scoreOf(root.milliseconds);
  std::vector<double> gain = gains(root);
  SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(0, gain.size()));
  llvm::stable_sort(order,
                    [&](size_t a, size_t b) { return gain[a] > gain[b]; });
  std::vector<PartialPlan> found = beam(root, order);
  found.resize(std::min(found.size(), kFinalists));
  // The role that saves most, mostly the batch, decides too much where the
  // others are better off without it.
  if (order.size() > 1)
    std::rotate(order.begin(), order.begin() + 1, order.end());
  std::vector<PartialPlan> others = beam(root, order);
  others.resize(std::min(others.size(), kFinalists));
  found.insert(found.end(), others.begin(), others.end());
  std::vector<std::vector<SpmdSlot>> finalists;
  for (PartialPlan &one : found)
    finalists.push_back(std::move(one.slots));
  // A message along all axes takes fewer rounds than around one ring.
  for (const ArgumentPlan &plan : ofOneAxis)
    if (auto slots = onThisMesh(plan))
      finalists.push_back(std::move(*slots));
  for (const std::vector<SpmdSlot> &slots : finalists) {
    std::optional<ArgumentPlan> plan = complete(slots);
    if (plan && llvm::none_of(plans, [&](const ArgumentPlan &other) {
          return other.arguments == plan->arguments && other.mesh == plan->mesh;
        }))
      plans.push_back(std::move(*plan));
  }
}

//===- Meshes -------------------------------------------------------------===//

static NamedMesh meshOf(ArrayRef<int64_t> sizes) {
  Sharding whole;
  whole.kind = Sharding::Kind::Tiled;
  whole.tiles.assign(sizes.begin(), sizes.end());
  int64_t devices = 1;
  for (int64_t size : sizes)
    devices *= size;
  for (int64_t device = 0; device < devices; ++device)
    whole.devices.push_back(device);
  NamedMesh named{
      SmallVector<int64_t>(sizes), DeviceMesh::choose(devices, whole), {}, {}};
  named.rings.assign(named.mesh.axisCount(), 0);
  AxisSharding axes = named.mesh.nearest(whole, int64_t(sizes.size()));
  if (auto exact = named.mesh.fromSharding(whole, int64_t(sizes.size())))
    axes = *exact;
  for (const AxisList &list : axes.dims) {
    for (unsigned axis : list)
      named.rings[axis] = unsigned(named.axes.size());
    if (!list.empty())
      named.axes.push_back(list);
  }
  return named;
}

/// Returns the meshes of one and two axes, those with a short second axis
/// first.
static std::vector<NamedMesh> meshesOf(int64_t devices) {
  std::vector<NamedMesh> meshes = {meshOf(devices)};
  for (int64_t size = 2; size < devices && meshes.size() < kMostMeshes; ++size)
    if (devices % size == 0)
      meshes.push_back(meshOf({devices / size, size}));
  return meshes;
}

std::vector<ArgumentPlan> searchArguments(func::FuncOp function,
                                          int64_t devices,
                                          const CallPartitioning &embedded) {
  std::vector<NamedMesh> meshes = embedded.mesh.empty()
                                      ? meshesOf(devices)
                                      : std::vector{meshOf(embedded.mesh)};
  std::vector<ArgumentPlan> plans;
  for (const NamedMesh &named : meshes) {
    if (named.mesh.deviceCount() != devices)
      continue;
    SpmdCalls calls(embedded, named.mesh);
    SpmdPropagation shardings(function, named.mesh, calls);
    if (shardings.infersCalls())
      return {};
    annotateShardings(function, shardings);
    int64_t budget =
        std::min(kMostSteps, kStepsPerOp * int64_t(shardings.ops().size()));
    ArgumentSearch(function, named, shardings, budget / int64_t(meshes.size()),
                   embedded.rates)
        .run(plans);
  }
  double whole = 1;
  for (const ArgumentPlan &plan : plans)
    whole = std::max(whole, plan.argument_bytes);
  llvm::stable_sort(plans, [&](const ArgumentPlan &a, const ArgumentPlan &b) {
    auto score = [&](const ArgumentPlan &plan) {
      return plan.milliseconds *
             (1 + kMemoryWeight * plan.argument_bytes / whole);
    };
    return score(a) < score(b);
  });
  return plans;
}

} // namespace xlac::transforms
