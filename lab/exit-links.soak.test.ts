import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKeys } from "../apps/server/src/features/vpn/exits/link-interfaces.ts";
import { type Exit, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { OWN_ENGINE } from "../scripts/engine.mjs";
import * as lab from "./network.ts";
import { makeTwoExits, type Rules, type TwoExits } from "./two-exits.ts";

const [TARGET, TARGET_V6] = [lab.TARGET_ADDRESS, lab.TARGET_ADDRESS_V6];
const CHANGES = 30;

/** Each packet begins a connection of its own: to the site over both families, from ever other ports. */
const FLOOD = `
import itertools, socket, time
places = [(socket.AF_INET, "${TARGET}"), (socket.AF_INET6, "${TARGET_V6}")]
for port in itertools.cycle(range(20000, 60000)):
    for family, place in places:
        with socket.socket(family, socket.SOCK_DGRAM) as flow:
            try:
                flow.bind(("", port))
                flow.sendto(b"x", (place, 9))
            except OSError:
                pass
    time.sleep(0.001)
`;

/** What goes to the site by anything but links, and what it is: a bare count would not say whose packet it was. */
const SPY = `table inet spy {
  counter links_v4 { }
  counter links_v6 { }
  counter others_v4 { }
  counter others_v6 { }
  set v4 { typeof meta oifname . meta l4proto . ip saddr . ct mark; flags dynamic; size 1024; }
  set v6 { typeof meta oifname . meta l4proto . ip6 saddr . ct mark; flags dynamic; size 1024; }
  chain leaks {
    type filter hook postrouting priority 300; policy accept;
    ip daddr ${TARGET} oifname { "exit2", "exit3" } counter name links_v4 return
    ip6 daddr ${TARGET_V6} oifname { "exit2", "exit3" } counter name links_v6 return
    ip daddr ${TARGET} counter name others_v4 add @v4 { meta oifname . meta l4proto . ip saddr . ct mark }
    ip6 daddr ${TARGET_V6} counter name others_v6 add @v6 { meta oifname . meta l4proto . ip6 saddr . ct mark }
  }
}`;

let two: TwoExits;
beforeAll(async () => {
  two = await makeTwoExits();
});
afterAll(() => two?.close());

test.skipIf(!existsSync(OWN_ENGINE))(
  `of a flood of new connections over both families nothing leaves straight while their link changes its kind ${CHANGES} times`,
  async () => {
    const { network, entry, exits, links } = two;
    const mine = two.sources(two.devices[0]!);
    const rules = (site: Exit): Rules => [
      { sources: mine, networks: [`${TARGET}/32`, `${TARGET_V6}/128`], exit: site },
      { sources: mine, networks: null, exit: "direct" },
    ];
    await entry.apply(two.wished(rules(2)));
    await lab.until("it leaves by the exit", async () => (await two.by(`[${TARGET_V6}]`)) === "exit 1");
    await network.host.exec("nft", ["-f", "-"], { stdin: SPY });
    const table = () => network.host.exec("nft", ["list", "table", "inet", "spy"]);
    /** Over IPv4 and IPv6. */
    const counted = async (which: "links" | "others") => {
      const text = await table();
      return ["v4", "v6"].map((family) =>
        Number(new RegExp(`counter ${which}_${family} \\{\\s+packets (\\d+)`).exec(text)?.[1]),
      );
    };
    const flood = await network.clients[0]!.start("python3", ["-c", FLOOD]);
    for (let change = 1; change <= CHANGES; change += 1) {
      const type = change % 2 === 1 ? "amneziawg" : "wireguard";
      const [first] = links;
      links[0] = { ...first!, ...newKeys((_, secret) => secret, first!.id, Date.now(), type), type };
      const [atEntry] = await Promise.all([
        entry.apply(two.wished(rules(2))),
        exits[0]!.host.apply(two.atExit(links[0]!)),
      ]);
      expect(atEntry).toMatchObject({ conflicts: [], firewallFailure: null });
      const before = await counted("links");
      await lab.until("both families leave by the link", async () =>
        (await counted("links")).every((packets, family) => packets > before[family]! + 50),
      );
    }
    // The whole table, so that a red test says what left, and by what.
    expect(await counted("others"), await table()).toEqual([0, 0]);
    await entry.applyAccess({ ...NO_ACCESS_RULES, routing: two.routing(rules("direct")) });
    await lab.until("the count itself works", async () => Math.min(...(await counted("others"))) > 0);
    await flood.kill();
  },
);
