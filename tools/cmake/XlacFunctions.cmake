# The table of front-end functions, a td file a family.
set(XLAC_FUNCTION_FAMILIES creation random pointwise activations reductions shapes
    indexing linear_algebra fourier convolution normalization attention losses)

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
