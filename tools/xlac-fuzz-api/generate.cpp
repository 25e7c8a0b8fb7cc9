// Generation of random programs: the calls and their arguments.
#include "program.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace xlac::fuzz_api {

namespace {

/// Numbers at which functions of the front end have kinks or jumps.
const std::vector<double> kBends = {0, 0, 1, -1, 0.5, -0.5, 2, 3, -3, 6};

/// Generates a program step by step. Each step is tried on the cpu, and dropped
/// if it fails or its result is not useful.
class Generator {
public:
  Generator(uint64_t seed, size_t length) : random_(seed), length_(length) {
    program_.seed = seed;
    program_.kind = random_.of<Kind>(
        {Kind::Values, Kind::Kinks, Kind::Kinks, Kind::Smooth, Kind::Smooth});
    program_.second = gradients() && random_.chance(3);
  }

  Program generate() {
    manual_seed(static_cast<int64_t>(program_.seed));
    int64_t count = 2 + random_.below(3);
    // Programs with gradients use one dtype, unless a step converts.
    Dtype dtype = kFloat64;
    if (random_.chance(3))
      dtype = random_.of<Dtype>(
          {kFloat32, kFloat32, kBFloat16, kFloat16, kComplex128, kComplex64});
    if (gradients() && (dtype == kBFloat16 || dtype == kFloat16))
      program_.kind = Kind::Kinks;
    if (gradients() && (dtype == kComplex128 || dtype == kComplex64))
      program_.kind = Kind::Smooth;
    for (int64_t i = 0; i < count; ++i)
      add_input(dtype);
    for (size_t tries = 0;
         program_.steps.size() < length_ && tries < 30 * length_; ++tries)
      if (!gradients() || !random_.chance(10) || !try_detached())
        try_step();
    return std::move(program_);
  }

private:
  bool gradients() const { return program_.kind != Kind::Values; }

  //===- Inputs -----------------------------------------------------------===//

  double value_of(Dtype dtype) {
    if (dtype == kBool)
      return static_cast<double>(random_.below(2));
    if (program_.kind == Kind::Values)
      return static_cast<double>(random_.below(9)) - (dtype == kUInt8 ? 0 : 4);
    if (program_.kind == Kind::Kinks && !random_.chance(3))
      return random_.of(kBends);
    // Few bits, so that f16 and bf16 represent sums and products exactly, too.
    if (gradients() && (dtype == kBFloat16 || dtype == kFloat16))
      return static_cast<double>(random_.below(17) - 8) / 4;
    // Away from kinks, and mostly distinct.
    return static_cast<double>(random_.below(20011) - 10005) / 4099;
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
    input.sizes = random_.of(shapes);
    input.dtype = gradients() ? shared : random_.of(dtypes);
    int64_t elements = 1;
    for (int64_t size : input.sizes)
      elements *= size;
    if (input.dtype == kComplex64 || input.dtype == kComplex128)
      elements *= 2;
    for (int64_t i = 0; i < elements; ++i)
      input.values.push_back(value_of(input.dtype));
    input.leaf = gradients() && (input.id == 0 || !random_.chance(3));
    // Steps of programs in f16 and bf16 are tried in f64, which rounds less.
    Input tried = input;
    if (gradients() && (shared == kBFloat16 || shared == kFloat16)) {
      tried.dtype = kFloat64;
      narrow_ = true;
    }
    pool_[input.id] = make(tried, cpu_);
    root_[input.id] = input.id;
    if (input.leaf)
      grad_roots_.insert(input.id);
    program_.inputs.push_back(std::move(input));
  }

  //===- Steps ------------------------------------------------------------===//

  const Tensor &at(int id) const { return pool_.at(id); }

  int any() {
    auto it = pool_.begin();
    std::advance(it, random_.below(static_cast<int64_t>(pool_.size())));
    return it->first;
  }

  int64_t dim_of(int id) {
    return random_.below(std::max<int64_t>(at(id).dim(), 1));
  }
  int64_t size_of(int id, int64_t dim) {
    return at(id).dim() == 0 ? 1 : at(id).size(dim);
  }

  double number() {
    return program_.kind == Kind::Values
               ? static_cast<double>(random_.below(7) - 3)
               : random_.of(kBends);
  }

