#include "xlac/formats/safetensors_header.h"

#include "xlac/support/raise.h"
#include "xlac/support/tensor_type.h"

#include <algorithm>
#include <unordered_set>

#include <nlohmann/json.hpp>

namespace xlac::formats {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kMetadata = "__metadata__";
constexpr size_t kMaxHeaderRank = 64;

struct DtypeName {
  std::string_view name;
  ElementType element;
};
constexpr DtypeName kDtypes[] = {{"BOOL", ElementType::I1},
                                 {"U8", ElementType::UI8},
                                 {"I8", ElementType::I8},
                                 {"I16", ElementType::I16},
                                 {"U16", ElementType::UI16},
                                 {"F16", ElementType::F16},
                                 {"I32", ElementType::I32},
                                 {"U32", ElementType::UI32},
                                 {"BF16", ElementType::BF16},
                                 {"F32", ElementType::F32},
                                 {"F64", ElementType::F64},
                                 {"I64", ElementType::I64},
                                 {"U64", ElementType::UI64},
                                 {"C64", ElementType::Complex64},
                                 {"F8_E4M3", ElementType::F8E4M3FN},
                                 {"F8_E5M2", ElementType::F8E5M2},
                                 {"F8_E4M3FNUZ", ElementType::F8E4M3FNUZ},
                                 {"F8_E5M2FNUZ", ElementType::F8E5M2FNUZ},
                                 {"F8_E8M0", ElementType::F8E8M0FNU}};

/// The name of an element type, or null.
const DtypeName *find_name(ElementType element) {
  const auto *known = std::find_if(
      std::begin(kDtypes), std::end(kDtypes),
      [&](const DtypeName &each) { return each.element == element; });
  return known == std::end(kDtypes) ? nullptr : known;
}

[[noreturn]] void damaged_header(const std::string &what) {
  raise<UserError>("the safetensors header is damaged: " + what);
}

/// Formats a name for messages.
std::string shown(std::string_view name) {
  constexpr size_t kLongest = 80;
  return Json(name.substr(0, kLongest))
      .dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

/// Parses the header's JSON as events, so that only its entries are stored:
/// {"name": {"dtype": text, "shape": [n…], "data_offsets": [a, b]}, …,
/// "__metadata__": {text: text, …}}. Rejects everything else.
class HeaderReader : public nlohmann::json_sax<Json> {
public:
  SafetensorsHeader take() { return std::move(header_); }

  bool null() override { unexpected("null"); }
  bool boolean(bool) override { unexpected("a boolean"); }
  bool number_integer(number_integer_t) override {
    unexpected("a negative number");
  }
  bool number_float(number_float_t, const string_t &) override {
    unexpected("a number that is not whole or too large");
  }
  bool binary(binary_t &) override { unexpected("bytes"); }

  bool number_unsigned(number_unsigned_t number) override {
    if (place_ != ParserState::Numbers)
      unexpected("a number");
    if (number > INT64_MAX)
      damaged_header("entry " + shown(entry_.name) + " has a number past 2^63");
    if (numbers_.size() == kMaxHeaderRank)
      raise<UnsupportedError>("entry " + shown(entry_.name) +
                              " has more than " +
                              std::to_string(kMaxHeaderRank) + " dimensions");
    numbers_.push_back(static_cast<int64_t>(number));
    return true;
  }

  bool string(string_t &text) override {
    if (place_ == ParserState::Metadata)
      header_.metadata[key_] = text;
    else if (place_ == ParserState::Entry && key_ == "dtype")
      entry_.element = find_dtype(text);
    else
      unexpected("a text");
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == ParserState::Start) {
      place_ = ParserState::Names;
    } else if (place_ == ParserState::Names && key_ == kMetadata) {
      place_ = ParserState::Metadata;
      fields_.clear();
    } else if (place_ == ParserState::Names) {
      place_ = ParserState::Entry;
      fields_.clear();
      entry_ = {};
      entry_.name = key_;
    } else {
      unexpected("an object");
    }
    return true;
  }

  bool key(string_t &text) override {
    bool is_new = place_ == ParserState::Names ? names_.insert(text).second
                                               : fields_.insert(text).second;
    if (!is_new)
      damaged_header("key " + shown(text) + " occurs twice");
    key_ = text;
    return true;
  }

  bool end_object() override {
    if (place_ == ParserState::Entry) {
      // Unknown fields were rejected when their values were parsed.
      if (fields_.size() != 3)
        damaged_header("entry " + shown(entry_.name) +
                       " lacks dtype, shape or data_offsets");
      header_.entries.push_back(std::move(entry_));
    }
    place_ =
        place_ == ParserState::Names ? ParserState::Start : ParserState::Names;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != ParserState::Entry ||
        (key_ != "shape" && key_ != "data_offsets"))
      unexpected("a list");
    place_ = ParserState::Numbers;
    numbers_.clear();
    return true;
  }

