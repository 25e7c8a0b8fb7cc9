// A fixture that compiles and runs programs through the table.
#pragma once

#include "host.h"

namespace xlac::test {

/// Compile options as a serialized CompileOptionsProto: one replica, one
/// partition, device 0.
inline const std::string kOptions("\x1a\x06\x20\x01\x28\x01\x08\x00", 8);

/// Compile options for two replicas, one partition, devices 0 and 1.
inline const std::string
    kReplicas("\x1a\x10\x20\x02\x28\x01\x4a\x0a\x08\x02\x10\x01"
              "\x1a\x04\x0a\x02\x00\x01",
              18);

/// Compiles and runs programs of one result.
class Programs : public Host {
protected:
  /// Compiles a program and stores the executable, which the caller destroys.
  /// Returns the error or null.
  PJRT_Error *try_compile(std::string text, std::string options,
                          PJRT_LoadedExecutable *&made) {
    auto program = arguments<PJRT_Program>();
    program.code = text.data();
    program.code_size = text.size();
    program.format = "mlir";
    program.format_size = 4;
    auto args = arguments<PJRT_Client_Compile_Args>();
    args.client = client;
    args.program = &program;
    args.compile_options = options.data();
    args.compile_options_size = options.size();
    PJRT_Error *error = api().PJRT_Client_Compile(&args);
    made = args.executable;
    return error;
  }
  /// Compiles a program for device 0 and expects success. The caller destroys
  /// the executable.
  PJRT_LoadedExecutable *compile(const std::string &text) {
    PJRT_LoadedExecutable *made = nullptr;
    EXPECT_EQ(text_of(try_compile(text, kOptions, made)), "");
    return made;
  }

  /// Runs a program, waits for it, and returns its result, which the caller
  /// destroys. Arguments with the indices `kept` are not donated. Sets `error`.
  PJRT_Buffer *run(PJRT_LoadedExecutable *executable,
                   std::vector<PJRT_Buffer *> list,
                   std::vector<int64_t> kept = {}) {
    PJRT_Event *done = nullptr;
    PJRT_Buffer *output = launch(executable, nullptr, list, kept, done);
    if (error.empty())
      EXPECT_EQ(await(done), "");
    return output;
  }

  /// Launches a program on the device `chosen`, or on its assigned device if
  /// that is null. Returns its result, which may be pending, and stores its
  /// event in `done`; the caller destroys both. Sets `error`.
  PJRT_Buffer *launch(PJRT_LoadedExecutable *executable, PJRT_Device *chosen,
                      const std::vector<PJRT_Buffer *> &list,
                      const std::vector<int64_t> &kept, PJRT_Event *&done) {
    auto options = arguments<PJRT_ExecuteOptions>();
    options.non_donatable_input_indices = kept.data();
    options.num_non_donatable_input_indices = kept.size();
    options.context = context;
    PJRT_Buffer *output = nullptr, **outputs = &output;
    PJRT_Buffer *const *lists = list.data();
    auto args = arguments<PJRT_LoadedExecutable_Execute_Args>();
    args.executable = executable;
    args.options = &options;
    args.argument_lists = &lists;
    args.num_devices = 1;
    args.num_args = list.size();
    args.output_lists = &outputs;
    args.device_complete_events = &done;
    args.execute_device = chosen;
    error = text_of(api().PJRT_LoadedExecutable_Execute(&args));
    return output;
  }

  /// Returns a new f32 buffer of rank 1 on the second device.
  PJRT_Buffer *upload_there(const std::vector<float> &values) {
    std::vector<int64_t> dims = {static_cast<int64_t>(values.size())};
    auto args = upload_arguments(values.data(), PJRT_Buffer_Type_F32, dims);
    args.device = second_device;
    return upload(args);
  }

  std::string error;                      ///< "" if the last launch succeeded
  PJRT_ExecuteContext *context = nullptr; ///< for the next launches
};

} // namespace xlac::test
