#include "LinkFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>

using llvm::Expected;
using llvm::SmallString;
using llvm::StringRef;

namespace xlac::objects {

static llvm::Error fileError(const llvm::Twine &file, std::error_code error) {
  return llvm::createStringError(file + ": " + error.message());
}

static Expected<std::string> findLinker() {
  for (StringRef name : {"ld.lld-22", "ld.lld", "ld"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return *path;
  return llvm::createStringError(
      "no linker found; install lld-22 for --emit so");
}

/// The path of libxlac_rt.a: in the folder of this library.
static Expected<std::string> findRuntime() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&findRuntime), &info) || !info.dli_fname)
    return llvm::createStringError("the folder of this library is unknown");
  SmallString<128> path(info.dli_fname);
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "libxlac_rt.a");
  if (!llvm::sys::fs::exists(path))
    return llvm::createStringError(
        path + " not found; the program needs it in a shared object");
  return std::string(path);
}

static llvm::Error writeFile(int descriptor, StringRef bytes) {
  llvm::raw_fd_ostream file(descriptor, /*shouldClose=*/true);
  file << bytes;
  file.close();
  std::error_code error = file.error();
  file.clear_error(); // without this, the destructor ends the process
  return error ? fileError("temporary file", error) : llvm::Error::success();
}

Expected<std::string> linkSharedObject(StringRef object, bool runtime) {
  Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  SmallString<128> in, out;
  int descriptor = -1;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("xlac", "o", descriptor, in))
    return fileError("temporary file", error);
  llvm::FileRemover removeIn(in);
  if (llvm::Error error = writeFile(descriptor, object))
    return std::move(error);
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("xlac", "so", out))
    return fileError("temporary file", error);
  llvm::FileRemover removeOut(out);
  std::vector<StringRef> words = {
      *linker, "-shared", "--gc-sections", "--exclude-libs",
      "ALL",   "-z",      "noexecstack",   "-o",
      out,     in};
  std::string library;
  if (runtime) {
    Expected<std::string> found = findRuntime();
    if (!found)
      return found.takeError();
    library = std::move(*found);
    words.push_back(library);
  }
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*linker, words, std::nullopt, {}, 300,
                                         0, &message);
  if (status != 0)
    return llvm::createStringError(*linker + " failed: " + message);
  auto bytes = llvm::MemoryBuffer::getFile(out);
  if (!bytes)
    return fileError(out, bytes.getError());
  return (*bytes)->getBuffer().str();
}

Expected<std::string> makeArchive(StringRef object, StringRef name) {
  std::string member = (name + ".o").str();
  llvm::NewArchiveMember one(llvm::MemoryBufferRef(object, member));
  auto archive = llvm::writeArchiveToBuffer(
      one, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_GNU,
      /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  return (*archive)->getBuffer().str();
}

} // namespace xlac::objects
