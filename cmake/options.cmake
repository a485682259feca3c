# SPDX-License-Identifier: BSD-2-Clause
# ca_options: warnings, sanitizers and hardening, carried by one interface target.
add_library(ca_options INTERFACE)
target_compile_definitions(ca_options INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64 _TIME_BITS=64)
target_include_directories(ca_options INTERFACE
	${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/generated)
target_compile_options(ca_options INTERFACE
	-Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wcast-qual -Wstrict-prototypes
	-Wmissing-prototypes -Wimplicit-fallthrough -Wswitch-enum -Wvla -Wpointer-arith
	-Wwrite-strings)
if(NOT CARDASSAY_SANITIZE) # they make frames larger
	target_compile_options(ca_options INTERFACE -Wframe-larger-than=32768)
endif()
if(CARDASSAY_WERROR)
	target_compile_options(ca_options INTERFACE -Werror)
endif()
if(CARDASSAY_SANITIZE)
	target_compile_options(ca_options INTERFACE -fsanitize=${CARDASSAY_SANITIZE}
		-fno-omit-frame-pointer -fno-sanitize-recover=all)
	target_link_options(ca_options INTERFACE -fsanitize=${CARDASSAY_SANITIZE})
elseif(NOT CMAKE_BUILD_TYPE STREQUAL Debug)
	target_compile_options(ca_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
		-fstack-protector-strong)
	target_link_options(ca_options INTERFACE -Wl,-z,relro,-z,now)
endif()
if(CARDASSAY_COVERAGE)
	target_compile_options(ca_options INTERFACE --coverage)
	target_link_options(ca_options INTERFACE --coverage)
endif()
