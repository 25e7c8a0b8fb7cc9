// Bytecode encodings of a dialect's attributes and types: a code, then the
// fields in order. The C++ type of a field determines its encoding.
#ifndef XLAC_DIALECT_BYTECODERECORDS_H
#define XLAC_DIALECT_BYTECODERECORDS_H

#include "mlir/Bytecode/BytecodeImplementation.h"

#include <concepts>
#include <optional>
#include <tuple>

namespace xlac::encoding {

using llvm::APFloat;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::Attribute;
using mlir::failed;
using mlir::failure;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::success;
using mlir::Type;
using Reader = mlir::DialectBytecodeReader;
using Writer = mlir::DialectBytecodeWriter;

//===- Fields -------------------------------------------------------------===//

/// Returns the enumerator of T with the value `number`, or nothing if there is
/// none.
template <class T> std::optional<T> enumOf(uint32_t number);

/// Encoding of a field of type T. `Stored` is the type that owns a field that
/// was read. Enums are encoded as integers.
template <class T> struct Field;

template <class T>
  requires std::is_enum_v<T>
struct Field<T> {
  using Stored = T;
  static LogicalResult read(Reader &reader, T &value) {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return failure();
    std::optional<T> known = number <= UINT32_MAX
                                 ? enumOf<T>(static_cast<uint32_t>(number))
                                 : std::nullopt;
    if (!known)
      return reader.emitError("unknown value of an enum: ") << number;
    value = *known;
    return success();
  }
  static void write(Writer &writer, T value) {
    writer.writeVarInt(static_cast<uint64_t>(value));
  }
};

/// An attribute of the class T.
template <class T>
  requires std::derived_from<T, mlir::Attribute>
struct Field<T> {
  using Stored = T;
  static LogicalResult read(Reader &reader, T &value) {
    return reader.readAttribute(value);
  }
  static void write(Writer &writer, T value) { writer.writeAttribute(value); }
};

template <> struct Field<bool> {
  using Stored = bool;
  static LogicalResult read(Reader &reader, bool &value) {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return failure();
    value = number != 0;
    return number <= 1 ? success() : reader.emitError("expected 0 or 1");
  }
  static void write(Writer &writer, bool value) { writer.writeVarInt(value); }
};

template <> struct Field<uint64_t> {
  using Stored = uint64_t;
  static LogicalResult read(Reader &reader, uint64_t &value) {
    return reader.readVarInt(value);
  }
  static void write(Writer &writer, uint64_t value) {
    writer.writeVarInt(value);
  }
};

template <> struct Field<int64_t> {
  using Stored = int64_t;
  static LogicalResult read(Reader &reader, int64_t &value) {
    return reader.readSignedVarInt(value);
  }
  static void write(Writer &writer, int64_t value) {
    writer.writeSignedVarInt(value);
  }
};

template <> struct Field<ArrayRef<int64_t>> {
  using Stored = SmallVector<int64_t>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readSignedVarInts(values);
  }
  static void write(Writer &writer, ArrayRef<int64_t> values) {
    writer.writeSignedVarInts(values);
  }
};

template <> struct Field<StringRef> {
  using Stored = StringRef;
  static LogicalResult read(Reader &reader, StringRef &value) {
    return reader.readString(value);
  }
  static void write(Writer &writer, StringRef value) {
    writer.writeOwnedString(value);
  }
};

template <> struct Field<Attribute> {
  using Stored = Attribute;
  static LogicalResult read(Reader &reader, Attribute &value) {
    return reader.readAttribute(value);
  }
  static void write(Writer &writer, Attribute value) {
    writer.writeAttribute(value);
  }
};

template <> struct Field<Type> {
  using Stored = Type;
  static LogicalResult read(Reader &reader, Type &value) {
    return reader.readType(value);
  }
  static void write(Writer &writer, Type value) { writer.writeType(value); }
};

template <> struct Field<ArrayRef<Attribute>> {
  using Stored = SmallVector<Attribute>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readAttributes(values);
  }
  static void write(Writer &writer, ArrayRef<Attribute> values) {
    writer.writeAttributes(values);
  }
};

template <> struct Field<ArrayRef<Type>> {
  using Stored = SmallVector<Type>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readTypes(values);
  }
  static void write(Writer &writer, ArrayRef<Type> values) {
    writer.writeTypes(values);
  }
};

using Pair = std::pair<Attribute, Attribute>;
template <> struct Field<ArrayRef<Pair>> {
  using Stored = SmallVector<Pair>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readList(values, [&](Pair &one) {
      return failure(failed(reader.readAttribute(one.first)) ||
                     failed(reader.readAttribute(one.second)));
    });
  }
  static void write(Writer &writer, ArrayRef<Pair> values) {
    writer.writeList(values, [&](const Pair &one) {
      writer.writeAttribute(one.first);
      writer.writeAttribute(one.second);
    });
  }
};

