/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Never replaces a key: what it signed could no longer be checked. */
static int write_new(const char *path, unsigned int mode, const char *text, struct ca_error *error)
{
	struct ca_output_file file;
	int r;

	assert(text);

	if (access(path, F_OK) == 0)
		return ca_error_set(error, -EEXIST, "%s is already there: choose another name.",
				    path);
	r = ca_output_begin(&file, path, mode, error);
	return r < 0 ? r : ca_output_commit(&file, text, strlen(text), error);
}

static int generate(const char *name, struct ca_error *error)
{
	CA_CLEANUP_FREE char *secret_text = NULL;
	CA_CLEANUP_FREE char *public_text = NULL;
	struct ca_secret_key secret;
	struct ca_public_key public_key;
	uint8_t entropy[40];
	char path[2][4096];
	int r = ca_host_entropy(entropy, sizeof(entropy));

	if (r == 0)
		r = ca_sign_keygen(entropy, &secret);
	if (r < 0)
		return ca_error_set(error, r, "the key could not be made: %s.", strerror(-r));
	memcpy(public_key.id, secret.id, sizeof(public_key.id));
	memcpy(public_key.key, secret.key, sizeof(public_key.key));
	r = ca_sign_format_secret(&secret, &secret_text);
	if (r == 0)
		r = ca_sign_format_public(&public_key, &public_text);
	if (r < 0)
		return ca_error_set(error, r, "the key could not be written: %s.", strerror(-r));
	(void)snprintf(path[0], sizeof(path[0]), "%s.key", name);
	(void)snprintf(path[1], sizeof(path[1]), "%s.pub", name);
	if (access(path[1], F_OK) == 0)
		return ca_error_set(error, -EEXIST, "%s is already there: choose another name.",
				    path[1]);
	r = write_new(path[0], 0600, secret_text, error);
	if (r == 0)
		r = write_new(path[1], 0644, public_text, error);
	if (r < 0)
		return r;
	(void)printf("Secret key  %s (not encrypted: keep it to yourself)\n"
		     "Public key  %s (give it to whoever checks your certificates)\n",
		     path[0], path[1]);
	return 0;
}

int ca_cmd_keygen(const struct ca_options *options)
{
	struct ca_error error = {0};
	int r = generate(options->targets[0], &error);

	if (r < 0) {
		int code = ca_report_error(&error, r);

		return r == -EEXIST ? CA_EXIT_REFUSED : code;
	}
	return ca_stdout_finish();
}
