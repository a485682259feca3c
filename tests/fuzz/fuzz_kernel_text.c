/* SPDX-License-Identifier: BSD-2-Clause */
/* Text of the kernel that is parsed whole: debugfs ios and err_stats, lines of the log. */
#include "fuzz.h"

#include "kernel_log.h"
#include "mmc_err_stats.h"
#include "mmc_ios.h"

static void check_ios(const char *text)
{
	struct ca_mmc_ios ios;

	fuzz_prepare(&ios, sizeof(ios));
	ca_mmc_ios_parse(text, &ios);
	FUZZ_CHECK(memchr(ios.timing, '\0', sizeof(ios.timing)) != NULL);
	FUZZ_CHECK(memchr(ios.voltage, '\0', sizeof(ios.voltage)) != NULL);
	FUZZ_CHECK(ios.voltage_mv < 10000);
	FUZZ_CHECK(strstr(text, ios.timing) != NULL && strstr(text, ios.voltage) != NULL);
}

static void check_err_stats(const char *text)
{
	struct ca_mmc_err_stats stats;

	fuzz_prepare(&stats, sizeof(stats));
	ca_mmc_err_stats_parse(text, &stats);
	FUZZ_CHECK(memchr(stats.above_zero, '\0', sizeof(stats.above_zero)) != NULL);
	FUZZ_CHECK((stats.sum > 0) == (stats.above_zero[0] != '\0'));
	FUZZ_CHECK(stats.sum <= UINT64_C(0xffffffff) * stats.counters);
}

static void check_found(const struct ca_kernel_log *log, const char *text)
{
	FUZZ_CHECK(memchr(log->card, '\0', sizeof(log->card)) != NULL);
	FUZZ_CHECK(memchr(log->error, '\0', sizeof(log->error)) != NULL);
	FUZZ_CHECK(memchr(log->queue_text, '\0', sizeof(log->queue_text)) != NULL);
	FUZZ_CHECK(strstr(text, log->card) != NULL && strstr(text, log->error) != NULL);
	FUZZ_CHECK(log->has_card || !log->card[0]);
	FUZZ_CHECK(log->errors > 0 || !log->error[0]);
	FUZZ_CHECK((log->queue == CA_KERNEL_LOG_QUEUE_UNKNOWN) == !log->queue_text[0]);
}

/* Each line of the text is a record. What is a record of nobody's changes nothing. */
static void check_log(const char *text, const struct ca_kernel_log *whose)
{
	struct ca_kernel_log log = *whose, nobody = {.forget_until = UINT64_MAX};
	const bool anybody = log.host[0] || log.disk[0] || log.controller[0];

	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");

		ca_kernel_log_line(&log, line, len);
		ca_kernel_log_line(&nobody, line, len);
		line += len + (line[len] == '\n');
	}
	check_found(&log, text);
	FUZZ_CHECK(anybody && nobody.errors == 0 && !nobody.has_card);
	FUZZ_CHECK(log.undervoltage == nobody.undervoltage);
	/* a record needs a kernel's priority and a semicolon */
	FUZZ_CHECK(strchr(text, ';') != NULL || (log.errors == 0 && !log.has_card));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct ca_kernel_log logs[] = {
		{.host = "mmc0", .disk = "mmcblk0", .forget_until = UINT64_MAX},
		{.disk = "sdb", .forget_until = UINT64_MAX},
		{.controller = "nvme0", .disk = "nvme0n1", .forget_until = 400}};
	char *text = malloc(size + 1);

	FUZZ_CHECK(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_ios(text);
	check_err_stats(text);
	for (size_t i = 0; i < CA_ARRAY_LEN(logs); i++)
		check_log(text, &logs[i]);
	free(text);
	return 0;
}
