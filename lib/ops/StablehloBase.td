// Enums, attributes, types and base classes of ops of the stablehlo dialect.
#ifndef XLAC_OPS_STABLEHLO_BASE
#define XLAC_OPS_STABLEHLO_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "ops/OpFacts.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::xlac::stablehlo";
  let summary = "The StableHLO operation set";
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 0;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;

  private:
    void registerAttributes();
    void registerTypes();
    void registerOperations();
    void registerBytecode();

  public:
  }];
}

//===- Enums --------------------------------------------------------------===//

class Stablehlo_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::xlac::stablehlo";
  let genSpecializedAttr = 0;
}

class Stablehlo_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Stablehlo_Dialect, info, mnemonic>;

def Stablehlo_ComparisonDirection : Stablehlo_Enum<"ComparisonDirection",
    "Which comparison", [
    I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>,
    I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
    I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Stablehlo_ComparisonDirectionAttr
    : Stablehlo_EnumAttr<Stablehlo_ComparisonDirection, "comparison_direction">;

def Stablehlo_ComparisonType : Stablehlo_Enum<"ComparisonType",
    "How values are ordered", [
    I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>,
    I32EnumAttrCase<"TOTALORDER", 2>, I32EnumAttrCase<"SIGNED", 3>,
    I32EnumAttrCase<"UNSIGNED", 4>]>;
def Stablehlo_ComparisonTypeAttr
    : Stablehlo_EnumAttr<Stablehlo_ComparisonType, "comparison_type">;

def Stablehlo_Precision : Stablehlo_Enum<"Precision",
    "Precision of a contraction's operand", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>,
    I32EnumAttrCase<"HIGHEST", 2>]>;
def Stablehlo_PrecisionAttr
    : Stablehlo_EnumAttr<Stablehlo_Precision, "precision">;

def Stablehlo_FftType : Stablehlo_Enum<"FftType", "Which transform", [
    I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>,
    I32EnumAttrCase<"RFFT", 2>, I32EnumAttrCase<"IRFFT", 3>]>;
def Stablehlo_FftTypeAttr : Stablehlo_EnumAttr<Stablehlo_FftType, "fft_type">;

def Stablehlo_RngDistribution : Stablehlo_Enum<"RngDistribution",
    "Distribution of random numbers", [
    I32EnumAttrCase<"UNIFORM", 1>, I32EnumAttrCase<"NORMAL", 2>]>;
def Stablehlo_RngDistributionAttr
    : Stablehlo_EnumAttr<Stablehlo_RngDistribution, "rng_distribution">;

def Stablehlo_RngAlgorithm : Stablehlo_Enum<"RngAlgorithm",
    "Generator of random bits", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>,
    I32EnumAttrCase<"PHILOX", 2>]>;
def Stablehlo_RngAlgorithmAttr
    : Stablehlo_EnumAttr<Stablehlo_RngAlgorithm, "rng_algorithm">;

def Stablehlo_Transpose : Stablehlo_Enum<"Transpose",
    "How a triangular matrix is read", [
    I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>,
    I32EnumAttrCase<"TRANSPOSE", 2>, I32EnumAttrCase<"ADJOINT", 3>]>;
def Stablehlo_TransposeAttr
    : Stablehlo_EnumAttr<Stablehlo_Transpose, "transpose">;

// On an op this is an i32, as in artifacts and other producers.
def Stablehlo_CustomCallApiVersionAttr : I32EnumAttr<"CustomCallApiVersion",
    "Calling convention of a custom call", [
    I32EnumAttrCase<"API_VERSION_UNSPECIFIED", 0>,
    I32EnumAttrCase<"API_VERSION_ORIGINAL", 1>,
    I32EnumAttrCase<"API_VERSION_STATUS_RETURNING", 2>,
    I32EnumAttrCase<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
    I32EnumAttrCase<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::xlac::stablehlo";
}

def Stablehlo_ResultAccuracyMode : Stablehlo_Enum<"ResultAccuracyMode",
    "How exact a result must be", [
    I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>,
    I32EnumAttrCase<"TOLERANCE", 2>]>;
def Stablehlo_ResultAccuracyModeAttr
    : Stablehlo_EnumAttr<Stablehlo_ResultAccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

//===- Attributes ---------------------------------------------------------===//

