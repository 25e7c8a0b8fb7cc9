// A pickle machine that constructs data only. Globals are names, and the
// supported calls are the few that make tensors and containers. Objects are
// allocated in an arena. So nested input causes no recursion until the final
// value is made, whose depth is limited.
#include "pickle.h"

#include "xlac/support/raise.h"

#include <bit>
#include <cstring>
#include <deque>
#include <map>

namespace xlac::serialize {

namespace {

constexpr int kMaxDepth = 500;
constexpr size_t kMaxRank = 64, kMaxName = 1000;
/// Limits the total size of items that a pickle copies from its memo, as a
/// multiple of its own size.
constexpr size_t kCopiesPerByte = 64;

struct Object;
using Objects = std::vector<Object *>;
struct Mark {};
struct Global {
  std::string name; ///< "torch._utils._rebuild_tensor_v2"
};
struct Storage {
  std::string key, location, type;
  uint64_t elements = 0;
};
struct Container {
  enum class Kind : uint8_t { List, Tuple, Set };
  Kind kind = Kind::List;
  Objects items;
};
struct Dict {
  std::vector<std::pair<Object *, Object *>> items;
};

struct Object {
  std::variant<Value, Mark, Global, Storage, Container, Dict> held;
  Value made; ///< for containers and dicts, if `is_made`
  bool is_made = false, is_open = false;

  template <class T> T *get_if() { return std::get_if<T>(&held); }
};

[[noreturn]] void damaged_pickle(const std::string &what) {
  raise<UserError>("the pickle is damaged: " + what);
}

class Machine {
public:
  Machine(std::string_view bytes, const UnpickleOptions &options)
      : bytes_(bytes), options_(options),
        copies_left_(kCopiesPerByte * bytes.size()) {}

  Value run() {
    while (step(read<uint8_t>())) {
    }
    if (stack_.size() != 1)
      damaged_pickle("it leaves more than one value");
    return value_of(stack_[0], 0);
  }
  size_t position() const { return at_; }

private:
  //===- Reading ----------------------------------------------------------===//

  std::string_view take(uint64_t size) {
    if (size > bytes_.size() - at_)
      damaged_pickle("it ends early");
    std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }
  template <class T> T read() {
    T value = 0;
    std::string_view taken = take(sizeof(T));
    std::memcpy(&value, taken.data(), sizeof(T));
    return value;
  }
  std::string_view read_line() {
    size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos)
      damaged_pickle("it ends early");
    std::string_view line = take(end - at_);
    ++at_;
    return line;
  }
  int64_t read_long(uint64_t size) {
    std::string_view digits = take(size);
    if (size > 8)
      raise<UnsupportedError>("the pickle has an integer of " +
                              std::to_string(size) + " bytes");
    bool negative = size > 0 && (static_cast<uint8_t>(digits[size - 1]) & 0x80);
    uint64_t value = negative ? ~uint64_t{0} : 0;
    std::memcpy(&value, digits.data(), size);
    return static_cast<int64_t>(value);
  }
  double read_real() {
    uint64_t bits = 0;
    for (char byte : take(8))
      bits = bits << 8 | static_cast<uint8_t>(byte);
    return std::bit_cast<double>(bits);
  }

  //===- The stack --------------------------------------------------------===//

