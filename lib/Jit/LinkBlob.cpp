// Links a blob from an object. JITLink parses the object into a graph of blocks
// and relocations. This file lays them out contiguously and applies the
// relocations, without a session, a symbol table or memory of the running
// process.
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
/// The features that the code of each block needs, computed once even if
/// several blobs share the block.
class BlockFeatures {
public:
  static Expected<BlockFeatures> create(const xlac::TargetProfile &profile);
  uint64_t of(const Block &block);

private:
  std::unique_ptr<xlac::jit::FeatureScan> scan;
  DenseMap<const Block *, uint64_t> known;
};

/// The graphs of an object and of the libraries that define its undefined
/// symbols.
class Graphs {
public:
  Error add(ArrayRef<char> object);
  LinkGraph &main() const { return *graphs.front(); }
  ArrayRef<std::unique_ptr<LinkGraph>> all() const { return graphs; }
  /// Returns a library's definition of an external symbol, or null.
  Symbol *provider(const Symbol &external) const {
    return provided.lookup(*external.getName());
  }
  /// Returns the graph's number and the section's number in it.
  std::pair<unsigned, unsigned> orderOf(const Section &section) const {
    return {numbers.lookup(&section), section.getOrdinal()};
  }

private:
  std::shared_ptr<orc::SymbolStringPool> names =
      std::make_shared<orc::SymbolStringPool>();
  SmallVector<std::unique_ptr<LinkGraph>> graphs;
  StringMap<Symbol *> provided;
  DenseMap<const Section *, unsigned> numbers;
};

/// One link: selects the blocks, lays them out and copies their bytes. Does not
/// change the graphs, so that other blobs can be linked from them.
class Linker {
public:
  Linker(const Graphs &graphs, const xlac::jit::RootFilter &isRoot)
      : graphs(graphs), graph(graphs.main()), isRoot(isRoot) {}

  Error run(BlockFeatures &features);
  xlac::runtime::Blob take() { return std::move(blob); }

private:
  Error collect();
  Error reach(Block &block);
  void keep(Block &block) {
    if (live.insert(&block).second)
      blocks.push_back(&block);
  }
  void layOut();
  Error fixUp();
  void listSymbols();

