/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One table says which option every command takes, and prints the help.
 */
#include "cli.h"

#include <string.h>

#define WRITERS	      ((unsigned int)(CA_CMD_FILL | CA_CMD_SPEED | CA_CMD_CERTIFY | CA_CMD_PROBE))
#define ERASERS	      ((unsigned int)(CA_CMD_FILL | CA_CMD_SPEED | CA_CMD_CERTIFY))
#define PROBERS	      ((unsigned int)(CA_CMD_PROBE | CA_CMD_CERTIFY))
#define FILLERS	      ((unsigned int)(CA_CMD_FILL | CA_CMD_CERTIFY))
#define JUDGING	      (WRITERS | (unsigned int)CA_CMD_INSPECT)
#define WATCHER	      ((unsigned int)CA_CMD_STATION)
#define LOOKERS	      ((unsigned int)(CA_CMD_LIST | CA_CMD_INSPECT | CA_CMD_CAPTURE | CA_CMD_SELFCHECK))
#define PLACE(member) offsetof(struct ca_options, member)
#define ANY	      UINT32_MAX

enum option_id {
	OPTION_FORMAT,
	OPTION_LABEL,
	OPTION_CLAIM,
	OPTION_REQUIRE,
	OPTION_PROFILE,
	OPTION_ERASE,
	OPTION_CONFIRM,
	OPTION_JOURNAL,
	OPTION_DEEP,
	OPTION_UNMOUNT,
	OPTION_OUTPUT,
	OPTION_REGISTERS,
	OPTION_MAP_ALL,
	OPTION_REINIT,
	OPTION_REPLUG,
	OPTION_LEAVE,
	OPTION_ERASE_FILES,
	OPTION_ONLY,
	OPTION_MATRIX,
	OPTION_LIKE,
	OPTION_SECONDS,
	OPTION_QUEUE_DEPTH,
	OPTION_BUFFERS,
	OPTION_WINDOWS,
	OPTION_CMD20,
	OPTION_FULL_ERASE,
	OPTION_OPERATOR,
	OPTION_ORGANISATION,
	OPTION_REFERENCE,
	OPTION_INSPECT,
	OPTION_MASK,
	OPTION_SIGN,
	OPTION_PUBKEY,
	OPTION_ALL,
	OPTION_FIELDS,
	OPTION_VENDOR_HEALTH,
	OPTION_COLOUR,
	OPTION_PROGRESS,
	OPTION_SYSROOT,
	OPTION_HELP,
};

struct option {
	enum option_id id;
	const char *name;
	char letter;
	const char *argument; /* NULL = a switch */
	unsigned int commands;
	const char *help;
	size_t place; /* in struct ca_options, of a switch or a text that is taken as it is */
};

