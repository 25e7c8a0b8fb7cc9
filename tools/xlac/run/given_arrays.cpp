#include "given_arrays.h"

#include "array_text.h"
#include "values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

namespace xlac::cli {

namespace {

Failure wrong(std::string message) {
  return failure(FailureKind::User, std::move(message));
}

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// Writes the path of a value with dots, as files of parameters have it:
/// params['dense']['bias'] becomes params.dense.bias.
std::string dotted(std::string_view name) {
  std::string out;
  for (char each : name) {
    if (each == '[' || each == '.') {
      if (!out.empty() && out.back() != '.')
        out += '.';
    } else if (each != ']' && each != '\'' && each != '"') {
      out += each;
    }
  }
  return out;
}

/// The position of a name: an equal one, else the only one that is equal when
/// both are written with dots.
std::optional<size_t> find_name(const std::vector<std::string> &names,
                                const std::string &name) {
  auto exact = std::find(names.begin(), names.end(), name);
  if (!name.empty() && exact != names.end())
    return exact - names.begin();
  std::optional<size_t> found;
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty() || dotted(names[i]) != dotted(name))
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  if (found)
    return found;
  // JAX names results as "result['loss']".
  constexpr std::string_view kResult = "result.";
  for (size_t i = 0; i < names.size(); ++i)
    if (std::string path = dotted(names[i]);
        path.starts_with(kResult) &&
        path.substr(kResult.size()) == dotted(name))
      return i;
  return std::nullopt;
}

/// The names that there are, for messages.
std::string listed(const std::vector<std::string> &names) {
  std::vector<std::string> known;
  for (const std::string &name : names)
    if (!name.empty())
      known.push_back(name);
  constexpr size_t kShown = 12;
  size_t count = known.size();
  known.resize(std::min(count, kShown));
  if (known.empty())
    return "there are no names";
  return fmt::format("there are {}{}", fmt::join(known, ", "),
                     count > kShown ? ", …" : "");
}

bool is_file(const std::string &path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

} // namespace

Status GivenArrays::open_file(Word &word, const std::string &path) {
  auto &file = files_[path];
  if (!file) {
    auto opened = ArrayFile::open(path);
    if (!opened)
      return opened.error();
    file = std::move(*opened);
  }
  word.file = file;
  return {};
}

Status GivenArrays::parse_value(Word &word, const std::string &value) {
  word.kind = Kind::Zeros;
  if (value == "zeros")
    return {};
  if (value.starts_with("random:")) {
    auto seed = whole_number(std::string_view(value).substr(7));
    if (!seed)
      return wrong(
          fmt::format("'{}' is not random:SEED with a whole number", value));
    word.kind = Kind::Random;
    word.seed = *seed;
    return {};
  }
  if (size_t equals = value.find('=');
      equals != std::string::npos && !is_file(value)) {
    word.kind = Kind::Text;
    auto array = parse_array(value);
    if (!array)
      return wrong(value + ": " + array.error().message);
    word.array = std::move(*array);
    return {};
  }
  word.kind = Kind::File;
  size_t colon = value.rfind(':');
  std::string path = value.substr(0, colon);
  if (is_file(value) || colon == std::string::npos ||
      !(path == "-" || is_file(path)))
    return open_file(word, value);
  word.key = value.substr(colon + 1);
  return open_file(word, path);
}

Result<GivenArrays::Word> GivenArrays::parse_word(const std::string &text) {
  Word word;
  word.text = text;
  std::string value = text;
  size_t equals = text.find('=');
  if (equals != std::string::npos && !is_file(text) &&
      !parse_array_type(text.substr(0, equals))) {
    word.target = text.substr(0, equals);
    value = text.substr(equals + 1);
    if (word.target.empty() || value.empty())
      return wrong(fmt::format("'{}' is not NAME=VALUE", text));
  }
  XLAC_RETURN_IF_ERROR(parse_value(word, value));
  return word;
}

Result<GivenArrays> GivenArrays::parse(const std::vector<std::string> &words,
                                       std::string noun, NameLookup names) {
  GivenArrays given;
  given.noun_ = std::move(noun);
  given.lookup_ = std::move(names);
  bool has_rest = false;
  for (const std::string &text : words) {
    auto word = given.parse_word(text);
    if (!word)
      return word.error();
    bool is_rest = word->is_generated() && word->target.empty();
    if (is_rest && std::exchange(has_rest, true))
      return wrong(fmt::format("'{}': only one of zeros and random:SEED can "
                               "stand for the remaining {}s; give others as "
                               "NUMBER={}",
                               text, given.noun_, text));
    given.words_.push_back(std::move(*word));
  }
  return given;
}

bool GivenArrays::is_selective() const {
  return std::all_of(words_.begin(), words_.end(), [](const Word &word) {
    return !word.target.empty() || word.has_several();
  });
}

Result<const std::vector<std::string> *> GivenArrays::names() {
  if (!names_) {
    names_.emplace();
    if (lookup_) {
      auto found = lookup_();
      if (!found)
        return found.error();
      names_ = std::move(*found);
    }
  }
  return &*names_;
}

std::string GivenArrays::title(size_t position) const {
  bool has_name =
      names_ && position < names_->size() && !(*names_)[position].empty();
  return fmt::format("{} {}{}", noun_, position,
                     has_name ? " '" + (*names_)[position] + "'" : "");
}

Result<size_t> GivenArrays::find_target(const std::string &target) {
  if (auto number = whole_number(target)) {
    if (*number <= UINT32_MAX)
      return *number;
    return wrong(fmt::format("there is no {} {}", noun_, target));
  }
  auto known = names();
  if (!known)
    return known.error();
  if (auto found = find_name(**known, target))
    return *found;
  return wrong(fmt::format("no {} has the name '{}'; {}", noun_, target,
                           listed(**known)));
}

/// Assigns the arrays of a file with several.
Status GivenArrays::assign_file(const Word &word, Assignment &assigned) {
  const std::vector<std::string> &arrays = word.file->names();
  auto known = names();
  // Numbered arrays need no names.
  if (!known && !word.file->is_numbered())
    return known.error();
  std::vector<std::string> left;
  for (size_t i = 0; i < arrays.size(); ++i) {
    auto position = known ? find_name(**known, arrays[i]) : std::nullopt;
    if (!position && word.file->is_numbered())
      position = i;
    if (!position) {
      left.push_back(arrays[i]);
      continue;
    }
    Origin &origin = assigned[*position];
    if (origin.is_explicit)
      continue;
    if (origin.word)
      return wrong(fmt::format("{} is given by {} and by {}", title(*position),
                               origin.word->text, word.text));
    origin = {&word, i, false};
  }
  if (left.size() == arrays.size())
    return wrong(fmt::format("{}: none of its {} arrays has the name of an {}; "
                             "{}",
                             word.text, arrays.size(), noun_, listed(**known)));
  if (!left.empty())
    std::fprintf(stderr,
                 "xlac: warning: %s: no %s has the name of %zu of its "
                 "arrays, such as %s\n",
                 word.text.c_str(), noun_.c_str(), left.size(),
                 left[0].c_str());
  return {};
}

Result<GivenArrays::Assignment>
GivenArrays::assign(const std::vector<Type> *types) {
  Assignment assigned;
  for (const Word &word : words_) {
    if (word.target.empty())
      continue;
    auto position = find_target(word.target);
    if (!position)
      return position.error();
    Origin &origin = assigned[*position];
    if (origin.word)
      return wrong(fmt::format("{} is given by {} and by {}", title(*position),
                               origin.word->text, word.text));
    origin = {&word, 0, true};
  }
  for (const Word &word : words_)
    if (word.has_several())
      XLAC_RETURN_IF_ERROR(assign_file(word, assigned));
  size_t next = 0;
  auto is_token = [&](size_t at) {
    return types && at < types->size() && (*types)[at].is_token();
  };
  for (const Word &word : words_) {
    bool is_positional =
        word.target.empty() && !word.is_generated() && !word.has_several();
    if (!is_positional)
      continue;
    while (assigned.contains(next) || is_token(next))
      ++next;
    assigned[next] = {&word, 0, true};
  }
  if (!types)
    return assigned;
  for (const Word &word : words_)
    if (word.target.empty() && word.is_generated())
      for (size_t i = 0; i < types->size(); ++i)
        assigned.try_emplace(i, Origin{&word, 0, true});
  if (!assigned.empty() && assigned.rbegin()->first >= types->size())
    return wrong(fmt::format("{} gives {} {}; the program has {} {}s",
                             assigned.rbegin()->second.word->text, noun_,
                             assigned.rbegin()->first, types->size(), noun_));
  return assigned;
}

Result<ArgumentSizes> GivenArrays::sizes() {
  auto assigned = assign(nullptr);
  if (!assigned)
    return assigned.error();
  ArgumentSizes sizes;
  for (auto &[position, origin] : *assigned) {
    if (origin.word->is_generated())
      continue;
    auto number = static_cast<uint32_t>(position);
    if (origin.word->kind == Kind::Text) {
      sizes.emplace_back(number, origin.word->array.type.dims);
      continue;
    }
    auto entry = entry_of(origin);
    if (!entry)
      return entry.error();
    auto type = origin.word->file->type(*entry);
    if (!type)
      return type.error();
    sizes.emplace_back(number, std::move(type->dims));
  }
  return sizes;
}

/// The array of the file that the origin means.
Result<size_t> GivenArrays::entry_of(const Origin &origin) {
  const Word &word = *origin.word;
  if (word.has_several())
    return origin.entry;
  const std::vector<std::string> &arrays = word.file->names();
  if (!word.key.empty()) {
    auto found = std::find(arrays.begin(), arrays.end(), word.key);
    if (found == arrays.end())
      return wrong(fmt::format("{}: has no array '{}'; {}", word.file->path(),
                               word.key, listed(arrays)));
    return found - arrays.begin();
  }
  if (arrays.size() != 1)
    return wrong(fmt::format("{}: has {} arrays; name one as FILE:ARRAY, {}",
                             word.text, arrays.size(), listed(arrays)));
  return size_t(0);
}

Result<HostArray> GivenArrays::array_of(const Origin &origin, size_t position,
                                        const TensorType &type) {
  const Word &word = *origin.word;
  if (word.kind == Kind::Zeros)
    return HostArray{type, make_bytes(*type.byte_count())};
  if (word.kind == Kind::Random)
    return make_random(type, word.seed + position);
  HostArray array = word.array;
  if (word.kind == Kind::File) {
    auto entry = entry_of(origin);
    if (!entry)
      return entry.error();
    auto read = word.file->read(*entry);
    if (!read)
      return read.error();
    array = std::move(*read);
  }
  bool is_bits = array.type.element != type.element;
  if (array.type.dims != type.dims ||
      (is_bits && !is_bit_pattern_of(array.type.element, type.element)))
    return wrong(fmt::format("{}: {} holds {}, the program {} {}",
                             title(position), word.text, to_string(array.type),
                             verb(), to_string(type)));
  if (is_bits)
    if (auto bad = find_beyond_width(type, array.bytes))
      return wrong(fmt::format("{}: {}: element {} is no number of {}",
                               title(position), word.text, *bad,
                               element_type_name(type.element)));
  array.type = type;
  return array;
}

Result<std::vector<std::optional<HostArray>>>
GivenArrays::arrays(const std::vector<Type> &types) {
  auto assigned = assign(&types);
  if (!assigned)
    return assigned.error();
  std::vector<std::optional<HostArray>> arrays(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    if (types[i].is_token()) {
      arrays[i].emplace();
      arrays[i]->type.dims = {0};
      continue;
    }
    auto origin = assigned->find(i);
    if (origin == assigned->end())
      continue;
    if (!types[i].is_tensor() || !types[i].tensor().byte_count())
      return failure(FailureKind::Unsupported,
                     fmt::format("{} has type {}; only tensors of known shape "
                                 "can be passed",
                                 title(i), to_string(types[i])));
    auto array = array_of(origin->second, i, types[i].tensor());
    if (!array)
      return array.error();
    arrays[i] = std::move(*array);
  }
  return arrays;
}

Result<std::vector<HostArray>>
GivenArrays::all_arrays(const std::vector<Type> &types) {
  auto some = arrays(types);
  if (!some)
    return some.error();
  std::vector<HostArray> all;
  std::vector<std::string> missing;
  for (size_t i = 0; i < types.size(); ++i) {
    if ((*some)[i]) {
      all.push_back(std::move(*(*some)[i]));
      continue;
    }
    if (missing.empty())
      (void)names(); // for the titles, which do without them
    missing.push_back(title(i) + " of " + to_string(types[i]));
  }
  if (missing.empty())
    return all;
  constexpr size_t kShown = 8;
  size_t count = missing.size();
  missing.resize(std::min(count, kShown));
  return wrong(fmt::format(
      "the program {} {} {}s, got {}; missing: {}{}", verb(), types.size(),
      noun_, types.size() - count, fmt::join(missing, ", "),
      count > kShown ? fmt::format(" and {} others", count - kShown) : ""));
}

Result<std::vector<HostArray>>
make_inputs(const std::vector<Type> &types,
            const std::vector<std::string> &words) {
  auto given = GivenArrays::parse(words, "input");
  if (!given)
    return given.error();
  return given->all_arrays(types);
}

} // namespace xlac::cli
