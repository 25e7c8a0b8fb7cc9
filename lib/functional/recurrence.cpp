// Recurrent layers and cells: one step of each kind, and layers that run the
// steps in one loop. The inputs' part of the gates does not depend on the
// state, so one GEMM computes it for all times before the loop.
#include "xlac/tensor/formulas.h"

#include <algorithm>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

enum class Kind { Tanh, Relu, Lstm, Gru };

int64_t gates_of(Kind kind) {
  return kind == Kind::Lstm ? 4 : kind == Kind::Gru ? 3 : 1;
}

/// Weights of one layer in one direction. The biases and the projection of an
/// LSTM's hidden state may be empty.
struct Weights {
  Value input, hidden, input_bias, hidden_bias, projection;
};

/// The state between steps: the hidden state, and the cell state of an LSTM.
struct Carried {
  Value hidden, cell;
};

Value with_bias(const Value &x, const Value &bias) {
  return bias ? x + bias : x;
}

/// Returns gate i of [N, gates * H].
Value gate(const Value &all, int64_t i, int64_t width) {
  return sliced(all, 1, i * width, (i + 1) * width);
}

/// Computes the inputs' part of the gates. It includes the hidden bias except
/// for a GRU, whose reset gate is applied after the hidden bias is added.
Value projected_input(Kind kind, const Value &x, const Weights &w) {
  Value projected = with_bias(linear_of(x, w.input), w.input_bias);
  return kind == Kind::Gru ? projected : with_bias(projected, w.hidden_bias);
}

/// The result of a step. `sums` are the arguments of its activations, saved so
/// that the backward pass does not recompute them.
struct Stepped {
  Carried next;
  Value sums;
};

Stepped gru_step(const Value &projected, const Value &before,
                 const Weights &w) {
  Value recurrent = with_bias(linear_of(before, w.hidden), w.hidden_bias);
  int64_t width = sizes_of(w.hidden)[1];
  auto both = [&](int64_t i) {
    return logistic_of(gate(projected, i, width) + gate(recurrent, i, width));
  };
  Value reset = both(0), update = both(1);
  Value fresh =
      tanh_of(gate(projected, 2, width) + reset * gate(recurrent, 2, width));
  return {{(before - fresh) * update + fresh, {}}, recurrent};
}

/// Runs one step; `projected` is the inputs' part of the gates.
Stepped stepped(Kind kind, const Value &projected, const Carried &before,
                const Weights &w) {
  if (kind == Kind::Gru)
    return gru_step(projected, before.hidden, w);
  Value all = projected + linear_of(before.hidden, w.hidden);
  if (kind == Kind::Tanh)
    return {{tanh_of(all), {}}, all};
  if (kind == Kind::Relu)
    return {{relu_of(all), {}}, all};
  int64_t width = sizes_of(before.cell)[1];
  Value in = logistic_of(gate(all, 0, width));
  Value forget = logistic_of(gate(all, 1, width));
  Value fresh = tanh_of(gate(all, 2, width));
  Value out = logistic_of(gate(all, 3, width));
  Value cell = forget * before.cell + in * fresh;
  Value hidden = out * tanh_of(cell);
  if (w.projection)
    hidden = linear_of(hidden, w.projection);
  return {{hidden, cell}, all};
}

//===- Layers -------------------------------------------------------------===//

/// The options of all layers.
struct Layers {
  Kind kind;
  bool has_biases;
  int64_t count;
  double dropout;
  bool train, bidirectional;
  /// an LSTM's hidden state is narrower than its cell state
  bool projects = false;
  bool followed = false; ///< gradients are required
  int64_t directions() const { return bidirectional ? 2 : 1; }
  /// Returns the number of weights and biases of one direction of one layer.
  size_t params() const {
    return (has_biases ? 4U : 2U) + (projects ? 1U : 0U);
  }
};

/// Runs one direction of one layer over x [T, N, I]. `lengths`, if given, are
/// the lengths of the sequences [N]: states do not change after the end.
struct Run {
  Value outputs; ///< [T, N, H]
  Carried last;
};

