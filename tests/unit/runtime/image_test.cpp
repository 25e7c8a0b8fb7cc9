// Serialization of images, and rejection of damaged ones.
#include "test_image.h"

#include "xlac/runtime/image.h"
#include "xlac/runtime/image_file.h"
#include "xlac/support/read_file.h"

#include <gtest/gtest.h>

#include <random>

using namespace xlac;

namespace {

/// One attribute of each kind that is not a dictionary within it.
CustomCallDictionary exact_attributes() {
  using Kind = CustomCallAttribute::Kind;
  return {{"index", {Kind::Scalar, "ui16", 1, "ab", {}}},
          {"mode", {Kind::Text, "", 0, "fast", {}}},
          {"nested",
           {Kind::Dictionary,
            "",
            0,
            "",
            {{"sizes", {Kind::Array, "i8", 2, "cd", {}}}}}}};
}

runtime::ExecutableImage full_image() {
  runtime::ExecutableImage image;
  image.name = "step";
  image.target_profile = "avx2";
  image.features = 3;
  TensorType quantized;
  quantized.element = ElementType::I8;
  quantized.dims = {2, kDynamic};
  quantized.bounds = {kDynamic, 8};
  auto parameters = std::make_shared<Quantization>();
  parameters->quantization_dimension = 1;
  parameters->scales = {0.5, 0.25};
  parameters->zero_points = {1, -1};
  quantized.quantization = parameters;
  image.arguments = {test::f32({2, 3}), Type(quantized), Type(TokenType{})};
  image.results = {Type::tuple({test::f32({}), Type::tuple({})}),
                   Type::future({test::f32({0})}), test::f32({2, 3})};
  image.aliases = {{2, 0}};
  image.donated = {0, 1};
  image.memory_kinds = {"", "", "pinned_host"};
  image.argument_layouts = {{1, 0}, {0, 1}, {}};
  image.result_layouts = {{}, {}, {1, 0}};
  image.constants = {std::vector{std::byte(1), std::byte(2)}, {}};
  runtime::Blob blob;
  blob.bytes.assign(128, std::byte(0xcc));
  blob.symbols = {{"xlac_entry", 0, 16}, {"k.0", 64, 64}};
  blob.features = 1;
  image.blobs = {blob, runtime::Blob{}};
  image.kernels = {{"k.0", 0, "loop", "add,multiply", 12, 24}};
  runtime::Collective sum;
  sum.grouping = runtime::ProcessGrouping::FlattenedIds;
  sum.channel = 9;
  sum.groups = {{0, 2}, {1, -1}};
  sum.body = 77;
  sum.operands = sum.results = {test::f32({4}).tensor()};
  sum.reducers = {{0, {8}, 2}};
  runtime::Collective feed;
  feed.kind = runtime::CollectiveKind::Infeed;
  feed.results = {test::f32({2}).tensor(), test::f32({}).tensor()};
  runtime::Collective call;
  call.kind = runtime::CollectiveKind::CustomCall;
  call.operands = {test::f32({3, 2}).tensor()};
  call.results = {test::f32({}).tensor()};
  call.function = {"norm",
                   "model.mlir:3:8",
                   {{"", std::string("text")},
                    {"flag", true},
                    {"count", int64_t{-3}},
                    {"factor", 0.5},
                    {"sizes", std::vector<int64_t>{1, 2}},
                    {"scales", std::vector<double>{}}},
                   exact_attributes(),
                   {{0, 1}, {}},
                   {1},
                   {0},
                   {0, 1}};
  image.collectives = {sum, feed, call};
  image.grid = {2, 3};
  image.prologue = {{1, 0}, {64, 0}, 128};
  image.arena_bytes = 4096;
  image.estimated_nanoseconds = 1234;
  image.needs = {640, 3};
  image.blobs[0].needs = {128, 1};
  return image;
}

} // namespace

