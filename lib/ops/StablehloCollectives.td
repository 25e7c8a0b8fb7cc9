// Ops that communicate with other devices or the host.
#ifndef XLAC_OPS_STABLEHLO_COLLECTIVES
#define XLAC_OPS_STABLEHLO_COLLECTIVES

include "ops/StablehloBase.td"

//===- Collectives and channels -------------------------------------------===//

class Stablehlo_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, Xlac_Collective, traits> {
  let sideEffects = 1;
  let vhloWithout = ["channel_type"];
}

class Stablehlo_InferredCollectiveOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_InferredOp<mnemonic, Xlac_Collective, traits> {
  let sideEffects = 1;
  let vhloWithout = ["channel_type"];
}

defvar Stablehlo_VhloVariadic = [Stablehlo_VhloOneValue<"0.9.0">,
                                 Xlac_VhloForm<"1.5.0">];

def Stablehlo_AllGatherOp : Stablehlo_CollectiveOp<"all_gather"> {
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands,
    I64Attr:$all_gather_dim, Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let vhlo = Stablehlo_VhloVariadic;
  let results = (outs Variadic<Stablehlo_Tensor>);
}

def Stablehlo_AllReduceOp : Stablehlo_InferredCollectiveOp<"all_reduce"> {
  let vhlo = Stablehlo_VhloVariadic;
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Variadic<Stablehlo_Tensor>);
}

def Stablehlo_AllToAllOp : Stablehlo_InferredCollectiveOp<"all_to_all"> {
  let vhlo = Stablehlo_VhloVariadic;
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands,
    I64Attr:$split_dimension, I64Attr:$concat_dimension, I64Attr:$split_count,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle);
  let results = (outs Variadic<Stablehlo_Tensor>);
}

def Stablehlo_CollectiveBroadcastOp
    : Stablehlo_InferredCollectiveOp<"collective_broadcast"> {
  let vhlo = [Stablehlo_VhloOneValue<"0.16.0">,
              Xlac_VhloForm<"1.20.0", ["has_dynamic_root"]>];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<Stablehlo_Tensor>);
}

def Stablehlo_CollectivePermuteOp
    : Stablehlo_InferredCollectiveOp<"collective_permute"> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    Stablehlo_I64Elements:$source_target_pairs,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle);
  let results = (outs Stablehlo_Tensor);
}

def Stablehlo_CollectiveReduceOp
    : Stablehlo_InferredCollectiveOp<"collective_reduce"> {
  let vhlo = [Xlac_VhloForm<"1.19.0">];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$operands,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids, UnitAttr:$has_dynamic_root);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Variadic<Stablehlo_Tensor>);
}

def Stablehlo_CrossReplicaSumOp
    : Stablehlo_InferredCollectiveOp<"cross-replica-sum"> {
  let arguments = (ins Stablehlo_Tensor:$operand,
                       Stablehlo_I64Elements:$replica_groups);
  let results = (outs Stablehlo_Tensor);
  let shapeRule = "cross_replica_sum";
}

def Stablehlo_ReduceScatterOp : Stablehlo_CollectiveOp<"reduce_scatter"> {
  let arguments = (ins Stablehlo_Tensor:$operand, I64Attr:$scatter_dimension,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Stablehlo_Tensor);
}

def Stablehlo_AsyncStartOp
    : Stablehlo_CollectiveOp<"async_start", [IsolatedFromAbove]> {
  let vhlo = [Xlac_VhloForm<"1.15.0">];
  let arguments = (ins Variadic<Stablehlo_ValueOrBuffer>:$operands);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Stablehlo_Future);
  let hasRegionVerifier = 1;
}

def Stablehlo_AsyncDoneOp : Stablehlo_InferredCollectiveOp<"async_done"> {
  let vhlo = [Xlac_VhloForm<"1.15.0">];
  let arguments = (ins Stablehlo_Future:$operand);
  let results = (outs Variadic<Stablehlo_ValueOrBuffer>);
}

def Stablehlo_InfeedOp : Stablehlo_CollectiveOp<"infeed"> {
  let arguments = (ins Stablehlo_Token:$token,
    DefaultValuedStrAttr<StrAttr, "">:$infeed_config,
    OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<Stablehlo_Value>);
}

def Stablehlo_OutfeedOp : Stablehlo_InferredCollectiveOp<"outfeed"> {
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
    Stablehlo_Token:$token, DefaultValuedStrAttr<StrAttr, "">:$outfeed_config);
  let results = (outs Stablehlo_Token);
}

defvar Stablehlo_VhloTransfer = [
  Xlac_VhloForm<"0.9.0">, Xlac_VhloForm<"1.12.0", ["source_target_pairs"]>];

def Stablehlo_RecvOp : Stablehlo_CollectiveOp<"recv"> {
  let vhlo = Stablehlo_VhloTransfer;
  let vhloWithout = [];
  let arguments = (ins Stablehlo_Token:$token,
    Stablehlo_ChannelHandle:$channel_handle,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
    OptionalAttr<Stablehlo_I64Elements>:$source_target_pairs);
  let results = (outs Variadic<Stablehlo_Value>);
}

def Stablehlo_SendOp : Stablehlo_InferredCollectiveOp<"send"> {
  let vhlo = Stablehlo_VhloTransfer;
  let vhloWithout = [];
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs,
    Stablehlo_Token:$token, Stablehlo_ChannelHandle:$channel_handle,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
    OptionalAttr<Stablehlo_I64Elements>:$source_target_pairs);
  let results = (outs Stablehlo_Token);
}

#endif
