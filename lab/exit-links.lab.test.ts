import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKeys } from "../apps/server/src/features/vpn/exits/link-interfaces.ts";
import type { LinkRow } from "../apps/server/src/features/vpn/exits/table.ts";
import { type DesiredHost, type Exit, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { OWN_ENGINE } from "../scripts/engine.mjs";
import type { Device } from "./club-wire.ts";
import type { DrivenHost } from "./driven-host.ts";
import { seenBy } from "./exit-network.ts";
import { lookUp } from "./look-up.ts";
import * as lab from "./network.ts";
import { makeTwoExits, type Rules, type TwoExits } from "./two-exits.ts";
import { watchWire } from "./wire-watch.ts";

const TARGET = lab.TARGET_ADDRESS;
const TARGET_V6 = lab.TARGET_ADDRESS_V6;
const OTHER = "203.0.113.11";

describe("exits through other servers, by packets", () => {
  let two: TwoExits;
  let network: lab.LabNetwork;
  let exits: TwoExits["exits"];
  let links: LinkRow[];
  let entry: DrivenHost;
  let anna: Device;
  let mine: string[];
  const client = () => network.clients[0]!;

  const rules = (site: Exit, rest: Exit = "direct"): Rules => [
    { sources: mine, networks: [`${TARGET}/32`, `${TARGET_V6}/128`], exit: site },
    { sources: mine, networks: null, exit: rest },
  ];
  const wished = (more: { over?: LinkRow[]; path?: number } = {}) => two.wished(rules(2), more);
  const by = (place: string) => two.by(place);
  const seen = () => Promise.all([TARGET, `[${TARGET_V6}]`, OTHER].map(by));
  const route = (site: Exit) => entry.applyAccess({ ...NO_ACCESS_RULES, routing: two.routing(rules(site)) });
  const isAs = (...wanted: (string | null)[]) =>
    lab.until(`as ${wanted}`, async () => String(await seen()) === String(wanted));

  /**
   * Counts what goes to the site by anything but links, next to the panel's table. Connections from before the count may end as
   * they began, also straight: those that begin under it get a bit of their own. Whether the site, a neighbour here, is still there
   * is the entry's own question.
   */
  const SPY = `table inet spy {
    counter v4 { }
    counter v6 { }
    chain begun {
      type filter hook prerouting priority 0; policy accept;
      ct state new ct mark set ct mark | 0x01000000
    }
    chain leaks {
      type filter hook postrouting priority 300; policy accept;
      oifname { "exit2", "exit3" } return
      ct state != { invalid, untracked } ct mark & 0x01000000 == 0 return
      icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } return
      ip daddr ${TARGET} counter name v4
      ip6 daddr ${TARGET_V6} counter name v6
    }
  }`;
  const leaks = async () => {
    const text = await network.host.exec("nft", ["list", "table", "inet", "spy"]);
    return [...text.matchAll(/packets (\d+)/g)].map(([, packets]) => Number(packets));
  };
  const watchLeaks = async () => {
    await network.host.attempt("nft", ["delete", "table", "inet", "spy"]);
    await network.host.exec("nft", ["-f", "-"], { stdin: SPY });
  };
  /** New connections to the site, one after another, while something is done. */
  const whileFetching = async (work: () => Promise<unknown>) => {
    let isOver = false;
    const answers: (string | null)[] = [];
    const fetching = Promise.all(
      [TARGET, `[${TARGET_V6}]`].map(async (place) => {
        while (!isOver) {
          answers.push(seenBy(await lab.fetchFrom(client(), `http://${place}/`, 0.3)));
          await wait(5);
        }
      }),
    );
    await work();
    isOver = true;
    await fetching;
    return answers;
  };

  beforeAll(async () => {
    two = await makeTwoExits();
    ({ network, exits, links, entry } = two);
    anna = two.devices[0]!;
    mine = two.sources(anna);
    await network.target.exec("ip", ["address", "add", `${OTHER}/24`, "dev", "eth0"]);
    await entry.apply(wished());
  });
  afterAll(() => two?.close());

  test("a service leaves by another server and the rest straight, over IPv4 and IPv6", async () => {
    await isAs("exit 1", "exit 1", "entry");
    await route(3);
    await isAs("exit 2", "exit 2", "entry");
    await route("direct");
    await isAs("entry", "entry", "entry");
    await route(2);
    await isAs("exit 1", "exit 1", "entry");
  });

  test("an exit that is cut off is waited for; new connections leave straight or by another as soon as that is wanted", async () => {
    await exits[0]!.server.cut();
    await isAs(null, null, "entry");
    await route(3);
    expect(await seen()).toEqual(["exit 2", "exit 2", "entry"]);
    await route("direct");
    expect(await seen()).toEqual(["entry", "entry", "entry"]);
    await route(2);
    expect(await seen()).toEqual([null, null, "entry"]);
    await exits[0]!.server.join();
    await isAs("exit 1", "exit 1", "entry");
  });

  test("an exit's silence shows in what the entry has heard of it", async () => {
    const heard = async () => (await entry.readSome(["exit2"]))[0]?.peers[0]?.rxBytes ?? 0;
    const first = await heard();
    await lab.until("it sends by itself", async () => (await heard()) > first);
    expect(await entry.readSome(["exit9"])).toEqual([]);
  });

  test("nothing leaves straight while the link, its routes, its rules or the table are missing, or all load again", async () => {
    await watchLeaks();
    const missing = (label: string, args: [string, string[]][]) => async () => {
      for (const [program, rest] of args) await network.host.attempt(program, rest);
      const answers = await whileFetching(() => wait(400));
      expect(answers, label).not.toContain("entry");
      await entry.apply(wished());
      await isAs("exit 1", "exit 1", "entry");
    };
    const both = (args: string[]): [string, string[]][] => ["-4", "-6"].map((family) => ["ip", [family, ...args]]);
    await missing("no link", [["ip", ["link", "delete", "exit2"]]])();
    await missing("no routes", both(["route", "flush", "table", "27394"]))();
    await missing("no rules", both(["rule", "del", "pref", "90"]))();
    await missing("neither", [...both(["rule", "del", "pref", "90"]), ...both(["route", "flush", "table", "27394"])])();
    const answers = await whileFetching(async () => {
      for (let reload = 0; reload < 40; reload++) {
        await route(reload % 2 === 0 ? 3 : 2);
        if (reload % 20 === 0) await entry.apply(wished({ over: [] }));
        if (reload % 20 === 10) await network.host.attempt("nft", ["delete", "table", "inet", "krug"]);
        if (reload % 10 === 5) await entry.apply(wished());
      }
    });
    expect(answers).not.toContain("entry");
    expect(await leaks()).toEqual([0, 0]);
    await entry.apply(wished());
    await isAs("exit 1", "exit 1", "entry");
    // The count itself works.
    await route("direct");
    await isAs("entry", "entry", "entry");
    expect(Math.min(...(await leaks()))).toBeGreaterThan(0);
    await route(2);
  });

  test("nothing begins by a link: the exit reaches neither the entry nor its members", async () => {
    const { server } = exits[0]!;
    await lab.startServices(network.host, { tcp: [8080] });
    const attempt = (address: string) =>
      server.exit.attempt("curl", [
        "--silent",
        "--noproxy",
        "*",
        "--max-time",
        "1",
        "--interface",
        "entry2",
        `http://${address}:8080/`,
      ]);
    expect((await attempt("198.18.0.10")).exitCode).not.toBe(0);
    await server.exit.exec("ip", ["route", "add", `${anna.address}/32`, "dev", "entry2"]);
    expect((await server.exit.attempt("ping", ["-c", "2", "-W", "1", anna.address])).exitCode).not.toBe(0);
    await server.exit.exec("ip", ["route", "del", `${anna.address}/32`, "dev", "entry2"]);
  });

  test("members reach no private network by an exit", async () => {
    await exits[0]!.server.exit.exec("ip", ["address", "add", "192.168.99.1/24", "dev", "eth1"]);
    const { stdout } = await client().attempt("ping", ["-c", "1", "-W", "1", "192.168.99.1"]);
    expect(stdout).not.toContain("1 received");
  });

  test("packets that are too large for what is behind the exit are reported to the device, and segments fit a small link", async () => {
    const { server } = exits[0]!;
    await server.exit.exec("ip", ["link", "set", "dev", "eth1", "mtu", "1300"]);
    for (const [family, place] of [
      ["-4", TARGET],
      ["-6", TARGET_V6],
    ] as const) {
      const { stdout } = await client().attempt("ping", [
        family,
        "-c",
        "3",
        "-W",
        "1",
        "-M",
        "do",
        "-s",
        "1320",
        place,
      ]);
      expect(stdout, stdout).toMatch(/mtu ?=? ?1300/i);
    }
    await server.exit.exec("ip", ["link", "set", "dev", "eth1", "mtu", "1500"]);
    await Promise.all([exits[0]!.host.apply(two.atExit(links[0]!, 1_400)), entry.apply(wished({ path: 1_400 }))]);
    expect(await network.host.exec("cat", ["/sys/class/net/exit2/mtu"])).toBe("1320\n");
    for (const place of [TARGET, `[${TARGET_V6}]`]) {
      const body = await lab.fetchFrom(client(), `http://${place}/?bytes=300000`, 10);
      expect([seenBy(body), (body ?? "").length > 300_000]).toEqual(["exit 1", true]);
    }
  });

  describe("what the entry itself sends by a link", () => {
    const RESOLVER = "1.1.1.1";
    const OWN = "198.18.0.10";
    const names = (exit: Exit): DesiredHost => {
      const dns = { sources: mine, networks: [`${RESOLVER}/32`], onlyDns: true as const, exit: "direct" as const };
      const site = { sources: mine, networks: [], names: { key: "site", domains: ["site.example"] }, exit };
      return two.wished([dns, site, ...rules(2).slice(1)]);
    };
    const asks = (name: string) => lookUp(client(), "203.0.113.99", name);
    /** Questions that left the entry by the link, and otherwise. */
    const questions = async () => {
      const text = await network.host.exec("nft", ["list", "table", "inet", "names_spy"]);
      const [byLink, straight] = [...text.matchAll(/packets (\d+)/g)].map(([, packets]) => Number(packets));
      return { byLink: byLink ?? 0, straight: straight ?? 0 };
    };
    const watch = async () => {
      await network.host.attempt("nft", ["delete", "table", "inet", "names_spy"]);
      const counts = ['oifname "exit2"', 'oifname != { "exit2", "lo" }'].map(
        (way) => `ip daddr ${RESOLVER} udp dport 53 ${way} counter`,
      );
      const chain = `chain spy { type filter hook postrouting priority 300; policy accept; \n${counts.join("\n")}\n}`;
      await network.host.exec("nft", ["-f", "-"], { stdin: `table inet names_spy {\n${chain}\n}` });
    };

    beforeAll(async () => {
      await network.target.exec("ip", ["address", "add", `${RESOLVER}/32`, "dev", "lo"]);
      await network.host.exec("ip", ["route", "add", RESOLVER, "via", TARGET]);
      for (const [index, { server }] of exits.entries())
        await server.exit.exec("ip", ["route", "add", RESOLVER, "via", `203.0.${114 + index}.10`]);
      const records = join(network.folder, "names");
      await writeFile(records, `site.example ${TARGET}\nrest.example ${OTHER}\n`);
      await lab.startScript(network.target, "./name-server.ts", [RESOLVER, records]);
    });

    test("names of a service are asked by its exit and never straight, also while it is cut off; the rest straight", async () => {
      await watch();
      expect(await entry.apply(names(2))).toMatchObject({ conflicts: [], namesFailure: null });
      await lab.until("the name is answered", async () => (await asks("site.example"))[0] === TARGET);
      expect(await questions()).toMatchObject({ byLink: expect.any(Number), straight: 0 });
      expect((await questions()).byLink).toBeGreaterThan(0);
      expect(await by(TARGET)).toBe("exit 1");
      expect(await asks("rest.example")).toEqual([OTHER]);
      const { straight } = await questions();
      expect(straight).toBeGreaterThan(0);
      await exits[0]!.server.cut();
      expect(await asks("site.example")).toEqual([]);
      await network.host.exec("ip", ["rule", "del", "pref", "90", "from", OWN]);
      expect(await asks("site.example")).toEqual([]);
      expect((await questions()).straight).toBe(straight);
      expect(await asks("rest.example")).toEqual([OTHER]);
      await exits[0]!.server.join();
      await entry.apply(names(2));
      await lab.until("the name is answered again", async () => (await asks("site.example"))[0] === TARGET);
      await entry.apply(names("direct"));
      expect(await asks("site.example")).toEqual([TARGET]);
    });

    test("a resolver that started before its link asks nothing straight, and answers once the link is there", async () => {
      const pid = async () => (await network.host.attempt("pgrep", ["-x", "dnsmasq"])).stdout.trim();
      await entry.apply(names(2));
      await lab.until("the name is answered", async () => (await asks("site.example"))[0] === TARGET);
      await watch();
      const before = await pid();
      await network.host.exec("ip", ["link", "delete", "exit2"]);
      await network.host.exec("kill", ["-KILL", before]);
      const since = await lab.until("it started again", async () => {
        const now = await pid();
        return now !== before && (await asks("rest.example"))[0] === OTHER && now;
      });
      const { straight } = await questions();
      expect(await asks("site.example")).toEqual([]);
      expect((await questions()).straight).toBe(straight);
      await entry.apply(names(2));
      await lab.until("the name is answered again", async () => (await asks("site.example"))[0] === TARGET);
      expect([await pid(), (await questions()).straight]).toEqual([since, straight]);
    });

    test("an exit without internet is told from one with it, and from a machine that cannot try", async () => {
      const { exit } = exits[0]!.server;
      expect(await entry.echoes(OWN)).toBe(true);
      await exit.exec("ip", ["route", "del", RESOLVER]);
      expect(await entry.echoes(OWN)).toBe(false);
      await exit.exec("ip", ["route", "add", RESOLVER, "via", "203.0.114.10"]);
      expect(await entry.echoes(OWN)).toBe(true);
      expect(await entry.echoes("198.18.7.7")).toBeNull();
    });
  });

  test.skipIf(!existsSync(OWN_ENGINE))(
    "a link becomes AmneziaWG's at both ends: traffic leaves by it with segments that fit, nothing on the wire is WireGuard's, and nothing leaves straight meanwhile",
    async () => {
      await entry.apply(wished());
      await isAs("exit 1", "exit 1", "entry");
      await watchLeaks();
      const [first] = links;
      links[0] = { ...first!, ...newKeys((_, secret) => secret, first!.id, Date.now(), "amneziawg") };
      const changes = async () => {
        await exits[0]!.host.apply(two.atExit(links[0]!));
        expect(await entry.apply(wished())).toMatchObject({ conflicts: [], firewallFailure: null });
        await isAs("exit 1", "exit 1", "entry");
      };
      expect(await whileFetching(changes)).not.toContain("entry");
      const onWire = await watchWire(network.internet, [links[0]!.exit_port], { address: links[0]!.address });
      for (const place of [TARGET, `[${TARGET_V6}]`]) {
        const body = await lab.fetchFrom(client(), `http://${place}/?bytes=300000`, 10);
        expect([seenBy(body), (body ?? "").length > 300_000]).toEqual(["exit 1", true]);
      }
      expect(await onWire("seen", links[0]!.exit_port)).toBeGreaterThan(100);
      expect(await onWire("plain", links[0]!.exit_port)).toBe(0);
      expect(await leaks()).toEqual([0, 0]);
    },
  );

  test("when nothing leaves by others any more, their links, routes and rules are gone", async () => {
    const rest: DesiredHost = {
      ...wished({ over: [] }),
      access: { ...NO_ACCESS_RULES, routing: { interfaces: ["wg0"], rules: [] } },
    };
    await entry.apply(rest);
    const left = await Promise.all([
      network.host.exec("ip", ["-o", "link"]),
      ...["-4", "-6"].flatMap((family) => [
        network.host.exec("ip", [family, "rule"]),
        network.host.exec("ip", [family, "route", "show", "table", "all"]),
      ]),
    ]);
    expect(left.join("")).not.toMatch(/exit\d|2739\d/);
  });
});
