// Replaces parts of the C++ library and of the component support in
// libxlac_rt.a. The C++ library's own functions that throw need its locales,
// and its handler of std::terminate needs a demangler; together they are larger
// than the routines.
#include "xlac/support/fork.h"

#include <cstdlib>
#include <exception>
#include <functional>
#include <new>

namespace {

/// Any exception but one for missing memory.
class LibraryError : public std::exception {
public:
  explicit LibraryError(const char *what) : what_(what) {}
  const char *what() const noexcept override { return what_; }

private:
  const char *what_;
};

} // namespace

namespace std {

void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_function_call() { throw LibraryError("bad function call"); }
void __throw_length_error(const char *what) { throw LibraryError(what); }
void __throw_logic_error(const char *what) { throw LibraryError(what); }
void __throw_invalid_argument(const char *what) { throw LibraryError(what); }
void __throw_out_of_range(const char *what) { throw LibraryError(what); }
void __throw_out_of_range_fmt(const char *what, ...) {
  throw LibraryError(what);
}
void __throw_runtime_error(const char *what) { throw LibraryError(what); }
void __throw_system_error(int) { throw LibraryError("a system call failed"); }

} // namespace std

namespace __gnu_cxx {
void __verbose_terminate_handler();
void __verbose_terminate_handler() { std::abort(); }
} // namespace __gnu_cxx

extern "C" void __cxa_pure_virtual();
extern "C" void __cxa_pure_virtual() { std::abort(); }

namespace xlac {

// POSIX lets the child of a program with threads call few functions anyway.
ForkSection::ForkSection() = default;
ForkSection::~ForkSection() = default;

} // namespace xlac
