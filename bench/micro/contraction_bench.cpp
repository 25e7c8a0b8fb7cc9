// GEMMs and convolutions on one thread: this code generator, Eigen and oneDNN
// in interleaved repetitions. Prints medians of GFLOP/s. Matrices are row-major
// in all. Convolutions have the layout in which each library computes several
// that follow each other: channels last here, blocks of channels in oneDNN.
// Weights of convolutions are packed once, as programs do with weights that do
// not change.
#include "compiled_gemm.h"

#include <Eigen/Core>
#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace xlac::codegen;

// Declared here, since not every compiler has OpenMP's header; oneDNN links the
// library.
extern "C" void omp_set_num_threads(int count);

/// Numbers from the begin of a cache line, as in programs.
class Values {
public:
  explicit Values(int64_t count)
      : count(count), first(static_cast<float *>(std::aligned_alloc(
                          64, (count * sizeof(float) + 63) / 64 * 64))) {
    std::fill_n(data(), count, 0.0f);
  }
  float *data() const { return first.get(); }
  float operator[](int64_t i) const { return data()[i]; }
  float *begin() const { return data(); }
  float *end() const { return data() + count; }

private:
  struct Free {
    void operator()(float *memory) const { std::free(memory); }
  };
  int64_t count;
  std::unique_ptr<float, Free> first;
};

static Values randomValues(int64_t count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> range(-1, 1);
  Values values(count);
  for (float &value : values)
    value = range(random);
  return values;
}

namespace {
struct Contender {
  const char *name;
  std::function<void()> run;
  std::vector<double> seconds;
};

/// Our code and its buffers. With `weights`, B is packed once before all runs
/// if the plan packs it.
class Ours {
public:
  Ours(Gemm gemm, bool weights, const float *a, const float *b, float *c)
      : plan(planOf(std::move(gemm), weights)),
        code(plan, xlac::host_profile()), a(a), b(b), c(c) {
    if (!code.multiply) {
      std::fprintf(stderr, "contraction_bench: %s\n", code.error.c_str());
      std::exit(1);
    }
    shared = std::aligned_alloc(64, code.sharedBytes() + 64);
    scratch = std::aligned_alloc(64, plan.scratchBytes() + 64);
    if (plan.gemm.prepacked)
      pack();
  }
  ~Ours() {
    std::free(shared);
    std::free(scratch);
  }
  void run() {
    if (!plan.gemm.prepacked)
      pack();
    code.multiply(a, b, c, shared, scratch, 0, plan.tasks());
    if (plan.dividesK())
      code.sum(a, b, c, shared, scratch, 0, plan.sumTasks());
  }

  ContractionPlan plan;

private:
  static ContractionPlan planOf(Gemm gemm, bool weights) {
    ContractionPlan plan = planContraction(gemm, xlac::host_profile());
    if (!weights || !plan.packB || plan.swapped)
      return plan;
    gemm.prepacked = true;
    return planContraction(std::move(gemm), xlac::host_profile());
  }
  void pack() { code.pack(a, b, c, shared, scratch, 0, code.packTasks()); }

  CompiledProduct code;
  const float *a, *b;
  float *c;
  void *shared, *scratch;
};
} // namespace

