// The PJRT extension by which hosts partition custom calls, and the callback of
// JAX's custom call "InspectSharding". Names, types and their order equal those
// of XLA's pjrt_c_api_custom_partitioner_extension.h, version 1, and
// inspect_sharding.h.
#pragma once

#include "c_api_types.h"

extern "C" {

/// Bytes that the sender owns.
struct JAX_CustomCallPartitioner_string {
  const char *data;
  size_t size;
};

/// A value: a serialized ShapeProto and OpSharding.
struct JAX_CustomCallPartitioner_aval {
  JAX_CustomCallPartitioner_string shape;
  bool has_sharding;
  JAX_CustomCallPartitioner_string sharding;
};

/// The common part of all arguments. The callee sets all but `api_version`. The
/// caller calls `cleanup_fn` with `data` after it has read the results.
struct JAX_CustomCallPartitioner_version_and_error {
  int64_t api_version;
  void *data;
  void (*cleanup_fn)(void *data);
  bool has_error;
  PJRT_Error_Code code;
  JAX_CustomCallPartitioner_string error_msg;
};

/// Partitions a call: returns a module in MLIR's bytecode, and the shardings of
/// its arguments and result. Several results have a tuple's shape and sharding.
struct JAX_CustomCallPartitioner_Partition_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  size_t num_args;
  JAX_CustomCallPartitioner_aval *op_args;
  JAX_CustomCallPartitioner_aval op_result;
  JAX_CustomCallPartitioner_string backend_config;
  JAX_CustomCallPartitioner_string mlir_module;
  JAX_CustomCallPartitioner_string *args_sharding;
  JAX_CustomCallPartitioner_string result_sharding;
};

/// Returns the result's sharding that follows from those of operands, if any.
struct JAX_CustomCallPartitioner_InferShardingFromOperands_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  size_t num_args;
  JAX_CustomCallPartitioner_aval *op_args;
  JAX_CustomCallPartitioner_string result_shape;
  JAX_CustomCallPartitioner_string backend_config;
  bool has_result_sharding;
  JAX_CustomCallPartitioner_string result_sharding;
};

/// Changes a sharding of the result that a user of the result requests.
struct JAX_CustomCallPartitioner_PropagateUserSharding_Args {
  JAX_CustomCallPartitioner_version_and_error header;
  JAX_CustomCallPartitioner_string backend_config;
  JAX_CustomCallPartitioner_string result_shape;
  JAX_CustomCallPartitioner_string result_sharding;
};

/// The functions that partition the calls of one target.
struct JAX_CustomCallPartitioner_Callbacks {
  int64_t version;
  void *private_data;
  void (*dtor)(JAX_CustomCallPartitioner_Callbacks *callbacks);
  void (*partition)(JAX_CustomCallPartitioner_Callbacks *callbacks,
                    JAX_CustomCallPartitioner_Partition_Args *args);
  void (*infer_sharding)(
      JAX_CustomCallPartitioner_Callbacks *callbacks,
      JAX_CustomCallPartitioner_InferShardingFromOperands_Args *args);
  void (*propagate_user_sharding)(
      JAX_CustomCallPartitioner_Callbacks *callbacks,
      JAX_CustomCallPartitioner_PropagateUserSharding_Args *args);
  bool can_side_effecting_have_replicated_sharding;
};

/// Registers the functions for a target. They must not be destroyed before the
/// process ends. They replace earlier ones.
struct PJRT_Register_Custom_Partitioner_Args {
  size_t struct_size;
  const char *name;
  size_t name_size;
  JAX_CustomCallPartitioner_Callbacks *callbacks;
};

/// Registers a target whose calls compute each index of their batch dimensions
/// independently.
struct PJRT_Register_Batch_Partitionable_Args {
  size_t struct_size;
  const char *name;
  size_t name_size;
};

/// The extension of type PJRT_Extension_Type_Custom_Partitioner.
struct PJRT_Custom_Partitioner_Extension {
  PJRT_Extension_Base base;
  PJRT_Error *(*register_custom_partitioner)(
      PJRT_Register_Custom_Partitioner_Args *args);
  PJRT_Error *(*register_batch_partitionable)(
      PJRT_Register_Batch_Partitionable_Args *args);
};

/// Arguments of a callback: a serialized OpSharding. The callee may set
/// `error_txt`; the caller then calls `free_error`.
struct JAX_InspectSharding_Callback_Args {
  char *sharding_spec;
  size_t sharding_spec_size;
  const char *error_txt;
  void *error_scratch;
  void (*free_error)(JAX_InspectSharding_Callback_Args *args);
};

/// The bytes of the backend_config of "InspectSharding". They are valid only in
/// the process that created the program.
struct JAX_InspectSharding_Callback {
  void (*call)(void *data, JAX_InspectSharding_Callback_Args *args);
  void *data;
};

} // extern "C"
