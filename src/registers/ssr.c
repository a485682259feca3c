/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <errno.h>

#include "ca_field_bits.h"

#define UHS_AU_FIRST_CODE 7U /* codes 1 to 6 are not used in UHS_AU_SIZE */

static uint32_t get(const uint8_t *data, unsigned int msb, unsigned int lsb)
{
	return (uint32_t)ca_bits_get(data, CA_SSR_BYTES, msb, lsb);
}

static uint8_t speed_class(uint8_t code)
{
	static const uint8_t classes[] = {0, 2, 4, 6, 10};

	return code < CA_ARRAY_LEN(classes) ? classes[code] : 0;
}

static uint32_t au_bytes(uint8_t code)
{
	static const uint32_t kib[16] = {
		0,    16,   32,	  64,	 128,	256,   512,   1024,
		2048, 4096, 8192, 12288, 16384, 24576, 32768, 65536,
	};

	return kib[code] * (uint32_t)CA_KIB;
}

/* T4-56: which VSC_AU_SIZE exist, and the sub-unit each is divided into. */
static uint8_t vsc_su_mib(uint16_t au_mib)
{
	static const struct {
		uint16_t au_mib;
		uint8_t su_mib;
	} rows[] = {
		{8, 8},	  {16, 8},  {21, 7},  {24, 8},	{27, 9},  {28, 7},  {30, 10}, {32, 8},
		{36, 9},  {40, 8},  {42, 7},  {45, 9},	{48, 8},  {54, 9},  {56, 8},  {60, 10},
		{64, 8},  {72, 8},  {80, 8},  {96, 8},	{112, 8}, {120, 8}, {128, 8}, {144, 8},
		{160, 8}, {192, 8}, {216, 8}, {224, 8}, {240, 8}, {256, 8}, {288, 8}, {320, 8},
		{384, 8}, {432, 8}, {448, 8}, {480, 8}, {512, 8},
	};

	for (size_t i = 0; i < CA_ARRAY_LEN(rows); i++)
		if (rows[i].au_mib == au_mib)
			return rows[i].su_mib;
	return 0;
}

static void decode_status(const uint8_t *data, struct ca_ssr *ssr)
{
	ssr->dat_bus_width = (uint8_t)get(data, CA_FIELD_SSR_DAT_BUS_WIDTH);
	ssr->secured_mode = get(data, CA_FIELD_SSR_SECURED_MODE);
	ssr->security_functions = (uint8_t)get(data, CA_FIELD_SSR_SECURITY_FUNCTIONS);
	ssr->secure_cmd_status = (uint8_t)get(data, CA_FIELD_SSR_SECURE_CMD_STATUS);
	ssr->sd_card_type = (uint16_t)get(data, CA_FIELD_SSR_SD_CARD_TYPE);
	ssr->protected_area = get(data, CA_FIELD_SSR_SIZE_OF_PROTECTED_AREA);
	ssr->sus_addr = get(data, CA_FIELD_SSR_SUS_ADDR);
}

static void decode_classes(const uint8_t *data, struct ca_ssr *ssr)
{
	ssr->speed_class_code = (uint8_t)get(data, CA_FIELD_SSR_SPEED_CLASS);
	ssr->speed_class = speed_class(ssr->speed_class_code);
	ssr->performance_move = (uint8_t)get(data, CA_FIELD_SSR_PERFORMANCE_MOVE);
	ssr->au_size_code = (uint8_t)get(data, CA_FIELD_SSR_AU_SIZE);
	ssr->au_bytes = au_bytes(ssr->au_size_code);
	ssr->erase_size = (uint16_t)get(data, CA_FIELD_SSR_ERASE_SIZE);
	ssr->erase_timeout = (uint8_t)get(data, CA_FIELD_SSR_ERASE_TIMEOUT);
	ssr->erase_offset = (uint8_t)get(data, CA_FIELD_SSR_ERASE_OFFSET);
	ssr->uhs_speed_grade = (uint8_t)get(data, CA_FIELD_SSR_UHS_SPEED_GRADE);
	ssr->uhs_au_size_code = (uint8_t)get(data, CA_FIELD_SSR_UHS_AU_SIZE);
	if (ssr->uhs_au_size_code >= UHS_AU_FIRST_CODE)
		ssr->uhs_au_bytes = au_bytes(ssr->uhs_au_size_code);
	ssr->video_speed_class = (uint8_t)get(data, CA_FIELD_SSR_VIDEO_SPEED_CLASS);
	ssr->vsc_au_mib = (uint16_t)get(data, CA_FIELD_SSR_VSC_AU_SIZE);
	ssr->vsc_su_mib = vsc_su_mib(ssr->vsc_au_mib);
	ssr->app_perf_class = (uint8_t)get(data, CA_FIELD_SSR_APP_PERF_CLASS);
}

static void decode_functions(const uint8_t *data, struct ca_ssr *ssr)
{
	uint32_t cq_code = get(data, CA_FIELD_SSR_PERFORMANCE_ENHANCE_CQ);

	ssr->cq_depth = (uint8_t)(cq_code ? cq_code + 1 : 0);
	ssr->cache = get(data, CA_FIELD_SSR_PERFORMANCE_ENHANCE_CACHE);
	ssr->host_maintenance = get(data, CA_FIELD_SSR_PERFORMANCE_ENHANCE_HOST_MAINTENANCE);
	ssr->card_maintenance = get(data, CA_FIELD_SSR_PERFORMANCE_ENHANCE_CARD_MAINTENANCE);
	ssr->wp_upc_support = get(data, CA_FIELD_SSR_WP_UPC_SUPPORT);
	ssr->boot_partition_support = get(data, CA_FIELD_SSR_BOOT_PARTITION_SUPPORT);
	ssr->discard_support = get(data, CA_FIELD_SSR_DISCARD_SUPPORT);
	ssr->fule_support = get(data, CA_FIELD_SSR_FULE_SUPPORT);
}

static void decode_reserved(const uint8_t *data, struct ca_ssr *ssr)
{
	ssr->reserved_501_499 = (uint8_t)get(data, CA_FIELD_SSR_RESERVED_501_499);
	ssr->reserved_bits =
		(uint16_t)(ssr->reserved_501_499 | get(data, CA_FIELD_SSR_RESERVED_427_424) |
			   get(data, CA_FIELD_SSR_RESERVED_383_378) |
			   get(data, CA_FIELD_SSR_RESERVED_345_340) |
			   get(data, CA_FIELD_SSR_RESERVED_327_316));
}

int ca_ssr_decode(const uint8_t *data, size_t bytes, struct ca_ssr *ret_ssr)
{
	struct ca_ssr ssr = {0};

	if (bytes != CA_SSR_BYTES)
		return -EMSGSIZE;
	ssr.all_zero = ca_bytes_is_all(data, bytes, 0);
	decode_status(data, &ssr);
	decode_classes(data, &ssr);
	decode_functions(data, &ssr);
	decode_reserved(data, &ssr);
	*ret_ssr = ssr;
	return 0;
}