  template <class T> bool push(T held) {
    arena_.push_back({std::move(held), {}, false, false});
    stack_.push_back(&arena_.back());
    return true;
  }
  bool push_value(Value value) { return push(std::move(value)); }
  Object *pop() {
    if (stack_.empty())
      damaged_pickle("its stack is empty");
    Object *top = stack_.back();
    stack_.pop_back();
    return top;
  }
  Object *top() {
    if (stack_.empty())
      damaged_pickle("its stack is empty");
    return stack_.back();
  }
  /// Pops the objects above the last mark, and the mark.
  Objects pop_to_mark() {
    size_t from = stack_.size();
    while (from > 0 && !stack_[from - 1]->get_if<Mark>())
      --from;
    if (from == 0)
      damaged_pickle("a mark is missing");
    Objects items(stack_.begin() + static_cast<std::ptrdiff_t>(from),
                  stack_.end());
    stack_.resize(from - 1);
    return items;
  }
  Objects pop_some(size_t count) {
    Objects items(count);
    for (size_t i = count; i-- > 0;)
      items[i] = pop();
    return items;
  }
  bool push_tuple(Objects items) {
    return push(Container{Container::Kind::Tuple, std::move(items)});
  }
  bool remember(uint32_t number) {
    memo_[number] = top();
    return true;
  }
  bool recall(uint32_t number) {
    auto found = memo_.find(number);
    if (found == memo_.end())
      damaged_pickle("it reads a memo entry that it never stored");
    stack_.push_back(found->second);
    return true;
  }

  //===- Opcodes ----------------------------------------------------------===//

  /// Executes one opcode. Returns false after the last one.
  bool step(uint8_t code) {
    switch (code) {
    case 0x80: // PROTO
      if (read<uint8_t>() > 5)
        raise<UnsupportedError>("the pickle's protocol is too new");
      return true;
    case 0x95: // FRAME: its length is not needed
      take(8);
      return true;
    case '.':
      return false;
    case '(':
      return push(Mark{});
    case 'N':
      return push_value({});
    case 0x88:
      return push_value(true);
    case 0x89:
      return push_value(false);
    case 'K':
      return push_value(read<uint8_t>());
    case 'M':
      return push_value(read<uint16_t>());
    case 'J':
      return push_value(read<int32_t>());
    case 0x8a:
      return push_value(read_long(read<uint8_t>()));
    case 0x8b:
      return push_value(read_long(read<uint32_t>()));
    case 'G':
      return push_value(read_real());
    case 'X':
      return push_value(std::string(take(read<uint32_t>())));
    case 0x8d:
      return push_value(std::string(take(read<uint64_t>())));
    case 0x8c:
    case 'U': // a string of Python 2
      return push_value(std::string(take(read<uint8_t>())));
    case 'C':
      return push_bytes(take(read<uint8_t>()));
    case 'B':
      return push_bytes(take(read<uint32_t>()));
    case 0x8e:
    case 0x96: // a bytearray
      return push_bytes(take(read<uint64_t>()));
    default:
      return step_container(code);
    }
  }

  bool step_container(uint8_t code) {
    switch (code) {
    case ']':
      return push(Container{});
    case ')':
      return push_tuple({});
    case '}':
      return push(Dict{});
    case 0x8f:
      return push(Container{Container::Kind::Set, {}});
    case 't':
      return push_tuple(pop_to_mark());
    case 0x91: // a frozenset
      return push(Container{Container::Kind::Set, pop_to_mark()});
    case 0x85:
    case 0x86:
    case 0x87:
      return push_tuple(pop_some(code - 0x84));
    case 'a':
      return extend(Container::Kind::List, pop_some(1));
    case 'e':
      return extend(Container::Kind::List, pop_to_mark());
    case 0x90:
      return extend(Container::Kind::Set, pop_to_mark());
    case 's':
      return set_items(pop_some(2));
    case 'u':
      return set_items(pop_to_mark());
    default:
      return step_machine(code);
    }
  }

  bool step_machine(uint8_t code) {
    switch (code) {
    case '0':
      pop();
      return true;
    case '1':
      pop_to_mark();
      return true;
    case 'q':
      return remember(read<uint8_t>());
    case 'r':
      return remember(read<uint32_t>());
    case 0x94:
      return remember(static_cast<uint32_t>(memo_.size()));
    case 'h':
      return recall(read<uint8_t>());
    case 'j':
      return recall(read<uint32_t>());
    case 'c': {
      std::string module(read_line());
      return push(Global{module + "." + std::string(read_line())});
    }
    case 0x93: {
      Objects parts = pop_some(2);
      return push(Global{text_of(parts[0]) + "." + text_of(parts[1])});
    }
    case 'Q':
      return push_persistent(pop());
    case 'R': {
      Objects call = pop_some(2);
      return reduce(call[0], call[1]);
    }
    case 0x81: // NEWOBJ, and NEWOBJ_EX
      reject_object(pop_some(2)[0]);
    case 0x92:
      reject_object(pop_some(3)[0]);
    case 'i': {
      std::string module(read_line());
      reject(module + "." + std::string(read_line()));
    }
    case 'b':
      pop(); // the state of an OrderedDict: PyTorch's _metadata
      if (!top()->get_if<Dict>())
        damaged_pickle("it sets attributes of an object without attributes");
      return true;
    default:
      raise<UnsupportedError>("the pickle has opcode " + std::to_string(code) +
                              ", which no data needs");
    }
  }

