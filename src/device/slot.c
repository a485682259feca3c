/* SPDX-License-Identifier: BSD-2-Clause */
#include "slot.h"

#include "sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A path of the device tree while it is walked, and what is kept of it. */
struct walk {
	const char *root;
	char dir[CA_PATH_BYTES];  /* as in sysfs, without /sys/devices/ */
	char kept[CA_PATH_BYTES]; /* without the numbers that change */
	struct ca_text path;	  /* writes to `kept` */
	size_t bus_len;		  /* length of the USB bus number in names below it */
	size_t bus; /* its place among the buses of the controller, from 1; 0 = not USB */
};

/* Is it `prefix` and a whole number? */
static bool is_numbered(const char *name, size_t len, const char *prefix)
{
	size_t at = strlen(prefix);

	if (len <= at || strncmp(name, prefix, at) != 0)
		return false;
	while (at < len && isdigit((unsigned char)name[at]))
		at++;
	return at == len;
}

/* Place of `name` among the entries `prefix`NUMBER of a directory, from 1; 1 when it is unknown. */
static size_t place_among(const struct walk *walk, size_t dir_len, const char *prefix,
			  const char *name, size_t len)
{
	struct ca_names names;
	size_t place = 1;

	if (ca_sysfs_list(walk->root, &names, "sys/devices/%.*s", (int)dir_len, walk->dir) < 0)
		return 1;
	for (size_t i = 0; i < names.count; i++) {
		if (strlen(names.at[i]) == len && strncmp(names.at[i], name, len) == 0)
			break;
		place += is_numbered(names.at[i], strlen(names.at[i]), prefix);
	}
	ca_names_done(&names);
	return place;
}

static void add_place(struct ca_text *text, const char *what, size_t number)
{
	ca_text_add(text, what);
	ca_text_u64(text, number);
}

/* "N-4.1:1.0": the bus number before the port is given as the controller's own. */
static bool is_below_bus(const struct walk *walk, const char *name, size_t len)
{
	size_t digits = strspn(name, "0123456789");

	return walk->bus && digits == walk->bus_len && digits < len && name[digits] == '-';
}

/*
 * Keeps one component. Names of devices that the kernel counted through in the order of their
 * finding are kept without the count: virtio3 altogether, rtsx_usb_sdmmc.2.auto as rtsx_usb_sdmmc.
 */
static void keep(struct walk *walk, const char *name, size_t len)
{
	size_t dir_len = (size_t)(name - walk->dir);

	if (is_numbered(name, len, "virtio"))
		return;
	if (walk->path.len)
		ca_text_add(&walk->path, "/");
	if (is_numbered(name, len, "usb")) {
		walk->bus_len = len - 3;
		walk->bus = place_among(walk, dir_len, "usb", name, len);
		add_place(&walk->path, "usb", walk->bus);
		return;
	}
	if (is_below_bus(walk, name, len)) {
		ca_text_u64(&walk->path, walk->bus);
		ca_text_add_len(&walk->path, name + walk->bus_len, len - walk->bus_len);
		return;
	}
	if (len > 5 && strncmp(name + len - 5, ".auto", 5) == 0) {
		len -= 5;
		while (len > 1 && isdigit((unsigned char)name[len - 1]))
			len--;
		len -= len > 1 && name[len - 1] == '.';
	}
	ca_text_add_len(&walk->path, name, len);
}

/* What follows in the slot's path: HOST:CHANNEL:TARGET:LUN is the name of a SCSI device. */
static void add_scsi(struct walk *walk, const char *below)
{
	for (const char *name = below; name; name = strchr(name, '/')) {
		const char *colon, *target, *lun;

		name += *name == '/';
		colon = strchr(name, ':');
		target = colon ? strchr(colon + 1, ':') : NULL;
		lun = target ? strchr(target + 1, ':') : NULL;
		if (!lun || !isdigit((unsigned char)*name) ||
		    memchr(name, '/', (size_t)(lun - name)))
			continue;
		if (strncmp(target, ":0:", 3) != 0) {
			ca_text_add(&walk->path, "/target");
			ca_text_add_len(&walk->path, target + 1, (size_t)(lun - target) - 1);
		}
		if (strspn(lun + 1, "0") != strcspn(lun + 1, "/")) {
			ca_text_add(&walk->path, "/lun");
			ca_text_add_len(&walk->path, lun + 1, strcspn(lun + 1, "/"));
		}
		return;
	}
}

static void add_mmc(struct walk *walk, const char *host)
{
	size_t place =
		place_among(walk, (size_t)(host - walk->dir), "mmc", host, strcspn(host, "/"));

	if (place > 1)
		add_place(&walk->path, "/slot", place);
}

static void add_namespace(struct walk *walk, const char *name)
{
	uint64_t id;

	if (ca_sysfs_u64(walk->root, &id, "sys/block/%s/nsid", name) == 0 && id != 1) {
		ca_text_add(&walk->path, "/ns");
		ca_text_u64(&walk->path, id);
	}
}

/* Copies as much of the end as fits: the end is what tells slots apart. */
static void copy_end(char *ret, size_t size, const char *text)
{
	size_t len = strlen(text);

	(void)ca_string_copy(ret, size, text + (len < size ? 0 : len - size + 1));
}

/* Where the parts begin that are numbered anew with each card: adds what tells the slots apart. */
static bool add_end(struct walk *walk, const char *disk, const char *at, size_t len)
{
	const char *below = at + len + (at[len] == '/');

	if (len == 8 && strncmp(at, "mmc_host", 8) == 0)
		add_mmc(walk, below);
	else if (is_numbered(at, len, "host"))
		add_scsi(walk, below);
	else if (len == 4 && strncmp(at, "nvme", 4) == 0)
		add_namespace(walk, disk);
	else
		return len == 5 && strncmp(at, "block", 5) == 0;
	return true;
}

