import { mirrorsHere } from "./debian-mirror.ts";
import { makeGuestAgent } from "./guest-agent.ts";
import { kernelDisk } from "./kernel-disk.ts";
import { makeNamespace, type Namespace } from "./namespace.ts";
import { makeNetwork, until } from "./network.ts";
import { type Online, putOnline } from "./rented.ts";
import type { Vps } from "./vps.ts";

/** QEMU's own processor, slow and the same everywhere: many test machines cannot virtualize with theirs. */
const QEMU = ["qemu-system-x86_64", "-accel", "tcg", "-smp", "1", "-nodefaults", "-no-user-config", "-display", "none"];
const KERNEL_LINE = "root=/dev/vda rw console=ttyS0 quiet net.ifnames=0";
const CABLES = ["eth0", "eth1", "eth2"];
const BOOTS_WITHIN_MS = 600_000;

/**
 * A rented server with its own kernel, and therefore its own clock, memory and modules: a virtual machine, about ten times slower.
 * It is controlled through QEMU's guest agent, as providers do. It is started in a lab machine that holds the other ends of its
 * cables and ends with this process. Nothing is ever written to its disk.
 */
export async function startKernelHost({ password, megabytes = 1024 }: { password: string; megabytes?: number }) {
  const mirrors = await mirrorsHere();
  const { disk, kernel, initrd } = await kernelDisk(mirrors.main);
  const cables = await makeNamespace("cables");
  let online: Online | undefined;
  try {
    const qemu = await cables.start("bash", [
      // The console goes to QEMU's stderr. It takes a pipe, not a socket like Node's streams.
      ...["-c", 'exec "$@" 3> >(cat >&2)', "bash", ...QEMU],
      ...["-m", String(megabytes), "-kernel", kernel, "-initrd", initrd, "-append", KERNEL_LINE],
      ...["-drive", `file=${disk},format=raw,if=virtio,snapshot=on`, "-serial", "file:/dev/fd/3"],
      ...["-device", "virtio-rng-pci", "-device", "virtio-serial-pci", "-chardev", "stdio,id=agent,signal=off"],
      ...["-device", "virtserialport,chardev=agent,name=org.qemu.guest_agent.0"],
      ...CABLES.flatMap((name, index) => [
        ...["-netdev", `tap,id=${name},ifname=tap-${name},script=no,downscript=no`],
        ...["-device", `virtio-net-pci,netdev=${name},mac=52:54:00:00:00:0${index},romfile=`],
      ]),
    ]);
    const { stdin, stdout } = qemu.process;
    if (stdin === null || stdout === null) throw new Error("no line to the guest agent");
    const { attempt } = makeGuestAgent(stdin, stdout);
    const machine: Namespace = {
      name: "vps",
      pid: cables.pid,
      attempt,
      async exec(command, more = [], options) {
        const { exitCode, stdout, stderr } = await attempt(command, more, options);
        if (exitCode === 0) return stdout;
        throw new Error(`vps: ${command} ${more.join(" ")} ended with ${exitCode}: ${stdout}${stderr}`);
      },
      start: () => Promise.reject(new Error("a program there is started by its systemd")),
      close: () => cables.close(),
    };
    /** The id of a boot that has completed, or empty. */
    const bootId = async () => {
      if (qemu.process.exitCode !== null) throw new Error(`the machine ended: ${qemu.output()}`);
      const ask = "systemctl is-active --quiet multi-user.target && cat /proc/sys/kernel/random/boot_id";
      return (await attempt("bash", ["-c", ask]).catch(() => ({ stdout: "" }))).stdout;
    };
    const network = await makeNetwork({
      async hostOf() {
        await until("the machine boots", bootId, BOOTS_WITHIN_MS);
        return machine;
      },
    });
    const stop = async () => {
      await online?.close();
      await cables.close();
      await network.close();
    };
    try {
      const plug = (name: string) =>
        `ip link add to-${name} type bridge; for each in ${name} tap-${name}; do ip link set $each master to-${name}; done; for each in ${name} tap-${name} to-${name}; do ip link set $each up; done`;
      await cables.exec("bash", ["-ec", CABLES.map(plug).join("\n")]);
      const exec: Vps["exec"] = (command, options) => machine.exec("bash", ["-c", command], options);
      online = await putOnline(network, machine, { password, mirrors });
      const { port, fingerprint, becomesReachable } = online;
      const server: Vps = {
        host: "127.0.0.1",
        port,
        fingerprint,
        exec,
        network,
        stop,
        async reboot() {
          const before = await bootId();
          await exec("systemctl --no-block reboot");
          const isAnother = async () => ![before, ""].includes(await bootId());
          await until("the machine boots", isAnother, BOOTS_WITHIN_MS);
          await becomesReachable();
        },
      };
      return server;
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await cables.close();
    throw error;
  }
}
