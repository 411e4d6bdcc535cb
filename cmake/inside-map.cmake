# The version script of libtacit.so: FROM, and the tct_ names that the object files listed in OBJECTS use and do not define.
#
#   cmake -DNM=nm -DOBJECTS=list.txt -DFROM=library.map -DVERSION=0.1.0 -DOUT=libtacit.map -P inside-map.cmake
file(STRINGS ${OBJECTS} objects)
execute_process(COMMAND ${NM} --format=posix ${objects} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "tct_[A-Za-z0-9_]+ [A-Za-z]" entries "${text}")
set(used ${entries})
list(FILTER used INCLUDE REGEX " U$")
list(TRANSFORM used REPLACE " .*" "")
set(defined ${entries})
list(FILTER defined EXCLUDE REGEX " U$")
list(TRANSFORM defined REPLACE " .*" "")
list(REMOVE_ITEM used ${defined})
list(REMOVE_DUPLICATES used)
list(SORT used)
list(JOIN used ";\n        " names)
file(READ ${FROM} map)
file(WRITE ${OUT} "${map}\n/* For the libraries beside it, of the same build. */\nTACIT_INSIDE_${VERSION} {\n    global:\n        ${names};\n};\n")
