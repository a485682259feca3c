#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# One program built for this processor and for another one does the same work twice; all that it says,
# writes and exits with must be the same bytes.
#   compare.sh HERE THERE FIXTURES   two programs; run in a directory of its own
#   $EMULATOR  QEMU's for THERE; QEMU_LD_PREFIX is that processor's sysroot
# The test pattern's cipher is chosen by the CPU (AES where it has instructions for it), and stands in
# the certificate with its key: where THERE chose the other one, the certificates made here come
# from HERE run on an emulated CPU that leads to the same choice. Nothing is masked but
# what is random by nature (see `on`).
set -eu
here=$1
there=$2
fixtures=$(cd "$3" && pwd)
export LC_ALL=C CARDASSAY_CONFIG=/dev/null NO_COLOR=1
export SOURCE_DATE_EPOCH=1767225600 # 2026-01-01: certificates are the same on every run
same=0
different=0
here_cpu=
rm -rf here there
mkdir here there

# on SIDE ARGUMENT...: what it says goes to SIDE/said, how it ends too
on()
{
	side=$1
	shift
	status=0
	if [ "$side" = there ]; then
		(cd there && "$EMULATOR" "$there" "$@") >there/said 2>&1 <"${input:-/dev/null}" || status=$?
	else
		# shellcheck disable=SC2086 # none, or an emulator and its option
		(cd here && $here_cpu "$here" "$@") >here/said 2>&1 <"${input:-/dev/null}" || status=$?
	fi
	echo "exit $status" >>"$side/said"
	# The one thing drawn from the kernel's random numbers: the id of a report on a record. The id of a
	# simulated certificate comes from the card's seed, and is compared.
	[ "$1" != inspect ] || sed -i '/^  "id": "[0-9a-f]\{32\}",$/d' "$side/said"
}

# both FILE ARGUMENT...: FILE is what the command writes, or -
both()
{
	file=$1
	shift
	on here "$@"
	on there "$@"
	for result in said $file; do
		[ "$result" != - ] || continue
		if cmp -s "here/$result" "there/$result"; then
			same=$((same + 1))
			continue
		fi
		different=$((different + 1))
		[ "$different" -le 3 ] || continue
		echo "DIFFERENT: cardassay $*" >&2
		diff -u "here/$result" "there/$result" | head -n 20 >&2 || :
	done
}

tell()
{
	echo "$1: $((same - before)) outputs the same, $different different so far"
	before=$same
}

# The same cipher on both sides.
choose_cpu()
{
	on here certify sim:announced=512 -o probe.json
	on there certify sim:announced=512 -o probe.json
	chosen=$(grep '"pattern"' there/probe.json)
	[ "$(grep '"pattern"' here/probe.json)" != "$chosen" ] || return 0
	case $chosen in
	*aes*) here_cpu='qemu-x86_64-static -cpu max' ;;
	*) here_cpu='qemu-x86_64-static -cpu qemu64' ;;
	esac
	on here certify sim:announced=512 -o probe.json
	grep -qxF "$chosen" here/probe.json || {
		echo "no emulated CPU here leads to this cipher: $chosen" >&2
		exit 1
	}
	echo "the other processor chose$chosen; certificates here are made by $here_cpu"
}

# Every kind of fault, each through filling, reading back, measuring, judging and signing.
certificates()
{
	rates=read-iops=3200,write-iops=1200,read-rate=90M,write-rate=30M
	cp "$fixtures/keys/test-only.key" here/key
	cp "$fixtures/keys/test-only.key" there/key
	for card in announced=512 announced=5003264,seed=2 announced=8M,sector=4096,seed=3 \
		announced=8M,queue-depth=32,cache=1M,seed=4 \
		announced=16M,real=5M,kind=limbo,limbo=zeros announced=16M,real=5M,kind=limbo,limbo=ones \
		announced=16M,real=5M,kind=limbo,limbo=noise announced=16M,real=5M,kind=limbo,limbo=last \
		announced=16M,real=5M,kind=limbo,cache=2M announced=16M,real=4M,kind=wrap \
		announced=16M,real=5003264,kind=wrap announced=8389120,real=8M,kind=wrap \
		announced=16M,real=4M,wrap=5M,kind=chain announced=8M,bad=5000-5127,flip=6001 \
		announced=8M,gone-after=3M; do
		both card.json certify "sim:$card,$rates" --label 'SanDisk Ultra 16MB A1 U1' \
			--progress none -o card.json
		both - verify card.json --format json
	done
	for card in announced=256M,seed=7 announced=256M,real=100M,kind=wrap,seed=8; do
		both card.json probe "sim:$card" --progress none -o card.json
	done
	both card.json.minisig fill sim:announced=1M,seed=5 --progress none --sign=key -o card.json
	both card.json speed "sim:announced=4M,$rates,seed=6" --only random-read --seconds 2 \
		--progress none -o card.json
	tell 'certificates of simulated cards'
}

records()
{
	for card in "$fixtures"/cards/*/ "$fixtures"/bad/*; do
		both - inspect "$card" --format json
	done
	tell 'records of real cards, and broken ones'
	input=$PWD/nvme
	awk -F '\t' '/^N[0-9]/' "$fixtures/nvme/records.tsv" >records
	while IFS= read -r record; do
		printf '%s\n' "$record" | awk -F '\t' '{
			print "NVME Identify Controller:"
			if ($2) print "vid : 0x" $2
			if ($3) print "ssvid : 0x" $3
			print "sn : "; print "mn : " $4; print "fr : " $5
			if ($6) print "ieee : " $6
			if ($7) print "tnvmcap : " $7
		}' >nvme
		both - inspect - --format json
	done <records
	input=
	tell 'records of NVMe drives'
}

kept_certificates()
{
	for file in "$fixtures"/certificates/valid/*.json "$fixtures"/certificates/hostile/*; do
		both - verify "$file"
		both - verify "$file" --format json
	done
	for file in "$fixtures"/certificates/valid/*.json; do
		both - verify "$file" --format sarif
	done
	tell 'kept certificates, judged again'
	both - --version
	for machine in "$fixtures"/sysfs/*/; do
		both - list --sysroot "$machine" --format json
	done
	both - rules
	both - explain CAPACITY
	tell 'tables and recorded machines'
}

before=0
choose_cpu
certificates
here_cpu=
records
kept_certificates
rm -rf here there
echo "$((same + different)) outputs compared, $different different"
[ "$different" -eq 0 ]
