/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers as fields, for readers without a decoder. Made from the raw registers of the
 * evidence each time it is written; nothing ever reads it back, and the judge never sees it.
 */
#include "json_parts.h"
#include "json_names.h"

#include <errno.h>

#define CID struct ca_cid
static const struct ca_json_field cid_fields[] = {
	CA_JSON_UINT(CID, prv),
	CA_JSON_UINT(CID, reserved),
	CA_JSON_UINT(CID, mdt_year),
	CA_JSON_UINT(CID, mdt_month),
};

#define CSD struct ca_csd
static const struct ca_json_field csd_fields[] = {
	CA_JSON_ENUM(CSD, "version", version, ca_json_name_csd_version, CA_JSON_CSD_VERSIONS),
	CA_JSON_UINT(CSD, capacity_bytes),
	CA_JSON_ENUM(CSD, "capacity_class", capacity_class, ca_json_name_capacity_class,
		     CA_JSON_CAPACITY_CLASSES),
	CA_JSON_UINT(CSD, structure),
	CA_JSON_UINT(CSD, taac),
	CA_JSON_UINT(CSD, nsac),
	CA_JSON_UINT(CSD, tran_speed),
	CA_JSON_UINT(CSD, ccc),
	CA_JSON_UINT(CSD, read_bl_len),
	CA_JSON_BOOL(CSD, read_bl_partial),
	CA_JSON_BOOL(CSD, write_blk_misalign),
	CA_JSON_BOOL(CSD, read_blk_misalign),
	CA_JSON_BOOL(CSD, dsr_imp),
	CA_JSON_UINT(CSD, c_size),
	CA_JSON_UINT(CSD, c_size_mult),
	CA_JSON_UINT(CSD, vdd_r_curr_min),
	CA_JSON_UINT(CSD, vdd_r_curr_max),
	CA_JSON_UINT(CSD, vdd_w_curr_min),
	CA_JSON_UINT(CSD, vdd_w_curr_max),
	CA_JSON_BOOL(CSD, erase_blk_en),
	CA_JSON_UINT(CSD, sector_size),
	CA_JSON_UINT(CSD, wp_grp_size),
	CA_JSON_BOOL(CSD, wp_grp_enable),
	CA_JSON_UINT(CSD, r2w_factor),
	CA_JSON_UINT(CSD, write_bl_len),
	CA_JSON_BOOL(CSD, write_bl_partial),
	CA_JSON_BOOL(CSD, file_format_grp),
	CA_JSON_BOOL(CSD, copy),
	CA_JSON_BOOL(CSD, perm_write_protect),
	CA_JSON_BOOL(CSD, tmp_write_protect),
	CA_JSON_UINT(CSD, file_format),
	CA_JSON_BOOL(CSD, wp_upc),
	CA_JSON_ENUM(CSD, "crc", crc, ca_json_name_crc, CA_JSON_CRCS),
};

#define SCR struct ca_scr
static const struct ca_json_field scr_fields[] = {
	CA_JSON_UINT(SCR, structure),	CA_JSON_UINT(SCR, version_x100),
	CA_JSON_UINT(SCR, sd_spec),	CA_JSON_BOOL(SCR, sd_spec3),
	CA_JSON_BOOL(SCR, sd_spec4),	CA_JSON_UINT(SCR, sd_specx),
	CA_JSON_UINT(SCR, sd_security), CA_JSON_UINT(SCR, sd_bus_widths),
	CA_JSON_UINT(SCR, ex_security), CA_JSON_BOOL(SCR, data_stat_after_erase),
	CA_JSON_BOOL(SCR, cmd20),	CA_JSON_BOOL(SCR, cmd23),
	CA_JSON_BOOL(SCR, cmd48_49),	CA_JSON_BOOL(SCR, cmd58_59),
	CA_JSON_BOOL(SCR, acmd53_54),	CA_JSON_UINT(SCR, manufacturer),
};

