/* SPDX-License-Identifier: BSD-2-Clause */
/* The words around a figure: "up to", "read", "random", "@QD32". */
#include "label_figure.h"

#include <string.h>

/* East Asian words touch the figure behind them: they have no end of their own. */
static const char *eat_word(const char *p, const char *word)
{
	return ca_label_is_east_asian(p) ? ca_label_eat_prefix(p, word) : ca_label_eat(p, word);
}

/* Words that go with a figure and change nothing about it. */
const char *ca_label_eat_neutral(const char *p)
{
	static const char *const words[] = {
		"up_to",
		"bis zu",
		"bis",
		"jusqu'\xc3\xa0",
		"jusqu'a",
		"max",
		"maximum",
		"min",
		"minimum",
		"at least",
		"at",
		"speed",
		"speeds",
		"transfer",
		"transfer rate",
		"rate",
		"about",
		"sustained",
		"sequential",
		"seq",
		"performance",
		"of",
		"and",
		"hasta",
		"fino a",
		"at\xc3\xa9",
		"do",
		"upp till",
		"tot",
		"geschwindigkeit",
		"vitesse",
		"velocidad",
		"velocit\xc3\xa0",
		"velocidade",
		"pr\304\231dko\305\233\304\207",
		"snelheid",
		"de",
		"di",
		"\xd1\x81\xd0\xba\xd0\xbe\xd1\x80\xd0\xbe\xd1\x81\xd1\x82\xd1\x8c",
		"\xd0\xb4\xd0\xbe",
		"\xe9\x80\x9f\xe5\xba\xa6",
		"\xe6\x9c\x80\xe5\xa4\xa7",
		"\xe9\xab\x98\xe8\xbe\xbe",
		"\xe5\x8f\xaf\xe8\xbe\xbe",
		"en",
		"in",
		"im",
		"beim",
		"\xc3\xa0",
		"und",
		"et",
		"y",
		"och",
		"transferrate",
		"datenrate",
		"\303\274bertragungsrate",
		"\303\274bertragungsgeschwindigkeit",
		"\303\234bertragungsrate",
		"\303\234bertragungsgeschwindigkeit",
		"rychlost",
		"hastighet",
		"hastighed",
		"\xd0\xa1\xd0\xba\xd0\xbe\xd1\x80\xd0\xbe\xd1\x81\xd1\x82\xd1\x8c",
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++) {
		const char *end = eat_word(p, words[i]);

		if (end)
			return end;
	}
	return ca_label_eat_prefix(p, "d'"); /* "vitesse d'\xc3\xa9criture" */
}

