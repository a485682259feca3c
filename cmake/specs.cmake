# SPDX-License-Identifier: BSD-2-Clause
# ca_specs: every table of specs/ as constant C data, made in the build tree by POSIX awk.
set(ca_specs_dir ${PROJECT_SOURCE_DIR}/specs)
set(ca_specs_tables manufacturers oem_relations brands nvme_vendors nvme_conventions nvme_models classes conditions quirks rules sources
	simulated fields vendor_health vendor_fields)
set(ca_generated ${PROJECT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${ca_generated})
find_program(AWK NAMES awk mawk gawk REQUIRED)

set(ca_specs_sources)
set(ca_specs_files)
foreach(table IN LISTS ca_specs_tables)
	set(tsv ${ca_specs_dir}/${table}.tsv)
	list(APPEND ca_specs_files ${tsv})
	add_custom_command(OUTPUT ${ca_generated}/spec_${table}.c
		COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${AWK} -v table=${table} -v mode=source
			-f ${ca_specs_dir}/generate.awk ${tsv} > ${ca_generated}/spec_${table}.c
		DEPENDS ${tsv} ${ca_specs_dir}/generate.awk VERBATIM
		COMMENT "Generating spec_${table}.c")
	list(APPEND ca_specs_sources ${ca_generated}/spec_${table}.c)
endforeach()

# Bit ranges as macros: ca_bits_get(reg, bytes, CA_FIELD_CSD_V2_C_SIZE)
add_custom_command(OUTPUT ${ca_generated}/ca_field_bits.h
	COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${AWK} -v table=fields -v mode=header
		-f ${ca_specs_dir}/generate.awk ${ca_specs_dir}/fields.tsv > ${ca_generated}/ca_field_bits.h
	DEPENDS ${ca_specs_dir}/fields.tsv ${ca_specs_dir}/generate.awk VERBATIM
	COMMENT "Generating ca_field_bits.h")

file(GLOB ca_rule_pages CONFIGURE_DEPENDS ${ca_specs_dir}/rules/*.md)
add_custom_command(OUTPUT ${ca_generated}/spec_pages.c
	COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${AWK} -v table=pages -v dir=${ca_specs_dir}/rules
		-f ${ca_specs_dir}/generate.awk ${ca_specs_dir}/rules.tsv > ${ca_generated}/spec_pages.c
	DEPENDS ${ca_specs_dir}/rules.tsv ${ca_rule_pages} ${ca_specs_dir}/generate.awk VERBATIM
	COMMENT "Generating spec_pages.c")
add_custom_command(OUTPUT ${ca_generated}/spec_sha256.c
	COMMAND sh ${ca_specs_dir}/sha256.sh ${ca_specs_dir} > ${ca_generated}/spec_sha256.c
	DEPENDS ${ca_specs_files} ${ca_rule_pages} ${ca_specs_dir}/sha256.sh VERBATIM
	COMMENT "Generating spec_sha256.c")

add_library(ca_specs STATIC ${ca_specs_sources} ${ca_generated}/ca_field_bits.h
	${ca_generated}/spec_pages.c ${ca_generated}/spec_sha256.c ${PROJECT_SOURCE_DIR}/src/specs/specs.c)
target_link_libraries(ca_specs PRIVATE ca_options)
