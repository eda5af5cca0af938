#!/bin/sh
# Installs Krug on Debian 12 and starts it; with a newer release, it upgrades (docs/operating.md, 'Installing').
#
#   sh install.sh          install, or upgrade; with the same release again: repair what is there
#   sh install.sh back     the release and the data from before the last upgrade
#   sh install.sh restore FILE [--identity PATH | --passphrase-file PATH]
#                          install, and restore a backup before the first start; also over an installation without members
#
# `npm run package` builds the release and writes its name and hash into the copy of this script next to it. Otherwise:
#   KRUG_URL, KRUG_SHA256    the release: an http(s) address or a file
#   NODE_URL, NODE_SHA256    Node for this processor, as an archive of nodejs.org: an http(s) address or a file
#   PUBLIC_URL               the address that people open; goes into /etc/krug.env if that says nothing yet
#   KRUG_WAIT_SECONDS        how long a start may take before it counts as failed; it updates the database meanwhile
set -eu
umask 022
export LC_ALL=C DEBIAN_FRONTEND=noninteractive

PACKED_FILE=
PACKED_SHA256=

HOME_FOLDER=/opt/krug
RELEASES=$HOME_FOLDER/releases
CURRENT=$HOME_FOLDER/current
PREVIOUS=$HOME_FOLDER/previous
UNIT=/etc/systemd/system/krug.service
SETTINGS=/etc/krug.env
DATA=/var/lib/krug
BEFORE=/var/lib/krug.before-upgrade
FAILED=/var/lib/krug.failed
EMPTY=/var/lib/krug.before-restore
COMMAND=/usr/local/bin/krug

NODE_VERSION=22.22.0
NODE_X64=c33c39ed9c80deddde77c960d00119918b9e352426fd604ba41638d6526a4744
NODE_ARM64=25ba95dfb96871fa2ef977f11f95ea90818c8fa15c0f2110771db08d4ba423be

say() { printf '%s\n' "$*"; }
refused=
refuse() {
  refused=yes
  printf '%s\n' "$*" >&2
  exit 1
}

# A line of the settings, as systemd reads it: the last one counts.
setting() {
  { [ ! -e "$SETTINGS" ] || sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" "$SETTINGS"; } | tail -n 1 |
    sed 's/[[:space:]]*$//' | tr -d "\"'"
}
matches() { [ "$(printf '%s' "$2" | wc -l)" = 0 ] && printf '%s\n' "$2" | grep -Eqx -- "$1"; }
release_at() { if [ -L "$1" ]; then basename "$(readlink "$1")"; fi; }
# name_of RELEASE OTHER: its version, with its build if the other one has the same version.
name_of() { if [ "${1%-*}" = "${2%-*}" ]; then say "${1%-*} (build ${1##*-})"; else say "${1%-*}"; fi; }

# The disk space for unpacking a release, and the minimum that a panel needs to run.
RELEASE_MIB=500
LEAST_MIB=16

# free_mib PATH: PATH need not exist yet.
free_mib() {
  at=$1
  while [ ! -e "$at" ]; do at=$(dirname "$at"); done
  df --output=avail -B 1M "$at" | tail -n 1 | tr -d ' '
}
# want_room PATH MIB WHAT
want_room() {
  free=$(free_mib "$1")
  [ "$free" -ge "$2" ] || refuse "The disk is too full: $3 takes $2 MiB, and $1 has $free MiB free. Make room, then run this again. Nothing was changed."
}

# at_end CODE: a step that failed without a sentence has left only a program's own error.
at_end() {
  rm -rf "$RELEASES"/.new-*
  [ "$1" != 0 ] && [ -z "$refused" ] || return 0
  for place in "$RELEASES" "$SETTINGS" "$DATA"; do
    free=$(free_mib "$place")
    if [ "$free" -lt "$LEAST_MIB" ]; then
      refuse "The disk is full: $place has $free MiB free. Make room, then run this again."
    fi
  done
  say 'It stopped there. Correct what the lines above say, then run this again.' >&2
}

# ---- Checks before anything changes ----

check_machine() {
  [ "$(id -u)" = 0 ] || refuse 'Run this as root: sudo sh install.sh'
  [ -d /run/systemd/system ] || refuse 'This machine does not run systemd. docs/operating.md says how to run Krug without it.'
  command -v apt-get >/dev/null || refuse 'This script installs packages with apt-get, which this machine does not have.'
  case $(uname -m) in
    x86_64) NODE_KIND=x64 NODE_DEFAULT=$NODE_X64 ;;
    aarch64) NODE_KIND=arm64 NODE_DEFAULT=$NODE_ARM64 ;;
    *) refuse "Krug runs on x86_64 and aarch64; this machine is $(uname -m)." ;;
  esac
  if [ -e "$HOME_FOLDER/package.json" ]; then
    refuse "$HOME_FOLDER is a copy of the repository. Stop the service, move it away, and run this again: the data in $DATA stays."
  fi
  if [ -e "$UNIT" ] && ! grep -q "^ExecStart=$CURRENT/" "$UNIT"; then
    refuse "$UNIT was not made by this script. Stop the service and move that file away; the data in $DATA stays."
  fi
  kept=$(setting DATA_DIR)
  if [ -n "$kept" ] && [ "$kept" != "$DATA" ]; then
    refuse "DATA_DIR in $SETTINGS is $kept; this script keeps the data in $DATA. Move it there and correct the line."
  fi
  if mountpoint -q "$DATA" 2>/dev/null; then
    refuse "$DATA is a mount of its own, so it cannot be swapped when an upgrade fails. Upgrade by hand (docs/operating.md, 'Upgrade')."
  fi
}