  bool draw_without_call(Step &step) {
    int64_t which = random_.below(24);
    if (which == 0) {
      step.op = "sync";
    } else if (which == 1) {
      step.op = "read";
      step.tensors = {any()};
    } else if (which == 2 && pool_.size() > 4) {
      int id = any();
      // Leaves are not dropped, since their gradients are checked.
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
        add(static_cast<double>(random_.below(2)));
      if (op.draw == Draw::DimNumber)
        add(random_.of<double>({0.5, 1, 1.5, 2, 3, INFINITY}));
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
      return set({dim, random_.below(std::max<int64_t>(size, 1))});
    if (name == "narrow") {
      int64_t start = random_.below(size + 1);
      return set({dim, start, random_.below(size - start + 1)});
    }
    if (name == "slice_step")
      return set({dim, random_.below(size + 1), 1 + random_.below(2)});
    if (name == "unsqueeze")
      return set({random_.below(at(first).dim() + 1)});
    if (name == "unfold") {
      int64_t width = 1 + random_.below(std::max<int64_t>(size, 1));
      return set({dim, width, 1 + random_.below(2)});
    }
    if (name == "cat" || name == "stack") {
      step.tensors.push_back(any());
      return set({dim});
    }
    if (name == "matmul" || name == "cdist")
      step.tensors.push_back(any());
    if (name == "cdist")
      step.numbers = {random_.of<double>({0.5, 1, 1.5, 2, 3, INFINITY})};
    if (name == "checkpoint")
      set({random_.below(4)});
    if (const Op *op = find_op(name); op && op->has_body) {
      // Cases with an operand that is also captured are error-prone, so they
      // are frequent.
      step.tensors.push_back(random_.chance(3) ? first : any());
      set({random_.below(body_count(name)), random_.below(2)});
    }
  }

  //===- Restrictions -----------------------------------------------------===//

  /// Whether differences can account for the write, and all devices agree on
  /// its effect.
  bool may_write(const Step &step) {
    const Tensor &written = at(step.tensors[0]);
    // A view that shows an element twice cannot be written to.
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
    // Numbers out of range convert to arbitrary bytes.
    if (written.dtype() == kUInt8)
      return false;
    int root = root_.at(step.tensors[0]);
    // A body that runs again in backward would read the written value.
    if (read_again_.contains(root) || copied_roots_.contains(root))
      return false;
    // Differences would require a detached alias both to change and to stay.
    if (gradients() && frozen_roots_.contains(root))
      return false;
    // PyTorch does not define the value of another operand that overlaps the
    // target.
    for (size_t i = 1; i < step.tensors.size(); ++i)
      if (root_.at(step.tensors[i]) == root &&
          step.tensors[i] != step.tensors[0])
        return false;
    if (!step.no_grad)
      return true;
    return !gradients() || !grad_roots_.contains(root);
  }

  /// Whether the rest of the program can use the tensor's numbers.
  bool is_useful(const Tensor &tensor) const {
    if (tensor.numel() > 64)
      return false;
    auto whole = [](double x) { return x == std::nearbyint(x); };
    if (tensor.is_complex()) {
      for (std::complex<double> x :
           tensor.detach().to_vector<std::complex<double>>())
        if (!(std::abs(x) <= (gradients() ? 30 : 1000)) ||
            (!gradients() && !(whole(x.real()) && whole(x.imag()))))
          return false;
      return true;
    }
    double most = gradients() ? 30 : tensor.dtype() == kBFloat16 ? 128 : 1024;
    // A number that differs from a kink or jump only by rounding may be on its
    // other side on another device.
    auto is_residue = [](double x) {
      double bend = std::nearbyint(4 * x) / 4;
      return x != bend && std::fabs(x - bend) < 1e-9;
    };
    for (double x : tensor.detach().to_vector<double>())
      if (!(std::fabs(x) <= most) || (gradients() && is_residue(x)) ||
          (!gradients() && !whole(x)))
        return false;
    return true;
  }

  /// Whether f16 and bf16 represent the tensor's numbers exactly.
  static bool has_few_bits(const Tensor &tensor) {
    for (double x : tensor.detach().to_vector<double>())
      if (!(std::fabs(x) <= 8) || 16 * x != std::nearbyint(16 * x))
        return false;
    return true;
  }

  /// At a kink the second derivative is one-sided or 0, depending on the
  /// formula. The sign of a zero, which atan2 uses, depends on the formula,
  /// too.
  bool is_ambiguous(const std::string &name) const {
    static const std::set<std::string> bent = {"elu", "selu", "celu",
                                               "huber_loss", "smooth_l1_loss"};
    return name == "atan2" || (program_.second && bent.contains(name));
  }

  /// Whether differences do not match PyTorch's gradient. They ignore that a
  /// body detaches. PyTorch's gradient at equal bounds is another one.
  /// Remainders by small numbers jump too often.
  bool has_other_differences(const Op &op, const Step &step) const {
    const std::string name = op.name;
    if (op.has_body)
      return (step.numbers[0] != 0 && step.numbers[0] != 5 &&
              step.numbers[0] != 6) ||
             (name == "scan" && step.numbers[1] == 0);
    return name == "clamp_tensors" || name == "remainder" || name == "fmod";
  }

  /// Whether operands that a function compares or subtracts have equal
  /// elements, as a tensor and its own constant have. Differences are invalid
  /// at such points.
  bool compares_equal(const Op &op, const Step &step) const {
    static const std::set<std::string> safe = {
        "add", "mul", "div", "add_", "mul_", "div_", "copy_", "window_copy_"};
    if (op.draw != Draw::Two || safe.contains(op.name))
      return false;
    try {
      NoGradGuard guard;
      return eq(at(step.tensors[0]), at(step.tensors[1])).any().item<bool>();
    } catch (const Error &) {
      return false; // the call throws the same error
    }
  }

  /// Whether a function that orders or measures a tensor's elements finds two
  /// equal ones. If a constant or a branch with one value makes them equal,
  /// they are equal for all inputs. Then the slopes on both sides may agree
  /// with each other but not with PyTorch's gradient.
  bool has_ties(const Step &step) const {
    static const std::set<std::string> ordering = {
        "amax",    "amin",   "max",         "min", "median", "max_all",
        "min_all", "cummax", "sort_stable", "std", "norm"};
    NoGradGuard guard;
    auto any_equal = [](const Tensor &row) {
      Tensor sorted = std::get<0>(xlac::sort(row, -1));
      int64_t last = sorted.size(-1);
      return last > 1 &&
             le(sorted.narrow(-1, 1, last - 1) - sorted.narrow(-1, 0, last - 1),
                1e-4)
                 .any()
                 .item<bool>();
    };
    const Tensor &first = at(step.tensors[0]);
    try {
      if (ordering.contains(step.op) && !first.is_complex())
        return any_equal(
            (step.op == "norm" ? first.abs() : first).reshape({-1}));
      if (step.op == "cdist" && std::isinf(step.numbers[0]))
        return any_equal(
            (first.unsqueeze(-2) - at(step.tensors[1]).unsqueeze(-3)).abs());
    } catch (const Error &) {
      // The call throws the same error.
    }
    return false;
  }

  /// Whether the call suits the dtypes of its operands. Functions of real and
  /// imaginary parts are for complex numbers. Roots and logarithms of complex
  /// numbers jump at negative numbers.
  bool fits_dtypes(const Op &op, const Step &step) const {
    static const std::set<std::string> parts = {"conj", "view_as_real", "real",
                                                "imag"};
    static const std::set<std::string> jump = {
        "sqrt",         "rsqrt",      "sqrt_",     "log1p", "logsumexp",
        "logcumsumexp", "pow_number", "pow_",      "xlogy", "std",
        "norm",         "softplus",   "logsigmoid"};
    const std::string name = op.name;
    bool complex = std::any_of(step.tensors.begin(), step.tensors.end(),
                               [&](int id) { return at(id).is_complex(); });
    return complex ? !jump.contains(name) : !parts.contains(name);
  }

  //===- Detached tensors -------------------------------------------------===//

  /// Adds a step if its result is useful.
  bool add(const Step &step) {
    const Op *op = find_op(step.op);
    return op && fits_dtypes(*op, step) && attempt(*op, step);
  }

  /// Adds a call of a tensor and a constant with equal numbers, with a sync or
  /// read before it. Gradients must distinguish the two.
  bool try_detached() {
    std::vector<int> followed;
    for (const auto &[id, tensor] : pool_)
      if (tensor.requires_grad() && !is_rounded(id))
        followed.push_back(id);
    if (followed.empty())
      return false;
    int id = random_.of(followed), constant = next_;
    settle(id);
    static const std::vector<std::string> ways = {
        "detach", "data",   "clone_detach", "detach",
        "clone",  "select", "reshape_flat", "squeeze"};
    Step step;
    step.op = random_.of(ways);
    step.tensors = {id};
    step.no_grad = !find_op(step.op)->freezes;
    if (step.op == "select")
      step.numbers = {0, 0};
    if (!add(step))
      return false;
    settle(constant);
    static const std::vector<std::string> two = {"mul", "sub",   "add",
                                                 "cat", "stack", "maximum"};
    static const std::vector<std::string> three = {"addcmul", "where"};
    bool has_three = random_.chance(4);
    Step joined;
    joined.op = random_.of(has_three ? three : two);
    if (program_.kind == Kind::Smooth && joined.op == "maximum")
      joined.op = "mul"; // equal operands of maximum are a kink
    joined.tensors = {id, constant};
    if (random_.chance(2))
      std::swap(joined.tensors[0], joined.tensors[1]);
    if (has_three)
      joined.tensors.push_back(random_.chance(2) ? id : constant);
    if (joined.op == "cat" || joined.op == "stack")
      joined.numbers = {0};
    if (add(joined))
      settle(next_ - 1);
    return true;
  }

  /// Sometimes computes pending tensors.
  void settle(int id) {
    Step step;
    switch (random_.below(4)) {
    case 0:
      step.op = "sync";
      break;
    case 1:
      step.op = "read";
      step.tensors = {id};
      break;
    default:
      return;
    }
    program_.steps.push_back(step);
  }

  bool is_rounded(int id) const { return rounded_.contains(root_.at(id)); }

  void try_step() {
    Step step;
    if (draw_without_call(step)) {
      run_step(step, program_.steps.size(), cpu_, pool_, {});
      program_.steps.push_back(step);
      return;
    }
    const Op &op = random_.of(ops());
    if (!gradients() && (op.real_only || op.random))
      return;
    const std::string name = op.name;
    if (program_.kind == Kind::Kinks && is_ambiguous(name))
      return;
    // Views and writes are the error-prone calls, so they are more frequent.
    if (!op.writes && op.draw == Draw::One && random_.chance(2) &&
        program_.steps.size() % 2)
      return;
    step.op = op.name;
    draw_operands(op, step);
    if ((program_.kind == Kind::Smooth && has_other_differences(op, step)) ||
        !fits_dtypes(op, step))
      return;
    step.no_grad = gradients() && random_.chance(12);
    // A checkpoint of a tensor that shares memory with a leaf has a gradient of
    // zeros where its body has none.
    if (op.random && !at(step.tensors[0]).requires_grad() &&
        grad_roots_.contains(root_.at(step.tensors[0])))
      return;
    if (op.writes && !may_write(step))
      return;
    attempt(op, step);
  }

  /// Runs the step and adds it to the program, unless its result is not useful.
  bool attempt(const Op &op, Step step) {
    // Rounded tensors are never operands: their gradients might be those of
    // either side of a kink.
    for (int id : step.tensors)
      if (narrow_ && is_rounded(id))
        return false;
    if (program_.kind == Kind::Smooth &&
        (compares_equal(op, step) || has_ties(step)))
      return false;
    Tensor written = op.writes ? at(step.tensors[0]) : Tensor();
    try {
      if (op.writes) {
        // Tried on a copy, since a write cannot be undone.
        Pool copy = pool_;
        copy[step.tensors[0]] = written.detach().clone();
        NoGradGuard guard;
        run_step(step, 0, cpu_, copy, {});
        if (!is_fit(op, copy[step.tensors[0]]))
          return false;
      } else {
        step.result = next_;
      }
      run_step(step, program_.steps.size(), cpu_, pool_, {});
    } catch (const Error &) {
      pool_.erase(step.result);
      return false;
    }
    if (!op.writes) {
      if (!is_fit(op, at(step.result))) {
        pool_.erase(step.result);
        return false;
      }
      note_result(op, step);
      ++next_;
    } else if (written.requires_grad()) {
      grad_roots_.insert(root_.at(step.tensors[0]));
    }
    if (narrow_ && op.real_only)
      rounded_.insert(root_.at(op.writes ? step.tensors[0] : step.result));
    program_.steps.push_back(step);
    return true;
  }

  bool is_fit(const Op &op, const Tensor &made) const {
    return is_useful(made) && (!narrow_ || op.real_only || has_few_bits(made));
  }

  void note_result(const Op &op, const Step &step) {
    const Tensor &made = at(step.result);
    int root = step.result;
    for (int id : step.tensors)
      if (made.is_alias_of(at(id)))
        root = root_.at(id);
    root_[step.result] = root;
    if (step.op == "reshape_flat" && root == step.result)
      copied_roots_.insert({root, root_.at(step.tensors[0])});
    if (op.has_body && (step.op == "checkpoint_of_two" || step.numbers[0] == 5))
      read_again_.insert(root_.at(step.tensors[1]));
    bool is_constant = op.freezes || step.no_grad;
    if (is_constant && root != step.result)
      frozen_roots_.insert(root);
    if (made.requires_grad())
      grad_roots_.insert(root);
  }

  RandomSource random_;
  size_t length_;
  Program program_;
  Pool pool_;
  int next_ = 0;
  const Mode cpu_{"cpu", Device(kCPU)};
  std::map<int, int> root_; ///< the first tensor with the same memory
  std::set<int> frozen_roots_, grad_roots_;
  /// For a reshape that copies on the cpu but is a view on xla devices, where
  /// every tensor is contiguous: the roots of the copy and of its operand.
  std::set<int> copied_roots_;
  std::set<int> read_again_; ///< roots that bodies of checkpoints capture
  bool narrow_ = false;
  std::set<int> rounded_; ///< roots, in narrow programs
};

} // namespace

Program generate(uint64_t seed, size_t steps) {
  return Generator(seed, steps).generate();
}

} // namespace xlac::fuzz_api
