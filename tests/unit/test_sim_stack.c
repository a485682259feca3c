/* SPDX-License-Identifier: BSD-2-Clause */
/* All layers at once, and each alone: what none of them touches comes through unharmed. */
#include "sim_rig.h"

static const struct {
	const char *text;
	unsigned int layers;
} stacks[] = {
	{"announced=1G", 1},
	{"announced=1G,kind=ring,real=1M", 1},
	{"announced=1G,kind=compress,real=1M", 1},
	{"announced=1G,kind=volatile,real=1M", 2},
	{"announced=1G,cache=64K", 2},
	{"announced=1G,cache-random=64K", 2},
	{"announced=1G,kind=brick,real=1M", 2},
	{"announced=1G,kind=errors,real=1M", 2},
	{"announced=1G,reader-limit=512M", 2},
	{"announced=1G,kind=volatile,real=1M,cache=64K,protect-after=1M,bad=9000,flip=9001,"
	 "crosstalk=5",
	 7},
};

START_TEST(layers_lie_on_each_other)
{
	struct ca_sim_layer *top = new_stack(stacks[_i].text);
	unsigned int count = 0;

	for (struct ca_sim_layer *layer = top; layer; layer = layer->below)
		count++;
	ck_assert_uint_eq(count, stacks[_i].layers);
	(void)put_many(top, 100, 20, 7);
	for (uint64_t i = 0; i < 20; i++)
		ck_assert_uint_eq(get(top, 100 + i), 7 + i);
	ck_assert_int_eq(ca_sim_stack_power(top, NULL), 0);
	ck_assert_uint_eq(get(top, 119), 26);
	ca_sim_stack_free(top);
}
END_TEST

/* Cards of any announced size open at once and take memory for what is written only. */
START_TEST(large_cards_cost_nothing)
{
	static const char *const texts[] = {
		"announced=2T",
		"announced=2T,kind=ring,real=1G",
		"announced=2T,kind=thin,real=1T",
		"announced=2T,kind=compress,real=1T",
		"announced=2T,kind=volatile,real=1G",
		"announced=2T,kind=islands",
		"announced=128T,kind=regions,real=1G,tail=1M",
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(texts); i++) {
		struct ca_sim_layer *top = new_stack(texts[i]);

		put(top, (UINT64_C(2) << 31) - 1, 3);
		put(top, 0, 4);
		(void)get(top, UINT64_C(2) << 30);
		ca_sim_stack_free(top);
	}
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_stack");

	tcase_add_loop_test(tcase, layers_lie_on_each_other, 0, (int)CA_ARRAY_LEN(stacks));
	tcase_add_test(tcase, large_cards_cost_nothing);
	return run_tests(tcase);
}
