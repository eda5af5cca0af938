# Tunnels in a container (docs/adr/0096-tunnels-in-a-container.md): inserted into setup.sh where its name is.

CONTAINER=krug-tunnels
LABEL=club.krug.tunnels
# Marks that tunnels are in the container: the helper checks this too.
CHOSEN=$STATE/in-container
# The socket to the container, and the mark that the firewall is loaded. Both are gone after a reboot.
MEETING=/run/krug
DOOR=$MEETING/tunnels.sock
GUARDED=$MEETING/guarded
MATERIAL=$STATE/image
CONTAINER_UNIT=/etc/systemd/system/krug-container.service
DAEMON_FILE=/etc/docker/daemon.json
DAEMON_SETTINGS='{ "iptables": false, "ip6tables": false, "bridge": "none", "live-restore": true }'
DOCKER_MEGABYTES=900
IMAGE_MEGABYTES=200
# What the tunnels are restored with; the others are not wanted on the machine itself.
SYSTEM_PROGRAMS=(base-files libc-bin bash coreutils sed grep findutils perl-base iproute2)
TUNNEL_PROGRAMS=(wireguard-tools)

is_inside() { [ -n "${KRUG_INSIDE:-}" ]; }
is_in_container() { ! is_inside && [ -e "$CHOSEN" ]; }

# Docker -----------------------------------------------------------------------------------------------------------------

install_docker() {
  local free tries=0
  stage docker
  has_overlay || fail no_overlay "$(uname -r)"
  if { type -P docker || type -P dockerd || [ -e /snap/bin/docker ]; } >/dev/null && ! is_docker_ours; then
    say note docker_there
  else
    free=$(free_megabytes)
    is_installed docker.io || [ "$free" -ge $DOCKER_MEGABYTES ] || fail no_space_docker "$free MB"
    # Before its first start: it then opens no port and changes no rule. It coexists with other firewalls.
    [ -e "$DAEMON_FILE" ] || (umask 022 && mkdir -p "${DAEMON_FILE%/*}" && printf '%s\n' "$DAEMON_SETTINGS" >"$DAEMON_FILE")
    is_installed docker.io || install_packages docker.io
    # Debian 13 has it in a separate package.
    command -v docker >/dev/null || install_packages docker-cli
    systemctl enable --quiet docker.service
    systemctl start docker.service || fail docker_silent "$(docker_complaint)"
  fi
  until docker_answers; do
    [ $((tries += 1)) -le 30 ] || fail docker_silent "$(docker_complaint)"
    sleep 1
  done
  # Each container would be a copy of the whole image.
  [ "$(docker info --format '{{.Driver}}')" != vfs ] || fail no_overlay vfs
}

has_overlay() { grep -qw overlay /proc/filesystems || { modprobe overlay && grep -qw overlay /proc/filesystems; } 2>/dev/null; }
is_docker_ours() { grep -qxF docker.io "$STATE/packages" 2>/dev/null; }
docker_answers() { timeout 20 docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }
docker_complaint() {
  journalctl -q -u docker.service -o cat -n 50 2>/dev/null | grep -iE 'failed|error' | grep -v 'systemd' | tail -n 1 | cut -c 1-300
}

# The image --------------------------------------------------------------------------------------------------------------

# Programs that the machine itself does not need are downloaded without installing them.
fetch_programs() {
  local each apt_options=()
  mkdir -p "$MATERIAL"
  cd "$MATERIAL" || fail no_space
  for each in "${TUNNEL_PROGRAMS[@]}"; do
    ! is_installed "$each" || continue
    rm -f "$each"_*.deb
    try_packages apt -o APT::Sandbox::User=root download "$each" && continue
    # Nothing was missing on the machine itself, and its package lists may be old.
    try_packages apt update
    try_packages apt -o APT::Sandbox::User=root download "$each" || why_no_packages ""
  done
  cd /
}

