// A rank whose job cannot begin or go on, for job_errors_test.py:
//
//   job_errors CASE
//
// The program catches no error.
#include <xlac/xlac.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>

#include <mpi.h>

using namespace xlac;

namespace {

/// Sums until a rank fails.
void add_often(int) {
  for (int i = 0; i < 100; ++i)
    (void)xm::all_reduce(xm::REDUCE_SUM, ones({4}, xm::xla_device()))
        .to_vector<float>();
}

/// One rank does something in the middle of its sums.
void add_and(int ordinal, int victim, const std::function<void()> &what) {
  if (ordinal == victim) {
    (void)xm::all_reduce(xm::REDUCE_SUM, ones({4}, xm::xla_device()))
        .to_vector<float>();
    what();
  }
  add_often(ordinal);
}

void start_mpi(int level) {
  int granted = 0;
  MPI_Init_thread(nullptr, nullptr, level, &granted);
}

void use_large_mesh() {
  xr::use_spmd();
  std::vector<int64_t> ids(64);
  std::iota(ids.begin(), ids.end(), 0);
  xs::Mesh mesh(ids, {8, 8}, {"data", "model"});
  Tensor x = randn({64, 64}).to(xm::xla_device());
  xs::mark_sharding(x, mesh, {"data", "model"});
}

const std::map<std::string, std::function<void()>> kCases = {
    {"sum", [] { xlac::launch(add_often); }},
    {"single",
     [] {
       start_mpi(MPI_THREAD_SINGLE);
       xlac::launch(add_often);
     }},
    {"finalized_first",
     [] {
       start_mpi(MPI_THREAD_MULTIPLE);
       MPI_Finalize();
       xlac::launch(add_often);
     }},
    {"finalized",
     [] {
       start_mpi(MPI_THREAD_MULTIPLE);
       xlac::launch(
           [](int ordinal) { add_and(ordinal, 1, [] { MPI_Finalize(); }); });
     }},
    {"mesh", use_large_mesh},
    {"caches",
     [] {
       if (std::getenv("OMPI_COMM_WORLD_RANK") == std::string("3"))
         setenv("XLAC_CACHE_DIR", "/tmp/another", 1);
       xlac::launch(add_often);
     }},
    {"throws", [] {
       xlac::launch([](int ordinal) {
         add_and(ordinal, 2, [] { throw ValueError("out of luck"); });
       });
     }}};

} // namespace

int main(int count, char **words) {
  auto found = count == 2 ? kCases.find(words[1]) : kCases.end();
  if (found == kCases.end()) {
    std::fprintf(stderr, "usage: job_errors CASE\n");
    return 2;
  }
  found->second();
}
