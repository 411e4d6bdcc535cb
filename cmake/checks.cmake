# Checks around the code, run by ctest: what is exported, what is installed, whether the documents are true.
# `demo_files` (examples/) holds loans.csv and loans.tacit.
set(tools ${PROJECT_SOURCE_DIR}/tools)
set(man ${PROJECT_SOURCE_DIR}/docs/man)
set(demo ${PROJECT_BINARY_DIR}/demo)

add_test(NAME checks/symbols COMMAND ${tools}/check-symbols.sh ${PROJECT_BINARY_DIR})
add_test(NAME checks/house-rules COMMAND ${tools}/lint.sh --rules)
add_test(NAME checks/documents COMMAND ${tools}/check-docs.sh)
add_test(NAME checks/install COMMAND ${tools}/check-install.sh ${PROJECT_BINARY_DIR} ${demo} ${CMAKE_C_COMPILER}
  ${CMAKE_C_FLAGS})
if(NOT TACIT_HARDENED OR CMAKE_C_FLAGS MATCHES "-fsanitize" OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  set_tests_properties(checks/install PROPERTIES ENVIRONMENT TACIT_HARDENED=no)
endif()
if(TACIT_SERVER)
  add_test(NAME checks/deploy COMMAND ${tools}/check-deploy.sh ${PROJECT_SOURCE_DIR}/examples/deploy $<TARGET_FILE:tacit>)
endif()
add_test(NAME checks/readme-runs COMMAND ${tools}/run-readme.sh ${PROJECT_SOURCE_DIR}/README.md $<TARGET_FILE_DIR:tacit>)
add_test(NAME checks/man-lint COMMAND ${tools}/check-man.sh lint ${man})
add_test(NAME checks/man-options COMMAND ${tools}/check-man.sh options ${man} $<TARGET_FILE:tacit>)
add_test(NAME checks/man-examples COMMAND ${tools}/check-man.sh examples ${man} $<TARGET_FILE:tacit> ${demo})
set_tests_properties(checks/man-lint checks/man-options checks/man-examples PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(checks/install checks/man-examples PROPERTIES FIXTURES_REQUIRED demo_files)
# Is docs/RESULTS.md what its numbers say?
add_test(NAME docs/results COMMAND sh -c
  "command -v node >/dev/null || { echo 'skipped: node is not installed'; exit 77; }; exec node \"$1\"" sh
  ${PROJECT_SOURCE_DIR}/web/tools/results.test.mjs)
set_tests_properties(docs/results PROPERTIES SKIP_RETURN_CODE 77)
