# SPDX-License-Identifier: BSD-2-Clause
# What the station refuses; what it does needs devices (tests/device/station.sh).
"$CARDASSAY" station --inspect sim:fake-128g || echo "exit $?"
"$CARDASSAY" station
