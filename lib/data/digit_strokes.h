// How the ten digits are written: strokes in a square, x to the right and y
// down, both in [0, 1].
#pragma once

#include "xlac/data/random.h"

#include <vector>

namespace xlac::data {

struct Point {
  double x, y;
};
using Stroke = std::vector<Point>;

/// The strokes of one way to write `digit`, through points that wander from
/// sample to sample; each is a row of short straight pieces.
std::vector<Stroke> strokes_of(int digit, Random &random);

} // namespace xlac::data