  bool end_array() override {
    place_ = ParserState::Entry;
    if (key_ == "shape") {
      entry_.sizes = numbers_;
      return true;
    }
    if (numbers_.size() != 2)
      damaged_header("entry " + shown(entry_.name) + " has " +
                     std::to_string(numbers_.size()) +
                     " data_offsets, wanted 2");
    entry_.begin = static_cast<uint64_t>(numbers_[0]);
    entry_.end = static_cast<uint64_t>(numbers_[1]);
    return true;
  }

  bool parse_error(std::size_t position, const std::string &,
                   const Json::exception &) override {
    damaged_header("it is not JSON in UTF-8 at byte " +
                   std::to_string(position));
  }

private:
  enum class ParserState : uint8_t { Start, Names, Metadata, Entry, Numbers };

  [[noreturn]] void unexpected(const char *what) const {
    std::string where =
        place_ == ParserState::Start ? "the start" : shown(key_);
    damaged_header(std::string("it has ") + what + " at " + where);
  }

  ElementType find_dtype(const std::string &text) const {
    for (const DtypeName &known : kDtypes)
      if (known.name == text)
        return known.element;
    raise<UnsupportedError>("entry " + shown(entry_.name) + " has dtype " +
                            shown(text) + ", which xlac does not have");
  }

  SafetensorsHeader header_;
  SafetensorsEntry entry_;
  std::unordered_set<std::string> names_, fields_;
  std::vector<int64_t> numbers_;
  std::string key_;
  ParserState place_ = ParserState::Start;
};

/// Checks that each entry has the size of its shape, and that the entries cover
/// the data without gap or overlap.
void check_places(const std::vector<SafetensorsEntry> &entries,
                  uint64_t data_size) {
  std::vector<const SafetensorsEntry *> ordered;
  for (const SafetensorsEntry &entry : entries) {
    if (entry.begin > entry.end || entry.end > data_size)
      damaged_header("entry " + shown(entry.name) + " has data_offsets [" +
                     std::to_string(entry.begin) + ", " +
                     std::to_string(entry.end) + "] in " +
                     std::to_string(data_size) + " bytes");
    TensorType type{entry.element, entry.sizes, {}, {}};
    std::optional<int64_t> size = type.byte_count();
    if (!size || static_cast<uint64_t>(*size) != entry.end - entry.begin)
      damaged_header("entry " + shown(entry.name) + " has " +
                     std::to_string(entry.end - entry.begin) +
                     " bytes, wanted " +
                     (size ? std::to_string(*size) : "more than 2^63"));
    ordered.push_back(&entry);
  }
  std::sort(ordered.begin(), ordered.end(), [](const auto *a, const auto *b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  uint64_t at = 0;
  for (const SafetensorsEntry *entry : ordered) {
    if (entry->begin != at)
      damaged_header("entry " + shown(entry->name) +
                     (entry->begin < at
                          ? " overlaps another"
                          : " follows bytes that belong to none"));
    at = entry->end;
  }
  if (at != data_size)
    damaged_header(std::to_string(data_size - at) +
                   " bytes at the end belong to no entry");
}

} // namespace

bool has_safetensors_name(ElementType element) {
  return find_name(element) != nullptr;
}

SafetensorsHeader read_safetensors_header(std::string_view json,
                                          uint64_t data_size) {
  if (!json.starts_with('{'))
    damaged_header("it does not start with {");
  // The JSON reader would treat a zero byte as the end.
  if (json.find('\0') != std::string_view::npos)
    damaged_header("it has a zero byte");
  HeaderReader reader;
  Json::sax_parse(json.begin(), json.end(), &reader);
  SafetensorsHeader header = reader.take();
  check_places(header.entries, data_size);
  return header;
}

std::string write_safetensors_header(const SafetensorsHeader &header) {
  auto quoted = [](const std::string &text) {
    try {
      return Json(text).dump();
    } catch (const Json::type_error &) {
      raise<ValueError>("wanted text in UTF-8, got " + shown(text));
    }
  };
  std::string json = "{";
  if (!header.metadata.empty()) {
    json += quoted(std::string(kMetadata)) + ":{";
    for (const auto &[key, text] : header.metadata)
      json += quoted(key) + ":" + quoted(text) + ",";
    json.back() = '}';
    json += ',';
  }
  for (const SafetensorsEntry &entry : header.entries) {
    if (entry.name == kMetadata)
      raise<ValueError>("a tensor cannot be named __metadata__");
    const DtypeName *known = find_name(entry.element);
    if (!known)
      raise<DtypeError>("safetensors files have no " +
                        std::string(element_type_name(entry.element)) +
                        ", which " + shown(entry.name) + " is");
    json += quoted(entry.name) + R"(:{"dtype":")" + std::string(known->name) +
            R"(","shape":[)";
    for (size_t i = 0; i < entry.sizes.size(); ++i)
      json += (i ? "," : "") + std::to_string(entry.sizes[i]);
    json += R"(],"data_offsets":[)" + std::to_string(entry.begin) + "," +
            std::to_string(entry.end) + "]},";
  }
  if (json.size() > 1)
    json.pop_back();
  return json + "}";
}

} // namespace xlac::formats
