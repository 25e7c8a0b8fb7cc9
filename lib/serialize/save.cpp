#include "files.h"
#include "pickle.h"
#include "xlac/formats/zip_file.h"

#include "xlac/job/job.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/storage.h"

#include <map>

namespace xlac::serialize {

void write_atomically(const std::filesystem::path &path,
                      const std::function<void(std::ostream &)> &write,
                      const FileWriterOptions &options) {
  FileWriter writer(path, options);
  unwrap(writer.status());
  FileStream os(writer);
  try {
    write(os);
    os.flush();
  } catch (...) {
    unwrap(writer.status()); // throws the cause, which the stream does not know
    throw;
  }
  if (!os && writer.status())
    raise<RuntimeError>(path.string() + ": cannot be written");
  unwrap(writer.finish());
}

Computed::Computed(const Value &data) {
  std::map<int, std::vector<Tensor>> devices;
  for_each_tensor(data, [&](const Tensor &tensor) {
    if (tensor.is_xla())
      devices[tensor.device().index].push_back(tensor);
  });
  for (const auto &[device, tensors] : devices) {
    std::vector<graph::Value> computed =
        frontend::computed_values(device, tensors);
    for (size_t i = 0; i < computed.size(); ++i)
      values_[tensors[i].id()] = std::move(computed[i]);
  }
}

host::Literal Computed::elements_of(const Tensor &tensor) const {
  // The storage of a view was computed after the view's value, so the view
  // itself would be computed again.
  auto known = values_.find(tensor.id());
  if (known == values_.end())
    return frontend::elements_of(tensor);
  graph::Value same;
  return lazy::materialize(tensor.device().index, known->second, &same);
}

void write_container(const Value &data, const Computed &computed,
                     std::ostream &os, bool as_cpu) {
  // The pickle is the first record, but is complete only after all tensors are
  // listed.
  std::vector<Tensor> tensors;
  PickleOptions options;
  options.store = [&](const Tensor &tensor) {
    tensors.push_back(tensor);
    return StorageName{std::to_string(tensors.size() - 1),
                       as_cpu ? "cpu" : tensor.device().str()};
  };
  std::string pickle = write_pickle(data, options);
  formats::ZipWriter zip(os);
  auto add = [&](const std::string &name, const std::string &bytes) {
    zip.add("archive/" + name, {bytes});
  };
  add("data.pkl", pickle);
  add("byteorder", "little");
  for (size_t i = 0; i < tensors.size(); ++i) {
    host::Literal elements = computed.elements_of(tensors[i]);
    zip.add("archive/data/" + std::to_string(i), {bytes_of(elements)});
  }
  add("version", "3\n");
  zip.finish();
  if (!os)
    raise<RuntimeError>("the stream cannot be written");
}

} // namespace xlac::serialize

namespace xlac {

using namespace serialize;

void check_view_sharing(const Value &data) {
  std::map<const lazy::Storage *, int64_t> seen;
  for_each_tensor(data, [&](const Tensor &tensor) {
    if (!tensor.is_xla())
      return;
    const lazy::Storage *storage = frontend::impl_of(tensor).storage.get();
    auto [place, added] = seen.emplace(storage, tensor.id());
    if (!added)
      raise<UserError>("Tensor ID " + std::to_string(tensor.id()) +
                       " is sharing a view with tensor ID " +
                       std::to_string(place->second));
  });
}

void save(const Value &data, std::ostream &os) {
  XLAC_CALL("save");
  check_view_sharing(data);
  write_container(data, Computed(data), os);
}

void save(const Value &data, const std::filesystem::path &path) {
  XLAC_CALL("save");
  check_view_sharing(data);
  Computed computed(data);
  write_atomically(
      path, [&](std::ostream &os) { write_container(data, computed, os); });
}

namespace xla_model {

/// Every replica computes all tensors; with master_only one replica writes.
static bool writes(const SaveOptions &options) {
  return !options.master_only || lazy::is_master_replica(options.global_master);
}

/// Waits until the file exists on all replicas.
static void settle(const SaveOptions &options) {
  const lazy::Replication &here = lazy::replication();
  if (options.sync && here.job)
    unwrap(here.job->rendezvous(here.ordinal, "xla_model.save", {}));
}

void save(const Value &data, const std::filesystem::path &path,
          SaveOptions options) {
  XLAC_CALL("save");
  Computed computed(data);
  if (writes(options))
    write_atomically(path, [&](std::ostream &os) {
      write_container(data, computed, os, /*as_cpu=*/true);
    });
  settle(options);
}

void save(const Value &data, std::ostream &os, SaveOptions options) {
  XLAC_CALL("save");
  Computed computed(data);
  if (writes(options))
    write_container(data, computed, os, /*as_cpu=*/true);
  settle(options);
}

} // namespace xla_model
} // namespace xlac
