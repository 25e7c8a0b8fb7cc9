// Traced programs, and programs that are compiled ahead of time.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <set>
#include <thread>
#include <unistd.h>

namespace xlac::stablehlo {
namespace {

using Floats = std::vector<float>;
using Tensors = std::vector<Tensor>;

/// A temporary folder, removed with the object.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("xlac_programs_test_" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

TEST(Programs, FlushSubnormalNumbersOnRequest) {
  for (bool flushes : {true, false}) {
    EXPECT_TRUE(set_flush_denormal(flushes));
    Tensor tiny = full({100'000}, 1e-40).to(xlac::device());
    EXPECT_EQ((tiny + tiny).max().item<float>(), flushes ? 0 : 2 * 1e-40f);
  }
}

TEST(Trace, RunsNothing) {
  Device device = xlac::device();
  Tensor weight = tensor({2.0, 3.0}, device);
  met::clear_all();
  Program program = trace(
      [&](const Tensors &in) {
        return Tensors{in[0] * weight + 0.5, in[1].sum()};
      },
      {zeros({4, 2}), ones({3}, TensorOptions(device).dtype(kInt32))},
      {.name = "scaled"});
  EXPECT_FALSE(met::metric_data("ExecuteTime"));
  EXPECT_FALSE(met::counter_value("UncachedCompile"));
  // The example inputs come first, then the weight; 0.5 is a constant.
  std::vector<Program::Type> inputs = program.inputs();
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].shape, (Shape{4, 2}));
  EXPECT_EQ(inputs[1].dtype, kInt32);
  EXPECT_EQ(inputs[2].shape, (Shape{2}));
  EXPECT_EQ(program.outputs()[1].dtype, kInt64);
  std::string text = program.text();
  EXPECT_NE(text.find("@scaled"), std::string::npos) << text;
  EXPECT_NE(text.find("5.000000e-01"), std::string::npos) << text;
  EXPECT_EQ(Program::parse(text).hash(), program.hash());
}

TEST(Trace, UnusedInputsStay) {
  Program program =
      trace([](const Tensors &in) { return Tensors{in[1] + 1.0}; },
            {zeros({1}), zeros({2}), zeros({3})});
  EXPECT_EQ(program.inputs().size(), 3u);
  Tensor y = build(program).run({zeros({1}), ones({2}), zeros({3})})[0];
  EXPECT_EQ(y.to_vector<float>(), (Floats{2, 2}));
}

TEST(Trace, WeightsMayBeConstants) {
  Tensor weight = tensor({2.0, 3.0}, xlac::device());
  auto twice = [&](const Tensors &in) {
    return Tensors{in[0] * weight, in[0] - weight};
  };
  Program program = trace(twice, {zeros({2})}, {.parameters_as_inputs = false});
  EXPECT_EQ(program.inputs().size(), 1u);
  Tensors results = build(program).run({tensor({1.0, 10.0})});
  EXPECT_EQ(results[0].to_vector<float>(), (Floats{2, 30}));
  EXPECT_EQ(results[1].to_vector<float>(), (Floats{-1, 7}));
}

TEST(Trace, WhatWasPendingIsAnInput) {
  Device device = xlac::device();
  Tensor weight = tensor({2.0, 3.0}, device) + 1.0, row = weight.slice(0, 1);
  met::clear_all();
  auto fn = [&](const Tensors &in) { return Tensors{in[0] * weight + row}; };
  Program program = trace(fn, {zeros({2})});
  EXPECT_EQ(program.inputs().size(), 2u);
  EXPECT_EQ(program.text().find("2.000000e+00"), std::string::npos);
  EXPECT_FALSE(met::metric_data("ExecuteTime"));
  Tensor x = tensor({10.0, 100.0});
  Floats expected{34, 404};
  EXPECT_EQ(build(program).run({x, weight})[0].to_vector<float>(), expected);
  // As constants, the captured tensors must be computed.
  Program closed = trace(fn, {x}, {.parameters_as_inputs = false});
  EXPECT_EQ(closed.inputs().size(), 1u);
  EXPECT_EQ(build(closed).run({x})[0].to_vector<float>(), expected);
}

TEST(Trace, OtherThreadsRunMeanwhile) {
  constexpr int kSteps = 200, kLeastTraces = 20;
  std::atomic<bool> stop{false};
  std::atomic<int> traces{0};
  std::set<std::string> hashes;
  std::string failed;
  std::jthread tracer([&] {
    try {
      // One result depends on the input, and the other one could be computed by
      // another thread.
      auto fn = [](const Tensors &in) {
        return Tensors{in[0] * 2.0 + 1.0,
                       full({3}, 5.0, TensorOptions(xlac::device())).sin()};
      };
      for (; !stop; ++traces)
        hashes.insert(trace(fn, {ones({7})}).hash());
    } catch (const std::exception &error) {
      failed = error.what();
      traces = kLeastTraces;
    }
  });
  Tensor w = ones({7}, xlac::device());
  try {
    for (int step = 0; step < kSteps || traces < kLeastTraces; ++step) {
      Tensor before = w.clone();
      w.add_(1.0);
      xlac::sync();
      if (step % 16 == 0) {
        EXPECT_EQ((w - before).to_vector<float>(), Floats(7, 1)) << step;
      }
    }
  } catch (const std::exception &error) {
    ADD_FAILURE() << error.what();
  }
  stop = true;
  tracer.join();
  EXPECT_EQ(failed, "");
  EXPECT_EQ(hashes.size(), 1u);
}

TEST(Trace, WhatEscapesHurtsNoOtherTensor) {
  Device device = xlac::device();
  Tensor escaped, written = ones({2}, device), kept = ones({2}, device);
  Program program = trace(
      [&](const Tensors &in) {
        escaped = in[0] * 3.0;
        written.add_(in[0]);
        kept.mul_(4.0);
        return Tensors{in[0] + 1.0};
      },
      {zeros({2})});
  Tensor derived = escaped + 1.0, other = kept + 1.0;
  xlac::sync(true);
  EXPECT_EQ(other.to_vector<float>(), (Floats{5, 5}));
  EXPECT_EQ(kept.to_vector<float>(), (Floats{4, 4}));
  for (const Tensor *lost : {&escaped, &written, &derived})
    EXPECT_THROW(lost->to_vector<float>(), UserError);
  // Assigning new values suffices.
  written.fill_(2.0);
  xlac::sync(true);
  EXPECT_EQ(written.to_vector<float>(), (Floats{2, 2}));
}

TEST(Trace, InsideATraceSeesWhatThatHasRecorded) {
  Program inner;
  Program outer = trace(
      [&](const Tensors &in) {
        Tensor twice = in[0] * 2.0;
        inner = trace([&](const Tensors &x) { return Tensors{x[0] + twice}; },
                      {zeros({2})});
        return Tensors{twice};
      },
      {zeros({2})});
  EXPECT_EQ(inner.inputs().size(), 2u);
  EXPECT_EQ(outer.inputs().size(), 1u);
  EXPECT_EQ(build(inner).run({ones({2}), ones({2})})[0].to_vector<float>(),
            (Floats{2, 2}));
}

TEST(Trace, RefusesToRun) {
  auto message_of = [](const std::function<void(const Tensor &)> &use) {
    try {
      trace(
          [&](const Tensors &in) {
            use(in[0]);
            return in;
          },
          {ones({2})});
    } catch (const UserError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message_of([](const Tensor &x) {
              (x + 1.0).to_vector<float>();
            }).find("Unexpected execution"),
            std::string::npos);
  EXPECT_NE(message_of([](const Tensor &x) {
              x.to_vector<float>();
            }).find("do not exist"),
            std::string::npos);
  EXPECT_EQ(message_of([](const Tensor &x) { (void)x.sizes(); }), "");
}

TEST(Trace, RecordsInEagerModeToo) {
  experimental::EagerModeGuard eager(true);
  met::clear_all();
  Program program =
      trace([](const Tensors &in) { return Tensors{(in[0] * 3.0).sin()}; },
            {zeros({2})});
  EXPECT_FALSE(met::metric_data("EagerOpExecuteTime"));
  EXPECT_NE(program.text().find("stablehlo.sine"), std::string::npos);
}

TEST(Trace, GradientsAndRandomNumbers) {
  Device device = xlac::device();
  Tensor weight = tensor({1.0, 2.0}, device).requires_grad_();
  Program program = trace(
      [&](const Tensors &in) {
        Tensor loss = (in[0] * weight * weight).sum();
        return Tensors{loss, autograd::grad({loss}, {weight})[0],
                       rand({2}, device)};
      },
      {zeros({2})});
  // The weight and the state of the generator.
  ASSERT_EQ(program.inputs().size(), 3u);
  EXPECT_EQ(program.outputs()[2].shape, (Shape{2}));
  EXPECT_FALSE(weight.grad().defined());
}

TEST(Program, UndefinedOnesAreRefused) {
  Program program;
  EXPECT_THROW(program.text(), ValueError);
  EXPECT_THROW(program.bytecode(), ValueError);
  EXPECT_THROW(program.hash(), ValueError);
  EXPECT_THROW(program.inputs(), ValueError);
  EXPECT_THROW(program.outputs(), ValueError);
  EXPECT_THROW(program.save("x.mlir"), ValueError);
  EXPECT_THROW(Program::parse("func.func @main("), UserError);
  EXPECT_THROW(Program::load("/nowhere/x.mlir"), RuntimeError);
  EXPECT_THROW(from_tensors({Tensor()}), ValueError);
  EXPECT_THROW(from_tensors({ones({2})}), DeviceError);
  EXPECT_THROW(Program::parse(R"(
func.func @main(%a: tensor<2xi4>) -> tensor<2xi4> {
  return %a : tensor<2xi4>
})")
                   .inputs(),
               UnsupportedError);
}

TEST(Program, FilesOfEveryForm) {
  Folder folder;
  Tensor x = tensor({1.0, 2.0}, xlac::device());
  Program program = from_tensors({x * x});
  for (const char *name : {"p.mlir", "p.mlir.bc"}) {
    program.save(folder.path / name);
    Program back = Program::load(folder.path / name);
    EXPECT_EQ(back.hash(), program.hash());
    EXPECT_EQ(back.text(), program.text());
  }
  EXPECT_THROW(program.save(folder.path / "no" / "p.mlir"), RuntimeError);
  EXPECT_THROW(program.bytecode("0.1"), UserError);
}

TEST(Trace, RefusesResultsOfAnotherDevice) {
  EXPECT_THROW(trace([](const Tensors &) { return Tensors{ones({2})}; }, {}),
               DeviceError);
  EXPECT_THROW(trace([](const Tensors &) { return Tensors{Tensor()}; }, {}),
               ValueError);
}

TEST(Executable, RunsProgramsOfText) {
  Program program = Program::parse(R"(
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  return %0 : tensor<2xf32>
})");
  Executable executable = build(program);
  Tensor a = tensor({1.0, 2.0}, xlac::device()) * 3.0;
  Tensors results = executable.run({a, tensor({10.0, 20.0})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].device().str(), "xla:0");
  EXPECT_EQ(results[0].to_vector<float>(), (Floats{13, 26}));
  // Results are ordinary tensors.
  EXPECT_EQ((results[0] + a).to_vector<float>(), (Floats{16, 32}));
  EXPECT_EQ(executable.kernel_count(), 1);
  EXPECT_NE(executable.llvm_ir().find("fadd"), std::string::npos);
  EXPECT_NE(executable.assembly().find("ret"), std::string::npos);
  EXPECT_TRUE(build(program).from_cache());
}

TEST(Executable, RefusesWhatDoesNotFit) {
  Executable executable = build(trace(
      [](const Tensors &in) { return Tensors{in[0] * 2.0}; }, {zeros({2, 3})}));
  EXPECT_THROW(executable.run({}), ValueError);
  EXPECT_THROW(executable.run({zeros({3, 2})}), ShapeError);
  EXPECT_THROW(executable.run({zeros({2, 3}, kFloat64)}), DtypeError);
  EXPECT_THROW(executable.run({Tensor()}), ValueError);
  EXPECT_THROW(Executable().run({}), ValueError);
  EXPECT_THROW(Executable().llvm_ir(), ValueError);
  EXPECT_THROW(Executable().assembly(), ValueError);
  EXPECT_THROW(Executable().kernel_count(), ValueError);
  EXPECT_THROW(Executable().from_cache(), ValueError);
  Program program = trace([](const Tensors &in) { return in; }, {zeros({1})});
  EXPECT_THROW(build(program, {.opt_level = 4}), ValueError);
  EXPECT_THROW(build(program, {.cpu = "i386"}), UserError);
  EXPECT_THROW(build(program, {.device = Device(kCPU)}), DeviceError);
  EXPECT_THROW(build(Program()), ValueError);
}

TEST(Executable, FilesOfCode) {
  Folder folder;
  Executable built = build(trace(
      [](const Tensors &in) { return Tensors{in[0].matmul(in[1]).tanh()}; },
      {zeros({3, 5}), zeros({5, 4})}));
  Tensors inputs = {rand({3, 5}), rand({5, 4})};
  std::filesystem::path file = folder.path / "program.xlax";
  built.save(file);
  Executable loaded = Executable::load(file);
  EXPECT_TRUE(equal(loaded.run(inputs)[0].cpu(), built.run(inputs)[0].cpu()));
  EXPECT_EQ(loaded.kernel_count(), built.kernel_count());
  EXPECT_TRUE(loaded.from_cache());
  EXPECT_EQ(loaded.llvm_ir(), built.llvm_ir());
  EXPECT_TRUE(loaded.input_names().empty());
  EXPECT_THROW(loaded.run({inputs[0]}), ValueError);
  EXPECT_THROW(loaded.run({inputs[1], inputs[0]}), ShapeError);
  EXPECT_THROW(Executable::load(file, Device(kCPU)), DeviceError);
  EXPECT_THROW(Executable::load(folder.path / "none.xlax"), RuntimeError);
  EXPECT_THROW(built.save(folder.path / "none" / "x.xlax"), RuntimeError);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  try {
    Executable::load(file);
    FAIL();
  } catch (const UserError &error) {
    EXPECT_NE(std::string(error.what())
                  .find("program.xlax: the executable image is incomplete"),
              std::string::npos)
        << error.what();
  }
}

TEST(Executable, FilesWithNamesAndProgram) {
  Folder folder;
  Program program = Program::parse(
      "func.func @main(%w: tensor<2xf32> loc(\"w\"), %x: tensor<2xf32>) -> "
      "(tensor<2xf32> {jax.result_info = \"sum\"}) {\n"
      "  %0 = stablehlo.add %w, %x : tensor<2xf32>\n"
      "  return %0 : tensor<2xf32>\n}\n");
  Executable built = build(program);
  std::vector<std::string> inputs = {"w", ""}, outputs = {"sum"};
  EXPECT_EQ(built.input_names(), inputs);
  EXPECT_EQ(built.output_names(), outputs);
  std::filesystem::path whole = folder.path / "whole.xlax",
                        again = folder.path / "again.xlax",
                        code = folder.path / "code.xlax";
  built.save(whole);
  Executable loaded = Executable::load(whole);
  EXPECT_EQ(loaded.input_names(), inputs);
  EXPECT_EQ(loaded.output_names(), outputs);
  EXPECT_EQ(loaded.assembly(), built.assembly());
  loaded.save(again);
  EXPECT_EQ(Program::load(again).hash(), program.hash());
  loaded.save(code, {.program = false});
  EXPECT_LT(std::filesystem::file_size(code),
            std::filesystem::file_size(again));
  Executable alone = Executable::load(code);
  EXPECT_EQ(alone.input_names(), inputs);
  EXPECT_THROW(alone.assembly(), ValueError);
  EXPECT_THROW(Program::load(code), UserError);
  EXPECT_TRUE(equal(alone.run({ones({2}), ones({2})})[0].cpu(), full({2}, 2)));
}

TEST(Executable, RequiresADigest) {
  Folder folder;
  Executable built = build(trace(
      [](const Tensors &in) { return Tensors{in[0] + in[0]}; }, {zeros({2})}));
  std::filesystem::path file = folder.path / "program.xlax";
  built.save(file);
  std::string found;
  try {
    Executable::load(file, {.digest = std::string(64, '0')});
    FAIL();
  } catch (const UserError &error) {
    std::string what = error.what();
    size_t at = what.find("has the digest ");
    ASSERT_NE(at, std::string::npos) << what;
    found = what.substr(at + 15, 64);
  }
  EXPECT_EQ(Executable::load(file, {.digest = found}).kernel_count(),
            built.kernel_count());
  EXPECT_THROW(Executable::load(file, {.digest = found + "0"}), UserError);
}

TEST(Executable, RunsInSeveralThreads) {
  Executable executable = build(
      trace([](const Tensors &in) { return Tensors{in[0].matmul(in[0])}; },
            {zeros({16, 16})}));
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int run = 0; run < 20; ++run)
        right[i] += equal(executable.run({full({16, 16}, i + 1.0)})[0].cpu(),
                          full({16, 16}, 16.0 * (i + 1) * (i + 1)));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, (std::vector<int>{20, 20, 20, 20}));
}

