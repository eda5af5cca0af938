#!/bin/bash
# What the panel does on a VPN server besides the tunnels' daily work: set-up, saving the tunnels for a reboot, and leaving. It
# belongs to root, and runs only the verbs at the end. Lines for the panel start with '#krug'
# (features/vpn/server-setup/steps.ts).
set -u -o pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive
# With it set, programs would still use another language.
unset LANGUAGE
export NEEDRESTART_MODE=a APT_LISTCHANGES_FRONTEND=none
umask 077

LIBRARY=/usr/local/lib/krug
STATE=/var/lib/krug
RUNS=$STATE/runs
TUNNELS=$STATE/tunnels
RESOLVERS=/run/krug-resolver
UNIT=/etc/systemd/system/krug-tunnels.service
PASS_MARK=0x20000000
# Exists if systemd is the first process, also in a container.
BOOTED=/run/systemd/system
CONTAINED=/run/systemd/container
LOCK_WAIT_S=600
LOCK_LOOK_S=3
SOURCES=/etc/apt/sources.list.d
# The panel's engine, if installed; an older panel installed one only for AmneziaWG.
ENGINE=$LIBRARY/engine
[ -x "$ENGINE" ] || [ ! -x "$LIBRARY/amneziawg-go" ] || ENGINE=$LIBRARY/amneziawg-go
SOCKETS=/run/amneziawg
# container.sh

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

