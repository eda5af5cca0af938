# Finds other VPN programs on a machine, stops one and starts it again. Run by root, with its verb and names as arguments.
# A line of `look` is a word and fields, separated by tabs; a file's content is in base64.
export LC_ALL=C PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin:/snap/bin"
MOST_BYTES=3145728
MOST_BESIDE=2000
# Of a device's file, and of a folder in a container.
MOST_BESIDE_BYTES=65536
MOST_FOLDER_BYTES=33554432

line() { printf '%s' "$1"; shift; printf '\t%s' "$@"; printf '\n'; }

# Unless it is empty, or too large to be any of these.
file() {
  [ -f "$2" ] && [ -s "$2" ] && [ "$(wc -c < "$2")" -le "${3:-$MOST_BYTES}" ] || return 0
  line "$1" "${4:-$2}" "$(base64 -w0 < "$2")"
}

is_up() { ip link show dev "$1" > /dev/null 2>&1; }

look_quick() {
  for path in "$2"/*.conf; do
    [ -f "$path" ] || continue
    name=${path##*/}
    name=${name%.conf}
    enabled=$(systemctl is-enabled "$1@$name" 2> /dev/null) || true
    is_up "$name" && running=yes || running=no
    line quick "$1" "$name" "${enabled:-no}" "$running"
    file file "$path"
  done
}

# What PiVPN, scripts and panels keep beside the interface's own file, with names and devices' keys.
look_beside() {
  count=0
  for path in /etc/wireguard/configs/*.conf /etc/wireguard/configs/clients.txt /etc/wireguard/keys/*_priv /root/*.conf \
    /{root,opt,etc,var/lib}/wireguard-ui/db/{server,clients}/*.json \
    /{root,opt}/{WGDashboard,wgdashboard}/src/db/wgdashboard{,_job}.db{,-wal}; do
    [ -f "$path" ] && [ "$count" -lt "$MOST_BESIDE" ] || continue
    count=$((count + 1))
    case "$path" in *.db | *.db-wal | */clients.txt) file beside "$path" ;; *) file beside "$path" "$MOST_BESIDE_BYTES" ;; esac
  done
}

# From a container's volumes or its own disk, whether it runs or not.
copied() {
  copy=$(mktemp)
  docker cp -L "$1:$2" - 2> /dev/null | tar -xO 2> /dev/null | head -c $((MOST_BYTES + 1)) > "$copy" || true
  if [ -s "$copy" ] && [ "$(wc -c < "$copy")" -le "$MOST_BYTES" ]; then line file "$2" "$(base64 -w0 < "$copy")"; fi
  rm -f "$copy"
}

# A folder's files of one kind; links lead out of the copy, so none is followed.
copied_folder() {
  copy=$(mktemp -d)
  docker cp "$1:$2" - 2> /dev/null | head -c "$MOST_FOLDER_BYTES" | tar -x --no-same-owner -C "$copy" 2> /dev/null || true
  find "$copy" -type f -name "$3" 2> /dev/null | head -n "$MOST_BESIDE" | while IFS= read -r path; do
    file file "$path" "$MOST_BESIDE_BYTES" "$(dirname "$2")${path#"$copy"}"
  done
  rm -rf "$copy"
}

CONTAINER='{{if or .HostConfig.Privileged .HostConfig.CapAdd}}yes{{else}}no{{end}}	{{.Name}}	{{.State.Running}}	{{.HostConfig.RestartPolicy.Name}}:{{.HostConfig.RestartPolicy.MaximumRetryCount}}	{{.HostConfig.AutoRemove}}	{{range $port, $to := .HostConfig.PortBindings}}{{range $to}}{{$port}}={{.HostPort}} {{end}}{{end}}'

look_containers() {
  command -v docker > /dev/null || return 0
  for id in $(docker ps -aq 2> /dev/null); do
    IFS='	' read -r may name running policy removed ports <<< "$(docker inspect --format "$CONTAINER" "$id")"
    # No tunnel runs in one without rights over the network.
    [ "$may" = yes ] || continue
    environment=$(docker inspect --format '{{range .Config.Env}}{{println .}}{{end}}' "$id" | grep -E '^(WG_PORT|EXPERIMENTAL_AWG)=' | tr '\n' ' ') || true
    line container "${name#/}" "$running" "$policy" "$removed" "${ports:--}" "${environment:--}"
    case "$name" in
      /amnezia-*) for path in /opt/amnezia/{awg,wireguard}/{wg0.conf,awg0.conf,clientsTable}; do copied "$id" "$path"; done ;;
      *) for path in /etc/wireguard/{wg0.json,wg-easy.db,wg-easy.db-wal,wg0.conf} /data/db/wgdashboard{,_job}.db{,-wal}; do copied "$id" "$path"; done
        for path in /app/db/{server,clients}; do copied_folder "$id" "$path" '*.json'; done ;;
    esac
  done
}

stop_container() {
  docker update --restart=no "$1" > /dev/null
  docker stop --time 30 "$1" > /dev/null
}

start_container() {
  docker update --restart="$2" "$1" > /dev/null
  [ "$3" = yes ] || return 0
  docker start "$1" > /dev/null
  # A program that cannot start ends at once.
  sleep 2
  [ "$(docker inspect --format '{{.State.Running}}' "$1")" = true ]
}

retire_quick() {
  if [ "$3" = enabled ]; then systemctl disable "$1@$2" > /dev/null 2>&1; fi
}

start_quick() {
  if [ "$3" = enabled ]; then systemctl enable "$1@$2" > /dev/null 2>&1; fi
  [ "$4" = yes ] && ! is_up "$2" || return 0
  if [ "$3" = enabled ]; then systemctl restart "$1@$2"; else "$1" up "$2" > /dev/null; fi
}

moving() {
  verb=$1
  shift
  case "$verb" in
    look)
      look_containers
      look_quick wg-quick /etc/wireguard
      look_quick awg-quick /etc/amnezia/amneziawg
      look_beside
      ;;
    *) "$verb" "$@" ;;
  esac
}
