/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way out: the certificate on standard output, in its file, and its signature beside it.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same_file(const char *a, const char *b)
{
	struct stat one, other;

	return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

/* The certificate replaces the file of its name: not the image under test, not the key. */
static int check_output(const struct ca_options *options, const struct ca_evidence *evidence,
			struct ca_error *error)
{
	const char *target = options->targets[0];
	bool is_loop = strcmp(evidence->device.bus, "loop") == 0; /* its model is the file behind */

	if (strncmp(target, "image:", 6) == 0)
		target += 6;
	if (is_same_file(options->output, target) ||
	    (is_loop && is_same_file(options->output, evidence->device.model)) ||
	    (options->sign && is_same_file(options->output, options->sign)))
		return ca_error_set(
			error, -EINVAL,
			"-o %s would replace what this run works with: name another file.",
			options->output);
	return 0;
}

/* A full disk is found out before the card is erased. Not every file system can set aside. */
static int set_aside(struct ca_output_file *file, struct ca_error *error)
{
	int code = posix_fallocate(file->fd, 0, CA_OUTPUT_RESERVE_BYTES);

	if (code != ENOSPC && code != EDQUOT && code != EFBIG)
		return 0;
	ca_output_abandon(file);
	return ca_error_set(error, -code, "there is no room for %s: %s.", file->path,
			    strerror(code));
}

int ca_delivery_begin(const struct ca_options *options, const struct ca_evidence *evidence,
		      struct ca_delivery *delivery, struct ca_error *error)
{
	CA_CLEANUP_FREE char *text = NULL;
	size_t len;
	int r;

	memset(delivery, 0, sizeof(*delivery));
	delivery->file.fd = -1;
	if (!options->output)
		return 0;
	r = check_output(options, evidence, error);
	if (r < 0)
		return r;
	if (options->sign) {
		r = ca_file_read(options->sign, 65536, &text, &len, error);
		if (r == 0)
			r = ca_sign_parse_secret(text, len, &delivery->key, error);
		if (r < 0)
			return r;
		delivery->has_key = true;
	}
	r = ca_output_begin(&delivery->file, options->output, 0644, error);
	if (r == 0)
		r = set_aside(&delivery->file, error);
	delivery->has_file = r == 0;
	return r;
}

static int sign(const struct ca_delivery *delivery, const struct ca_certificate *certificate,
		const char *json, size_t len, struct ca_error *error)
{
	CA_CLEANUP_FREE char *signature = NULL;
	char comment[160], name[4200], when[CA_TIME_TEXT_MAX];
	struct ca_output_file file;
	int r;

	ca_time_format(certificate->issued, when);
	(void)snprintf(comment, sizeof(comment), "cardassay certificate %s issued %s",
		       certificate->id, when);
	r = ca_sign_data(&delivery->key, json, len, comment, &signature, error);
	if (r < 0)
		return r;
	(void)snprintf(name, sizeof(name), "%s.minisig", delivery->file.path);
	r = ca_output_begin(&file, name, 0644, error);
	return r < 0 ? r : ca_output_commit(&file, signature, strlen(signature), error);
}

int ca_delivery_finish(struct ca_delivery *delivery, const struct ca_certificate *certificate,
		       struct ca_error *error)
{
	CA_CLEANUP_FREE char *json = NULL;
	size_t len;
	int r;

	if (!delivery->has_file)
		return 0;
	delivery->has_file = false;
	r = ca_certificate_to_json(certificate, true, &json, &len);
	if (r < 0) {
		ca_output_abandon(&delivery->file);
		return ca_error_set(error, r, "the certificate could not be written: %s.",
				    strerror(-r));
	}
	r = ca_output_commit(&delivery->file, json, len, error);
	if (r == 0 && delivery->has_key)
		r = sign(delivery, certificate, json, len, error);
	return r;
}

void ca_delivery_abandon(struct ca_delivery *delivery)
{
	if (delivery->has_file)
		ca_output_abandon(&delivery->file);
	delivery->has_file = false;
}
