#!/usr/bin/env bash
# PgBouncer for the end-to-end tests: the versions of two Debian releases, each with its own libraries, in folders beside this
# file. Needs apt-get, and installs nothing on the machine.
set -euo pipefail
cd "$(dirname "$0")"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | grep '/debian/$' | sort -u | head -1)
[ -n "$mirror" ] || { echo 'No Debian mirror is configured for apt-get.' >&2; exit 1; }

# Downloads packages of a release and writes <release>/pgbouncer, which starts the program.
install() {
  local release=$1 folder=$PWD/$1 work loader
  [ -x "$folder/pgbouncer" ] && return
  shift
  work=$(mktemp -d)
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" > "$work/sources.list"
  local options=(-qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
    -o "Dir::Cache=$work/cache" -o APT::Sandbox::User= -o Acquire::Languages=none)
  apt-get "${options[@]}" update
  (cd "$work" && apt-get "${options[@]}" download pgbouncer libc6 zlib1g libzstd1 liblz4-1 liblzma5 libcap2 libpam0g libaudit1 \
    libcap-ng0 libsystemd0 "$@")
  rm -rf "$folder"
  for package in "$work"/*.deb; do dpkg -x "$package" "$folder"; done
  rm -rf "$work"
  loader=$(find "$folder" -name 'ld-linux-*' | sort | head -1)
  cat > "$folder/pgbouncer" <<SCRIPT
#!/bin/sh
exec "$loader" --library-path "$(find "$folder" -name '*.so.*' -printf '%h\n' | sort -u | paste -sd:)" "$folder/usr/sbin/pgbouncer" "\$@"
SCRIPT
  chmod 755 "$folder/pgbouncer"
}

install bookworm libevent-2.1-7 libc-ares2 libssl3 libgcrypt20 libgpg-error0
install trixie libevent-2.1-7t64 libcares2 libssl3t64 libldap2 libsasl2-2