check_input() {
  here=$(dirname "$0")
  if [ -n "$PACKED_FILE" ]; then KRUG_URL=${KRUG_URL:-$here/$PACKED_FILE}; fi
  KRUG_URL=${KRUG_URL:-}
  KRUG_SHA256=${KRUG_SHA256:-$PACKED_SHA256}
  NODE_SHA256=${NODE_SHA256:-$NODE_DEFAULT}
  node_file=node-v$NODE_VERSION-linux-$NODE_KIND.tar.gz
  if [ -z "${NODE_URL:-}" ] && [ -e "$here/$node_file" ]; then NODE_URL=$here/$node_file; fi
  NODE_URL=${NODE_URL:-https://nodejs.org/dist/v$NODE_VERSION/$node_file}
  [ -n "$KRUG_URL" ] || refuse 'KRUG_URL is missing: the address or the file of the release that npm run package made.'
  matches '[0-9a-f]{64}' "$KRUG_SHA256" || refuse 'KRUG_SHA256 must be 64 digits from 0 to f: the release has it in its .sha256 file.'
  matches '[0-9a-f]{64}' "$NODE_SHA256" || refuse 'NODE_SHA256 must be 64 digits from 0 to f: nodejs.org lists them in SHASUMS256.txt.'
  if [ -n "${PUBLIC_URL:-}" ]; then
    matches 'https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?' "$PUBLIC_URL" || refuse 'PUBLIC_URL must be an address such as https://club.example'
    written=$(setting PUBLIC_URL)
    if [ -n "$written" ] && [ "$written" != "$PUBLIC_URL" ]; then
      refuse "PUBLIC_URL in $SETTINGS is $written. Change it there, then: systemctl restart krug"
    fi
  fi
  # Both identify the release: another Node is an upgrade too.
  MARK=$(printf '%s %s' "$KRUG_SHA256" "$NODE_SHA256" | sha256sum | cut -c 1-12)
}

# ---- Debian packages ----

# apt COMMAND…: waits for programs that hold its locks, since a fresh machine updates itself for minutes, and asks nothing.
apt() {
  waited=0 mended=
  while [ $waited -lt 300 ]; do
    if said=$(apt-get -q -o DPkg::Lock::Timeout=10 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
      "$@" 2>&1); then
      return 0
    fi
    case $mended$said in
      *'ould not get lock'* | *'nable to acquire'* | *'nable to lock'* | *' locked by another process'*)
        [ $waited != 0 ] || say 'Waiting for another program that installs packages…'
        waited=$((waited + 1))
        sleep 2
        ;;
      'E: '*"'dpkg --configure -a'"*)
        mended=yes
        dpkg --force-confdef --force-confold --configure -a >/dev/null 2>&1 || true
        ;;
      *) break ;;
    esac
  done
  say "$said" >&2
  return 1
}