static const struct option table[] = {
	{OPTION_LABEL, "label", 0, "TEXT", JUDGING, "what is printed on the card", PLACE(label)},
	{OPTION_CLAIM, "claim", 0, "KEY=VALUE", JUDGING,
	 "one more claim: capacity=128GB, class=A2 ...", 0},
	{OPTION_REQUIRE, "require", 0, "CLAIM", JUDGING,
	 "let this claim decide too: A1, retention ...", 0},
	{OPTION_PROFILE, "profile", 0, "quick|standard|full", CA_CMD_CERTIFY,
	 "quick: the probe; full adds the SD rule's times", 0},
	{OPTION_ERASE, "erase", 0, "WORD", ERASERS, "confirm word of 'list': ALL DATA IS LOST",
	 PLACE(erase)},
	{OPTION_CONFIRM, "confirm", 0, "WORD", PROBERS,
	 "confirm word of 'list': it is written to, and put back", PLACE(confirm)},
	{OPTION_JOURNAL, "journal", 0, "FILE", PROBERS,
	 "where the card's own data are kept meanwhile, on another disk", PLACE(journal)},
	{OPTION_DEEP, "deep", 0, NULL, PROBERS, "write 1 GiB: finds sizes behind larger memories",
	 PLACE(deep)},
	{OPTION_UNMOUNT, "unmount", 0, NULL, WRITERS, "unmount its own (non-system) volumes first",
	 PLACE(unmount)},
	{OPTION_ERASE_FILES, "erase-files", 0, NULL, ERASERS,
	 "also where there are files on it: THEY ARE LOST", PLACE(erase_files)},
	{OPTION_LEAVE, "leave", 0, "erased|pattern|format", ERASERS,
	 "what to leave on it; else its empty file system", 0},
	{OPTION_REGISTERS, "registers", 0, "DIR", JUDGING,
	 "registers recorded elsewhere (USB hides them)", PLACE(registers)},
	{OPTION_MAP_ALL, "map-all", 0, NULL, FILLERS,
	 "go on after proof of a fault: map everything", PLACE(map_all)},
	{OPTION_REINIT, "reinit", 0, NULL, FILLERS,
	 "let the host take the card anew before the read back", PLACE(reinit)},
	{OPTION_REPLUG, "replug", 0, "ask|never", FILLERS,
	 "ask you to take it out and put it back before the read back", 0},
	{OPTION_ONLY, "only", 0, "WHAT", CA_CMD_SPEED,
	 "random-read|random-write|seq-read|seq-write", 0},
	{OPTION_MATRIX, "matrix", 0, NULL, CA_CMD_SPEED,
	 "the table of block sizes that reviewers print", PLACE(matrix)},
	{OPTION_LIKE, "like", 0, "hdparm|dd|iozone|sdtest", CA_CMD_SPEED,
	 "measure as that tool does, beside our figure", 0},
	{OPTION_INSPECT, "inspect", 0, NULL, WATCHER, "inspect whatever appears, read-only",
	 PLACE(inspect)},
	{OPTION_SECONDS, "seconds", 0, "N", CA_CMD_SPEED | CA_CMD_CERTIFY,
	 "length of a random measurement, or matrix run", 0},
	{OPTION_QUEUE_DEPTH, "queue-depth", 0, "N", CA_CMD_SPEED | CA_CMD_CERTIFY,
	 "operations in flight (random measurements)", 0},
	{OPTION_WINDOWS, "windows", 0, "N", CA_CMD_CERTIFY,
	 "full: so many windows of 1 GiB are measured, 8 at most", 0},
	{OPTION_CMD20, "cmd20", 0, NULL, CA_CMD_CERTIFY,
	 "full: tell the card of the recording, as C, U and V classes want", PLACE(cmd20)},
	{OPTION_FULL_ERASE, "full-erase", 0, NULL, CA_CMD_CERTIFY,
	 "full: erase by the card's own command, where it has one", PLACE(full_erase)},
	{OPTION_BUFFERS, "buffers", 0, "MIB", FILLERS,
	 "memory for data on their way, 16 if not given", 0},
	{OPTION_OUTPUT, "output", 'o', "FILE", JUDGING | CA_CMD_CAPTURE,
	 "the certificate (JSON); capture: a directory", PLACE(output)},
	{OPTION_SIGN, "sign", 0, "KEY", JUDGING, "sign FILE into FILE.minisig (see keygen)",
	 PLACE(sign)},
	{OPTION_PUBKEY, "pubkey", 0, "KEY", CA_CMD_VERIFY, "public key: a file, or the key itself",
	 PLACE(pubkey)},
	{OPTION_OPERATOR, "operator", 0, "NAME", JUDGING, "who tested, for the certificate",
	 PLACE(operator_name)},
	{OPTION_ORGANISATION, "organisation", 0, "NAME", JUDGING, "for whom", PLACE(organisation)},
	{OPTION_REFERENCE, "reference", 0, "TEXT", JUDGING, "order or stock number",
	 PLACE(reference)},
	{OPTION_MASK, "quiet-serials", 'q', NULL, JUDGING | CA_CMD_CAPTURE | WATCHER,
	 "mask serial numbers in all that is written", PLACE(mask)},
	{OPTION_ALL, "all", 0, NULL, JUDGING | CA_CMD_VERIFY | WATCHER,
	 "show every finding and fact in full", PLACE(all)},
	{OPTION_FIELDS, "fields", 0, NULL, CA_CMD_INSPECT,
	 "every field of every register, one line each; no rules", PLACE(fields)},
	{OPTION_VENDOR_HEALTH, "vendor-health", 0, NULL, CA_CMD_INSPECT | CA_CMD_CAPTURE,
	 "ask an SD card for its maker's health page (reads only)", PLACE(vendor_health)},
	{OPTION_FORMAT, "format", 0, "text|json|sarif", JUDGING | CA_CMD_VERIFY,
	 "what goes to standard output", 0},
	{OPTION_FORMAT, "format", 0, "text|json",
	 CA_CMD_LIST | CA_CMD_RULES | CA_CMD_SELFCHECK | WATCHER, "what goes to standard output",
	 0},
	{OPTION_COLOUR, "color", 0, "auto|always|never",
	 JUDGING | CA_CMD_LIST | CA_CMD_VERIFY | WATCHER, "colours on a terminal", 0},
	{OPTION_PROGRESS, "progress", 0, "auto|tty|json|none",
	 WRITERS | (unsigned int)CA_CMD_RESTORE, "progress on standard error", 0},
	{OPTION_SYSROOT, "sysroot", 0, "DIR", LOOKERS, "read sysfs and procfs below DIR",
	 PLACE(root)},
	{OPTION_HELP, "help", 'h', NULL, ANY, "this help", PLACE(help)},
};

