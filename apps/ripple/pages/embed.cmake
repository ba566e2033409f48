# cmake -DOUT=page_source_data.c -DFILES=a.js;b.css -P embed.cmake: the files as arrays of C, in the
# table that page_source.c looks into.
set(arrays "")
set(rows "")
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} id)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const char ${id}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${name}\", ${id}},\n")
endforeach()
file(WRITE ${OUT} "/* Made by embed.cmake. */\n#include \"pages/page_source.h\"\n\n${arrays}\n"
     "const app_page_source app_page_sources[] = {\n${rows}    {0, 0},\n};\n")
