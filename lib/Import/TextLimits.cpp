#include "TextLimits.h"

#include "xlac/Import/Import.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace xlac {

// MLIR takes quadratic time for longer numbers.
static constexpr size_t kMaxDigits = 1000;
static constexpr unsigned kMaxIntegerWidth = 64;
// Like kUnfoldedFactor, for the parts of fused locations.
static constexpr uint64_t kFusedFactor = 4;
static constexpr uint64_t kFreeResultNumbers = 4096;

namespace {
/// Scans text and recognizes only strings, comments, brackets and words.
class TextScanner {
public:
  explicit TextScanner(StringRef text) : text(text) {}

  std::optional<TextError> scan();

private:
  void reject(const Twine &reason);
  void step();
  void skipString();
  void skipComment();
  void openBracket();
  void closeBracket();
  void checkWord();
  void checkDimensions();
  void checkValueName();
  void checkAlias();
  void endDefinition();
  void noteNewline();
  void noteSignificant(char c);
  bool isDefinition(size_t end) const;
  StringRef wordAt(size_t begin) const;
  StringRef nameAt(size_t begin) const;

  char at(size_t index) const { return index < text.size() ? text[index] : 0; }

  StringRef text;
  size_t position = 0;
  int depth = 0;
  std::optional<TextError> rejection;

  /// The number of results that MLIR allocates, for each name and depth.
  StringMap<uint64_t> resultNumbers;
  uint64_t resultCapacity = 0;

  /// Number of parts that an alias unfolds to, and their nesting depth.
  struct Alias {
    uint64_t parts = 1;
    int depth = 0;
  };
  StringMap<Alias> aliases;
  std::optional<StringRef> definedName;
  Alias defined;
  /// Bracket depth of a fused location, which copies the parts of others.
  int fusedDepth = 0;
  uint64_t fusedParts = 0;
  bool mayEnd = false;
  char last = 0, beforeLast = 0;
};
} // namespace

void TextScanner::reject(const Twine &reason) {
  if (rejection)
    return;
  StringRef before = text.take_front(position);
  size_t lineStart = before.rfind('\n');
  unsigned line = before.count('\n') + 1;
  unsigned column =
      lineStart == StringRef::npos ? position + 1 : position - lineStart;
  rejection = TextError{line, column, reason.str()};
}

void TextScanner::skipString() {
  ++defined.parts;
  for (++position; position < text.size() && text[position] != '"'; ++position)
    if (text[position] == '\\')
      ++position;
  ++position;
}

void TextScanner::skipComment() {
  position = std::min(text.find('\n', position), text.size());
}

StringRef TextScanner::wordAt(size_t begin) const {
  return text.substr(begin).take_while(
      [](char c) { return isAlnum(c) || c == '_' || c == '$' || c == '.'; });
}

/// Like a word, but with the dashes that names may contain.
StringRef TextScanner::nameAt(size_t begin) const {
  return text.substr(begin).take_while([](char c) {
    return isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  });
}

void TextScanner::openBracket() {
  if (++depth > kMaxNesting)
    reject("brackets nest deeper than " + Twine(kMaxNesting));
  bool opensShape = text[position++] == '<';
  if (opensShape)
    checkDimensions();
}

void TextScanner::closeBracket() {
  bool isArrow =
      text[position] == '>' && position > 0 && text[position - 1] == '-';
  if (!isArrow && depth > 0)
    --depth;
  if (text[position++] == ']' && depth < fusedDepth)
    fusedDepth = 0;
}

/// Checks the sizes of a shape, such as `2x?x3x`, without moving the position.
void TextScanner::checkDimensions() {
  uint64_t product = 1;
  int rank = 0;
  for (StringRef rest = text.substr(position);; ++rank) {
    StringRef digits = rest.take_while(isDigit);
    size_t size = digits.empty() && rest.starts_with("?") ? 1 : digits.size();
    if (size == 0 || !rest.substr(size).starts_with("x"))
      break;
    uint64_t extent = 1;
    if (!digits.empty() && digits.getAsInteger(10, extent))
      extent = UINT64_MAX;
    if (extent > kMaxElements / product)
      return reject("a tensor of more than 2^56 elements");
    product *= std::max<uint64_t>(extent, 1);
    rest = rest.drop_front(size + 1);
  }
  if (rank > kMaxRank)
    reject("rank " + Twine(rank) + " is above " + Twine(kMaxRank));
}