# Runs a step detached from the connection, and prints its lines from a given one on until it has ended.
run() {
  local id=$1 from=$2
  shift 2
  dir=$RUNS/$id
  mkdir -p "$RUNS"
  if mkdir "$dir" 2>/dev/null; then
    : >"$dir/log"
    setsid "$0" do "$id" "$@" >>"$dir/log" 2>&1 </dev/null &
    echo $! >"$dir/pid"
    # Old tries; with a wrong clock this one may look like the oldest.
    ls -1dt "$RUNS"/*/ | grep -vF "$id" | tail -n +10 | xargs -r rm -rf
  fi
  local pid tries=0
  until [ -s "$dir/pid" ] || [ $((tries += 1)) -gt 20 ]; do sleep 0.1; done
  pid=$(cat "$dir/pid" 2>/dev/null)
  if grep -q "$id" "/proc/$pid/cmdline" 2>/dev/null; then tail -n "+$from" -s 0.2 --pid="$pid" -f "$dir/log"
  else tail -n "+$from" "$dir/log"; fi
  tail -n 1 "$dir/log" 2>/dev/null | grep -q '^#krug \(done\|fail\)' && return
  # The step's output may have found no space.
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
  local panel_time=$1 place=$2
  preflight "$panel_time"
  if [ "$place" = docker ]; then install_docker; else say note docker_unneeded; fi
}

step_wireguard() {
  local panel_time=$1 place=$2 missing=() each own=(wireguard-tools)
  preflight "$panel_time"
  stage packages
  [ "$place" != docker ] || own=()
  for each in "${own[@]}" nftables iproute2 kmod dnsmasq-base; do is_installed "$each" || missing+=("$each"); done
  install_packages "${missing[@]}"
  stage tunnel
  if has_kernel_tunnels; then
    say note kernel_tunnels
  else
    say note userspace_tunnels
    can_open_tun || fail no_tun
  fi
  nft list tables >/dev/null 2>&1 || fail no_nftables "$(nft list tables 2>&1 | head -n 1)"
  if [ "$place" = docker ]; then
    docker_answers || fail docker_silent "$(docker_complaint)"
    refuse_foreign_container
    fetch_programs
    bring_container
  elif is_in_container; then
    stage leaving_container
    keep || fail no_space
    remove_container
    restore || fail no_tunnels
  fi
  stage boot
  keep_over_reboots
  [ "$place" != docker ] || keep_container_over_reboots
}

preflight() {
  local panel_time=$1 difference free
  stage preflight
  local ID= VERSION_ID= PRETTY_NAME=
  [ ! -r /etc/os-release ] || . /etc/os-release
  case "$ID ${VERSION_ID%%.*}" in
    'debian 12' | 'debian 13' | 'ubuntu 22' | 'ubuntu 24' | 'ubuntu 26') ;;
    *) fail unsupported_system "${PRETTY_NAME:-$(uname -s)}" ;;
  esac
  echo "$PRETTY_NAME, $(uname -m), Linux $(uname -r)"
  case "$(dpkg --print-architecture)" in
    amd64 | arm64) ;;
    *) fail unsupported_architecture "$(uname -m)" ;;
  esac
  [ -d "$BOOTED" ] || fail no_systemd "$(cat /proc/1/comm 2>/dev/null)"
  difference=$(($(date +%s) - panel_time))
  [ "${difference#-}" -lt 300 ] || fail wrong_clock "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  free=$(free_megabytes)
  [ "$free" -ge 300 ] || fail no_space "$free MB"
  [ "$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" -ge 200 ] || say note little_memory
  if [ "$(id -u)" != 0 ]; then
    # An account that is not root cannot load kernel modules; in a container nobody can.
    [ ! -e "$CONTAINED" ] || can_open_tun || [ -d /sys/module/wireguard ] || fail no_tun
    return
  fi
  can_tunnel || fail no_tun
  local foreign
  foreign=$(foreign_tunnels)
  [ -z "$foreign" ] || say note foreign_tunnels "$foreign"
}

free_megabytes() { df -Pk "$(nearest "$STATE")" | awk 'NR == 2 { print int($4 / 1024) }'; }

# The folder, or its nearest existing parent.
nearest() { [ -e "$1" ] && echo "$1" || nearest "$(dirname "$1")"; }

is_installed() { dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii'; }

# The machine can make tunnels: in its kernel, or with a program.
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
  type -P wg >/dev/null || return 0
  for name in $(wg show interfaces); do own_tunnels | grep -qx "$name" || printf '%s ' "$name"; done
}

# How apt and dpkg report that another program has the lock (apt 2.0-3.1, dpkg 1.19-1.23).
LOCKED='Could not get lock|[Uu]nable to (acquire|lock) |(is|was) locked by'
NO_ROOM='no space left|not enough free space|enough space'
NO_NAME='Temporary failure resolving|Could not resolve|Name or service not known|No address associated with hostname'
NO_WAY='Could not connect|Unable to connect|Cannot initiate the connection|Connection (refused|timed out|failed)|timed out|unreachable'

# Runs one package command at a time, which is never killed. Others may hold the lock: many machines update themselves at first
# start. Returns whether it succeeded; its output is in `last`.
try_packages() {
  local until=$((SECONDS + LOCK_WAIT_S)) told=
  while :; do
    [ ! -e "$dir/cancel" ] || fail cancelled
    "$@" 2>&1 | tee "$dir/last" && return
    if grep -qE "$LOCKED" "$dir/last"; then
      [ $SECONDS -lt $until ] || fail package_lock "$(lock_holder)"
      [ -n "$told" ] || say note waiting_for_lock "$(lock_holder)"
      told=yes
      sleep "$LOCK_LOOK_S"
      continue
    fi
    ! grep -qiE "$NO_ROOM" "$dir/last" || fail no_space "$(complaint)"
    return 1
  done
}

# The first error of a failed package command.
complaint() { grep -E '^(E|W|Err|Error|dpkg|dpkg: error): ' "$dir/last" | sort -s -k 1,1 | head -n 1 | cut -c 1-300; }

lock_holder() {
  local held pid
  held=$(sed -nE 's/.*held by process ([0-9]+ \([^)]*\)).*/\1/p' "$dir/last" | head -n 1)
  pid=$(sed -nE 's/.*(held by process|with pid) ([0-9]+).*/\2/p' "$dir/last" | head -n 1)
  if [ -n "$held" ] || [ -z "$pid" ]; then echo "$held"; else echo "$pid ($(cat "/proc/$pid/comm" 2>/dev/null))"; fi
}

apt() { apt-get -q "${apt_options[@]}" "$@"; }

