/* SPDX-License-Identifier: BSD-2-Clause */
#include "host_facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ca_host_fact_set(struct ca_fact *fact, int64_t number, const char *format, ...)
{
	va_list args;

	fact->present = true;
	fact->number = number;
	va_start(args, format);
	(void)vsnprintf(fact->text, sizeof(fact->text), format, args); /* cut is fine */
	va_end(args);
}

/* ---- the kernel log ------------------------------------------------------------------------- */

/* "nvme0n1" and "nvme0c0n1" are of the controller nvme0. */
static void name_controller(const struct ca_disk *disk, char ret_name[CA_NAME_BYTES])
{
	size_t digits = strspn(disk->name + strlen("nvme"), "0123456789");

	(void)snprintf(ret_name, CA_NAME_BYTES, "nvme%.*s", (int)digits,
		       disk->name + strlen("nvme"));
}

static void ask_about(const struct ca_disk *disk, const char *host, struct ca_kernel_log *log)
{
	(void)ca_string_copy(log->disk, sizeof(log->disk), disk->name);
	(void)ca_string_copy(log->host, sizeof(log->host), host); /* both bounded alike */
	if (strncmp(disk->name, "nvme", strlen("nvme")) == 0)
		name_controller(disk, log->controller);
}

static void log_card(const struct ca_kernel_log *log, struct ca_fact *fact)
{
	if (log->has_card && log->card_sequence <= INT64_MAX)
		ca_host_fact_set(fact, (int64_t)log->card_sequence, "%s", log->card);
}

static void log_errors(const struct ca_kernel_log *log, struct ca_fact *fact)
{
	if (log->errors <= INT64_MAX)
		ca_host_fact_set(fact, (int64_t)log->errors, "%s",
				 log->errors ? log->error : "none");
}

/* ---- all together --------------------------------------------------------------------------- */

void ca_host_facts_read(const char *root, const struct ca_disk *disk,
			struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	struct ca_kernel_log log = {.forget_until = UINT64_MAX};
	char host[CA_NAME_BYTES] = "";
	bool has_log;

	memset(facts, 0, CA_HOST_FACT_COUNT * sizeof(*facts));
	if (disk && strcmp(disk->bus, "mmc") == 0)
		(void)ca_host_facts_mmc_host(root, disk->name, host); /* else nothing of it */
	if (disk)
		ask_about(disk, host, &log);
	has_log = ca_kernel_log_read(root, &log) == 0;
	ca_host_machine_read(root, &log, facts);
	if (!disk)
		return;
	if (has_log) {
		log_card(&log, &facts[CA_HOST_LOG_CARD]);
		log_errors(&log, &facts[CA_HOST_LOG_ERRORS]);
	}
	ca_host_slot_read(root, disk, facts);
	ca_host_queue_read(root, disk, &log, facts);
}

void ca_host_facts_read_after(const char *root, const struct ca_disk *disk, const char *host,
			      struct ca_fact facts[CA_HOST_FACT_COUNT])
{
	const struct ca_fact *card = &facts[CA_HOST_LOG_CARD];
	struct ca_kernel_log log = {
		.forget_until =
			card->present && card->number > 0 ? (uint64_t)card->number : UINT64_MAX,
	};

	ask_about(disk, host, &log);
	if ((disk->name[0] || host[0]) && ca_kernel_log_read(root, &log) == 0)
		log_errors(&log, &facts[CA_HOST_LOG_ERRORS]);
	if (host[0])
		ca_host_slot_err_stats(root, host, &facts[CA_HOST_ERR_STATS_AFTER]);
}
