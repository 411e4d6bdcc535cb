# The pages of web/, built by npm and carried as bytes: that of experiments in the library, the questionnaire in the server.
#
# Everything happens in a copy of web/ inside the build folder: the source tree is never written to, and build folders
# that are built at the same time have nothing in common that could need a lock.  Installing the packages takes seconds
# and happens again only when the lock file changes; npm keeps what it fetched in its own cache.
#
# TACIT_WEB=OFF        no pages: `tacit experiment` leaves its page out, `tacit serve` has no questionnaire; reports of
#                      audits are made in C and need none
# TACIT_WEB_DIST=DIR   take pages that were built elsewhere (no npm, no network)
option(TACIT_WEB "Build the pages of web/ into the library (needs Node.js and npm)" ON)
set(TACIT_WEB_DIST "" CACHE PATH "Folder with pages already built by `npm run build`; empty: build them")

set(web_pages experiment)         # one HTML file each
set(web_served ask)              # NAME.html, NAME.js and NAME.css
set(web_source ${PROJECT_SOURCE_DIR}/web)
set(web_build ${PROJECT_BINARY_DIR}/web)
set(web_dist ${web_build}/dist)
set(TACIT_PAGES_C ${web_build}/page_bytes.c)
set(TACIT_ASK_C ${web_build}/ask_bytes.c)

set(web_page_files ${web_pages})
list(TRANSFORM web_page_files APPEND .html)
set(web_served_files)
foreach(page IN LISTS web_served)
  list(APPEND web_served_files ${page}.html ${page}.js ${page}.css)
endforeach()

if(TACIT_WEB AND TACIT_WEB_DIST)
  get_filename_component(web_dist ${TACIT_WEB_DIST} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  foreach(file IN LISTS web_page_files web_served_files)
    if(NOT EXISTS ${web_dist}/${file})
      message(FATAL_ERROR "TACIT_WEB_DIST: there is no ${web_dist}/${file}")
    endif()
  endforeach()
elseif(TACIT_WEB)
  find_program(NPM npm)
  find_program(NODE NAMES node nodejs)
  if(NOT NPM OR NOT NODE)
    message(FATAL_ERROR "The pages of Tacit are built with npm, which was not found. Install Node.js 18 or newer "
      "with npm (Debian: apt-get install nodejs npm), or configure with -DTACIT_WEB=OFF to build without pages.")
  endif()
  set(web_packages package.json package-lock.json .npmrc)
  set(web_packages_from ${web_packages})
  list(TRANSFORM web_packages_from PREPEND ${web_source}/)
  add_custom_command(OUTPUT ${web_build}/installed
    COMMAND ${CMAKE_COMMAND} -E make_directory ${web_build}
    COMMAND ${CMAKE_COMMAND} -E copy ${web_packages_from} ${web_build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${web_build} ${NPM} ci --no-progress --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${web_build}/installed
    DEPENDS ${web_packages_from} COMMENT "Installing what the pages are made of (npm ci)" VERBATIM)

  set(web_folders src tests tools)
  set(web_globs ${web_folders})
  list(TRANSFORM web_globs REPLACE "(.+)" "${web_source}/\\1/*")
  file(GLOB_RECURSE web_files CONFIGURE_DEPENDS ${web_globs})
  list(FILTER web_files EXCLUDE REGEX "/tools/results") # makes a document, no page
  set(web_copies)
  foreach(folder IN LISTS web_folders)
    list(APPEND web_copies COMMAND ${CMAKE_COMMAND} -E rm -rf ${web_build}/${folder}
      COMMAND ${CMAKE_COMMAND} -E copy_directory ${web_source}/${folder} ${web_build}/${folder})
  endforeach()
  set(web_built ${web_page_files} ${web_served_files})
  list(TRANSFORM web_built PREPEND ${web_dist}/)
  add_custom_command(OUTPUT ${web_built}
    ${web_copies}
    COMMAND ${CMAKE_COMMAND} -E copy ${web_source}/vite.config.js ${web_build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${web_build} ${NPM} run --silent build
    DEPENDS ${web_build}/installed ${web_files} ${web_source}/vite.config.js COMMENT "Building the pages" VERBATIM)
endif()

if(TACIT_WEB)
  list(TRANSFORM web_page_files PREPEND ${web_dist}/)
  list(TRANSFORM web_served_files PREPEND ${web_dist}/)
else()
  set(web_page_files)
  set(web_served_files)
endif()
set(web_bytes ${PROJECT_SOURCE_DIR}/cmake/page-bytes.cmake)
list(JOIN web_pages "," web_page_names)
list(JOIN web_served "," web_served_names)
# Rewritten when its content changes: switching pages on or off makes the bytes anew.
set(web_state ${web_build}/state.txt)
file(CONFIGURE OUTPUT ${web_state} CONTENT "${TACIT_WEB} ${web_dist}\n")
add_custom_command(OUTPUT ${TACIT_PAGES_C}
  COMMAND ${CMAKE_COMMAND} -DOUT=${TACIT_PAGES_C} -DPAGES=${web_page_names} -DWEB=${TACIT_WEB} -DDIST=${web_dist}
    -P ${web_bytes}
  DEPENDS ${web_page_files} ${web_bytes} ${web_state} COMMENT "Writing the pages as C" VERBATIM)
add_custom_command(OUTPUT ${TACIT_ASK_C}
  COMMAND ${CMAKE_COMMAND} -DOUT=${TACIT_ASK_C} -DPAGES=${web_served_names} -DWEB=${TACIT_WEB} -DDIST=${web_dist}
    -DSERVED=ON -P ${web_bytes}
  DEPENDS ${web_served_files} ${web_bytes} ${web_state} COMMENT "Writing the questionnaire as C" VERBATIM)
add_custom_target(tct_pages DEPENDS ${TACIT_PAGES_C} ${TACIT_ASK_C})

# In a real browser; skipped, and said so, when there is no Chromium.
if(TACIT_WEB AND TACIT_TESTS AND NOT TACIT_WEB_DIST)
  enable_testing()
  foreach(page IN LISTS web_pages)
    add_test(NAME web/${page}_page COMMAND ${NODE} tests/${page}_page.mjs dist/${page}.html WORKING_DIRECTORY ${web_build})
    set_tests_properties(web/${page}_page PROPERTIES SKIP_RETURN_CODE 77 COST 200)
  endforeach()
  # Pages made in C, from documents and by the program.
  add_test(NAME web/report_page COMMAND ${NODE} tests/report_page.mjs $<TARGET_FILE:tacit> $<TARGET_FILE:page_of>
    WORKING_DIRECTORY ${web_build})
  set_tests_properties(web/report_page PROPERTIES SKIP_RETURN_CODE 77 COST 300)
endif()

# The server is described later than the pages: it gets its page when all is described.
function(web_join_server)
  if(NOT TARGET tct_server)
    return()
  endif()
  target_sources(tct_server PRIVATE ${TACIT_ASK_C})
  add_dependencies(tct_server tct_pages)
  if(TACIT_WEB AND TACIT_TESTS AND NOT TACIT_WEB_DIST)
    add_test(NAME web/ask_page COMMAND ${NODE} tests/ask_page.mjs $<TARGET_FILE:tacit> ${PROJECT_SOURCE_DIR}/examples
      WORKING_DIRECTORY ${web_build})
    set_tests_properties(web/ask_page PROPERTIES SKIP_RETURN_CODE 77 COST 250)
  endif()
endfunction()
cmake_language(DEFER CALL web_join_server)
