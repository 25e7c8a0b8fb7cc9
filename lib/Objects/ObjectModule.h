// The LLVM module of an object. Private to the component.
#ifndef XLAC_LIB_OBJECTS_OBJECTMODULE_H
#define XLAC_LIB_OBJECTS_OBJECTMODULE_H

#include "xlac/compiler_object.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace xlac::objects {

/// The bytes of object_functions.c as LLVM bitcode.
llvm::StringRef objectFunctions();

/// Builds the module: the functions of object_functions.c, the programs' code
/// and constants, tables that describe them, and the public functions.
class ObjectModule {
public:
  ObjectModule(const ObjectRequest &request, llvm::LLVMContext &context)
      : request(request), context(context) {}

  /// Call once.
  llvm::Error build();

  std::unique_ptr<llvm::Module> takeModule() { return std::move(module); }
  std::string takeWeights() { return std::move(weights); }
  /// The functions of libxlac_rt.a that the module calls.
  std::vector<std::string> takeRoutines() { return std::move(routines); }

private:
  llvm::Error addProgram(const ObjectProgram &program);
  llvm::Constant *addSizes(const ObjectSizes &sizes);
  llvm::Constant *describeVariant(const ObjectCode &code);
  llvm::Constant *describeMemory(const runtime::ExecutableImage &image,
                                 bool isPrologue);
  void addFunctions(const ObjectProgram &program, llvm::Constant *table);
  void addFunction(const llvm::Twine &name, llvm::StringRef implementation,
                   llvm::Constant *table, llvm::ArrayRef<llvm::Type *> types,
                   llvm::ArrayRef<int> order, size_t sizes);
  void addWeights();
  void eraseUnused();

  /// The function or constant that holds these bytes. Equal bytes are stored
  /// once.
  llvm::Constant *code(const runtime::Blob &blob);
  llvm::Constant *constant(std::span<const std::byte> bytes);
  /// The offset of these bytes in the weights file.
  int64_t weightOffset(std::span<const std::byte> bytes);
  llvm::Constant *symbolAddress(const runtime::ExecutableImage &image,
                                uint32_t blob, llvm::StringRef name);
  void nameKernels(const runtime::ExecutableImage &image);
  llvm::Constant *routine(llvm::StringRef name);

  llvm::GlobalVariable *addData(llvm::Constant *initializer,
                                llvm::Align alignment);
  llvm::Constant *table(llvm::Constant *initializer);
  llvm::Constant *numbers(llvm::ArrayRef<int64_t> values);
  llvm::Constant *text(llvm::StringRef value);
  llvm::Constant *pointers(llvm::ArrayRef<llvm::Constant *> values);
  llvm::Constant *int32(int64_t value);
  llvm::Constant *int64(int64_t value);
  llvm::Constant *null();

  /// Bytes that are stored, and where.
  template <class Place> struct Stored {
    std::span<const std::byte> bytes;
    Place place;
  };
  template <class Place> using Store = std::multimap<uint64_t, Stored<Place>>;
  /// Finds the place of equal bytes, or stores them with `make`.
  template <class Place, class Make>
  static Place findOrStore(Store<Place> &store,
                           std::span<const std::byte> bytes, Make make);

  const ObjectRequest &request;
  llvm::LLVMContext &context;
  std::unique_ptr<llvm::Module> module;
  Store<llvm::Constant *> codes, constants;
  Store<int64_t> weightOffsets;
  std::string weights;
  std::vector<std::string> routines;
  std::vector<llvm::GlobalVariable *> tables; ///< of programs
};

} // namespace xlac::objects

#endif
