# Fails unless PAGE is what `TOOL COMMAND --markdown` prints.
execute_process(COMMAND ${TOOL} ${COMMAND} --markdown OUTPUT_VARIABLE printed
                RESULT_VARIABLE code)
file(READ ${PAGE} committed)
if(NOT code EQUAL 0 OR NOT printed STREQUAL committed)
  message(FATAL_ERROR "${PAGE} is not what `xlac ${COMMAND} --markdown` prints; "
                      "run ./dev docs")
endif()
