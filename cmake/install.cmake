# What `cmake --install` puts where: libraries, header, program, man pages, schemas of public data sets, and the two ways
# for others to find the libraries (pkg-config, find_package).  Everything is relative to where it lands, so the tree may
# be moved.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tacit)

install(TARGETS tacit_shared tacit_train_shared tacit_import_shared EXPORT tacit-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS tacit_static tacit_train_static tacit_import_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS tacit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET tacit_mpi)
  install(TARGETS tacit_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tacit)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/include/tacit.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tacit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN *.1)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/docs/METHOD.md
  ${PROJECT_SOURCE_DIR}/docs/FORMATS.md ${PROJECT_SOURCE_DIR}/docs/SCALING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/datasets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tacit/datasets)

# find_package(tacit) gives the shared libraries: tacit::tacit, and tacit::train and tacit::import, which bring it along.
install(EXPORT tacit-targets FILE tacit-config.cmake NAMESPACE tacit:: DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tacit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tacit-config-version.cmake DESTINATION ${package_dir})

# pkg-config tacit, tacit-train, tacit-import; with --static also what the archives need.
file(RELATIVE_PATH up_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" up_to_prefix "${up_to_prefix}")
function(tacit_pkg_config name description)
  cmake_parse_arguments(pc "" "REQUIRES;REQUIRES_PRIVATE;LIBS_PRIVATE" "" ${ARGN})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/tacit.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
tacit_pkg_config(tacit "${PROJECT_DESCRIPTION}" REQUIRES_PRIVATE "jansson libsodium zlib libzstd"
  LIBS_PRIVATE "${OpenMP_C_FLAGS} -lm")
tacit_pkg_config(tacit-train "Training, experiments and necessity for tacit" REQUIRES "tacit = ${PROJECT_VERSION}"
  LIBS_PRIVATE "-llbfgs ${OpenMP_C_FLAGS} -lm")
tacit_pkg_config(tacit-import "ONNX files for tacit" REQUIRES "tacit = ${PROJECT_VERSION}"
  REQUIRES_PRIVATE libprotobuf-c)
