#!/bin/sh
# Runs dnsmasq for the panel (hosts/resolver.ts), and restarts it whenever it ends, whether or not the panel runs. It belongs to root.
#   bring SLOT MARK  with the config on stdin, instead of the one that this slot has
#   end SLOT
#   again SLOT FILE  after a reboot, with a config that was kept
set -u
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
umask 022

UP_WITHIN=50 # tenths of a second

# Its watcher holds the lock as long as it lives: no other process is ever taken for it. One that was killed leaves its dnsmasq.
end() {
  tries=0
  [ -e "$place/lock" ] || return 0
  until flock -n "$place/lock" true; do
    [ "$tries" -lt 50 ] || return 1
    kill -TERM "$(cat "$place/watcher")" 2>/dev/null
    tries=$((tries + 1))
    sleep 0.1
  done
  left=$(cat "$place/pid" 2>/dev/null)
  ! grep -q "$place/conf" "/proc/${left:-none}/cmdline" 2>/dev/null || kill -TERM "$left"
  rm -rf "$place"
}

# With the right to change the firewall's sets and no other. Under systemd or in a container, root has few rights anyway, and
# cannot become anybody else.
account() {
  rights=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
  if [ $((0x$rights & 0xc0)) = 192 ]; then echo --user=dnsmasq; else echo --user=root --group=; fi
}

watch() {
  exec 9>"$place/lock"
  flock -n 9 || exit 1
  echo $$ >"$place/watcher"
  child=
  trap 'kill "$child" 2>/dev/null; wait "$child"; exit 0' TERM
  while [ -e "$place/conf" ]; do
    # shellcheck disable=SC2046
    dnsmasq --keep-in-foreground $(account) --conf-file="$place/conf" --pid-file="$place/pid" 9>&- 2>"$place/said" &
    child=$!
    wait "$child"
    sleep 0.5 9>&- &
    child=$!
    wait "$child"
  done
}

start() {
  mkdir -p "${place%/*}"
  cat >"$place.new" || exit
  dnsmasq --test --conf-file="$place.new" >"$place.said" 2>&1 || fail "$place.said"
  rm -f "$place.said"
  end || exit
  mkdir "$place" && mv "$place.new" "$place/conf" || exit
  setsid sh "$0" watch "$slot" </dev/null >/dev/null 2>&1 &
}

bring() {
  start
  tries=0
  # It writes that file once it listens.
  until [ -s "$place/pid" ]; do
    if [ "$tries" -ge "$UP_WITHIN" ]; then
      said=$(cat "$place/said")
      end
      printf '%s\n' "$said" >&2
      exit 1
    fi
    tries=$((tries + 1))
    sleep 0.1
  done
  echo "$mark" >"$place/is"
}

fail() {
  cat "$1" >&2
  rm -f "$1" "$place.new"
  exit 1
}

slot=${2:-}
mark=${3:-}
place=/run/krug-resolver/$slot
case "$slot" in
  [1-9] | [1-9][0-9]) ;;
  *) exit 2 ;;
esac
case "${1:-} $#" in
  'bring 3') bring ;;
  'end 2') end ;;
  'watch 2') watch ;;
  'again 3')
    # Its tunnel's address may come later: it is tried until it listens.
    sed 1d "$3" | start
    sed -n '1s/^# //p' "$3" >"$place/is"
    ;;
  *) exit 2 ;;
esac
exit
