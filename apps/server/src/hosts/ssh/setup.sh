#!/bin/bash
# What the panel does on a VPN server beside its tunnels' daily work: set-up, keeping the tunnels over a reboot, and leaving.
# It is root's, and runs nothing but the verbs at the end. Lines for the panel begin with '#krug' (features/server-setup/steps.ts).
set -u -o pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
export NEEDRESTART_MODE=a APT_LISTCHANGES_FRONTEND=none
umask 077

LIBRARY=/usr/local/lib/krug
STATE=/var/lib/krug
RUNS=$STATE/runs
TUNNELS=$STATE/tunnels
UNIT=/etc/systemd/system/krug-tunnels.service
PASS_MARK=0x20000000
LOCK_WAIT_S=600
# AmneziaWG's, where the panel has brought it.
ENGINE=$LIBRARY/amneziawg-go
SOCKETS=/run/amneziawg

say() { printf '#krug %s\n' "$*"; }
fail() {
  say fail "$@"
  exit 1
}
stage() {
  [ -z "${dir:-}" ] || [ ! -e "$dir/cancel" ] || fail cancelled
  say stage "$@"
}

# Set-up -----------------------------------------------------------------------------------------------------------------

# Runs a step apart from the connection, and prints its lines from a given one on until it has ended.
run() {
  local id=$1 from=$2
  shift 2
  dir=$RUNS/$id
  mkdir -p "$RUNS"
  if mkdir "$dir" 2>/dev/null; then
    : >"$dir/log"
    setsid "$0" do "$id" "$@" >>"$dir/log" 2>&1 </dev/null &
    echo $! >"$dir/pid"
    # Tries of long ago; by a wrong clock this one may look like the oldest.
    ls -1dt "$RUNS"/*/ | grep -vF "$id" | tail -n +10 | xargs -r rm -rf
  fi
  local pid tries=0
  until [ -s "$dir/pid" ] || [ $((tries += 1)) -gt 20 ]; do sleep 0.1; done
  pid=$(cat "$dir/pid" 2>/dev/null)
  if grep -q "$id" "/proc/$pid/cmdline" 2>/dev/null; then tail -n "+$from" -s 0.2 --pid="$pid" -f "$dir/log"
  else tail -n "+$from" "$dir/log"; fi
  tail -n 1 "$dir/log" 2>/dev/null | grep -q '^#krug \(done\|fail\)' && return
  # What the step said may have found no room.
  [ "$(free_megabytes)" -gt 0 ] || fail no_space "0 MB"
  # Killed, or the machine went down in the middle.
  fail interrupted
}

do_step() {
  dir=$RUNS/$1
  local step=$2
  shift 2
  exec 9>"$STATE/lock"
  flock 9
  "step_$step" "$@"
  say done
}

step_docker() {
  preflight "$@"
  say note docker_unneeded
}

step_wireguard() {
  preflight "$@"
  stage packages
  local missing=() each
  for each in wireguard-tools nftables iproute2 kmod; do is_installed "$each" || missing+=("$each"); done
  install_packages "${missing[@]}"
  stage tunnel
  if has_kernel_tunnels; then
    say note kernel_tunnels
  else
    say note userspace_tunnels
    is_installed wireguard-go || install_packages wireguard-go
    can_open_tun || fail no_tun
  fi
  nft list tables >/dev/null 2>&1 || fail no_nftables "$(nft list tables 2>&1 | head -n 1)"
  stage boot
  keep_over_reboots
}

preflight() {
  local panel_time=$1 difference free
  stage preflight
  [ "$(id -u)" = 0 ] || fail not_root
  local ID= VERSION_ID= PRETTY_NAME=
  [ ! -r /etc/os-release ] || . /etc/os-release
  case "$ID ${VERSION_ID%%.*}" in
    'debian 12' | 'debian 13' | 'ubuntu 22' | 'ubuntu 24') ;;
    *) fail unsupported_system "${PRETTY_NAME:-$(uname -s)}" ;;
  esac
  echo "$PRETTY_NAME, $(uname -m), Linux $(uname -r)"
  case "$(dpkg --print-architecture)" in
    amd64 | arm64) ;;
    *) fail unsupported_architecture "$(uname -m)" ;;
  esac
  difference=$(($(date +%s) - panel_time))
  [ "${difference#-}" -lt 300 ] || fail wrong_clock "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  free=$(free_megabytes)
  [ "$free" -ge 300 ] || fail no_space "$free MB"
  [ "$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" -ge 200 ] || say note little_memory
  can_tunnel || fail no_tun
  local foreign
  foreign=$(foreign_tunnels)
  [ -z "$foreign" ] || say note foreign_tunnels "$foreign"
}

free_megabytes() { df -Pk "$STATE" | awk 'NR == 2 { print int($4 / 1024) }'; }

is_installed() { dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii'; }

# The machine can make tunnels: by its kernel, or by a program.
can_tunnel() { has_kernel_tunnels || can_open_tun || { modprobe tun 2>/dev/null && can_open_tun; }; }

# A container may show a device that nobody can open.
can_open_tun() { [ -c /dev/net/tun ] && (: <>/dev/net/tun) 2>/dev/null; }

has_kernel_tunnels() {
  [ ! -d /sys/module/wireguard ] || return 0
  modprobe wireguard 2>/dev/null && [ -d /sys/module/wireguard ] && return 0
  command -v ip >/dev/null || return 1
  ip link add dev krugprobe0 type wireguard 2>/dev/null && ip link delete dev krugprobe0
}

# Names of tunnels that others made here.
foreign_tunnels() {
  local name
  command -v wg >/dev/null || return 0
  for name in $(wg show interfaces); do own_tunnels | grep -qx "$name" || printf '%s ' "$name"; done
}

# One command at a time of the packages' programs, which are never killed. Others may hold their lock: at first start many a
# machine updates itself.
packages() {
  local until=$((SECONDS + LOCK_WAIT_S)) told=
  while :; do
    [ ! -e "$dir/cancel" ] || fail cancelled
    "$@" 2>&1 | tee "$dir/last" && return
    if grep -qE 'Could not get lock|Unable to (acquire|lock)|is locked by another process' "$dir/last"; then
      [ $SECONDS -lt $until ] || fail package_lock "$(lock_holder)"
      [ -n "$told" ] || say note waiting_for_lock "$(lock_holder)"
      told=yes
      sleep 3
      continue
    fi
    ! grep -qiE 'no space left|not enough free space|enough space' "$dir/last" || fail no_space
    ! grep -qE 'Temporary failure|Could not (resolve|connect)|Failed to fetch|timed out|unreachable' "$dir/last" || fail no_network
    fail packages "$(grep -E '^(E|dpkg): ' "$dir/last" | head -n 1 | cut -c 1-300)"
  done
}

lock_holder() { sed -nE 's/.*held by process ([0-9]+ \([^)]*\)).*/\1/p' "$dir/last" | head -n 1; }

install_packages() {
  [ $# -gt 0 ] || return 0
  packages dpkg --configure -a
  packages apt-get -q -o APT::Update::Error-Mode=any update
  stage installing "$@"
  packages apt-get -q -y -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=0 install --no-install-recommends "$@"
  printf '%s\n' "$@" >>"$STATE/packages"
}

keep_over_reboots() {
  [ -d /run/systemd/system ] || fail no_systemd
  (
    umask 022
    cat >"$UNIT" <<UNIT
[Unit]
Description=Tunnels of the VPN club, as its panel left them
After=network-pre.target
Before=network.target
DefaultDependencies=no
After=local-fs.target systemd-modules-load.service systemd-sysctl.service
Conflicts=shutdown.target
Before=shutdown.target

[Service]
Type=oneshot
RemainAfterExit=yes
KillMode=none
ExecStart=$LIBRARY/setup restore

[Install]
WantedBy=multi-user.target
UNIT
  )
  systemctl daemon-reload
  systemctl enable krug-tunnels.service 2>&1
}

# Tunnels over a reboot --------------------------------------------------------------------------------------------------

# Each tunnel of the panel has a routing rule that guards it (hosts/routing-guard.ts).
own_tunnels() {
  { ip -4 rule show; ip -6 rule show; } 2>/dev/null |
    sed -nE "s|.* fwmark 0/$PASS_MARK iif ([A-Za-z0-9_][A-Za-z0-9_.-]{0,14}) .*|\1|p" | sort -u
}

# Writes down the tunnels as they are: all of it, or what was written before stays. Where devices connect from is not kept.
keep() {
  local new=$TUNNELS.new
  exec 8>"$STATE/keeping"
  flock 8
  rm -rf "$new"
  if ! write_tunnels "$new"; then
    rm -rf "$new"
    return 1
  fi
  rm -rf "$TUNNELS.old"
  [ ! -d "$TUNNELS" ] || mv -T "$TUNNELS" "$TUNNELS.old"
  mv -T "$new" "$TUNNELS"
}

# Fails where there is no room for it.
write_tunnels() {
  local new=$1 name text each
  mkdir -p "$new" || return
  text=$(nft --stateless list table inet krug 2>/dev/null) || text=
  printf '%s\n' "$text" >"$new/table.nft" || return
  for name in $(own_tunnels); do
    text=
    if text=$(engine_state "$name"); then
      printf '%s\n' "$text" >"$new/$name.engine" || return
    elif text=$(wg showconf "$name" 2>/dev/null); then
      printf '%s\n' "$text" | grep -v '^Endpoint' >"$new/$name.conf" || return
    fi
    if [ -n "$text" ]; then
      ip -o address show dev "$name" scope global | awk '{ print $4 }' >"$new/$name.addresses" || return
      cat "/sys/class/net/$name/mtu" >"$new/$name.mtu" || return
    else
      # Its program has died or is being started: what it was stays.
      for each in conf engine addresses mtu; do
        [ ! -e "$TUNNELS/$name.$each" ] || cp -p "$TUNNELS/$name.$each" "$new/" || return
      done
    fi
  done
  sync "$new"/*
}

# Asks a tunnel's engine what stands on stdin. `wg` does not know these.
ask_engine() {
  perl -MSocket -e '
    alarm 10;
    socket(my $engine, PF_UNIX, SOCK_STREAM, 0) or exit 1;
    connect($engine, pack_sockaddr_un(shift)) or exit 1;
    local $/;
    syswrite $engine, <STDIN>;
    my $said = "";
    while ($said !~ /errno=-?\d+\n\n$/) { sysread($engine, $said, 65_536, length $said) or exit 1 }
    print $said;
    exit($said !~ /errno=0\n\n$/);' "$SOCKETS/$1.sock" 2>/dev/null
}

# What an engine must be told to be as this one is: not what has happened to it, nor where devices connect from.
engine_state() {
  [ -S "$SOCKETS/$1.sock" ] || return
  printf 'get=1\n\n' | ask_engine "$1" |
    grep -vE '^(endpoint|last_handshake_time_n?sec|[rt]x_bytes|protocol_version|errno)=|^$'
}

# Makes a tunnel of AmneziaWG as it was. What a new one has by itself is not set: engines do not take all of it.
restore_engine() {
  local name=$1 file=$2 tries=0 fresh
  LOG_LEVEL=error setsid "$ENGINE" --foreground "$name" >/dev/null 2>&1 </dev/null &
  until fresh=$(engine_state "$name"); do
    [ $((tries += 1)) -le 50 ] || return
    sleep 0.1
  done
  { echo set=1; grep -vxF -f <(printf '%s\n' "$fresh") "$file"; echo; } | ask_engine "$name" >/dev/null
}

# Makes them again, the firewall first: no tunnel is ever up without it.
restore() {
  local from=$TUNNELS name names file address family
  [ -d "$from" ] || from=$TUNNELS.old
  names=$(find "$from" -name '*.conf' -o -name '*.engine' | sed -E 's|.*/||; s/\.(conf|engine)$//')
  [ -n "$names" ] || return 0
  mkdir -p /run/wireguard
  nft list table inet krug >/dev/null 2>&1 || nft -f "$from/table.nft" || return 1
  set_if /proc/sys/net/ipv4/ip_forward 1
  set_if /proc/sys/net/ipv4/conf/all/src_valid_mark 1
  if grep -q : "$from"/*.addresses; then
    for file in /proc/sys/net/ipv6/conf/*/accept_ra; do [ "$(cat "$file")" != 1 ] || set_if "$file" 2; done
    set_if /proc/sys/net/ipv6/conf/all/forwarding 1
  fi
  for family in -4 -6; do
    for name in $names; do
      ip $family rule show | grep -q "fwmark 0/$PASS_MARK iif $name " ||
        ip $family rule add pref 0 iif "$name" fwmark "0/$PASS_MARK" blackhole protocol kernel
    done
    # Of two rules with one priority the older wins: the kernel's own comes behind ours.
    ip $family rule add pref 1 lookup local protocol kernel
    ip $family rule del pref 0 lookup local
    ip $family rule add pref 0 lookup local protocol kernel
    ip $family rule del pref 1 lookup local
  done
  for name in $names; do
    [ ! -e "/sys/class/net/$name" ] || continue
    if [ -e "$from/$name.engine" ]; then
      restore_engine "$name" "$from/$name.engine" || continue
    else
      ip link add dev "$name" type wireguard 2>/dev/null || LOG_LEVEL=error wireguard-go "$name" >/dev/null 2>&1 || continue
      wg setconf "$name" "$from/$name.conf"
    fi
    ip link set dev "$name" mtu "$(cat "$from/$name.mtu")"
    ip link set dev "$name" up
    while read -r address; do ip address replace "$address" dev "$name"; done <"$from/$name.addresses"
  done
}

set_if() { [ "$(cat "$1" 2>/dev/null)" = "$2" ] || echo "$2" >"$1" 2>/dev/null || true; }

# Leaving ----------------------------------------------------------------------------------------------------------------

# Takes away what the panel put here, once its tunnels are gone. Packages that something else uses by now stay.
leave() {
  local account=$1 keys each ours
  nft delete table inet krug 2>/dev/null && say left firewall
  if [ -e "$UNIT" ]; then
    systemctl disable krug-tunnels.service >/dev/null 2>&1
    rm -f "$UNIT"
    systemctl daemon-reload
    say left unit
  fi
  mapfile -t ours < <(for each in $(sort -u "$STATE/packages" 2>/dev/null); do is_installed "$each" && echo "$each"; done)
  if [ ${#ours[@]} -gt 0 ]; then
    # What else would go needs one of them: then all of them stay.
    if [ "$(apt-get -s purge "${ours[@]}" 2>/dev/null | grep -c '^Purg ')" = ${#ours[@]} ] &&
      apt-get -q -y -o DPkg::Lock::Timeout=60 purge "${ours[@]}" >/dev/null 2>&1; then
      for each in "${ours[@]}"; do say left "$each"; done
    else
      for each in "${ours[@]}"; do say kept "$each"; done
    fi
  fi
  keys=$(getent passwd "$account" | cut -d: -f6)/.ssh/authorized_keys
  if grep -qE '^restrict ssh-ed25519 [^ ]+ krug$' "$keys" 2>/dev/null; then
    perl -0pi -e 's/\n?^restrict ssh-ed25519 [^ ]+ krug\n//mg' "$keys"
    [ -s "$keys" ] || { rm -f "$keys" && rmdir --ignore-fail-on-non-empty "$(dirname "$keys")"; }
    say left key
  fi
  if [ -e "$ENGINE" ]; then
    # An engine that was killed leaves its socket.
    for each in "$SOCKETS"/*.sock; do [ -e "/sys/class/net/$(basename "$each" .sock)" ] || rm -f "$each"; done
    rmdir --ignore-fail-on-non-empty "$SOCKETS" 2>/dev/null
  fi
  rm -rf /etc/sudoers.d/krug "$LIBRARY" "$STATE"
  say left programs
  say done
}

# ------------------------------------------------------------------------------------------------------------------------

mkdir -p "$STATE"
UUID='^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
case "$*" in
  'run '*)
    [[ $2 =~ $UUID && $3 =~ ^[0-9]{1,6}$ && $4 =~ ^(docker|wireguard)$ && $5 =~ ^[0-9]{1,12}$ && $# = 5 ]] || exit 2
    run "${@:2}"
    ;;
  'do '*) do_step "${@:2}" ;;
  'cancel '*)
    [[ $2 =~ $UUID && $# = 2 ]] || exit 2
    [ ! -d "$RUNS/$2" ] || : >"$RUNS/$2/cancel"
    ;;
  'leave '*)
    [[ $2 =~ ^[a-z_][a-z0-9_-]{0,31}$ && $# = 2 ]] || exit 2
    leave "$2"
    ;;
  keep) keep ;;
  restore) restore ;;
  *) exit 2 ;;
esac
