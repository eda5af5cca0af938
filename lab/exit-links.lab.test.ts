import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { desiredSide, newLink } from "../apps/server/src/features/vpn/exits/link-interfaces.ts";
import { type DesiredHost, type DesiredRouting, type Exit, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import type { Sealing } from "../apps/server/src/platform/sealing.ts";
import { makeSeal } from "../apps/server/src/platform/sealing.ts";
import { newDevice, newInterface, wish, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import { addExit, EXIT_ADDRESS, type ExitServer, seenBy } from "./exit-network.ts";
import * as lab from "./network.ts";

void makeSeal;
const TARGET = lab.TARGET_ADDRESS;
const TARGET_V6 = lab.TARGET_ADDRESS_V6;
const OTHER = "203.0.113.11";
/** Nothing is sealed here. */
const open = { open: (_: string, text: string) => text } as Sealing;

describe("an exit through another server, by packets", () => {
  let network: lab.LabNetwork;
  let far: ExitServer;
  let entry: DrivenHost;
  let exit: DrivenHost;
  const tunnel = newInterface("wg0", 51820);
  const anna = newDevice(tunnel, 2);
  const mine = anna.peer.allowedIps.map((each) => each.replace(/\/\d+$/, ""));
  const drawn = newLink(
    (_, secret) => secret,
    Date.now(),
    { entryId: "entry", exitId: "exit", address: EXIT_ADDRESS },
    { links: [], entry: null, exit: null },
  );
  if (drawn === null) throw new Error("no link");
  const link = drawn;
  const sides = (["entry", "exit"] as const).map((side) => desiredSide(open, link, side, { path: null, hasV6: true }));
  const [entrySide, exitSide] = sides as [(typeof sides)[number], (typeof sides)[number]];

  const routing = (site: Exit, rest: Exit): DesiredRouting => ({
    interfaces: ["wg0"],
    links: [{ number: link.number, name: entrySide.name, mtu: null }],
    rules: [
      { sources: mine, networks: [`${TARGET}/32`, `${TARGET_V6}/128`], exit: site },
      { sources: mine, networks: null, exit: rest },
    ],
  });
  const atEntry = (over: Partial<DesiredHost> = {}): DesiredHost => ({
    ...wish(withPeers(tunnel, anna), entrySide),
    access: { ...NO_ACCESS_RULES, routing: routing(link.number, "direct") },
    ...over,
  });
  const atExit = (): DesiredHost => ({ ...wish(exitSide), access: { ...NO_ACCESS_RULES, decided: [exitSide.name] } });
  const by = async (place: string) => seenBy(await lab.fetchFrom(network.clients[0]!, `http://${place}/`));
  const seen = () => Promise.all([TARGET, `[${TARGET_V6}]`, OTHER].map(by));

  beforeAll(async () => {
    network = await lab.makeNetwork();
    far = await addExit(network);
    await network.target.exec("ip", ["address", "add", `${OTHER}/24`, "dev", "eth0"]);
    [entry, exit] = await Promise.all([
      driveHost(network.host),
      driveHost(far.exit),
      lab.startServices(network.target, { tcp: [80] }),
    ]);
  });
  afterAll(async () => {
    await network?.close();
    await far?.exit.close();
  });

  test("a service leaves by the other server and the rest straight, over IPv4 and IPv6", async () => {
    const [first, second] = await Promise.all([entry.apply(atEntry()), exit.apply(atExit())]);
    expect([first.conflicts, first.firewallFailure, second.conflicts, second.firewallFailure]).toEqual([
      [],
      null,
      [],
      null,
    ]);
    await lab.tunnelUp(network, network.clients[0]!, anna.file);
    await lab.until("by the exit", async () => (await by(TARGET)) === "exit");
    expect(await seen()).toEqual(["exit", "exit", "entry"]);
  });
});
