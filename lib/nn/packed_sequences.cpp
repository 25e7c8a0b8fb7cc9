#include "xlac/nn/utils.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <numeric>

namespace xlac::nn::utils::rnn {

/// Merges the first two dimensions of `input` and returns the rows that `from`
/// lists; -1 means a row of `padding`.
static Tensor rows_of(const Tensor &input, const std::vector<int64_t> &from,
                      double padding = 0) {
  Shape sizes = input.sizes();
  sizes.erase(sizes.begin());
  sizes[0] = input.size(0) * input.size(1);
  Tensor flat = input.reshape(sizes);
  sizes[0] = 1;
  Tensor filler = full(sizes, padding, input.options());
  std::vector<int64_t> found = from;
  for (int64_t &row : found)
    row = row < 0 ? flat.size(0) : row;
  Tensor all = cat({flat, filler});
  Device device = input.device();
  return frontend::finish(
      build::take(frontend::value_on(all, device), build::constant(found), 0),
      device, input.dtype());
}

PackedSequence pack_padded_sequence(const Tensor &input, const Tensor &lengths,
                                    bool batch_first, bool enforce_sorted) {
  XLAC_CALL("pack_padded_sequence");
  if (input.dim() < 2)
    raise<ShapeError>("expected an input of 2 or more dimensions, got " +
                      frontend::to_text(input.sizes()));
  Tensor padded = batch_first ? input.transpose(0, 1) : input;
  int64_t time = padded.size(0), batch = padded.size(1);
  std::vector<int64_t> known = lengths.to_vector<int64_t>();
  if (static_cast<int64_t>(known.size()) != batch || known.empty())
    raise<ValueError>("Expected `len(lengths)` to be equal to batch_size, but "
                      "got " +
                      std::to_string(known.size()) +
                      " (batch_size=" + std::to_string(batch) + ")");
  for (int64_t length : known)
    if (length < 1 || length > time)
      raise<ValueError>("Length of all samples has to be greater than 0 and at "
                        "most " +
                        std::to_string(time) + ", got " +
                        std::to_string(length));
  std::vector<int64_t> order(known.size()), back(known.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return std::pair(-known[a], a) < std::pair(-known[b], b);
  });
  bool sorted = std::is_sorted(known.rbegin(), known.rend());
  if (enforce_sorted && !sorted)
    raise<ValueError>("`lengths` array must be sorted in decreasing order when "
                      "`enforce_sorted` is True.");
  for (size_t i = 0; i < order.size(); ++i)
    back[order[i]] = static_cast<int64_t>(i);
  std::vector<int64_t> rows, sizes;
  for (int64_t t = 0; t < known[order[0]]; ++t) {
    sizes.push_back(0);
    for (int64_t n : order)
      if (known[n] > t) {
        rows.push_back(t * batch + n);
        ++sizes.back();
      }
  }
  PackedSequence packed{rows_of(padded, rows), tensor(sizes), {}, {}};
  if (!enforce_sorted) {
    packed.sorted_indices = tensor(order);
    packed.unsorted_indices = tensor(back);
  }
  return packed;
}

std::tuple<Tensor, Tensor>
pad_packed_sequence(const PackedSequence &sequence, bool batch_first,
                    double padding_value, std::optional<int64_t> total_length) {
  XLAC_CALL("pad_packed_sequence");
  std::vector<int64_t> sizes = sequence.batch_sizes.to_vector<int64_t>();
  auto time = static_cast<int64_t>(sizes.size());
  if (sizes.empty())
    raise<ValueError>("the sequence is empty");
  if (total_length && *total_length < time)
    raise<ValueError>("Expected total_length to be at least the length of the "
                      "longest sequence in input, but got total_length=" +
                      std::to_string(*total_length) +
                      " and max sequence length being " + std::to_string(time));
  int64_t batch = sizes[0], times = total_length.value_or(time);
  std::vector<int64_t> place(static_cast<size_t>(batch));
  std::iota(place.begin(), place.end(), 0);
  if (sequence.unsorted_indices.defined())
    place = sequence.unsorted_indices.to_vector<int64_t>();
  std::vector<int64_t> rows, lengths(static_cast<size_t>(batch), 0);
  int64_t start = 0;
  for (int64_t t = 0; t < times; ++t) {
    int64_t there = t < time ? sizes[t] : 0;
    for (int64_t n = 0; n < batch; ++n) {
      bool lasts = place[n] < there;
      rows.push_back(lasts ? start + place[n] : -1);
      lengths[n] += lasts;
    }
    start += there;
  }
  if (start != sequence.data.size(0))
    raise<ValueError>("batch_sizes do not add up to the rows of data");
  Tensor flat = rows_of(sequence.data.unsqueeze(0), rows, padding_value);
  Shape shape = sequence.data.sizes();
  shape[0] = batch;
  shape.insert(shape.begin(), times);
  Tensor padded = flat.reshape(shape);
  return {batch_first ? padded.transpose(0, 1) : padded, tensor(lengths)};
}

} // namespace xlac::nn::utils::rnn