TEST(Executable, BuildsForWeakerMachines) {
  Program program = trace(
      [](const Tensors &in) { return Tensors{in[0].sin()}; }, {ones({8})});
  Tensor x = ones({8});
  Tensor plain = build(program, {.cpu = "baseline"}).run({x})[0];
  EXPECT_TRUE(allclose(plain.cpu(), x.sin(), 1e-6));
}

TEST(Build, NamesTheCallbacksThatItLeavesOut) {
  // Programs from a cache have no warnings, so this program must be new.
  std::string number = std::to_string(std::random_device()() >> 1);
  std::string text = R"(
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>) {
  stablehlo.custom_call @xla_python_cpu_callback(%a) {has_side_effect = true} : (tensor<2xf32>) -> ()
  %0 = stablehlo.multiply %a, %a : tensor<2xf32>
  %1 = stablehlo.constant dense<)" +
                     number + R"(> : tensor<i32>
  return %0, %1 : tensor<2xf32>, tensor<i32>
})";
  BuildOptions options;
  EXPECT_THROW(build(Program::parse(text), options), Error);
  options.ignore_callbacks = true;
  Executable made = build(Program::parse(text), options);
  ASSERT_EQ(made.warnings().size(), 1);
  EXPECT_TRUE(made.warnings()[0].starts_with("1 callback is left out"))
      << made.warnings()[0];
  EXPECT_EQ(made.run({full({2}, 3.0)})[0].to_vector<float>(), (Floats{9, 9}));
  Executable plain = build(Program::parse(R"(
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
})"));
  EXPECT_TRUE(plain.warnings().empty());
}

