/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"
#include "input_case.h"

static void write_down(void *context, const struct ca_json_value *value)
{
	struct ca_text *text = context;

	if (value->group.len) {
		ca_text_add_len(text, value->group.at, value->group.len);
		ca_text_add(text, ".");
	}
	ca_text_u64(text, value->index);
	ca_text_add(text, ".");
	ca_text_add_len(text, value->name.at, value->name.len);
	ca_text_add(text, value->string ? "='" : "=");
	ca_text_add_len(text, value->text.at, value->text.len);
	ca_text_add(text, ";");
}

static const struct {
	const char *json, *values;
	size_t len; /* that the object has */
} good[] = {
	{"{}", "", 2},
	{"{ \"a\" : 1 , \"b\":\"x y\"} tail", "0.a=1;0.b='x y;", 22},
	{"{\"a\":[{\"b\":1},{\"b\":2,\"c\":3}],\"d\":-4.5e3}",
	 "a.0.b=1;a.1.b=2;a.1.c=3;0.d=-4.5e3;", 40},
	{"{\"a\":{\"b\":{\"c\":true}},\"d\":null}", "a.0.c=true;0.d=null;", 31},
	{"{\"a\":[1,2],\"e\":[],\"f\":{}}", "a.0.a=1;a.1.a=2;", 25},
	{"{\"a\\\"b\":\"c\\\\\"}", "0.a\\\"b='c\\\\;", 14},
};

START_TEST(walked)
{
	char buf[256];
	struct ca_text text;
	size_t len;

	ca_text_init(&text, buf, sizeof(buf));
	len = ca_json_walk((struct ca_span){good[_i].json, strlen(good[_i].json)}, write_down,
			   &text);
	ck_assert_uint_eq(len, good[_i].len);
	ck_assert_str_eq(buf, good[_i].values);
}
END_TEST

static const char *const bad[] = {
	"",
	"[1]",
	"{",
	"{\"a\"}",
	"{\"a\":}",
	"{\"a\":1,}",
	"{\"a\":1",
	"{\"a\":[1",
	"{\"a\":\"x",
	"{\"a\":\"\\",
	"{a:1}",
	"{\"a\":[1,]}",
	"{\"a\":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}", /* deeper than any tool prints */
};

START_TEST(refused)
{
	ck_assert_uint_eq(ca_json_walk((struct ca_span){bad[_i], strlen(bad[_i])}, NULL, NULL), 0);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_json");

	tcase_add_loop_test(tests, walked, 0, (int)CA_ARRAY_LEN(good));
	tcase_add_loop_test(tests, refused, 0, (int)CA_ARRAY_LEN(bad));
	return run_tests(tests);
}
