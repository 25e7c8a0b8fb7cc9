# Compiler, linker and ccache settings that every target shares.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(XLAC_CCACHE ccache)
if(XLAC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${XLAC_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # stable_sort of libstdc++ 12 uses functions that libstdc++ declares deprecated.
  add_compile_options(-Wno-deprecated-declarations)
  # A timestamp in a precompiled header would defeat ccache.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  find_program(XLAC_LLD NAMES ld.lld-22 ld.lld)
  if(XLAC_LLD)
    add_link_options(--ld-path=${XLAC_LLD})
  endif()
  find_program(XLAC_BOLT llvm-bolt-22)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlaps in std::string's operator+ that cannot be (GCC bug
  # 105329).
  add_compile_options(-Wno-restrict)
endif()
if(XLAC_SANITIZE)
  add_compile_options(-fsanitize=${XLAC_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # It reads data before a function; native code of xlac has none.
    add_compile_options(-fno-sanitize=function)
  endif()
  add_link_options(-fsanitize=${XLAC_SANITIZE})
endif()
add_link_options(-Wl,--gc-sections)