# Unreadable sources are most likely somebody else's: whether our packages are available shows when they are installed.
install_packages() {
  [ $# -gt 0 ] || return 0
  local apt_options=(-o APT::Update::Error-Mode=any) broken
  rm -rf "$dir/update" "$dir/unreadable" "$dir/sources"
  try_packages dpkg --force-confold --force-confdef --configure -a || fail packages "$(complaint)"
  until try_packages apt update; do
    cp "$dir/last" "$dir/update"
    leave_out_unreadable || break
  done
  broken=$(broken_sources)
  stage installing "$@"
  # With their dependencies; before installing, so that a try that was killed is known to be ours.
  apt -s install --no-install-recommends "$@" 2>/dev/null | sed -nE 's/^Inst ([^ ]+) \(.*/\1/p' >>"$STATE/packages"
  if ! try_packages apt -y -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confold install --no-install-recommends "$@"; then
    why_no_packages "$broken"
  fi
  [ -z "$broken" ] || say note broken_sources "$broken"
}

# An unreadable file of sources keeps apt from everything. Returns whether there is one more to skip; the file is not changed.
leave_out_unreadable() {
  local file each
  file=$(grep -E '^(E|Error): ' "$dir/update" | grep -oE "$SOURCES/[A-Za-z0-9_.-]+\.(list|sources)" | head -n 1)
  [ -n "$file" ] && grep -qE 'list of sources could not be read|Conflicting values set for option' "$dir/update" || return
  if [ ! -d "$dir/sources" ]; then
    mkdir "$dir/sources"
    for each in "$SOURCES"/*; do ln -s "$each" "$dir/sources/"; done
    apt_options+=(-o "Dir::Etc::SourceParts=$dir/sources" -o APT::Get::List-Cleanup=0)
  fi
  rm "$dir/sources/${file##*/}" 2>/dev/null || return
  echo "$file" >>"$dir/unreadable"
}

# Sources for which the last update found nothing to read, by address or by file.
broken_sources() {
  {
    cat "$dir/unreadable" 2>/dev/null
    [ ! -e "$dir/update" ] ||
      sed -nE "s/^(E|W|Error|Warning|Err): *(Failed to fetch|The repository|GPG error:) *'?([a-z+]+:[^ ']+).*/\3/p" "$dir/update" |
      sed -E 's|/dists/.*||'
  } | sort -u | head -n 5 | paste -sd ' ' | cut -c 1-300
}

# Ends a step whose packages were unavailable, with the reason.
why_no_packages() {
  local broken=$1 said="$dir/last"
  if ! grep -qE '^(E|Error): (Unable to locate package|Package .* has no installation candidate|Failed to fetch|Unable to fetch|The list of sources could not be read)' "$said"; then
    fail packages "$(complaint)"
  fi
  [ ! -e "$dir/update" ] || said="$dir/update"
  ! grep -qE "$NO_NAME" "$said" || fail no_names "$(grep -m 1 -E "$NO_NAME" "$said" | cut -c 1-300)"
  ! grep -qE "$NO_WAY" "$said" || fail no_network "$(grep -m 1 -E "$NO_WAY" "$said" | cut -c 1-300)"
  fail broken_source "${broken:-$(complaint)}"
}

# Its text comes on stdin.
put_unit() {
  (umask 022 && cat >"$1")
  systemctl daemon-reload
  systemctl enable --quiet "${1##*/}" 2>&1
}

keep_over_reboots() {
  put_unit "$UNIT" <<UNIT
[Unit]
Description=Tunnels of the VPN club, as its panel left them
After=network-pre.target
Before=network.target docker.service
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
}

# Tunnels over a reboot --------------------------------------------------------------------------------------------------

# Each of the panel's tunnels has a routing rule that guards it (hosts/routing-guard.ts).
own_tunnels() {
  { ip -4 rule show; ip -6 rule show; } 2>/dev/null |
    sed -nE "s|.* fwmark 0/$PASS_MARK iif ([A-Za-z0-9_][A-Za-z0-9_.-]{0,14}) .*|\1|p" | sort -u
}

wg() { if is_in_container; then in_tunnels wg "$@"; else command wg "$@"; fi; }