void ca_options_print(FILE *out, const struct ca_command *command)
{
	(void)fprintf(out, "Usage: cardassay %s [OPTIONS]%s%s\n\n%s.\n\nOptions:\n", command->name,
		      *command->targets ? " " : "", command->targets, command->summary);
	for (size_t i = 0; i < CA_ARRAY_LEN(table); i++) {
		char left[48];
		int used;

		if (!(table[i].commands & command->bit))
			continue;
		used = snprintf(left, sizeof(left), "%s--%s%s%s",
				table[i].letter == 'o'	 ? "-o, "
				: table[i].letter == 'q' ? "-q, "
				: table[i].letter == 'h' ? "-h, "
							 : "",
				table[i].name, table[i].argument ? "=" : "",
				table[i].argument ? table[i].argument : "");
		if (used > 30)
			(void)fprintf(out, "  %s\n  %-30s %s\n", left, "", table[i].help);
		else
			(void)fprintf(out, "  %-30s %s\n", left, table[i].help);
	}
}

static int unknown_option(const struct ca_command *command, const char *name, size_t len)
{
	const char *nearest = NULL;
	unsigned int least = 4; /* further away than three changes is no typing mistake */
	char word[64];

	if (len == 1) {
		ca_report("there is no option -%c: 'cardassay %s --help' lists them.", *name,
			  command->name);
		return CA_EXIT_USAGE;
	}
	(void)snprintf(word, sizeof(word), "%.*s", (int)(len < 63 ? len : 63), name);
	for (size_t i = 0; i < CA_ARRAY_LEN(table); i++) {
		unsigned int distance = ca_string_distance(word, table[i].name);

		if (!(table[i].commands & command->bit)) {
			if (distance == 0) {
				ca_report("'%s' takes no option --%s: 'cardassay %s --help' lists "
					  "them.",
					  command->name, word, command->name);
				return CA_EXIT_USAGE;
			}
			continue;
		}
		if (distance < least) {
			least = distance;
			nearest = table[i].name;
		}
	}
	if (nearest)
		ca_report("there is no option --%s: did you mean --%s?", word, nearest);
	else
		ca_report("there is no option --%s: 'cardassay %s --help' lists them.", word,
			  command->name);
	return CA_EXIT_USAGE;
}

static int bad_value(const struct option *option, const char *value)
{
	ca_report("--%s takes %s, not '%s'.", option->name, option->argument, value);
	return CA_EXIT_USAGE;
}

/* Index of `value` among the |-separated words of the option's argument; -1 = none. */
static int word_index(const char *words, const char *value)
{
	size_t len = strlen(value);
	int index = 0;

	for (const char *p = words; p; p = strchr(p, '|'), index++) {
		p += *p == '|';
		if (strncmp(p, value, len) == 0 && (p[len] == '|' || p[len] == '\0'))
			return index;
	}
	return -1;
}

static int apply_choice(const struct option *option, const char *value, struct ca_options *options)
{
	int index = word_index(option->argument, value);

	if (index < 0)
		return bad_value(option, value);
	if (option->id == OPTION_LIKE)
		options->like = value;
	if (option->id == OPTION_FORMAT)
		options->format = (enum ca_format)index;
	else if (option->id == OPTION_PROFILE)
		options->profile = index == 0	? CA_PROFILE_QUICK
				   : index == 1 ? CA_PROFILE_STANDARD
						: CA_PROFILE_FULL;
	else if (option->id == OPTION_LEAVE)
		options->leave = (enum ca_leave)(index + 1);
	else if (option->id == OPTION_LIKE)
		options->like_tool = (enum ca_like_tool)index;
	else if (option->id == OPTION_REPLUG)
		options->replug = index == 0;
	else if (option->id == OPTION_COLOUR)
		options->colour = index == 0 ? -1 : index == 1;
	else
		options->progress = (enum ca_progress_mode)index;
	return 0;
}

