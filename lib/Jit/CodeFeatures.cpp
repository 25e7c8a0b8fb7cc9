#include "CodeFeatures.h"

#include "Target.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlac::jit {

struct FeatureScan::Decoder {
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> assembler;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
};

FeatureScan::FeatureScan() = default;
FeatureScan::~FeatureScan() = default;

Expected<std::unique_ptr<FeatureScan>>
FeatureScan::create(const TargetProfile &profile) {
  Expected<const Target *> target = x86Target();
  if (!target)
    return target.takeError();
  auto decoder = std::make_unique<Decoder>();
  const Triple &triple = targetTriple();
  decoder->registers.reset((*target)->createMCRegInfo(triple));
  if (decoder->registers)
    decoder->assembler.reset((*target)->createMCAsmInfo(
        *decoder->registers, triple, decoder->options));
  decoder->subtarget.reset((*target)->createMCSubtargetInfo(
      triple, cpuLevel(profile), featureString(profile)));
  if (!decoder->assembler || !decoder->subtarget)
    return createStringError("this LLVM cannot disassemble x86-64 code");
  decoder->context = std::make_unique<MCContext>(
      triple, decoder->assembler.get(), decoder->registers.get(),
      decoder->subtarget.get());
  decoder->disassembler.reset(
      (*target)->createMCDisassembler(*decoder->subtarget, *decoder->context));
  if (!decoder->disassembler)
    return createStringError("this LLVM cannot disassemble x86-64 code");
  std::unique_ptr<FeatureScan> scan(new FeatureScan());
  scan->decoder_ = std::move(decoder);
  scan->profileFeatures_ = profile.features;
  return scan;
}

/// `code` starts after the EVEX prefix byte 62.
static uint64_t evexFeatures(ArrayRef<uint8_t> code) {
  if (code.size() < 4)
    return kFeatureAvx512;
  unsigned map = code[0] & 7, prefix = code[1] & 3, opcode = code[3];
  uint64_t features = kFeatureAvx2 | kFeatureAvx512;
  if (map == 5 || map == 6)
    features |= kFeatureAvx512Fp16;
  if (map == 2 && prefix == 1 && opcode >= 0x50 && opcode <= 0x53)
    features |= kFeatureAvx512Vnni;
  if (map == 2 && ((prefix == 2 && (opcode == 0x52 || opcode == 0x72)) ||
                   (prefix == 3 && opcode == 0x72)))
    features |= kFeatureAvx512Bf16;
  return features;
}

static uint64_t vexFeatures(unsigned map, unsigned prefix, unsigned opcode) {
  // Moves and operations of mask registers are VEX instructions.
  bool mask = (map == 1 && ((opcode >= 0x41 && opcode <= 0x4b) ||
                            (opcode >= 0x90 && opcode <= 0x93) ||
                            opcode == 0x98 || opcode == 0x99)) ||
              (map == 3 && opcode >= 0x30 && opcode <= 0x33);
  if (mask)
    return kFeatureAvx2 | kFeatureAvx512;
  if (map == 2 && prefix == 1 && opcode >= 0x50 && opcode <= 0x53)
    return kFeatureAvx2 | kFeatureAvxVnni;
  if (map == 2 && (opcode == 0x49 || opcode == 0x4b))
    return kFeatureAmxTile;
  if (map == 2 && opcode == 0x5e)
    return kFeatureAmxTile | kFeatureAmxInt8;
  if (map == 2 && opcode == 0x5c && prefix == 2)
    return kFeatureAmxTile | kFeatureAmxBf16;
  return kFeatureAvx2;
}

static uint64_t instructionFeatures(ArrayRef<uint8_t> code) {
  bool repeat = false, scalarDouble = false;
  while (!code.empty()) {
    uint8_t byte = code.front();
    repeat |= byte == 0xf3;
    scalarDouble |= byte == 0xf2;
    bool prefix = byte == 0x66 || byte == 0xf2 || byte == 0xf3 ||
                  byte == 0x2e || byte == 0x3e || byte == 0x64 ||
                  byte == 0x65 || byte == 0xf0 || (byte & 0xf0) == 0x40;
    if (!prefix)
      break;
    code = code.drop_front();
  }
  if (code.size() < 2)
    return 0;
  if (code[0] == 0x62)
    return evexFeatures(code.drop_front());
  if (code[0] == 0xc5 && code.size() >= 3)
    return vexFeatures(1, code[1] & 3, code[2]);
  if (code[0] == 0xc4 && code.size() >= 4)
    return vexFeatures(code[1] & 31, code[2] & 3, code[3]);
  if (code[0] != 0x0f)
    return 0;
  bool countZeros = repeat && (code[1] == 0xbc || code[1] == 0xbd);
  bool moveSwapped = !scalarDouble && code[1] == 0x38 && code.size() > 2 &&
                     (code[2] == 0xf0 || code[2] == 0xf1);
  return countZeros || moveSwapped ? kFeatureAvx2 : 0;
}

uint64_t FeatureScan::featuresOf(ArrayRef<uint8_t> code) {
  uint64_t features = 0;
  while (!code.empty()) {
    MCInst instruction;
    uint64_t size = 0;
    if (decoder_->disassembler->getInstruction(
            instruction, size, code, 0, nulls()) == MCDisassembler::Fail ||
        size == 0 || size > code.size())
      return features | profileFeatures_;
    features |= instructionFeatures(code.take_front(size));
    code = code.drop_front(size);
  }
  return features;
}

} // namespace xlac::jit