/* `disk` is its kernel name, "" for an mmc host without one. */
static void walk_down(struct walk *walk, const char *disk, struct ca_slot *ret_slot)
{
	size_t len, reader_len = 0;

	for (const char *at = walk->dir; *at; at += len + (at[len] == '/')) {
		len = strcspn(at, "/");
		if (add_end(walk, disk, at, len))
			break;
		keep(walk, at, len);
		reader_len = walk->path.len;
	}
	copy_end(ret_slot->path, sizeof(ret_slot->path), walk->kept);
	walk->kept[reader_len] = '\0';
	copy_end(ret_slot->reader, sizeof(ret_slot->reader), walk->kept);
}

/*
 * A drive that could have several controllers hangs below none of them: the first one's place is
 * the slot's.
 */
static void enter_subsystem(struct walk *walk)
{
	char controller[CA_PATH_BYTES];
	struct ca_names names;
	const char *slash = strrchr(walk->dir, '/');
	int dir_len = slash ? (int)(slash - walk->dir) : 0;

	if (strncmp(walk->dir, "virtual/nvme-subsystem/", 23) != 0 ||
	    ca_sysfs_list(walk->root, &names, "sys/devices/%.*s", dir_len, walk->dir) < 0)
		return;
	for (size_t i = 0; i < names.count; i++) {
		if (!is_numbered(names.at[i], strlen(names.at[i]), "nvme") ||
		    ca_sysfs_real(walk->root, controller, sizeof(controller), "sys/devices/%.*s/%s",
				  dir_len, walk->dir, names.at[i]) < 0 ||
		    strncmp(controller, "/sys/devices/", 13) != 0)
			continue;
		(void)ca_string_copy(walk->dir, sizeof(walk->dir), controller + 13);
		break;
	}
	ca_names_done(&names);
}

static int begin(struct walk *walk, const char *root, const char *real)
{
	*walk = (struct walk){.root = root};
	ca_text_init(&walk->path, walk->kept, sizeof(walk->kept));
	if (strncmp(real, "/sys/devices/", 13) != 0)
		return -ENOENT;
	return ca_string_copy(walk->dir, sizeof(walk->dir), real + 13) ? 0 : -ENAMETOOLONG;
}

void ca_slot_of_disk(const char *root, const char *name, struct ca_slot *ret_slot)
{
	char real[CA_PATH_BYTES];
	struct walk walk;

	*ret_slot = (struct ca_slot){0};
	if (ca_sysfs_real(root, real, sizeof(real), "sys/block/%s", name) < 0 ||
	    begin(&walk, root, real) < 0)
		return;
	enter_subsystem(&walk);
	if (strncmp(walk.dir, "virtual/", 8) == 0) {
		copy_end(ret_slot->path, sizeof(ret_slot->path), walk.dir);
		copy_end(ret_slot->reader, sizeof(ret_slot->reader), walk.dir);
		return;
	}
	walk_down(&walk, name, ret_slot);
}

/* Directories of an mmc host that are its card: "mmc0:aaaa", after the address the card took. */
static bool find_card(const char *root, const char *host, char ret_card[CA_NAME_BYTES])
{
	struct ca_names names;
	size_t len = strlen(host);
	bool found = false;

	if (ca_sysfs_list(root, &names, "sys/class/mmc_host/%s", host) < 0)
		return false;
	for (size_t i = 0; i < names.count && !found; i++) {
		found = strncmp(names.at[i], host, len) == 0 && names.at[i][len] == ':';
		if (found)
			(void)ca_string_copy(ret_card, CA_NAME_BYTES, names.at[i]);
	}
	ca_names_done(&names);
	return found;
}

/* Is this host a slot without a disk, and is there a card in it? */
static bool is_bare(const char *root, const char *host, bool *ret_has_card)
{
	char card[CA_NAME_BYTES], type[16] = "";

	if (!find_card(root, host, card)) {
		*ret_has_card = false;
		return !ca_sysfs_exists(root, "sys/class/mmc_host/%s/device/of_node/non-removable",
					host) &&
		       !ca_sysfs_exists(root, "sys/class/mmc_host/%s/device/of_node/no-sd", host);
	}
	(void)ca_sysfs_text(root, type, sizeof(type), "sys/class/mmc_host/%s/%s/type", host, card);
	*ret_has_card = true;
	return (strcmp(type, "SD") == 0 || strcmp(type, "MMC") == 0) &&
	       !ca_sysfs_exists(root, "sys/class/mmc_host/%s/%s/block", host, card);
}

int ca_slot_list_bare(const char *root, struct ca_bare_slot **ret_slots, size_t *ret_count)
{
	struct ca_bare_slot *slots;
	struct ca_names hosts;
	size_t count = 0;
	int rc;

	rc = ca_sysfs_list(root, &hosts, "sys/class/mmc_host");
	if (rc < 0 && rc != -ENOENT)
		return rc;
	if (rc == -ENOENT) /* no mmc driver, no mmc hosts */
		hosts = (struct ca_names){0};
	slots = calloc(hosts.count + 1, sizeof(*slots));
	for (size_t i = 0; slots && i < hosts.count; i++) {
		char real[CA_PATH_BYTES];
		struct walk walk;

		if (!is_bare(root, hosts.at[i], &slots[count].has_card) ||
		    ca_sysfs_real(root, real, sizeof(real), "sys/class/mmc_host/%s", hosts.at[i]) <
			    0 ||
		    begin(&walk, root, real) < 0)
			continue;
		walk_down(&walk, "", &slots[count++].slot);
	}
	ca_names_done(&hosts);
	if (!slots)
		return -ENOMEM;
	*ret_slots = slots;
	*ret_count = count;
	return 0;
}
