/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * forge_uevent NAME: says to all who listen to the kernel's events that the disk NAME was added,
 * without being the kernel.
 */
#include "unit/uevent_sender.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	char message[512];
	int len;

	if (argc != 2)
		return 64;
	/* %c: the NULs between its lines */
	len = snprintf(
		message, sizeof(message),
		"add@/devices/virtual/block/%s%cACTION=add%cDEVPATH=/devices/virtual/block/%s"
		"%cSUBSYSTEM=block%cDEVTYPE=disk%cDEVNAME=%s%cSEQNUM=1%c",
		argv[1], 0, 0, argv[1], 0, 0, 0, argv[1], 0, 0);
	if (len < 0 || (size_t)len >= sizeof(message))
		return 64;
	return uevent_forge(message, (size_t)len) ? 0 : 1;
}
