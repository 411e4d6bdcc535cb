# What `cmake --install` puts where: library, header, program, man pages, schemas of public data sets, and the two ways
# for others to find the library (pkg-config, find_package).  Everything is relative to where it lands, so the tree may
# be moved.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tacit)

install(TARGETS tacit_shared EXPORT tacit-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS tacit_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS tacit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/tacit.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tacit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN *.1)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/docs/METHOD.md
  ${PROJECT_SOURCE_DIR}/docs/FORMATS.md ${PROJECT_SOURCE_DIR}/docs/SCALING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/datasets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tacit/datasets)

# find_package(tacit) gives tacit::tacit, the shared library.
install(EXPORT tacit-targets FILE tacit-config.cmake NAMESPACE tacit:: DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tacit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tacit-config-version.cmake DESTINATION ${package_dir})

# pkg-config tacit; with --static also what the archive needs.
file(RELATIVE_PATH up_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" up_to_prefix "${up_to_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/tacit.pc.in ${PROJECT_BINARY_DIR}/tacit.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tacit.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
