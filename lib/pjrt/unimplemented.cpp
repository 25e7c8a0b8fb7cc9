// Functions that xlac does not implement: they return UNIMPLEMENTED.
#include "errors.h"
#include "functions.h"

namespace xlac::pjrt {

#define XLAC_PJRT(name)                                                        \
  void call(PJRT_##name##_Args &) {                                            \
    throw_unimplemented("PJRT_" #name " is not implemented by xlac");          \
  }
XLAC_PJRT(Client_DmaMap)
XLAC_PJRT(Client_DmaUnmap)
XLAC_PJRT(Client_CreateAliasBuffer)
XLAC_PJRT(Client_FulfillAliasBuffer)
XLAC_PJRT(Device_PoisonExecution)
XLAC_PJRT(Device_CreateAsyncTrackingEvent)
XLAC_PJRT(AsyncTrackingEvent_Destroy)
XLAC_PJRT(CopyToDeviceStream_Destroy)
XLAC_PJRT(CopyToDeviceStream_AddChunk)
XLAC_PJRT(CopyToDeviceStream_TotalBytes)
XLAC_PJRT(CopyToDeviceStream_GranuleSize)
XLAC_PJRT(CopyToDeviceStream_CurrentBytes)
XLAC_PJRT(Buffer_CopyRawToHostFuture)
XLAC_PJRT(Buffer_DonateWithControlDependency)
#undef XLAC_PJRT

} // namespace xlac::pjrt
