/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int ca_error_set(struct ca_error *error, int code, const char *format, ...)
{
	va_list args;

	if (!error || error->code)
		return code;
	error->code = code;
	va_start(args, format);
	(void)vsnprintf(error->text, sizeof(error->text), format, args); /* cut is fine */
	va_end(args);
	return code;
}

void ca_free_pointer(void *pointer_to_pointer)
{
	void **pointer = pointer_to_pointer;

	free(*pointer);
	*pointer = NULL;
}
