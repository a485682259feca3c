/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text that people and rules write (labels, operators, findings) is UTF-8. What is not, and every
 * character that could steer a terminal or reverse a line (C0, C1, DEL, bidirectional controls),
 * becomes '?'. The result is never longer than the input, and cleaning twice changes nothing.
 */
#ifndef CA_CERTIFICATE_TEXT_CLEAN_H
#define CA_CERTIFICATE_TEXT_CLEAN_H

#include <stddef.h>

/* In place. Returns the new length. */
size_t ca_text_clean(char *text);

struct ca_text;
/*
 * A path as it can be given back to a shell or an editor: printable UTF-8 stays; what would steer a
 * terminal, what is no UTF-8, and the backslash become \xNN and \\, so that the line stays one.
 */
void ca_text_add_path(struct ca_text *text, const char *path);

/* Bytes of the UTF-8 character at `text` (NUL-terminated, not empty), 0 when it is malformed. */
size_t ca_text_character_bytes(const char *text);

#endif
