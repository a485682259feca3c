/* SPDX-License-Identifier: BSD-2-Clause */
#include "cardassay/registers.h"

#include <errno.h>

#include "byte_field.h"
#include "ca_field_bits.h"

#define PSD_BYTES  32U
#define LBAF_BYTES 4U

/* The decoders below fill zeroed structs, so copied texts end in NUL. */

static void decode_identity(const uint8_t *data, struct ca_nvme_ctrl *ctrl)
{
	ctrl->vid = byte_field_u16(data, CA_FIELD_NVME_CTRL_VID);
	ctrl->ssvid = byte_field_u16(data, CA_FIELD_NVME_CTRL_SSVID);
	byte_field_copy(ctrl->sn, data, CA_FIELD_NVME_CTRL_SN);
	byte_field_copy(ctrl->mn, data, CA_FIELD_NVME_CTRL_MN);
	byte_field_copy(ctrl->fr, data, CA_FIELD_NVME_CTRL_FR);
	ctrl->rab = byte_field_u8(data, CA_FIELD_NVME_CTRL_RAB);
	ctrl->ieee_oui = byte_field_u32(data, CA_FIELD_NVME_CTRL_IEEE);
	ctrl->cmic = byte_field_u8(data, CA_FIELD_NVME_CTRL_CMIC);
	ctrl->mdts = byte_field_u8(data, CA_FIELD_NVME_CTRL_MDTS);
	ctrl->cntlid = byte_field_u16(data, CA_FIELD_NVME_CTRL_CNTLID);
	ctrl->ver = byte_field_u32(data, CA_FIELD_NVME_CTRL_VER);
	ctrl->rtd3r_us = byte_field_u32(data, CA_FIELD_NVME_CTRL_RTD3R);
	ctrl->rtd3e_us = byte_field_u32(data, CA_FIELD_NVME_CTRL_RTD3E);
	ctrl->oaes = byte_field_u32(data, CA_FIELD_NVME_CTRL_OAES);
	ctrl->ctratt = byte_field_u32(data, CA_FIELD_NVME_CTRL_CTRATT);
	ctrl->cntrltype = byte_field_u8(data, CA_FIELD_NVME_CTRL_CNTRLTYPE);
	byte_field_copy(ctrl->fguid, data, CA_FIELD_NVME_CTRL_FGUID);
	byte_field_copy(ctrl->subnqn, data, CA_FIELD_NVME_CTRL_SUBNQN);
}

static void decode_admin(const uint8_t *data, struct ca_nvme_ctrl *ctrl)
{
	ctrl->oacs = byte_field_u16(data, CA_FIELD_NVME_CTRL_OACS);
	ctrl->acl = byte_field_u8(data, CA_FIELD_NVME_CTRL_ACL);
	ctrl->aerl = byte_field_u8(data, CA_FIELD_NVME_CTRL_AERL);
	ctrl->frmw = byte_field_u8(data, CA_FIELD_NVME_CTRL_FRMW);
	ctrl->lpa = byte_field_u8(data, CA_FIELD_NVME_CTRL_LPA);
	ctrl->elpe = byte_field_u8(data, CA_FIELD_NVME_CTRL_ELPE);
	ctrl->npss = byte_field_u8(data, CA_FIELD_NVME_CTRL_NPSS);
	ctrl->wctemp_k = byte_field_u16(data, CA_FIELD_NVME_CTRL_WCTEMP);
	ctrl->cctemp_k = byte_field_u16(data, CA_FIELD_NVME_CTRL_CCTEMP);
	ctrl->hmpre = byte_field_u32(data, CA_FIELD_NVME_CTRL_HMPRE);
	ctrl->hmmin = byte_field_u32(data, CA_FIELD_NVME_CTRL_HMMIN);
	ctrl->tnvmcap_bytes = byte_field_u64(data, CA_FIELD_NVME_CTRL_TNVMCAP);
	ctrl->unvmcap_bytes = byte_field_u64(data, CA_FIELD_NVME_CTRL_UNVMCAP);
	ctrl->rpmbs = byte_field_u32(data, CA_FIELD_NVME_CTRL_RPMBS);
	ctrl->hctma = byte_field_u16(data, CA_FIELD_NVME_CTRL_HCTMA);
	ctrl->mntmt_k = byte_field_u16(data, CA_FIELD_NVME_CTRL_MNTMT);
	ctrl->mxtmt_k = byte_field_u16(data, CA_FIELD_NVME_CTRL_MXTMT);
	ctrl->sanicap = byte_field_u32(data, CA_FIELD_NVME_CTRL_SANICAP);
}

