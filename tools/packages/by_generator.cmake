# Read by cpack for each generator.
if(CPACK_GENERATOR STREQUAL "DEB")
  # CPack removes the debug information itself, and puts it into packages of its
  # own, whose names end in -dbgsym.
  set(CPACK_STRIP_FILES OFF)
else()
  # One folder, without usr.
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
endif()
