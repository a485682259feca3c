# SPDX-License-Identifier: BSD-2-Clause
# ca_room(NAME SOURCES a.c b.c [ROOMS base registers] [LIBS PkgConfig::GCRYPT])
# One static library a room, linked only with the rooms that the table of docs/ARCHITECTURE.md
# allows it.
function(ca_room name)
	cmake_parse_arguments(arg "" "" "SOURCES;ROOMS;LIBS" ${ARGN})
	add_library(ca_${name} STATIC ${arg_SOURCES})
	target_link_libraries(ca_${name} PRIVATE ca_options)
	foreach(room IN LISTS arg_ROOMS)
		target_link_libraries(ca_${name} PUBLIC ca_${room})
	endforeach()
	target_link_libraries(ca_${name} PRIVATE ${arg_LIBS})
endfunction()