# Saves the tunnels as they are: all of them, or the previous save stays. Where devices connect from is not saved.
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

# Fails if there is no space for it.
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
      # Its program has died or is starting: the previous save stays.
      for each in conf engine addresses mtu; do
        [ ! -e "$TUNNELS/$name.$each" ] || cp -p "$TUNNELS/$name.$each" "$new/" || return
      done
    fi
  done
  # With what tells them apart, which the panel looks at.
  for each in "$RESOLVERS"/[1-9]*/conf; do
    [ ! -e "$each" ] || { echo "# $(cat "${each%/conf}/is")" && cat "$each"; } >"$new/$(basename "${each%/conf}").resolver" || return
  done
  sync "$new"/*
}

# Sends stdin to a tunnel's engine. `wg` does not know these commands.
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

# What sets an engine to this one's state, without its history or where devices connect from.
engine_state() {
  [ -S "$SOCKETS/$1.sock" ] || return
  printf 'get=1\n\n' | ask_engine "$1" |
    grep -vE '^(endpoint|last_handshake_time_n?sec|[rt]x_bytes|protocol_version|errno)=|^$'
}

# Instead of a background shell: a separate session, which the container does not need. It outlives the step that starts it, whose
# locks it would otherwise hold.
apart() { if is_inside; then exec "$@" 8>&- 9>&-; else exec setsid "$@" 8>&- 9>&-; fi; }

# Restores an AmneziaWG tunnel. Defaults are not set, because engines do not accept all of them.
restore_engine() {
  local name=$1 file=$2 tries=0 fresh
  LOG_LEVEL=error apart "$ENGINE" --foreground "$name" >/dev/null 2>&1 </dev/null &
  until fresh=$(engine_state "$name"); do
    [ $((tries += 1)) -le 50 ] || return
    sleep 0.1
  done
  { echo set=1; grep -vxF -f <(printf '%s\n' "$fresh") "$file"; echo; } | ask_engine "$name" >/dev/null
}

# A plain tunnel if the kernel has none: by the panel's engine, otherwise the system's.
start_userspace() {
  local name=$1 tries=0
  if [ -x "$LIBRARY/engine" ]; then
    LOG_LEVEL=error apart "$LIBRARY/engine" --foreground --type wireguard "$name" >/dev/null 2>&1 </dev/null &
  else
    LOG_LEVEL=error wireguard-go "$name" >/dev/null 2>&1 || return
  fi
  until wg show "$name" >/dev/null 2>&1; do
    [ $((tries += 1)) -le 50 ] || return
    sleep 0.1
  done
}

# Restores the tunnels, the firewall first: no tunnel is ever up without it. Those in a container are restored in there.
restore() {
  if is_inside; then
    [ -e "$GUARDED" ] && make_tunnels
  else
    guard && { is_in_container || make_tunnels; } && resolve_names
  fi
}

# The folder with the saved tunnels.
written() { if [ -d "$TUNNELS" ]; then echo "$TUNNELS"; else echo "$TUNNELS.old"; fi; }
written_names() { find "$(written)" -name '*.conf' -o -name '*.engine' 2>/dev/null | sed -E 's|.*/||; s/\.(conf|engine)$//'; }

# The firewall, the kernel's switches and the routing rules, without which no tunnel may exist.
guard() {
  local from names name file family
  from=$(written)
  names=$(written_names)
  ! is_in_container || make_meeting
  if [ -n "$names" ]; then
    nft list table inet krug >/dev/null 2>&1 || nft -f "$from/table.nft" || return
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
      # If two rules have the same priority the older wins: the kernel's own comes after ours.
      ip $family rule add pref 1 lookup local protocol kernel
      ip $family rule del pref 0 lookup local
      ip $family rule add pref 0 lookup local protocol kernel
      ip $family rule del pref 1 lookup local
    done
  fi
  ! is_in_container || : >"$GUARDED"
}