#define SSR struct ca_ssr
static const struct ca_json_field ssr_fields[] = {
	CA_JSON_BOOL(SSR, all_zero),
	CA_JSON_UINT(SSR, speed_class),
	CA_JSON_UINT(SSR, uhs_speed_grade),
	CA_JSON_UINT(SSR, video_speed_class),
	CA_JSON_UINT(SSR, app_perf_class),
	CA_JSON_UINT(SSR, cq_depth),
	CA_JSON_BOOL(SSR, cache),
	CA_JSON_BOOL(SSR, host_maintenance),
	CA_JSON_BOOL(SSR, card_maintenance),
	CA_JSON_UINT(SSR, au_bytes),
	CA_JSON_UINT(SSR, uhs_au_bytes),
	CA_JSON_UINT(SSR, vsc_au_mib),
	CA_JSON_UINT(SSR, vsc_su_mib),
	CA_JSON_UINT(SSR, dat_bus_width),
	CA_JSON_UINT(SSR, sd_card_type),
	CA_JSON_BOOL(SSR, secured_mode),
	CA_JSON_UINT(SSR, protected_area),
	CA_JSON_UINT(SSR, performance_move),
	CA_JSON_UINT(SSR, erase_size),
	CA_JSON_UINT(SSR, erase_timeout),
	CA_JSON_UINT(SSR, erase_offset),
	CA_JSON_UINT(SSR, sus_addr),
	CA_JSON_UINT(SSR, security_functions),
	CA_JSON_UINT(SSR, secure_cmd_status),
	CA_JSON_UINT(SSR, reserved_bits),
	CA_JSON_BOOL(SSR, wp_upc_support),
	CA_JSON_BOOL(SSR, boot_partition_support),
	CA_JSON_BOOL(SSR, discard_support),
	CA_JSON_BOOL(SSR, fule_support),
};

#define EXTCSD struct ca_extcsd
static const struct ca_json_field extcsd_fields[] = {
	CA_JSON_UINT(EXTCSD, rev),
	CA_JSON_UINT(EXTCSD, sec_count),
	CA_JSON_UINT(EXTCSD, boot_size_mult),
	CA_JSON_UINT(EXTCSD, rpmb_size_mult),
	CA_JSON_UINT(EXTCSD, cache_size_kib),
	CA_JSON_HEX(EXTCSD, firmware_version),
	CA_JSON_UINT(EXTCSD, pre_eol_info),
	CA_JSON_UINT(EXTCSD, life_a),
	CA_JSON_UINT(EXTCSD, life_b),
	CA_JSON_BOOL(EXTCSD, cmdq_support),
	CA_JSON_UINT(EXTCSD, cmdq_depth),
};

#define CTRL struct ca_nvme_ctrl
static const struct ca_json_field ctrl_fields[] = {
	CA_JSON_UINT(CTRL, vid),
	CA_JSON_UINT(CTRL, ssvid),
	CA_JSON_RAW(CTRL, sn),
	CA_JSON_RAW(CTRL, mn),
	CA_JSON_RAW(CTRL, fr),
	CA_JSON_UINT(CTRL, ieee_oui),
	CA_JSON_UINT(CTRL, ver),
	CA_JSON_UINT(CTRL, mdts),
	CA_JSON_UINT(CTRL, cntlid),
	CA_JSON_UINT(CTRL, oacs),
	CA_JSON_UINT(CTRL, frmw),
	CA_JSON_UINT(CTRL, lpa),
	CA_JSON_UINT(CTRL, npss),
	CA_JSON_UINT(CTRL, wctemp_k),
	CA_JSON_UINT(CTRL, cctemp_k),
	CA_JSON_UINT(CTRL, hmpre),
	CA_JSON_UINT(CTRL, hmmin),
	CA_JSON_UINT(CTRL, tnvmcap_bytes),
	CA_JSON_UINT(CTRL, unvmcap_bytes),
	CA_JSON_UINT(CTRL, sanicap),
	CA_JSON_UINT(CTRL, nn),
	CA_JSON_UINT(CTRL, oncs),
	CA_JSON_UINT(CTRL, fna),
	CA_JSON_UINT(CTRL, vwc),
	CA_JSON_RAW(CTRL, subnqn),
	CA_JSON_UINT(CTRL, sd_express_class),
	CA_JSON_UINT(CTRL, rab),
	CA_JSON_UINT(CTRL, cmic),
	CA_JSON_UINT(CTRL, rtd3r_us),
	CA_JSON_UINT(CTRL, rtd3e_us),
	CA_JSON_UINT(CTRL, oaes),
	CA_JSON_UINT(CTRL, ctratt),
	CA_JSON_UINT(CTRL, cntrltype),
	CA_JSON_HEX(CTRL, fguid),
	CA_JSON_UINT(CTRL, acl),
	CA_JSON_UINT(CTRL, aerl),
	CA_JSON_UINT(CTRL, elpe),
	CA_JSON_UINT(CTRL, rpmbs),
	CA_JSON_UINT(CTRL, hctma),
	CA_JSON_UINT(CTRL, mntmt_k),
	CA_JSON_UINT(CTRL, mxtmt_k),
	CA_JSON_UINT(CTRL, sqes),
	CA_JSON_UINT(CTRL, cqes),
	CA_JSON_UINT(CTRL, maxcmd),
	CA_JSON_UINT(CTRL, fuses),
	CA_JSON_UINT(CTRL, sgls),
	CA_JSON_UINT(CTRL, mnan),
};