  bool push_bytes(std::string_view raw) {
    return push_value(Bytes(raw.begin(), raw.end()));
  }
  bool extend(Container::Kind kind, const Objects &items) {
    auto *container = top()->get_if<Container>();
    if (!container || container->kind != kind)
      damaged_pickle("it adds items to an object without items");
    container->items.insert(container->items.end(), items.begin(), items.end());
    return true;
  }
  bool set_items(const Objects &items) {
    auto *dict = top()->get_if<Dict>();
    if (!dict || items.size() % 2)
      damaged_pickle("it sets items of an object without items");
    for (size_t i = 0; i < items.size(); i += 2)
      dict->items.emplace_back(items[i], items[i + 1]);
    return true;
  }

  //===- Calls ------------------------------------------------------------===//

  const Objects &items_of(Object *object, Container::Kind kind) {
    auto *container = object->get_if<Container>();
    if (!container || container->kind != kind)
      damaged_pickle("a call has arguments of the wrong kind");
    return container->items;
  }
  template <class T> const T &plain(Object *object) {
    auto *value = object->get_if<Value>();
    const T *held = value ? value->get_if<T>() : nullptr;
    if (!held)
      damaged_pickle("a call has arguments of the wrong kind");
    return *held;
  }
  static bool is_nothing(Object *object) {
    auto *value = object->get_if<Value>();
    return value && value->is<None_t>();
  }
  /// Returns a short string.
  const std::string &text_of(Object *object) {
    const auto &text = plain<std::string>(object);
    if (text.size() > kMaxName)
      damaged_pickle("a name is too long");
    return text;
  }
  /// Must be called before items of one object are copied to another.
  void note_copies(size_t count) {
    if (count > copies_left_)
      raise<UnsupportedError>("the pickle grows too large");
    copies_left_ -= count;
  }
  Objects copied(const Objects &items) {
    note_copies(items.size() * sizeof(Object *));
    return items;
  }
  Shape shape_of(Object *object) {
    const Objects &items = items_of(object, Container::Kind::Tuple);
    if (items.size() > kMaxRank)
      raise<UnsupportedError>("the pickle has a tensor of rank " +
                              std::to_string(items.size()));
    Shape sizes;
    for (Object *item : items)
      sizes.push_back(plain<int64_t>(item));
    return sizes;
  }

  bool push_persistent(Object *id) {
    const Objects &parts = items_of(id, Container::Kind::Tuple);
    if (parts.size() == 2 && text_of(parts[0]) == "xser") {
      const std::string &digits = text_of(parts[1]);
      if (!options_.load_number || digits.empty() || digits.size() > 9 ||
          digits.find_first_not_of("0123456789") != std::string::npos)
        damaged_pickle("it refers to a file of tensors");
      return push_value(options_.load_number(std::stoll(digits)));
    }
    // Files from before 1.6 have a sixth element, for views of storages.
    bool is_view = parts.size() == 6 && !is_nothing(parts[5]);
    if (parts.size() < 5 || parts.size() > 6 || is_view ||
        text_of(parts[0]) != "storage")
      damaged_pickle("it refers to an object that is not a storage");
    auto *type = parts[1]->get_if<Global>();
    int64_t elements = plain<int64_t>(parts[4]);
    if (!type || elements < 0)
      damaged_pickle("a storage has no type or size");
    return push(Storage{text_of(parts[2]), text_of(parts[3]), type->name,
                        static_cast<uint64_t>(elements)});
  }

