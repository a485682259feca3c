/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#ifndef CARDASSAY_VERSION
#error "the build names the version"
#endif

static const struct ca_command commands[] = {
	{"list", "", "devices, slots, what can be known here, confirm words", CA_CMD_LIST, 0, 0,
	 ca_cmd_list},
	{"inspect", "TARGET...", "read-only: decode the registers, run the rules", CA_CMD_INSPECT,
	 1, SIZE_MAX, ca_cmd_inspect},
	{"capture", "TARGET", "save registers and host facts in a directory (-o DIR)",
	 CA_CMD_CAPTURE, 1, 1, ca_cmd_capture},
	{"probe", "DEVICE", "minutes: a sparse check that puts the card's own data back",
	 CA_CMD_PROBE, 1, 1, ca_cmd_probe},
	{"restore", "JOURNAL", "put back what a run cut short left on a card [DEVICE]",
	 CA_CMD_RESTORE, 1, 2, ca_cmd_restore},
	{"fill", "DEVICE", "write and read back everything, map every fault", CA_CMD_FILL, 1, 1,
	 ca_cmd_fill},
	{"speed", "DEVICE", "measure against the classes of the SD rules", CA_CMD_SPEED, 1, 1,
	 ca_cmd_speed},
	{"certify", "DEVICE", "all of it, and a certificate", CA_CMD_CERTIFY, 1, 1, ca_cmd_certify},
	{"station", "", "watch the slots: --inspect every card that appears", CA_CMD_STATION, 0, 0,
	 ca_cmd_station},
	{"selfcheck", "DEVICE", "which kernel facts this host provides for a device",
	 CA_CMD_SELFCHECK, 1, 1, ca_cmd_selfcheck},
	{"verify", "CERT.json", "check the signature and judge the evidence again", CA_CMD_VERIFY,
	 1, 1, ca_cmd_verify},
	{"explain", "RULE", "what a rule means, why it matters, what to do", CA_CMD_EXPLAIN, 1, 1,
	 ca_cmd_explain},
	{"rules", "", "every rule, one line each", CA_CMD_RULES, 0, 0, ca_cmd_rules},
	{"keygen", "NAME", "a signing key: NAME.key and NAME.pub", CA_CMD_KEYGEN, 1, 1,
	 ca_cmd_keygen},
};

static void print_help(FILE *out)
{
	(void)fprintf(out, "Usage: cardassay COMMAND [OPTIONS] [TARGET]\n\n"
			   "Verifies what a memory card or NVMe drive claims to be.\n\n");
	for (size_t i = 0; i < CA_ARRAY_LEN(commands); i++)
		(void)fprintf(out, "  %-9s %-10s %s\n", commands[i].name, commands[i].targets,
			      commands[i].summary);
	(void)fprintf(out, "\n'cardassay COMMAND --help' shows a command's options; 'man "
			   "cardassay' has it all.\n"
			   "Start with 'cardassay list', or with a simulated card:\n"
			   "  cardassay certify sim:fake-128g\n");
}

static const struct ca_command *find_command(const char *name)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *nearest = NULL;
	unsigned int least = 4; /* further away than three changes is no typing mistake */

	for (size_t i = 0; i < CA_ARRAY_LEN(commands); i++) {
		unsigned int distance = ca_string_distance(name, commands[i].name);

		if (distance < least) {
			least = distance;
			nearest = commands[i].name;
		}
	}
	if (nearest)
		ca_report("there is no command '%s': did you mean '%s'?", name, nearest);
	else
		ca_report("there is no command '%s': 'cardassay --help' lists them.", name);
	return CA_EXIT_USAGE;
}

/*
 * With standard output closed, the next file opened would take its number: the card. What is
 * printed must never land there.
 */
static int hold_standard_files(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd < 0)
		return CA_EXIT_INTERNAL;
	return close(fd) < 0 ? CA_EXIT_INTERNAL : CA_EXIT_PASS;
}

int main(int argc, char **argv)
{
	const struct ca_command *command;
	struct ca_options options;
	int r = hold_standard_files();

	if (r)
		return r;

	if (argc < 2) {
		print_help(stderr);
		return CA_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return ca_stdout_finish();
	}
	if (strcmp(argv[1], "--version") == 0) {
		(void)printf("cardassay %s\n", CARDASSAY_VERSION);
		return ca_stdout_finish();
	}
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	r = ca_options_parse(command, argc, argv, &options);
	if (r)
		return r;
	if (options.help) {
		ca_options_print(stdout, command);
		return ca_stdout_finish();
	}
	r = ca_config_apply(&options);
	if (r)
		return r;
	ca_interrupt_install();
	return command->run(&options);
}