TEST(Image, RefusesIncompleteCollectives) {
  auto refused = [](auto change) {
    runtime::ExecutableImage image = full_image();
    change(image.collectives[0]);
    return !runtime::deserialize_image(serialize(image));
  };
  EXPECT_FALSE(refused([](runtime::Collective &) {}));
  EXPECT_TRUE(
      refused([](runtime::Collective &what) { what.reducers.clear(); }));
  EXPECT_TRUE(
      refused([](runtime::Collective &what) { what.reducers[0].kernel = 1; }));
  EXPECT_TRUE(
      refused([](runtime::Collective &what) { what.reducers[0].tasks = {}; }));
  EXPECT_TRUE(refused(
      [](runtime::Collective &what) { what.reducers[0].elements = 0; }));
  EXPECT_TRUE(refused([](runtime::Collective &what) { what.results.clear(); }));
  EXPECT_TRUE(
      refused([](runtime::Collective &what) { what.dynamic_root = true; }));
  EXPECT_TRUE(refused([](runtime::Collective &what) {
    what.kind = static_cast<runtime::CollectiveKind>(99);
  }));
  EXPECT_TRUE(refused([](runtime::Collective &what) {
    what.kind = runtime::CollectiveKind::ReplicaId;
  }));
  EXPECT_TRUE(refused([](runtime::Collective &what) {
    what.operands[0].element = ElementType::I8;
  }));
}

TEST(Image, RefusesFunctionsThatDoNotFit) {
  auto refused = [](auto change) {
    runtime::ExecutableImage image = full_image();
    change(image.collectives[2].function);
    return !runtime::deserialize_image(serialize(image));
  };
  using Function = runtime::HostFunction;
  EXPECT_FALSE(refused([](Function &) {}));
  EXPECT_TRUE(refused([](Function &f) { f.operand_tokens = {2}; }));
  EXPECT_TRUE(refused([](Function &f) { f.operand_tokens = {-1}; }));
  EXPECT_TRUE(refused([](Function &f) { f.result_tokens = {0, 0}; }));
  EXPECT_TRUE(refused([](Function &f) { f.result_aliases = {1}; }));
  EXPECT_TRUE(refused([](Function &f) { f.result_aliases = {2, 0}; }));
  EXPECT_TRUE(refused([](Function &f) { f.result_aliases = {1, 2}; }));
  EXPECT_TRUE(refused([](Function &f) { f.result_aliases = {1, 0}; }));
  EXPECT_TRUE(refused([](Function &f) { f.exact[0].value.count = 2; }));
  EXPECT_TRUE(refused([](Function &f) { f.exact[0].value.bytes = "abc"; }));
  EXPECT_TRUE(
      refused([](Function &f) { f.exact[0].value.element_type = "i33"; }));
  EXPECT_TRUE(refused([](Function &f) {
    f.exact[0].value.kind = static_cast<CustomCallAttribute::Kind>(9);
  }));
}

TEST(Image, RefusesLayoutsThatDoNotFit) {
  auto refused = [](auto change) {
    runtime::ExecutableImage image = full_image();
    change(image.collectives[2].function.layouts);
    return !runtime::deserialize_image(serialize(image));
  };
  using Layouts = std::vector<std::vector<int64_t>>;
  EXPECT_FALSE(refused([](Layouts &layouts) { layouts.clear(); }));
  EXPECT_TRUE(refused([](Layouts &layouts) { layouts.pop_back(); }));
  EXPECT_TRUE(refused([](Layouts &layouts) { layouts[0] = {0}; }));
  EXPECT_TRUE(refused([](Layouts &layouts) { layouts[0] = {1, 1}; }));
  EXPECT_TRUE(refused([](Layouts &layouts) { layouts[0] = {1, 2}; }));
}