make_tunnels() {
  local from name address
  from=$(written)
  mkdir -p /run/wireguard
  for name in $(written_names); do
    [ ! -e "/sys/class/net/$name" ] || continue
    if [ -e "$from/$name.engine" ]; then
      restore_engine "$name" "$from/$name.engine" || continue
    else
      ip link add dev "$name" type wireguard 2>/dev/null || start_userspace "$name" || continue
      wg setconf "$name" "$from/$name.conf"
    fi
    ip link set dev "$name" mtu "$(cat "$from/$name.mtu")"
    ip link set dev "$name" up
    while read -r address; do ip address replace "$address" dev "$name"; done <"$from/$name.addresses"
  done
}

# Names are answered again with the tunnels' addresses, and only with the firewall's sets.
resolve_names() {
  local file
  for file in "$(written)"/*.resolver; do
    [ ! -e "$file" ] || "$LIBRARY/resolver" again "$(basename "$file" .resolver)" "$file" || true
  done
}

set_if() { [ "$(cat "$1" 2>/dev/null)" = "$2" ] || echo "$2" >"$1" 2>/dev/null || true; }

# Leaving ----------------------------------------------------------------------------------------------------------------

# Removes what the panel installed here, once its tunnels are gone. Packages that something else now uses stay.
leave() {
  local account=$1 keys each ours family
  for each in $(own_tunnels); do
    ! ip link delete dev "$each" 2>/dev/null || say left tunnel
    for family in -4 -6; do ip $family rule del pref 0 iif "$each" fwmark "0/$PASS_MARK" 2>/dev/null; done
  done
  nft delete table inet krug 2>/dev/null && say left firewall
  for each in "$RESOLVERS"/[1-9]*; do [ ! -e "$each/conf" ] || "$LIBRARY/resolver" end "$(basename "$each")"; done
  if [ -e "$UNIT" ]; then
    systemctl disable krug-tunnels.service >/dev/null 2>&1
    rm -f "$UNIT"
    systemctl daemon-reload
    say left unit
  fi
  if is_in_container; then
    remove_container
    say left container
  fi
  mapfile -t ours < <(for each in $(sort -u "$STATE/packages" 2>/dev/null); do is_installed "$each" && echo "$each"; done)
  # While Docker stays, its dependencies cannot be removed either.
  if is_docker_ours && docker_has_others; then
    mapfile -t ours < <(printf '%s\n' "${ours[@]}" | grep -vxE 'docker\.io|docker-cli')
    say kept docker.io
  fi
  if [ ${#ours[@]} -gt 0 ]; then
    # If removing them would remove anything else, all of them stay.
    if [ "$(apt-get -s purge "${ours[@]}" 2>/dev/null | grep -c '^Purg ')" = ${#ours[@]} ] &&
      apt-get -q -y -o DPkg::Lock::Timeout=60 purge "${ours[@]}" >/dev/null 2>&1; then
      for each in "${ours[@]}"; do say left "$each"; done
      ! is_docker_ours || is_installed docker.io || remove_docker_files
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
    # A killed engine leaves its socket.
    for each in "$SOCKETS"/*.sock /run/wireguard/*.sock; do [ -e "/sys/class/net/$(basename "$each" .sock)" ] || rm -f "$each"; done
    rmdir --ignore-fail-on-non-empty "$SOCKETS" /run/wireguard 2>/dev/null
  fi
  rm -rf /etc/sudoers.d/krug "$LIBRARY" "$STATE" "$MEETING"
  say left programs
  say done
}

# ------------------------------------------------------------------------------------------------------------------------

UUID='^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
case "$*" in
  'run '*)
    [[ $2 =~ $UUID && $3 =~ ^[0-9]{1,6}$ && $4 =~ ^(docker|wireguard)$ && $5 =~ ^[0-9]{1,12}$ && $6 =~ ^(docker|system)$ && $# = 6 ]] || exit 2
    mkdir -p "$STATE"
    run "${@:2}"
    ;;
  'look '*)
    [[ $2 =~ ^[0-9]{1,12}$ && $# = 2 ]] || exit 2
    preflight "$2"
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
  keep)
    mkdir -p "$STATE"
    keep
    ;;
  container) verb_container ;;
  restore) restore ;;
  *) exit 2 ;;
esac
