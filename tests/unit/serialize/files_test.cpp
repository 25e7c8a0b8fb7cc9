// Files of nested data: round trips, rejected data, damaged files.
#include "xlac/formats/zip_file.h"

#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace xlac {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("xlac_files_test_" + std::to_string(getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path path(const std::string &name) const { return folder_ / name; }
  size_t count() const {
    return std::distance(fs::directory_iterator(folder_), {});
  }
  fs::path folder_;
};

std::string text_of(const Value &value) {
  std::ostringstream os;
  os << value;
  return os.str();
}

std::string saved(const Value &value) {
  std::ostringstream os;
  save(value, os);
  return os.str();
}

Value loaded(const std::string &bytes) {
  std::istringstream is(bytes);
  return load(is);
}

std::string content(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Value all_kinds() {
  Tensor t = tensor({{1.5, 2.0}, {3.0, -4.0}});
  return Value::Dict{
      {"tensor", t},
      {"again", Value::List{t, t}},
      {"numbers",
       Value::Tuple{{0, -1, 255, 70000, int64_t{1} << 40,
                     std::numeric_limits<int64_t>::min(), 0.1, -1e300}}},
      {"flags", Value::List{true, false, None}},
      {7, "text é"},
      {"bytes", Bytes{0, 65, 128, 255}},
      {"set", Value::Set{{1, "a"}}},
      {"empty", Value::List{Value::List{}, Value::Tuple{}, Value::Dict{},
                            Value::Set{}, "", Bytes{}}}};
}

TEST_F(Files, RoundTripOfEveryKind) {
  Value data = all_kinds();
  save(data, path("a.pt"));
  Value back = load(path("a.pt"));
  EXPECT_EQ(text_of(back), text_of(data));
  auto first = back.at("tensor").to<Tensor>();
  EXPECT_TRUE(first.is_same(back.at("again").at(1).to<Tensor>()));
  EXPECT_EQ(content(path("a.pt")), saved(data));
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, RoundTripOfEveryDtype) {
  for (int i = 0; i <= static_cast<int>(kFloat8_e8m0fnu); ++i) {
    auto dtype = static_cast<Dtype>(i);
    Tensor t = tensor({{1, 0, 3}, {0, 5, 6}}, TensorOptions(dtype));
    for (const Tensor &each :
         {t, t.t(), t[0], t[0][1], zeros({0, 2}).to(dtype)}) {
      auto back = loaded(saved(each)).to<Tensor>();
      EXPECT_EQ(back.dtype(), dtype);
      EXPECT_EQ(back.str(), each.str()) << name(dtype);
    }
  }
}

TEST_F(Files, OfModulesAndOptimizers) {
  auto make = [] {
    nn::Linear net(3, 2);
    optim::SGD optimizer(net->parameters(), {.lr = 0.1, .momentum = 0.5});
    return std::pair(net, std::move(optimizer));
  };
  auto step = [](nn::Linear &net, optim::SGD &optimizer) {
    optimizer.zero_grad();
    net(ones({1, 3})).sum().backward();
    optimizer.step();
  };
  auto [net, optimizer] = make();
  step(net, optimizer);
  save(net, path("net.pt"));
  save(optimizer, path("sgd.pt"));
  auto [other, resumed] = make();
  load(other, path("net.pt"));
  load(resumed, path("sgd.pt"));
  step(net, optimizer);
  step(other, resumed);
  EXPECT_TRUE(net->weight.equal(other->weight));
  EXPECT_TRUE(load<StateDict>(path("net.pt")).contains("weight"));
  nn::Linear wrong(4, 2);
  EXPECT_THROW(load(wrong, path("net.pt")), ShapeError);

  Tensor tensor = ones({2}), read;
  save(tensor, path("t.pt"));
  load(read, path("t.pt"));
  EXPECT_TRUE(read.equal(tensor));
  std::vector<Tensor> list = {tensor, zeros({1})}, read_list;
  save(list, path("v.pt"));
  load(read_list, path("v.pt"));
  EXPECT_EQ(read_list.size(), 2u);
}

TEST_F(Files, TypedLoad) {
  save(std::tuple(ones({2}), zeros({1})), path("t.pt"));
  auto [a, b] = load<std::tuple<Tensor, Tensor>>(path("t.pt"));
  EXPECT_TRUE(equal(a, ones({2})));
  EXPECT_EQ(b.numel(), 1);
  StateDict state;
  state["fc.weight"] = ones({2, 2});
  save(state, path("s.pt"));
  EXPECT_TRUE(load<StateDict>(path("s.pt")).contains("fc.weight"));
  EXPECT_THROW(load<StateDict>(path("t.pt")), TypeError);
  EXPECT_THROW(load(path("missing.pt")), RuntimeError);
  EXPECT_THROW(load(folder_), RuntimeError);
}

TEST_F(Files, ViewsLoadAsTensorsOfTheirOwn) {
  Tensor t = ones({4});
  save(std::tuple(t, t.slice(0, 0, 2)), path("v.pt"));
  auto [a, b] = load<std::tuple<Tensor, Tensor>>(path("v.pt"));
  EXPECT_FALSE(a.is_alias_of(b));
  b.fill_(7);
  EXPECT_TRUE(equal(a, ones({4})));
}

TEST_F(Files, FailuresLeaveWhatWasThere) {
  save(Value(1), path("a.pt"));
  EXPECT_THROW(save(Value(2), path("no/such/folder.pt")), RuntimeError);
  fs::create_directory(path("folder"));
  save(Value(1), path("folder/x"));
  EXPECT_THROW(save(Value(2), path("folder")), RuntimeError);
  Tensor t = ones({4}, xlac::device());
  EXPECT_THROW(save(std::tuple(t, t[0]), path("a.pt")), UserError);
  EXPECT_EQ(load(path("a.pt")).to<int>(), 1);
  EXPECT_EQ(count(), 2u);
}

//===- Devices ------------------------------------------------------------===//

TEST_F(Files, XlaTensorsReturnToTheirDevice) {
  Tensor t = ones({2, 2}, xlac::device()) * 2.5;
  save(std::tuple(t, t), path("x.pt"));
  auto [a, b] = load<std::tuple<Tensor, Tensor>>(path("x.pt"));
  EXPECT_EQ(a.device().str(), "xla:0");
  EXPECT_TRUE(a.is_same(b));
  EXPECT_TRUE(equal(a, t));
  testing::internal::CaptureStderr();
  EXPECT_TRUE(load(path("x.pt"), {.map_location = Device(kCPU)})
                  .at(size_t{0})
                  .to<Tensor>()
                  .is_xla());
  EXPECT_NE(testing::internal::GetCapturedStderr().find("map_location"),
            std::string::npos);
  save(t.cpu(), path("c.pt"));
  EXPECT_TRUE(load<Tensor>(path("c.pt")).is_cpu());
  EXPECT_TRUE(
      load<Tensor>(path("c.pt"), {.map_location = Device("xla:0")}).is_xla());
}

/// Replaces a string in the file's pickle by another one of the same length.
std::string with_pickle_text(const std::string &bytes, std::string_view old,
                             std::string_view text) {
  std::istringstream is(bytes);
  formats::ZipReader from(is);
  std::ostringstream os;
  formats::ZipWriter to(os);
  for (const std::string &name : from.names()) {
    std::string record = from.read(name);
    if (name.ends_with("data.pkl"))
      record.replace(record.find(old), old.size(), text);
    to.add(name, {record});
  }
  to.finish();
  return os.str();
}

TEST_F(Files, MissingDeviceIsAnError) {
  std::string bytes = saved(ones({2}, xlac::device()));
  try {
    loaded(with_pickle_text(bytes, "xla:0", "xla:3"));
    FAIL();
  } catch (const DeviceError &error) {
    EXPECT_NE(std::string(error.what())
                  .find("was saved from xla:3, which is not available"),
              std::string::npos);
  }
  EXPECT_TRUE(
      loaded(with_pickle_text(bytes, "xla:0", "cuda0")).to<Tensor>().is_cpu());
}

TEST_F(Files, TensorsKeepToTheirStorage) {
  std::string bytes = saved(ones({2, 3}));
  // The sizes (2, 3) in the pickle, as 32-bit numbers.
  auto sizes = [](uint8_t a, uint8_t b) {
    std::string text{'J', static_cast<char>(a), 0, 0, 0,
                     'J', static_cast<char>(b), 0, 0, 0,
                     't'};
    return text;
  };
  EXPECT_EQ(loaded(with_pickle_text(bytes, sizes(2, 3), sizes(1, 3)))
                .to<Tensor>()
                .numel(),
            3);
  EXPECT_THROW(loaded(with_pickle_text(bytes, sizes(2, 3), sizes(3, 3))),
               UserError);
  std::string negative = sizes(2, 3);
  negative[4] = '\xff';
  EXPECT_THROW(loaded(with_pickle_text(bytes, sizes(2, 3), negative)),
               UserError);
  // With strides of 0 a small file can claim any number of elements.
  std::string endless = sizes(0, 0);
  std::string strides = sizes(3, 1);
  std::string broad = with_pickle_text(bytes, strides, endless);
  std::string huge = sizes(2, 3);
  huge[3] = huge[8] = 127;
  EXPECT_THROW(loaded(with_pickle_text(broad, sizes(2, 3), huge)),
               UnsupportedError);
}

TEST_F(Files, SharedViewsAreRefused) {
  Tensor t = ones({4}, xlac::device()), view = t.slice(0, 0, 2);
  try {
    save(std::tuple(t, view), path("v.pt"));
    FAIL();
  } catch (const UserError &error) {
    EXPECT_NE(std::string(error.what())
                  .find("Tensor ID " + std::to_string(view.id()) +
                        " is sharing a view with tensor ID " +
                        std::to_string(t.id())),
              std::string::npos);
  }
  EXPECT_EQ(count(), 0u);
  save(std::tuple(t, t), path("same.pt"));
  xm::save(std::tuple(t, view), path("v.pt"));
  auto [a, b] = load<std::tuple<Tensor, Tensor>>(path("v.pt"));
  EXPECT_TRUE(a.is_cpu());
  EXPECT_FALSE(a.is_alias_of(b));
  std::ostringstream os;
  xm::save(std::tuple(t, view), os);
  EXPECT_EQ(os.str(), content(path("v.pt")));
}

TEST_F(Files, OnlyWhatIsSavedIsComputed) {
  Tensor x = tensor({1.0, 2.0}, xlac::device());
  Tensor a = x + 1.0, b = a.slice(0, 1), other = x * 5.0;
  met::clear_all();
  xm::save(std::tuple(a, b), path("a.pt"));
  EXPECT_EQ(met::metric_data("ExecuteTime")->total_samples, 1);
  EXPECT_FALSE(met::counter_value("MarkStep"));
  EXPECT_TRUE(equal(load(path("a.pt")).at(1).to<Tensor>(), tensor({3.0})));
  EXPECT_GT(debug::pending_nodes(xlac::device()), 0);
  EXPECT_TRUE(equal(other.cpu(), tensor({5.0, 10.0})));
}

TEST_F(Files, GradientsAreStillAskedFor) {
  Tensor leaf = ones({2}).requires_grad_(), none = ones({2});
  Tensor xla = ones({2}, xlac::device()).requires_grad_();
  save(Value::List{leaf, none, xla, leaf * 2.0}, path("g.pt"));
  Value back = load(path("g.pt"));
  EXPECT_TRUE(back.at(0).to<Tensor>().requires_grad());
  EXPECT_FALSE(back.at(1).to<Tensor>().requires_grad());
  EXPECT_TRUE(back.at(2).to<Tensor>().requires_grad());
  auto result = back.at(3).to<Tensor>();
  EXPECT_TRUE(result.requires_grad() && result.is_leaf());
}

//===- xser ---------------------------------------------------------------===//

TEST_F(Files, FolderHasOneFileATensor) {
  Tensor t = ones({2}, xlac::device()), u = zeros({3});
  Value data = Value::Dict{{"a", t}, {"b", Value::List{u, t, 5}}};
  xser::save(Value::List{u, u.clone(), u.clone(), u.clone()}, path("m"));
  xser::save(data, path("m"));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("m.tensors")), {}), 2);
  Value back = xser::load(path("m"));
  EXPECT_TRUE(back.at("a").to<Tensor>().is_cpu());
  EXPECT_TRUE(equal(back.at("a").to<Tensor>(), ones({2})));
  EXPECT_TRUE(
      back.at("a").to<Tensor>().is_same(back.at("b").at(1).to<Tensor>()));
  EXPECT_EQ(back.at("b").at(2).to<int>(), 5);
  fs::remove(path("m.tensors") / "tensor_5.pt");
  try {
    xser::load(path("m"));
    FAIL();
  } catch (const RuntimeError &error) {
    EXPECT_NE(std::string(error.what()).find("tensor_5.pt"), std::string::npos);
  }
  EXPECT_THROW(xser::load(path("none")), RuntimeError);
}