static int apply_list(const struct option *option, const char *value, const char **list,
		      size_t *count)
{
	if (*count == CA_REQUIRE_MAX) {
		ca_report("--%s can be given %u times at most.", option->name, CA_REQUIRE_MAX);
		return CA_EXIT_USAGE;
	}
	list[(*count)++] = value;
	return 0;
}

static int apply_claim(const struct option *option, const char *value, struct ca_options *options)
{
	static struct ca_claims scratch; /* only to learn whether it parses */

	memset(&scratch, 0, sizeof(scratch));
	if (ca_claims_parse_option(value, &scratch) < 0) {
		ca_report(
			"--claim takes KEY=VALUE such as capacity=128GB, class=A2, brand=Kingston, "
			"sequential-read=100MB/s or random-read=4000IOPS, not '%s'.",
			value);
		return CA_EXIT_USAGE;
	}
	return apply_list(option, value, options->claims, &options->claim_count);
}

#define CLAIM_WORDS                                                                                \
	"capacity|retention|brand|product|form-factor|card-type|bus|sequential-read|"              \
	"sequential-write|random-read|random-write"

/* A claim that cannot exist would cost a whole run to find out. */
static int apply_require(const struct option *option, const char *value, struct ca_options *options)
{
	static struct ca_claims scratch; /* only to learn whether it is a class */
	char class[64];

	memset(&scratch, 0, sizeof(scratch));
	(void)snprintf(class, sizeof(class), "class=%s", value); /* a class is short */
	if (word_index(CLAIM_WORDS, value) < 0 && ca_claims_parse_option(class, &scratch) < 0) {
		ca_report("there is no claim '%s': --require takes a class such as A1 or V30, or "
			  "one of " CLAIM_WORDS ".",
			  value);
		return CA_EXIT_USAGE;
	}
	return apply_list(option, value, options->require, &options->require_count);
}

static int apply_number(const struct option *option, const char *value, struct ca_options *options)
{
	uint64_t number;

	if (option->id == OPTION_SECONDS) {
		if (ca_parse_seconds(value, &number) < 0 || number == 0 || number > 86400)
			return bad_value(option, value);
		options->seconds = number;
		return 0;
	}
	if (ca_parse_u64(value, option->id == OPTION_WINDOWS ? CA_SPEED_WINDOWS_MAX : 1024,
			 &number) < 0 ||
	    number == 0)
		return bad_value(option, value);
	if (option->id == OPTION_WINDOWS)
		options->windows = (uint32_t)number;
	else if (option->id == OPTION_BUFFERS)
		options->buffers_mib = (uint32_t)number;
	else
		options->queue_depth = (uint32_t)number;
	return 0;
}

static int apply_value(const struct option *option, const char *value, struct ca_options *options)
{
	if (option->place) {
		memcpy((char *)options + option->place, &value, sizeof(value));
		return 0;
	}
	if (option->id == OPTION_CLAIM)
		return apply_claim(option, value, options);
	if (option->id == OPTION_REQUIRE)
		return apply_require(option, value, options);
	if (option->id == OPTION_SECONDS || option->id == OPTION_QUEUE_DEPTH ||
	    option->id == OPTION_BUFFERS || option->id == OPTION_WINDOWS)
		return apply_number(option, value, options);
	if (option->id != OPTION_ONLY)
		return apply_choice(option, value, options);
	if (word_index("random-read|random-write|seq-read|seq-write", value) < 0) {
		ca_report(
			"--only takes random-read, random-write, seq-read or seq-write, not '%s'.",
			value);
		return CA_EXIT_USAGE;
	}
	options->only = value;
	return 0;
}

static const struct option *find_option(const struct ca_command *command, const char *name,
					size_t len)
{
	for (size_t i = 0; i < CA_ARRAY_LEN(table); i++) {
		if (!(table[i].commands & command->bit))
			continue;
		if (strlen(table[i].name) == len && strncmp(table[i].name, name, len) == 0)
			return &table[i];
		if (len == 1 && table[i].letter == *name)
			return &table[i];
	}
	return NULL;
}