Run run_direction(const Layers &layers, const Value &x, const Carried &state,
                  const Weights &w, bool backwards, const Value &lengths) {
  std::vector<Value> inputs{projected_input(layers.kind, x, w)};
  if (lengths)
    inputs.push_back(build::iota(ElementType::I64, {sizes_of(x)[0]}, 0));
  std::vector<Value> inits{state.hidden};
  if (state.cell)
    inits.push_back(state.cell);
  build::Scanned made = build::scan(
      std::move(inputs), std::move(inits), backwards,
      [&](const std::vector<Value> &rows, const std::vector<Value> &carried) {
        Carried before{carried[0], carried.size() > 1 ? carried[1] : Value()};
        Stepped step = stepped(layers.kind, rows[0], before, w);
        auto while_running = [&](const Value &fresh, const Value &old) {
          if (!lengths)
            return fresh;
          Value runs = build::compare(
              ComparisonDirection::GT, lengths,
              build::broadcast_in_dim(rows[1], sizes_of(lengths), {}));
          return build::select(
              build::broadcast_in_dim(runs, sizes_of(fresh), {0}), fresh, old);
        };
        build::Scanned next;
        next.carried.push_back(while_running(step.next.hidden, before.hidden));
        if (before.cell)
          next.carried.push_back(while_running(step.next.cell, before.cell));
        next.outputs.push_back(next.carried[0]);
        // The backward pass reads these instead of running the loop again.
        if (layers.followed) {
          next.outputs.push_back(step.sums);
          if (before.cell)
            next.outputs.push_back(next.carried[1]);
        }
        return next;
      });
  return {
      made.outputs[0],
      {made.carried[0], made.carried.size() > 1 ? made.carried[1] : Value()}};
}

struct Inputs {
  const Tensor &input;
  const std::vector<Tensor> states, params;
};

/// Throws unless the inputs fit the layers; `rank` is that of the states.
void check(const Inputs &in, const Layers &layers, size_t rank) {
  size_t states = layers.kind == Kind::Lstm ? 2 : 1;
  if (in.states.size() != states)
    raise<ValueError>("expected " + std::to_string(states) +
                      " hidden states, got " +
                      std::to_string(in.states.size()));
  size_t wanted =
      static_cast<size_t>(layers.count * layers.directions()) * layers.params();
  if (layers.count < 1 || in.params.size() != wanted)
    raise<ValueError>("expected " + std::to_string(wanted) +
                      " weights and biases, got " +
                      std::to_string(in.params.size()));
  const Shape &x = impl_of(in.input).sizes;
  int64_t hidden = impl_of(in.states[0]).sizes.back();
  int64_t cell = impl_of(in.states.back()).sizes.back();
  int64_t features = x.back(), rows = gates_of(layers.kind) * cell;
  for (int64_t i = 0; i < layers.count * layers.directions(); ++i) {
    size_t first = static_cast<size_t>(i) * layers.params();
    const Shape &w = impl_of(in.params[first]).sizes;
    const Shape &u = impl_of(in.params[first + 1]).sizes;
    if (i == layers.directions())
      features = hidden * layers.directions();
    if (w != Shape{rows, features} || u != Shape{rows, hidden})
      raise<ShapeError>("weights of sizes " + to_text(w) + " and " +
                        to_text(u) + " do not fit inputs of size " +
                        std::to_string(features) + " and hidden states of " +
                        "size " + std::to_string(hidden));
    if (!layers.projects)
      continue;
    const Shape &p = impl_of(in.params[first + layers.params() - 1]).sizes;
    if (p != Shape{hidden, cell})
      raise<ShapeError>("a projection of size " + to_text(p) +
                        " does not make hidden states of size " +
                        std::to_string(hidden) + " of cells of size " +
                        std::to_string(cell));
  }
  for (const Tensor &state : in.states) {
    const Shape &sizes = impl_of(state).sizes;
    if (sizes.size() != rank || sizes[0] != layers.count * layers.directions())
      raise<ShapeError>("Expected hidden size [" +
                        std::to_string(layers.count * layers.directions()) +
                        ", ..., " + std::to_string(sizes.back()) + "], got " +
                        to_text(sizes));
  }
}

void check_batch(const Inputs &in, int64_t batch) {
  for (const Tensor &state : in.states)
    if (impl_of(state).sizes[1] != batch)
      raise<ShapeError>("hidden states of size " +
                        to_text(impl_of(state).sizes) +
                        " do not fit a batch of " + std::to_string(batch));
}

/// All results, outputs and last states, in the layout of the inputs.
struct Results {
  Value outputs;
  std::vector<Value> states;
};

