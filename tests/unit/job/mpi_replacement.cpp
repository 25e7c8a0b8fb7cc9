// Replaces functions of MPI, for tests that preload it. XLAC_TEST_MPI=funneled
// grants threads only to the one that initializes MPI; XLAC_TEST_MPI=other
// names another implementation.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <mpi.h>

static bool is_requested(const char *what) {
  const char *text = std::getenv("XLAC_TEST_MPI");
  return text && std::strcmp(text, what) == 0;
}

extern "C" {

int MPI_Init_thread(int *count, char ***words, int wanted, int *granted) {
  return PMPI_Init_thread(
      count, words, is_requested("funneled") ? MPI_THREAD_FUNNELED : wanted,
      granted);
}

int MPI_Get_library_version(char *text, int *size) {
  if (!is_requested("other"))
    return PMPI_Get_library_version(text, size);
  *size = std::snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING,
                        "Another MPI v7, of the test");
  return MPI_SUCCESS;
}
}
