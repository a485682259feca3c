/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel_log.h"

#include "device_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void take(struct ca_kernel_log *log, const char *line)
{
	ca_kernel_log_line(log, line, strlen(line));
}

/* What counts as an error, and of whom. */
static const struct {
	const char *host, *disk, *controller, *line;
	bool counts;
} errors[] = {
	{"mmc0", "mmcblk0", "", "3,9,1,-;mmcblk0: error -110 transferring data", true},
	{"mmc0", "mmcblk0", "", "3,9,1,-;mmc0: Timeout waiting for hardware interrupt.", true},
	{"mmc0", "mmcblk0", "", "4,9,1,-;mmc0: problem reading SD Status register", true},
	{"mmc0", "mmcblk0", "", "3,9,1,-;mmc0: invalid bus width", true},
	{"mmc0", "mmcblk0", "", "3,9,1,-;I/O error, dev mmcblk0, sector 8 op 0x0:(READ)", true},
	{"mmc0", "mmcblk0", "", "3,9,1,-;blk_update_request: I/O error, dev mmcblk0, sector 8",
	 true},
	{"mmc0", "mmcblk0", "", "3,9,1,-;Buffer I/O error on dev mmcblk0p2, logical block 1", true},
	{"mmc0", "mmcblk0", "", "3,9,1,-;mmc0: Card removed during transfer!", true},
	{"", "sdb", "", "3,9,1,-;critical medium error, dev sdb, sector 8", true},
	{"", "sdb", "", "3,9,1,-;Buffer I/O error on dev sdb1, logical block 0", true},
	{"", "sdb", "", "6,9,1,-;sd 6:0:0:0: [sdb] tag#0 FAILED Result: hostbyte=DID_OK", true},
	{"", "nvme0n1", "nvme0", "4,9,1,-;nvme nvme0: I/O 12 QID 3 timeout, aborting", true},
	{"", "nvme0n1", "nvme0", "3,9,1,-;nvme0n1: I/O Cmd(0x2) @ LBA 0, I/O Error (sct 0x2)",
	 true},
	{"", "nvme0n1", "nvme0", "3,9,1,-;I/O error, dev nvme0n1, sector 0", true},
	{"", "nvme2n1", "nvme2", "3,9,1,-;critical medium error, dev nvme2c2n1, sector 8", true},
	{"", "nvme2n1", "nvme2", "3,9,1,-;nvme2c10n1: I/O Cmd(0x2) @ LBA 0, I/O Error (sct 0x2)",
	 true},
	{"", "nvme2n1", "nvme2", "3,9,1,-;critical medium error, dev nvme2c2n12, sector 8", false},
	{"", "nvme2n1", "nvme2", "3,9,1,-;critical medium error, dev nvme2c2n2, sector 8", false},
	{"", "nvme2n1", "nvme2", "3,9,1,-;critical medium error, dev nvme2cn, sector 8", false},
	{"", "nvme2n1", "nvme2", "3,9,1,-;error nvme2", false},
	{"", "nvme2n1", "nvme2", "3,9,1,-;error nvme2c", false},
	{"", "nvme2n1", "nvme2", "3,9,1,-;error nvme2c2", false},
	{"", "nvme0n1", "nvme0", "3,9,1,-;Buffer I/O error on dev nvme0n1p3, logical block 1",
	 true},
	/* another device's */
	{"mmc0", "mmcblk0", "", "3,9,1,-;mmcblk1: error -110 transferring data", false},
	{"mmc1", "mmcblk1", "", "3,9,1,-;mmc10: Timeout waiting for hardware interrupt.", false},
	{"mmc1", "mmcblk1", "", "3,9,1,-;I/O error, dev mmcblk10, sector 8", false},
	{"mmc0", "mmcblk0", "", "3,9,1,-;I/O error, dev mmcblk0boot0, sector 8", false},
	{"", "sda", "", "3,9,1,-;I/O error, dev sdaa, sector 8", false},
	{"", "sda", "", "3,9,1,-;I/O error, dev sdaa1, sector 8", false},
	{"", "nvme0n1", "nvme0", "3,9,1,-;I/O error, dev nvme0n12, sector 0", false},
	{"", "nvme0n1", "nvme0", "4,9,1,-;nvme nvme01: I/O 12 QID 3 timeout", false},
	{"", "", "", "3,9,1,-;I/O error, dev , sector 0", false},
	/* of a file system on it, or no error */
	{"", "sdb", "", "3,9,1,-;EXT4-fs (sdb1): error loading journal", false},
	{"", "sdb", "", "3,9,1,-;sd 6:0:0:0: [sdb] Asking for cache data failed", false},
	{"", "sdb", "", "5,9,1,-;sd 6:0:0:0: [sdb] Write Protect is off", false},
	{"mmc0", "mmcblk0", "", "4,9,1,-;mmc0: host does not support reading read-only switch",
	 false},
	{"mmc0", "mmcblk0", "", "6,9,1,-; mmcblk0: p1 p2", false},
	/* not of the kernel: anyone may write there */
	{"mmc0", "mmcblk0", "", "11,9,1,-;mmcblk0: error -110 transferring data", false},
	/* no records */
	{"mmc0", "mmcblk0", "", "mmcblk0: error -110 transferring data", false},
	{"mmc0", "mmcblk0", "", "3;mmcblk0: error -110", false},
	{"mmc0", "mmcblk0", "", "3,;mmcblk0: error -110", false},
	{"mmc0", "mmcblk0", "", "3,9;mmcblk0: error -110", false},
	{"mmc0", "mmcblk0", "", ",9,1,-;mmcblk0: error -110", false},
	{"mmc0", "mmcblk0", "", "3,99999999999999999999,1,-;mmcblk0: error -110", false},
	{"mmc0", "mmcblk0", "", " DEVICE=b179:0;mmcblk0: error -110", false},
	{"mmc0", "mmcblk0", "", "3,9,1,-", false},
	{"mmc0", "mmcblk0", "", "", false},
};