/// Doubles a matrix of any number of rows, and flattens it.
constexpr char kAnyRows[] = R"(
func.func @main(%x: tensor<?x2xf32>, %b: tensor<2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %some = stablehlo.compare GE, %rows, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%some, %rows) {error_message = "wants 2 rows, got {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %count = stablehlo.multiply %rows, %two : tensor<i32>
  %shape = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.add %x, %x : tensor<?x2xf32>
  %1 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<?x2xf32>, tensor<?xf32>
})";

TEST(UnknownSizes, RunCompilesForEachListOfShapes) {
  Program program = Program::parse(kAnyRows);
  EXPECT_EQ(program.inputs()[0].shape, (Shape{kUnknownSize, 2}));
  Executable executable = build(program);
  Tensor b = zeros({2});
  for (int64_t rows : {2, 5, 2}) {
    Tensors results = executable.run({ones({rows, 2}), b});
    EXPECT_EQ(results[0].sizes(), (Shape{rows, 2}));
    EXPECT_EQ(results[0].sum().item<float>(), 4.0f * rows);
    EXPECT_EQ(results[1].sizes(), (Shape{rows * 2}));
    EXPECT_EQ(results[1].sum().item<float>(), 2.0f * rows);
  }
  EXPECT_THROW(executable.kernel_count(), ValueError);
}

