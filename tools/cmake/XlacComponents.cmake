# A component is one folder of lib/, built as a static library xlac_<component>.
# Lowercase components are plain C++; CamelCase components see LLVM and MLIR.

# xlac_component(NAME SOURCES a.cpp… USES component… [LINKS library…] [DEPENDS target…]
#                [SEPARATE a.cpp…]): SEPARATE lists sources whose names hide those of
# others, so that a unity build compiles them alone.
function(xlac_component name)
  cmake_parse_arguments(COMPONENT "" "" "SOURCES;USES;LINKS;DEPENDS;SEPARATE" ${ARGN})
  add_library(xlac_${name} STATIC ${COMPONENT_SOURCES})
  set_source_files_properties(${COMPONENT_SEPARATE} PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(xlac_${name}
    PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
  foreach(used ${COMPONENT_USES})
    target_link_libraries(xlac_${name} PUBLIC xlac_${used})
  endforeach()
  target_link_libraries(xlac_${name} PUBLIC ${COMPONENT_LINKS})
  if(COMPONENT_DEPENDS)
    add_dependencies(xlac_${name} ${COMPONENT_DEPENDS})
  endif()
endfunction()

set(XLAC_COMPILER_OPTIONS -fno-exceptions)
if(XLAC_BUILD_FUZZERS)
  # Coverage, which libFuzzer follows.
  list(APPEND XLAC_COMPILER_OPTIONS -fsanitize=fuzzer-no-link)
endif()

# xlac_compiler_component(...): the same, with LLVM's headers, no exceptions and the
# shared precompiled header. A folder that compiles with other flags than the header
# sets XLAC_WITHOUT_COMPILER_PCH.
function(xlac_compiler_component name)
  xlac_component(${name} ${ARGN})
  target_link_libraries(xlac_${name} PUBLIC xlac_llvm_headers)
  target_compile_options(xlac_${name} PRIVATE ${XLAC_COMPILER_OPTIONS})
  if(NOT XLAC_WITHOUT_COMPILER_PCH)
    xlac_use_compiler_pch(xlac_${name})
  endif()
endfunction()

# xlac_use_pch(TARGET HEADER [EXECUTABLE] [PROPERTIES_OF target]
#              [LINKS target…] [OPTIONS flag…]):
# precompiles tools/cmake/HEADER.h once for all targets that request it. The header
# is compiled with the include folders and definitions of PROPERTIES_OF and LINKS
# and with the flags of OPTIONS; those of the first call count. Executables have a
# precompiled header of their own, since their code is position-independent in
# another way than that of libraries.
function(xlac_use_pch target header)
  cmake_parse_arguments(PCH "EXECUTABLE" "PROPERTIES_OF" "LINKS;OPTIONS" ${ARGN})
  set(owner xlac_${header})
  if(NOT TARGET ${owner})
    set(source ${PROJECT_BINARY_DIR}/${header}.cpp)
    if(NOT EXISTS ${source})
      file(WRITE ${source} "// Owns a precompiled header.\nint main() {}\n")
    endif()
    if(PCH_EXECUTABLE)
      add_executable(${owner} EXCLUDE_FROM_ALL ${source})
    else()
      add_library(${owner} STATIC EXCLUDE_FROM_ALL ${source})
    endif()
    target_link_libraries(${owner} PRIVATE ${PCH_LINKS})
    target_compile_options(${owner} PRIVATE ${PCH_OPTIONS})
    if(PCH_PROPERTIES_OF)
      # Not linked: its own sources use the header.
      target_include_directories(${owner} PRIVATE
        $<TARGET_PROPERTY:${PCH_PROPERTIES_OF},INTERFACE_INCLUDE_DIRECTORIES>)
      target_compile_definitions(${owner} PRIVATE
        $<TARGET_PROPERTY:${PCH_PROPERTIES_OF},INTERFACE_COMPILE_DEFINITIONS>)
    endif()
    target_precompile_headers(${owner} PRIVATE
      ${PROJECT_SOURCE_DIR}/tools/cmake/${header}.h)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # ccache needs the name of the precompiled header in preprocessed sources.
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()

function(xlac_use_compiler_pch target)
  xlac_use_pch(${target} compiler_pch LINKS xlac_llvm_headers OPTIONS ${XLAC_COMPILER_OPTIONS})
endfunction()

# For components from tensor on.
function(xlac_use_front_end_pch target)
  xlac_use_pch(${target} front_end_pch PROPERTIES_OF xlac_tensor)
  if(TARGET xlac_front_end_pch)
    add_dependencies(xlac_front_end_pch XlacFunctionTable)
  endif()
endfunction()

# For tests of the front end.
function(xlac_use_test_pch target)
  xlac_use_pch(${target} test_pch EXECUTABLE PROPERTIES_OF xlac_tensor LINKS GTest::gtest)
  if(TARGET xlac_test_pch)
    add_dependencies(xlac_test_pch XlacFunctionTable)
  endif()
endfunction()

# xlac_test(NAME SOURCES … LINKS …): one GoogleTest program, labelled fast,
# or else SLOW, or TORTURE: `./dev torture` alone runs it. CI runs fast tests alone
# with sanitizers, so that the target `all` has no others there.
# SLOW_SANITIZED: the test is slow in that case.
# COMPILER: the test links parts of the compiler. It has the label compiler unless
# it is SLOW.
# RUNS_COMPILED: the test compiles and runs programs, with the compiler of this
# build or with XLAC_COMPILER_LIBRARY; without either it is not there. Sanitizers
# make the compiler too slow for these tests.
# OPTIMIZED: the test itself computes or compares much data.
# IN_TORTURE: a filter of GoogleTest for the cases that `./dev torture` alone runs,
# as the test NAME_more.
function(xlac_test name)
  cmake_parse_arguments(TEST "SLOW;SLOW_SANITIZED;TORTURE;COMPILER;RUNS_COMPILED;OPTIMIZED" "IN_TORTURE" "SOURCES;LINKS" ${ARGN})
  if(TEST_RUNS_COMPILED AND NOT XLAC_TESTS_RUN_COMPILED)
    return()
  endif()
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LINKS} GTest::gtest_main)
  if(TEST_OPTIMIZED)
    target_compile_options(${name} PRIVATE -O1)
  endif()
  if(TEST_COMPILER)
    target_link_libraries(${name} PRIVATE xlac_llvm_shared)
  elseif(TEST_LINKS MATCHES "xlac_(tensor|autograd|nn|optim|spmd|xm|distributed|serialize|data|golden|module_cases)|xlac(;|$)")
    xlac_use_test_pch(${name})
  endif()
  set(tests ${name})
  if(TEST_IN_TORTURE)
    add_test(NAME ${name} COMMAND ${name} --gtest_filter=-${TEST_IN_TORTURE})
    add_test(NAME ${name}_more COMMAND ${name} --gtest_filter=${TEST_IN_TORTURE})
    list(APPEND tests ${name}_more)
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  set(label fast)
  if(TEST_TORTURE)
    set(label torture)
  elseif(TEST_SLOW OR (TEST_SLOW_SANITIZED AND XLAC_SANITIZE))
    set(label slow)
  elseif(TEST_COMPILER)
    list(APPEND label compiler)
  endif()
  if(XLAC_SANITIZE AND NOT "fast" IN_LIST label)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    if(NOT TARGET ${label}_tests)
      add_custom_target(${label}_tests)
    endif()
    add_dependencies(${label}_tests ${name})
  endif()
  # Tests compare messages without the source locations that a build with debug
  # information adds.
  set_tests_properties(${tests} PROPERTIES LABELS "${label}" TIMEOUT 600
    ENVIRONMENT "XLAC_ERROR_PLACES=0")
  if(TEST_IN_TORTURE)
    set_tests_properties(${name}_more PROPERTIES LABELS torture TIMEOUT 7200)
  endif()
  if(TEST_COMPILER AND XLAC_SANITIZE)
    set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT "${XLAC_SANITIZED_COMPILER}")
  endif()
  if(TEST_RUNS_COMPILED AND XLAC_BUILD_COMPILER)
    add_dependencies(${name} xlac_compiler)
  elseif(TEST_RUNS_COMPILED)
    set_property(TEST ${tests} APPEND PROPERTY
      ENVIRONMENT "XLAC_COMPILER_LIBRARY=${XLAC_COMPILER_LIBRARY}")
  endif()
endfunction()

# xlac_tablegen(DIR TARGET TD  OUTPUT "flags" …): mlir-tblgen's outputs under
# <build>/DIR, tied to TARGET.
function(xlac_tablegen directory target td)
  set(outputs)
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest output flags)
    separate_arguments(flags)
    set(path ${PROJECT_BINARY_DIR}/${directory}/${output})
    add_custom_command(OUTPUT ${path}
      COMMAND ${LLVM_TOOLS_BINARY_DIR}/mlir-tblgen ${flags} ${td} -o ${path}
              --write-if-changed -d ${path}.d
              -I ${PROJECT_SOURCE_DIR}/include -I ${PROJECT_SOURCE_DIR}/lib
              -I ${MLIR_INCLUDE_DIRS}
      DEPENDS ${td} DEPFILE ${path}.d
      COMMENT "mlir-tblgen ${output}")
    list(APPEND outputs ${path})
  endwhile()
  add_custom_target(${target} DEPENDS ${outputs})
endfunction()