install_packages() {
  want_packages ca-certificates curl iproute2 nftables wireguard-tools dnsmasq-base
}

want_packages() {
  missing=
  for name in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null || true)" = installed ] || missing="$missing $name"
  done
  [ -n "$missing" ] || return 0
  want_room /var/cache/apt 200 "$(printf 'installing%s' "$missing")"
  say "Installing$missing…"
  # A foreign source that does not answer stops nothing: the next line shows whether the packages can be had.
  apt update || true
  # shellcheck disable=SC2086
  apt install --yes --no-install-recommends $missing
}

# ---- A release in its own folder ----

# fetch NAME SOURCE SHA256 TARGET
fetch() {
  case $2 in
    http://* | https://*)
      say "Fetching $1…"
      curl -fsSL --retry 3 --connect-timeout 20 -o "$4" "$2" || refuse "$1 could not be fetched from $2. Nothing was changed."
      ;;
    *)
      [ -f "$2" ] || refuse "$1: there is no file $2. Nothing was changed."
      cp "$2" "$4"
      ;;
  esac
  printf '%s  %s\n' "$3" "$4" | sha256sum --check --status ||
    refuse "$1 from $2 has another SHA-256 than $3: it is damaged, or not what was meant. Nothing was changed."
}

# Leaves the release's name in RELEASE.
unpack() {
  mkdir -p "$RELEASES"
  rm -rf "$RELEASES"/.new-*
  for found in "$RELEASES"/*-"$MARK"; do
    if [ -d "$found" ]; then
      RELEASE=$(basename "$found")
      return 0
    fi
  done
  want_room "$RELEASES" "$RELEASE_MIB" 'a release'
  fresh=$(mktemp -d "$RELEASES/.new-XXXXXX")
  chmod 755 "$fresh"
  fetch Krug "$KRUG_URL" "$KRUG_SHA256" "$fresh/krug.tar"
  fetch Node "$NODE_URL" "$NODE_SHA256" "$fresh/node.tar"
  tar -xf "$fresh/krug.tar" -C "$fresh" --no-same-owner --strip-components=1
  # Only the program: npm and its headers are not needed here.
  tar -xf "$fresh/node.tar" -C "$fresh" --no-same-owner --strip-components=1 --wildcards '*/bin/node'
  rm "$fresh/krug.tar" "$fresh/node.tar"
  version=$(sed -n 's/^  "version": "\([^"]*\)",$/\1/p' "$fresh/package.json")
  matches '[0-9A-Za-z.+-]{1,40}' "$version" || refuse 'The release does not say its version. Nothing was changed.'
  # Without a command it prints its help and exits with 2: a build for another processor or system fails here.
  code=0
  "$fresh/bin/node" "$fresh/apps/server/dist/cli.js" >/dev/null 2>&1 || code=$?
  [ "$code" = 2 ] || refuse "Krug $version does not run on this machine with this Node. Nothing was changed."
  RELEASE=$version-$MARK
  mv "$fresh" "$RELEASES/$RELEASE"
}

# point LINK RELEASE: in one step, so there is always one release or the other.
point() {
  ln -sfn "releases/$2" "$1.new" && mv -T "$1.new" "$1"
}

# Both take the release that CURRENT points to.
write_unit() {
  sed -e "s#^Documentation=.*#Documentation=file:$CURRENT/docs/operating.md#" \
    -e "s#^WorkingDirectory=.*#WorkingDirectory=$CURRENT#" \
    -e "s#^ExecStart=.*#ExecStart=$CURRENT/bin/node apps/server/dist/main.js#" \
    "$CURRENT/deploy/krug.service" >"$UNIT.new" && mv "$UNIT.new" "$UNIT" && systemctl daemon-reload
}
write_command() {
  printf '#!/bin/sh\nexec %s/bin/node --env-file=%s %s/apps/server/dist/cli.js "$@"\n' "$CURRENT" "$SETTINGS" "$CURRENT" >"$COMMAND.new" &&
    chmod 755 "$COMMAND.new" && mv "$COMMAND.new" "$COMMAND"
}

