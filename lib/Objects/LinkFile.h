// Shared objects and archives from one object file. Private to the component.
#ifndef XLAC_LIB_OBJECTS_LINKFILE_H
#define XLAC_LIB_OBJECTS_LINKFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace xlac::objects {

/// Links the object with the system's linker (ld.lld or ld) and returns the
/// bytes of the shared object. With `runtime`, libxlac_rt.a, which is in the
/// folder of this library, becomes a part of it.
llvm::Expected<std::string> linkSharedObject(llvm::StringRef object,
                                             bool runtime);

/// Returns the bytes of an archive with the object as its member `name`.o.
llvm::Expected<std::string> makeArchive(llvm::StringRef object,
                                        llvm::StringRef name);

} // namespace xlac::objects

#endif
