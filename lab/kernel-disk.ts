import { execFile } from "node:child_process";
import { copyFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { HOST_ADDRESS, HOST_SECOND_ADDRESS } from "./network.ts";
import { installDebian, madeOnce, PACKAGES, sourcesOf } from "./vps-base.ts";

const run = promisify(execFile);

const MORE_PACKAGES = ["linux-image-cloud-amd64", "initramfs-tools", "udev", "kmod", "qemu-guest-agent"];
const SSH_KEY = "/etc/ssh/ssh_host_ed25519_key";
const DISK_SIZE = "2G";

const link = (name: string, ...lines: string[]) => `[Match]\nName=${name}\n\n[Network]\n${lines.join("\n")}\n`;

const FILES: Record<string, string> = {
  "etc/apt/sources.list": sourcesOf(12),
  "etc/hostname": "vps\n",
  "etc/machine-id": "",
  "etc/fstab": "/dev/vda / ext4 errors=remount-ro 0 1\n",
  // Each machine's own host key, made at its first start, of the one kind that is quick to make.
  "etc/systemd/system/ssh.service.d/lab.conf": `[Service]
ExecStartPre=
ExecStartPre=/bin/sh -c '[ -e ${SSH_KEY} ] || ssh-keygen -q -t ed25519 -N "" -f ${SSH_KEY}'
ExecStartPre=/usr/sbin/sshd -t
`,
  "etc/systemd/network/eth0.network": link("eth0", `Address=${HOST_ADDRESS}/24`, "Gateway=192.0.2.254"),
  "etc/systemd/network/eth1.network": link("eth1", `Address=${HOST_SECOND_ADDRESS}/24`, "Address=2001:db8:113::1/64"),
  "etc/systemd/network/eth2.network": link("eth2", "Address=192.168.77.1/24", "Address=fd77::1/64"),
  // Only what the disk needs: a small machine has no room to unpack more.
  "etc/initramfs-tools/conf.d/lab": "MODULES=list\n",
  "etc/initramfs-tools/modules": "virtio_pci\nvirtio_blk\next4\n",
};

/** Read by each boot of a machine and written by none. */
export interface KernelDisk {
  disk: string;
  kernel: string;
  initrd: string;
}

/** A disk with Debian 12 and Debian's own kernel, made once in about three minutes and cached. */
export async function kernelDisk(mirror: string): Promise<KernelDisk> {
  const folder = await madeOnce("debian-12-disk", [PACKAGES, MORE_PACKAGES, FILES, DISK_SIZE], async (made) => {
    const root = join(made, "root");
    await installDebian(root, mirror, { version: 12, packages: [...PACKAGES, ...MORE_PACKAGES], files: FILES });
    await run("chroot", [root, "systemctl", "enable", "systemd-networkd"]);
    await run("chroot", [root, "update-initramfs", "-u"]);
    const boot = await readdir(join(root, "boot"));
    for (const [name, start] of [
      ["kernel", "vmlinuz-"],
      ["initrd", "initrd.img-"],
    ] as const)
      await copyFile(join(root, "boot", boot.find((each) => each.startsWith(start)) ?? start), join(made, name));
    const disk = join(made, "disk");
    await writeFile(disk, "");
    await run("mkfs.ext4", ["-q", "-d", root, disk, DISK_SIZE]);
    await rm(root, { recursive: true });
  });
  return { disk: join(folder, "disk"), kernel: join(folder, "kernel"), initrd: join(folder, "initrd") };
}
