# SPDX-License-Identifier: BSD-2-Clause
# The libraries, by the names pkg-config knows them under.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GCRYPT REQUIRED IMPORTED_TARGET libgcrypt)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(URING REQUIRED IMPORTED_TARGET liburing)
pkg_check_modules(MOUNT REQUIRED IMPORTED_TARGET mount)
pkg_check_modules(BLKID REQUIRED IMPORTED_TARGET blkid)
pkg_check_modules(MNL REQUIRED IMPORTED_TARGET libmnl)
if(CARDASSAY_TESTS)
	pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)
endif()