TEST(Image, RoundTrip) {
  runtime::ExecutableImage image = full_image();
  std::vector<std::byte> bytes = serialize(image);
  Result<runtime::ExecutableImage> back = runtime::deserialize_image(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->name, image.name);
  EXPECT_EQ(back->target_profile, image.target_profile);
  EXPECT_EQ(back->features, image.features);
  EXPECT_EQ(back->arguments, image.arguments);
  EXPECT_EQ(back->results, image.results);
  EXPECT_EQ(back->aliases, image.aliases);
  EXPECT_EQ(back->donated, image.donated);
  EXPECT_EQ(back->memory_kinds, image.memory_kinds);
  EXPECT_EQ(back->argument_layouts, image.argument_layouts);
  EXPECT_EQ(back->result_layouts, image.result_layouts);
  EXPECT_EQ(back->constants, image.constants);
  ASSERT_EQ(back->blobs.size(), 2u);
  EXPECT_EQ(back->blobs[0].bytes, image.blobs[0].bytes);
  ASSERT_TRUE(back->blobs[0].find("k.0"));
  EXPECT_EQ(back->blobs[0].find("k.0")->offset, 64u);
  EXPECT_EQ(back->blobs[0].find("none"), nullptr);
  EXPECT_EQ(back->kernels[0].source_ops, "add,multiply");
  EXPECT_EQ(back->kernels[0].kind, "loop");
  ASSERT_EQ(back->collectives.size(), 3u);
  EXPECT_TRUE(agree(back->collectives[0], image.collectives[0]));
  EXPECT_TRUE(agree(back->collectives[1], image.collectives[1]));
  EXPECT_EQ(back->collectives[0].reducers[0].elements, 2);
  const runtime::HostFunction &function = back->collectives[2].function;
  EXPECT_EQ(function.target, "norm");
  EXPECT_EQ(function.source, "model.mlir:3:8");
  EXPECT_EQ(function.attributes, image.collectives[2].function.attributes);
  EXPECT_EQ(function.layouts, image.collectives[2].function.layouts);
  EXPECT_EQ(function.operand_tokens, (std::vector<int64_t>{1}));
  EXPECT_EQ(function.result_tokens, (std::vector<int64_t>{0}));
  EXPECT_EQ(function.result_aliases, (std::vector<int64_t>{0, 1}));
  ASSERT_EQ(function.exact.size(), 3u);
  EXPECT_EQ(function.exact[0].name, "index");
  EXPECT_EQ(function.exact[0].value.element_type, "ui16");
  EXPECT_EQ(function.exact[0].value.bytes, "ab");
  EXPECT_EQ(function.exact[1].value.kind, CustomCallAttribute::Kind::Text);
  ASSERT_EQ(function.exact[2].value.entries.size(), 1u);
  EXPECT_EQ(function.exact[2].value.entries[0].value.count, 2);
  EXPECT_EQ(back->grid.replicas, 2);
  EXPECT_EQ(back->grid.partitions, 3);
  EXPECT_EQ(back->prologue.arguments, image.prologue.arguments);
  EXPECT_EQ(back->prologue.result_bytes, image.prologue.result_bytes);
  EXPECT_EQ(back->arena_bytes, 4096);
  EXPECT_EQ(back->estimated_nanoseconds, 1234);
  EXPECT_EQ(back->needs.scratch_bytes, 640);
  EXPECT_EQ(back->needs.routines, 3u);
  EXPECT_EQ(back->blobs[0].needs.scratch_bytes, 128);
  EXPECT_EQ(back->blobs[0].needs.routines, 1u);
  EXPECT_EQ(serialize(*back), bytes);
}

TEST(Image, TemporaryBytesDoNotOverflow) {
  runtime::ExecutableImage image;
  image.arena_bytes = 5;
  image.prologue.arena_bytes = 7;
  image.prologue.result_bytes = {64, 128};
  EXPECT_EQ(runtime::temporary_bytes(image), 7 + 64 + 128);
  image.prologue.result_bytes = {INT64_MAX, INT64_MAX};
  EXPECT_EQ(runtime::temporary_bytes(image), INT64_MAX);
}

TEST(Image, BlobRoundTrip) {
  runtime::Blob blob = full_image().blobs[0];
  std::vector<std::byte> bytes = serialize(blob);
  Result<runtime::Blob> back = runtime::deserialize_blob(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(serialize(*back), bytes);
  EXPECT_FALSE(runtime::deserialize_image(bytes));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(runtime::deserialize_blob(std::span(bytes).first(size)));
}

/// The image of each of 6 partitions.
static runtime::ExecutableImage cut_image() {
  runtime::ExecutableImage image = full_image();
  image.grid = {1, 6};
  image.partitions = 6;
  auto rows = parse_sharding("{devices=[6,1]5,4,3,2,1,0}");
  image.argument_shardings = {*rows, Sharding(), Sharding()};
  image.global_arguments = image.arguments;
  image.global_arguments[0] = test::f32({11, 3});
  image.result_shardings = {Sharding(), Sharding(), *rows};
  image.global_results = image.results;
  image.global_results[2] = test::f32({12, 3});
  return image;
}

TEST(Image, PartitionsRoundTrip) {
  runtime::ExecutableImage image = cut_image();
  auto back = runtime::deserialize_image(serialize(image));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->partitions, 6);
  EXPECT_EQ(back->argument_shardings, image.argument_shardings);
  EXPECT_EQ(back->result_shardings, image.result_shardings);
  EXPECT_EQ(back->global_arguments, image.global_arguments);
  EXPECT_EQ(back->global_results, image.global_results);
}