Results run_layers(const Layers &layers, Value x, const Inputs &in,
                   const Setting &setting, const Value &lengths) {
  std::vector<Value> initial;
  for (const Tensor &state : in.states) {
    Value value = setting.of(state);
    const Shape &sizes = sizes_of(value);
    initial.push_back(
        build::reshape(value, {sizes[0], sizes_of(x)[1], sizes.back()}));
  }
  std::vector<std::vector<Value>> last(initial.size());
  size_t next = 0;
  auto state_at = [&](size_t kind, int64_t i) {
    const Shape &sizes = sizes_of(initial[kind]);
    return build::reshape(sliced(initial[kind], 0, i, i + 1),
                          {sizes[1], sizes[2]});
  };
  auto param = [&] { return setting.of(in.params[next++]); };
  for (int64_t layer = 0; layer < layers.count; ++layer) {
    std::vector<Value> parts;
    for (int64_t way = 0; way < layers.directions(); ++way) {
      Weights w{param(), param(), {}, {}, {}};
      if (layers.has_biases) {
        w.input_bias = param();
        w.hidden_bias = param();
      }
      if (layers.projects)
        w.projection = param();
      int64_t number = layer * layers.directions() + way;
      Carried state{state_at(0, number),
                    initial.size() > 1 ? state_at(1, number) : Value()};
      Run run = run_direction(layers, x, state, w, way == 1, lengths);
      parts.push_back(run.outputs);
      last[0].push_back(run.last.hidden);
      if (run.last.cell)
        last[1].push_back(run.last.cell);
    }
    x = build::concatenate(parts, 2);
    if (layers.dropout > 0 && layers.train && layer + 1 < layers.count)
      x = setting.of(dropout(frontend::finish(x, setting.device, setting.wide),
                             layers.dropout, true));
  }
  Results results{x, {}};
  for (const std::vector<Value> &states : last) {
    std::vector<Value> rows;
    for (const Value &state : states) {
      const Shape &sizes = sizes_of(state);
      rows.push_back(build::reshape(state, {1, sizes[0], sizes[1]}));
    }
    results.states.push_back(build::concatenate(rows, 0));
  }
  return results;
}

std::vector<Tensor> finished(const Results &results, const Setting &setting) {
  ElementType type = lazy::element_type(setting.dtype);
  std::vector<Value> values{build::convert(results.outputs, type)};
  for (const Value &state : results.states)
    values.push_back(build::convert(state, type));
  return finish_all(values, setting.device,
                    std::vector<Dtype>(values.size(), setting.dtype));
}

Setting setting_for(const Inputs &in) {
  std::vector<Tensor> all = in.params;
  all.push_back(in.input);
  all.insert(all.end(), in.states.begin(), in.states.end());
  Setting setting = setting_of({&in.input});
  setting.device = common_device(all);
  return setting;
}

/// Completes the options from the tensors: an LSTM projects when its hidden and
/// cell states have different sizes.
Layers completed(Layers layers, const Inputs &in) {
  auto needs_grad = [](const Tensor &tensor) {
    return impl_of(tensor).needs_grad();
  };
  auto any = [&](const std::vector<Tensor> &tensors) {
    return std::any_of(tensors.begin(), tensors.end(), needs_grad);
  };
  layers.followed = is_recording() &&
                    (needs_grad(in.input) || any(in.states) || any(in.params));
  auto width = [&](size_t state) {
    const Shape &sizes = impl_of(in.states[state]).sizes;
    return sizes.empty() ? 0 : sizes.back();
  };
  layers.projects = layers.kind == Kind::Lstm && in.states.size() == 2 &&
                    width(0) != width(1);
  return layers;
}

std::vector<Tensor> layered(Layers layers, const Inputs &in, bool batch_first) {
  const Shape given = impl_of(in.input).sizes;
  if (given.size() != 2 && given.size() != 3)
    raise<ShapeError>("Expected input to be 2D or 3D, got " +
                      std::to_string(given.size()) + "D instead");
  layers = completed(layers, in);
  check(in, layers, given.size());
  Setting setting = setting_for(in);
  bool batched = given.size() == 3;
  Value x = setting.of(in.input);
  if (!batched)
    x = build::reshape(x, {given[0], 1, given[1]});
  else if (batch_first)
    x = swapped(x, 0, 1);
  if (sizes_of(x)[0] == 0)
    raise<ShapeError>("Expected sequence length to be larger than 0");
  if (batched)
    check_batch(in, sizes_of(x)[1]);
  Results results = run_layers(layers, x, in, setting, {});
  if (batched && batch_first)
    results.outputs = swapped(results.outputs, 0, 1);
  auto drop = [](const Value &value, size_t dim) {
    Shape sizes = sizes_of(value);
    sizes.erase(sizes.begin() + static_cast<long>(dim));
    return build::reshape(value, sizes);
  };
  if (!batched) {
    results.outputs = drop(results.outputs, 1);
    for (Value &state : results.states)
      state = drop(state, 1);
  }
  return finished(results, setting);
}

