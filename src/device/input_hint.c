/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts that speak of cards and drives but hold none of their registers. */
#include "input.h"

#include <string.h>

static const struct {
	const char *sign, *other; /* both are in the text; NULL: one is enough */
	const char *hint;
} hints[] = {
	{"\"cardassay-certificate-", NULL,
	 "this is a certificate: cardassay verify judges it again"},
	{"\"ModelNumber\"", NULL,
	 "nvme list does not show the Identify pages: paste what nvme id-ctrl /dev/nvme0 "
	 "prints"},
	{"\"blockdevices\"", NULL,
	 "lsblk shows a name and a serial number and no register: paste what grep . "
	 "/sys/block/mmcblk0/device/* or nvme id-ctrl /dev/nvme0 prints"},
	{"MAJ:MIN", NULL,
	 "lsblk shows a name and a serial number and no register: paste what grep . "
	 "/sys/block/mmcblk0/device/* or nvme id-ctrl /dev/nvme0 prints"},
	{"\"ata_", "\"model_name\"",
	 "this is a SATA drive: cardassay knows SD cards, eMMC and NVMe drives"},
	{"Content-Transfer-Encoding: ", NULL,
	 "this mail is still encoded for its way: copy its text from the mail program"},
	{"FW Rev", "/dev/nvme",
	 "nvme list does not show the Identify pages: paste what nvme id-ctrl /dev/nvme0 "
	 "prints"},
	{"Rd Block Len:", NULL,
	 "mmc info of U-Boot shows some fields and no register: start Linux and paste what "
	 "grep . /sys/bus/mmc/devices/mmc*/* prints"},
	{"ID_SERIAL=", NULL,
	 "udev's properties hold no register: paste what udevadm info -a /dev/mmcblk0 "
	 "prints"},
	{"LIFE_TIME_EST_TYP", NULL,
	 "only lines of mmc extcsd read: paste all that the command printed"},
	{"[SEC_COUNT", NULL, "only lines of mmc extcsd read: paste all that the command printed"},
	{"Device Model:", "Firmware Version:",
	 "this is a SATA drive: cardassay knows SD cards, eMMC and NVMe drives"},
	{"START OF SMART DATA", NULL,
	 "smartctl shows the drive with -x or -a: paste all that it printed"},
	{"LnkSta:", NULL,
	 "lspci shows the slot and not the drive: put what nvme id-ctrl /dev/nvme0 prints "
	 "before it"},
	{"Non-Volatile memory controller", NULL,
	 "lspci shows the slot and not the drive: put what nvme id-ctrl /dev/nvme0 prints "
	 "before it"},
	{"manfid", NULL,
	 "fields of the CID and not the register: paste the file cid of the same "
	 "directory"},
	{"mmcblk", ": mmc",
	 "the kernel log names the card but holds no register: put what grep . "
	 "/sys/bus/mmc/devices/mmc*/* prints before it"},
	{" at address ", ": new ",
	 "the kernel log names the card but holds no register: put what grep . "
	 "/sys/bus/mmc/devices/mmc*/* prints before it"},
};

const char *ca_input_hint(struct ca_span text)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(hints); i++)
		if (ca_span_behind(text, hints[i].sign).at &&
		    (!hints[i].other || ca_span_behind(text, hints[i].other).at))
			return hints[i].hint;
	return NULL;
}
