/* SPDX-License-Identifier: BSD-2-Clause */
/* What label_figure.c and label_figure_words.c share; nobody else includes it. */
#ifndef CA_LABEL_FIGURE_H
#define CA_LABEL_FIGURE_H

#include "label_internal.h"

enum label_direction {
	LABEL_NONE = 0,
	LABEL_READ = 1,
	LABEL_WRITE = 2,
	LABEL_BOTH = 3,
};

/* What the words around a figure say of it. */
struct label_figure {
	unsigned int directions;    /* set of enum label_direction */
	enum label_direction first; /* which of them was said first */
	bool random;
	bool led;	      /* words stand before the figure, so that it begins behind them */
	bool unclear;	      /* "2 400 MB/s": one number, or one behind another */
	uint32_t queue_depth; /* 0 = not stated */
};

/* No label says more words about one figure; the bound keeps hostile ones from taking long. */
#define LABEL_QUALIFIERS_MAX 12U

/* The end of the words at p that go with a figure, p when there are none. */
const char *ca_label_eat_qualifiers(const char *p, struct label_figure *figure);
/* "up to", "speed": a word that changes nothing about a figure; NULL = none. */
const char *ca_label_eat_neutral(const char *p);
/* "read", "Schreiben", "W" before a digit; NULL = none. */
const char *ca_label_eat_direction(const char *p, struct label_figure *figure);
/* "QD32", "QD 32", "Q32T1", and "32" after a bare '@'; NULL = none. */
const char *ca_label_eat_queue_depth(const char *p, bool bare, struct label_figure *figure);

#endif
