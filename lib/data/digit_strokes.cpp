#include "digit_strokes.h"

namespace xlac::data {

namespace {

/// The points of a stroke, connected by straight lines or a smooth curve.
struct Outline {
  bool is_smooth;
  Stroke points;
};
using StrokePath = std::vector<Outline>;

/// One or two ways to write each digit.
const std::vector<std::vector<StrokePath>> &ways() {
  static const std::vector<std::vector<StrokePath>> all = {
      // 0
      {{{true,
         {{.52, .07},
          {.26, .2},
          {.2, .5},
          {.28, .82},
          {.52, .93},
          {.75, .8},
          {.8, .5},
          {.73, .18},
          {.52, .07}}}}},
      // 1
      {{{false, {{.52, .06}, {.5, .94}}}},
       {{false, {{.32, .26}, {.56, .06}, {.56, .93}}},
        {false, {{.34, .93}, {.76, .93}}}}},
      // 2
      {{{true,
         {{.22, .28},
          {.36, .1},
          {.6, .08},
          {.76, .26},
          {.64, .52},
          {.24, .92}}},
        {false, {{.24, .92}, {.8, .92}}}},
       {{true,
         {{.24, .24},
          {.5, .06},
          {.74, .24},
          {.6, .56},
          {.3, .86},
          {.24, .72},
          {.44, .74},
          {.8, .9}}}}},
      // 3
      {{{true, {{.24, .17}, {.5, .06}, {.74, .22}, {.66, .42}, {.42, .48}}},
        {true, {{.42, .48}, {.7, .55}, {.78, .74}, {.56, .93}, {.22, .84}}}},
       {{false, {{.24, .08}, {.74, .08}, {.46, .42}}},
        {true, {{.46, .42}, {.74, .52}, {.76, .78}, {.52, .94}, {.22, .84}}}}},
      // 4
      {{{false, {{.62, .07}, {.18, .62}, {.84, .62}}},
        {false, {{.64, .34}, {.62, .94}}}},
       {{false, {{.28, .08}, {.22, .5}, {.76, .5}}},
        {false, {{.74, .08}, {.7, .94}}}}},
      // 5
      {{{false, {{.76, .08}, {.32, .08}, {.27, .45}}},
        {true,
         {{.27, .45},
          {.52, .38},
          {.76, .54},
          {.74, .8},
          {.5, .94},
          {.22, .85}}}}},
      // 6
      {{{true,
         {{.68, .07},
          {.4, .26},
          {.25, .6},
          {.32, .88},
          {.55, .94},
          {.75, .78},
          {.68, .56},
          {.45, .52},
          {.27, .7}}}}},
      // 7
      {{{false, {{.2, .1}, {.8, .1}, {.42, .94}}}},
       {{false, {{.2, .1}, {.8, .1}, {.42, .94}}},
        {false, {{.34, .5}, {.74, .5}}}}},
      // 8
      {{{true,
         {{.5, .48},
          {.27, .3},
          {.5, .06},
          {.73, .28},
          {.5, .48},
          {.24, .72},
          {.5, .94},
          {.77, .72},
          {.5, .48}}}}},
      // 9
      {{{true,
         {{.72, .3},
          {.5, .46},
          {.3, .4},
          {.26, .2},
          {.46, .06},
          {.68, .12},
          {.74, .34},
          {.62, .7},
          {.34, .94}}}},
       {{true, {{.72, .26}, {.5, .06}, {.27, .24}, {.46, .46}, {.72, .26}}},
        {false, {{.73, .24}, {.7, .94}}}}},
  };
  return all;
}

constexpr int kPieces = 8; ///< line segments of a curve between two points

/// Evaluates a Catmull-Rom spline between b and c at parameter `t`.
double along(double a, double b, double c, double d, double t) {
  double square = t * t, cube = square * t;
  return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * square +
                (3 * b - a - 3 * c + d) * cube);
}

Stroke smooth(const Stroke &points) {
  Stroke curve = {points.front()};
  const size_t last = points.size() - 1;
  for (size_t i = 0; i < last; ++i) {
    const Point &a = points[i == 0 ? 0 : i - 1], &b = points[i];
    const Point &c = points[i + 1], &d = points[i + 2 > last ? last : i + 2];
    for (int piece = 1; piece <= kPieces; ++piece) {
      double t = static_cast<double>(piece) / kPieces;
      curve.push_back(
          {along(a.x, b.x, c.x, d.x, t), along(a.y, b.y, c.y, d.y, t)});
    }
  }
  return curve;
}

} // namespace

std::vector<Stroke> strokes_of(int digit, Random &random) {
  constexpr double kWander = 0.03;
  const std::vector<StrokePath> &known = ways()[static_cast<size_t>(digit)];
  std::vector<Stroke> strokes;
  for (const Outline &outline : known[random.below(known.size())]) {
    Stroke points = outline.points;
    for (Point &point : points) {
      point.x += kWander * random.normal();
      point.y += kWander * random.normal();
    }
    strokes.push_back(outline.is_smooth ? smooth(points) : points);
  }
  return strokes;
}

} // namespace xlac::data
