# Writes pages as a C file: cmake -DOUT=FILE.c -DPAGES=a,b -DWEB=ON -DDIST=FOLDER -P page-bytes.cmake
# For every page NAME it defines what src/report/pages.h declares: tct_page_NAME and tct_page_NAME_size.  An array, not
# a string: C promises room for 4095 characters in a literal.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" pages ${PAGES})
set(text "/* Generated from the pages of web/. */\n#include \"pages.h\"\n")
foreach(page IN LISTS pages)
  if(WEB)
    file(READ ${DIST}/${page}.html hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "(................................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    string(APPEND text "\nstatic const unsigned char ${page}_bytes[] = {\n${hex}};\n"
      "const char *const tct_page_${page} = (const char *)${page}_bytes;\n"
      "const size_t tct_page_${page}_size = ${size};\n")
  else()
    string(APPEND text "\nconst char *const tct_page_${page} = NULL;\nconst size_t tct_page_${page}_size = 0;\n")
  endif()
endforeach()
file(WRITE ${OUT} "${text}")
