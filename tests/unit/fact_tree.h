/* SPDX-License-Identifier: BSD-2-Clause */
/* A small machine below a temporary root, made for one case of a test. */
#ifndef CA_TEST_FACT_TREE_H
#define CA_TEST_FACT_TREE_H

#include "host_facts.h"

#include "device_test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TREE_FILES_MAX 8

/* "path", then its text; a text that begins with "->" makes a link. */
struct tree_file {
	const char *path, *text;
};

static char tree_root[32];

static inline void tree_make(void)
{
	(void)strcpy(tree_root, "/tmp/ca-tree-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(tree_root));
}

static inline void tree_remove(void)
{
	char command[64];

	(void)snprintf(command, sizeof(command), "rm -rf %s", tree_root);
	ck_assert_int_eq(system(command), 0);
}

static inline void tree_put(const struct tree_file *file)
{
	char path[400];
	FILE *out;

	(void)snprintf(path, sizeof(path), "%s/%s", tree_root, file->path);
	for (char *slash = path + strlen(tree_root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(path, 0700); /* it may be there */
		*slash = '/';
	}
	if (strncmp(file->text, "->", 2) == 0) {
		ck_assert_int_eq(symlink(file->text + 2, path), 0);
		return;
	}
	out = fopen(path, "w");
	ck_assert_ptr_nonnull(out);
	ck_assert_int_ge(fputs(file->text, out), 0);
	ck_assert_int_eq(fclose(out), 0);
}

static inline void tree_fill(const struct tree_file files[TREE_FILES_MAX])
{
	for (size_t i = 0; i < TREE_FILES_MAX && files[i].path; i++)
		tree_put(&files[i]);
}

#endif