static void decode_io(const uint8_t *data, struct ca_nvme_ctrl *ctrl)
{
	ctrl->sqes = byte_field_u8(data, CA_FIELD_NVME_CTRL_SQES);
	ctrl->cqes = byte_field_u8(data, CA_FIELD_NVME_CTRL_CQES);
	ctrl->maxcmd = byte_field_u16(data, CA_FIELD_NVME_CTRL_MAXCMD);
	ctrl->nn = byte_field_u32(data, CA_FIELD_NVME_CTRL_NN);
	ctrl->oncs = byte_field_u16(data, CA_FIELD_NVME_CTRL_ONCS);
	ctrl->fuses = byte_field_u16(data, CA_FIELD_NVME_CTRL_FUSES);
	ctrl->fna = byte_field_u8(data, CA_FIELD_NVME_CTRL_FNA);
	ctrl->vwc = byte_field_u8(data, CA_FIELD_NVME_CTRL_VWC);
	ctrl->sgls = byte_field_u32(data, CA_FIELD_NVME_CTRL_SGLS);
	ctrl->mnan = byte_field_u32(data, CA_FIELD_NVME_CTRL_MNAN);
	ctrl->sd_express_class = byte_field_u16(data, CA_FIELD_NVME_CTRL_SD_EXPRESS_SPEED_CLASS);
}

/* libnvme struct nvme_id_psd: power 1..0, flags 3, latencies 7..4 and 11..8 */
static void decode_power_state(const uint8_t *psd, struct ca_nvme_power_state *state)
{
	state->max_power_raw = ca_le16(psd);
	state->max_power_scale = psd[3] & 1;
	state->non_operational = psd[3] >> 1 & 1;
	state->entry_latency_us = ca_le32(psd + 4);
	state->exit_latency_us = ca_le32(psd + 8);
}

int ca_nvme_ctrl_decode(const uint8_t *data, size_t bytes, struct ca_nvme_ctrl *ret_ctrl)
{
	struct ca_nvme_ctrl ctrl = {0};

	if (bytes != CA_NVME_ID_BYTES)
		return -EMSGSIZE;
	decode_identity(data, &ctrl);
	decode_admin(data, &ctrl);
	decode_io(data, &ctrl);
	for (size_t i = 0; i < CA_ARRAY_LEN(ctrl.psd); i++)
		decode_power_state(byte_field_at(data, CA_FIELD_NVME_CTRL_PSD0) + i * PSD_BYTES,
				   &ctrl.psd[i]);
	*ret_ctrl = ctrl;
	return 0;
}

static struct ca_nvme_lbaf decode_lbaf(const uint8_t *lbaf)
{
	return (struct ca_nvme_lbaf){
		.ms = ca_le16(lbaf),
		.lbads = lbaf[2],
		.rp = lbaf[3] & 3,
	};
}