/// Only benchmarks whose name contains this are run.
static std::string filter;

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Interleaves the contenders until each has run for about a third of a second.
static void report(const std::string &name, double flops,
                   std::vector<Contender> contenders) {
  if (name.find(filter) == std::string::npos)
    return;
  auto now = [] {
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  double total = 0;
  for (Contender &each : contenders)
    each.run();
  for (int round = 0; round < 201 && (round < 5 || total < 1.0); ++round)
    for (Contender &each : contenders) {
      // Short runs are repeated, so that the overhead of the clock is
      // negligible.
      int repeats = std::max(1.0, 2e7 / flops);
      double start = now();
      for (int i = 0; i < repeats; ++i)
        each.run();
      double passed = now() - start;
      each.seconds.push_back(passed / repeats);
      total += passed;
    }
  std::printf("%-34s", name.c_str());
  double ours = 0, best = 0;
  for (Contender &each : contenders) {
    double rate = flops / median(each.seconds) * 1e-9;
    double peak = flops /
                  *std::min_element(each.seconds.begin(), each.seconds.end()) *
                  1e-9;
    std::printf("  %s %6.1f (%5.1f)", each.name, rate, peak);
    if (&each == &contenders[0])
      ours = rate;
    else
      best = std::max(best, rate);
  }
  std::printf("  ratio %.2f\n", ours / best);
  std::fflush(stdout);
}

static void benchMatrices(int64_t m, int64_t n, int64_t k, bool ta, bool tb) {
  Values a = randomValues(m * k), b = randomValues(k * n);
  Values c(m * n), d(m * n), e(m * n);
  Gemm gemm;
  gemm.m = {{m, ta ? 1 : k, 0, n}};
  gemm.n = {{n, 0, tb ? k : 1, 1}};
  gemm.k = {{k, ta ? m : 1, tb ? 1 : n, 0}};
  gemm.plainResult = true;
  Ours ours(gemm, false, a.data(), b.data(), c.data());
  using Matrix =
      Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Matrix> ma(a.data(), ta ? k : m, ta ? m : k);
  Eigen::Map<Matrix> mb(b.data(), tb ? n : k, tb ? k : n);
  Eigen::Map<Matrix> md(d.data(), m, n);
  auto eigen = [&] {
    if (ta && tb)
      md.noalias() = ma.transpose() * mb.transpose();
    else if (ta)
      md.noalias() = ma.transpose() * mb;
    else if (tb)
      md.noalias() = ma * mb.transpose();
    else
      md.noalias() = ma * mb;
  };
  auto onednn = [&] {
    dnnl_sgemm(ta ? 'T' : 'N', tb ? 'T' : 'N', m, n, k, 1.0f, a.data(),
               ta ? m : k, b.data(), tb ? k : n, 0.0f, e.data(), n);
  };
  report("sgemm" + std::string(ta ? " T" : " N") + (tb ? "T " : "N ") +
             std::to_string(m) + "x" + std::to_string(n) + "x" +
             std::to_string(k),
         2.0 * m * n * k,
         {{"xlac", [&] { ours.run(); }, {}},
          {"Eigen", eigen, {}},
          {"oneDNN", onednn, {}}});
  for (int64_t i = 0; i < m * n; ++i)
    if (std::abs(c[i] - e[i]) > 1e-3f * std::sqrt(float(k))) {
      std::fprintf(stderr, "contraction_bench: results differ at %ld\n", i);
      std::exit(1);
    }
}

/// The image is padded before in our layout, and excluded from the timing as
/// changes of oneDNN's layouts are.
static void benchConvolution(int64_t batch, int64_t ci, int64_t co, int64_t h,
                             int64_t k, int64_t stride, int64_t pad) {
  int64_t padded = h + 2 * pad, oh = (padded - k) / stride + 1;
  Values image = randomValues(batch * ci * padded * padded);
  Values filters = randomValues(co * ci * k * k);
  Values result(batch * co * oh * oh);
  Gemm gemm;
  gemm.m = {{batch, padded * padded * ci, 0, oh * oh * co},
            {oh, padded * stride * ci, 0, oh * co},
            {oh, stride * ci, 0, co}};
  gemm.n = {{co, 0, 1, 1}};
  gemm.k = {
      {k, padded * ci, k * ci * co, 0}, {k, ci, ci * co, 0}, {ci, 1, co, 0}};
  gemm.plainResult = true;
  Ours ours(gemm, true, image.data(), filters.data(), result.data());

  using namespace dnnl;
  engine cpu(engine::kind::cpu, 0);
  stream queue(cpu);
  auto any = memory::format_tag::any;
  auto f32 = memory::data_type::f32;
  memory::desc src({batch, ci, h, h}, f32, any), wei({co, ci, k, k}, f32, any),
      dst({batch, co, oh, oh}, f32, any);
  convolution_forward::primitive_desc description(
      {prop_kind::forward_inference,
       algorithm::convolution_direct,
       src,
       wei,
       dst,
       {stride, stride},
       {pad, pad},
       {pad, pad}},
      cpu);
  convolution_forward convolution(description);
  memory source(description.src_desc(), cpu),
      filter(description.weights_desc(), cpu),
      target(description.dst_desc(), cpu);
  std::memset(source.get_data_handle(), 0, description.src_desc().get_size());
  std::memset(filter.get_data_handle(), 0,
              description.weights_desc().get_size());
  auto onednn = [&] {
    convolution.execute(queue, {{DNNL_ARG_SRC, source},
                                {DNNL_ARG_WEIGHTS, filter},
                                {DNNL_ARG_DST, target}});
    queue.wait();
  };
  report("conv " + std::to_string(batch) + "x" + std::to_string(ci) + "x" +
             std::to_string(h) + " -> " + std::to_string(co) + " k" +
             std::to_string(k) + " s" + std::to_string(stride),
         2.0 * batch * co * oh * oh * ci * k * k,
         {{"xlac", [&] { ours.run(); }, {}}, {"oneDNN", onednn, {}}});
}

int main(int argc, char **argv) {
  omp_set_num_threads(1);
  Eigen::setNbThreads(1);
  if (argc > 1)
    filter = argv[1];
  std::printf("GFLOP/s, median (best); ratio against the better peer\n");
  for (int64_t size : {64, 128, 256, 512, 1024, 2048})
    benchMatrices(size, size, size, false, false);
  benchMatrices(1024, 1024, 1024, true, false);
  benchMatrices(1024, 1024, 1024, false, true);
  benchMatrices(128, 2304, 768, false, false);
  benchMatrices(128, 768, 3072, false, false);
  benchMatrices(128, 512, 784, false, false);
  benchMatrices(512, 512, 128, true, false);
  benchMatrices(64, 128, 9216, false, false);
  benchMatrices(64, 9216, 128, false, true);
  benchMatrices(128, 9216, 64, true, false);
  benchMatrices(32, 1024, 256, false, false);
  benchMatrices(1, 1000, 2048, false, false);
  benchMatrices(128, 10, 512, false, false);
  for (int64_t k : {4096, 8192, 65536, 1 << 20})
    benchMatrices(64, 64, k, false, false);
  benchMatrices(512, 512, 16384, false, false);
  benchMatrices(256, 256, 65536, true, false);
  benchMatrices(8, 256, 1 << 17, false, true);
  benchConvolution(1, 3, 64, 224, 7, 2, 3);
  benchConvolution(1, 64, 64, 56, 1, 1, 0);
  benchConvolution(1, 64, 64, 56, 3, 1, 1);
  benchConvolution(1, 64, 256, 56, 1, 1, 0);
  benchConvolution(1, 128, 128, 28, 3, 1, 1);
  benchConvolution(1, 128, 128, 56, 3, 2, 1);
  benchConvolution(1, 1024, 256, 14, 1, 1, 0);
  benchConvolution(1, 256, 256, 14, 3, 1, 1);
  benchConvolution(1, 512, 512, 7, 3, 1, 1);
  benchConvolution(1, 2048, 512, 7, 1, 1, 0);
  benchConvolution(64, 1, 32, 28, 3, 1, 0);
  benchConvolution(64, 32, 64, 26, 3, 1, 0);
  benchConvolution(64, 64, 32, 24, 3, 1, 2);
}
