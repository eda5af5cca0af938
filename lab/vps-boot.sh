# Starts a lab server in its own namespaces. Arguments: the base system, the server's disk, its cgroup, `tun` or
# `no-tun`, and the program that starts its first process.
set -e
base=$1 disk=$2 group=$3 tun=$4

if [ "$$" != 1 ]; then
  # cgroup2 can be mounted anywhere, and a machine may have it next to the older kind or instead of it.
  mkdir -p /run/cgroup
  mountpoint -q /run/cgroup || mount -t cgroup2 cgroup2 /run/cgroup
  # Groups of runs that were killed. One in use cannot be removed.
  find /run/cgroup/krug-vps-* -depth -type d -exec rmdir {} + 2>/dev/null || true
  until mkdir -p "/run/cgroup/$group" && echo $$ 2>/dev/null > "/run/cgroup/$group/cgroup.procs"; do :; done
  exec unshare --net --mount --pid --uts --ipc --cgroup --fork --kill-child bash "$0" "$@"
fi

mkdir -p "$disk/upper" "$disk/work" "$disk/docker" "$disk/root"
mount -t overlay overlay -o "lowerdir=$base,upperdir=$disk/upper,workdir=$disk/work" "$disk/root"
cd "$disk/root"
# Docker cannot lay its own overlay over an overlay.
mkdir -p var/lib/docker
mount --bind "$disk/docker" var/lib/docker

# Of the machine that runs the lab, by the same paths.
IFS=: read -ra lent <<< "${LENT:-}"
for path in "${lent[@]}"; do
  if [ -d "$path" ]; then mkdir -p ".$path"; else mkdir -p ".${path%/*}" && touch ".$path"; fi
  mount --bind "$path" ".$path"
  mount -o remount,bind,ro ".$path"
done

hostname vps
mount -t proc proc proc
# Except for the network, kernel settings are those of the machine that runs the lab.
mount --bind proc/sys proc/sys
mount --bind proc/sys/net proc/sys/net
mount -o remount,bind,ro proc/sys
[ ! -e proc/sysrq-trigger ] || mount --bind /dev/null proc/sysrq-trigger
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm dev/net
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
for device in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" "tty 5 0" "net/tun 10 200"; do
  read -r name major minor <<< "$device"
  [ "$name $tun" = "net/tun no-tun" ] || mknod -m 666 "dev/$name" c "$major" "$minor"
done
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for number in 0 1 2; do ln -s "fd/$number" "dev/$(echo stdin stdout stderr | cut -d' ' -f$((number + 1)))"; done

[ -f etc/ssh/ssh_host_ed25519_key ] || chroot . ssh-keygen -q -A
ip link set lo up
mkdir run/before
pivot_root . run/before
umount -l /run/before
rmdir /run/before
exec env -i container=lab PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  "${@:5}" /lib/systemd/systemd < /dev/null
