// The attributes and types of portable artifacts, each with its bytecode code
// and the version that introduced it. The ops are generated from the op table
// (lib/ops), whose records list their forms.
#ifndef XLAC_DIALECT_VHLO
#define XLAC_DIALECT_VHLO

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "ops/StablehloBase.td"

def Vhlo_Dialect : Dialect {
  let name = "vhlo";
  let cppNamespace = "::xlac::vhlo";
  let summary = "StableHLO as portable artifacts hold it, version by version";
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect",
                           "::mlir::quant::QuantDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
  private:
    void registerAttributes();
    void registerTypes();
    void registerOperations();
    void registerBytecode();

    ::mlir::TypeIDAllocator operationIds;

  public:
  }];
}

//===- Attributes ---------------------------------------------------------===//

class Vhlo_Attr<string name, string attrMnemonic, int number,
                string version = "0, 9, 0">
    : AttrDef<Vhlo_Dialect, name> {
  let mnemonic = attrMnemonic;
  let extraClassDeclaration = [{
    static constexpr uint64_t kCode = }] # number # [{;
    static constexpr Version kSince = {}] # version # [{};
  }];
}

class Vhlo_EnumAttr<string name, string attrMnemonic, EnumInfo info, int number,
                    string version = "0, 9, 0">
    : Vhlo_Attr<name, attrMnemonic, number, version> {
  let summary = "A choice of " # info.className;
  let parameters = (ins EnumParameter<info>:$value);
  let assemblyFormat = "$value";
}

def Vhlo_Attributes : ArrayRefParameter<"::mlir::Attribute">;
def Vhlo_Types : ArrayRefParameter<"::mlir::Type">;
def Vhlo_Ints : ArrayRefParameter<"int64_t">;
def Vhlo_Float : APFloatParameter<"a double">;

def Vhlo_Array : Vhlo_Attr<"ArrayV1", "array_v1", 1> {
  let summary = "Attributes in order";
  let parameters = (ins Vhlo_Attributes:$value);
  let hasCustomAssemblyFormat = 1;
}
def Vhlo_Boolean : Vhlo_Attr<"BooleanV1", "bool_v1", 2> {
  let summary = "True or false";
  let parameters = (ins "bool":$value);
  let assemblyFormat = "`<` $value `>`";
}
def Vhlo_ComparisonDirection : Vhlo_EnumAttr<"ComparisonDirectionV1",
    "comparison_direction_v1", Stablehlo_ComparisonDirection, 3>;
def Vhlo_ComparisonType : Vhlo_EnumAttr<"ComparisonTypeV1",
    "comparison_type_v1", Stablehlo_ComparisonType, 4>;
def Vhlo_CustomCallApiVersion : Vhlo_EnumAttr<"CustomCallApiVersionV1",
    "api_version_v1", Stablehlo_CustomCallApiVersionAttr, 5>;
def Vhlo_Dictionary : Vhlo_Attr<"DictionaryV1", "dict_v1", 6> {
  let summary = "Attributes by name";
  let parameters = (ins
      ArrayRefParameter<"std::pair<::mlir::Attribute, ::mlir::Attribute>">
          :$value);
  let hasCustomAssemblyFormat = 1;
}
def Vhlo_FftType : Vhlo_EnumAttr<"FftTypeV1", "fft_type_v1",
    Stablehlo_FftType, 7>;
def Vhlo_FloatAttr : Vhlo_Attr<"FloatV1", "float_v1", 8> {
  let summary = "A number of a float type";
  let parameters = (ins "::mlir::Type":$type, APFloatParameter<"">:$value);
  let hasCustomAssemblyFormat = 1;
}
def Vhlo_IntegerAttr : Vhlo_Attr<"IntegerV1", "integer_v1", 9> {
  let summary = "A number of an integer type";
  let parameters = (ins "::mlir::Type":$type, APIntParameter<"">:$value);
  let hasCustomAssemblyFormat = 1;
}
def Vhlo_OutputOperandAlias : Vhlo_Attr<"OutputOperandAliasV1",
    "output_operand_alias_v1", 10> {
  let summary = "An output that lives in an operand's memory";
  let parameters = (ins Vhlo_Ints:$outputTupleIndices, "int64_t":$operandIndex,
                        Vhlo_Ints:$operandTupleIndices);
  let assemblyFormat = [{
    `<` `outputTupleIndices` `=` custom<Ints>($outputTupleIndices) `,`
    `operandIndex` `=` $operandIndex `,` `operandTupleIndices` `=`
    custom<Ints>($operandTupleIndices) `>`
  }];
}
def Vhlo_Precision : Vhlo_EnumAttr<"PrecisionV1", "precision_v1",
    Stablehlo_Precision, 11>;