#define NS struct ca_nvme_ns
static const struct ca_json_field ns_fields[] = {
	CA_JSON_UINT(NS, nsze),		CA_JSON_UINT(NS, ncap),	      CA_JSON_UINT(NS, nuse),
	CA_JSON_UINT(NS, nsfeat),	CA_JSON_UINT(NS, flbas),      CA_JSON_UINT(NS, block_bytes),
	CA_JSON_UINT(NS, nvmcap_bytes), CA_JSON_HEX(NS, nguid),	      CA_JSON_HEX(NS, eui64),
	CA_JSON_UINT(NS, nlbaf),	CA_JSON_UINT(NS, lbaf_index), CA_JSON_UINT(NS, mc),
	CA_JSON_UINT(NS, dpc),		CA_JSON_UINT(NS, dps),	      CA_JSON_UINT(NS, nmic),
	CA_JSON_UINT(NS, dlfeat),
};

#define SMART struct ca_nvme_smart
static const struct ca_json_field smart_fields[] = {
	CA_JSON_UINT(SMART, critical_warning),	    CA_JSON_UINT(SMART, temperature_k),
	CA_JSON_UINT(SMART, available_spare),	    CA_JSON_UINT(SMART, spare_threshold),
	CA_JSON_UINT(SMART, percentage_used),	    CA_JSON_UINT(SMART, data_units_read),
	CA_JSON_UINT(SMART, data_units_written),    CA_JSON_UINT(SMART, host_reads),
	CA_JSON_UINT(SMART, host_writes),	    CA_JSON_UINT(SMART, busy_minutes),
	CA_JSON_UINT(SMART, power_cycles),	    CA_JSON_UINT(SMART, power_on_hours),
	CA_JSON_UINT(SMART, unsafe_shutdowns),	    CA_JSON_UINT(SMART, media_errors),
	CA_JSON_UINT(SMART, error_log_entries),	    CA_JSON_UINT(SMART, warning_temp_minutes),
	CA_JSON_UINT(SMART, critical_temp_minutes),
};

#define STATE struct ca_nvme_power_state
static const struct ca_json_field state_fields[] = {
	CA_JSON_UINT(STATE, max_power_raw),   CA_JSON_BOOL(STATE, max_power_scale),
	CA_JSON_BOOL(STATE, non_operational), CA_JSON_UINT(STATE, entry_latency_us),
	CA_JSON_UINT(STATE, exit_latency_us),
};

#define LBAF struct ca_nvme_lbaf
static const struct ca_json_field lbaf_fields[] = {
	CA_JSON_UINT(LBAF, ms),
	CA_JSON_UINT(LBAF, lbads),
	CA_JSON_UINT(LBAF, rp),
};

