#!/usr/bin/env bash
# Programs for the end-to-end tests (docs/edges.md): the versions of two Debian releases, each with its own libraries, in
# folders beside this file. Needs apt-get, and installs nothing on the machine.
set -euo pipefail
cd "$(dirname "$0")"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep '/debian/$' | sort -u | head -1)
[ -n "$mirror" ] || { echo 'No Debian mirror is configured for apt-get.' >&2; exit 1; }

# Downloads packages of a release and writes <release>/<program>, which starts the program.
install() {
  local release=$1 programs=$2 folder=$PWD/$1 work loader libraries
  [ -e "$folder/done" ] && return
  shift 2
  work=$(mktemp -d)
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" > "$work/sources.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
    -o "Dir::Cache=$work/cache" -o APT::Sandbox::User= -o Acquire::Languages=none)
  apt-get "${options[@]}" update
  # shellcheck disable=SC2086
  (cd "$work" && apt-get "${options[@]}" download $programs libc6 zlib1g libzstd1 liblz4-1 liblzma5 libcap2 libpam0g libaudit1 \
    libcap-ng0 libsystemd0 "$@")
  rm -rf "$folder"
  for package in "$work"/*.deb; do dpkg -x "$package" "$folder"; done
  rm -rf "$work"
  loader=$(find "$folder" -name 'ld-linux-*' | sort | head -1)
  libraries=$(find "$folder" -name '*.so.*' -printf '%h\n' | sort -u | paste -sd:)
  for program in $programs; do
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$loader" "$libraries" "$folder/usr/sbin/$program" > "$folder/$program"
    chmod 755 "$folder/$program"
  done
  touch "$folder/done"
}

install bookworm 'pgbouncer nginx haproxy' libevent-2.1-7 libc-ares2 libssl3 libgcrypt20 libgpg-error0 libcrypt1 libpcre2-8-0 \
  liblua5.3-0 libopentracing-c-wrapper0 libopentracing1 libstdc++6 libgcc-s1
install trixie pgbouncer libevent-2.1-7t64 libcares2 libssl3t64 libldap2 libsasl2-2
