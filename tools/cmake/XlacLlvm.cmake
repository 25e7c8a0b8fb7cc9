# MLIR and LLVM: shared for tools and tests; static archives for
# libxlac_compiler where XLAC_STATIC_LLVM asks for it.
find_package(MLIR 22.1 REQUIRED CONFIG
             HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(xlac_llvm_headers INTERFACE)
target_include_directories(xlac_llvm_headers SYSTEM INTERFACE
                           ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(xlac_llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
target_compile_options(xlac_llvm_headers INTERFACE ${xlac_llvm_definitions})

add_library(xlac_llvm_shared INTERFACE)
target_link_libraries(xlac_llvm_shared INTERFACE xlac_llvm_headers MLIR LLVM)

add_library(xlac_llvm_static INTERFACE)
file(GLOB xlac_mlir_archives ${LLVM_LIBRARY_DIRS}/libMLIR*.a)
file(GLOB xlac_llvm_archives ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
target_link_libraries(xlac_llvm_static INTERFACE xlac_llvm_headers
  -Wl,--start-group ${xlac_mlir_archives} ${xlac_llvm_archives} -Wl,--end-group
  z zstd xml2 ${CMAKE_DL_LIBS} Threads::Threads)
