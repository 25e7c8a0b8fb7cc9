// Implements the interface of libxlac_mpi.so with the MPI of this build.
#include "xlac/job/mpi_interface.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <string>

#include <mpi.h>

namespace xlac::job {

namespace {

/// Handles of MPI are integers or pointers.
template <class Native> MpiHandle handle_of(Native native) {
  static_assert(sizeof native <= sizeof(MpiHandle));
  MpiHandle handle = 0;
  std::memcpy(&handle, &native, sizeof native);
  return handle;
}

template <class Native> Native native_of(MpiHandle handle) {
  Native native;
  std::memcpy(&native, &handle, sizeof native);
  return native;
}

/// The implementation whose header this file is compiled with, as its
/// MPI_Get_library_version begins.
std::string built_for() {
#if defined(OMPI_MAJOR_VERSION)
  return "Open MPI v" + std::to_string(OMPI_MAJOR_VERSION) + ".";
#elif defined(MPICH_VERSION)
  return "MPICH";
#else
  return "";
#endif
}

const char *mismatch() {
  static std::string text;
  char name[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int size = 0;
  MPI_Get_library_version(name, &size);
  std::string loaded(name, std::strcspn(name, "\n,"));
  std::string wanted = built_for();
  if (loaded.starts_with(wanted))
    return nullptr;
  text = "libxlac_mpi.so is built for " + wanted + ", but the loaded MPI is " +
         loaded;
  return text.c_str();
}

MpiPhase phase() {
  int flag = 0;
  MPI_Finalized(&flag);
  if (flag)
    return MpiPhase::Finalized;
  MPI_Initialized(&flag);
  return flag ? MpiPhase::Active : MpiPhase::NotInitialized;
}

void error_text(int code, char *text, size_t size) {
  char whole[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  if (MPI_Error_string(code, whole, &length) != MPI_SUCCESS)
    std::snprintf(whole, sizeof whole, "MPI error %d", code);
  std::snprintf(text, size, "%s", whole);
}

MpiThreads threads_of(int level) {
  switch (level) {
  case MPI_THREAD_MULTIPLE:
    return MpiThreads::Multiple;
  case MPI_THREAD_SERIALIZED:
    return MpiThreads::Serialized;
  case MPI_THREAD_FUNNELED:
    return MpiThreads::Funneled;
  default:
    return MpiThreads::Single;
  }
}

/// Finds the lowest rank of this node: the members of a node are ordered by
/// their ranks.
int find_node(int rank, int32_t &node) {
  MPI_Comm local = MPI_COMM_NULL;
  if (int code = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank,
                                     MPI_INFO_NULL, &local))
    return code;
  int lowest = rank;
  int code = MPI_Bcast(&lowest, 1, MPI_INT, 0, local);
  node = lowest;
  MPI_Comm_free(&local);
  return code;
}

void (*call_at_finalize)(void *) = nullptr;

int delete_attribute(MPI_Comm, int, void *context, void *) {
  call_at_finalize(context);
  return MPI_SUCCESS;
}

/// MPI_Finalize deletes the attributes of MPI_COMM_SELF before all else.
int watch_finalize(void (*finalizing)(void *), void *context) {
  call_at_finalize = finalizing;
  int key = MPI_KEYVAL_INVALID;
  if (int code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute,
                                        &key, nullptr))
    return code;
  return MPI_Comm_set_attr(MPI_COMM_SELF, key, context);
}

int start(MpiPlace *place, void (*finalizing)(void *), void *context) {
  int level = MPI_THREAD_SINGLE;
  place->is_shared = phase() == MpiPhase::Active;
  if (place->is_shared) {
    if (int code = MPI_Query_thread(&level))
      return code;
  } else {
    if (int code =
            MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level))
      return code;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  place->threads = threads_of(level);
  if (place->is_shared && level != MPI_THREAD_MULTIPLE)
    return MPI_SUCCESS;
  if (int code = watch_finalize(finalizing, context))
    return code;
  int rank = 0, size = 1;
  if (int code = MPI_Comm_rank(MPI_COMM_WORLD, &rank))
    return code;
  if (int code = MPI_Comm_size(MPI_COMM_WORLD, &size))
    return code;
  place->rank = rank;
  place->size = size;
  return find_node(rank, place->node);
}

int finish() { return MPI_Finalize(); }

int duplicate(MpiHandle *communicator, MpiHandle *request) {
  // MPI writes the communicator when the request completes, so it needs a
  // fixed place: the caller's.
  static_assert(sizeof(MPI_Comm) <= sizeof *communicator);
  *communicator = 0;
  MPI_Request native = MPI_REQUEST_NULL;
  int code = MPI_Comm_idup(MPI_COMM_WORLD,
                           reinterpret_cast<MPI_Comm *>(communicator), &native);
  *request = code == MPI_SUCCESS ? handle_of(native) : 0;
  return code;
}

int progress() {
  int flag = 0;
  return MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag,
                    MPI_STATUS_IGNORE);
}

int send(MpiHandle communicator, const void *data, size_t bytes, int32_t target,
         int32_t tag, MpiHandle *request) {
  if (bytes > INT_MAX)
    return MPI_ERR_COUNT;
  MPI_Request native = MPI_REQUEST_NULL;
  int code = MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, target, tag,
                       native_of<MPI_Comm>(communicator), &native);
  *request = code == MPI_SUCCESS ? handle_of(native) : 0;
  return code;
}

int receive(MpiHandle communicator, void *data, size_t bytes, int32_t source,
            int32_t tag, MpiHandle *request) {
  if (bytes > INT_MAX)
    return MPI_ERR_COUNT;
  MPI_Request native = MPI_REQUEST_NULL;
  int code = MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE,
                       source < 0 ? MPI_ANY_SOURCE : source, tag,
                       native_of<MPI_Comm>(communicator), &native);
  *request = code == MPI_SUCCESS ? handle_of(native) : 0;
  return code;
}

int test(MpiHandle *request, bool *done, MpiArrival *arrival) {
  auto native = native_of<MPI_Request>(*request);
  MPI_Status status;
  int flag = 0;
  int code = MPI_Test(&native, &flag, &status);
  *done = flag != 0;
  *request = flag || code != MPI_SUCCESS ? 0 : handle_of(native);
  if (code != MPI_SUCCESS || !flag || !arrival)
    return code;
  int count = 0;
  arrival->source = status.MPI_SOURCE;
  code = MPI_Get_count(&status, MPI_BYTE, &count);
  arrival->bytes = count == MPI_UNDEFINED ? 0 : count;
  return code;
}

int cancel(MpiHandle *request) {
  auto native = native_of<MPI_Request>(*request);
  return MPI_Cancel(&native);
}

constexpr MpiInterface kInterface = {
    .version = kMpiInterface,
    .mismatch = mismatch,
    .phase = phase,
    .error_text = error_text,
    .start = start,
    .finish = finish,
    .duplicate = duplicate,
    .progress = progress,
    .send = send,
    .receive = receive,
    .test = test,
    .cancel = cancel,
};

} // namespace

} // namespace xlac::job

extern "C" __attribute__((visibility("default")))
const xlac::job::MpiInterface *
xlac_mpi_interface() {
  return &xlac::job::kInterface;
}
