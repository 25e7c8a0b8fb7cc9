#include "bytecode_builder.h"
#include "parsed.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <random>

namespace xlac {
namespace {

using namespace test;

/// Expects a rejection whose reason contains `reason`.
void expectRefusal(const std::string &bytes, std::string_view reason) {
  Parsed parsed(bytes);
  EXPECT_FALSE(parsed.module) << reason;
  EXPECT_NE(parsed.error.find(reason), std::string::npos)
      << "got '" << parsed.error << "', wanted '" << reason << "'";
}

constexpr const char *kSeed = R"(
module @seed attributes {x.count = 1 : i32, x.list = [1, 2.5, true, unit, i32],
                         x.array = array<i64: 1, 2>, x.bools = array<i1: true>} {
  func.func public @main(%arg0: tensor<2x3xf32> loc("x"), %arg1: tensor<?xi8>)
      -> (tensor<2x3xf32>, tensor<2xi64>) {
    %c = stablehlo.constant dense<[1, -2]> : tensor<2xi64>
    %cst = stablehlo.constant dense<0.5> : tensor<2x3xf32>
    %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %z = stablehlo.constant dense<[(1.0,2.0), (3.0,4.0)]> : tensor<2xcomplex<f32>>
    %q = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
    %i = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi4>
    %0 = stablehlo.add %arg0, %cst : tensor<2x3xf32> loc(fused["a", "b"])
    %1:2 = stablehlo.while(%a = %0, %b = %c) : tensor<2x3xf32>, tensor<2xi64>
      cond {
        %t = stablehlo.constant dense<false> : tensor<i1>
        stablehlo.return %t : tensor<i1>
      } do {
        %s = stablehlo.multiply %a, %a : tensor<2x3xf32>
        %u = stablehlo.subtract %s, %a : tensor<2x3xf32>
        stablehlo.return %u, %b : tensor<2x3xf32>, tensor<2xi64>
      }
    return %1#0, %1#1 : tensor<2x3xf32>, tensor<2xi64>
  } loc("file.py":3:4)
})";

std::string seedBytes(int64_t version) {
  Parsed parsed{kSeed};
  EXPECT_TRUE(parsed.module) << parsed.error;
  mlir::BytecodeWriterConfig config("xlac");
  config.setDesiredBytecodeVersion(version);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  EXPECT_TRUE(succeeded(
      mlir::writeBytecodeToFile(parsed.module->getOperation(), os, config)));
  return bytes;
}

TEST(Bytecode, ReadsWhatMlirWrites) {
  for (int64_t version = 0; version <= 6; ++version) {
    Parsed parsed(seedBytes(version));
    EXPECT_TRUE(parsed.module) << version << ": " << parsed.error;
  }
}

TEST(Bytecode, ReadsTheSmallestFile) {
  Parsed parsed(BytecodeBuilder().build());
  EXPECT_TRUE(parsed.module) << parsed.error;
}

TEST(Bytecode, RefusesEveryTruncation) {
  std::string bytes = seedBytes(6);
  for (size_t size = 4; size < bytes.size(); ++size)
    EXPECT_FALSE(Parsed(bytes.substr(0, size)).module) << size;
}

TEST(Bytecode, RefusesDamagedTables) {
  BytecodeBuilder file;
  file.version = varint(7);
  expectRefusal(file.build(), "bytecode version 7 is newer");
  file = {};
  file.extra = section(4, "");
  expectRefusal(file.build(), "section 4 appears twice");
  file = {};
  file.extra = section(9, "");
  expectRefusal(file.build(), "unknown section 9");
  file = {};
  file.extra = section(5, "") + section(6, varint(1));
  expectRefusal(file.build(), "resources are not supported");
  file = {};
  file.extra = section(6, varint(0));
  expectRefusal(file.build(), "one of the resource sections is missing");
  file = {};
  file.extra = std::string("\x89\x03", 2);
  expectRefusal(file.build(), "unknown section 9");
  file = {};
  file.dialects = varint(uint64_t(1) << 60);
  expectRefusal(file.build(), "1152921504606846976 dialects do not fit in");
  file = {};
  file.dialects = varint(2) + flagged(0, false) + flagged(5, false);
  expectRefusal(file.build(), "dialect 'name' is unknown");
  file = {};
  file.dialects = varint(2) + flagged(0, false) + flagged(0, false);
  expectRefusal(file.build(), "a dialect appears twice");
  file = {};
  file.op_names = varint(1) + varints({0, 1}) + flagged(5, true);
  expectRefusal(file.build(), "op 'builtin.name' is unknown");
  file = {};
  file.op_names = varint(1) + varints({0, 1}) + flagged(1, false);
  expectRefusal(file.build(), "op 'builtin.module' is unknown");
  file = {};
  file.properties = varint(1) + varint(50);
  expectRefusal(file.build(), "properties section");
}

TEST(Bytecode, RefusesWrongAttributes) {
  struct Case {
    std::string bytes;
    const char *reason;
  };
  const Case cases[] = {
      {varint(99), "code 99 is not supported"},
      {varints({0, 1, 2}), "holds itself"},
      {varints({0, 1, 9}), "attribute 9 of 3"},
      {varints({0, 100}), "100 elements do not fit in 0 bytes"},
      {varints({1, 1, 0, 0}), "a dictionary's name is not a string"},
      {varints({1, 2, 1, 0, 1, 0}), "twice"},
      {varints({2, 77}), "string 77 of 6"},
      {varints({4, 0}), "its name is not a string"},
      {varints({5, 1, 1, 0}), "a part of a symbol is not a symbol"},
      {varints({8, 1, 4}), "its type does not suit it"},
      {varints({9, 0, 4}), "its type does not suit it"},
      {varints({16, 0, 0}), "code 16 is not supported"},
      {varints({17, 0, 3}) + blob("12345678"), "an array of 3 elements"},
      {varints({18, 0}) + blob("1234"), "a constant that is not a tensor"},
      {varints({22, 1, 5, 1, 1, 1, 1, 1}), "a range has too many parts"},
      {varints({15, 15}), "1 bytes too many"},
  };
  for (const Case &wrong : cases) {
    BytecodeBuilder file;
    file.attribute(wrong.bytes);
    expectRefusal(file.build(), wrong.reason);
  }
  BytecodeBuilder text;
  text.attribute(std::string(2000, '[') + '\0', false);
  expectRefusal(text.build(), "brackets nest deeper than 1000");
}

TEST(Bytecode, RefusesWrongTypes) {
  struct Case {
    std::string bytes;
    const char *reason;
  };
  const Case cases[] = {
      {varints({0, 0}), "an integer of 0 bits"},
      {varints({0, 65 << 2}), "an integer of 65 bits"},
      {varints({0, 32 << 2 | 3}), "an integer of 32 bits"},
      {varints({9, 2}), "a complex number of no numbers"},
      {varints({10, 0}), "code 10 is not supported"},
      {varints({13, 1, 3, 0}), "a negative size"},
      {varints({13, 0, 2}), "a tensor of an invalid element type"},
      {varints({13, 2, uint64_t(1) << 61, uint64_t(1) << 61, 0}),
       "more than 2^56 elements"},
      {varints({15, 1, 2}), "holds itself"},
  };
  for (const Case &wrong : cases) {
    BytecodeBuilder file;
    file.type(wrong.bytes);
    expectRefusal(file.build(), wrong.reason);
  }
  BytecodeBuilder text;
  text.type(std::string("tensor<") + '\0', false);
  expectRefusal(text.build(), "is not a type");
}

TEST(Bytecode, RefusesWrongConstants) {
  struct Case {
    std::string element;
    std::string bytes;
    const char *reason;
  };
  const Case cases[] = {
      {varints({0, 32 << 2}), "12345678", "a constant of 4 elements in 8"},
      {varints({0, 1 << 2}), "12", "a constant of 4 elements in 2"},
      {varints({0, 4 << 2}), "\x01\x02\x03\x10", "more than 4 bits"},
      {varints({12}), "1234", "an invalid element type"},
  };
  for (const Case &wrong : cases) {
    BytecodeBuilder file;
    int element = file.type(wrong.element);
    // Sizes are encoded as signed: 8 means 4.
    int tensor = file.type(varints({13, 1, 8, uint64_t(element)}));
    file.attribute(varints({18, uint64_t(tensor)}) + blob(wrong.bytes));
    expectRefusal(file.build(), wrong.reason);
  }
  BytecodeBuilder wide;
  int narrow = wide.type(varints({0, 16 << 2}));
  wide.attribute(varints({8, uint64_t(narrow), uint64_t(65536) << 1}));
  expectRefusal(wide.build(), "a number has more than 16 bits");
}

TEST(Bytecode, RefusesWhatUnfoldsOrNestsWithoutBounds) {
  BytecodeBuilder doubling, chain;
  for (int i = 1; i < 40; ++i) {
    int last = int(doubling.attributes.size()) - 1;
    doubling.attribute(varints({0, 2, uint64_t(last), uint64_t(last)}));
  }
  expectRefusal(doubling.build(), "unfolds beyond bounds");
  for (int i = 1; i < 2000; ++i) {
    int last = int(chain.attributes.size()) - 1;
    chain.attribute(varints({0, 1, uint64_t(last)}));
  }
  expectRefusal(chain.build(), "nests deeper than 1000");
}

/// Returns a file whose module has the last of `attributes` of sdy, which start
/// at index 2, as "sdy.last". String 8 is "x", 9 is `longName`.
std::string withSdy(const std::vector<std::string> &attributes,
                    const std::string &longName = "") {
  BytecodeBuilder file;
  for (std::string text : {std::string("sdy"), std::string("sdy.last"),
                           std::string("x"), longName})
    file.strings.push_back(text);
  file.dialects += flagged(6, false);
  file.dialects[0] = varint(3)[0];
  for (const std::string &bytes : attributes)
    file.attributes.push_back({bytes, true, 2});
  uint64_t last = file.attributes.size() - 1;
  uint64_t name = file.attribute(varints({2, 7}));
  uint64_t dictionary = file.attribute(varints({1, 1, name, last}));
  file.ir = varint(1 << 1) + varint(0) + '\x11' + varints({0, dictionary}) +
            flagged(1, true) + section(4, file.body);
  return file.build();
}

/// The axis "x" of size 2, its mesh and a reference to it: 2, 3, 4.
const std::vector<std::string> kMeshOfX = {
    varints({1, 8, 4}), varints({2, 1, 2, 0}), varints({4, 8, 0})};

/// Returns the text of the last attribute.
std::string lastOf(std::vector<std::string> attributes) {
  attributes.insert(attributes.begin(), kMeshOfX.begin(), kMeshOfX.end());
  Parsed parsed(withSdy(attributes));
  EXPECT_TRUE(parsed.module) << parsed.error;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (parsed.module)
    os << (*parsed.module)->getAttr("sdy.last");
  return text;
}

TEST(Bytecode, ReadsShardingsWithTheirReduction) {
  EXPECT_EQ(lastOf({varints({6, 3, 0, 0})}),
            "#sdy.sharding<mesh<[\"x\"=2]>, []>");
  EXPECT_EQ(lastOf({varints({15, 3, 0, 0, 1, 4})}),
            "#sdy.sharding<mesh<[\"x\"=2]>, [], unreduced={\"x\"}>");
  const char *names[] = {"", "max", "min"};
  for (uint64_t kind = 0; kind < 3; ++kind)
    EXPECT_EQ(lastOf({varints({17, 3, 0, 0, 1, 4, 2 * kind})}),
              std::string("#sdy.sharding<mesh<[\"x\"=2]>, [], unreduced=") +
                  names[kind] + "{\"x\"}>");
  EXPECT_EQ(lastOf({varints({17, 3, 0, 1, 4, 0, 2})}),
            "#sdy.sharding<mesh<[\"x\"=2]>, [], replicated={\"x\"}>");
  std::vector<std::string> unknown = kMeshOfX;
  unknown.push_back(varints({17, 3, 0, 0, 1, 4, 6}));
  expectRefusal(withSdy(unknown), "unknown reduction of a sharding: 3");
}

/// An attribute's text repeats the text of its parts for each reference,
/// including their names.
TEST(Bytecode, RefusesShardingsWhoseTextHasNoBounds) {
  auto many = [](uint64_t code, uint64_t part, const std::string &rest) {
    std::string bytes = varint(code);
    if (code == 6)
      bytes += varint(3);
    bytes += varint(1000);
    for (int i = 0; i < 1000; ++i)
      bytes += varint(part);
    return bytes + rest;
  };
  std::vector<std::string> nested = kMeshOfX;
  nested.push_back(many(5, 4, '\x01' + varint(0)));
  nested.push_back(many(6, 5, varint(0)));
  nested.push_back(many(7, 6, ""));
  expectRefusal(withSdy(nested), "unfolds beyond bounds");

  std::vector<std::string> named = kMeshOfX;
  named.push_back(varints({4, 9, 0}));
  named.push_back(many(11, 5, ""));
  expectRefusal(withSdy(named, std::string(20000, 'y')),
                "unfolds beyond bounds");
  EXPECT_TRUE(Parsed(withSdy(named, "y")).module);
}

TEST(Bytecode, RefusesWrongOps) {
  struct Case {
    std::string body;
    const char *reason;
  };
  // A region: blocks, values, ops. An op: name, mask, location and its parts.
  auto op = [](int name, char mask, const std::string &parts) {
    return varint(name) + mask + varint(0) + parts;
  };
  const Case cases[] = {
      {varints({2, 0, 0, 0}), "a region of 2 blocks"},
      {varints({1, 100, 0}), "100 values do not fit in"},
      {varints({1, 1, 0}), "more values than it defines"},
      {varints({1, 0}) + flagged(50, false), "50 ops do not fit"},
      {varints({1, 0}) + flagged(1, false) + op(9, 0, ""), "op name 9 of 3"},
      {varints({1, 0}) + flagged(1, false) + op(2, 8, varints({1, 0})),
       "has successors"},
      {varints({1, 0}) + flagged(1, false) + op(2, 2, varints({1, 0})),
       "more values than it announces"},
      {varints({1, 1}) + flagged(1, false) + op(2, 4, varints({1, 5})),
       "value 5 of 1"},
      {varints({1, 1}) + flagged(1, false) +
           op(2, 0x22, varints({1, 0}) + flagged(2, true) + varints({7, 0})),
       "use 7 of 0"},
      {varints({1, 0}) + flagged(1, false) + op(2, 0x40, varint(3)),
       "properties 3 of 0"},
  };
  for (const Case &wrong : cases) {
    BytecodeBuilder file;
    file.body = wrong.body;
    expectRefusal(file.build(), wrong.reason);
  }
  BytecodeBuilder two;
  two.ir = flagged(2, false);
  expectRefusal(two.build(), "not one op outermost");
}

/// Truncates, flips, overwrites or splices bytes, as the fuzz target does.
std::string mutated(std::string bytes, std::minstd_rand &random) {
  for (unsigned count = 1 + random() % 3; count > 0; --count) {
    size_t at = 4 + random() % (bytes.size() - 4);
    switch (random() % 4) {
    case 0:
      bytes[at] ^= char(1 << random() % 8);
      break;
    case 1:
      bytes[at] = char(random() % 256 | 1);
      break;
    case 2:
      bytes.insert(at, bytes, 4 + random() % (bytes.size() - 4), random() % 16);
      break;
    case 3:
      bytes.erase(at, std::min<size_t>(random() % 8, bytes.size() - 8));
      break;
    }
  }
  return bytes;
}

TEST(Bytecode, SurvivesMutations) {
  std::vector<std::string> seeds = {BytecodeBuilder().build(), kSeed};
  for (int64_t version : {0, 3, 4, 6})
    seeds.push_back(seedBytes(version));
  std::minstd_rand random(1);
  int refused = 0;
  constexpr int kCount = 3000;
  for (int i = 0; i < kCount; ++i) {
    Parsed parsed(mutated(seeds[i % seeds.size()], random));
    EXPECT_EQ(!parsed.module, !parsed.error.empty());
    refused += !parsed.module;
  }
  EXPECT_GT(refused, kCount / 2);
  EXPECT_LT(refused, kCount);
}

} // namespace
} // namespace xlac