/* A direction that is not known would turn a write rate into a read rate. */
static const struct {
	const char *word;
	enum label_direction direction;
} directions[] = {
	{"read", LABEL_READ},
	{"reads", LABEL_READ},
	{"reading", LABEL_READ},
	{"r", LABEL_READ},
	{"lecture", LABEL_READ},
	{"lesen", LABEL_READ},
	{"lese", LABEL_READ},
	{"lesegeschwindigkeit", LABEL_READ},
	{"lectura", LABEL_READ},
	{"lettura", LABEL_READ},
	{"leitura", LABEL_READ},
	{"lezen", LABEL_READ},
	{"leessnelheid", LABEL_READ},
	{"odczyt", LABEL_READ},
	{"odczytu", LABEL_READ},
	{"l\xc3\xa4shastighet", LABEL_READ},
	{"l\xc3\xa4sning", LABEL_READ},
	{"l\xc3\xa6sehastighed", LABEL_READ},
	{"lesehastighet", LABEL_READ},
	{"\xd1\x87\xd1\x82\xd0\xb5\xd0\xbd\xd0\xb8\xd0\xb5", LABEL_READ},
	{"\xd1\x87\xd1\x82\xd0\xb5\xd0\xbd\xd0\xb8\xd1\x8f", LABEL_READ},
	{"\xe8\xaf\xbb\xe5\x8f\x96", LABEL_READ},
	{"\xe8\xaf\xbb\xe9\x80\x9f", LABEL_READ},
	{"\xe8\xaa\xad\xe5\x8f\x96", LABEL_READ},
	{"\xe8\xaa\xad\xe5\x8f\x96\xe3\x82\x8a", LABEL_READ},
	{"\xe8\xaa\xad\xe5\x87\xba", LABEL_READ},
	{"\xe8\xaa\xad\xe5\x87\xba\xe3\x81\x97", LABEL_READ},
	{"\xe6\x9b\xb8\xe8\xbe\xbc\xe3\x81\xbf", LABEL_WRITE},
	{"\xe8\xaa\xad\xe3\x81\xbf\xe5\x8f\x96\xe3\x82\x8a", LABEL_READ},
	{"\xe8\xaa\xad\xe3\x81\xbf\xe5\x87\xba\xe3\x81\x97", LABEL_READ},
	{"\xe8\xaa\xad\xe8\xbe\xbc", LABEL_READ},
	{"write", LABEL_WRITE},
	{"writes", LABEL_WRITE},
	{"writing", LABEL_WRITE},
	{"w", LABEL_WRITE},
	{"\303\251criture", LABEL_WRITE},
	{"ecriture", LABEL_WRITE},
	{"schreiben", LABEL_WRITE},
	{"schreibgeschwindigkeit", LABEL_WRITE},
	{"escritura", LABEL_WRITE},
	{"scrittura", LABEL_WRITE},
	{"escrita", LABEL_WRITE},
	{"grava\xc3\xa7\xc3\xa3o", LABEL_WRITE},
	{"schrijven", LABEL_WRITE},
	{"schrijfsnelheid", LABEL_WRITE},
	{"zapis", LABEL_WRITE},
	{"zapisu", LABEL_WRITE},
	{"skrivhastighet", LABEL_WRITE},
	{"skrivning", LABEL_WRITE},
	{"skrivehastighed", LABEL_WRITE},
	{"skrivehastighet", LABEL_WRITE},
	{"\xd0\xb7\xd0\xb0\xd0\xbf\xd0\xb8\xd1\x81\xd1\x8c", LABEL_WRITE},
	{"\xd0\xb7\xd0\xb0\xd0\xbf\xd0\xb8\xd1\x81\xd0\xb8", LABEL_WRITE},
	{"\xe5\x86\x99\xe5\x85\xa5", LABEL_WRITE},
	{"\xe5\x86\x99\xe9\x80\x9f", LABEL_WRITE},
	{"\xe6\x9b\xb8\xe8\xbe\xbc", LABEL_WRITE},
	{"\xe6\x9b\xb8\xe3\x81\x8d\xe8\xbe\xbc\xe3\x81\xbf", LABEL_WRITE},
	{"\xc4\x8dten\xc3\xad", LABEL_READ},
	{"okuma", LABEL_READ},
	{"l\303\244s", LABEL_READ},
	{"l\303\246s", LABEL_READ},
	{"olvas\xc3\xa1s", LABEL_READ},
	{"olvas\xc3\xa1si", LABEL_READ},
	{"luku", LABEL_READ},
	{"lukunopeus", LABEL_READ},
	{"citire", LABEL_READ},
	{"\xec\x9d\xbd\xea\xb8\xb0", LABEL_READ},
	{"\xec\x9d\xbd\xea\xb8\xb0\xec\x86\x8d\xeb\x8f\x84", LABEL_READ},
	{"z\xc3\xa1pis", LABEL_WRITE},
	{"yazma", LABEL_WRITE},
	{"\xc3\xadr\xc3\xa1s", LABEL_WRITE},
	{"\xc3\xadr\xc3\xa1si", LABEL_WRITE},
	{"kirjoitus", LABEL_WRITE},
	{"kirjoitusnopeus", LABEL_WRITE},
	{"scriere", LABEL_WRITE},
	{"\xec\x93\xb0\xea\xb8\xb0", LABEL_WRITE},
	{"\xec\x93\xb0\xea\xb8\xb0\xec\x86\x8d\xeb\x8f\x84", LABEL_WRITE},
	{"\xe8\xaf\xbb", LABEL_READ},
	{"\xe5\x86\x99", LABEL_WRITE},
};

/*
 * Beginnings of words that mean writing, in languages that compound and inflect: a writing rate
 * that is taken for a reading rate is a wrong claim, the other way round it cannot happen.
 */