  const Graphs &graphs;
  LinkGraph &graph;
  const xlac::jit::RootFilter &isRoot;
  SmallVector<Block *> blocks;
  DenseSet<const Block *> live;
  xlac::runtime::Blob blob;
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

Error Linker::run(BlockFeatures &features) {
  if (Error error = collect())
    return error;
  SmallVector<orc::ExecutorAddr> addresses;
  for (const Block *block : blocks)
    addresses.push_back(block->getAddress());
  SmallVector<Block *> found(blocks);
  layOut();
  if (Error error = fixUp())
    return error;
  listSymbols();
  for (const Block *block : blocks)
    blob.features |= features.of(*block);
  for (auto [block, address] : zip_equal(found, addresses))
    block->setAddress(address);
  return Error::success();
}

/// Collects all blocks that an exported symbol reaches. Drops .eh_frame and
/// notes.
Error Linker::collect() {
  for (Symbol *symbol : graph.defined_symbols()) {
    if (symbol->getScope() == Scope::Local ||
        (isRoot && !isRoot(nameOf(*symbol))))
      continue;
    keep(symbol->getBlock());
  }
  for (size_t i = 0; i < blocks.size(); ++i)
    if (Error error = reach(*blocks[i]))
      return error;
  return Error::success();
}

Error Linker::reach(Block &block) {
  for (Edge &edge : block.edges()) {
    Symbol &target = edge.getTarget();
    Symbol *provider = target.isExternal() ? graphs.provider(target) : nullptr;
    if (target.isExternal() && !provider)
      return createStringError("code needs the symbol '" + nameOf(target) +
                               "', which nothing provides");
    if (!edge.isRelocation()) {
      if (target.isDefined())
        keep(target.getBlock());
      continue;
    }
    if (!isRelative(edge.getKind()) || (!target.isDefined() && !provider))
      return createStringError(Twine("section '") +
                               block.getSection().getName() +
                               "' has a relocation that is not relative: " +
                               graph.getEdgeKindName(edge.getKind()) + " to '" +
                               nameOf(target) + "'");
    keep((provider ? *provider : target).getBlock());
  }
  if ((block.getSection().getMemProt() & orc::MemProt::Write) !=
      orc::MemProt::None)
    return createStringError("code keeps writable data in section '" +
                             block.getSection().getName() + "'");
  return Error::success();
}

/// Code first, then its data. Each section starts on a cache line.
void Linker::layOut() {
  llvm::sort(blocks, [&](const Block *a, const Block *b) {
    if (isExecutable(*a) != isExecutable(*b))
      return isExecutable(*a);
    if (&a->getSection() != &b->getSection())
      return graphs.orderOf(a->getSection()) < graphs.orderOf(b->getSection());
    return a->getAddress() < b->getAddress();
  });
  uint64_t end = 0;
  const Section *section = nullptr;
  for (Block *block : blocks) {
    if (&block->getSection() != section)
      end = alignTo(end, XLAC_ALIGNMENT);
    section = &block->getSection();
    uint64_t start = alignToBlock(end, *block);
    assert(start >= end && "blocks do not overlap");
    block->setAddress(orc::ExecutorAddr(start));
    end = start + block->getSize();
  }
  // Fill gaps with int3, which stops a stray jump immediately.
  blob.bytes.assign(alignTo(end, XLAC_ALIGNMENT), std::byte(0xcc));
}

Error Linker::fixUp() {
  for (Block *block : blocks) {
    assert(block->getAddress().getValue() + block->getSize() <=
               blob.bytes.size() &&
           "every block is in the blob");
    char *to = reinterpret_cast<char *>(blob.bytes.data()) +
               block->getAddress().getValue();
    if (block->isZeroFill()) {
      std::memset(to, 0, block->getSize());
      continue;
    }
    ArrayRef<char> content = block->getContent();
    assert(content.size() == block->getSize() && "a block is all content");
    std::memcpy(to, content.data(), content.size());
    block->setMutableContent({to, content.size()});
    for (Edge &edge : block->edges()) {
      if (!edge.isRelocation())
        continue;
      if (Symbol &target = edge.getTarget(); target.isExternal())
        target.getAddressable().setAddress(
            graphs.provider(target)->getAddress());
      if (Error error = x86_64::applyFixup(graph, *block, edge, nullptr))
        return error;
    }
    block->setContent(content);
  }
  return Error::success();
}

void Linker::listSymbols() {
  for (const std::unique_ptr<LinkGraph> &each : graphs.all())
    for (Symbol *symbol : each->defined_symbols()) {
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

Expected<BlockFeatures>
BlockFeatures::create(const xlac::TargetProfile &profile) {
  auto scan = xlac::jit::FeatureScan::create(profile);
  if (!scan)
    return scan.takeError();
  BlockFeatures features;
  features.scan = std::move(*scan);
  return features;
}

uint64_t BlockFeatures::of(const Block &block) {
  if (!isExecutable(block) || block.isZeroFill())
    return 0;
  auto [found, isNew] = known.try_emplace(&block, 0);
  if (isNew) {
    ArrayRef<char> content = block.getContent();
    found->second = scan->featuresOf(ArrayRef(
        reinterpret_cast<const uint8_t *>(content.data()), content.size()));
  }
  return found->second;
}

Error Graphs::add(ArrayRef<char> object) {
  MemoryBufferRef buffer(StringRef(object.data(), object.size()), "object");
  Expected<std::unique_ptr<LinkGraph>> graph =
      createLinkGraphFromObject(buffer, names);
  if (!graph)
    return graph.takeError();
  if (!(*graph)->getTargetTriple().isX86_64())
    return createStringError("the object is not x86-64 code");
  for (const Section &section : (*graph)->sections())
    numbers[&section] = graphs.size();
  if (!graphs.empty())
    for (Symbol *symbol : (*graph)->defined_symbols())
      if (symbol->getScope() != Scope::Local)
        provided[*symbol->getName()] = symbol;
  graphs.push_back(std::move(*graph));
  return Error::success();
}

namespace xlac::jit {

Expected<std::vector<runtime::Blob>>
linkBlobs(const Object &object, const TargetProfile &profile,
          ArrayRef<RootFilter> roots, ArrayRef<ArrayRef<char>> libraries) {
  std::vector<runtime::Blob> blobs;
  Error failure = catchFatalErrors([&]() -> Error {
    Graphs graphs;
    if (Error error = graphs.add(object))
      return error;
    for (ArrayRef<char> library : libraries)
      if (Error error = graphs.add(library))
        return error;
    Expected<BlockFeatures> features = BlockFeatures::create(profile);
    if (!features)
      return features.takeError();
    for (const RootFilter &isRoot : roots) {
      Linker linker(graphs, isRoot);
      if (Error error = linker.run(*features))
        return error;
      blobs.push_back(linker.take());
    }
    return Error::success();
  });
  if (failure)
    return failure;
  return blobs;
}

Expected<runtime::Blob> linkBlob(const Object &object,
                                 const TargetProfile &profile) {
  auto blobs = linkBlobs(object, profile, RootFilter());
  if (!blobs)
    return blobs.takeError();
  return std::move(blobs->front());
}

} // namespace xlac::jit
