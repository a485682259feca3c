# SPDX-License-Identifier: BSD-2-Clause
# Toolchain file: Debian's cross compilers, libraries from a directory that holds that processor's
# Debian packages (tests/arch/sysroot.sh makes one), programs run by QEMU's user emulation, which finds
# that processor's libraries by the environment variable QEMU_LD_PREFIX.
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/debian_cross.cmake -DCARDASSAY_ARCH=arm64 -DCMAKE_SYSROOT=DIR ...
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CARDASSAY_ARCH CMAKE_SYSROOT)
set(CMAKE_SYSTEM_NAME Linux)
if(CARDASSAY_ARCH STREQUAL arm64)
	set(CMAKE_SYSTEM_PROCESSOR aarch64)
	set(triplet aarch64-linux-gnu)
	set(emulator qemu-aarch64-static)
elseif(CARDASSAY_ARCH STREQUAL armhf)
	set(CMAKE_SYSTEM_PROCESSOR armv7l)
	set(triplet arm-linux-gnueabihf)
	set(emulator qemu-arm-static)
elseif(CARDASSAY_ARCH STREQUAL s390x)
	set(CMAKE_SYSTEM_PROCESSOR s390x)
	set(triplet s390x-linux-gnu)
	set(emulator qemu-s390x-static)
else()
	message(FATAL_ERROR "CARDASSAY_ARCH must be arm64, armhf or s390x")
endif()
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(CMAKE_CROSSCOMPILING_EMULATOR ${emulator})

set(CMAKE_FIND_ROOT_PATH ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${CMAKE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR}
	${CMAKE_SYSROOT}/usr/lib/${triplet}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig)