/// Checks a number, a keyword, or the last part of a shape with its element
/// type.
void TextScanner::checkWord() {
  ++defined.parts;
  StringRef word = wordAt(position);
  bool isNumber = isDigit(word.front());
  if (isNumber && word.size() > kMaxDigits)
    return reject("a number of " + Twine(word.size()) + " characters");
  // StableHLO types have no affine maps, whose parser recurses.
  if (word == "affine_map" || word == "affine_set")
    return reject(word + " is not supported");
  if (word == "fused" && fusedDepth == 0)
    fusedDepth = depth + 1;
  StringRef type = word;
  bool followsSize = isNumber || (position > 0 && (text[position - 1] == '?' ||
                                                   text[position - 1] == '*'));
  if (followsSize)
    type = word.substr(word.rfind('x') + 1);
  if (!type.consume_front("si") && !type.consume_front("ui"))
    type.consume_front("i") || (type = "", true);
  bool isWidth = !type.empty() && all_of(type, isDigit);
  unsigned width = 0;
  if (isWidth && (type.getAsInteger(10, width) || width > kMaxIntegerWidth))
    return reject("an integer type of more than 64 bits");
  position += word.size();
}

/// MLIR allocates all results up to the number that a use names.
void TextScanner::checkValueName() {
  StringRef name = nameAt(++position);
  position += name.size();
  if (at(position) != '#' || !isDigit(at(position + 1)))
    return;
  StringRef digits = wordAt(position + 1);
  uint64_t number;
  if (digits.getAsInteger(10, number) || number > text.size())
    return reject("result " + digits.take_front(20) + " of %" +
                  name.take_front(80));
  uint64_t &allocated = resultNumbers[(name + "#" + Twine(depth)).str()];
  if (number + 1 > allocated) {
    resultCapacity += number + 1 - allocated;
    allocated = number + 1;
  }
  if (resultCapacity > std::max<uint64_t>(text.size(), kFreeResultNumbers))
    return reject("more numbers of results than results can be");
  position += 1 + digits.size();
}

bool TextScanner::isDefinition(size_t end) const {
  while (at(end) == ' ' || at(end) == '\t')
    ++end;
  return depth == 0 && at(end) == '=' && at(end + 1) != '=';
}

void TextScanner::checkAlias() {
  StringRef name = text.substr(position, 1 + nameAt(position + 1).size());
  position += name.size();
  if (isDefinition(position)) {
    endDefinition();
    definedName = name;
    defined = {};
    mayEnd = false;
    return;
  }
  Alias used = aliases.lookup(name);
  if (fusedDepth > 0 &&
      (fusedParts += used.parts) > kMaxUnfolded + kFusedFactor * text.size())
    return reject("fused locations unfold beyond bounds");
  if (!definedName)
    return;
  defined.parts += used.parts;
  defined.depth = std::max(defined.depth, depth + used.depth);
  if (defined.parts > kMaxUnfolded + kUnfoldedFactor * text.size())
    reject("alias " + definedName->take_front(80) + " unfolds beyond bounds");
  if (defined.depth > kMaxNesting)
    reject("alias " + definedName->take_front(80) + " nests deeper than " +
           Twine(kMaxNesting));
}

void TextScanner::endDefinition() {
  if (definedName)
    aliases[*definedName] = defined;
  definedName.reset();
}

void TextScanner::noteNewline() {
  bool continues =
      last == '=' || last == ',' || (last == '>' && beforeLast == '-');
  if (depth == 0 && !continues)
    mayEnd = true;
}

/// A definition ends if a word begins on another line.
void TextScanner::noteSignificant(char c) {
  if (mayEnd && (isAlpha(c) || c == '"' || c == '%'))
    endDefinition();
  mayEnd = false;
  beforeLast = last;
  last = c;
}

void TextScanner::step() {
  char c = text[position];
  if (c == '\n')
    noteNewline();
  else if (c == '/' && at(position + 1) == '/')
    return skipComment();
  else if (!isSpace(c))
    noteSignificant(c);
  switch (c) {
  case '"':
    return skipString();
  case '(':
  case '[':
  case '{':
  case '<':
    return openBracket();
  case '>':
  case ')':
  case ']':
  case '}':
    return closeBracket();
  case '%':
    return checkValueName();
  case '#':
  case '!':
    return checkAlias();
  case '@':
  case '^':
    position += 1 + nameAt(position + 1).size();
    return;
  default:
    return isAlnum(c) || c == '_' ? checkWord() : void(++position);
  }
}

std::optional<TextError> TextScanner::scan() {
  while (!rejection && position < text.size())
    step();
  return rejection;
}

std::optional<TextError> findTextError(StringRef text) {
  return TextScanner(text).scan();
}

} // namespace xlac
