/* SPDX-License-Identifier: BSD-2-Clause */
#include "input.h"
#include "input_case.h"

#include <errno.h>
#include <zlib.h>

#define CID "275048534431364760011a77d2014701"
#define CSD "400e00325b590000740f7f800a400001"

/* An archive being written; large: keep it static. */
struct tar {
	char data[65536];
	size_t len;
};

static void put_sum(char *header)
{
	unsigned int sum = 0;

	memset(header + 148, ' ', 8);
	for (size_t i = 0; i < 512; i++)
		sum += (unsigned char)header[i];
	(void)snprintf(header + 148, 8, "%06o", sum);
}

static char *add(struct tar *tar, char type, const char *name, const void *data, size_t len)
{
	char *header = tar->data + tar->len;

	(void)snprintf(header, 100, "%s", name);
	(void)snprintf(header + 124, 12, "%o", (unsigned int)len);
	header[156] = type;
	memcpy(header + 257, "ustar\00000", 8);
	put_sum(header);
	if (len)
		memcpy(header + 512, data, len);
	tar->len += 512 + (len + 511) / 512 * 512;
	return header;
}

static void add_text(struct tar *tar, const char *name, const char *text)
{
	(void)add(tar, '0', name, text, strlen(text));
}

static int read_tar(struct tar *tar, struct got *got, struct ca_error *error)
{
	return got_read(tar->data, tar->len + 1024, got, error);
}

START_TEST(directories)
{
	char sysfs[4096] = CSD "\n"; /* filled up with zeros to the size the kernel claims */
	static struct tar tar;
	struct ca_error error;
	static struct got got;

	(void)add(&tar, '5', "mycard/", NULL, 0);
	add_text(&tar, "mycard/cid", CID "\n");
	(void)add(&tar, '0', "mycard/csd", sysfs, sizeof(sysfs));
	add_text(&tar, "mycard/notes.txt", "cid: nothing\n");
	add_text(&tar, "sys/block/mmcblk0/device/cid", CID "\n");
	add_text(&tar, "sys/block/mmcblk0/size", "30425088\n");
	ck_assert_msg(read_tar(&tar, &got, &error) == 0, "%s", error.text);
	ck_assert_str_eq(got.text, "mycard SD cid=27 csd=40;sys/block/mmcblk0/device SD cid=27;");
	ck_assert_uint_eq(got.last.device.bytes, 15577645056);
	add_text(&tar, "drive/id_ctrl", "");
	ck_assert_int_eq(read_tar(&tar, &got, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "entry 7: id_ctrl: empty"));
}
END_TEST

START_TEST(all_of_a_capture)
{
	static char page[CA_NVME_ID_BYTES] = {0x4d, 0x14};
	static struct tar tar;
	struct ca_error error;
	static struct got got;

	add_text(&tar, "mycard/cid", CID "\n");
	add_text(&tar, "mycard/masked", "good\n");
	add_text(&tar, "mycard/type", "MMC\n");
	add_text(&tar, "mycard/size", "30425088\n");
	add_text(&tar, "mycard/ocr", "0x00300000\n");
	add_text(&tar, "mycard/ios", "timing spec:\t6 (sd uhs SDR104)\n");
	add_text(&tar, "mycard/host_facts", "nr_requests\t31\t31\n");
	ck_assert_int_eq(read_tar(&tar, &got, &error), 0);
	ck_assert_str_eq(got.text, "mycard MMC cid=27 ocr=00300000;");
	ck_assert_uint_eq(got.last.device.bytes, 15577645056);
	ck_assert(got.last.masked);
	ck_assert_int_eq(got.last.registers.masked_cid_crc, CA_CRC_GOOD);
	ck_assert_str_eq(got.last.host[CA_HOST_BUS_TIMING].text, "sd uhs SDR104");
	ck_assert_int_eq(got.last.host[CA_HOST_NR_REQUESTS].number, 31);

	memset(&tar, 0, sizeof(tar));
	(void)add(&tar, '0', "drive/id_ctrl", page, sizeof(page));
	add_text(&tar, "drive/vendor", "0x144d\n");
	add_text(&tar, "usb/device_facts", "media\tunknown\nmodel\tReader\nhidden_because\tUSB\n");
	ck_assert_int_eq(read_tar(&tar, &got, &error), 0);
	ck_assert_str_eq(got.text, "drive id_ctrl=4d;usb SD;");
	ck_assert_str_eq(got.last.device.model, "Reader");
	ck_assert_int_eq(got.last.device.media, CA_MEDIA_UNKNOWN);
}
END_TEST

START_TEST(names)
{
	static const char pax[] = "29 path=../../etc/x/mmc0/cid\n"
				  "16 mtime=1.2345\n";
	char deep[300];
	static struct tar tar;
	struct ca_error error;
	static struct got got;
	char *header;

	/* names are only names */
	(void)add(&tar, 'x', "PaxHeader", pax, sizeof(pax) - 1);
	add_text(&tar, "short", CID);
	(void)add(&tar, 'g', "global", pax, sizeof(pax) - 1);
	add_text(&tar, "/etc/y/csd", CSD);
	ck_assert_int_eq(read_tar(&tar, &got, &error), 0);
	ck_assert_str_eq(got.text, "../../etc/x/mmc0 SD cid=27;/etc/y SD csd=40;");
	/* GNU's long name, the prefix of ustar */
	memset(&tar, 0, sizeof(tar));
	memset(deep, 'd', 200);
	(void)snprintf(deep + 200, 100, "/cid");
	(void)add(&tar, 'L', "././@LongLink", deep, strlen(deep) + 1);
	add_text(&tar, "cut", CID);
	header = add(&tar, '0', "csd", CSD, 32);
	memcpy(header + 345, "pre/fix", 8);
	put_sum(header);
	ck_assert_int_eq(read_tar(&tar, &got, &error), 0);
	ck_assert_uint_eq(got.cards, 2);
	ck_assert_ptr_nonnull(strstr(got.text, "ddd SD cid=27;pre/fix SD csd=40;"));
}
END_TEST