int ca_nvme_ns_decode(const uint8_t *data, size_t bytes, struct ca_nvme_ns *ret_ns)
{
	struct ca_nvme_ns ns = {0};
	uint8_t lbads;

	if (bytes != CA_NVME_ID_BYTES)
		return -EMSGSIZE;
	ns.nsze = byte_field_u64(data, CA_FIELD_NVME_NS_NSZE);
	ns.ncap = byte_field_u64(data, CA_FIELD_NVME_NS_NCAP);
	ns.nuse = byte_field_u64(data, CA_FIELD_NVME_NS_NUSE);
	ns.nsfeat = byte_field_u8(data, CA_FIELD_NVME_NS_NSFEAT);
	ns.nlbaf = byte_field_u8(data, CA_FIELD_NVME_NS_NLBAF);
	ns.flbas = byte_field_u8(data, CA_FIELD_NVME_NS_FLBAS);
	ns.mc = byte_field_u8(data, CA_FIELD_NVME_NS_MC);
	ns.dpc = byte_field_u8(data, CA_FIELD_NVME_NS_DPC);
	ns.dps = byte_field_u8(data, CA_FIELD_NVME_NS_DPS);
	ns.nmic = byte_field_u8(data, CA_FIELD_NVME_NS_NMIC);
	ns.dlfeat = byte_field_u8(data, CA_FIELD_NVME_NS_DLFEAT);
	ns.nvmcap_bytes = byte_field_u64(data, CA_FIELD_NVME_NS_NVMCAP);
	byte_field_copy(ns.nguid, data, CA_FIELD_NVME_NS_NGUID);
	byte_field_copy(ns.eui64, data, CA_FIELD_NVME_NS_EUI64);
	for (size_t i = 0; i < CA_ARRAY_LEN(ns.lbaf); i++)
		ns.lbaf[i] =
			decode_lbaf(byte_field_at(data, CA_FIELD_NVME_NS_LBAF0) + i * LBAF_BYTES);
	ns.lbaf_index = (uint8_t)((ns.flbas & 0x0f) | (ns.flbas >> 5 & 3) << 4);
	lbads = ns.lbaf[ns.lbaf_index].lbads;
	ns.block_bytes = lbads >= 9 && lbads <= 31 ? UINT64_C(1) << lbads : 0;
	*ret_ns = ns;
	return 0;
}

int ca_nvme_smart_decode(const uint8_t *data, size_t bytes, struct ca_nvme_smart *ret_smart)
{
	struct ca_nvme_smart smart = {0};

	if (bytes != CA_NVME_SMART_BYTES)
		return -EMSGSIZE;
	smart.critical_warning = byte_field_u8(data, CA_FIELD_NVME_SMART_CRITICAL_WARNING);
	smart.temperature_k = byte_field_u16(data, CA_FIELD_NVME_SMART_TEMPERATURE);
	smart.available_spare = byte_field_u8(data, CA_FIELD_NVME_SMART_AVAIL_SPARE);
	smart.spare_threshold = byte_field_u8(data, CA_FIELD_NVME_SMART_SPARE_THRESH);
	smart.percentage_used = byte_field_u8(data, CA_FIELD_NVME_SMART_PERCENT_USED);
	smart.data_units_read = byte_field_u64(data, CA_FIELD_NVME_SMART_DATA_UNITS_READ);
	smart.data_units_written = byte_field_u64(data, CA_FIELD_NVME_SMART_DATA_UNITS_WRITTEN);
	smart.host_reads = byte_field_u64(data, CA_FIELD_NVME_SMART_HOST_READS);
	smart.host_writes = byte_field_u64(data, CA_FIELD_NVME_SMART_HOST_WRITES);
	smart.busy_minutes = byte_field_u64(data, CA_FIELD_NVME_SMART_CTRL_BUSY_TIME);
	smart.power_cycles = byte_field_u64(data, CA_FIELD_NVME_SMART_POWER_CYCLES);
	smart.power_on_hours = byte_field_u64(data, CA_FIELD_NVME_SMART_POWER_ON_HOURS);
	smart.unsafe_shutdowns = byte_field_u64(data, CA_FIELD_NVME_SMART_UNSAFE_SHUTDOWNS);
	smart.media_errors = byte_field_u64(data, CA_FIELD_NVME_SMART_MEDIA_ERRORS);
	smart.error_log_entries = byte_field_u64(data, CA_FIELD_NVME_SMART_NUM_ERR_LOG_ENTRIES);
	smart.warning_temp_minutes = byte_field_u32(data, CA_FIELD_NVME_SMART_WARNING_TEMP_TIME);
	smart.critical_temp_minutes = byte_field_u32(data, CA_FIELD_NVME_SMART_CRITICAL_COMP_TIME);
	for (size_t i = 0; i < CA_ARRAY_LEN(smart.sensor_k); i++)
		smart.sensor_k[i] =
			ca_le16(byte_field_at(data, CA_FIELD_NVME_SMART_TEMP_SENSOR1) + 2 * i);
	*ret_smart = smart;
	return 0;
}
