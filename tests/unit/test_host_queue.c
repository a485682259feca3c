/* SPDX-License-Identifier: BSD-2-Clause */
#include "fact_tree.h"

#define QUEUE "sys/block/mmcblk0/queue/"
#define TAGS  "sys/kernel/debug/block/mmcblk0/hctx0/tags"

static const struct {
	const char *kind;
	struct tree_file files[TREE_FILES_MAX];
	enum ca_kernel_log_queue log;
	enum ca_host_fact fact;
	bool present;
	int64_t number;
	const char *text;
} cases[] = {
	/* command queueing of an SD card: the log, then the driver's tags, then what follows */
	{"sd",
	 {{QUEUE "nr_requests", "31\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 1,
	 "nr_requests 31: 31 tags, the queue runs"},
	{"sd",
	 {{QUEUE "nr_requests", "62\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 1,
	 "nr_requests 62: 31 tags, the queue runs"},
	{"sd",
	 {{QUEUE "nr_requests", "64\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 0,
	 "nr_requests 64: 64 tags, no queue"},
	{"sd",
	 {{QUEUE "nr_requests", "63\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_COMMAND_QUEUE,
	 false,
	 0,
	 ""}, /* somebody set it */
	{"sd",
	 {{QUEUE "nr_requests", "64\n"}, {TAGS, "nr_tags=31\nnr_reserved_tags=0\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 1,
	 "runs: the driver has 31 tags (debugfs)"},
	{"sd",
	 {{TAGS, "nr_tags=64\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 0,
	 "none: the driver has 64 tags (debugfs)"},
	{"sd",
	 {{QUEUE "nr_requests", "62\n"}, {TAGS, "nr_tags=17\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_COMMAND_QUEUE,
	 false,
	 0,
	 ""},
	{"sd",
	 {{TAGS, "nr_tags=64\n"}},
	 CA_KERNEL_LOG_QUEUE_CARD,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 1,
	 "said so (kernel log)"},
	{"sd",
	 {{TAGS, "nr_tags=31\n"}},
	 CA_KERNEL_LOG_QUEUE_HOST,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 0,
	 "only the host's own: said so (kernel log)"},
	/* of an eMMC: its own attribute first, tags mean nothing */
	{"mmc",
	 {{"sys/block/mmcblk0/device/cmdq_en", "0\n"}},
	 CA_KERNEL_LOG_QUEUE_CARD,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 0,
	 "cmdq_en 0"},
	{"mmc",
	 {{QUEUE "nr_requests", "62\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_COMMAND_QUEUE,
	 false,
	 0,
	 ""},
	{"mmc",
	 {{QUEUE "nr_requests", "62\n"}},
	 CA_KERNEL_LOG_QUEUE_CARD,
	 CA_HOST_COMMAND_QUEUE,
	 true,
	 1,
	 "said so (kernel log)"},
	/* numbers and their units */
	{"sd",
	 {{TAGS, "nr_tags=31\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_QUEUE_TAGS,
	 true,
	 31,
	 "31"},
	{"sd",
	 {{TAGS, "tags=31\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_QUEUE_TAGS,
	 false,
	 0,
	 ""},
	{"sd",
	 {{QUEUE "read_ahead_kb", "9223372036854775807\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_READ_AHEAD_BYTES,
	 false,
	 0,
	 ""}, /* more than any number of bytes */
	{"sd",
	 {{QUEUE "max_segments", "many\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_MAX_SEGMENTS,
	 false,
	 0,
	 ""},
	{"sd",
	 {{"sys/block/mmcblk0/ro", "1\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_READ_ONLY,
	 true,
	 1,
	 "1"},
	{"sd",
	 {{QUEUE "write_cache", "write back\n"}},
	 CA_KERNEL_LOG_QUEUE_UNKNOWN,
	 CA_HOST_CACHE,
	 true,
	 1,
	 "write back (queue/write_cache)"},
};

START_TEST(facts)
{
	struct ca_disk disk = {.name = "mmcblk0", .bus = "mmc"};
	struct ca_kernel_log log = {.queue = cases[_i].log, .queue_text = "said so"};
	struct ca_fact all[CA_HOST_FACT_COUNT] = {0};
	const struct ca_fact *fact = &all[cases[_i].fact];

	(void)strcpy(disk.kind, cases[_i].kind);
	tree_fill(cases[_i].files);
	ca_host_queue_read(tree_root, &disk, &log, all);
	ck_assert_int_eq(fact->present, cases[_i].present);
	ck_assert_int_eq(fact->number, cases[_i].number);
	ck_assert_str_eq(fact->text, cases[_i].text);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("host_queue");

	tcase_add_checked_fixture(tests, tree_make, tree_remove);
	tcase_add_loop_test(tests, facts, 0, (int)CA_ARRAY_LEN(cases));
	return run_tests(tests);
}
