import { chown, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import type { Namespace } from "./namespace.ts";

const SOMEBODY = 1000;

/** Starts a program as an ordinary user without a capability. */
export const AS_SOMEBODY = [
  "setpriv",
  `--reuid=${SOMEBODY}`,
  `--regid=${SOMEBODY}`,
  "--clear-groups",
  "--inh-caps=-all",
  "--bounding-set=-all",
  "--no-new-privs",
] as const;

/** A folder that belongs to that user. The caller removes it. */
export async function somebodysFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "krug-lab-user-"));
  await chown(folder, SOMEBODY, SOMEBODY);
  return folder;
}

/** Like systemd's defaults: an ordinary user gets no tunnel device, packets are not forwarded, but pings are allowed. */
export async function withoutTunnels(at: Namespace): Promise<void> {
  await at.exec("sysctl", [
    "-q",
    "-w",
    "net.ipv4.ip_forward=0",
    "net.ipv6.conf.all.forwarding=0",
    "net.ipv4.ping_group_range=0 2147483647",
  ]);
  await at.exec("mount", ["--bind", "/dev/null", "/dev/net/tun"]);
}

export interface Way {
  name: string;
  /** A driver there. `folder` belongs to the ordinary user. */
  drive(at: Namespace, folder: string): Promise<DrivenHost>;
  prepare(at: Namespace): Promise<void>;
}

/** How the panel's engine runs tunnels: each must enforce the same rules. */
export const WAYS: readonly Way[] = [
  { name: "a tunnel device", drive: (at) => driveHost(at), prepare: async () => {} },
  {
    name: "userspace networking",
    drive: (at, folder) => driveHost(at, `/${folder.slice(1)}`, [...AS_SOMEBODY]),
    prepare: withoutTunnels,
  },
];