static const char *eat_writing_stem(const char *p)
{
	static const char *const stems[] = {
		"schreib",
		"schrijf",
		"escrit",
		"scrittur",
		"\303\251critur",
		"\303\211critur",
		"ecritur",
		"skriv",
		"zapis",
		"z\xc3\xa1pis",
		"grava\xc3\xa7",
		"\xd0\xb7\xd0\xb0\xd0\xbf\xd0\xb8\xd1\x81",
		"\xd0\x97\xd0\xb0\xd0\xbf\xd0\xb8\xd1\x81",
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(stems); i++)
		if (ca_label_eat_prefix(p, stems[i]))
			return ca_label_word_end(p);
	return NULL;
}

static const char *say_direction(struct label_figure *figure, enum label_direction direction,
				 const char *end)
{
	if (!figure->directions)
		figure->first = direction;
	figure->directions |= (unsigned int)direction;
	return end;
}

const char *ca_label_eat_direction(const char *p, struct label_figure *figure)
{
	const char *end;

	for (size_t i = 0; i < CA_ARRAY_LEN(directions); i++) {
		end = eat_word(p, directions[i].word);
		if (end && ca_label_is_east_asian(end) && !ca_label_eat_neutral(end))
			end = NULL; /* part of a longer word that nobody here knows */
		if (end)
			return say_direction(figure, directions[i].direction, end);
	}
	if ((*p == 'R' || *p == 'W') && ca_label_is_digit(p[1])) /* "R170MB/s" */
		return say_direction(figure, *p == 'R' ? LABEL_READ : LABEL_WRITE, p + 1);
	end = eat_writing_stem(p);
	return end ? say_direction(figure, LABEL_WRITE, end) : NULL;
}

/* "QD32", "QD 32", "Q32T1", and "32" after a bare '@'. */
const char *ca_label_eat_queue_depth(const char *p, bool bare, struct label_figure *figure)
{
	struct label_number depth;
	const char *end = ca_label_eat_prefix(p, "qd_");

	if (!end)
		end = ca_label_eat_prefix(p, "q");
	if (!end && bare)
		end = p;
	end = end ? ca_label_eat_number(end, &depth) : NULL;
	if (!end || depth.decimals || depth.digits == 0 || depth.digits > 65536)
		return NULL;
	if (*end == 't' || *end == 'T') { /* threads multiply it, but say nothing of the card */
		struct label_number threads;

		end = ca_label_eat_number(end + 1, &threads);
	}
	if (!end || !ca_label_is_word_end(end))
		return NULL;
	figure->queue_depth = (uint32_t)depth.digits;
	return end;
}

/* "4K, up to 160 MB/s" speaks of video; "4K random" and "4K 40,000 IOPS" of blocks. */
static bool is_of_video(const char *end)
{
	const char *next = ca_label_skip_blank(end);

	return (*next && strchr(",;|/-", *next)) || ca_label_eat(next, "up_to") ||
	       ca_label_eat(next, "bis zu") || ca_label_eat_prefix(next, "jusqu'");
}

/* Random I/O is stated in blocks of 4 KiB. */
static const char *eat_random(const char *p, struct label_figure *figure)
{
	static const char *const words[] = {"random", "rand", "4_kib", "4_kb", "4_k"};

	for (size_t i = 0; i < CA_ARRAY_LEN(words); i++) {
		const char *end = ca_label_eat(p, words[i]);

		if (!end)
			continue;
		if (!figure->random && words[i][0] == '4' && is_of_video(end))
			return NULL;
		figure->random = true;
		return end;
	}
	return NULL;
}

const char *ca_label_eat_qualifiers(const char *p, struct label_figure *figure)
{
	for (unsigned int i = 0; i < LABEL_QUALIFIERS_MAX; i++) {
		const char *gap = ca_label_skip_gap(p);
		bool at_sign = *gap == '@';
		const char *word = at_sign ? ca_label_skip_blank(gap + 1) : gap;
		const char *next = ca_label_eat_queue_depth(word, at_sign, figure);

		if (!next)
			next = ca_label_eat_direction(word, figure);
		if (!next)
			next = eat_random(word, figure);
		if (!next)
			next = ca_label_eat_neutral(word);
		if (!next)
			break;
		figure->led = !ca_label_is_digit(*next); /* "R170" does not */
		p = next;
	}
	return p;
}