/// Limits the size of files during its lifetime, which simulates a full disk.
class SmallFiles {
public:
  explicit SmallFiles(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit{bytes, before_.rlim_max};
    signal_ = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }

private:
  rlimit before_{};
  void (*signal_)(int);
};

TEST_F(Files, FullDiskLeavesWhatWasThere) {
  StateDict small, large;
  small["a"] = ones({2});
  large["a"] = zeros({2});
  large["b"] = zeros({100000});
  auto save_all = [&](const StateDict &state) {
    int failed = 0;
    auto attempt = [&](auto save_one) {
      try {
        save_one();
      } catch (const RuntimeError &error) {
        EXPECT_NE(std::string(error.what()).find("cannot be written"),
                  std::string::npos);
        ++failed;
      }
    };
    attempt([&] { save(state, path("a.pt")); });
    attempt([&] { xser::save(state, path("a.xser")); });
    attempt([&] { save_safetensors(state, path("a.safetensors")); });
    attempt([&] { save_npz(state, path("a.npz")); });
    return failed;
  };
  EXPECT_EQ(save_all(small), 0);
  size_t files = count();
  {
    SmallFiles limit(50'000);
    EXPECT_EQ(save_all(large), 4);
  }
  EXPECT_EQ(count(), files);
  for (const StateDict &back :
       {load<StateDict>(path("a.pt")), xser::load<StateDict>(path("a.xser")),
        load_safetensors(path("a.safetensors")), load_npz(path("a.npz"))}) {
    EXPECT_EQ(back.size(), 1u);
    EXPECT_TRUE(equal(back.at("a"), ones({2})));
  }
}

//===- Damaged files ------------------------------------------------------===//

/// Loads arbitrary bytes: the result must be a value or an xlac::Error.
void expect_no_crash(const std::string &bytes) {
  try {
    loaded(bytes);
  } catch (const Error &) {
  }
}

TEST_F(Files, AnyBytesGiveAValueOrAnError) {
  EXPECT_THROW(loaded(""), UserError);
  EXPECT_THROW(loaded(std::string(100, 'x')), UserError);
  std::string good = saved(all_kinds());
  for (size_t size = 0; size < good.size(); size += 7)
    expect_no_crash(good.substr(0, size));
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = good;
    for (int change = 0; change < 3; ++change)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    expect_no_crash(bytes);
  }
}

} // namespace
} // namespace xlac
