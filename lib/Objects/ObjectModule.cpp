#include "ObjectModule.h"

#include "xlac/Jit/Jit.h"
#include "xlac/abi/objects.h"
#include "xlac/support/program_names.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

using namespace llvm;

namespace xlac::objects {

/// Constants are addressed relative to code, which ELF's usual code model
/// allows within 2 GiB.
static constexpr uint64_t kMostConstantBytes = uint64_t(1) << 30;

static StringRef asText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

Constant *ObjectModule::int32(int64_t value) {
  return ConstantInt::get(llvm::Type::getInt32Ty(context), value,
                          /*IsSigned=*/true);
}

Constant *ObjectModule::int64(int64_t value) {
  return ConstantInt::get(llvm::Type::getInt64Ty(context), value,
                          /*IsSigned=*/true);
}

Constant *ObjectModule::null() {
  return ConstantPointerNull::get(PointerType::getUnqual(context));
}

/// Adds a constant without a symbol. All share two sections: a section of its
/// own for each would take more bytes than most tables.
GlobalVariable *ObjectModule::addData(Constant *initializer, Align alignment) {
  auto *variable = new GlobalVariable(*module, initializer->getType(),
                                      /*isConstant=*/true,
                                      GlobalValue::PrivateLinkage, initializer);
  variable->setAlignment(alignment);
  variable->setSection(
      ((initializer->needsRelocation() ? ".data.rel.ro." : ".rodata.") +
       Twine(request.name))
          .str());
  return variable;
}

Constant *ObjectModule::table(Constant *initializer) {
  return addData(initializer, Align(8));
}

Constant *ObjectModule::numbers(ArrayRef<int64_t> values) {
  if (values.empty())
    return null();
  SmallVector<uint64_t> bits(values.begin(), values.end());
  return table(ConstantDataArray::get(context, bits));
}

Constant *ObjectModule::text(StringRef value) {
  return table(ConstantDataArray::getString(context, value));
}

Constant *ObjectModule::pointers(ArrayRef<Constant *> values) {
  if (values.empty())
    return null();
  return table(ConstantArray::get(
      ArrayType::get(PointerType::getUnqual(context), values.size()), values));
}

template <class Place, class Make>
Place ObjectModule::findOrStore(Store<Place> &store,
                                std::span<const std::byte> bytes, Make make) {
  uint64_t hash = xxh3_64bits(asText(bytes));
  auto [first, last] = store.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (asText(it->second.bytes) == asText(bytes))
      return it->second.place;
  Place place = make();
  store.emplace(hash, Stored<Place>{bytes, place});
  return place;
}

/// Machine code is the prologue data of a function, which LLVM puts into the
/// section for code as it is. Nothing calls the function at its start.
Constant *ObjectModule::code(const runtime::Blob &blob) {
  return findOrStore(codes, std::span(blob.bytes), [&]() -> Constant * {
    auto *function = Function::Create(
        FunctionType::get(llvm::Type::getVoidTy(context), false),
        GlobalValue::PrivateLinkage, "", *module);
    function->setSection(".text." + request.name);
    function->setAlignment(Align(XLAC_ALIGNMENT));
    function->addFnAttr(Attribute::NoUnwind);
    function->setPrologueData(ConstantDataArray::getRaw(
        asText(blob.bytes), blob.bytes.size(), llvm::Type::getInt8Ty(context)));
    new UnreachableInst(context, BasicBlock::Create(context, "", function));
    return function;
  });
}

Constant *ObjectModule::constant(std::span<const std::byte> bytes) {
  return findOrStore(constants, bytes, [&]() -> Constant * {
    Constant *data =
        bytes.empty()
            ? ConstantInt::get(llvm::Type::getInt8Ty(context), 0)
            : ConstantDataArray::getRaw(asText(bytes), bytes.size(),
                                        llvm::Type::getInt8Ty(context));
    return addData(data, Align(XLAC_ALIGNMENT));
  });
}

int64_t ObjectModule::weightOffset(std::span<const std::byte> bytes) {
  return findOrStore(weightOffsets, bytes, [&]() -> int64_t {
    size_t offset = weights.size();
    weights.append(asText(bytes));
    weights.resize(
        alignTo(std::max(weights.size(), offset + 1), XLAC_ALIGNMENT));
    return static_cast<int64_t>(offset);
  });
}

Constant *ObjectModule::symbolAddress(const runtime::ExecutableImage &image,
                                      uint32_t blob, StringRef name) {
  const runtime::BlobSymbol *symbol = image.blobs[blob].find(name);
  assert(symbol && "the compiler has made the image");
  return ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(context),
                                        code(image.blobs[blob]),
                                        int64(symbol->offset));
}