/// A float that is read without an explicit type: it is encoded as a double.
struct StoredFloat {
  APFloat value{0.0};
  operator const APFloat &() const { return value; }
};

inline LogicalResult readFloat(Reader &reader, const llvm::fltSemantics &kind,
                               APFloat &value) {
  FailureOr<APFloat> read = reader.readAPFloatWithKnownSemantics(kind);
  if (failed(read))
    return failure();
  value = *read;
  return success();
}

template <> struct Field<APFloat> {
  using Stored = StoredFloat;
  static LogicalResult read(Reader &reader, StoredFloat &value) {
    return readFloat(reader, APFloat::IEEEdouble(), value.value);
  }
  static void write(Writer &writer, const APFloat &value) {
    writer.writeAPFloatWithKnownSemantics(value);
  }
};

template <> struct Field<ArrayRef<APFloat>> {
  using Stored = SmallVector<APFloat>;
  static LogicalResult read(Reader &reader, Stored &values) {
    return reader.readList(values, [&]() {
      return reader.readAPFloatWithKnownSemantics(APFloat::IEEEdouble());
    });
  }
  static void write(Writer &writer, ArrayRef<APFloat> values) {
    writer.writeList(values, [&](const APFloat &value) {
      writer.writeAPFloatWithKnownSemantics(value);
    });
  }
};

//===- Attributes and types -----------------------------------------------===//

/// An attribute or type whose fields are the results of `getters`, in order.
template <class T, auto... getters> struct Record {
  using Class = T;
  template <auto getter>
  using FieldOf =
      Field<std::decay_t<std::invoke_result_t<decltype(getter), T>>>;

  using Fields = std::tuple<FieldOf<getters>...>;

  static T read(Reader &reader) {
    return readFields(reader, std::index_sequence_for<FieldOf<getters>...>());
  }
  static void write(T value, Writer &writer) {
    (FieldOf<getters>::write(writer, (value.*getters)()), ...);
  }

private:
  template <size_t... places>
  static T readFields(Reader &reader, std::index_sequence<places...>) {
    std::tuple<typename FieldOf<getters>::Stored...> values;
    if ((failed(std::tuple_element_t<places, Fields>::read(
             reader, std::get<places>(values))) ||
         ...))
      return {};
    return T::get(reader.getContext(), std::get<places>(values)...);
  }
};

/// A type without fields.
template <class T> struct Plain {
  using Class = T;
  static T read(Reader &reader) { return T::get(reader.getContext()); }
  static void write(T, Writer &) {}
};

template <class T> using EnumRecord = Record<T, &T::getValue>;

/// The record R with a code that R's class does not define itself.
template <uint64_t code, class R> struct Coded : R {
  static constexpr uint64_t kCode = code;
};

template <class R> constexpr uint64_t codeOf() {
  if constexpr (requires { R::kCode; })
    return R::kCode;
  else
    return R::Class::kCode;
}

/// Combines several records. The code selects the record.
template <class... Records> struct Family {
  /// Returns null and reports an error if the code is unknown.
  template <class Base> static Base read(Reader &reader, uint64_t code) {
    Base result;
    bool known = ((code == codeOf<Records>() &&
                   (static_cast<void>(result = Records::read(reader)), true)) ||
                  ...);
    if (!known)
      reader.emitError("unknown code of an attribute or type: ") << code;
    return result;
  }
  /// Returns false if `value` belongs to none of the records.
  template <class Base> static bool write(Base value, Writer &writer) {
    return (writeOne<Records>(value, writer) || ...);
  }

private:
  template <class One, class Base>
  static bool writeOne(Base value, Writer &writer) {
    auto own = llvm::dyn_cast<typename One::Class>(value);
    if (!own)
      return false;
    writer.writeVarInt(codeOf<One>());
    One::write(own, writer);
    return true;
  }
};

/// Bytecode interface of a dialect whose attributes and types are two families.
template <class Attributes, class Types>
class FamilyInterface : public mlir::BytecodeDialectInterface {
public:
  explicit FamilyInterface(mlir::Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(Reader &reader) const override {
    uint64_t code = 0;
    if (failed(reader.readVarInt(code)))
      return {};
    return Attributes::template read<Attribute>(reader, code);
  }
  Type readType(Reader &reader) const override {
    uint64_t code = 0;
    if (failed(reader.readVarInt(code)))
      return {};
    return Types::template read<Type>(reader, code);
  }
  LogicalResult writeAttribute(Attribute attribute,
                               Writer &writer) const override {
    return success(Attributes::write(attribute, writer));
  }
  LogicalResult writeType(Type type, Writer &writer) const override {
    return success(Types::write(type, writer));
  }
};

} // namespace xlac::encoding

#endif