/* Links, sparse files and devices hold no register. */
START_TEST(left_out)
{
	static const char types[] = {'1', '2', '3', '4', '5', '6', 'S', 'V', 'z'};
	static struct tar tar;
	struct ca_error error;
	static struct got got;

	(void)add(&tar, types[_i], "a/cid", CID, types[_i] == 'S' || types[_i] > '6' ? 32 : 0);
	add_text(&tar, "b/cid", CID);
	ck_assert_msg(read_tar(&tar, &got, &error) == 0, "%s", error.text);
	ck_assert_str_eq(got.text, "b SD cid=27;");
}
END_TEST

static void spoil_sum(struct tar *tar)
{
	tar->data[1024] = '?';
}

static void spoil_size(struct tar *tar)
{
	memcpy(tar->data + 1024 + 124, "77777777777", 11);
	put_sum(tar->data + 1024);
}

static void spoil_binary_size(struct tar *tar)
{
	memset(tar->data + 1024 + 124, 0xff, 12);
	tar->data[1024 + 124] = (char)0x80;
	put_sum(tar->data + 1024);
}

static void spoil_letters(struct tar *tar)
{
	memcpy(tar->data + 1024 + 124, "hello", 6);
	put_sum(tar->data + 1024);
}

static void spoil_sparse(struct tar *tar)
{
	tar->data[1024 + 156] = 'S';
	tar->data[1024 + 482] = 1;
	put_sum(tar->data + 1024);
	tar->data[1024 + 512 + 504] = 1;
	memset(tar->data + 2048, 1, 2048); /* more and more headers */
}

static const struct {
	void (*spoil)(struct tar *tar);
	const char *says;
} bad[] = {
	{spoil_sum, "tar archive, offset 1024, entry 2: no header here"},
	{spoil_size, "entry 2: the archive ends inside of it"},
	{spoil_binary_size, "entry 2: its size is no number"},
	{spoil_letters, "entry 2: its size is no number"},
	{spoil_sparse, "entry 2: the archive ends inside of it"},
};

START_TEST(damaged)
{
	static struct tar tar;
	struct ca_error error;
	static struct got got;

	add_text(&tar, "a/cid", CID);
	add_text(&tar, "b/cid", CID);
	bad[_i].spoil(&tar);
	ck_assert_int_eq(read_tar(&tar, &got, &error), -EBADMSG);
	ck_assert_msg(strstr(error.text, bad[_i].says) != NULL, "%s", error.text);
	ck_assert_uint_eq(got.cards, 0);
}
END_TEST

START_TEST(nothing_of_use)
{
	static struct tar tar;
	struct ca_error error;
	static struct got got;

	add_text(&tar, "a/readme", "x");
	ck_assert_int_eq(read_tar(&tar, &got, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "no register in this archive"));
}
END_TEST

/* ---- gzip ----------------------------------------------------------------------------------- */

static size_t pack(const void *data, size_t len, char *ret_packed, size_t size)
{
	z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)data,
			   .avail_in = (uInt)len,
			   .next_out = (Bytef *)ret_packed,
			   .avail_out = (uInt)size};

	ck_assert_int_eq(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, 0), Z_OK);
	ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
	len = size - stream.avail_out;
	ck_assert_int_eq(deflateEnd(&stream), Z_OK);
	return len;
}

START_TEST(gzip)
{
	static struct tar tar;
	char packed[4096];
	struct ca_error error;
	static struct got got;
	size_t len;

	add_text(&tar, "a/cid", CID);
	len = pack(tar.data, tar.len + 1024, packed, sizeof(packed));
	ck_assert_int_eq(got_read(packed, len, &got, &error), 0);
	ck_assert_str_eq(got.text, "a SD cid=27;");
	/* cut, damaged */
	ck_assert_int_eq(got_read(packed, len / 2, &got, &error), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(error.text, "ends early or is damaged"));
	packed[len / 2] ^= 0x55;
	ck_assert_int_eq(got_read(packed, len, &got, &error), -EBADMSG);
	/* two files put together, text as well */
	len = pack("cid: " CID "\n", 38, packed, sizeof(packed));
	len += pack("csd: " CSD "\n", 38, packed + len, sizeof(packed) - len);
	ck_assert_int_eq(got_read(packed, len, &got, &error), 0);
	ck_assert_str_eq(got.text, "card 1 SD cid=27 csd=40;");
}
END_TEST

START_TEST(bomb)
{
	size_t len = CA_REGISTER_TEXT_MAX + 1;
	static char packed[131072];
	char *zeros = calloc(1, len);
	struct ca_error error;
	static struct got got;

	ck_assert_ptr_nonnull(zeros);
	len = pack(zeros, len, packed, sizeof(packed));
	free(zeros);
	ck_assert_int_eq(got_read(packed, len, &got, &error), -EFBIG);
	ck_assert_ptr_nonnull(strstr(error.text, "unpacks to more than 64 MiB"));
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("input_tar");

	tcase_add_test(tests, directories);
	tcase_add_test(tests, all_of_a_capture);
	tcase_add_test(tests, names);
	tcase_add_loop_test(tests, left_out, 0, 9);
	tcase_add_loop_test(tests, damaged, 0, (int)CA_ARRAY_LEN(bad));
	tcase_add_test(tests, nothing_of_use);
	tcase_add_test(tests, gzip);
	tcase_add_test(tests, bomb);
	return run_tests(tests);
}
