// The pickle machine with input that no pickler writes.
#include "pickle.h"

#include <gtest/gtest.h>

#include <random>

namespace xlac::serialize {
namespace {

Value read(std::string_view bytes) {
  UnpickleOptions options;
  options.load = [](const TensorRecord &record) {
    if (record.sizes.size() > 2)
      throw UserError("too many dimensions");
    return Tensor();
  };
  return read_pickle(bytes, options);
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i)
    result += text;
  return result;
}

TEST(Pickle, ReadsNewerProtocols) {
  using namespace std::string_literals;
  EXPECT_EQ(
      read("\x80\x04\x95\x05\0\0\0\0\0\0\0\x8c\x02hi\x94."s).to<std::string>(),
      "hi");
  EXPECT_EQ(read("\x8f(K\x01K\x02\x90."s).size(), 2u);
  EXPECT_EQ(read("C\x02zz."s).to<Bytes>().size(), 2u);
  EXPECT_EQ(read("(K\x01\x91."s).to<Value::Set>().items.size(), 1u);
  EXPECT_EQ(read("\x8d\x02\0\0\0\0\0\0\0hi."s).to<std::string>(), "hi");
  EXPECT_EQ(read("U\x02hi."s).to<std::string>(), "hi");
  EXPECT_EQ(read("\x96\x01\0\0\0\0\0\0\0z."s).to<Bytes>(), Bytes{'z'});
  EXPECT_EQ(read("\x8e\x01\0\0\0\0\0\0\0z."s).to<Bytes>(), Bytes{'z'});
  EXPECT_EQ(read("\x8b\x01\0\0\0\xff."s).to<int>(), -1);
  EXPECT_EQ(read("K\x05(NN1."s).to<int>(), 5);
  EXPECT_EQ(read("\x8a\x00."s).to<int>(), 0);
  EXPECT_EQ(read("\x8a\x01\xff."s).to<int>(), -1);
}

TEST(Pickle, CallsNothing) {
  EXPECT_THROW(read("cos\nsystem\n(X\x02\0\0\0lstR."), UserError);
  std::string call = "cos\nsystem\n(X";
  call += std::string("\x02\0\0\0", 4) + "lstR.";
  EXPECT_THROW(read(call), UnsupportedError);
  EXPECT_THROW(read("cos\nsystem\n."), UnsupportedError);
  EXPECT_THROW(read("i__main__\nx\n."), UnsupportedError);
  EXPECT_THROW(read("\x81."), UserError);
  for (const char *makes :
       {"cos\nsystem\n)\x81.", "cos\nsystem\n)}\x92.", "(ios\nsystem\n."})
    try {
      read(makes);
      ADD_FAILURE() << makes;
    } catch (const UnsupportedError &error) {
      EXPECT_NE(std::string(error.what()).find("calls os.system"),
                std::string::npos);
    }
}

/// Makes a pickle of a tensor with one element of `storage` and `metadata`, in
/// protocol 4.
std::string tensor_with(std::string_view storage, std::string_view metadata) {
  auto text = [](std::string_view words) {
    return "\x8c" + std::string(1, static_cast<char>(words.size())) +
           std::string(words);
  };
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") +
         "ctorch\n" + std::string(storage) + "\n" + text("0") + text("cpu") +
         "K\x01tQK" + std::string(1, '\0') + "))\x89}" + std::string(metadata) +
         "tR.";
}

TEST(Pickle, ReadsLazyBits) {
  UnpickleOptions options;
  TensorRecord seen;
  options.load = [&](const TensorRecord &record) {
    seen = record;
    return Tensor();
  };
  struct Case {
    const char *storage, *metadata;
    bool conjugated, negated;
  };
  for (const Case &c :
       {Case{"ComplexFloatStorage", "", false, false},
        Case{"ComplexFloatStorage", "N", false, false},
        Case{"ComplexFloatStorage", "}", false, false},
        Case{"ComplexFloatStorage", "}\x8c\4conj\x88s", true, false},
        Case{"ComplexFloatStorage", "}(\x8c\4conj\x88\x8c\3neg\x88u", true,
             true},
        Case{"FloatStorage", "}\x8c\3neg\x88s", false, true},
        Case{"FloatStorage", "}\x8c\4conj\x89s", false, false},
        Case{"FloatStorage", "}\x8c\5other\x89s", false, false}}) {
    read_pickle(tensor_with(c.storage, c.metadata), options);
    EXPECT_EQ(seen.is_conjugated, c.conjugated) << c.storage << c.metadata;
    EXPECT_EQ(seen.is_negated, c.negated) << c.storage << c.metadata;
  }
  EXPECT_THROW(read(tensor_with("FloatStorage", "}\x8c\4conj\x88s")),
               UserError);
  EXPECT_THROW(read(tensor_with("BoolStorage", "}\x8c\3neg\x88s")), UserError);
  EXPECT_THROW(read(tensor_with("FloatStorage", "}\x8c\3negK\1s")), UserError);
  EXPECT_THROW(read(tensor_with("FloatStorage", "]")), UserError);
  EXPECT_THROW(read(tensor_with("FloatStorage", "}\x8c\5other\x88s")),
               UnsupportedError);
}

TEST(Pickle, RefusesWhatDoesNotFit) {
  for (const char *bytes : {"",
                            ".",
                            "0.",
                            "q",
                            "K",
                            "t.",
                            "(.",
                            "((.",
                            "a.",
                            "]K\x01s.",
                            "}K\x01u.",
                            "}(K\x01u.",
                            "h\x05.",
                            "NR.",
                            "N)R.",
                            "Nb.",
                            "NQ.",
                            ")Q.",
                            "X\xff\xff\xff\xff.",
                            "\x8a\x09",
                            "NN.",
                            "\x80\x09."})
    EXPECT_THROW(read(bytes), Error) << bytes;
}

TEST(Pickle, NestingHasALimit) {
  EXPECT_THROW(read(repeated("]", 100000) + repeated("a", 99999) + "."),
               UnsupportedError);
  EXPECT_EQ(read(repeated("]", 100) + repeated("a", 99) + ".").size(), 1u);
  EXPECT_THROW(read(std::string("]q\0h\0a.", 7)), UnsupportedError);
}

TEST(Pickle, CopiesHaveALimit) {
  std::string list = "](" + repeated("K\x01", 20000) + "eq" + std::string(1, 1);
  std::string sets = repeated("c__builtin__\nset\nh\x01\x85R", 20000);
  EXPECT_THROW(read("(" + list + sets + "t."), UnsupportedError);
}

TEST(Pickle, AnyBytesGiveAValueOrAnError) {
  std::mt19937 random(3);
  static constexpr char kCodes[] = "()]}NKtasuQRbqhcX0.\x85\x86\x88\x8f\x90";
  for (int i = 0; i < 20000; ++i) {
    std::string bytes;
    for (unsigned n = random() % 40; n > 0; --n)
      bytes += kCodes[random() % (sizeof kCodes - 1)];
    bytes += '.';
    try {
      read(bytes);
    } catch (const Error &) {
    }
  }
}

} // namespace
} // namespace xlac::serialize
