/* SPDX-License-Identifier: BSD-2-Clause */
/* What is neither FAT nor exFAT is only named, by libblkid, which knows all that Linux can mount.
 */
#include "content.h"

#include <blkid/blkid.h>
#include <fcntl.h>

static void probe(blkid_probe prober, int fd, uint64_t offset, uint64_t bytes, char *ret_type,
		  size_t size)
{
	const char *type = NULL;

	if (blkid_probe_set_device(prober, fd, (blkid_loff_t)offset, (blkid_loff_t)bytes) != 0 ||
	    blkid_probe_enable_superblocks(prober, 1) != 0 ||
	    blkid_probe_set_superblocks_flags(prober, BLKID_SUBLKS_TYPE) != 0 ||
	    blkid_do_safeprobe(prober) != 0 ||
	    blkid_probe_lookup_value(prober, "TYPE", &type, NULL) != 0)
		return;
	(void)ca_string_copy(ret_type, size, type); /* a short word of the library's own */
}

void ca_content_other(const char *path, uint64_t offset, uint64_t bytes, char *ret_type,
		      size_t size)
{
	CA_CLEANUP_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	blkid_probe prober = fd < 0 ? NULL : blkid_new_probe();

	ret_type[0] = '\0';
	if (!prober)
		return; /* then it is only not named */
	probe(prober, fd, offset, bytes, ret_type, size);
	blkid_free_probe(prober);
}
