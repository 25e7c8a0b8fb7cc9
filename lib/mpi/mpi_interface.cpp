// Implements the interface of libxlac_mpi.so with the MPI of this build.
#include "xlac/job/mpi_interface.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
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
int find_node(int rank, MpiPlace &place) {
  MPI_Comm local = MPI_COMM_NULL;
  if (int code = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank,
                                     MPI_INFO_NULL, &local))
    return code;
  int lowest = rank;
  int code = MPI_Bcast(&lowest, 1, MPI_INT, 0, local);
  place.node = lowest;
  int ranks = 1;
  if (code == MPI_SUCCESS)
    code = MPI_Comm_size(local, &ranks);
  place.ranks_on_node = ranks;
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
  return find_node(rank, *place);
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

//===- Collectives --------------------------------------------------------===//

/// Keeps a request that a function of MPI has made.
int keep(int code, MPI_Request native, MpiHandle *request) {
  *request = code == MPI_SUCCESS ? handle_of(native) : 0;
  return code;
}

int make_group(MpiHandle parent, const int32_t *processes, int32_t count,
               int32_t tag, MpiHandle *communicator) {
  *communicator = 0;
  auto whole = native_of<MPI_Comm>(parent);
  MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  int code = MPI_Comm_group(whole, &all);
  if (code == MPI_SUCCESS)
    code = MPI_Group_incl(all, count, processes, &some);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_create_group(whole, some, tag, &made);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS)
    *communicator = handle_of(made);
  if (some != MPI_GROUP_NULL)
    MPI_Group_free(&some);
  if (all != MPI_GROUP_NULL)
    MPI_Group_free(&all);
  return code;
}

struct Combination {
  MpiCombine combine;
  void *context;
};

/// The function of an operation gets no context, but it gets the type. Types
/// are made and freed by several threads.
std::mutex combinations_mutex;
std::map<MpiHandle, Combination> &combinations() {
  static auto *all = new std::map<MpiHandle, Combination>;
  return *all;
}

void combine_elements(void *in, void *inout, int *elements,
                      MPI_Datatype *type) {
  Combination found{};
  {
    std::lock_guard lock(combinations_mutex);
    found = combinations()[handle_of(*type)];
  }
  if (found.combine)
    found.combine(found.context, in, inout, *elements);
}

int operation(MPI_Op *result) {
  static MPI_Op made = MPI_OP_NULL;
  if (made == MPI_OP_NULL)
    if (int code = MPI_Op_create(combine_elements, 1, &made))
      return code;
  *result = made;
  return MPI_SUCCESS;
}

int make_type(size_t bytes, MpiCombine combine, void *context,
              MpiHandle *type) {
  MPI_Datatype native = MPI_DATATYPE_NULL;
  int code = MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &native);
  if (code == MPI_SUCCESS)
    code = MPI_Type_commit(&native);
  *type = code == MPI_SUCCESS ? handle_of(native) : 0;
  if (code != MPI_SUCCESS)
    return code;
  std::lock_guard lock(combinations_mutex);
  combinations()[*type] = {combine, context};
  return MPI_SUCCESS;
}

int free_type(MpiHandle *type) {
  {
    std::lock_guard lock(combinations_mutex);
    combinations().erase(*type);
  }
  auto native = native_of<MPI_Datatype>(*type);
  *type = 0;
  return MPI_Type_free(&native);
}

int maxima(MpiHandle communicator, const uint64_t *from, uint64_t *to,
           MpiHandle *request) {
  MPI_Request native = MPI_REQUEST_NULL;
  int code = MPI_Iallreduce(from, to, 2, MPI_UINT64_T, MPI_MAX,
                            native_of<MPI_Comm>(communicator), &native);
  return keep(code, native, request);
}

int all_reduce(MpiHandle communicator, void *data, int32_t elements,
               MpiHandle type, MpiHandle *request) {
  MPI_Op op = MPI_OP_NULL;
  if (int code = operation(&op))
    return code;
  MPI_Request native = MPI_REQUEST_NULL;
  int code = MPI_Iallreduce(MPI_IN_PLACE, data, elements,
                            native_of<MPI_Datatype>(type), op,
                            native_of<MPI_Comm>(communicator), &native);
  return keep(code, native, request);
}

int reduce_scatter(MpiHandle communicator, const void *from, void *to,
                   const int32_t *counts, MpiHandle type, MpiHandle *request) {
  MPI_Op op = MPI_OP_NULL;
  if (int code = operation(&op))
    return code;
  MPI_Request native = MPI_REQUEST_NULL;
  int code =
      MPI_Ireduce_scatter(from, to, counts, native_of<MPI_Datatype>(type), op,
                          native_of<MPI_Comm>(communicator), &native);
  return keep(code, native, request);
}

int all_gather(MpiHandle communicator, const void *from, int32_t bytes,
               void *to, MpiParts parts, MpiHandle *request) {
  MPI_Request native = MPI_REQUEST_NULL;
  int code =
      MPI_Iallgatherv(from, bytes, MPI_BYTE, to, parts.counts, parts.offsets,
                      MPI_BYTE, native_of<MPI_Comm>(communicator), &native);
  return keep(code, native, request);
}

int all_to_all(MpiHandle communicator, const void *from, MpiParts sent,
               void *to, MpiParts received, MpiHandle *request) {
  MPI_Request native = MPI_REQUEST_NULL;
  int code = MPI_Ialltoallv(from, sent.counts, sent.offsets, MPI_BYTE, to,
                            received.counts, received.offsets, MPI_BYTE,
                            native_of<MPI_Comm>(communicator), &native);
  return keep(code, native, request);
}

int broadcast(MpiHandle communicator, void *data, int32_t bytes, int32_t root,
              MpiHandle *request) {
  MPI_Request native = MPI_REQUEST_NULL;
  int code = MPI_Ibcast(data, bytes, MPI_BYTE, root,
                        native_of<MPI_Comm>(communicator), &native);
  return keep(code, native, request);
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
    .make_group = make_group,
    .make_type = make_type,
    .free_type = free_type,
    .maxima = maxima,
    .all_reduce = all_reduce,
    .reduce_scatter = reduce_scatter,
    .all_gather = all_gather,
    .all_to_all = all_to_all,
    .broadcast = broadcast,
};

} // namespace

} // namespace xlac::job

extern "C" __attribute__((visibility("default")))
const xlac::job::MpiInterface *
xlac_mpi_interface() {
  return &xlac::job::kInterface;
}