TEST(Image, RefusesShardsThatDoNotFit) {
  auto refused = [](auto change) {
    runtime::ExecutableImage image = cut_image();
    change(image);
    return !runtime::deserialize_image(serialize(image));
  };
  EXPECT_FALSE(refused([](runtime::ExecutableImage &) {}));
  EXPECT_TRUE(
      refused([](runtime::ExecutableImage &image) { image.partitions = 1; }));
  EXPECT_TRUE(
      refused([](runtime::ExecutableImage &image) { image.partitions = 3; }));
  EXPECT_TRUE(refused([](runtime::ExecutableImage &image) {
    image.global_arguments[0] = test::f32({13, 3});
  }));
  EXPECT_TRUE(refused([](runtime::ExecutableImage &image) {
    image.global_arguments[0] = test::f32({11});
  }));
  EXPECT_TRUE(refused([](runtime::ExecutableImage &image) {
    image.global_arguments[2] = test::f32({1});
  }));
  EXPECT_TRUE(refused([](runtime::ExecutableImage &image) {
    image.result_shardings.pop_back();
  }));
}

TEST(Image, EveryTruncationIsRefused) {
  std::vector<std::byte> bytes = serialize(full_image());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(runtime::deserialize_image(std::span(bytes).first(size)))
        << size;
  bytes.push_back(std::byte(0));
  EXPECT_FALSE(runtime::deserialize_image(bytes));
}

/// A file with all sections.
static runtime::ImageFile full_file() {
  runtime::ImageFile file{full_image(), {"x", "", "token"}, {"", "y", "z"}, {}};
  runtime::ImageProgram program{"step", {1}, {{1, {2, 8}}}, true, {}, 0};
  EXPECT_TRUE(runtime::pack_artifact(std::string(5000, 'a'), program));
  file.program = program;
  return file;
}

TEST(ImageFile, KeepsTheImage) {
  runtime::ExecutableImage image = full_image();
  std::vector<std::byte> bytes = runtime::image_file_bytes({image, {}, {}, {}});
  EXPECT_TRUE(runtime::is_image_file(bytes));
  EXPECT_FALSE(runtime::is_image_file(serialize(image)));
  auto back = runtime::read_image_file(bytes);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(serialize(back->image), serialize(image));
  EXPECT_TRUE(back->argument_names.empty());
  EXPECT_FALSE(back->program);
}

TEST(ImageFile, KeepsNamesAndProgram) {
  runtime::ImageFile file = full_file();
  std::vector<std::byte> bytes = runtime::image_file_bytes(file);
  auto back = runtime::read_image_file(bytes);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(serialize(back->image), serialize(file.image));
  EXPECT_EQ(back->argument_names, file.argument_names);
  EXPECT_EQ(back->result_names, file.result_names);
  ASSERT_TRUE(back->program);
  EXPECT_EQ(back->program->entry, "step");
  EXPECT_EQ(back->program->invariant_arguments,
            file.program->invariant_arguments);
  EXPECT_EQ(back->program->argument_sizes, file.program->argument_sizes);
  EXPECT_TRUE(back->program->ignore_callbacks);
  auto artifact = runtime::unpack_artifact(*back->program);
  ASSERT_TRUE(artifact) << artifact.error().message;
  EXPECT_EQ(*artifact, std::string(5000, 'a'));
  EXPECT_EQ(runtime::image_file_bytes(*back), bytes);
}

TEST(ImageFile, RefersToTheBytesOfAnOwner) {
  runtime::ImageFile file = full_file();
  std::string path = testing::TempDir() + "/mapped.xlax";
  ASSERT_TRUE(runtime::write_image_file(path, file));
  auto bytes = map_file(path);
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto back = runtime::read_image_file(*bytes, bytes->owner());
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(std::ranges::equal(runtime::image_file_bytes(file), *bytes));
  auto is_within = [&](const SharedBytes &part) {
    return part.data() >= bytes->data() &&
           part.data() + part.size() <= bytes->data() + bytes->size();
  };
  EXPECT_TRUE(back->image.constants_in_place);
  EXPECT_EQ(back->image.constants, file.image.constants);
  for (const SharedBytes &constant : back->image.constants)
    EXPECT_TRUE(is_within(constant));
  EXPECT_EQ((back->image.constants[0].data() - bytes->data()) % 64, 0);
  EXPECT_TRUE(is_within(back->program->packed));
  // The mapping lives as long as its parts.
  std::weak_ptr<const void> mapping = bytes->owner();
  bytes = SharedBytes();
  EXPECT_FALSE(mapping.expired());
  back->image.constants.clear();
  back->program.reset();
  EXPECT_TRUE(mapping.expired());
}

