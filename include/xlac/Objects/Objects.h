// Writes ELF objects, shared objects and archives that contain compiled
// programs with everything that a program in C needs to call them.
#ifndef XLAC_OBJECTS_OBJECTS_H
#define XLAC_OBJECTS_OBJECTS_H

#include "xlac/compiler_object.h"

#include "llvm/Support/Error.h"

namespace xlac::objects {

/// Writes the requested file. The machine code is that of the images, byte for
/// byte. Errors name what the file cannot contain, or the linker that failed.
llvm::Expected<ObjectFiles> writeObject(const ObjectRequest &request);

} // namespace xlac::objects

#endif
