// The PJRT extensions for memory layouts and for kinds of memory. Names, types
// and their order equal those of XLA's pjrt_c_api_layouts_extension.h, version
// 3, and pjrt_c_api_memory_descriptions_extension.h, version 1.
#pragma once

#include "c_api_types.h"

extern "C" {

struct PJRT_Layouts_MemoryLayout;
struct PJRT_Layouts_SerializedLayout;
struct PJRT_MemoryDescription;

/// Destroys a layout; null is allowed.
struct PJRT_Layouts_MemoryLayout_Destroy_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Layouts_MemoryLayout *layout;
};

/// Writes a layout as XLA's text, such as "{1,0}". The host calls the deleter.
struct PJRT_Layouts_MemoryLayout_Serialize_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Layouts_MemoryLayout *layout;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_Layouts_SerializedLayout *serialized_layout;
  void (*serialized_layout_deleter)(PJRT_Layouts_SerializedLayout *layout);
};

/// Returns the layout of a buffer. The host destroys it.
struct PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Buffer *buffer;
  PJRT_Layouts_MemoryLayout *layout;
};

/// Returns the layout that a client chooses for a shape. The host destroys it.
struct PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Client *client;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Layouts_MemoryLayout *layout;
};

/// The same for the devices of a topology.
struct PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_TopologyDescription *topology_description;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Layouts_MemoryLayout *layout;
};

/// Returns the layouts of the results. The executable owns them.
struct PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Executable *executable;
  size_t num_outputs;
  PJRT_Layouts_MemoryLayout **layouts;
};

/// The extension of type PJRT_Extension_Type_Layouts.
struct PJRT_Layouts_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*PJRT_Layouts_MemoryLayout_Destroy)(
      PJRT_Layouts_MemoryLayout_Destroy_Args *args);
  PJRT_Error *(*PJRT_Layouts_MemoryLayout_Serialize)(
      PJRT_Layouts_MemoryLayout_Serialize_Args *args);
  PJRT_Error *(*PJRT_Layouts_PJRT_Client_GetDefaultLayout)(
      PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args *args);
  PJRT_Error *(*PJRT_Layouts_PJRT_Buffer_MemoryLayout)(
      PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args *args);
  PJRT_Error *(*PJRT_Layouts_PJRT_Topology_GetDefaultLayout)(
      PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args *args);
  PJRT_Error *(*PJRT_Layouts_PJRT_Executable_GetOutputLayouts)(
      PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args *args);
};

/// Returns the kinds of memory of a device; -1: none of them is the default.
struct PJRT_DeviceDescription_MemoryDescriptions_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_DeviceDescription *device_description;
  const PJRT_MemoryDescription *const *memory_descriptions;
  size_t num_memory_descriptions;
  size_t default_memory_index;
};

/// Returns the name and the number of a kind of memory.
struct PJRT_MemoryDescription_Kind_Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  const PJRT_MemoryDescription *memory_description;
  const char *kind;
  size_t kind_size;
  int kind_id;
};

/// The extension of type PJRT_Extension_Type_MemoryDescriptions.
struct PJRT_MemoryDescriptions_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*PJRT_DeviceDescription_MemoryDescriptions)(
      PJRT_DeviceDescription_MemoryDescriptions_Args *args);
  PJRT_Error *(*PJRT_MemoryDescription_Kind)(
      PJRT_MemoryDescription_Kind_Args *args);
};

} // extern "C"
