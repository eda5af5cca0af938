import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "@krug/wireguard/config-text";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { openSqlite } from "../apps/server/src/platform/database/sqlite.ts";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import type { DrivenHost } from "./driven-host.ts";
import * as lab from "./network.ts";
import { createConfig, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";
import { somebodysFolder, WAYS } from "./ways.ts";

const TARGET = lab.TARGET_ADDRESS;
const IN_FORCE_WITHIN_MS = 5_000;
/** Silence this long counts as no answer. */
const SILENCE_MS = 1_000;

describe("access rules, by packets through the built panel", () => {
  let network: lab.LabNetwork;
  let panel: LabPanel;
  let admin: Visitor;
  const people: Record<"anna" | "boris", { id: string; member: Visitor; file: string; client: number }> = {
    anna: { id: "", member: undefined as never, file: "", client: 0 },
    boris: { id: "", member: undefined as never, file: "", client: 1 },
  };
  type Name = keyof typeof people;
  let records = "";
  const took: { what: string; ms: number }[] = [];

  const reaches = async (who: Name, host = TARGET, port = 80) =>
    (await lab.fetchFrom(network.clients[people[who].client]!, `http://${host}:${port}/`)) !== null;
  /** Whether anna and boris reach each place; asked in parallel, because detecting silence takes time. */
  const both = async (...hosts: string[]) =>
    Promise.all(
      (hosts.length === 0 ? [TARGET] : hosts).flatMap((host) => [reaches("anna", host), reaches("boris", host)]),
    );
  /** Adds the rule and waits for its effect on packets; prints how long each took at the end. */
  const inForce = async (what: string, change: () => Promise<unknown>, isSo: () => Promise<boolean>) => {
    const savedAt = Date.now();
    await change();
    await lab.until(what, isSo);
    const ms = Date.now() - savedAt;
    took.push({ what, ms });
    expect(ms).toBeLessThan(IN_FORCE_WITHIN_MS + SILENCE_MS);
  };
  const add = (body: { type?: "blacklist" | "whitelist"; target: string; appliesTo?: string[] }) =>
    admin.ask("POST /admin/rules", { body });
  const clear = async () => {
    for (const { id } of await admin.ask("GET /admin/rules"))
      await admin.ask("DELETE /admin/rules/{id}", { params: { id } });
  };
  /** Compares the panel's prediction with what packets do. */
  const agree = async (who: Name, host: string, port = 80) => {
    const { verdict } = await admin.ask("GET /admin/rules/check", {
      query: { userId: people[who].id, target: `${host}:${port}` },
    });
    const place = host.replace(/^\[|\]$/g, "");
    expect([who, place, port, verdict]).toEqual([
      who,
      place,
      port,
      (await reaches(who, host, port)) ? "reaches" : "closed",
    ]);
    return verdict;
  };

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 2 });
    records = join(network.folder, "records");
    await writeFile(records, "");
    const nameServer = await lab.startScript(network.host, "./name-server.ts", ["127.0.0.1", records]);
    await lab.until("names are answered", () => nameServer.output().includes("listening"));
    await network.host.exec("tee", ["/etc/resolv.conf"], { stdin: "nameserver 127.0.0.1\n" });
    await network.target.exec("ip", ["address", "add", "203.0.113.11/24", "dev", "eth0"]);
    await network.target.exec("ip", ["address", "add", "203.0.113.12/24", "dev", "eth0"]);
    [panel] = await Promise.all([
      startPanel(network, network.host),
      lab.startServices(network.target, { tcp: [80, 25] }),
      lab.startServices(network.privateNetwork, { tcp: [80] }),
      // A web server next to the panel, on the host's public address.
      lab.startServices(network.host, { tcp: [80] }),
    ]);
    ({ admin } = await setUpAdmin(panel));
    for (const name of ["anna", "boris"] as const) {
      const { member, user } = await invite(panel, admin, name);
      const file = await member.download((await createConfig(member, "device")).id);
      Object.assign(people[name], { id: user.id, member, file });
      await lab.tunnelUp(network, network.clients[people[name].client]!, file);
    }
    await lab.until("both reach the target", async () => (await both()).every(Boolean));
  });
  afterAll(async () => {
    for (const { what, ms } of took) console.log(`${what}: ${ms} ms after saving`);
    await network?.close();
  });

  test("a ban for all cuts everybody off within 5 s, including open connections, and deleting it lifts it", async () => {
    await inForce(
      "banned for all",
      () => add({ target: TARGET }),
      async () => !(await both()).some(Boolean),
    );
    expect(await both("203.0.113.11")).toEqual([true, true]);
    await inForce("ban deleted", clear, async () => (await both()).every(Boolean));
  });

  test("a ban for one member cuts only that member off", async () => {
    const { id } = people.anna;
    await inForce(
      "banned for anna",
      () => add({ target: TARGET, appliesTo: [id] }),
      async () => !(await reaches("anna")),
    );
    expect(await both()).toEqual([false, true]);
    await clear();
  });

  test("an exception wins over a ban, for all or for selected members, and a network bans everything in it", async () => {
    await add({ target: "203.0.113.0/24" });
    expect(await both(TARGET, "203.0.113.11")).toEqual([false, false, false, false]);
    await inForce(
      "exception for boris",
      () => add({ type: "whitelist", target: TARGET, appliesTo: [people.boris.id] }),
      () => reaches("boris"),
    );
    expect(await both(TARGET, "203.0.113.11")).toEqual([false, true, false, false]);
    await add({ type: "whitelist", target: "203.0.113.11" });
    expect(await both("203.0.113.11")).toEqual([true, true]);
    await add({ target: "203.0.113.11", appliesTo: [people.anna.id] });
    expect(await both("203.0.113.11")).toEqual([true, true]);
    await clear();
  });

  test("no exception opens what is closed to everybody", async () => {
    await add({ type: "whitelist", target: "0.0.0.0/0" });
    const other = parseConfig(people.boris.file).addresses[0]!.replace(/\/.*/, "");
    const closed = [lab.PRIVATE_ADDRESS, lab.METADATA_ADDRESS, other, "10.8.0.1"];
    const answers = await Promise.all([
      reaches("anna"),
      reaches("anna", TARGET, 25),
      ...closed.map((place) => reaches("anna", place)),
    ]);
    expect(answers).toEqual([true, false, ...closed.map(() => false)]);
    await clear();
  });

  test("everything except a few places can be banned", async () => {
    await add({ target: "0.0.0.0/0", appliesTo: [people.anna.id] });
    await add({ type: "whitelist", target: "203.0.113.11", appliesTo: [people.anna.id] });
    // The host's own public address, too.
    expect(await both(TARGET, "203.0.113.11", lab.HOST_SECOND_ADDRESS)).toEqual([false, true, true, true, false, true]);
    await clear();
  });

  test("a domain is banned by its addresses, follows their changes, and stays banned while it cannot be resolved", async () => {
    const lost = "203.0.113.12";
    await writeFile(records, `site.example ${TARGET}\nsite.example 2001:db8:113::10\nlost.example ${lost}\n`);
    const resolves = async () =>
      (await network.host.attempt("getent", ["ahostsv4", "site.example"])).stdout.includes(TARGET);
    await lab.until("the name resolves", resolves);
    await inForce(
      "domain banned",
      () => add({ target: "site.example" }),
      async () => !(await reaches("anna")),
    );
    expect(await admin.ask("GET /admin/rules")).toMatchObject([
      { domain: { addresses: [TARGET, "2001:db8:113::10"], failure: null } },
    ]);
    await inForce(
      "a second domain banned",
      () => add({ target: "lost.example" }),
      async () => !(await reaches("anna", lost)),
    );
    const database = await openSqlite(`${panel.dataDir}/krug.db`);
    // One gets another address, the other none. Pretends that five minutes have passed.
    await writeFile(records, "site.example 203.0.113.11\n");
    await lab.until("the name server knows", async () => !(await resolves()));
    await database.db
      .withTables<{ access_rule_names: { asked_at: number } }>()
      .updateTable("access_rule_names")
      .set({ asked_at: 0 })
      .execute();
    await lab.until("the new address is banned", async () => !(await reaches("anna", "203.0.113.11")), 20_000);
    await lab.until("the panel says that it fails", async () =>
      (await admin.ask("GET /admin/rules")).some(
        ({ target, domain }) => target === "lost.example" && domain?.failure === "not_found",
      ),
    );
    expect(await both(TARGET, lost)).toEqual([true, true, false, false]);
    await database.close();
    await clear();
  });

  test("a selected member's new device is subject to the rules from its first packet", async () => {
    const { id, member, client } = people.anna;
    await add({ target: TARGET, appliesTo: [id] });
    const file = await member.download((await createConfig(member, "second")).id);
    const at = network.clients[client]!;
    // Makes room for the new device: both want all traffic.
    await at.exec("ip", ["link", "del", "krug"]);
    const second = await lab.tunnelUp(network, at, file, "second");
    await lab.until("the second device is connected", () => reaches("anna", "203.0.113.11"));
    expect(await both()).toEqual([false, true]);
    await second.down();
    await lab.tunnelUp(network, at, people.anna.file);
    await lab.until("the first one is back", () => reaches("anna", "203.0.113.11"));
    await clear();
  });

  test("the panel's answer and the packets agree", async () => {
    await add({ target: "203.0.113.0/28" });
    await add({ type: "whitelist", target: TARGET, appliesTo: [people.boris.id] });
    await add({ target: lab.HOST_SECOND_ADDRESS, appliesTo: [people.anna.id] });
    const said = [];
    for (const who of ["anna", "boris"] as const)
      for (const [host, port] of [
        [TARGET, 80],
        [TARGET, 25],
        ["203.0.113.11", 80],
        [lab.PRIVATE_ADDRESS, 80],
        [lab.METADATA_ADDRESS, 80],
        ["[2001:db8:113::10]", 80],
      ] as const)
        said.push(agree(who, host, port));
    expect(new Set(await Promise.all(said))).toEqual(new Set(["reaches", "closed"]));
    await clear();
  });

  test("the rules are still in force after a restart of the panel, and nobody notices it", async () => {
    await add({ target: TARGET, appliesTo: [people.anna.id] });
    await panel.end("SIGKILL");
    expect(await both()).toEqual([false, true]);
    await panel.start();
    await lab.until("the server holds the rules", async () => {
      const [server] = await admin.ask("GET /admin/rules/servers");
      return server?.state === "in_force";
    });
    expect(await both()).toEqual([false, true]);
  });

  test("a table flushed or deleted by hand is restored at once", async () => {
    for (const harm of [
      ["flush", "chain", "inet", "krug", "access_rules"],
      ["delete", "table", "inet", "krug"],
    ]) {
      await network.host.exec("nft", harm);
      const harmedAt = Date.now();
      await lab.until("the ban is back", async () => (await reaches("boris")) && !(await reaches("anna")));
      console.log(`after nft ${harm.join(" ")}: ${Date.now() - harmedAt} ms`);
    }
    expect(await both()).toEqual([false, true]);
    await clear();
    expect(await both()).toEqual([true, true]);
  });
});

