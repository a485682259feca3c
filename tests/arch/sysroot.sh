#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Headers and libraries of another processor's Debian, to build for it and to run what was built.
# The packages come from this machine's own package sources, through an apt state of their own (lists,
# cache, and a list of installed packages that is empty): the machine's is only read, nothing is
# installed, and no root is needed.
#   sysroot.sh ARCH   as Debian calls it: arm64, armhf, s390x; prints the directory
# What was fetched is kept below ${XDG_CACHE_HOME:-~/.cache}/cardassay/ARCH, so that a second run needs
# no network. Exit 77 and a line on stderr where there is no having one here.
set -eu
LC_ALL=C
export LC_ALL
arch=$1
packages='libc6-dev linux-libc-dev libgcrypt20-dev zlib1g-dev libjansson-dev liburing-dev
	libmount-dev libblkid-dev libmnl-dev check'
cache=${XDG_CACHE_HOME:-$HOME/.cache}/cardassay/$arch

skip()
{
	echo "skipped: $*" >&2
	exit 77
}

apt()
{
	apt-get -c "$work/apt.conf" -qq "$@" >"$work/out" 2>&1 </dev/null
}

# What apt said, without the address of the source.
why()
{
	grep '^E:' "$work/out" | sed 's|[a-z]*://[^ ]*|(source)|g' | head -n 1
}

# The machine's own hooks act on the machine's own lists: none of them runs here.
configure_apt()
{
	mkdir -p "$work/state/lists/partial" "$work/cache" "$cache/archives/partial"
	: >"$work/status"
	cat >"$work/apt.conf" <<CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Pre-Install-Pkgs;
#clear APT::Architectures;
APT::Architecture "$arch";
APT::Architectures "$arch";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
Dir::State "$work/state";
Dir::State::lists "$work/state/lists";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Dir::Cache::archives "$cache/archives";
Dir::Log "$work";
CONF
}

# Their file names in $work/debs; fetches those that the cache lacks and drops what is of no use now.
fetch()
{
	# One list that cannot be had (a mirror at work) need not stop it: the packages decide.
	missing=
	apt update || missing=", a list could not be fetched: $(why)"
	# Against an empty archive apt names every file, not only those it lacks: 'URI' FILE SIZE HASH
	mkdir -p "$work/none/partial"
	# shellcheck disable=SC2086 # a list of words
	apt -o Dir::Cache::archives="$work/none" -y --print-uris install $packages ||
		skip "no packages for $arch from the sources here (is there a network?): $(why)$missing"
	sed -n "s/^'[^']*' \([^ ]*\.deb\) .*/\1/p" "$work/out" >"$work/debs"
	[ -s "$work/debs" ] || skip "apt names no packages for $arch"
	# shellcheck disable=SC2086
	apt -y --download-only install $packages ||
		skip "packages for $arch cannot be fetched: $(why)$missing"
	for deb in "$cache"/archives/*.deb; do
		grep -qxF "$(basename "$deb")" "$work/debs" || rm "$deb"
	done
}

# Links to /lib/... would lead into this machine.
make_links_relative()
{
	find "$work/root" -type l -lname '/*' >"$work/links"
	while read -r link; do
		up=$(echo "${link#"$work/root/"}" | sed 's|[^/]*$||; s|[^/][^/]*|..|g')
		target=$(readlink "$link")
		ln -sfn "./$up${target#/}" "$link"
	done <"$work/links"
}

for tool in apt-get dpkg-deb flock sha256sum; do
	command -v $tool >/dev/null || skip "needs $tool"
done
# The same packages of the same release from the same sources: the one that is there will do.
wanted=$({
	echo "1 $arch $packages"
	cat /etc/debian_version /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
		/etc/apt/sources.list.d/*.sources 2>/dev/null || :
} | sha256sum | cut -c 1-16)
sysroot=$cache/sysroot-$wanted
mkdir -p "$cache" 2>/dev/null || skip "cannot write below $cache"
exec 9>"$cache/lock"
flock 9 # two builds that want it at once: the second finds it made
if [ -d "$sysroot" ]; then
	echo "$sysroot"
	exit 0
fi
work=$(mktemp -d "$cache/new-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP PIPE
configure_apt
fetch
mkdir "$work/root"
while read -r deb; do
	dpkg-deb -x "$cache/archives/$deb" "$work/root"
done <"$work/debs"
make_links_relative
rm -rf "$cache"/sysroot-*
mv "$work/root" "$sysroot"
echo "$sysroot"
