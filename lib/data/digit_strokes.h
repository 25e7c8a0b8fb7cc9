// The strokes of the ten digits in a unit square, with x to the right and y
// down.
#pragma once

#include "xlac/data/random.h"

#include <vector>

namespace xlac::data {

struct Point {
  double x, y;
};
using Stroke = std::vector<Point>;

/// Returns the strokes of a random way to write `digit`, with randomly moved
/// points. Each stroke is a list of the end points of short line segments.
std::vector<Stroke> strokes_of(int digit, Random &random);

} // namespace xlac::data
