// Threads that block all signals, which are left to the application's threads.
#pragma once

#include "xlac/runtime/float_mode.h"

#include <csignal>
#include <pthread.h>

namespace xlac::runtime {

/// Runs main(argument) on a new thread with that name (at most 15 characters)
/// and the default floating-point mode.
/// Returns false if no thread can be created.
inline bool start_signal_masked_thread(pthread_t &thread, const char *name,
                                       void *(*main)(void *), void *argument) {
  FloatMode mode(kDefaultFloatMode); // the thread inherits it
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  bool started = pthread_create(&thread, nullptr, main, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  if (started)
    pthread_setname_np(thread, name);
  return started;
}

} // namespace xlac::runtime
