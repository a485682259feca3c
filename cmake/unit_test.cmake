# SPDX-License-Identifier: BSD-2-Clause
# ca_room_tests(ROOM [ROOMS fill ...] [LIBS ...] TESTS crc7 cid ...)
# tests/unit/test_<name>.c becomes one check program linked with the room (and more rooms).
function(ca_room_tests room)
	if(NOT CARDASSAY_TESTS)
		return()
	endif()
	cmake_parse_arguments(arg "" "" "ROOMS;LIBS;TESTS" ${ARGN})
	foreach(test IN LISTS arg_TESTS)
		add_executable(test_${test} ${PROJECT_SOURCE_DIR}/tests/unit/test_${test}.c)
		if(NOT CARDASSAY_SANITIZE) # a whole evidence and its judgement stand in a test's frame
			set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/unit/test_${test}.c PROPERTIES
				COMPILE_OPTIONS -Wframe-larger-than=65536)
		endif()
		target_include_directories(test_${test} PRIVATE
			${PROJECT_SOURCE_DIR}/src/${room} ${PROJECT_SOURCE_DIR}/tests)
		target_compile_definitions(test_${test} PRIVATE
			CA_FIXTURES="${PROJECT_SOURCE_DIR}/fixtures" CA_SPECS="${PROJECT_SOURCE_DIR}/specs")
		target_link_libraries(test_${test} PRIVATE ca_options ca_${room} PkgConfig::CHECK
			${arg_LIBS})
		foreach(extra IN LISTS arg_ROOMS)
			target_link_libraries(test_${test} PRIVATE ca_${extra})
		endforeach()
		add_test(NAME unit.${room}.${test} COMMAND test_${test})
		set_tests_properties(unit.${room}.${test} PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT CK_DEFAULT_TIMEOUT=60
			SKIP_RETURN_CODE 77)
	endforeach()
endfunction()