TEST(ImageFile, UnpacksOnlyWhatWasPacked) {
  runtime::ImageProgram program = *full_file().program;
  program.artifact_bytes += 1;
  EXPECT_FALSE(runtime::unpack_artifact(program));
  program.artifact_bytes = uint64_t(1) << 60; // more than any memory
  EXPECT_FALSE(runtime::unpack_artifact(program));
  program.artifact_bytes = 5000;
  program.packed = SharedBytes(std::vector<std::byte>(64));
  EXPECT_FALSE(runtime::unpack_artifact(program));
}

TEST(ImageFile, RefusesNamesThatDoNotFit) {
  runtime::ImageFile file = full_file();
  file.argument_names.pop_back();
  EXPECT_FALSE(runtime::read_image_file(runtime::image_file_bytes(file)));
}

TEST(ImageFile, EveryFlippedBitIsRejected) {
  std::vector<std::byte> bytes = runtime::image_file_bytes(full_file());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte(1 << bit % 8);
    EXPECT_FALSE(runtime::read_image_file(bytes)) << bit;
    bytes[bit / 8] ^= std::byte(1 << bit % 8);
  }
  EXPECT_TRUE(runtime::read_image_file(bytes));
}

TEST(ImageFile, EveryTruncationIsRejected) {
  std::vector<std::byte> bytes = runtime::image_file_bytes(full_file());
  auto message = [&](size_t size) {
    auto image = runtime::read_image_file(std::span(bytes).first(size));
    return image ? std::string() : image.error().message;
  };
  for (size_t size = 8; size < bytes.size(); ++size)
    EXPECT_EQ(message(size), "the executable image is incomplete") << size;
  EXPECT_EQ(message(7), "not an executable image of xlac");
  bytes.push_back(std::byte(0));
  EXPECT_EQ(message(bytes.size()), "more bytes follow the executable image");
}

TEST(ImageFile, NamesTheVersionsThatDiffer) {
  std::vector<std::byte> bytes = runtime::image_file_bytes(full_file());
  bytes[8] = std::byte(1);
  auto old = runtime::read_image_file(bytes);
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().message,
            "the executable image has version 1 of the format, and this "
            "version of xlac reads version 2: compile its program again");
}

TEST(ImageFile, ChecksTheDigestOfTheFile) {
  std::vector<std::byte> bytes = runtime::image_file_bytes(full_file());
  std::string hex = to_hex(runtime::image_digest(bytes));
  EXPECT_TRUE(runtime::check_image_digest(bytes, hex));
  EXPECT_TRUE(runtime::check_image_digest(bytes, ""));
  for (char &digit : hex)
    digit = static_cast<char>(std::toupper(digit));
  EXPECT_TRUE(runtime::check_image_digest(bytes, hex));
  bytes.back() ^= std::byte(1);
  EXPECT_FALSE(runtime::check_image_digest(bytes, hex));
  bytes.back() ^= std::byte(1);
  EXPECT_FALSE(runtime::check_image_digest(bytes, hex.substr(1)));
  hex[3] = 'x';
  EXPECT_FALSE(runtime::check_image_digest(bytes, hex));
}

TEST(Image, DamageNeverCrashes) {
  std::vector<std::byte> bytes = serialize(full_image());
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> damaged = bytes;
    for (unsigned i = 0; i <= random() % 4; ++i)
      damaged[random() % damaged.size()] = std::byte(random());
    Result<runtime::ExecutableImage> image =
        runtime::deserialize_image(damaged);
    if (!image)
      continue;
    for (const runtime::Blob &blob : image->blobs)
      for (const runtime::BlobSymbol &symbol : blob.symbols)
        ASSERT_LE(symbol.offset + symbol.size, blob.bytes.size());
  }
}

TEST(Image, DeepTuplesAreRefused) {
  runtime::ExecutableImage image;
  Type type = test::f32({1});
  for (int i = 0; i < 100; ++i)
    type = Type::tuple({type});
  image.results = {type};
  Result<runtime::ExecutableImage> back =
      runtime::deserialize_image(serialize(image));
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().failure_kind, FailureKind::Runtime);
}