START_TEST(whose_error)
{
	struct ca_kernel_log log = {.forget_until = UINT64_MAX};
	const char *text = strchr(errors[_i].line, ';');

	(void)strcpy(log.host, errors[_i].host);
	(void)strcpy(log.disk, errors[_i].disk);
	(void)strcpy(log.controller, errors[_i].controller);
	take(&log, errors[_i].line);
	ck_assert_uint_eq(log.errors, errors[_i].counts);
	ck_assert_str_eq(log.error, errors[_i].counts ? text + 1 : "");
}
END_TEST

static void mmc_log(struct ca_kernel_log *log)
{
	memset(log, 0, sizeof(*log));
	log->forget_until = UINT64_MAX;
	(void)strcpy(log->host, "mmc0");
	(void)strcpy(log->disk, "mmcblk0");
}

START_TEST(last_card)
{
	struct ca_kernel_log log;

	mmc_log(&log);
	take(&log, "6,100,1,-;mmc0: Host Software Queue enabled");
	take(&log, "6,101,1,-;mmc0: new high speed SDHC card at address 0007");
	take(&log, "3,102,1,-;mmcblk0: error -110 transferring data");
	ck_assert_uint_eq(log.errors, 1);
	ck_assert_int_eq(log.queue, CA_KERNEL_LOG_QUEUE_HOST);
	/* what was said of the first card is not said of the second */
	take(&log, "6,103,1,-;mmc0: card 0007 removed");
	ck_assert(!log.has_card && !log.errors && !log.error[0]);
	ck_assert_int_eq(log.queue, CA_KERNEL_LOG_QUEUE_UNKNOWN);
	take(&log, "6,104,1,-;mmc0: Command Queue Engine enabled, 31 tags");
	take(&log, "6,105,1,-;mmc0: new ultra high speed SDR104 SDXC card at address aaaa");
	take(&log, "6,106,1,-;mmc1: new SDIO card at address 0001");
	ck_assert(log.has_card);
	ck_assert_uint_eq(log.card_sequence, 105);
	ck_assert_str_eq(log.card, "new ultra high speed SDR104 SDXC card at address aaaa");
	ck_assert_int_eq(log.queue, CA_KERNEL_LOG_QUEUE_CARD);
	ck_assert_str_eq(log.queue_text, "Command Queue Engine enabled, 31 tags");
}
END_TEST

/* The run made the host take the card anew: its errors before that are still its errors. */
START_TEST(kept_over_reinit)
{
	struct ca_kernel_log log;

	mmc_log(&log);
	log.forget_until = 101;
	take(&log, "3,99,1,-;mmcblk0: error -84 of an earlier card");
	take(&log, "6,100,1,-;mmc0: card 0007 removed");
	take(&log, "6,101,1,-;mmc0: new high speed SDHC card at address aaaa");
	take(&log, "3,102,1,-;mmcblk0: error -110 transferring data");
	take(&log, "6,103,1,-;mmc0: card aaaa removed");
	take(&log, "6,104,1,-;mmc0: new high speed SDHC card at address aaaa");
	ck_assert_uint_eq(log.errors, 1);
	ck_assert_str_eq(log.error, "mmcblk0: error -110 transferring data");
}
END_TEST