  bool reduce(Object *callee, Object *arguments) {
    auto *global = callee->get_if<Global>();
    if (!global)
      damaged_pickle("it calls an object that is not a name");
    const std::string &name = global->name;
    const Objects &given = items_of(arguments, Container::Kind::Tuple);
    size_t count = given.size();
    if (name == "collections.OrderedDict" && count == 0)
      return push(Dict{});
    if (name == "torch._utils._rebuild_tensor_v2" && count >= 6)
      return push_tensor(given, count > 6 ? given[6] : nullptr);
    if (name == "torch._utils._rebuild_tensor_v3" && count >= 7)
      return push_tensor(given, count > 7 ? given[7] : nullptr);
    if ((name == "torch._utils._rebuild_parameter" ||
         name == "torch._utils._rebuild_parameter_with_state") &&
        count >= 2)
      return push_parameter(plain<Tensor>(given[0]), plain<bool>(given[1]));
    if (name == "_codecs.encode" && count == 2)
      return push_encoded(plain<std::string>(given[0]), text_of(given[1]));
    bool makes_bytes =
        name == "__builtin__.bytearray" || name == "builtins.bytearray";
    if (makes_bytes && count == 1) {
      const auto &raw = plain<Bytes>(given[0]);
      note_copies(raw.size());
      return push_value(raw);
    }
    bool makes_set = name == "__builtin__.set" || name == "builtins.set";
    if (makes_set && count == 0)
      return push(Container{Container::Kind::Set, {}});
    if (makes_set && count == 1)
      return push(Container{Container::Kind::Set,
                            copied(items_of(given[0], Container::Kind::List))});
    if (name == "torch.Size" && count == 1)
      return push_tuple(copied(items_of(given[0], Container::Kind::Tuple)));
    reject(name);
  }
  [[noreturn]] static void reject(const std::string &name) {
    raise<UnsupportedError>("the pickle calls " + name.substr(0, 200) +
                            ", which is not data");
  }
  [[noreturn]] static void reject_object(Object *maker) {
    auto *global = maker->get_if<Global>();
    if (!global)
      damaged_pickle("it calls an object that is not a name");
    reject(global->name);
  }

  /// Converts a string whose characters are bytes.
  bool push_encoded(const std::string &text, const std::string &encoding) {
    if (encoding != "latin1")
      raise<UnsupportedError>("the pickle has bytes in an encoding of "
                              "their own");
    note_copies(text.size());
    Bytes raw;
    for (size_t i = 0; i < text.size(); ++i) {
      auto byte = static_cast<uint8_t>(text[i]);
      if (byte >= 0x80) {
        if ((byte & 0xfc) != 0xc0 || i + 1 == text.size() ||
            (static_cast<uint8_t>(text[i + 1]) & 0xc0) != 0x80)
          damaged_pickle("its bytes are not in latin-1");
        byte = static_cast<uint8_t>(byte << 6 |
                                    (static_cast<uint8_t>(text[++i]) & 0x3f));
      }
      raw.push_back(byte);
    }
    return push_value(std::move(raw));
  }

  /// Reads PyTorch's lazy bits: the storage holds the elements before
  /// conjugation or negation.
  void read_lazy_bits(Object *metadata, TensorRecord &record) {
    if (!metadata || is_nothing(metadata))
      return;
    auto *dict = metadata->get_if<Dict>();
    if (!dict)
      damaged_pickle("the metadata of a tensor are not a dict");
    for (auto [key, item] : dict->items) {
      const std::string &name = text_of(key);
      bool is_set = plain<bool>(item);
      if (name == "conj")
        record.is_conjugated = is_set;
      else if (name == "neg")
        record.is_negated = is_set;
      else if (is_set)
        raise<UnsupportedError>("the pickle has a tensor with metadata " +
                                name.substr(0, 200));
    }
    if (record.is_conjugated && !is_complex(record.dtype))
      damaged_pickle("a tensor of real numbers is conjugated");
    if (record.is_negated && record.dtype == kBool)
      damaged_pickle("a tensor of booleans is negated");
  }