describe.each(WAYS)("access rules on the machine, by $name", (way) => {
  let network: lab.LabNetwork;
  let host: DrivenHost;
  let folder: string;
  const tunnel = newInterface("wg0", 51820);
  const anna = newDevice(tunnel, 2);
  const base = desiredHost(withPeers(tunnel, anna));
  const V6 = lab.TARGET_ADDRESS_V6;
  const NOTHING = { allowed: [], denied: [] };

  beforeAll(async () => {
    network = await lab.makeNetwork({ clients: 1 });
    folder = await somebodysFolder();
    await way.prepare(network.host);
    [host] = await Promise.all([way.drive(network.host, folder), lab.startServices(network.target, { tcp: [80] })]);
    await host.apply(base);
    await lab.tunnelUp(network, network.clients[0]!, anna.file);
    await lab.until("anna reaches the target", () => reaches());
  });
  afterAll(async () => {
    await network?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const reaches = async (url = `http://${TARGET}/`) => (await lab.fetchFrom(network.clients[0]!, url)) !== null;
  const families = () => Promise.all([reaches(), reaches(`http://[${V6}]/`)]);

  test("IPv6 is banned and excepted like IPv4", async () => {
    const v6Source = anna.peer.allowedIps[1]!.replace("/128", "");
    expect(await families()).toEqual([true, true]);
    await host.applyAccess({ everyone: { allowed: [], denied: ["2001:db8::/32"] }, groups: [] });
    expect(await families()).toEqual([true, false]);
    await host.applyAccess({
      everyone: { allowed: [], denied: ["::/0", "0.0.0.0/0"] },
      groups: [{ allowed: [`${V6}/128`], denied: [], sources: [v6Source, anna.address] }],
    });
    expect(await families()).toEqual([false, true]);
    await host.applyAccess(NO_ACCESS_RULES);
    expect(await families()).toEqual([true, true]);
  });

  test("rules the machine refuses leave the existing ones unchanged", async () => {
    await host.applyAccess({ everyone: { allowed: [], denied: [`${TARGET}/32`] }, groups: [] });
    // Two groups cannot both claim one device.
    const groups = [1, 2].map((place) => ({ allowed: [`203.0.113.${place}/32`], denied: [], sources: [anna.address] }));
    await expect(host.applyAccess({ everyone: NOTHING, groups })).rejects.toThrow();
    expect(await families()).toEqual([false, true]);
    await host.applyAccess(NO_ACCESS_RULES);
    expect(await families()).toEqual([true, true]);
  });

  test("10,000 members under 1,000 rules load within 5 s, and packets still pass", async () => {
    const sources = Array.from({ length: 10_000 }, (_, index) => `10.9.${index >> 8}.${index & 255}`);
    const denied = Array.from({ length: 1_000 }, (_, index) => `5.${index >> 8}.${index & 255}.0/25`);
    const groups = Array.from({ length: 100 }, (_, group) => ({
      allowed: [`203.0.113.${group}/32`],
      denied: denied.slice(group * 10, group * 10 + 10),
      sources: sources.slice(group * 100, group * 100 + 100),
    }));
    groups[0]!.sources.push(anna.address);
    await host.applyAccess({ everyone: { allowed: [], denied }, groups });
    const loadedMs = host.lastTookMs();
    await host.applyAccess({ everyone: { allowed: [], denied }, groups });
    console.log(
      `10,000 members, 1,000 rules: loaded in ${loadedMs.toFixed(0)} ms, unchanged ${host.lastTookMs().toFixed(0)} ms`,
    );
    expect(loadedMs).toBeLessThan(IN_FORCE_WITHIN_MS);
    expect(await families()).toEqual([true, true]);
  });

  test("a newly started driver reports that everything must be applied first", async () => {
    const fresh = await way.drive(network.host, folder);
    await expect(fresh.applyAccess(NO_ACCESS_RULES)).rejects.toThrow("HostRefused");
    await fresh.process.kill("SIGKILL");
  });
});