//===- Packed sequences ---------------------------------------------------===//

/// The index maps between a packed sequence and a padded one [T, N].
struct Packing {
  Shape to_padded, to_packed, lengths;
  int64_t time, batch;
};

Packing packing_of(const Tensor &batch_sizes, int64_t rows) {
  std::vector<int64_t> sizes = batch_sizes.to_vector<int64_t>();
  Packing p{{},
            {},
            {},
            static_cast<int64_t>(sizes.size()),
            sizes.empty() ? 0 : sizes[0]};
  int64_t total = 0;
  p.lengths.assign(static_cast<size_t>(std::max<int64_t>(p.batch, 0)), 0);
  for (int64_t t = 0; t < p.time; ++t) {
    if (sizes[t] < 1 || (t > 0 && sizes[t] > sizes[t - 1]))
      raise<ValueError>("batch_sizes must be positive and not increase");
    for (int64_t n = 0; n < p.batch; ++n) {
      bool there = n < sizes[t];
      p.to_padded.push_back(there ? total + n : 0);
      if (there) {
        p.to_packed.push_back(t * p.batch + n);
        ++p.lengths[static_cast<size_t>(n)];
      }
    }
    total += sizes[t];
  }
  if (p.time == 0 || total != rows)
    raise<ValueError>("batch_sizes do not add up to the " +
                      std::to_string(rows) + " rows of data");
  return p;
}

std::vector<Tensor> packed(Layers layers, const Inputs &in,
                           const Tensor &batch_sizes) {
  const Shape given = impl_of(in.input).sizes;
  if (given.size() != 2)
    raise<ShapeError>("packed data must have 2 dimensions, got " +
                      to_text(given));
  layers = completed(layers, in);
  check(in, layers, 3);
  Setting setting = setting_for(in);
  Packing p = packing_of(batch_sizes, given[0]);
  check_batch(in, p.batch);
  Value rows =
      build::take(setting.of(in.input), build::constant(p.to_padded), 0);
  Value x = build::reshape(rows, {p.time, p.batch, given[1]});
  Results results =
      run_layers(layers, x, in, setting, build::constant(p.lengths));
  int64_t width = sizes_of(results.outputs)[2];
  results.outputs =
      build::take(build::reshape(results.outputs, {p.time * p.batch, width}),
                  build::constant(p.to_packed), 0);
  return finished(results, setting);
}

//===- Cells --------------------------------------------------------------===//

std::vector<Tensor> cell(Kind kind, const Tensor &input,
                         const std::vector<Tensor> &states, const Tensor &w_ih,
                         const Tensor &w_hh, const Tensor &b_ih,
                         const Tensor &b_hh) {
  const Shape &x = impl_of(input).sizes;
  if (x.size() != 1 && x.size() != 2)
    raise<ShapeError>("Expected input to be 1D or 2D, got " +
                      std::to_string(x.size()) + "D instead");
  if (states.size() != (kind == Kind::Lstm ? 2U : 1U))
    raise<ValueError>("got " + std::to_string(states.size()) +
                      " hidden states");
  const Shape &w = impl_of(w_ih).sizes, &u = impl_of(w_hh).sizes;
  int64_t width = u.empty() ? 0 : u.back();
  if (w != Shape{gates_of(kind) * width, x.back()} ||
      u != Shape{gates_of(kind) * width, width})
    raise<ShapeError>("input has inconsistent input_size: got " + to_text(x) +
                      " for weights of sizes " + to_text(w) + " and " +
                      to_text(u));
  int64_t batch = x.size() == 2 ? x[0] : 1;
  for (const Tensor &state : states)
    if (count_of(impl_of(state).sizes) != batch * width)
      raise<ShapeError>("hidden state of size " +
                        to_text(impl_of(state).sizes) + " does not fit " +
                        to_text({batch, width}));
  Setting setting = setting_of({&input});
  setting.device =
      common_device({&input, &w_ih, &w_hh, &b_ih, &b_hh, &states[0]});
  auto of = [&](const Tensor &tensor) {
    return tensor.defined() ? setting.of(tensor) : Value();
  };
  auto row = [&](const Tensor &tensor) {
    return build::reshape(setting.of(tensor), {batch, width});
  };
  Weights weights{of(w_ih), of(w_hh), of(b_ih), of(b_hh), {}};
  Value rows = build::reshape(setting.of(input), {batch, x.back()});
  Carried before{row(states[0]), states.size() > 1 ? row(states[1]) : Value()};
  Carried next =
      stepped(kind, projected_input(kind, rows, weights), before, weights).next;
  Shape sizes = impl_of(states[0]).sizes;
  std::vector<Value> values;
  for (const Value &value : {next.hidden, next.cell})
    if (value)
      values.push_back(build::convert(build::reshape(value, sizes),
                                      lazy::element_type(setting.dtype)));
  return finish_all(values, setting.device,
                    std::vector<Dtype>(values.size(), setting.dtype));
}

} // namespace