def Vhlo_RngAlgorithm : Vhlo_EnumAttr<"RngAlgorithmV1", "rng_algorithm_v1",
    Stablehlo_RngAlgorithm, 12>;
def Vhlo_RngDistribution : Vhlo_EnumAttr<"RngDistributionV1",
    "rng_distribution_v1", Stablehlo_RngDistribution, 13>;
def Vhlo_String : Vhlo_Attr<"StringV1", "string_v1", 14> {
  let summary = "Bytes";
  let parameters = (ins StringRefParameter<>:$value);
  let assemblyFormat = "`<` custom<Text>($value) `>`";
}
def Vhlo_TensorAttr : Vhlo_Attr<"TensorV1", "tensor_v1", 15> {
  let summary = "The elements of a tensor in their layout in memory";
  let parameters = (ins "::mlir::Type":$type, ArrayRefParameter<"char">:$data);
  let hasCustomAssemblyFormat = 1;
}
def Vhlo_Transpose : Vhlo_EnumAttr<"TransposeV1", "transpose_v1",
    Stablehlo_Transpose, 16>;
def Vhlo_TypeAttr : Vhlo_Attr<"TypeV1", "type_v1", 17> {
  let summary = "A type";
  let parameters = (ins "::mlir::Type":$value);
  let assemblyFormat = "`<` $value `>`";
}
def Vhlo_TypeExtensions : Vhlo_Attr<"TypeExtensionsV1", "type_extensions_v1",
                                    18> {
  let summary = "Upper bounds of a tensor's dynamic sizes";
  let parameters = (ins Vhlo_Ints:$bounds);
  let assemblyFormat = "`<` `bounds` `=` custom<Bounds>($bounds) `>`";
}
def Vhlo_ResultAccuracyMode : Vhlo_EnumAttr<"ResultAccuracyModeV1",
    "result_accuracy_mode_v1", Stablehlo_ResultAccuracyMode, 19, "1, 9, 0">;