/* One option at argv[*at]; moves *at over a separate value. */
static int parse_one(const struct ca_command *command, int argc, char **argv, int *at,
		     struct ca_options *options)
{
	const char *word = argv[*at];
	bool is_long = word[1] == '-';
	const char *name = word + (is_long ? 2 : 1);
	const char *equals = is_long ? strchr(name, '=') : NULL;
	size_t len = equals ? (size_t)(equals - name) : is_long ? strlen(name) : 1;
	const struct option *option;
	const char *value = NULL;

	if (is_long && len == 1) /* "--q" is no option */
		return unknown_option(command, name, len);
	option = find_option(command, name, len);
	if (!option)
		return unknown_option(command, name, is_long ? len : strlen(name));
	if (!option->argument) {
		if (equals || (!is_long && name[1])) {
			ca_report("--%s takes no value.", option->name);
			return CA_EXIT_USAGE;
		}
		*(bool *)((char *)options + option->place) = true;
		return 0;
	}
	if (equals)
		value = equals + 1;
	else if (!is_long && name[1])
		value = name + 1;
	else if (*at + 1 < argc)
		value = argv[++*at];
	if (!value || !*value) {
		ca_report("--%s needs a value: %s.", option->name, option->argument);
		return CA_EXIT_USAGE;
	}
	return apply_value(option, value, options);
}

static int check_options(const struct ca_command *command, const struct ca_options *options)
{
	if (options->help)
		return 0;
	if (options->target_count < command->targets_min) {
		ca_report("%s needs a %s: 'cardassay %s --help' shows how.", command->name,
			  command->targets, command->name);
		return CA_EXIT_USAGE;
	}
	if (options->target_count > command->targets_max) {
		ca_report("%s takes %s, not also '%s'.", command->name,
			  command->targets_max ? "one target" : "no target",
			  options->targets[command->targets_max]);
		return CA_EXIT_USAGE;
	}
	if (options->output && strcmp(options->output, "-") == 0) {
		ca_report("-o needs the name of a file: --format=json goes to standard output.");
		return CA_EXIT_USAGE;
	}
	/* before the configuration names a key: that one waits for a file to sign */
	if (options->sign && !options->output) {
		ca_report("--sign signs the file of -o: give -o FILE too.");
		return CA_EXIT_USAGE;
	}
	if ((options->matrix ? 1 : 0) + (options->like ? 1 : 0) + (options->only ? 1 : 0) > 1) {
		ca_report("--matrix, --like and --only are different measurements: give one.");
		return CA_EXIT_USAGE;
	}
	if (command->bit == CA_CMD_CERTIFY && options->profile == CA_PROFILE_QUICK &&
	    (options->erase || options->erase_files || options->leave || options->reinit ||
	     options->replug)) {
		ca_report(
			"--profile=quick erases nothing: it is confirmed with --confirm=WORD, and "
			"goes with none of --erase-files, --leave, --reinit and --replug.");
		return CA_EXIT_USAGE;
	}
	if (command->bit == CA_CMD_CERTIFY && options->profile != CA_PROFILE_QUICK &&
	    (options->confirm || options->journal || options->deep)) {
		ca_report("--confirm, --journal and --deep are of --profile=quick: the other "
			  "profiles erase the card, and take --erase=WORD.");
		return CA_EXIT_USAGE;
	}
	if (options->reinit && options->replug) {
		ca_report("--replug=ask does all that --reinit does, and more: give only one of "
			  "them.");
		return CA_EXIT_USAGE;
	}
	if (options->fields && (options->output || options->format == CA_FORMAT_SARIF)) {
		ca_report("--fields judges nothing: it goes with neither -o nor --format=sarif.");
		return CA_EXIT_USAGE;
	}
	return 0;
}

int ca_options_parse(const struct ca_command *command, int argc, char **argv,
		     struct ca_options *ret_options)
{
	struct ca_options options = {.colour = -1, .profile = CA_PROFILE_STANDARD};
	bool only_targets = false;
	int kept = 2;

	options.targets = argv + 2;
	for (int i = 2; i < argc; i++) {
		int r;

		if (!only_targets && strcmp(argv[i], "--") == 0) {
			only_targets = true;
			continue;
		}
		if (only_targets || argv[i][0] != '-' || argv[i][1] == '\0') {
			argv[kept++] = argv[i];
			options.target_count++;
			continue;
		}
		r = parse_one(command, argc, argv, &i, &options);
		if (r)
			return r;
	}
	*ret_options = options;
	return check_options(command, &options);
}