/// Local symbols by which debuggers and profilers name the kernels.
void ObjectModule::nameKernels(const runtime::ExecutableImage &image) {
  for (const runtime::KernelEntry &kernel : image.kernels) {
    Constant *address = symbolAddress(image, kernel.blob, kernel.symbol);
    std::string name = request.name + "." + kernel.name;
    if (module->getNamedValue(name))
      continue;
    GlobalAlias::create(
        FunctionType::get(llvm::Type::getInt32Ty(context), false), 0,
        GlobalValue::InternalLinkage, name, address, module.get());
  }
}

Constant *ObjectModule::routine(StringRef name) {
  if (!is_contained(routines, name))
    routines.push_back(name.str());
  return cast<Constant>(
      module
          ->getOrInsertFunction(
              name, FunctionType::get(llvm::Type::getInt32Ty(context), false))
          .getCallee());
}

Constant *ObjectModule::describeMemory(const runtime::ExecutableImage &image,
                                       bool isPrologue) {
  ObjectMemory memory = object_memory(image, isPrologue, request.weights_file);
  Constant *result =
      ConstantStruct::getAnon({int64(memory.bytes), int64(memory.table_offset),
                               int64(memory.scratch_offset)});
  assert(module->getDataLayout().getTypeAllocSize(result->getType()) ==
             sizeof(xlac_object_memory) &&
         "the table has the layout of the C struct");
  return result;
}

Constant *ObjectModule::describeVariant(const ObjectCode &code) {
  const runtime::ExecutableImage &image = code.image;
  nameKernels(image);
  SmallVector<Constant *> kernels, addresses, calls;
  SmallVector<int64_t> offsets;
  for (const runtime::KernelEntry &kernel : image.kernels)
    kernels.push_back(symbolAddress(image, kernel.blob, kernel.symbol));
  for (const SharedBytes &bytes : image.constants)
    if (request.weights_file)
      offsets.push_back(weightOffset(bytes));
    else
      addresses.push_back(constant(bytes));
  for (const std::vector<std::byte> &call : code.calls)
    calls.push_back(ConstantStruct::getAnon(
        {constant(call), int64(static_cast<int64_t>(call.size()))}));
  Constant *callTable =
      calls.empty()
          ? null()
          : table(ConstantArray::get(
                ArrayType::get(calls.front()->getType(), calls.size()), calls));
  bool prepares = !image.prologue.empty();
  Constant *variant = ConstantStruct::getAnon(
      {int64(static_cast<int64_t>(image.features)), text(image.target_profile),
       symbolAddress(image, 0, names::kEntrySymbol),
       prepares ? symbolAddress(image, 0, names::kPrologueSymbol) : null(),
       pointers(kernels), pointers(addresses), numbers(offsets),
       int64(static_cast<int64_t>(image.constants.size())),
       describeMemory(image, false), describeMemory(image, true),
       numbers(prepared_offsets(image.prologue)), callTable});
  assert(module->getDataLayout().getTypeAllocSize(variant->getType()) ==
             sizeof(xlac_object_variant) &&
         "the table has the layout of the C struct");
  return variant;
}

static int64_t bytesOf(const xlac::Type &type) {
  return type.is_tensor() ? type.tensor().byte_count().value_or(0) : 0;
}

Constant *ObjectModule::addSizes(const ObjectSizes &sizes) {
  SmallVector<Constant *> variants;
  int64_t arena = 0, prepared = 0;
  for (const ObjectCode &code : sizes.codes) {
    variants.push_back(describeVariant(code));
    for (bool isPrologue : {false, true})
      arena = std::max(
          arena,
          object_memory(code.image, isPrologue, request.weights_file).bytes);
    prepared = std::max(prepared, prepared_offsets(code.image.prologue).back());
  }
  const runtime::ExecutableImage &image = sizes.codes.front().image;
  SmallVector<int64_t> arguments, results, dims;
  for (const xlac::Type &type : image.arguments)
    arguments.push_back(bytesOf(type));
  for (const xlac::Type &type : image.results) {
    results.push_back(bytesOf(type));
    if (type.is_tensor())
      append_range(dims, type.tensor().dims);
  }
  Constant *variantTable = table(ConstantArray::get(
      ArrayType::get(variants.front()->getType(), variants.size()), variants));
  Constant *result = ConstantStruct::getAnon(
      {numbers(sizes.values), numbers(arguments), numbers(results),
       numbers(dims), int64(arena), int64(prepared), variantTable});
  assert(module->getDataLayout().getTypeAllocSize(result->getType()) ==
             sizeof(xlac_object_sizes) &&
         "the table has the layout of the C struct");
  return result;
}

