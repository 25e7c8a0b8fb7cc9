// Replaces malloc and operator new for the code of this library, including
// LLVM: failed allocations call failForMemory. MLIR does not check the result
// of malloc.
#include "xlac/Jit/Jit.h"

#include <cstdlib>
#include <new>

// With --wrap, the linker redirects calls of NAME to __wrap_NAME, and calls of
// __real_NAME to NAME.
extern "C" {
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap__Znwm(size_t size);
void *__wrap__Znam(size_t size);
void *__wrap__ZnwmSt11align_val_t(size_t size, std::align_val_t alignment);
void *__wrap__ZnamSt11align_val_t(size_t size, std::align_val_t alignment);
}

static void *checked(void *memory, bool wanted = true) {
  if (!memory && wanted)
    xlac::jit::failForMemory();
  return memory;
}

void *__wrap_malloc(size_t size) {
  return checked(__real_malloc(size), size > 0);
}

void *__wrap_calloc(size_t count, size_t size) {
  return checked(__real_calloc(count, size), count > 0 && size > 0);
}

void *__wrap_realloc(void *memory, size_t size) {
  return checked(__real_realloc(memory, size), size > 0);
}

void *__wrap__Znwm(size_t size) {
  return checked(::operator new(size, std::nothrow));
}

void *__wrap__Znam(size_t size) {
  return checked(::operator new[](size, std::nothrow));
}

void *__wrap__ZnwmSt11align_val_t(size_t size, std::align_val_t alignment) {
  return checked(::operator new(size, alignment, std::nothrow));
}

void *__wrap__ZnamSt11align_val_t(size_t size, std::align_val_t alignment) {
  return checked(::operator new[](size, alignment, std::nothrow));
}
