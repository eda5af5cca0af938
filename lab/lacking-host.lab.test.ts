import { reason, reasonLine } from "@krug/domain/reasons";
import { afterEach, expect, test } from "vitest";
import { desiredHost, newInterface } from "./club-wire.ts";
import { driveHost } from "./driven-host.ts";
import { makeNamespace, type Namespace } from "./namespace.ts";

let machine: Namespace;
afterEach(() => machine?.close());

/** Makes programs look uninstalled, on that machine only. */
async function without(...programs: string[]) {
  machine = await makeNamespace("lacking");
  for (const program of programs) {
    const path = (await machine.exec("bash", ["-c", `command -v ${program}`])).trim();
    await machine.exec("mount", ["--bind", "/run/resolv.conf", path]);
  }
}

test.each([
  [["wg", "nft"], ["no_programs"], "wg, nft are not installed: apt-get install -y wireguard-tools nftables iproute2"],
  [["wireguard-go"], ["no_backend"], "modprobe"],
])(
  "a machine without %s and the panel's engine runs no tunnel and says how to get there",
  async (programs, codes, advice) => {
    await without(...programs);
    const host = await driveHost(machine, "socket", [], null);
    const { backend, missing } = await host.inspect();
    expect(backend).toBeNull();
    expect(missing.map(({ code }) => code)).toEqual(codes);
    expect(missing[0] && reasonLine(missing[0].why, "en")).toContain(advice);
    await expect(host.apply(desiredHost(newInterface("wg0", 51820)))).rejects.toThrow("HostRefused");
  },
);

test("without the right to administer the network the panel tries nothing", async () => {
  await without();
  const host = await driveHost(machine, "socket", ["setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin"]);
  expect(await host.inspect()).toMatchObject({
    backend: null,
    missing: [{ code: "not_root", why: reason("lack.not_root") }],
  });
  await expect(host.apply(desiredHost(newInterface("wg0", 51820)))).rejects.toThrow("HostRefused");
});

test.each(["runs", "has just started"])(
  "without a firewall a panel that %s opens no tunnel and still removes peers",
  async (since) => {
    await without();
    const first = await driveHost(machine);
    const tunnel = newInterface("wg0", 51820);
    const peer = { publicKey: newInterface("x", 1).publicKey, presharedKey: null, allowedIps: ["10.8.0.2/32"] };
    await first.apply(desiredHost({ ...tunnel, peers: [peer] }));
    await machine.exec("mount", ["--bind", "/run/resolv.conf", "/usr/sbin/nft"]);
    const host = since === "runs" ? first : await driveHost(machine);
    const applied = await host.apply(desiredHost(tunnel, newInterface("wg1", 51821, "10.8.1")));
    expect(applied.conflicts.map(({ name, reason }) => [name, reason])).toEqual([
      ["wg0", "failed"],
      ["wg1", "failed"],
    ]);
    expect(applied.removedPeers.map(({ publicKey }) => publicKey)).toEqual([peer.publicKey]);
    expect((await host.read()).map(({ name, peers }) => [name, peers])).toEqual([["wg0", []]]);
  },
);