# A line for each package of the image, `name version`: these and their dependencies, as on this machine.
image_packages() {
  {
    dpkg-query -W -f '${db:Status-Abbrev}\t${Package}\t${Architecture}\t${Version}\t${Pre-Depends}, ${Depends}\t${Provides}\n'
    for each in "$MATERIAL"/*.deb; do
      [ ! -e "$each" ] || dpkg-deb -W --showformat='ii \t${Package}\t${Architecture}\t${Version}\t${Pre-Depends}, ${Depends}\t${Provides}\n' "$each"
    done
  } | perl -e '
    my ($architecture, @wanted) = @ARGV;
    my %found;
    while (<STDIN>) {
      chomp;
      my ($status, $name, $of, $version, $needs, $provides) = split /\t/;
      next unless $status =~ /^ii/ && ($of eq $architecture || $of eq "all");
      $found{$name} = [$name, $version, $needs];
      for (split /, */, $provides // "") { $found{$1} //= [$name, $version, $needs] if /^([a-z0-9.+-]+)/ }
    }
    my %taken;
    while (defined(my $name = shift @wanted)) {
      my $package = $found{$name} or die "no $name\n";
      next if $taken{ $package->[0] };
      $taken{ $package->[0] } = $package->[1];
      for (split /, */, $package->[2]) {
        my ($first) = grep { $found{$_} } map { /^ *([a-z0-9.+-]+)/ ? $1 : () } split /\|/;
        push @wanted, $first if defined $first;
      }
    }
    print "$_ $taken{$_}\n" for sort keys %taken;
  ' "$(dpkg --print-architecture)" "${SYSTEM_PROGRAMS[@]}" "${TUNNEL_PROGRAMS[@]}"
}

