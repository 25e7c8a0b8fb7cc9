#include "xlac/data.h"
#include "xlac/ops.h"
#include "xlac/serialization.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

namespace fs = std::filesystem;
using namespace xlac;
using namespace xlac::data;

namespace {

/// The words in big-endian order, followed by the bytes.
Bytes idx(const std::vector<uint32_t> &header, size_t count, uint8_t first) {
  Bytes bytes;
  for (uint32_t word : header)
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes.push_back(static_cast<uint8_t>(word >> shift));
  for (size_t i = 0; i < count; ++i)
    bytes.push_back(static_cast<uint8_t>(first + i));
  return bytes;
}

class MnistTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("xlac-data-test-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string &name, const Bytes &bytes) {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  }
  void compress(const std::string &name, const Bytes &bytes) {
    gzFile file = gzopen((folder_ / name).c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
  }
  void expect_refused(const std::string &words) {
    try {
      datasets::MNIST(folder_, true);
      FAIL() << "it was read";
    } catch (const RuntimeError &error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos)
          << error.what();
    }
  }

  fs::path folder_;
  const Bytes images_ = idx({0x803, 3, 28, 28}, 3 * 784, 0);
  const Bytes labels_ = idx({0x801, 3}, 3, 7);
};

TEST_F(MnistTest, ReadsPlainAndCompressedFiles) {
  write("train-images-idx3-ubyte", images_);
  compress("train-labels-idx1-ubyte.gz", labels_);
  datasets::MNIST train(folder_);
  ASSERT_EQ(train.size(), 3u);
  auto [image, label] = train.get(1);
  EXPECT_EQ(image.dtype(), kFloat32);
  EXPECT_EQ(image.sizes(), (Shape{1, 28, 28}));
  EXPECT_EQ(label.dtype(), kInt64);
  EXPECT_EQ(label.sizes(), Shape{});
  EXPECT_EQ(label.item<int64_t>(), 8);
  // Bytes count up from 0 and wrap around.
  EXPECT_EQ(image[0][0][0].item<float>(), (784 % 256) / 255.0f);
  EXPECT_EQ(image[0][27][27].item<float>(), (2 * 784 - 1) % 256 / 255.0f);
  EXPECT_THROW(train.get(3), IndexError);
  EXPECT_THROW(datasets::MNIST(folder_, false), RuntimeError);
}

TEST_F(MnistTest, NamesWhatIsDamaged) {
  expect_refused("there is neither " + (folder_ / "train-images").string());
  write("train-images-idx3-ubyte", labels_);
  expect_refused("not an IDX file of bytes of 3 dimensions");
  write("train-images-idx3-ubyte", idx({0x803, 3, 28, 27}, 3 * 28 * 27, 0));
  expect_refused("wanted a size of 28, got 27");
  write("train-images-idx3-ubyte", idx({0x803, 4000000000u, 28, 28}, 99, 0));
  expect_refused("it ends early");
  write("train-images-idx3-ubyte", images_);
  write("train-labels-idx1-ubyte", idx({0x801, 2}, 2, 0));
  expect_refused("labels-idx1-ubyte is damaged: wanted a size of 3, got 2");
}

//===- CIFAR-10 -----------------------------------------------------------===//

class CifarTest : public MnistTest {
protected:
  /// Records of classes first, first + 1, …; the bytes of a record count up.
  static Bytes records(int count, int first) {
    Bytes bytes;
    for (int i = 0; i < count; ++i) {
      bytes.push_back(static_cast<uint8_t>(first + i));
      for (int pixel = 0; pixel < 3072; ++pixel)
        bytes.push_back(static_cast<uint8_t>(pixel % 251));
    }
    return bytes;
  }
};

TEST_F(CifarTest, ReadsAllParts) {
  fs::create_directories(folder_ / "cifar-10-batches-bin");
  for (int part = 1; part <= 5; ++part) {
    std::string name =
        "cifar-10-batches-bin/data_batch_" + std::to_string(part) + ".bin";
    if (part == 3)
      compress(name + ".gz", records(2, part));
    else
      write(name, records(2, part));
  }
  write("cifar-10-batches-bin/test_batch.bin", records(3, 7));
  datasets::CIFAR10 train(folder_);
  ASSERT_EQ(train.size(), 10u);
  std::vector<int64_t> labels;
  for (size_t i = 0; i < train.size(); ++i)
    labels.push_back(train.get(i).target.item<int64_t>());
  EXPECT_EQ(labels, (std::vector<int64_t>{1, 2, 2, 3, 3, 4, 4, 5, 5, 6}));
  auto [image, label] = train.get(9);
  EXPECT_EQ(image.sizes(), (Shape{3, 32, 32}));
  EXPECT_EQ(image[2][1][5].item<float>(), (2 * 1024 + 32 + 5) % 251 / 255.0f);
  EXPECT_EQ(label.dtype(), kInt64);
  datasets::CIFAR10 test(folder_ / "cifar-10-batches-bin", false);
  EXPECT_EQ(test.size(), 3u);
  EXPECT_THROW(test.get(3), IndexError);
}

TEST_F(CifarTest, NamesWhatIsDamaged) {
  auto message = [&] {
    try {
      datasets::CIFAR10(folder_, false);
    } catch (const RuntimeError &error) {
      return std::string(error.what());
    }
    return std::string("it was read");
  };
  EXPECT_NE(message().find("there is neither"), std::string::npos);
  write("test_batch.bin", {});
  EXPECT_NE(message().find("its 0 bytes are not records"), std::string::npos);
  Bytes bytes = records(2, 9);
  write("test_batch.bin", bytes);
  EXPECT_NE(message().find("record 1 is of class 10"), std::string::npos);
  bytes.pop_back();
  write("test_batch.bin", bytes);
  EXPECT_NE(message().find("not records of 3073"), std::string::npos);
}

//===- Tensors and functions ----------------------------------------------===//

TEST(Datasets, PairsRowsOfTensors) {
  TensorDataset rows(arange(6).view({3, 2}), arange(3));
  EXPECT_EQ(rows.size(), 3u);
  EXPECT_TRUE(equal(rows.get(2).data, tensor({4, 5})));
  EXPECT_EQ(rows.get(2).target.item<int64_t>(), 2);
  EXPECT_THROW(rows.get(3), IndexError);
  EXPECT_THROW(TensorDataset(zeros({3, 2}), zeros(2)), ShapeError);
  EXPECT_THROW(TensorDataset(zeros({}), zeros({})), ShapeError);
}

TEST_F(MnistTest, RowsOfNumPysFiles) {
  StateDict arrays;
  arrays["x"] = arange(6).view({3, 2});
  arrays["y"] = tensor({5, 6, 7});
  save_npz(arrays, folder_ / "both.npz");
  auto rows = TensorDataset::from_npz(folder_ / "both.npz", "x", "y");
  EXPECT_EQ(rows.size(), 3u);
  EXPECT_TRUE(equal(rows.get(1).data, tensor({2, 3})));
  EXPECT_EQ(rows.get(1).target.item<int64_t>(), 6);
  EXPECT_THROW(TensorDataset::from_npz(folder_ / "both.npz", "x", "z"),
               KeyError);
  save_npy(arrays["x"], folder_ / "x.npy");
  save_npy(arrays["y"], folder_ / "y.npy");
  auto same = TensorDataset::from_npy(folder_ / "x.npy", folder_ / "y.npy");
  EXPECT_TRUE(equal(same.get(2).data, tensor({4, 5})));
  save_npy(ones({2}), folder_ / "y.npy");
  EXPECT_THROW(TensorDataset::from_npy(folder_ / "x.npy", folder_ / "y.npy"),
               ShapeError);
}

TEST(Datasets, MapAppliesAFunction) {
  auto mapped = data::map(TensorDataset(tensor({1.0, 3.0}), tensor({0, 1})),
                          Normalize{1.0, 0.5});
  EXPECT_EQ(mapped.size(), 2u);
  auto [value, target] = mapped.get(1);
  EXPECT_EQ(value.item<float>(), 4.0f);
  EXPECT_EQ(target.item<int64_t>(), 1);
}

TEST(Datasets, ExamplesAreTrees) {
  Example<> example{ones(2), zeros({}, kInt64)};
  int seen = 0;
  for_each_tensor(example, [&](const Tensor &) { ++seen; });
  EXPECT_EQ(seen, 2);
  auto doubled = map_tensors(example, [](const Tensor &t) { return t + 1; });
  EXPECT_TRUE(equal(doubled.data, full(2, 2.0)));
  auto back = from_value<Example<>>(to_value(doubled));
  EXPECT_EQ(back.target.item<int64_t>(), 1);
}

} // namespace
