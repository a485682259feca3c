/* SPDX-License-Identifier: BSD-2-Clause */
/* A tree of our own says where devices lie; the node is a real one, which only root can make. */
#include "device_test.h"

#include "cardassay/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define DISK_MAJOR 7U
#define DISK_MINOR 250U

static char root[] = "/tmp/elsewhere-XXXXXX";
static char node[64];
static bool has_node;

static void make(const char *path)
{
	char whole[256];

	(void)snprintf(whole, sizeof(whole), "%s/%s", root, path);
	ck_assert_int_eq(mkdir(whole, 0700), 0);
}

/* sys/dev/block/MAJ:MIN of a device leads to `place` below sys/devices. */
static void link_device(unsigned int maj, unsigned int min, const char *place)
{
	char name[256], target[256];

	(void)snprintf(name, sizeof(name), "%s/sys/dev/block/%u:%u", root, maj, min);
	(void)snprintf(target, sizeof(target), "../../devices/%s", place);
	(void)unlink(name);
	ck_assert_int_eq(symlink(target, name), 0);
}

static void set_up(void)
{
	static const char *const directories[] = {"sys",
						  "sys/dev",
						  "sys/dev/block",
						  "sys/devices",
						  "sys/devices/disk",
						  "sys/devices/disk/disk1",
						  "sys/devices/disk10"};

	ck_assert_ptr_nonnull(mkdtemp(root));
	for (size_t i = 0; i < CA_ARRAY_LEN(directories); i++)
		make(directories[i]);
	link_device(DISK_MAJOR, DISK_MINOR, "disk");
	(void)snprintf(node, sizeof(node), "%s/node", root);
	has_node = mknod(node, S_IFBLK | 0600, makedev(DISK_MAJOR, DISK_MINOR)) == 0;
}

static void tear_down(void)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", root);
	ck_assert_int_eq(system(command), 0);
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
}

static int ask(const char *place, struct ca_error *error)
{
	struct stat st;

	ck_assert_int_eq(stat(root, &st), 0);
	if (place)
		link_device(major(st.st_dev), minor(st.st_dev), place);
	return ca_host_check_elsewhere(root, node, root, error);
}

START_TEST(a_directory_on_the_device_is_refused)
{
	struct ca_error error = {0};

	if (!has_node) /* not root: there is nothing to ask about */
		return;
	ck_assert_int_eq(ask(NULL, &error), 0);	    /* a file system without a device */
	ck_assert_int_eq(ask("disk10", &error), 0); /* another disk of a longer name */
	ck_assert_int_eq(error.code, 0);
	ck_assert_int_eq(ask("disk/disk1", &error), -EBUSY); /* a partition of it */
	ck_assert_ptr_nonnull(strstr(error.text, "lies on"));
	memset(&error, 0, sizeof(error));
	ck_assert_int_eq(ask("disk", &error), -EBUSY);
}
END_TEST

START_TEST(what_is_no_block_device_holds_nothing)
{
	struct ca_error error = {0};

	ck_assert_int_eq(ca_host_check_elsewhere(root, "image:card.img", root, &error), 0);
	ck_assert_int_eq(ca_host_check_elsewhere(root, "sim:fake-128g", root, &error), 0);
	ck_assert_int_eq(ca_host_check_elsewhere(root, node, "/no/such/place", &error), -ENOENT);
	ck_assert_ptr_nonnull(strstr(error.text, "/no/such/place"));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("elsewhere");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_directory_on_the_device_is_refused);
	tcase_add_test(tests, what_is_no_block_device_holds_nothing);
	return run_tests(tests);
}
