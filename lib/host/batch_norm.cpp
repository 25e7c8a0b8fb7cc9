// The three batch_norm ops, computed in double and rounded once.
#include "op_context.h"

#include <cmath>

namespace xlac::host {

using ops::OpKind;

namespace {

std::vector<double> doubles(const Literal &from) {
  std::vector<double> values(from.count());
  if (!values.empty())
    load(from, 0, from.count(), values.data());
  return values;
}

Result<Literal> stored(const TensorType &type,
                       const std::vector<double> &values) {
  Result<Literal> to = Literal::allocate(type);
  if (to && !values.empty())
    store(*to, 0, to->count(), values.data());
  return to;
}

/// The feature of each element.
struct Features {
  int64_t count, inner;

  Features(const Dims &dims, int64_t index)
      : count(dims[index]), inner(row_major_strides(dims)[index]) {}
  int64_t of(int64_t element) const { return element / inner % count; }
};

struct Moments {
  std::vector<double> mean, variance;
};

Moments moments(const std::vector<double> &x, const Features &features) {
  Moments m{std::vector<double>(features.count),
            std::vector<double>(features.count)};
  auto total = static_cast<int64_t>(x.size());
  double each = static_cast<double>(total) /
                static_cast<double>(std::max<int64_t>(features.count, 1));
  for (int64_t i = 0; i < total; ++i)
    m.mean[features.of(i)] += x[i];
  for (double &mean : m.mean)
    mean /= each;
  for (int64_t i = 0; i < total; ++i) {
    double away = x[i] - m.mean[features.of(i)];
    m.variance[features.of(i)] += away * away;
  }
  for (double &variance : m.variance)
    variance /= each;
  return m;
}

std::vector<double> normalized(const std::vector<double> &x, const Moments &m,
                               const std::vector<double> &scale,
                               const std::vector<double> &offset,
                               const Features &features, double epsilon) {
  std::vector<double> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t f = features.of(static_cast<int64_t>(i));
    y[i] = (x[i] - m.mean[f]) / std::sqrt(m.variance[f] + epsilon) * scale[f] +
           offset[f];
  }
  return y;
}

Result<Literals> gather_results(OpContext &context,
                                std::vector<std::vector<double>> values) {
  Literals results;
  for (size_t i = 0; i < values.size(); ++i) {
    Result<Literal> made = stored(context.results[i], values[i]);
    if (!made)
      return made.error();
    results.push_back(std::move(*made));
  }
  return results;
}

Result<Literals> inference(OpContext &context) {
  const auto &a = context.attributes<ops::BatchNormInferenceAttributes>();
  Features features(context.operand(0).type().dims, a.feature_index);
  Moments m{doubles(context.operand(3)), doubles(context.operand(4))};
  return gather_results(
      context,
      {normalized(doubles(context.operand(0)), m, doubles(context.operand(1)),
                  doubles(context.operand(2)), features, a.epsilon)});
}

Result<Literals> training(OpContext &context) {
  const auto &a = context.attributes<ops::BatchNormTrainingAttributes>();
  Features features(context.operand(0).type().dims, a.feature_index);
  std::vector<double> x = doubles(context.operand(0));
  Moments m = moments(x, features);
  std::vector<double> y =
      normalized(x, m, doubles(context.operand(1)), doubles(context.operand(2)),
                 features, a.epsilon);
  return gather_results(context, {y, m.mean, m.variance});
}

Result<Literals> gradient(OpContext &context) {
  const auto &a = context.attributes<ops::BatchNormGradAttributes>();
  Features features(context.operand(0).type().dims, a.feature_index);
  std::vector<double> x = doubles(context.operand(0));
  std::vector<double> scale = doubles(context.operand(1));
  Moments m{doubles(context.operand(2)), doubles(context.operand(3))};
  std::vector<double> dy = doubles(context.operand(4));
  std::vector<double> dscale(features.count), doffset(features.count);
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t f = features.of(static_cast<int64_t>(i));
    doffset[f] += dy[i];
    dscale[f] +=
        dy[i] * (x[i] - m.mean[f]) / std::sqrt(m.variance[f] + a.epsilon);
  }
  double each = static_cast<double>(x.size()) /
                static_cast<double>(std::max<int64_t>(features.count, 1));
  std::vector<double> dx(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t f = features.of(static_cast<int64_t>(i));
    double deviation = std::sqrt(m.variance[f] + a.epsilon);
    double unit = (x[i] - m.mean[f]) / deviation;
    dx[i] = scale[f] / deviation *
            (dy[i] - doffset[f] / each - unit * dscale[f] / each);
  }
  return gather_results(context, {dx, dscale, doffset});
}

} // namespace

Result<Literals> evaluate_batch_norm(OpContext &context) {
  switch (context.node.op()) {
  case OpKind::BatchNormInference:
    return inference(context);
  case OpKind::BatchNormTraining:
    return training(context);
  default:
    return gradient(context);
  }
}

} // namespace xlac::host
