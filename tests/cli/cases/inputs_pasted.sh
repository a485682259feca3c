# SPDX-License-Identifier: BSD-2-Clause
# Pastes of public bug reports: what they give, what they leave out, and what is said of those that
# give nothing.
for paste in "$FIXTURES"/inputs/*.txt; do
	echo "## ${paste##*/}"
	"$CARDASSAY" inspect "$paste" | grep -E '^  device|^  (raw|model|size)|^[^ ].*: (fail|warning|note)|^  cid|of Identify'
done
# lspci and the kernel log beside the registers.
cat "$FIXTURES"/inputs/nvme1-id-ctrl.txt "$FIXTURES"/inputs/lspci-*.txt |
	"$CARDASSAY" inspect - --format json | grep -A1 '"pcie_'
{
	cat "$FIXTURES/inputs/dmesg-pi5.txt"
	echo 'cid: 035344534e3235368001020304015a00'
} | "$CARDASSAY" inspect - --format json | grep -E -A1 '"(bus_timing|log_card)"'
