// Which calls a program makes, and with what.
#include "program.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace xlac::fuzz_api {

namespace {

/// The numbers at which functions of the front end bend.
const std::vector<double> kBends = {0, 0, 1, -1, 0.5, -0.5, 2, 3, -3, 6};

/// Draws a program step by step. Each is tried on the cpu, and left out where
/// it fails or its result is no use.
class Generator {
public:
  Generator(uint64_t seed, size_t length) : dice_(seed), length_(length) {
    program_.seed = seed;
    program_.kind = dice_.of<Kind>(
        {Kind::Values, Kind::Kinks, Kind::Kinks, Kind::Smooth, Kind::Smooth});
    program_.second = gradients() && dice_.chance(3);
  }

  Program generate() {
    manual_seed(static_cast<int64_t>(program_.seed));
    int64_t count = 2 + dice_.below(3);
    // One dtype for most programs with gradients.
    Dtype dtype = dice_.chance(5) ? kFloat32 : kFloat64;
    for (int64_t i = 0; i < count; ++i)
      add_input(dtype);
    for (size_t tries = 0;
         program_.steps.size() < length_ && tries < 30 * length_; ++tries)
      try_step();
    return std::move(program_);
  }

private:
  bool gradients() const { return program_.kind != Kind::Values; }

  //===- Inputs -----------------------------------------------------------===//

  double value_of(Dtype dtype) {
    if (dtype == kBool)
      return static_cast<double>(dice_.below(2));
    if (program_.kind == Kind::Values)
      return static_cast<double>(dice_.below(9)) - (dtype == kUInt8 ? 0 : 4);
    if (program_.kind == Kind::Kinks && !dice_.chance(3))
      return dice_.of(kBends);
    // Off the bends, and no two alike.
    return static_cast<double>(dice_.below(20011) - 10005) / 4099;
  }

  void add_input(Dtype shared) {
    static const std::vector<Shape> shapes = {
        {},        {1},       {3},    {2, 3}, {3, 2}, {3, 3},
        {2, 2, 3}, {4, 1, 2}, {0, 3}, {6},    {1, 3}, {2, 3}};
    static const std::vector<Dtype> dtypes = {
        kFloat32, kFloat32, kFloat64,  kInt64,   kInt32,
        kBool,    kUInt8,   kBFloat16, kFloat16, kComplex64};
    Input input;
    input.id = next_++;
    input.sizes = dice_.of(shapes);
    input.dtype = gradients() ? shared : dice_.of(dtypes);
    int64_t elements = 1;
    for (int64_t size : input.sizes)
      elements *= size;
    for (int64_t i = 0; i < elements; ++i)
      input.values.push_back(value_of(input.dtype));
    input.leaf = gradients() && (input.id == 0 || !dice_.chance(3));
    pool_[input.id] = make(input, cpu_);
    root_[input.id] = input.id;
    if (input.leaf)
      grad_roots_.insert(input.id);
    program_.inputs.push_back(std::move(input));
  }

  //===- Steps ------------------------------------------------------------===//

  const Tensor &at(int id) const { return pool_.at(id); }

  int any() {
    auto it = pool_.begin();
    std::advance(it, dice_.below(static_cast<int64_t>(pool_.size())));
    return it->first;
  }

  int64_t dim_of(int id) {
    return dice_.below(std::max<int64_t>(at(id).dim(), 1));
  }
  int64_t size_of(int id, int64_t dim) {
    return at(id).dim() == 0 ? 1 : at(id).size(dim);
  }

  double number() {
    return program_.kind == Kind::Values
               ? static_cast<double>(dice_.below(7) - 3)
               : dice_.of(kBends);
  }

  bool draw_without_call(Step &step) {
    int64_t which = dice_.below(24);
    if (which == 0) {
      step.op = "sync";
    } else if (which == 1) {
      step.op = "read";
      step.tensors = {any()};
    } else if (which == 2 && pool_.size() > 4) {
      int id = any();
      // Leaves stay: their gradients are judged.
      if (at(id).is_leaf() && at(id).requires_grad())
        return false;
      step.op = "drop";
      step.tensors = {id};
    }
    return !step.op.empty();
  }