write_settings() {
  if [ ! -e "$SETTINGS" ]; then
    (umask 077 && printf 'DATA_DIR=%s\n' "$DATA" >"$SETTINGS")
  elif [ -z "$(setting DATA_DIR)" ]; then
    printf '\nDATA_DIR=%s\n' "$DATA" >>"$SETTINGS"
  fi
  if [ -n "${PUBLIC_URL:-}" ] && [ -z "$(setting PUBLIC_URL)" ]; then
    printf 'PUBLIC_URL=%s\n' "$PUBLIC_URL" >>"$SETTINGS"
    # The proxy with the certificate is on this machine.
    case $PUBLIC_URL in
      https:*) [ -n "$(setting TRUSTED_PROXIES)" ] || printf 'TRUSTED_PROXIES=127.0.0.1\n' >>"$SETTINGS" ;;
    esac
  fi
}

# ---- Starting, and checking the start ----

panel_port() {
  port=$(setting PORT)
  printf '%s\n' "${port:-3001}"
}
panel_host() {
  case $(setting HOST) in
    '' | 0.0.0.0 | localhost) say 127.0.0.1 ;;
    ::) say '[::1]' ;;
    *:*) say "[$(setting HOST)]" ;;
    *) setting HOST ;;
  esac
}
# The status of /health: 200, or 503 if it cannot serve; 000 if nothing answers.
health() { curl -s --noproxy '*' --max-time 3 -o /dev/null -w '%{http_code}' "http://$(panel_host):$(panel_port)/health" || true; }
answers() { [ "$(health)" = 200 ]; }
main_pid() { systemctl show krug --property=MainPID --value; }

# It answers, and still does a second later in the same process: another program on its port does not count.
is_well() {
  pid=$(main_pid)
  [ "$pid" != 0 ] && answers && sleep 1 && [ "$(main_pid)" = "$pid" ] && answers
}

# Counts only this start's failures.
start() { { systemctl reset-failed krug 2>/dev/null || true; } && systemctl start krug; }

failures() { systemctl show krug --property=NRestarts --value; }
is_full() { [ "$(free_mib "$DATA")" -lt "$LEAST_MIB" ]; }

# The first failure is reported at once; three in a row are final. Waiting does not help a full disk.
becomes_well() {
  waited=0
  told=
  while ! is_well; do
    if [ -z "$told" ] && [ "$(failures)" != 0 ]; then
      told=yes
      say 'Krug exited and is restarting. Its last words:' >&2
      last_words
    elif [ -z "$told" ] && [ "$(health)" = 503 ]; then
      told=yes
      say 'Krug is up but cannot serve yet. Its last words:' >&2
      last_words
    fi
    if [ -n "$told" ] && is_full; then return 1; fi
    [ "$(failures)" -lt 3 ] || return 1
    [ "$waited" -lt "$KRUG_WAIT_SECONDS" ] || return 1
    sleep 1
    waited=$((waited + 1))
  done
}

words() { journalctl -q -u krug -o cat -n "$1" --no-pager || true; }
last_words() { words 5 >&2; }

# Why it is not healthy, in one sentence that says what to do. Lines of JSON are the log of a running panel.
why_not_well() {
  said=$(words 20 | grep -v '^{' || true)
  if is_full || printf '%s\n' "$said" | grep -Eqi 'ENOSPC|no space left|disk is full'; then
    say "The disk is full: $DATA has $(free_mib "$DATA") MiB free. Make room, then run this again."
  elif printf '%s\n' "$said" | grep -Eq '^PORT [0-9]+ (is taken|на [^ ]+ занят)'; then
    holder=$(ss -Hltnp "sport = :$(panel_port)" 2>/dev/null | sed -n 's/.*users:(("\([^"]*\)",pid=\([0-9]*\).*/\1 (process \2)/p' | head -n 1)
    say "Port $(panel_port) is taken by ${holder:-another program}. Stop it, or set another PORT in $SETTINGS, then run this again."
  elif printf '%s\n' "$said" | grep -Eqi 'oom-kill|OOM killer|status=9/KILL'; then
    say 'The system killed it: the machine has too little memory. See what else uses it, then run this again.'
  elif printf '%s\n' "$said" | grep -Eq '(^|[^A-Z_])(PORT|HOST|[A-Z]+_[A-Z_]*[A-Z])([^A-Z_]|$)'; then
    say "Correct $SETTINGS as they say, then run this again."
  elif [ "$(failures)" != 0 ]; then
    say 'It crashed, but not because of its settings. journalctl -u krug says more.'
  else
    say "It runs, but has not become healthy within $KRUG_WAIT_SECONDS s. journalctl -u krug says what it waits for; a larger KRUG_WAIT_SECONDS gives it more time."
  fi
}

