// Cuts a blob from an object: JITLink parses it into a graph of blocks and
// relocations, which are laid out in one piece and fixed up here. No session,
// no symbol table, no memory of the running process takes part.
#include "xlac/Jit/Jit.h"

#include "CodeFeatures.h"
#include "FatalErrors.h"

#include "xlac/abi/abi.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/JITLink/x86_64.h"
#include "llvm/ExecutionEngine/Orc/SymbolStringPool.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;
using namespace llvm::jitlink;

namespace {
/// One link: which blocks are needed, where they go, and their bytes.
class Linker {
public:
  Linker(LinkGraph &graph, xlac::jit::RootFilter isRoot)
      : graph(graph), isRoot(isRoot) {}

  Error run(const xlac::TargetProfile &profile);
  xlac::Blob take() { return std::move(blob); }

private:
  Error collect();
  Error reach(Block &block);
  void layOut();
  Error fixUp();
  void listSymbols();
  Error scan(const xlac::TargetProfile &profile);

  LinkGraph &graph;
  xlac::jit::RootFilter isRoot;
  SmallVector<Block *> blocks;
  DenseSet<const Block *> live;
  xlac::Blob blob;
};
} // namespace

static bool isExecutable(const Block &block) {
  return (block.getSection().getMemProt() & orc::MemProt::Exec) !=
         orc::MemProt::None;
}

static bool isRelative(Edge::Kind kind) {
  switch (kind) {
  case x86_64::Delta64:
  case x86_64::Delta32:
  case x86_64::Delta16:
  case x86_64::Delta8:
  case x86_64::NegDelta64:
  case x86_64::NegDelta32:
  case x86_64::Size64:
  case x86_64::Size32:
  case x86_64::PCRel32:
  case x86_64::BranchPCRel32:
    return true;
  default:
    return false;
  }
}

static std::string nameOf(const Symbol &symbol) {
  return symbol.hasName() ? (*symbol.getName()).str() : std::string("<local>");
}

Error Linker::run(const xlac::TargetProfile &profile) {
  if (Error error = collect())
    return error;
  layOut();
  if (Error error = fixUp())
    return error;
  listSymbols();
  return scan(profile);
}

/// Everything that an exported symbol reaches; .eh_frame and notes fall away.
Error Linker::collect() {
  for (Symbol *symbol : graph.defined_symbols()) {
    if (symbol->getScope() == Scope::Local ||
        (isRoot && !isRoot(nameOf(*symbol))))
      continue;
    Block &block = symbol->getBlock();
    if (live.insert(&block).second)
      blocks.push_back(&block);
  }
  for (size_t i = 0; i < blocks.size(); ++i)
    if (Error error = reach(*blocks[i]))
      return error;
  return Error::success();
}

Error Linker::reach(Block &block) {
  for (Edge &edge : block.edges()) {
    Symbol &target = edge.getTarget();
    if (target.isExternal())
      return createStringError("code needs the symbol '" + nameOf(target) +
                               "', which nothing provides");
    if (!edge.isRelocation()) {
      if (target.isDefined() && live.insert(&target.getBlock()).second)
        blocks.push_back(&target.getBlock());
      continue;
    }
    if (!isRelative(edge.getKind()) || !target.isDefined())
      return createStringError(Twine("section '") +
                               block.getSection().getName() +
                               "' has a relocation that is not relative: " +
                               graph.getEdgeKindName(edge.getKind()) + " to '" +
                               nameOf(target) + "'");
    if (live.insert(&target.getBlock()).second)
      blocks.push_back(&target.getBlock());
  }
  if ((block.getSection().getMemProt() & orc::MemProt::Write) !=
      orc::MemProt::None)
    return createStringError("code keeps writable data in section '" +
                             block.getSection().getName() + "'");
  return Error::success();
}

/// Code first, then its data; each section starts on a cache line.
void Linker::layOut() {
  llvm::sort(blocks, [](const Block *a, const Block *b) {
    if (isExecutable(*a) != isExecutable(*b))
      return isExecutable(*a);
    if (&a->getSection() != &b->getSection())
      return a->getSection().getOrdinal() < b->getSection().getOrdinal();
    return a->getAddress() < b->getAddress();
  });
  uint64_t end = 0;
  const Section *section = nullptr;
  for (Block *block : blocks) {
    if (&block->getSection() != section)
      end = alignTo(end, XLAC_ALIGNMENT);
    section = &block->getSection();
    uint64_t start = alignToBlock(end, *block);
    block->setAddress(orc::ExecutorAddr(start));
    end = start + block->getSize();
  }
  // int3 between the pieces: a stray jump stops at once.
  blob.bytes.assign(alignTo(end, XLAC_ALIGNMENT), std::byte(0xcc));
}

Error Linker::fixUp() {
  for (Block *block : blocks) {
    char *to = reinterpret_cast<char *>(blob.bytes.data()) +
               block->getAddress().getValue();
    if (block->isZeroFill()) {
      std::memset(to, 0, block->getSize());
      continue;
    }
    ArrayRef<char> content = block->getContent();
    std::memcpy(to, content.data(), content.size());
    block->setMutableContent({to, content.size()});
    for (Edge &edge : block->edges())
      if (edge.isRelocation())
        if (Error error = x86_64::applyFixup(graph, *block, edge, nullptr))
          return error;
  }
  return Error::success();
}

void Linker::listSymbols() {
  for (Symbol *symbol : graph.defined_symbols()) {
    bool named = symbol->hasName() && !(*symbol->getName()).empty();
    bool wanted = symbol->isCallable() || symbol->getScope() != Scope::Local;
    if (!named || !wanted || !live.contains(&symbol->getBlock()))
      continue;
    blob.symbols.push_back({(*symbol->getName()).str(),
                            symbol->getAddress().getValue(),
                            symbol->getSize()});
  }
  llvm::sort(blob.symbols, [](const auto &a, const auto &b) {
    return std::tie(a.offset, a.name) < std::tie(b.offset, b.name);
  });
}

Error Linker::scan(const xlac::TargetProfile &profile) {
  Expected<std::unique_ptr<xlac::jit::FeatureScan>> scan =
      xlac::jit::FeatureScan::create(profile);
  if (!scan)
    return scan.takeError();
  for (Block *block : blocks) {
    if (!isExecutable(*block) || block->isZeroFill())
      continue;
    ArrayRef<char> content = block->getContent();
    (*scan)->add(ArrayRef(reinterpret_cast<const uint8_t *>(content.data()),
                          content.size()));
  }
  blob.features = (*scan)->features();
  return Error::success();
}

llvm::Expected<xlac::Blob> xlac::jit::linkBlob(ArrayRef<char> object,
                                               const TargetProfile &profile,
                                               RootFilter isRoot) {
  auto names = std::make_shared<orc::SymbolStringPool>();
  Blob blob;
  Error failure = catchFatalErrors([&]() -> Error {
    MemoryBufferRef buffer(StringRef(object.data(), object.size()), "object");
    Expected<std::unique_ptr<LinkGraph>> graph =
        createLinkGraphFromObject(buffer, names);
    if (!graph)
      return graph.takeError();
    if (!(*graph)->getTargetTriple().isX86_64())
      return createStringError("the object is not x86-64 code");
    Linker linker(**graph, isRoot);
    if (Error error = linker.run(profile))
      return error;
    blob = linker.take();
    return Error::success();
  });
  if (failure)
    return failure;
  return blob;
}
