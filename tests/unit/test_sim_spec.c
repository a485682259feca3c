/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim.h"

#include "cardassay/specs.h"

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

START_TEST(every_key)
{
	struct ca_sim_spec spec;
	struct ca_error error = {0};

	ck_assert_int_eq(ca_sim_parse("announced=64G,real=1G,kind=chain,wrap=2G,cache=16M,"
				      "read-iops=3200,write-iops=1200,read-rate=90M,"
				      "write-rate=30000000,queue-depth=32,limbo=noise,seed=7,"
				      "sector=4096,bad=10-20,flip=99,gone-after=3G,"
				      "cache-random=64K,cliff=4G,cliff-rate=3M,noise=7-8,"
				      "wire-flip=1000,wire-page=2000,crosstalk=3000,"
				      "reader-limit=32G,reader=error,protect-after=1G,"
				      "protect=error,replug=identity",
				      &spec, &error),
			 0);
	ck_assert(spec.announced_bytes == 64 * CA_GIB);
	ck_assert(spec.real_bytes == CA_GIB);
	ck_assert_int_eq((int)spec.kind, CA_SIM_CHAIN);
	ck_assert(spec.wrap_bytes == 2 * CA_GIB);
	ck_assert(spec.cache_bytes == 16 * CA_MIB);
	ck_assert_uint_eq(spec.read_iops, 3200);
	ck_assert_uint_eq(spec.write_iops, 1200);
	ck_assert_uint_eq(spec.read_rate, 90000000); /* a rate: M is 10^6 */
	ck_assert_uint_eq(spec.write_rate, 30000000);
	ck_assert_uint_eq(spec.queue_depth, 32);
	ck_assert_int_eq((int)spec.limbo, CA_SIM_LIMBO_NOISE);
	ck_assert_uint_eq(spec.seed, 7);
	ck_assert_uint_eq(spec.sector_bytes, 4096);
	ck_assert(spec.has_bad && spec.bad_first == 10 && spec.bad_last == 20);
	ck_assert(spec.has_flip && spec.flip_lba == 99);
	ck_assert(spec.gone_after_bytes == 3 * CA_GIB);
	ck_assert(spec.has_random_cache && spec.random_cache_bytes == 64 * CA_KIB);
	ck_assert(spec.cliff_bytes == 4 * CA_GIB && spec.cliff_rate == 3000000);
	ck_assert(spec.has_noise && spec.noise_first == 7 && spec.noise_last == 8);
	ck_assert(spec.wire_flip == 1000 && spec.wire_page == 2000 && spec.crosstalk == 3000);
	ck_assert(spec.reader_limit_bytes == 32 * CA_GIB);
	ck_assert_int_eq((int)spec.reader, CA_SIM_READER_ERROR);
	ck_assert(spec.protect_after_bytes == CA_GIB);
	ck_assert_int_eq((int)spec.protect, CA_SIM_PROTECT_ERROR);
	ck_assert_int_eq((int)spec.replug, CA_SIM_REPLUG_IDENTITY);
	ck_assert_ptr_null(spec.named);
	ck_assert_int_eq(error.code, 0);
}
END_TEST

START_TEST(defaults)
{
	struct ca_sim_spec spec;

	ck_assert_int_eq(ca_sim_parse("announced=1G", &spec, NULL), 0);
	ck_assert_int_eq((int)spec.kind, CA_SIM_SOUND);
	ck_assert(spec.real_bytes == CA_GIB);
	ck_assert_uint_eq(spec.sector_bytes, 512);
	ck_assert_uint_eq(spec.queue_depth, 1);
	ck_assert_uint_eq(spec.read_iops, 0); /* 0 = the card's default, see sim.h */
	ck_assert_uint_eq(spec.cache_bytes, 0);
	ck_assert_uint_eq(spec.gone_after_bytes, 0);
	ck_assert_int_eq((int)spec.limbo, CA_SIM_LIMBO_ZEROS);
	ck_assert(!spec.has_bad && !spec.has_flip);
}
END_TEST

