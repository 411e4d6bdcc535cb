# openapi-bytes.cmake -- write a text file as a C array: srv_openapi[] and srv_openapi_size.
#   cmake -DOUT=FILE.c -DIN=FILE.json -P openapi-bytes.cmake
file(READ ${IN} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUT} "/* Made from openapi.json. */
#include \"openapi.h\"
const unsigned char srv_openapi[] = {${bytes}0};
const size_t srv_openapi_size = ${size};
")