#define PERF struct ca_ext_perf
static const struct ca_json_field perf_fields[] = {
	CA_JSON_BOOL(PERF, fx_event),	      CA_JSON_BOOL(PERF, card_maintenance),
	CA_JSON_BOOL(PERF, host_maintenance), CA_JSON_BOOL(PERF, cache),
	CA_JSON_BOOL(PERF, command_queue),    CA_JSON_UINT(PERF, queue_depth),
	CA_JSON_UINT(PERF, revision),	      CA_JSON_BOOL(PERF, cache_enabled),
	CA_JSON_BOOL(PERF, queue_enabled),
};

#define POWER struct ca_ext_power
static const struct ca_json_field power_fields[] = {
	CA_JSON_BOOL(POWER, off_notification),
	CA_JSON_BOOL(POWER, sustenance),
	CA_JSON_BOOL(POWER, down_mode),
	CA_JSON_UINT(POWER, revision),
};

static json_t *write_struct(bool has, const struct ca_json_field *fields, size_t count,
			    const void *structure)
{
	json_t *object;

	if (!has)
		return json_null();
	object = json_object();
	if (object && ca_json_write_fields(object, fields, count, structure) == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* The OID of an SD card is two characters; that of eMMC is a number. */
static json_t *oid_text(const struct ca_cid *cid)
{
	char text[2] = {(char)(cid->oid >> 8), (char)(cid->oid & 0xff)};

	if (cid->type != CA_CARD_TYPE_SD)
		return json_null();
	return ca_json_hardware(text, sizeof(text));
}

/* A masked serial number is null; of its checksum only what it said is left. */
static json_t *write_cid(bool has, const struct ca_cid *cid, const struct ca_raw_registers *raw)
{
	unsigned int crc = raw->masked ? (unsigned int)raw->masked_cid_crc : cid->crc;
	json_t *object;
	int r;

	if (!has)
		return json_null();
	object = json_object();
	r = object ? ca_json_set(object, "mid", ca_json_unsigned(cid->mid)) : -ENOMEM;
	if (r == 0)
		r = ca_json_set(object, "oid", ca_json_unsigned(cid->oid));
	if (r == 0)
		r = ca_json_set(object, "oid_text", oid_text(cid));
	if (r == 0)
		r = ca_json_set(object, "pnm", ca_json_hardware(cid->pnm, cid->pnm_len));
	if (r == 0)
		r = ca_json_write_fields(object, cid_fields, CA_ARRAY_LEN(cid_fields), cid);
	if (r == 0)
		r = ca_json_set(object, "psn",
				raw->masked ? json_null() : ca_json_unsigned(cid->psn));
	if (r == 0)
		r = ca_json_set(object, "crc", json_string(ca_json_name_crc(crc)));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

/* `count` structures of `stride` bytes; only those the drive says it has. */
static json_t *write_structs(const struct ca_json_field *fields, size_t field_count,
			     const void *first, size_t count, size_t stride)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < count; i++) {
		if (ca_json_append(array, write_struct(true, fields, field_count,
						       (const uint8_t *)first + i * stride)) == 0)
			continue;
		json_decref(array);
		return NULL;
	}
	return array;
}

static json_t *write_ctrl(const struct ca_registers *registers)
{
	const struct ca_nvme_ctrl *ctrl = &registers->nvme_ctrl;
	bool has = registers->has[CA_REGISTER_NVME_CTRL];
	size_t states = ctrl->npss + 1U;
	json_t *object = write_struct(has, ctrl_fields, CA_ARRAY_LEN(ctrl_fields), ctrl);

	if (states > CA_ARRAY_LEN(ctrl->psd))
		states = CA_ARRAY_LEN(ctrl->psd);
	if (object && has &&
	    ca_json_set(object, "power_states",
			write_structs(state_fields, CA_ARRAY_LEN(state_fields), ctrl->psd, states,
				      sizeof(ctrl->psd[0]))) < 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *write_ns(const struct ca_registers *registers)
{
	const struct ca_nvme_ns *ns = &registers->nvme_ns;
	bool has = registers->has[CA_REGISTER_NVME_NS];
	size_t formats = ns->nlbaf + 1U;
	json_t *object = write_struct(has, ns_fields, CA_ARRAY_LEN(ns_fields), ns);

	if (formats > CA_ARRAY_LEN(ns->lbaf))
		formats = CA_ARRAY_LEN(ns->lbaf);
	if (object && has &&
	    ca_json_set(object, "lba_formats",
			write_structs(lbaf_fields, CA_ARRAY_LEN(lbaf_fields), ns->lbaf, formats,
				      sizeof(ns->lbaf[0]))) < 0) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *write_nvme(const struct ca_registers *registers)
{
	bool ctrl = registers->has[CA_REGISTER_NVME_CTRL], ns = registers->has[CA_REGISTER_NVME_NS],
	     smart = registers->has[CA_REGISTER_NVME_SMART];
	json_t *object;
	int r;

	if (!ctrl && !ns && !smart)
		return json_null();
	object = json_object();
	r = object ? ca_json_set(object, "ctrl", write_ctrl(registers)) : -ENOMEM;
	if (r == 0)
		r = ca_json_set(object, "ns", write_ns(registers));
	if (r == 0)
		r = ca_json_set(object, "smart",
				write_struct(smart, smart_fields, CA_ARRAY_LEN(smart_fields),
					     &registers->nvme_smart));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}

static int write_sd(json_t *object, const struct ca_registers *registers,
		    const struct ca_raw_registers *raw)
{
	const bool *has = registers->has;
	int r = ca_json_set(object, "cid", write_cid(has[CA_REGISTER_CID], &registers->cid, raw));

	if (r == 0)
		r = ca_json_set(object, "csd",
				write_struct(has[CA_REGISTER_CSD], csd_fields,
					     CA_ARRAY_LEN(csd_fields), &registers->csd));
	if (r == 0)
		r = ca_json_set(object, "scr",
				write_struct(has[CA_REGISTER_SCR], scr_fields,
					     CA_ARRAY_LEN(scr_fields), &registers->scr));
	if (r == 0)
		r = ca_json_set(object, "ssr",
				write_struct(has[CA_REGISTER_SSR], ssr_fields,
					     CA_ARRAY_LEN(ssr_fields), &registers->ssr));
	if (r == 0)
		r = ca_json_set(object, "ext_csd",
				write_struct(has[CA_REGISTER_EXTCSD], extcsd_fields,
					     CA_ARRAY_LEN(extcsd_fields), &registers->extcsd));
	if (r == 0)
		r = ca_json_set(
			object, "ext_perf",
			write_struct(has[CA_REGISTER_EXT_PERF] || has[CA_REGISTER_EXT_PERF_SET],
				     perf_fields, CA_ARRAY_LEN(perf_fields), &registers->ext_perf));
	if (r == 0)
		r = ca_json_set(
			object, "ext_power",
			write_struct(has[CA_REGISTER_EXT_POWER] || has[CA_REGISTER_EXT_POWER_SET],
				     power_fields, CA_ARRAY_LEN(power_fields),
				     &registers->ext_power));
	return r;
}

json_t *ca_json_write_decoded(const struct ca_evidence *evidence, const struct ca_claims *claims)
{
	struct ca_registers registers;
	json_t *object = json_object();
	int r;

	ca_registers_decode(&evidence->registers, &registers);
	r = object ? write_sd(object, &registers, &evidence->registers) : -ENOMEM;
	if (r == 0)
		r = ca_json_set(object, "nvme", write_nvme(&registers));
	if (r == 0 && evidence->vendor.asked)
		r = ca_json_set(object, "vendor_health",
				ca_json_write_vendor_decoded(&evidence->vendor));
	if (r == 0)
		r = ca_json_set(object, "label_not_understood",
				ca_json_text(claims->not_understood));
	if (r == 0)
		return object;
	json_decref(object);
	return NULL;
}
