// Writes small valid or invalid bytecode files field by field.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::test {

/// Encodes a number as bytecode does.
inline std::string varint(uint64_t value) {
  if (value < 128)
    return std::string(1, char(value << 1 | 1));
  std::string bytes(1, '\0');
  for (int i = 0; i < 8; ++i)
    bytes += char(value >> 8 * i);
  return bytes;
}

inline std::string varints(std::initializer_list<uint64_t> values) {
  std::string bytes;
  for (uint64_t value : values)
    bytes += varint(value);
  return bytes;
}

inline std::string flagged(uint64_t value, bool flag) {
  return varint(value << 1 | flag);
}

inline std::string section(int id, const std::string &bytes) {
  return char(id) + varint(bytes.size()) + bytes;
}

/// Encodes a length and the bytes.
inline std::string blob(std::string_view bytes) {
  return varint(bytes.size()) + std::string(bytes);
}

/// A file of version 6 with an empty module. Each part can be replaced.
struct BytecodeBuilder {
  struct Entry {
    std::string bytes;
    bool isEncoded = true;
    int dialect = 0; ///< 0 builtin, 1 func, then as added
  };
  std::string version = varint(6);
  std::vector<std::string> strings = {"builtin", "module", "func",
                                      "func",    "call",   "name"};
  std::string dialects = varint(2) + flagged(0, false) + flagged(2, false);
  std::string op_names = varint(3) + varints({0, 1}) + flagged(1, true) +
                         varints({1, 2}) + flagged(3, true) + flagged(4, true);
  /// 0: the unknown location; 1: the string "name".
  std::vector<Entry> attributes = {{varint(15)}, {varints({2, 5})}};
  /// 0: i32; 1: f32.
  std::vector<Entry> types = {{varints({0, 32 << 2})}, {varint(5)}};
  std::string properties = varint(0);
  /// The region of the module: one block, no values, no ops.
  std::string body = varints({1, 0, 0});
  std::string ir; ///< replaces the whole section unless empty
  std::string extra;

  int attribute(std::string bytes, bool isEncoded = true) {
    attributes.push_back({std::move(bytes), isEncoded});
    return int(attributes.size()) - 1;
  }
  int type(std::string bytes, bool isEncoded = true) {
    types.push_back({std::move(bytes), isEncoded});
    return int(types.size()) - 1;
  }

  std::string string_section() const {
    std::string bytes = varint(strings.size());
    for (auto it = strings.rbegin(); it != strings.rend(); ++it)
      bytes += varint(it->size() + 1);
    for (const std::string &string : strings)
      bytes += string + '\0';
    return bytes;
  }

  static std::string offsets(const std::vector<Entry> &entries) {
    std::string bytes;
    for (const Entry &entry : entries)
      bytes += varints({uint64_t(entry.dialect), 1}) +
               flagged(entry.bytes.size(), entry.isEncoded);
    return bytes;
  }

  std::string build() const {
    std::string data;
    for (const Entry &entry : attributes)
      data += entry.bytes;
    for (const Entry &entry : types)
      data += entry.bytes;
    std::string module = varint(1 << 1) + varint(0) + '\x10' + varint(0) +
                         flagged(1, true) + section(4, body);
    return "ML\xefR" + version + "test" + '\0' + section(0, string_section()) +
           section(1, dialects + op_names) + section(2, data) +
           section(3, varints({attributes.size(), types.size()}) +
                          offsets(attributes) + offsets(types)) +
           section(4, ir.empty() ? module : ir) + section(8, properties) +
           extra;
  }
};

} // namespace xlac::test
