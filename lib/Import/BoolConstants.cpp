#include "BoolConstants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace xlac {

static constexpr StringLiteral kOpening("dense<\"0x");

/// Returns the number of elements if `text`, after the end of a constant,
/// begins with the type of a tensor of bools; else 0.
static uint64_t boolCount(StringRef text) {
  auto take = [&](StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  };
  if (!take(">") || !take(":") || !take("tensor") || !take("<"))
    return 0;
  uint64_t count = 1, size = 0;
  while (text = text.ltrim(), !text.consumeInteger(10, size)) {
    if (!text.consume_front("x") || (size && count > UINT32_MAX / size))
      return 0;
    count *= size;
  }
  return text.consume_front("i1") && take(">") ? count : 0;
}

/// Packs the digits `hex` of `count` elements in place. Returns false unless
/// they have one byte for each element, or one byte for all.
static bool packDigits(MutableArrayRef<char> hex, uint64_t count,
                       size_t &digits) {
  if (hex.size() != 2 * count && hex.size() != 2)
    return false;
  for (size_t i = 0; i < hex.size(); i += 2)
    if (hex[i] != '0' || (hex[i + 1] != '0' && hex[i + 1] != '1'))
      return false;
  // A single byte means packed elements for a count of at most eight, and a
  // splat for more.
  if (hex.size() == 2) {
    bool isTrue = hex[1] == '1';
    if (count > 8 && isTrue)
      hex[0] = hex[1] = 'F';
    digits = 2;
    return true;
  }
  digits = 2 * divideCeil(count, 8);
  assert(digits <= hex.size() && "packed elements take fewer digits");
  for (size_t byte = 0; 2 * byte < digits; ++byte) {
    unsigned bits = 0;
    for (size_t i = 8 * byte; i < std::min<size_t>(8 * byte + 8, count); ++i)
      bits |= unsigned(hex[2 * i + 1] == '1') << (i % 8);
    hex[2 * byte] = hexdigit(bits >> 4);
    hex[2 * byte + 1] = hexdigit(bits & 15);
  }
  return true;
}

void packBoolConstants(MutableArrayRef<char> text) {
  StringRef all(text.data(), text.size());
  for (size_t place = 0;
       (place = all.find(kOpening, place)) != StringRef::npos;) {
    size_t begin = place + kOpening.size(), end = all.find('"', begin), digits;
    if (end == StringRef::npos)
      return;
    place = end;
    uint64_t count = boolCount(all.drop_front(end + 1));
    if (count > 1 &&
        packDigits(text.slice(begin, end - begin), count, digits)) {
      text[begin + digits] = '"';
      for (size_t i = begin + digits + 1; i <= end; ++i)
        text[i] = ' ';
    }
  }
}

} // namespace xlac