#define XLAC_RECURRENCE(name, kind)                                            \
  std::tuple<Tensor, Tensor> name(                                             \
      const Tensor &input, const Tensor &hx,                                   \
      const std::vector<Tensor> &params, bool has_biases, int64_t num_layers,  \
      double dropout, bool train, bool bidirectional, bool batch_first) {      \
    XLAC_CALL(#name);                                                          \
    Layers layers{                                                             \
        kind, has_biases, num_layers, dropout, train, bidirectional};          \
    std::vector<Tensor> made =                                                 \
        layered(layers, {input, {hx}, params}, batch_first);                   \
    return {made[0], made[1]};                                                 \
  }                                                                            \
  std::tuple<Tensor, Tensor> name(                                             \
      const Tensor &data, const Tensor &batch_sizes, const Tensor &hx,         \
      const std::vector<Tensor> &params, bool has_biases, int64_t num_layers,  \
      double dropout, bool train, bool bidirectional) {                        \
    XLAC_CALL(#name);                                                          \
    Layers layers{                                                             \
        kind, has_biases, num_layers, dropout, train, bidirectional};          \
    std::vector<Tensor> made =                                                 \
        packed(layers, {data, {hx}, params}, batch_sizes);                     \
    return {made[0], made[1]};                                                 \
  }
XLAC_RECURRENCE(rnn_tanh, Kind::Tanh)
XLAC_RECURRENCE(rnn_relu, Kind::Relu)
XLAC_RECURRENCE(gru, Kind::Gru)
#undef XLAC_RECURRENCE

std::tuple<Tensor, Tensor, Tensor>
lstm(const Tensor &input, const std::vector<Tensor> &hx,
     const std::vector<Tensor> &params, bool has_biases, int64_t num_layers,
     double dropout, bool train, bool bidirectional, bool batch_first) {
  XLAC_CALL("lstm");
  Layers layers{Kind::Lstm, has_biases, num_layers,
                dropout,    train,      bidirectional};
  std::vector<Tensor> made = layered(layers, {input, hx, params}, batch_first);
  return {made[0], made[1], made[2]};
}

std::tuple<Tensor, Tensor, Tensor>
lstm(const Tensor &data, const Tensor &batch_sizes,
     const std::vector<Tensor> &hx, const std::vector<Tensor> &params,
     bool has_biases, int64_t num_layers, double dropout, bool train,
     bool bidirectional) {
  XLAC_CALL("lstm");
  Layers layers{Kind::Lstm, has_biases, num_layers,
                dropout,    train,      bidirectional};
  std::vector<Tensor> made = packed(layers, {data, hx, params}, batch_sizes);
  return {made[0], made[1], made[2]};
}

Tensor rnn_tanh_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                     const Tensor &w_hh, const Tensor &b_ih,
                     const Tensor &b_hh) {
  XLAC_CALL("rnn_tanh_cell");
  return cell(Kind::Tanh, input, {hx}, w_ih, w_hh, b_ih, b_hh)[0];
}

Tensor rnn_relu_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                     const Tensor &w_hh, const Tensor &b_ih,
                     const Tensor &b_hh) {
  XLAC_CALL("rnn_relu_cell");
  return cell(Kind::Relu, input, {hx}, w_ih, w_hh, b_ih, b_hh)[0];
}

Tensor gru_cell(const Tensor &input, const Tensor &hx, const Tensor &w_ih,
                const Tensor &w_hh, const Tensor &b_ih, const Tensor &b_hh) {
  XLAC_CALL("gru_cell");
  return cell(Kind::Gru, input, {hx}, w_ih, w_hh, b_ih, b_hh)[0];
}

std::tuple<Tensor, Tensor> lstm_cell(const Tensor &input,
                                     const std::vector<Tensor> &hx,
                                     const Tensor &w_ih, const Tensor &w_hh,
                                     const Tensor &b_ih, const Tensor &b_hh) {
  XLAC_CALL("lstm_cell");
  std::vector<Tensor> made =
      cell(Kind::Lstm, input, hx, w_ih, w_hh, b_ih, b_hh);
  return {made[0], made[1]};
}

} // namespace xlac