Error ObjectModule::addProgram(const ObjectProgram &program) {
  const ObjectSizes &first = program.sizes.front();
  const runtime::ExecutableImage &image = first.codes.front().image;
  SmallVector<Constant *> sizes;
  runtime::CodeNeeds needs;
  for (const ObjectSizes &each : program.sizes) {
    sizes.push_back(addSizes(each));
    for (const ObjectCode &code : each.codes)
      needs.add(code.image.needs);
  }
  SmallVector<Constant *> library(XLAC_OBJECT_ROUTINES, null());
  static constexpr const char *kRoutines[XLAC_OBJECT_ROUTINES] = {
      "xlac_rt_fft", "xlac_rt_sort", "xlac_rt_triangular_solve",
      "xlac_rt_cholesky"};
  if (needs.routines >> XLAC_OBJECT_ROUTINES)
    return createStringError("the program calls an unknown library routine");
  for (unsigned i = 0; i < XLAC_OBJECT_ROUTINES; ++i)
    if (needs.routines >> i & 1)
      library[i] = routine(kRoutines[i]);
  SmallVector<uint32_t> prologueArguments(image.prologue.arguments.begin(),
                                          image.prologue.arguments.end());
  SmallVector<int64_t> ranks;
  for (const xlac::Type &type : image.results)
    ranks.push_back(type.is_tensor() ? type.tensor().rank() : 0);
  auto count = [&](size_t size) { return int32(static_cast<int64_t>(size)); };
  // The weights' key and size follow when all programs have been added.
  auto *sizeTable = table(ConstantArray::get(
      ArrayType::get(sizes.front()->getType(), sizes.size()), sizes));
  Constant *description = ConstantStruct::getAnon(
      {count(image.arguments.size()), count(image.results.size()),
       count(image.prologue.result_bytes.size()),
       count(prologueArguments.size()), count(first.values.size()),
       count(program.sizes.size()), count(first.codes.size()),
       prologueArguments.empty()
           ? null()
           : table(ConstantDataArray::get(context, prologueArguments)),
       numbers(ranks), sizeTable,
       ConstantArray::get(ArrayType::get(PointerType::getUnqual(context),
                                         XLAC_OBJECT_ROUTINES),
                          library),
       image.collectives.empty() ? null() : routine("xlac_rt_custom_call"),
       ConstantAggregateZero::get(
           ArrayType::get(llvm::Type::getInt8Ty(context), 16)),
       int64(0)});
  assert(module->getDataLayout().getTypeAllocSize(description->getType()) ==
             sizeof(xlac_object_program) &&
         "the table has the layout of the C struct");
  GlobalVariable *table = addData(description, Align(8));
  tables.push_back(table);
  addFunctions(program, table);
  return Error::success();
}

/// Adds a public function that passes its arguments on to `implementation`,
/// after the program's table and, with `sizes`, an array of its first arguments
/// (-1 of `order`). `order` has the numbers of the other arguments, or -2 for a
/// null pointer.
void ObjectModule::addFunction(const Twine &name, StringRef implementation,
                               Constant *table, ArrayRef<llvm::Type *> types,
                               ArrayRef<int> order, size_t sizes) {
  Function *callee =
      module->getFunction(request.name + "." + implementation.str());
  assert(callee && "object_functions.c defines the function");
  auto *function =
      Function::Create(FunctionType::get(callee->getReturnType(), types, false),
                       GlobalValue::ExternalLinkage, name, *module);
  IRBuilder<> ir(BasicBlock::Create(context, "", function));
  SmallVector<Value *> arguments = {table};
  for (int number : order) {
    if (number >= 0) {
      arguments.push_back(function->getArg(number));
      continue;
    }
    if (number == -2 || sizes == 0) {
      arguments.push_back(null());
      continue;
    }
    auto *array = ArrayType::get(ir.getInt64Ty(), sizes);
    Value *memory = ir.CreateAlloca(array);
    for (size_t i = 0; i < sizes; ++i)
      ir.CreateStore(function->getArg(i),
                     ir.CreateConstInBoundsGEP2_64(array, memory, 0, i));
    arguments.push_back(memory);
  }
  ir.CreateRet(ir.CreateCall(callee, arguments));
}