  /// `metadata` may be null.
  bool push_tensor(const Objects &given, Object *metadata) {
    auto *storage = given[0]->get_if<Storage>();
    if (!storage)
      damaged_pickle("a tensor has no storage");
    TensorRecord record;
    record.key = storage->key;
    record.location = storage->location;
    record.offset = plain<int64_t>(given[1]);
    record.sizes = shape_of(given[2]);
    record.strides = shape_of(given[3]);
    record.requires_grad = plain<bool>(given[4]);
    record.storage_elements = storage->elements;
    record.is_untyped = storage->type == "torch.storage.UntypedStorage" ||
                        storage->type == "torch.UntypedStorage";
    if (record.is_untyped) {
      auto *dtype = given.size() > 6 ? given[6]->get_if<Global>() : nullptr;
      record.dtype = find_dtype(dtype ? dtype->name : "", [](Dtype d) {
        return "torch." + std::string(xlac::name(d));
      });
      record.storage_elements /= element_size(record.dtype);
    } else {
      record.dtype = find_dtype(storage->type, [](Dtype d) {
        return "torch." + std::string(storage_class(d));
      });
    }
    read_lazy_bits(metadata, record);
    return push_value(options_.load(record));
  }

  /// The data of a parameter are pickled as a tensor without requires_grad.
  bool push_parameter(Tensor tensor, bool requires_grad) {
    if (requires_grad && tensor.defined() &&
        (tensor.is_floating_point() || tensor.is_complex()))
      tensor.requires_grad_();
    return push_value(std::move(tensor));
  }

  template <class Fn> Dtype find_dtype(const std::string &name, Fn name_of) {
    for (int i = 0; i <= static_cast<int>(kFloat8_e8m0fnu); ++i)
      if (name_of(static_cast<Dtype>(i)) == name)
        return static_cast<Dtype>(i);
    raise<UnsupportedError>("the pickle has a tensor of type " +
                            name.substr(0, 200));
  }

  //===- The finished value -----------------------------------------------===//

  Value value_of(Object *object, int depth) {
    if (auto *value = object->get_if<Value>())
      return *value;
    if (object->is_made)
      return object->made;
    if (object->is_open || depth >= kMaxDepth)
      raise<UnsupportedError>(
          "the pickle's data contains itself or is nested too deeply");
    object->is_open = true;
    object->made = container_value(object, depth + 1);
    object->is_open = false;
    object->is_made = true;
    return object->made;
  }

  Value container_value(Object *object, int depth) {
    if (auto *dict = object->get_if<Dict>()) {
      Value::Dict items;
      for (auto [key, item] : dict->items)
        items.emplace_back(value_of(key, depth), value_of(item, depth));
      return items;
    }
    if (auto *global = object->get_if<Global>())
      raise<UnsupportedError>("the pickle holds " +
                              global->name.substr(0, 200) +
                              ", which is not data");
    auto *container = object->get_if<Container>();
    if (!container)
      damaged_pickle("its value is not data");
    std::vector<Value> items;
    for (Object *item : container->items)
      items.push_back(value_of(item, depth));
    switch (container->kind) {
    case Container::Kind::List:
      return items;
    case Container::Kind::Tuple:
      return Value::Tuple{std::move(items)};
    case Container::Kind::Set:
      break;
    }
    return Value::Set{std::move(items)};
  }

  std::string_view bytes_;
  const UnpickleOptions &options_;
  size_t copies_left_;
  size_t at_ = 0;
  std::deque<Object> arena_;
  Objects stack_;
  std::map<uint32_t, Object *> memo_;
};

} // namespace

Value read_pickle(std::string_view bytes, const UnpickleOptions &options,
                  size_t *size) {
  Machine machine(bytes, options);
  Value value = machine.run();
  if (size)
    *size = machine.position();
  return value;
}

} // namespace xlac::serialize
