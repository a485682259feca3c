#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Decodes CID, CSD, SCR and SSR of register directories: an independent yardstick for inspect.

    decode.py DIRECTORY...      one line a card on standard output

Written from the layouts of the SD Physical Layer Simplified Specification; shares no code with
src/registers.
"""
import os
import sys


class Register:
    def __init__(self, text):
        self.data = bytes.fromhex(text.strip())
        self.value = int.from_bytes(self.data, "big")

    def bits(self, msb, lsb):
        return self.value >> lsb & ((1 << (msb - lsb + 1)) - 1)


def crc7(data):
    crc = 0
    for byte in data:
        for bit in range(7, -1, -1):
            carry = (crc >> 6 ^ byte >> bit) & 1
            crc = crc << 1 & 0x7F
            if carry:
                crc ^= 0x09
    return crc


def decode_cid(reg, kind):
    checksum = "ok" if crc7(reg.data[:15]) == reg.bits(7, 1) else "bad"
    if reg.data[15] in (0, 1):
        checksum = "stripped"
    if kind == "MMC":
        return {"mid": reg.bits(127, 120), "oid": reg.bits(119, 104), "pnm": reg.data[3:9],
                "prv": reg.bits(55, 48), "psn": reg.bits(47, 16), "month": reg.bits(15, 12),
                "year": 1997 + reg.bits(11, 8), "crc": checksum}
    return {"mid": reg.bits(127, 120), "oid": reg.bits(119, 104), "pnm": reg.data[3:8],
            "prv": reg.bits(63, 56), "psn": reg.bits(55, 24), "reserved": reg.bits(23, 20),
            "month": reg.bits(11, 8), "year": 2000 + reg.bits(19, 12), "crc": checksum}


def decode_csd(reg):
    version = reg.bits(127, 126)
    fields = {"version": version + 1, "taac": reg.bits(119, 112), "nsac": reg.bits(111, 104),
              "tran_speed": reg.bits(103, 96), "ccc": reg.bits(95, 84),
              "read_bl_len": reg.bits(83, 80), "dsr": reg.bits(76, 76),
              "erase_blk_en": reg.bits(46, 46), "sector_size": reg.bits(45, 39),
              "wp_grp_size": reg.bits(38, 32), "r2w_factor": reg.bits(28, 26),
              "write_bl_len": reg.bits(25, 22), "copy": reg.bits(14, 14),
              "perm_write_protect": reg.bits(13, 13), "tmp_write_protect": reg.bits(12, 12),
              "file_format": reg.bits(11, 10)}
    if version == 0:
        fields["bytes"] = ((reg.bits(73, 62) + 1) << (reg.bits(49, 47) + 2)) << reg.bits(83, 80)
    else:
        fields["bytes"] = (reg.bits(69 if version == 1 else 75, 48) + 1) * 524288
    return fields


def decode_scr(reg):
    return {"structure": reg.bits(63, 60), "sd_spec": reg.bits(59, 56),
            "data_after_erase": reg.bits(55, 55), "security": reg.bits(54, 52),
            "bus_widths": reg.bits(51, 48), "sd_spec3": reg.bits(47, 47),
            "ex_security": reg.bits(46, 43), "sd_spec4": reg.bits(42, 42),
            "sd_specx": reg.bits(41, 38), "cmd_support": reg.bits(36, 32)}


def decode_ssr(reg):
    return {"bus_width": reg.bits(511, 510), "card_type": reg.bits(495, 480),
            "protected": reg.bits(479, 448), "speed_class": reg.bits(447, 440),
            "move": reg.bits(439, 432), "au_size": reg.bits(431, 428),
            "erase_size": reg.bits(423, 408), "erase_timeout": reg.bits(407, 402),
            "uhs_grade": reg.bits(399, 396), "uhs_au": reg.bits(395, 392),
            "video_class": reg.bits(391, 384), "app_class": reg.bits(339, 336),
            "cache": reg.bits(330, 330), "queue_depth": reg.bits(335, 331),
            "discard": reg.bits(313, 313), "full_erase": reg.bits(312, 312)}


def read(directory, name):
    try:
        with open(os.path.join(directory, name), encoding="ascii") as file:
            return file.read()
    except FileNotFoundError:
        return None


def main():
    decoders = {"csd": decode_csd, "scr": decode_scr, "ssr": decode_ssr}
    for directory in sys.argv[1:]:
        kind = (read(directory, "type") or "SD").strip()
        text = read(directory, "cid")
        card = {"cid": decode_cid(Register(text), kind)} if text else {}
        for name, decode in decoders.items():
            text = read(directory, name)
            if text and (kind == "SD" or name != "csd"):
                card[name] = decode(Register(text))
        print(directory, card)


if __name__ == "__main__":
    main()
