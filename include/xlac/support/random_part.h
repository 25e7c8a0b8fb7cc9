// How a device's part of random bits is written in a partitioned program.
#pragma once

namespace xlac::names {

/// An attribute of a rng_bit_generator whose output is a part of a larger one:
/// the sizes of that one, by which elements are numbered. The number of the
/// part's first element is contained in the counter of a Threefry state, and is
/// the word after the counter of a Philox state, which then has four words. The
/// new state has no meaning.
inline constexpr char kRandomPartOf[] = "xlac.part_of";

} // namespace xlac::names