TEST(UnknownSizes, InputsThatDoNotFitAreRefused) {
  Executable executable = build(Program::parse(kAnyRows));
  Tensor b = zeros({2});
  EXPECT_THROW(executable.run({ones({2, 3}), b}), ShapeError);
  EXPECT_THROW(executable.run({ones({2}), b}), ShapeError);
  try {
    executable.run({ones({1, 2}), b});
    ADD_FAILURE() << "the assertion of the program was ignored";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("wants 2 rows, got 1"),
              std::string::npos)
        << error.what();
  }
  // The executable works afterwards.
  EXPECT_EQ(executable.run({ones({2, 2}), b})[1].sizes(), (Shape{4}));
}

TEST(UnknownSizes, BuildFixesShapes) {
  Program program = Program::parse(kAnyRows);
  BuildOptions options;
  options.input_shapes = {{3, 2}, {2}};
  Executable executable = build(program, options);
  EXPECT_GT(executable.kernel_count(), 0);
  EXPECT_EQ(executable.run({ones({3, 2}), zeros({2})})[1].sizes(), (Shape{6}));
  EXPECT_THROW(executable.run({ones({2, 2}), zeros({2})}), ShapeError);
  options.input_shapes = {{3, 2}};
  EXPECT_THROW(build(program, options), ValueError);
  options.input_shapes = {{3, 3}, {2}};
  EXPECT_THROW(build(program, options), ShapeError);
}

} // namespace
} // namespace xlac::stablehlo
