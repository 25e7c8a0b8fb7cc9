# The table of front-end functions has one td file per family. The component
# tensor defines the first families, functional those of neural networks.
set(XLAC_TENSOR_FAMILIES creation random pointwise reductions shapes indexing
    linear_algebra fourier)
set(XLAC_FUNCTIONAL_FAMILIES activations convolution normalization attention
    dropout embeddings losses)
set(XLAC_FUNCTION_FAMILIES ${XLAC_TENSOR_FAMILIES} ${XLAC_FUNCTIONAL_FAMILIES})

# xlac_functions_tablegen(OUTPUT FLAGS…): one of xlac-tblgen's outputs.
function(xlac_functions_tablegen output)
  get_filename_component(name ${output} NAME)
  set(table ${PROJECT_SOURCE_DIR}/lib/tensor/functions/functions.td)
  add_custom_command(OUTPUT ${output}
    COMMAND xlac-tblgen ${ARGN} ${table} -o ${output} --write-if-changed
            -d ${output}.d -I ${PROJECT_SOURCE_DIR}/lib
    DEPENDS xlac-tblgen ${table}
    DEPFILE ${output}.d
    COMMENT "xlac-tblgen ${name}")
endfunction()