START_TEST(other_devices_take_the_name)
{
	struct ca_kernel_log log = {.forget_until = UINT64_MAX, .disk = "sdb"};
	struct ca_kernel_log nvme = {
		.forget_until = UINT64_MAX, .disk = "nvme0n1", .controller = "nvme0"};

	take(&log, "3,1,1,-;I/O error, dev sdb, sector 8");
	take(&log, "5,2,1,-;sd 7:0:0:0: [sdb] Attached SCSI removable disk");
	ck_assert_uint_eq(log.errors, 0);
	/* a card into a reader's slot, a file behind a loop device */
	take(&log, "3,3,1,-;I/O error, dev sdb, sector 8");
	take(&log, "6,4,1,-;sdb: detected capacity change from 62333952 to 0");
	take(&log, "6,5,1,-;sdc: detected capacity change from 0 to 62333952");
	ck_assert_uint_eq(log.errors, 1);
	take(&log, "6,6,1,-;sdb: detected capacity change from 0 to 62333952");
	ck_assert_uint_eq(log.errors, 0);
	take(&nvme, "3,1,1,-;I/O error, dev nvme0n1, sector 8");
	take(&nvme, "6,2,1,-;nvme nvme0: pci function 0000:01:00.0");
	ck_assert_uint_eq(nvme.errors, 0);
}
END_TEST

START_TEST(undervoltage)
{
	static const char *const lines[] = {"2,5,1,-;hwmon hwmon1: Undervoltage detected!",
					    "2,5,1,-;Under-voltage detected! (0x00050005)"};

	for (size_t i = 0; i < CA_ARRAY_LEN(lines); i++) {
		struct ca_kernel_log log = {.forget_until = UINT64_MAX};

		take(&log, "6,4,1,-;hwmon hwmon1: Voltage normalised");
		ck_assert(!log.undervoltage);
		take(&log, lines[i]);
		ck_assert(log.undervoltage);
		ck_assert_uint_eq(log.errors, 0);
	}
}
END_TEST

/* Every prefix of a record, from memory that ends where it ends. */
START_TEST(any_length)
{
	static const char line[] = "3,9,1,-;nvme nvme0: I/O error, dev nvme0n1p1, sector 1";

	for (size_t len = 0; len < sizeof(line); len++) {
		struct ca_kernel_log log = {
			.disk = "nvme0n1", .controller = "nvme0", .host = "mmc0"};
		char *copy = malloc(len ? len : 1);

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, line, len);
		ca_kernel_log_line(&log, copy, len);
		free(copy);
		ck_assert_uint_le(log.errors, 1);
	}
}
END_TEST

static char dir[32];

static void setup(void)
{
	char path[64];

	(void)strcpy(dir, "/tmp/ca-kmsg-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/dev", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void teardown(void)
{
	char command[64];

	(void)snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

static FILE *new_log(void)
{
	char path[64];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/dev/kmsg", dir);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	return file;
}

/* Records fall anywhere into the pieces that are read; one that never ends is passed over. */
START_TEST(long_log)
{
	FILE *file = new_log();
	struct ca_kernel_log log;

	for (unsigned int i = 0; i < 2000; i++)
		ck_assert_int_gt(fprintf(file,
					 "3,%u,1,-;mmcblk0: error -110\n SUBSYSTEM=block\n"
					 " DEVICE=b179:0\n",
					 i),
				 0);
	for (unsigned int i = 0; i < 40000; i++)
		ck_assert_int_ne(fputc('x', file), EOF);
	ck_assert_int_ge(fputs("\n3,2001,1,-;mmcblk0: error -84, the last", file), 0);
	ck_assert_int_eq(fclose(file), 0);
	mmc_log(&log);
	ck_assert_int_eq(ca_kernel_log_read(dir, &log), 0);
	ck_assert_uint_eq(log.errors, 2001);
	ck_assert_str_eq(log.error, "mmcblk0: error -84, the last");
}
END_TEST

START_TEST(no_log)
{
	struct ca_kernel_log log;

	mmc_log(&log);
	ck_assert_int_eq(ca_kernel_log_read(dir, &log), -ENOENT);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("kernel_log");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, whose_error, 0, (int)CA_ARRAY_LEN(errors));
	tcase_add_test(tests, last_card);
	tcase_add_test(tests, kept_over_reinit);
	tcase_add_test(tests, other_devices_take_the_name);
	tcase_add_test(tests, undervoltage);
	tcase_add_test(tests, any_length);
	tcase_add_test(tests, long_log);
	tcase_add_test(tests, no_log);
	return run_tests(tests);
}