static const struct {
	const char *text;
	uint64_t real_bytes;
	enum ca_sim_kind kind;
} accepted[] = {
	{"announced=64G,kind=wrap,real=1234567168", 1234567168, CA_SIM_WRAP},
	{"announced=512", 512, CA_SIM_SOUND},
	{"kind=sound,announced=128T", CA_SIM_ANNOUNCED_MAX, CA_SIM_SOUND},
	{"announced=64GB,kind=limbo,real=1024KB,limbo=last", 1024000, CA_SIM_LIMBO},
	{"announced=1M,bad=0-2047,flip=2047", CA_MIB, CA_SIM_SOUND},
	{"announced=1M,bad=5", CA_MIB, CA_SIM_SOUND},
	{"announced=1G,kind=table,real=7M", 7 * CA_MIB, CA_SIM_TABLE},
	{"announced=1G,kind=table,real=512K,extent=64K", 512 * CA_KIB, CA_SIM_TABLE},
	{"announced=1G,kind=regions,real=7M,tail=1M", 7 * CA_MIB, CA_SIM_REGIONS},
	{"announced=1G,kind=islands", CA_GIB, CA_SIM_ISLANDS},
	{"announced=1G,kind=islands,share=99,extent=4K", CA_GIB, CA_SIM_ISLANDS},
	{"announced=2T,kind=ring,real=8G", 8 * CA_GIB, CA_SIM_RING},
	{"announced=1T,kind=thin,real=120G,full=slow", 120 * CA_GIB, CA_SIM_THIN},
	{"announced=1G,kind=compress,real=1M", CA_MIB, CA_SIM_COMPRESS},
	{"announced=1G,kind=errors,real=1M", CA_MIB, CA_SIM_ERRORS},
	{"announced=1G,kind=brick,real=1M", CA_MIB, CA_SIM_BRICK},
	{"announced=1G,kind=volatile,real=1M,limbo=ones", CA_MIB, CA_SIM_VOLATILE},
	{"announced=1G,kind=returning,real=1M", CA_MIB, CA_SIM_RETURNING},
	{"announced=1M,read-rate=1k,write-rate=1G,read-iops=0", CA_MIB, CA_SIM_SOUND},
};

START_TEST(accepts)
{
	struct ca_sim_spec spec;
	struct ca_error error = {0};

	ck_assert_int_eq(ca_sim_parse(accepted[_i].text, &spec, &error), 0);
	ck_assert(spec.real_bytes == accepted[_i].real_bytes);
	ck_assert_int_eq((int)spec.kind, (int)accepted[_i].kind);
}
END_TEST

static const struct {
	const char *text;
	int code;
	const char *says;
} refused[] = {
	{"", -EINVAL, "named card"},
	{"no-such-card", -EINVAL, "named card \"no-such-card\""},
	{"fake-128", -EINVAL, "did you mean \"fake-128g\""},
	{"kind=sound", -EINVAL, "announced="},
	{"announced=", -EINVAL, "announced="},
	{"announced=0", -ERANGE, "announced=0"},
	{"announced=12X", -EINVAL, "announced=12X"},
	{"announced=129T", -ERANGE, "announced=129T"},
	{"announced=99999999999999999999999999999999999999G", -ERANGE, "announced="},
	{"announced=513", -EINVAL, "announced="},
	{"announced=1G,announced=2G", -EINVAL, "announced is given twice"},
	{"announced=1G,", -EINVAL, "KEY=VALUE"},
	{"announced=1G,,seed=1", -EINVAL, "KEY=VALUE"},
	{"announced=1G,wrong", -EINVAL, "\"wrong\""},
	{"anounced=1G", -EINVAL, "did you mean \"announced\""},
	{"announced=1G,colour=red", -EINVAL, "setting \"colour\"; there are: announced, real,"},
	{"fake", -EINVAL, "there are: genuine-4g, fake-128g,"},
	{"=1G", -EINVAL, "setting"},
	{"announced=1G,kind=magic", -EINVAL, "kind=magic"},
	{"announced=1G,real=1G", -EINVAL, "takes no real="},
	{"announced=1G,kind=sound,real=1M", -EINVAL, "takes no real="},
	{"announced=1G,kind=wrap", -EINVAL, "kind=wrap needs real="},
	{"announced=1G,kind=limbo", -EINVAL, "kind=limbo needs real="},
	{"announced=1G,kind=wrap,real=1G", -EINVAL, "smaller than announced="},
	{"announced=1G,kind=limbo,real=2G", -EINVAL, "smaller than announced="},
	{"announced=1G,kind=wrap,real=1000", -EINVAL, "real="},
	{"announced=1G,kind=limbo,real=1000KB,limbo=last", -EINVAL, "real="},
	{"announced=1G,kind=wrap,real=1M,wrap=2M", -EINVAL, "takes no wrap="},
	{"announced=1G,kind=chain,real=1M", -EINVAL, "needs wrap="},
	{"announced=1G,kind=chain,real=1M,wrap=1M", -EINVAL, "between real= and announced="},
	{"announced=1G,kind=chain,real=1M,wrap=1G", -EINVAL, "between real= and announced="},
	{"announced=1G,limbo=ones", -EINVAL, "takes no limbo="},
	{"announced=1G,kind=wrap,real=1M,limbo=ones", -EINVAL, "takes no limbo="},
	{"announced=1G,kind=limbo,real=1M,limbo=twos", -EINVAL, "limbo=twos"},
	{"announced=1G,cache=700", -EINVAL, "cache="},
	{"announced=8G,cache=2G", -ERANGE, "cache=2G"},
	{"announced=1G,sector=1024", -EINVAL, "sector=1024"},
	{"announced=1G,sector=", -EINVAL, "sector="},
	{"announced=1536,sector=4096", -EINVAL, "announced="},
	{"announced=1G,queue-depth=0", -ERANGE, "queue-depth=0"},
	{"announced=1G,queue-depth=65", -ERANGE, "queue-depth=65"},
	{"announced=1G,queue-depth=2x", -EINVAL, "queue-depth=2x"},
	{"announced=1G,read-iops=-1", -EINVAL, "read-iops=-1"},
	{"announced=1G,write-iops=3K", -EINVAL, "write-iops=3K"},
	{"announced=1G,read-rate=fast", -EINVAL, "read-rate=fast"},
	{"announced=1G,write-rate=2T", -ERANGE, "write-rate=2T"},
	{"announced=1G,seed=18446744073709551616", -ERANGE, "seed="},
	{"announced=1M,bad=1-2048", -ERANGE, "bad="},
	{"announced=1M,bad=9-8", -EINVAL, "ends before"},
	{"announced=1M,bad=1-", -EINVAL, "bad=1-"},
	{"announced=1M,bad=-1", -EINVAL, "bad=-1"},
	{"announced=1M,bad=1-2-3", -EINVAL, "bad=1-2-3"},
	{"announced=1M,bad=111111111111111111111111111111", -EINVAL, "bad="},
	{"announced=1M,noise=2048", -ERANGE, "noise="},
	{"announced=1M,noise=4-2", -EINVAL, "ends before"},
	{"announced=1G,kind=regions,real=2M", -EINVAL, "kind=regions needs tail="},
	{"announced=1G,kind=regions,real=2M,tail=2M", -EINVAL, "smaller than real="},
	{"announced=1G,kind=table,real=1M,extent=768K", -EINVAL, "whole number of extents"},
	{"announced=1G,kind=table,real=1000K", -EINVAL, "whole number of extents"},
	{"announced=1G,kind=islands,real=1M", -EINVAL, "takes no real="},
	{"announced=1G,kind=islands,share=100", -ERANGE, "share="},
	{"announced=1G,kind=islands,extent=700", -EINVAL, "extent="},
	{"announced=1G,kind=wrap,real=1M,share=5", -EINVAL, "takes no share="},
	{"announced=1G,kind=ring,real=1M,full=slow", -EINVAL, "takes no full="},
	{"announced=1G,kind=thin,real=1M,full=empty", -EINVAL, "errors slow death"},
	{"announced=1G,kind=errors,real=1M,limbo=ones", -EINVAL, "takes no limbo="},
	{"announced=1G,reader=wrap", -EINVAL, "needs reader-limit="},
	{"announced=1G,reader-limit=1M,reader=slow", -EINVAL, "wrap error"},
	{"announced=1G,protect=error", -EINVAL, "needs protect-after="},
	{"announced=1G,replug=other", -EINVAL, "same size identity gone"},
	{"announced=1G,cache-random=1000", -EINVAL, "cache-random="},
	{"announced=1M,flip=2048", -ERANGE, "flip="},
	{"announced=1M,flip=1-2", -EINVAL, "flip=1-2"},
	{"announced=1M,flip=x", -EINVAL, "flip=x"},
};

