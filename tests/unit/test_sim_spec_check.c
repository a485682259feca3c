/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim_spec.h"
#include "sim_rig.h"

#include <errno.h>

/* A draft of this kind with these settings, all of them of a sensible size. */
static struct ca_sim_draft make(enum ca_sim_kind kind, uint64_t seen)
{
	struct ca_sim_draft draft = {
		.spec = {.announced_bytes = CA_GIB, .sector_bytes = 512},
		.kind = kind,
		.seen = seen | UINT64_C(1) << CA_SIM_KEY_ANNOUNCED,
	};

	draft.spec.real_bytes = ca_sim_has_key(&draft, CA_SIM_KEY_REAL) ? 64 * CA_MIB : 0;
	draft.spec.wrap_bytes = ca_sim_has_key(&draft, CA_SIM_KEY_WRAP) ? 128 * CA_MIB : 0;
	draft.spec.tail_bytes = ca_sim_has_key(&draft, CA_SIM_KEY_TAIL) ? CA_MIB : 0;
	return draft;
}

/* Each kind is content with what it needs, and misses each of that when it is left out. */
START_TEST(kinds_take_what_they_need)
{
	static const uint64_t real = UINT64_C(1) << CA_SIM_KEY_REAL;
	static const uint64_t needs[] = {
		[CA_SIM_SOUND] = 0,	  [CA_SIM_LIMBO] = real,
		[CA_SIM_WRAP] = real,	  [CA_SIM_CHAIN] = real | UINT64_C(1) << CA_SIM_KEY_WRAP,
		[CA_SIM_TABLE] = real,	  [CA_SIM_REGIONS] = real | UINT64_C(1) << CA_SIM_KEY_TAIL,
		[CA_SIM_ISLANDS] = 0,	  [CA_SIM_RING] = real,
		[CA_SIM_THIN] = real,	  [CA_SIM_COMPRESS] = real,
		[CA_SIM_ERRORS] = real,	  [CA_SIM_BRICK] = real,
		[CA_SIM_VOLATILE] = real, [CA_SIM_RETURNING] = real,
	};
	struct ca_sim_draft draft = make((enum ca_sim_kind)_i, needs[_i]);

	ck_assert_int_eq(ca_sim_check_draft(&draft, NULL), 0);
	ck_assert_int_eq((int)draft.spec.kind, _i);
	ck_assert_uint_gt(draft.spec.real_bytes, 0);
	for (unsigned int key = 0; key < CA_SIM_KEYS; key++) {
		if (!(needs[_i] & UINT64_C(1) << key))
			continue;
		draft = make((enum ca_sim_kind)_i, needs[_i] & ~(UINT64_C(1) << key));
		ck_assert_int_eq(ca_sim_check_draft(&draft, NULL), -EINVAL);
	}
}
END_TEST

START_TEST(names_of_kinds)
{
	char name[16];

	ca_sim_kind_name(CA_SIM_SOUND, name);
	ck_assert_str_eq(name, "sound");
	ca_sim_kind_name(CA_SIM_COMPRESS, name);
	ck_assert_str_eq(name, "compress");
	ca_sim_kind_name(CA_SIM_RETURNING, name);
	ck_assert_str_eq(name, "returning");
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("sim_spec_check");

	tcase_add_loop_test(tcase, kinds_take_what_they_need, 0, CA_SIM_RETURNING + 1);
	tcase_add_test(tcase, names_of_kinds);
	return run_tests(tcase);
}