void ObjectModule::addFunctions(const ObjectProgram &program, Constant *table) {
  llvm::Type *pointer = PointerType::getUnqual(context);
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  size_t sizes = program.sizes.front().values.size();
  int first = static_cast<int>(sizes);
  bool prepares = !program.sizes.front().codes.front().image.prologue.empty();
  SmallVector<llvm::Type *> onlySizes(sizes, i64);
  auto with = [&](size_t count, llvm::Type *type) {
    SmallVector<llvm::Type *> types(onlySizes);
    types.append(count, type);
    return types;
  };
  int at = first;
  SmallVector<int> order = {-1, at, at + 1};
  at += 2;
  order.push_back(prepares ? at++ : -2);
  order.push_back(request.weights_file ? at++ : -2);
  order.append({at, at + 1});
  addFunction(program.prefix + "_run", "xlac_object_run", table,
              with(at + 2 - first, pointer), order, sizes);
  if (prepares) {
    at = first;
    order = {-1, at, at + 1};
    at += 2;
    order.push_back(request.weights_file ? at++ : -2);
    order.append({at, at + 1});
    addFunction(program.prefix + "_prepare", "xlac_object_prepare", table,
                with(at + 2 - first, pointer), order, sizes);
  }
  if (sizes == 0)
    return;
  addFunction(program.prefix + "_arena_bytes", "xlac_object_arena_bytes", table,
              onlySizes, {-1}, sizes);
  if (prepares)
    addFunction(program.prefix + "_prepared_bytes",
                "xlac_object_prepared_bytes", table, onlySizes, {-1}, sizes);
  addFunction(program.prefix + "_result_bytes", "xlac_object_result_bytes",
              table, with(1, i32), {-1, first}, sizes);
  SmallVector<llvm::Type *> shape = with(1, i32);
  shape.push_back(pointer);
  addFunction(program.prefix + "_result_shape", "xlac_object_result_shape",
              table, shape, {-1, first, first + 1}, sizes);
}

/// Completes the weights file, and writes its key and size into the tables of
/// the programs.
void ObjectModule::addWeights() {
  xlac_weights_header header = {};
  std::memcpy(header.magic, XLAC_WEIGHTS_MAGIC, sizeof header.magic);
  header.bytes = static_cast<int64_t>(weights.size());
  XXH128_hash_t hash =
      xxh3_128bits(ArrayRef(reinterpret_cast<const uint8_t *>(weights.data()),
                            weights.size())
                       .drop_front(sizeof header));
  std::memcpy(header.key, &hash, sizeof header.key);
  std::memcpy(weights.data(), &header, sizeof header);
  for (GlobalVariable *variable : tables) {
    auto *old = cast<ConstantStruct>(variable->getInitializer());
    SmallVector<Constant *> fields;
    for (Value *field : old->operands())
      fields.push_back(cast<Constant>(field));
    fields[fields.size() - 2] = ConstantDataArray::getRaw(
        StringRef(reinterpret_cast<const char *>(header.key),
                  sizeof header.key),
        sizeof header.key, llvm::Type::getInt8Ty(context));
    fields.back() = int64(header.bytes);
    variable->setInitializer(ConstantStruct::get(old->getType(), fields));
  }
}

void ObjectModule::eraseUnused() {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (Function &function : make_early_inc_range(*module))
      if ((function.isDeclaration() || function.hasLocalLinkage()) &&
          function.use_empty()) {
        function.eraseFromParent();
        isChanged = true;
      }
  }
}

Error ObjectModule::build() {
  auto parsed = parseBitcodeFile(
      MemoryBufferRef(objectFunctions(), "object_functions"), context);
  if (!parsed)
    return parsed.takeError();
  module = std::move(*parsed);
  if (Error error = jit::prepareModule(*module, known_profiles().front()))
    return error;
  for (Function &function : *module)
    if (!function.isDeclaration()) {
      function.setVisibility(GlobalValue::DefaultVisibility);
      function.setLinkage(GlobalValue::InternalLinkage);
    }
  for (GlobalValue &value : module->global_values())
    if (!value.isDeclaration())
      value.setName(request.name + "." + value.getName());
  if (request.weights_file)
    weights.resize(sizeof(xlac_weights_header));
  for (const ObjectProgram &program : request.programs)
    if (Error error = addProgram(program))
      return error;
  if (request.weights_file)
    addWeights();
  llvm::Type *pointer = PointerType::getUnqual(context);
  Constant *first = tables.front();
  addFunction(request.name + "_target", "xlac_object_target", first, {}, {}, 0);
  addFunction(request.name + "_use_target", "xlac_object_use_target", first,
              {pointer}, {0}, 0);
  uint64_t total = 0;
  for (const auto &[hash, stored] : constants)
    total += stored.bytes.size();
  if (total > kMostConstantBytes)
    return createStringError(
        "the program's constants have " + Twine(total) +
        " bytes, more than an object can hold; a weights file can hold them");
  eraseUnused();
  return Error::success();
}

} // namespace xlac::objects