START_TEST(refuses)
{
	struct ca_sim_spec spec, before;
	struct ca_error error = {0};

	memset(&spec, 0x5a, sizeof(spec));
	before = spec;
	ck_assert_int_eq(ca_sim_parse(refused[_i].text, &spec, &error), refused[_i].code);
	ck_assert_int_eq(error.code, refused[_i].code);
	ck_assert_msg(strstr(error.text, refused[_i].says) != NULL, "%s: %s", refused[_i].text,
		      error.text);
	ck_assert_mem_eq(&spec, &before, sizeof(spec)); /* untouched on failure */
}
END_TEST

START_TEST(refuses_overlong_text)
{
	struct ca_sim_spec spec;
	struct ca_error error = {0};
	char text[5000];

	memset(text, '1', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(ca_sim_parse(text, &spec, &error), -EINVAL);
	text[3] = '=';
	error.code = 0;
	ck_assert_int_eq(ca_sim_parse(text, &spec, &error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error.text, "longer than"));
}
END_TEST

START_TEST(named_card)
{
	struct ca_sim_spec spec;

	ck_assert_int_eq(ca_sim_parse("fake-128g", &spec, NULL), 0);
	ck_assert_ptr_nonnull(spec.named);
	ck_assert_str_eq(spec.named->name, "fake-128g");
	ck_assert_int_eq((int)spec.kind, CA_SIM_WRAP);
	ck_assert(spec.real_bytes == CA_GIB);
	ck_assert_uint_gt(spec.announced_bytes, UINT64_C(120000000000));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim_spec");
	TCase *tcase = tcase_create("sim_spec");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_add_test(tcase, every_key);
	tcase_add_test(tcase, defaults);
	tcase_add_loop_test(tcase, accepts, 0, (int)CA_ARRAY_LEN(accepted));
	tcase_add_loop_test(tcase, refuses, 0, (int)CA_ARRAY_LEN(refused));
	tcase_add_test(tcase, refuses_overlong_text);
	tcase_add_test(tcase, named_card);
	suite_add_tcase(suite, tcase);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