# ---- Upgrading and rolling back ----

# The stopped panel's data is complete by itself.
copy_data() {
  rm -rf "$BEFORE.new" && cp -a "$DATA" "$BEFORE.new" && sync && rm -rf "$BEFORE" && mv "$BEFORE.new" "$BEFORE"
}

go_back() {
  old=$(release_at "$PREVIOUS")
  systemctl stop krug
  if [ -d "$BEFORE" ]; then
    rm -rf "$FAILED" && mv "$DATA" "$FAILED" && mv "$BEFORE" "$DATA" || return 1
  fi
  point "$CURRENT" "$old" && rm "$PREVIOUS" && write_unit && write_command && start && becomes_well
}

tidy() {
  for folder in "$RELEASES"/*; do
    case $(basename "$folder") in
      "$(release_at "$CURRENT")" | "$(release_at "$PREVIOUS")") ;;
      *) rm -rf "$folder" ;;
    esac
  done
}

upgrade() {
  old=$(release_at "$CURRENT")
  was=$(name_of "$old" "$RELEASE")
  now=$(name_of "$RELEASE" "$old")
  # The copy of the data, and as much again for the new release's changes.
  want_room "$BEFORE" $((2 * $(du -sm "$DATA" | cut -f 1) + LEAST_MIB)) 'a copy of the data'
  say "Upgrading from $was to $now…"
  # A connection that breaks now must not leave the club between two releases.
  trap '' HUP INT TERM
  systemctl stop krug
  if ! copy_data; then
    rm -rf "$BEFORE.new"
    start
    refuse "$DATA could not be copied to $BEFORE (is the disk full?). $was runs on as before."
  fi
  if point "$PREVIOUS" "$old" && point "$CURRENT" "$RELEASE" && write_unit && write_command && start && becomes_well; then
    tidy
    say "Krug $now runs. The data from before is in $BEFORE; 'sh install.sh back' returns to it and to $was."
    return 0
  fi
  say "Krug $now does not start. Its last words:" >&2
  last_words
  why_not_well >&2
  if go_back; then
    tidy
    refuse "Went back: $was runs with the data from before. What the new release left is in $FAILED; delete it when you know why."
  fi
  last_words
  refuse "Going back to $was did not work either. The data from before is in $BEFORE or already in $DATA; journalctl -u krug says more."
}

back() {
  old=$(release_at "$PREVIOUS")
  [ -n "$old" ] || refuse 'There was no upgrade to go back from.'
  [ -d "$BEFORE" ] || refuse "$BEFORE is gone, and an older release does not read newer data. Restore a backup (docs/operating.md)."
  trap '' HUP INT TERM
  if ! go_back; then
    last_words
    refuse "${old%-*} does not start: journalctl -u krug says why."
  fi
  tidy
  say "Krug ${old%-*} runs with the data from before the upgrade. What came since is in $FAILED."
}

install_first() {
  # From another kind of installation.
  if [ -e "$DATA/krug.db" ]; then copy_data && say "A copy of the data that was there is in $BEFORE."; fi
  say "Starting Krug ${RELEASE%-*}…"
  point "$CURRENT" "$RELEASE"
  write_unit
  write_command
  systemctl enable --quiet krug
  start
}

# ---- Restoring a backup ----

check_restore() {
  [ $# -gt 0 ] || refuse 'Which backup? sh install.sh restore FILE'
  [ ! -e "$DATA/had-members" ] || refuse "There is a club on this machine. Nothing was changed. Move $DATA away first: docs/operating.md, 'Backup and restore'."
  [ ! -e "$DATA/krug.db" ] || [ ! -e "$EMPTY" ] || refuse "$EMPTY is in the way: see what is in it, and move it away. Nothing was changed."
  [ -z "$(setting DATABASE_URL)" ] || refuse "The database is PostgreSQL: install without a backup, stop krug, empty the database, then: krug restore FILE"
  case $1 in
    --*) ;;
    *) [ -f "$1" ] || refuse "The file $1 does not exist. Nothing was changed." ;;
  esac
}

# First remove what an installation without members created: its interfaces hold the names and ports of the club's.
clear_empty() {
  systemctl stop krug 2>/dev/null || true
  [ -e "$DATA/krug.db" ] || return 0
  "$COMMAND" remove-tunnels >/dev/null || say 'Its tunnels could not be removed; krug check will name what stands in the way.' >&2
  mv "$DATA" "$EMPTY"
}

# restore_first ARGUMENTS: those of `krug restore`.
restore_first() {
  point "$CURRENT" "$RELEASE"
  write_unit
  write_command
  clear_empty
  if ! "$COMMAND" restore "$@"; then
    if [ -d "$EMPTY" ] && [ ! -e "$DATA/krug.db" ]; then rm -rf "$DATA" && mv "$EMPTY" "$DATA" && start; fi
    refuse 'The backup was not restored: the sentence above says why. Then run this again.'
  fi
  [ ! -d "$EMPTY" ] || say "What the installation without members kept is in $EMPTY; delete it when all is well."
  # No rollback is possible: there was no club before.
  rm -f "$PREVIOUS"
  tidy
  systemctl enable --quiet krug
  start
}

# ---- What to do next ----

setup_link() {
  journalctl -q -o cat --no-pager "_SYSTEMD_INVOCATION_ID=$(systemctl show krug --property=InvocationID --value)" |
    sed -n 's|.*\(https\{0,1\}://[^ ]*/setup[#?]token=[^ ]*\).*|\1|p' | tail -n 1
}

show_next() {
  address=$(setting PUBLIC_URL)
  address=${address:-http://$(panel_host):$(panel_port)}
  if [ -e "$DATA/had-members" ]; then
    say "Krug $(release_at "$CURRENT" | sed 's/-[^-]*$//') runs at $address"
    return 0
  fi
  link=
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    link=$(setup_link)
    [ -z "$link" ] || break
    sleep 1
  done
  [ -n "$link" ] || refuse "Krug runs at $address but printed no link for the first admin: journalctl -u krug says why."
  say 'Krug runs. Open this link, which works once, and create the first admin:'
  say "  $link"
  case $link in
    http://127.*) say "From another computer, first: ssh -L $(panel_port):127.0.0.1:$(panel_port) root@THIS-MACHINE" ;;
    https:*) say "It needs a proxy with a certificate in front: step 3 of $CURRENT/docs/getting-started.md, or 'On the internet' in operating.md there." ;;
  esac
  say "Open UDP port 51820 in the provider's firewall for the devices."
}

main() {
  check_machine
  exec 9>/run/krug-install.lock
  flock -n 9 || refuse 'Another install.sh is at work on this machine.'
  restores=
  KRUG_WAIT_SECONDS=${KRUG_WAIT_SECONDS:-300}
  matches '[1-9][0-9]{0,4}' "$KRUG_WAIT_SECONDS" || refuse 'KRUG_WAIT_SECONDS must be a number of seconds.'
  case ${1:-} in
    '') ;;
    back)
      back
      return 0
      ;;
    restore)
      shift
      check_restore "$@"
      restores=yes
      ;;
    *) refuse 'sh install.sh installs or upgrades; sh install.sh back returns to before the last upgrade; sh install.sh restore FILE restores a backup.' ;;
  esac
  check_input
  old=$(release_at "$CURRENT")
  if [ -n "$old" ] && [ "${old##*-}" != "$MARK" ] && [ -n "$(setting DATABASE_URL)" ]; then
    refuse "The database is PostgreSQL, which this script cannot copy and restore. Follow 'Upgrade' in docs/operating.md."
  fi
  trap 'at_end $?' EXIT
  install_packages
  unpack
  write_settings
  if [ -z "$restores" ] && [ -n "$old" ] && [ "$old" != "$RELEASE" ]; then
    upgrade
  else
    if [ -n "$restores" ]; then restore_first "$@"; elif [ -z "$old" ]; then install_first; fi
    systemctl is-active --quiet krug || start
    if ! becomes_well; then
      say 'Krug does not start. Its last words:' >&2
      last_words
      refuse "$(why_not_well)"
    fi
  fi
  show_next
}

main "$@"
