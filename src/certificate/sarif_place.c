/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a finding is: URI references and logical locations. */
#include "sarif_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ca_sarif_split_where(const char *where, struct ca_sarif_where *ret_where)
{
	size_t len = strcspn(where, "[ ");
	struct ca_text part, bits;

	ca_text_init(&part, ret_where->part, sizeof(ret_where->part));
	ca_text_init(&bits, ret_where->bits, sizeof(ret_where->bits));
	ca_text_add_len(&part, len ? where : "device", len ? len : strlen("device"));
	if (where[len] == '[')
		ca_text_add(&bits, where + len);
	return len > 0;
}

/* ---- URI references ------------------------------------------------------------------------ */

static void put_encoded(FILE *file, const char *bytes, const char *kept)
{
	for (const char *p = bytes; *p; p++) {
		unsigned char c = (unsigned char)*p;

		/* no stream error is lost: the caller asks ferror */
		if (isascii(c) && (isalnum(c) || strchr(kept, c)))
			(void)fputc(c, file);
		else
			(void)fprintf(file, "%%%02X", c);
	}
}

/* RFC 3986: unreserved characters and the separator stay; a ':' in the first segment of a relative
 * reference would be taken for a scheme, so it goes too. */
#define PATH_CHARACTERS "-._~/"

static void put_path(FILE *file, const char *path)
{
	if (path[0] == '/') {
		(void)fputs("file:///", file);
		path += strspn(path, "/");
	}
	put_encoded(file, path, PATH_CHARACTERS);
}

static void put_target(FILE *file, const char *artifact)
{
	if (strcmp(artifact, "-") == 0) {
		(void)fputs("stdin:", file);
	} else if (strncmp(artifact, "sim:", 4) == 0) {
		put_encoded(file, artifact, PATH_CHARACTERS ":=,");
	} else {
		put_path(file, strncmp(artifact, "image:", 6) == 0 ? artifact + 6 : artifact);
	}
}

/* Is `kept`, which may have been cut to the `size` of its array, this target? */
static bool is_target(const char *kept, size_t size, const char *artifact)
{
	return strncmp(kept, artifact, size - 1) == 0;
}

/* The directory whose files the registers are; NULL when the target is something else. */
static const char *register_dir(const struct ca_evidence *evidence, const char *artifact)
{
	const struct ca_device_facts *device = &evidence->device;

	if (!is_target(device->node, sizeof(device->node), artifact))
		return NULL; /* one card of a paste, or a certificate */
	if (device->registers_lent)
		return strlen(device->registers_from) + 1 < sizeof(device->registers_from)
			       ? device->registers_from
			       : NULL;
	if (evidence->origin == CA_ORIGIN_RECORDED &&
	    is_target(device->registers_from, sizeof(device->registers_from), artifact))
		return artifact;
	return NULL;
}

static const char *register_file(const struct ca_raw_registers *registers, const char *part)
{
	static const struct {
		const char *part;
		enum ca_register reg;
	} files[] = {
		{"cid", CA_REGISTER_CID},	{"csd", CA_REGISTER_CSD},
		{"scr", CA_REGISTER_SCR},	{"ssr", CA_REGISTER_SSR},
		{"extcsd", CA_REGISTER_EXTCSD}, {"nvme", CA_REGISTER_NVME_CTRL},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(files); i++)
		if (strcmp(part, files[i].part) == 0 && registers->has[files[i].reg])
			return ca_register_name(files[i].reg);
	return NULL;
}

char *ca_sarif_uri(const struct ca_evidence *evidence, const char *artifact, const char *part)
{
	const char *dir = register_dir(evidence, artifact);
	const char *name = dir ? register_file(&evidence->registers, part) : NULL;
	char *uri = NULL;
	size_t bytes;
	FILE *file = open_memstream(&uri, &bytes);
	bool failed;

	if (!file)
		return NULL;
	if (name) {
		put_path(file, dir);
		(void)fprintf(file, "%s%s", dir[strlen(dir) - 1] == '/' ? "" : "/", name);
	} else {
		put_target(file, artifact);
	}
	failed = ferror(file) != 0;
	if (fclose(file) != 0 || failed) {
		free(uri);
		return NULL;
	}
	return uri;
}

/* ---- locations ----------------------------------------------------------------------------- */

/* A card in a paste or a certificate has a name of its own: "card 2/cid[103:64]". */
static json_t *write_qualified_name(const struct ca_device_facts *device, const char *artifact,
				    const char *where)
{
	char name[sizeof(device->node) * 4 + sizeof(((struct ca_finding *)NULL)->where) + 1];
	struct ca_text text;

	ca_text_init(&text, name, sizeof(name));
	if (!is_target(device->node, sizeof(device->node), artifact)) {
		ca_text_escaped(&text, device->node, strlen(device->node));
		ca_text_add(&text, "/");
	}
	ca_text_add(&text, where);
	return ca_json_text(name);
}

static json_t *write_logical(const struct ca_certificate *certificate, const char *artifact,
			     const struct ca_finding *finding)
{
	const struct ca_device_facts *device = &certificate->evidence.device;
	json_t *object = json_object();
	struct ca_sarif_where where;
	bool has = ca_sarif_split_where(finding->where, &where);
	const char *whole = has ? finding->where : where.part;
	/* a range of bits is a member of its register; the rest has no kind of the standard's */
	const char *kind = where.bits[0] ? "member" : "resource";

	if (object && ca_json_set(object, "name", ca_json_text(whole)) == 0 &&
	    ca_json_set(object, "fullyQualifiedName",
			write_qualified_name(device, artifact, whole)) == 0 &&
	    ca_json_set(object, "kind", json_string(kind)) == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* A register's file is one line of hex digits; viewers want to know which line they show. */
static json_t *write_physical(const struct ca_evidence *evidence, const char *artifact,
			      const char *part)
{
	const char *dir = register_dir(evidence, artifact);
	CA_CLEANUP_FREE char *uri = ca_sarif_uri(evidence, artifact, part);

	if (!uri)
		return NULL;
	if (dir && register_file(&evidence->registers, part))
		return json_pack("{s:{s:s}, s:{s:i}}", "artifactLocation", "uri", uri, "region",
				 "startLine", 1);
	return json_pack("{s:{s:s}}", "artifactLocation", "uri", uri);
}

json_t *ca_sarif_write_locations(const struct ca_certificate *certificate, const char *artifact,
				 const struct ca_finding *finding)
{
	struct ca_sarif_where where;

	(void)ca_sarif_split_where(finding->where, &where); /* its parts are always there */
	return json_pack("[{s:o, s:[o]}]", "physicalLocation",
			 write_physical(&certificate->evidence, artifact, where.part),
			 "logicalLocations", write_logical(certificate, artifact, finding));
}