  void draw_operands(const Op &op, Step &step) {
    int64_t count = op.draw == Draw::Two ? 2 : op.draw == Draw::Three ? 3 : 1;
    for (int64_t i = 0; i < count; ++i)
      step.tensors.push_back(any());
    int first = step.tensors[0];
    auto add = [&](double x) { step.numbers.push_back(x); };
    switch (op.draw) {
    case Draw::Number:
      return add(number());
    case Draw::Bounds: {
      double a = number(), b = number();
      add(std::min(a, b));
      return add(std::max(a, b));
    }
    case Draw::Dim:
    case Draw::DimKeep:
    case Draw::DimNumber:
      add(static_cast<double>(dim_of(first)));
      if (op.draw == Draw::DimKeep)
        add(static_cast<double>(dice_.below(2)));
      if (op.draw == Draw::DimNumber)
        add(dice_.of<double>({0.5, 1, 1.5, 2, 3, INFINITY}));
      return;
    case Draw::Special:
      return draw_special(op.name, step);
    default:
      return;
    }
  }

  void draw_special(const std::string &name, Step &step) {
    int first = step.tensors[0];
    int64_t dim = dim_of(first), size = size_of(first, dim);
    auto set = [&](std::initializer_list<int64_t> numbers) {
      for (int64_t x : numbers)
        step.numbers.push_back(static_cast<double>(x));
    };
    if (name == "transpose" || name == "diagonal")
      return set({dim, dim_of(first)});
    if (name == "select")
      return set({dim, dice_.below(std::max<int64_t>(size, 1))});
    if (name == "narrow") {
      int64_t start = dice_.below(size + 1);
      return set({dim, start, dice_.below(size - start + 1)});
    }
    if (name == "slice_step")
      return set({dim, dice_.below(size + 1), 1 + dice_.below(2)});
    if (name == "unsqueeze")
      return set({dice_.below(at(first).dim() + 1)});
    if (name == "unfold") {
      int64_t width = 1 + dice_.below(std::max<int64_t>(size, 1));
      return set({dim, width, 1 + dice_.below(2)});
    }
    if (name == "cat" || name == "stack") {
      step.tensors.push_back(any());
      return set({dim});
    }
    if (name == "matmul" || name == "cdist")
      step.tensors.push_back(any());
    if (name == "cdist")
      step.numbers = {dice_.of<double>({0.5, 1, 1.5, 2, 3, INFINITY})};
    if (name == "checkpoint")
      set({dice_.below(4)});
  }

  //===- What is allowed --------------------------------------------------===//

  /// Whether what a write would change can be followed by differences and by
  /// every device alike.
  bool may_write(const Step &step) {
    const Tensor &written = at(step.tensors[0]);
    // What shows an element twice cannot be written.
    Shape sizes = written.sizes(), strides = written.strides();
    std::vector<std::pair<int64_t, int64_t>> steps;
    for (size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] > 1)
        steps.emplace_back(strides[i], sizes[i]);
    std::sort(steps.begin(), steps.end());
    int64_t reach = 0;
    for (auto [stride, size] : steps) {
      if (stride <= reach)
        return false;
      reach += stride * (size - 1);
    }
    // Numbers out of range become any byte.
    if (written.dtype() == kUInt8)
      return false;
    int root = root_.at(step.tensors[0]);
    // A detached alias would have to change and stand still.
    if (gradients() && frozen_roots_.contains(root))
      return false;
    // Nor does PyTorch say what another operand is that is half overwritten.
    for (size_t i = 1; i < step.tensors.size(); ++i)
      if (root_.at(step.tensors[i]) == root &&
          step.tensors[i] != step.tensors[0])
        return false;
    if (!step.no_grad)
      return true;
    return !gradients() || !grad_roots_.contains(root);
  }