class Stablehlo_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Stablehlo_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// In portable artifacts each field is an attribute of the op. `vhloFields`
/// lists fields that have other names there.
class Stablehlo_SpreadAttr<string name, string attrMnemonic>
    : Stablehlo_Attr<name, attrMnemonic> {
  list<string> vhloFields = [];
}

// Fields have the names of the textual form.
def Stablehlo_Dims : OptionalArrayRefParameter<"int64_t">;
def Stablehlo_Int : DefaultValuedParameter<"int64_t", "0">;

def Stablehlo_DotDimensionNumbers
    : Stablehlo_SpreadAttr<"DotDimensionNumbers", "dot"> {
  let summary = "Which dimensions a dot batches and contracts";
  let parameters = (ins
    Stablehlo_Dims:$lhs_batching_dimensions,
    Stablehlo_Dims:$rhs_batching_dimensions,
    Stablehlo_Dims:$lhs_contracting_dimensions,
    Stablehlo_Dims:$rhs_contracting_dimensions);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_GatherDimensionNumbers
    : Stablehlo_SpreadAttr<"GatherDimensionNumbers", "gather"> {
  let summary = "How a gather's dimensions correspond";
  let parameters = (ins
    Stablehlo_Dims:$offset_dims,
    Stablehlo_Dims:$collapsed_slice_dims,
    Stablehlo_Dims:$operand_batching_dims,
    Stablehlo_Dims:$start_indices_batching_dims,
    Stablehlo_Dims:$start_index_map,
    Stablehlo_Int:$index_vector_dim);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ScatterDimensionNumbers
    : Stablehlo_SpreadAttr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "How a scatter's dimensions correspond";
  let parameters = (ins
    Stablehlo_Dims:$update_window_dims,
    Stablehlo_Dims:$inserted_window_dims,
    Stablehlo_Dims:$input_batching_dims,
    Stablehlo_Dims:$scatter_indices_batching_dims,
    Stablehlo_Dims:$scatter_dims_to_operand_dims,
    Stablehlo_Int:$index_vector_dim);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ConvDimensionNumbers
    : Stablehlo_SpreadAttr<"ConvDimensionNumbers", "conv"> {
  let summary = "Which dimensions of a convolution are what";
  let parameters = (ins
    "int64_t":$input_batch_dimension,
    "int64_t":$input_feature_dimension,
    Stablehlo_Dims:$input_spatial_dimensions,
    "int64_t":$kernel_input_feature_dimension,
    "int64_t":$kernel_output_feature_dimension,
    Stablehlo_Dims:$kernel_spatial_dimensions,
    "int64_t":$output_batch_dimension,
    "int64_t":$output_feature_dimension,
    Stablehlo_Dims:$output_spatial_dimensions);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_DotAlgorithm
    : Stablehlo_SpreadAttr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "The arithmetic that a dot uses";
  let parameters = (ins
    "::mlir::Type":$lhs_precision_type,
    "::mlir::Type":$rhs_precision_type,
    "::mlir::Type":$accumulation_type,
    "int64_t":$lhs_component_count,
    "int64_t":$rhs_component_count,
    "int64_t":$num_primitive_operations,
    "bool":$allow_imprecise_accumulation);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_ChannelHandle
    : Stablehlo_SpreadAttr<"ChannelHandle", "channel_handle"> {
  let summary = "A channel between programs, and its kind";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let vhloFields = ["channel_id", "channel_type"];
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_OutputOperandAlias
    : Stablehlo_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "An output of a custom call that lives in an operand's memory";
  let parameters = (ins
    Stablehlo_Dims:$output_tuple_indices,
    "int64_t":$operand_index,
    Stablehlo_Dims:$operand_tuple_indices);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ResultAccuracyAttr
    : Stablehlo_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "The error that a result may have";
  let parameters = (ins
    APFloatParameter<"absolute tolerance">:$atol,
    APFloatParameter<"relative tolerance">:$rtol,
    Stablehlo_Int:$ulps,
    "::xlac::stablehlo::ResultAccuracyModeAttr":$mode);
  let hasCustomAssemblyFormat = 1;
  let builders = [AttrBuilder<
    (ins "::xlac::stablehlo::ResultAccuracyMode":$mode), [{
      return $_get($_ctxt, ::llvm::APFloat(0.0), ::llvm::APFloat(0.0), 0,
                   ResultAccuracyModeAttr::get($_ctxt, mode));
    }]>];
}

def Stablehlo_TypeExtensions : Stablehlo_Attr<"TypeExtensions",
    "type_extensions", [VerifiableTensorEncoding]> {
  let summary = "Upper bounds of a tensor's dynamic sizes";
  let description = [{
    One number a dimension; ShapedType::kDynamic where none is known. Written
    `#stablehlo.bounds<3, ?>`.
  }];
  let parameters = (ins Stablehlo_Dims:$bounds);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::LogicalResult verifyEncoding(
        ::llvm::ArrayRef<int64_t> shape, ::mlir::Type elementType,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
  }];
}

def Stablehlo_SubAxisInfo : Stablehlo_Attr<"SubAxisInfo", "sub_axis_info"> {
  let summary = "The part of a mesh axis that a reference means";
  let parameters = (ins "int64_t":$pre_size, "int64_t":$size);
  let assemblyFormat = "`(` $pre_size `)` `` $size";
}

def Stablehlo_AxisRef : Stablehlo_Attr<"AxisRef", "axis_ref"> {
  let summary = "A mesh axis, or a part of one";
  let parameters = (ins
    "::mlir::StringAttr":$name,
    OptionalParameter<"::xlac::stablehlo::SubAxisInfoAttr">:$sub_axis_info);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_MeshAxis : Stablehlo_Attr<"MeshAxis", "mesh_axis"> {
  let summary = "A named axis of a mesh of devices";
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_Mesh : Stablehlo_Attr<"Mesh", "mesh"> {
  let summary = "Devices in a grid with named axes";
  let parameters = (ins
    "::mlir::ArrayAttr":$axes,
    OptionalParameter<"::mlir::DenseIntElementsAttr">:$device_ids);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_ReplicaGroupMeshAxes
    : Stablehlo_Attr<"ReplicaGroupMeshAxes", "replica_group_mesh_axes"> {
  let summary = "Replica groups as axes of a mesh";
  let parameters = (ins "::mlir::Attribute":$mesh, "::mlir::ArrayAttr":$axes);
  let assemblyFormat = "`<` struct(params) `>`";
}

//===- Types --------------------------------------------------------------===//

def Stablehlo_TokenType : TypeDef<Stablehlo_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "Orders side effects; holds no data";
}

def Stablehlo_FutureType : TypeDef<Stablehlo_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "Results that an async_start will have";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
}

def Stablehlo_Token : Type<
    CPred<"::llvm::isa<::xlac::stablehlo::TokenType>($_self)">, "token",
    "::xlac::stablehlo::TokenType">,
    BuildableType<"$_builder.getType<::xlac::stablehlo::TokenType>()">;
def Stablehlo_Future : Type<
    CPred<"::llvm::isa<::xlac::stablehlo::FutureType>($_self)">, "future",
    "::xlac::stablehlo::FutureType">;

/// A ranked tensor of any element type of the specification.
def Stablehlo_Tensor : Type<
    CPred<"::xlac::stablehlo::isTensor($_self)">,
    "ranked tensor of a StableHLO element type", "::mlir::RankedTensorType">;
/// Shapes and sizes given at run time; `index` is also permitted.
def Stablehlo_DimensionTensor : Type<
    CPred<"::xlac::stablehlo::isDimensionTensor($_self)">,
    "ranked tensor of integers or index", "::mlir::RankedTensorType">;
def Stablehlo_Tuple : Type<CPred<"::llvm::isa<::mlir::TupleType>($_self)">,
    "tuple", "::mlir::TupleType">;
/// Types of values: tensors, tokens, tuples and futures.
def Stablehlo_Value : Type<
    CPred<"::xlac::stablehlo::isValue($_self)">,
    "tensor, token, tuple or future">;
/// A value, or a buffer in memory form.
def Stablehlo_ValueOrBuffer : Type<
    CPred<"::xlac::stablehlo::isValue($_self) || "
          "::llvm::isa<::mlir::MemRefType>($_self)">,
    "tensor, token, tuple, future or buffer">;

//===- Attribute constraints of ops ---------------------------------------===//

/// A dense elements attribute of i64, of any shape.
def Stablehlo_I64Elements : ElementsAttrBase<And<[
    CPred<"::llvm::isa<::mlir::DenseIntElementsAttr>($_self)">,
    CPred<"::llvm::cast<::mlir::DenseIntElementsAttr>($_self)"
          ".getElementType().isSignlessInteger(64)">]>,
    "64-bit signless integer elements attribute"> {
  let storageType = "::mlir::DenseIntElementsAttr";
  let returnType = "::mlir::DenseIntElementsAttr";
  let convertFromStorage = "$_self";
}

/// Replica groups as a matrix of ids, padded with -1, or as mesh axes.
def Stablehlo_ReplicaGroups : Attr<Or<[
    Stablehlo_I64Elements.predicate,
    CPred<"::llvm::isa<::xlac::stablehlo::ReplicaGroupMeshAxesAttr>($_self)">]>,
    "replica groups as i64 elements or mesh axes"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

def Stablehlo_PrecisionConfig : OptionalAttr<TypedArrayAttrBase<
    Stablehlo_PrecisionAttr, "array of precisions">>;
def Stablehlo_LayoutArray : TypedArrayAttrBase<
    Attr<CPred<"::llvm::isa<::mlir::DenseIntElementsAttr>($_self)">, "layout">,
    "array of layouts">;
def Stablehlo_TilingArray : ArrayAttrBase<
    CPred<"::llvm::isa<::mlir::ArrayAttr>($_self)">, "array of tilings">;
def Stablehlo_SymbolArray : TypedArrayAttrBase<FlatSymbolRefAttr,
    "array of functions">;
def Stablehlo_AliasArray : TypedArrayAttrBase<Stablehlo_OutputOperandAlias,
    "array of aliases">;
def Stablehlo_BackendConfig : Attr<Or<[
    CPred<"::llvm::isa<::mlir::StringAttr>($_self)">,
    CPred<"::llvm::isa<::mlir::DictionaryAttr>($_self)">]>,
    "string or dictionary"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}
def Stablehlo_ResultAccuracy
    : DefaultValuedOptionalAttr<Stablehlo_ResultAccuracyAttr,
                                "::xlac::stablehlo::ResultAccuracyMode::DEFAULT"> {
  let constBuilderCall =
      "::xlac::stablehlo::ResultAccuracyAttr::get($_builder.getContext(), $0)";
}

//===- Ops ----------------------------------------------------------------===//

/// Each element of a result depends only on the operands' elements at its
/// index.
def Stablehlo_Elementwise : NativeOpTrait<"Elementwise"> {
  let cppNamespace = "::xlac::stablehlo";
}

/// Every op is verified by its shape rule, which names the violated constraint.
defvar Xlac_VerifierText = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::xlac::verifyWithShapeRule(getOperation());
    }
}];