# Sets `image` to a name derived from its contents, and builds it if it does not exist yet.
make_image() {
  local packages each root=$MATERIAL/root said
  packages=$(image_packages 2>&1) || fail image "$packages"
  image=$CONTAINER:$(printf '%s\n' "$packages" | sha256sum | cut -c 1-16)
  ! docker image inspect "$image" >/dev/null 2>&1 || return 0
  [ "$(free_megabytes)" -ge $IMAGE_MEGABYTES ] || fail no_space "$(free_megabytes) MB"
  stage image
  rm -rf "$root"
  (
    umask 022
    mkdir -p "$root"/{proc,sys,dev,run,tmp,etc,usr/bin,var/lib/krug}
    ln -s /run "$root/var/run"
    # Before the paths below them.
    for each in bin sbin lib lib32 lib64 libx32; do
      [ ! -L "/$each" ] || { mkdir -p "$root/usr/$each" && ln -s "usr/$each" "$root/$each"; }
    done
    for each in "$MATERIAL"/*.deb; do
      [ ! -e "$each" ] || dpkg-deb --fsys-tarfile "$each" | tar -x -C "$root" ./usr/bin
    done
  ) || fail no_space
  # No path may appear twice.
  image_files "$packages" | grep -vxF -f <(find "$root" -mindepth 1 -printf '%P\n') >"$MATERIAL/files"
  said=$({ tar -c -C "$root" . -C / --no-recursion --ignore-failed-read -T "$MATERIAL/files" 2>/dev/null |
    docker import --change "LABEL $LABEL=image" - "$image"; } 2>&1) || {
    ! grep -qi 'no space left' <<<"$said" || fail no_space
    fail image "$(tail -n 1 <<<"$said" | cut -c 1-300)"
  }
  rm -rf "$root" "$MATERIAL/files"
  echo "$image: $(wc -l <<<"$packages") packages, $(docker image inspect --format '{{.Size}}' "$image") bytes"
}

# Paths without the first slash, as on a system whose /bin is a link; only those that the machine has.
image_files() {
  local name
  while read -r name _; do
    ! is_installed "$name" || dpkg -L "$name"
  done <<<"$1" |
    grep -E '^/[^/.]' |
    { if [ -L /bin ]; then sed -E 's,^/(s?bin|lib(32|64|x32)?)/,/usr/\1/,'; else cat; fi; } |
    grep -vE '^/((s?bin|lib(32|64|x32)?|var/run|proc|sys|dev|run|tmp)$|usr/share/(doc|man|info|locale|lintian|bug|bash-completion)(/|$))' |
    sort -u | sed 's,^/,,'
}

# The container ----------------------------------------------------------------------------------------------------------

# Runs the container, built from the current packages; running tunnels stay or are restored.
bring_container() {
  local image tries=0 said
  refuse_foreign_container
  make_image
  if ! is_running_by "$image"; then
    stage container
    [ ! -d "$TUNNELS" ] && [ -z "$(own_tunnels)" ] || keep || fail no_space
    : >"$CHOSEN"
    end_own_engines
    guard || fail no_nftables
    docker rm --force "$CONTAINER" >/dev/null 2>&1
    said=$(run_container "$image" 2>&1) || fail container "$(tail -n 1 <<<"$said" | cut -c 1-300)"
    remove_images "$image"
  fi
  : >"$CHOSEN"
  until in_tunnels wg --version >/dev/null 2>&1; do
    [ $((tries += 1)) -le 100 ] || fail container "$(docker logs --tail 1 "$CONTAINER" 2>&1 | cut -c 1-300)"
    sleep 0.2
  done
}

refuse_foreign_container() {
  local label
  label=$(docker container inspect --format "{{index .Config.Labels \"$LABEL\"}}" "$CONTAINER" 2>/dev/null) || return 0
  [ -n "$label" ] || fail foreign_container "$CONTAINER"
}

is_running_by() {
  [ "$(docker container inspect --format '{{.State.Running}} {{.Config.Image}}' "$CONTAINER" 2>/dev/null)" = "true $1" ]
}

run_container() {
  local tun=()
  make_meeting
  [ ! -c /dev/net/tun ] || tun=(--device /dev/net/tun)
  docker volume create --driver local --label "$LABEL=state" --opt type=none --opt o=bind --opt "device=$STATE" "$CONTAINER" >/dev/null &&
    docker run --detach --pull never --name "$CONTAINER" --label "$LABEL=container" --restart unless-stopped \
      --network host --userns host --cap-drop ALL --cap-add NET_ADMIN "${tun[@]}" --security-opt no-new-privileges --read-only \
      --log-opt max-size=1m --env KRUG_INSIDE=1 --env PATH="$PATH" \
      --volume "$CONTAINER:$STATE:ro" --volume "$LIBRARY:$LIBRARY:ro" --volume "$MEETING:$MEETING" \
      --volume /run/wireguard:/run/wireguard --volume "$SOCKETS:$SOCKETS" \
      "$1" "$LIBRARY/container"
}

# What container and machine share; emptied by a reboot.
make_meeting() { mkdir -p "$MEETING" /run/wireguard "$SOCKETS"; }

# Engines outside the container end with their interfaces. The kernel's tunnels stay as they are.
end_own_engines() {
  local name
  for name in $(own_tunnels); do
    [ ! -S "/run/wireguard/$name.sock" ] && [ ! -S "$SOCKETS/$name.sock" ] || ip link delete "$name" 2>/dev/null
  done
}

remove_images() {
  local each
  for each in $(docker images --format '{{.Repository}}:{{.Tag}}' "$CONTAINER"); do
    [ "$each" = "${1:-}" ] || docker image rm --force "$each" >/dev/null 2>&1
  done
}

# Removes everything of ours in Docker, but not Docker.
remove_container() {
  docker container inspect "$CONTAINER" >/dev/null 2>&1 && docker rm --force "$CONTAINER" >/dev/null 2>&1
  docker volume rm "$CONTAINER" >/dev/null 2>&1
  remove_images
  systemctl disable --quiet krug-container.service 2>/dev/null
  rm -rf "$CONTAINER_UNIT" "$CHOSEN" "$MATERIAL"
  systemctl daemon-reload
}

# Whether somebody else has started to use our Docker; if it does not answer, assume so.
docker_has_others() { ! docker_answers || [ -n "$(docker ps --all --quiet; docker image ls --quiet; docker volume ls --quiet)" ]; }

# What our Docker leaves when its packages are removed.
remove_docker_files() {
  [ "$(cat "$DAEMON_FILE" 2>/dev/null)" != "$DAEMON_SETTINGS" ] || rm -f "$DAEMON_FILE"
  rm -f /etc/docker/key.json
  rmdir --ignore-fail-on-non-empty /etc/docker 2>/dev/null
  # It may be a separate disk.
  rm -rf /var/lib/docker /var/lib/containerd 2>/dev/null
}

# Runs a program in the container; fails if that does not run. The process that listens on the socket is its first.
in_tunnels() {
  local pid
  pid=$(perl -MSocket -e '
    socket(D, PF_UNIX, SOCK_STREAM, 0) && connect(D, pack_sockaddr_un(shift)) or exit 1;
    print unpack "l", getsockopt(D, SOL_SOCKET, SO_PEERCRED)' "$DOOR" 2>/dev/null) || return
  nsenter --target "$pid" --mount --pid -- "$@"
}

# If it is gone or built from older packages, it is rebuilt: at boot, and when the helper finds none.
verb_container() {
  local tries=0
  is_in_container || return 0
  exec 9>"$STATE/lock"
  flock 9
  until docker_answers; do
    [ $((tries += 1)) -le 60 ] || fail docker_silent
    sleep 1
  done
  bring_container
}

keep_container_over_reboots() {
  put_unit "$CONTAINER_UNIT" <<UNIT
[Unit]
Description=The container with the VPN club's tunnels
After=docker.service krug-tunnels.service
Wants=docker.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=$LIBRARY/setup container

[Install]
WantedBy=multi-user.target
UNIT
}