def Vhlo_ResultAccuracy : Vhlo_Attr<"ResultAccuracyV1", "result_accuracy_v1",
                                    20, "1, 9, 0"> {
  let summary = "The error that a result may have";
  let parameters = (ins Vhlo_Float:$atol, Vhlo_Float:$rtol, "int64_t":$ulps,
                        "::mlir::Attribute":$mode);
  let hasCustomAssemblyFormat = 1;
}
def Vhlo_SubAxisInfo : Vhlo_Attr<"SubAxisInfoV1", "sub_axis_info_v1", 21,
                                 "1, 16, 0"> {
  let summary = "The part of a mesh axis that a reference means";
  let parameters = (ins "int64_t":$pre_size, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Vhlo_AxisRef : Vhlo_Attr<"AxisRefV1", "axis_ref_v1", 22, "1, 16, 0"> {
  let summary = "A mesh axis, or a part of one";
  let parameters = (ins "::mlir::Attribute":$name,
                        OptionalParameter<"::mlir::Attribute">:$sub_axis_info);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Vhlo_ReplicaGroupMeshAxes : Vhlo_Attr<"ReplicaGroupMeshAxesV1",
    "replica_group_mesh_axes_v1", 23, "1, 16, 0"> {
  let summary = "Replica groups as axes of a mesh";
  let parameters = (ins "::mlir::Attribute":$mesh, "::mlir::Attribute":$axes);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Vhlo_MeshAxis : Vhlo_Attr<"MeshAxisV1", "mesh_axis_v1", 24, "1, 16, 0"> {
  let summary = "A named axis of a mesh of devices";
  let parameters = (ins "::mlir::Attribute":$name, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
}
def Vhlo_Mesh : Vhlo_Attr<"MeshV1", "mesh_v1", 25, "1, 16, 0"> {
  let summary = "Devices in a grid with named axes";
  let parameters = (ins "::mlir::Attribute":$axes,
                        OptionalParameter<"::mlir::Attribute">:$device_ids);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===- Types --------------------------------------------------------------===//

class Vhlo_Type<string name, string typeMnemonic, int number,
                string version = "0, 9, 0"> : TypeDef<Vhlo_Dialect, name> {
  let mnemonic = typeMnemonic;
  let summary = "A type of portable artifacts, " # typeMnemonic;
  let extraClassDeclaration = [{
    static constexpr uint64_t kCode = }] # number # [{;
    static constexpr Version kSince = {}] # version # [{};
  }];
}

def Vhlo_BooleanType : Vhlo_Type<"BooleanV1", "bool_v1", 0>;
def Vhlo_ComplexType : Vhlo_Type<"ComplexV1", "complex_v1", 1> {
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}
def Vhlo_BF16 : Vhlo_Type<"FloatBF16V1", "bf16_v1", 2>;
def Vhlo_F16 : Vhlo_Type<"FloatF16V1", "f16_v1", 3>;
def Vhlo_F32 : Vhlo_Type<"FloatF32V1", "f32_v1", 4>;
def Vhlo_F64 : Vhlo_Type<"FloatF64V1", "f64_v1", 5>;
def Vhlo_F8E4M3FN : Vhlo_Type<"FloatF8E4M3FNV1", "f8E4M3FN_v1", 6>;
def Vhlo_F8E5M2 : Vhlo_Type<"FloatF8E5M2V1", "f8E5M2_v1", 7>;
def Vhlo_Function : Vhlo_Type<"FunctionV1", "func_v1", 8> {
  let parameters = (ins Vhlo_Types:$inputs, Vhlo_Types:$outputs);
  let assemblyFormat = [{
    `<` `(` custom<TypeList>($inputs) `)` `->` custom<TypeList>($outputs) `>`
  }];
}
def Vhlo_Index : Vhlo_Type<"IndexV1", "index_v1", 9>;
def Vhlo_SI4 : Vhlo_Type<"IntegerSI4V1", "i4_v1", 10>;
def Vhlo_SI8 : Vhlo_Type<"IntegerSI8V1", "i8_v1", 11>;
def Vhlo_SI16 : Vhlo_Type<"IntegerSI16V1", "i16_v1", 12>;
def Vhlo_SI32 : Vhlo_Type<"IntegerSI32V1", "i32_v1", 13>;
def Vhlo_SI64 : Vhlo_Type<"IntegerSI64V1", "i64_v1", 14>;
def Vhlo_UI4 : Vhlo_Type<"IntegerUI4V1", "ui4_v1", 15>;
def Vhlo_UI8 : Vhlo_Type<"IntegerUI8V1", "ui8_v1", 16>;
def Vhlo_UI16 : Vhlo_Type<"IntegerUI16V1", "ui16_v1", 17>;
def Vhlo_UI32 : Vhlo_Type<"IntegerUI32V1", "ui32_v1", 18>;
def Vhlo_UI64 : Vhlo_Type<"IntegerUI64V1", "ui64_v1", 19>;
/// The code of a tensor type with an encoding is the next higher number.
def Vhlo_RankedTensor : Vhlo_Type<"RankedTensorV1", "tensor_v1", 20> {
  let parameters = (ins Vhlo_Ints:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"::mlir::Attribute">:$encoding);
  let assemblyFormat = [{
    `<` custom<Shape>($shape, $elementType) (`,` $encoding^)? `>`
  }];
}
def Vhlo_Token : Vhlo_Type<"TokenV1", "token_v1", 22>;
def Vhlo_Tuple : Vhlo_Type<"TupleV1", "tuple_v1", 23> {
  let parameters = (ins Vhlo_Types:$elementTypes);
  let assemblyFormat = "`<` custom<Elements>($elementTypes) `>`";
}
def Vhlo_UniformQuantized : Vhlo_Type<"UniformQuantizedV1", "quant_v1", 24> {
  let parameters = (ins "uint64_t":$flags, "::mlir::Type":$storageType,
    "::mlir::Type":$expressedType, Vhlo_Float:$scale, "int64_t":$zeroPoint,
    "int64_t":$storageTypeMin, "int64_t":$storageTypeMax);
  let hasCustomAssemblyFormat = 1;
}
def Vhlo_UnrankedTensor : Vhlo_Type<"UnrankedTensorV1", "unranked_tensor_v1",
                                    25> {
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}
def Vhlo_Witness : Vhlo_Type<"WitnessV1", "witness_v1", 26>;
def Vhlo_F8E4M3FNUZ
    : Vhlo_Type<"FloatF8E4M3FNUZV1", "f8E4M3FNUZ_v1", 27, "0, 10, 0">;
def Vhlo_F8E5M2FNUZ
    : Vhlo_Type<"FloatF8E5M2FNUZV1", "f8E5M2FNUZ_v1", 28, "0, 10, 0">;
def Vhlo_F8E4M3B11FNUZ
    : Vhlo_Type<"FloatF8E4M3B11FNUZV1", "f8E4M3B11FNUZ_v1", 29, "0, 11, 0">;
def Vhlo_UniformQuantizedPerAxis : Vhlo_Type<"UniformQuantizedPerAxisV1",
    "quant_per_axis_v1", 30, "0, 18, 0"> {
  let parameters = (ins "uint64_t":$flags, "::mlir::Type":$storageType,
    "::mlir::Type":$expressedType, "int64_t":$quantizedDimension,
    "int64_t":$storageTypeMin, "int64_t":$storageTypeMax,
    ArrayRefParameter<"::llvm::APFloat">:$scales, Vhlo_Ints:$zeroPoints);
  let hasCustomAssemblyFormat = 1;
}
def Vhlo_SI2 : Vhlo_Type<"IntegerSI2V1", "i2_v1", 31, "1, 2, 0">;
def Vhlo_UI2 : Vhlo_Type<"IntegerUI2V1", "ui2_v1", 32, "1, 2, 0">;
def Vhlo_None : Vhlo_Type<"NoneV1", "none_v1", 33, "1, 6, 0">;
def Vhlo_TF32 : Vhlo_Type<"FloatTF32V1", "tf31_v1", 34, "1, 6, 0">;
def Vhlo_F8E4M3 : Vhlo_Type<"FloatF8E4M3V1", "f8E4M3_v1", 35, "1, 7, 0">;
def Vhlo_F8E3M4 : Vhlo_Type<"FloatF8E3M4V1", "f8E3M4_v1", 36, "1, 7, 0">;
def Vhlo_F4E2M1FN : Vhlo_Type<"FloatF4E2M1FNV1", "f4E2M1FN_v1", 37, "1, 8, 0">;
def Vhlo_F6E2M3FN : Vhlo_Type<"FloatF6E2M3FNV1", "f6E2M3FN_v1", 38, "1, 8, 0">;
def Vhlo_F6E3M2FN : Vhlo_Type<"FloatF6E3M2FNV1", "f6E3M2FN_v1", 39, "1, 8, 0">;
def Vhlo_F8E8M0FNU
    : Vhlo_Type<"FloatF8E8M0FNUV1", "f8E8M0FNU_v1", 40, "1, 8, 0">;
def Vhlo_RankedBuffer : Vhlo_Type<"RankedBufferV1", "buffer_v1", 41,
                                  "1, 13, 0"> {
  let parameters = (ins Vhlo_Ints:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"::mlir::Attribute">:$encoding);
  let assemblyFormat = [{
    `<` custom<Shape>($shape, $elementType) (`,` $encoding^)? `>`
  }];
}
def Vhlo_Future : Vhlo_Type<"FutureV1", "future_v1", 42, "1, 15, 0"> {
  let parameters = (ins Vhlo_Types:$types);
  let assemblyFormat = "`<` custom<TypeList>($types) `>`";
}

#endif