class Stablehlo_Op<string mnemonic, Xlac_Kind opKind, list<Trait> traits = []>
    : Op<Stablehlo_Dialect, mnemonic, traits>, Xlac_OpFacts {
  let vhlo = Xlac_VhloFromStart;
  let kind = opKind;
  let hasVerifier = 1;
  let extraClassDefinition = Xlac_VerifierText;
}

/// An op whose result types can be inferred. MLIR calls refineReturnTypes after
/// verify(). It need not run the rule, since verify() has checked the declared
/// types and reports errors at the op.
class Xlac_InferredOp<Dialect dialect, string mnemonic, Xlac_Kind opKind,
                      list<Trait> traits = []>
    : Op<dialect, mnemonic, !listconcat(traits, [InferTypeOpInterface])>,
      Xlac_OpFacts {
  let kind = opKind;
  let inferable = 1;
  code declarations = "";
  string compatibility = "::xlac::areCompatibleTypes";
  let extraClassDeclaration = declarations # [{
    static ::llvm::LogicalResult inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types);
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                        ::mlir::TypeRange declared);
    static ::llvm::LogicalResult refineReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location>,
        ::mlir::ValueRange, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties,
        ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::llvm::success();
    }
  }];
  let hasVerifier = 1;
  let extraClassDefinition = !strconcat(Xlac_VerifierText, [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::xlac::inferWithShapeRule<$cppClass>(
          context, location, operands, attributes, properties, regions, types);
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange declared) {
      return }], compatibility, [{(inferred, declared);
    }
  }]);
}

class Stablehlo_InferredOp<string mnemonic, Xlac_Kind opKind,
                           list<Trait> traits = []>
    : Xlac_InferredOp<Stablehlo_Dialect, mnemonic, opKind, traits> {
  let vhlo = Xlac_VhloFromStart;
}

/// The first form of ops that take several values in later forms.
class Stablehlo_VhloOneValue<string version> : Xlac_VhloForm<version> {
  let oneValue = 1;
}

#endif
