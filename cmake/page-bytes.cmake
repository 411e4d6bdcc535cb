# Writes pages as a C file: cmake -DOUT=FILE.c -DPAGES=a,b -DWEB=ON -DDIST=FOLDER [-DSERVED=ON] -P page-bytes.cmake
# For every page NAME it defines what src/report/pages.h declares: tct_page_NAME and tct_page_NAME_size.  With SERVED, a
# page is three files and it defines what server/pages.h declares: tct_NAME_html, _js and _css, each with its size.
# Arrays, not strings: C promises room for 4095 characters in a literal.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" pages ${PAGES})
set(text "/* Generated from the pages of web/. */\n#include \"pages.h\"\n")

# The bytes of a file as the inside of an array, and their number.
function(read_bytes file bytes size)
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR count "${digits} / 2")
  string(REGEX REPLACE "(................................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  set(${bytes} "${hex}" PARENT_SCOPE)
  set(${size} ${count} PARENT_SCOPE)
endfunction()

foreach(page IN LISTS pages)
  if(SERVED)
    foreach(kind html js css)
      set(hex "0")
      set(size 0)
      if(WEB)
        read_bytes(${DIST}/${page}.${kind} hex size)
      endif()
      string(APPEND text "\nconst unsigned char tct_${page}_${kind}[] = {\n${hex}};\n"
        "const size_t tct_${page}_${kind}_size = ${size};\n")
    endforeach()
  elseif(WEB)
    read_bytes(${DIST}/${page}.html hex size)
    string(APPEND text "\nstatic const unsigned char ${page}_bytes[] = {\n${hex}};\n"
      "const char *const tct_page_${page} = (const char *)${page}_bytes;\n"
      "const size_t tct_page_${page}_size = ${size};\n")
  else()
    string(APPEND text "\nconst char *const tct_page_${page} = NULL;\nconst size_t tct_page_${page}_size = 0;\n")
  endif()
endforeach()
file(WRITE ${OUT} "${text}")