  /// Whether the numbers in it can take part in the rest of the program.
  bool is_useful(const Tensor &tensor) const {
    if (tensor.numel() > 64)
      return false;
    if (tensor.is_complex()) {
      for (std::complex<double> x :
           tensor.detach().to_vector<std::complex<double>>())
        if (!(std::abs(x) <= 1000) || x.real() != std::nearbyint(x.real()))
          return false;
      return true;
    }
    double most = gradients() ? 30 : tensor.dtype() == kBFloat16 ? 128 : 1024;
    for (double x : tensor.detach().to_vector<double>())
      if (!(std::fabs(x) <= most) || (!gradients() && x != std::nearbyint(x)))
        return false;
    return true;
  }

  /// Where a function bends, its second derivative is of one side or 0: no two
  /// formulas agree. atan2 tells the sign of a zero, which formulas do not
  /// share.
  bool is_ambiguous(const std::string &name) const {
    static const std::set<std::string> bent = {"elu", "selu", "celu",
                                               "huber_loss", "smooth_l1_loss"};
    return name == "atan2" || (program_.second && bent.contains(name));
  }

  void try_step() {
    Step step;
    if (draw_without_call(step)) {
      run_step(step, program_.steps.size(), cpu_, pool_, {});
      program_.steps.push_back(step);
      return;
    }
    const Op &op = dice_.of(ops());
    if (!gradients() && (op.real_only || op.random))
      return;
    // Where a bound is the other one too, PyTorch's gradient is not that of
    // differences. Remainders by little jump too often for them.
    const std::string name = op.name;
    if (program_.kind == Kind::Smooth &&
        (name == "clamp_tensors" || name == "remainder" || name == "fmod"))
      return;
    if (program_.kind == Kind::Kinks && is_ambiguous(name))
      return;
    // Views and writes are what goes wrong; they come more often.
    if (!op.writes && op.draw == Draw::One && dice_.chance(2) &&
        program_.steps.size() % 2)
      return;
    step.op = op.name;
    draw_operands(op, step);
    step.no_grad = gradients() && dice_.chance(12);
    // A checkpoint of what shares memory with a leaf has a gradient of zeros
    // where its body alone has none.
    if (op.random && !at(step.tensors[0]).requires_grad() &&
        grad_roots_.contains(root_.at(step.tensors[0])))
      return;
    if (op.writes && !may_write(step))
      return;
    attempt(op, step);
  }

  /// Carries the step out and keeps it, unless it is no use.
  void attempt(const Op &op, Step &step) {
    std::vector<double> before;
    Tensor written = op.writes ? at(step.tensors[0]) : Tensor();
    try {
      if (op.writes) {
        // Tried on a copy: a write that is no use cannot be taken back.
        Pool copy = pool_;
        copy[step.tensors[0]] = written.detach().clone();
        NoGradGuard guard;
        run_step(step, 0, cpu_, copy, {});
        if (!is_useful(copy[step.tensors[0]]))
          return;
      } else {
        step.result = next_;
      }
      run_step(step, program_.steps.size(), cpu_, pool_, {});
    } catch (const Error &) {
      pool_.erase(step.result);
      return;
    }
    if (!op.writes) {
      if (!is_useful(at(step.result))) {
        pool_.erase(step.result);
        return;
      }
      note_result(op, step);
      ++next_;
    } else if (written.requires_grad()) {
      grad_roots_.insert(root_.at(step.tensors[0]));
    }
    program_.steps.push_back(step);
  }

  void note_result(const Op &op, const Step &step) {
    const Tensor &made = at(step.result);
    int root = step.result;
    for (int id : step.tensors)
      if (made.is_alias_of(at(id)))
        root = root_.at(id);
    root_[step.result] = root;
    bool stands_still = op.freezes || step.no_grad;
    if (stands_still && root != step.result)
      frozen_roots_.insert(root);
    if (made.requires_grad())
      grad_roots_.insert(root);
  }

  Dice dice_;
  size_t length_;
  Program program_;
  Pool pool_;
  int next_ = 0;
  const Mode cpu_{"cpu", Device(kCPU)};
  std::map<int, int> root_; ///< the first tensor on the same memory
  std::set<int> frozen_roots_, grad_roots_;
};

} // namespace

Program generate(uint64_t seed, size_t steps) {
  return Generator(seed, steps).generate();
}

} // namespace xlac::fuzz_api
