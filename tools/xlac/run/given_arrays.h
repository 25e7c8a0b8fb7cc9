// Arrays that a command line gives for the arguments or the results of a
// program: --inputs and --expected.
#pragma once

#include "array_file.h"
#include "npy.h"

#include "xlac/compiler.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace xlac::cli {

/// The words of one option. A word is one of
/// - FILE: .npy, .npz, .safetensors, or "-" for standard input; or FILE:ARRAY
///   for one array of a file;
/// - TYPE=ELEMENTS, as parse_array;
/// - NAME=VALUE or NUMBER=VALUE, where VALUE is one of these, zeros or
///   random:SEED;
/// - zeros or random:SEED, for every position that no other word gives.
/// Files of several arrays give those whose names are names of positions; those
/// of numpy.savez without names give positions 0, 1 …. NAME=VALUE has
/// precedence over them. All other words give the remaining positions in order.
class GivenArrays {
public:
  /// Returns the names of all positions, empty for those without. Called at
  /// most once, and only if names are needed.
  using NameLookup = std::function<Result<std::vector<std::string>>()>;

  GivenArrays() = default;
  /// Parses the words and opens the files. `noun` names a position in messages:
  /// "input" or "result".
  static Result<GivenArrays> parse(const std::vector<std::string> &words,
                                   std::string noun, NameLookup names = {});

  bool is_empty() const { return words_.empty(); }
  /// True if each word names its positions, so that some may be left out on
  /// purpose.
  bool is_selective() const;

  /// The sizes of the arrays, by position. None for generated ones.
  Result<ArgumentSizes> sizes();

  /// The arrays of positions with these types; nothing where no word gives one.
  /// Tokens get an array without elements. Fails if a word gives no position,
  /// or one that another word gives, or an array of another type. bf16, f8 and
  /// narrow integers accept arrays of their bit patterns.
  Result<std::vector<std::optional<HostArray>>>
  arrays(const std::vector<Type> &types);
  /// As arrays(), and fails if any array is missing, which it lists.
  Result<std::vector<HostArray>> all_arrays(const std::vector<Type> &types);

private:
  enum class Kind : uint8_t { Zeros, Random, Text, File };
  struct Word {
    std::string text, target; ///< target: a name or a number; may be empty
    Kind kind = Kind::File;
    uint64_t seed = 0;
    HostArray array;                 ///< of Text
    std::shared_ptr<ArrayFile> file; ///< of File
    std::string key;                 ///< of FILE:ARRAY
    bool is_generated() const {
      return kind == Kind::Zeros || kind == Kind::Random;
    }
    /// Gives the positions that have the names of its arrays.
    bool has_several() const {
      return kind == Kind::File && target.empty() && key.empty() &&
             !file->is_single();
    }
  };
  /// What gives a position: a word, and an array of its file.
  struct Origin {
    const Word *word = nullptr;
    size_t entry = 0;
    bool is_explicit = false;
  };
  using Assignment = std::map<size_t, Origin>;

  Result<Word> parse_word(const std::string &text);
  Status parse_value(Word &word, const std::string &value);
  Status open_file(Word &word, const std::string &path);
  Result<const std::vector<std::string> *> names();
  Result<size_t> find_target(const std::string &target);
  Status assign_file(const Word &word, Assignment &assigned);
  Result<Assignment> assign(const std::vector<Type> *types);
  static Result<size_t> entry_of(const Origin &origin);
  Result<HostArray> array_of(const Origin &origin, size_t position,
                             const TensorType &type);
  /// "input 2 'weights'".
  std::string title(size_t position) const;
  /// What the program does with a position: "takes" or "gives".
  const char *verb() const { return noun_ == "input" ? "takes" : "gives"; }

  std::vector<Word> words_;
  std::string noun_ = "input";
  NameLookup lookup_;
  std::optional<std::vector<std::string>> names_;
  std::map<std::string, std::shared_ptr<ArrayFile>> files_;
};

/// GivenArrays of inputs without names.
Result<std::vector<HostArray>>
make_inputs(const std::vector<Type> &types,
            const std::vector<std::string> &words);

} // namespace xlac::cli
