import { reason } from "@krug/domain/reasons";
import { parseConfig } from "@krug/wireguard/config-text";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";
import { HostRefused } from "../../../hosts/host.ts";

let club: Club;
let admin: Person;
let anna: Person;
let video: string;
let ads: string;
let place: { serverId: string; id: string };
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  anna = await club.member({ username: "anna" });
  const [tunnel] = (await club.as(admin).call("GET /admin/servers/interfaces", { query: {} })).body;
  place = { serverId: tunnel?.serverId ?? "", id: tunnel?.id ?? "" };
  video = await service({ name: "Video", ips: ["203.0.113.0/25", "203.0.113.128/25", "2001:db8::/32"] });
  ads = await service({ name: "Ads", ips: ["198.51.100.7"], exit: "closed" });
});
afterEach(() => club.stop());

const service = async (body: { name: string; ips: string[]; exit?: "direct" | "closed" }) => {
  const made = await club.as(admin).call("POST /services", { body });
  expect(made.code).toBeUndefined();
  return made.body.id;
};
type Change = { routing?: "device" | "server"; restExit?: "direct" | "closed" };
const change = (body: Change) =>
  club.as(admin).call("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params: place, body });
const device = async (owner: Person, wish: Parameters<typeof configInput>[2] = {}) => {
  const made = await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, wish) });
  expect(made.code).toBeUndefined();
  const [row] = await club.app.parts.configs.byIds(club.db, [made.body.id]);
  return { id: made.body.id, address: row?.address ?? "" };
};
const choose = (owner: Person, id: string, services: string[]) =>
  club.as(owner).call("PUT /vpn/configs/{id}", { params: { id }, body: { services } });
const card = async (owner: Person) => (await club.as(owner).call("GET /vpn/configs", { query: {} })).body[0];
const download = async (owner: Person, id: string) => {
  const { body } = await club.as(owner).call("GET /vpn/configs/{id}/qrcode", { params: { id } });
  return parseConfig(body.config);
};
const routed = () => club.host.access.routing;
/** The rules in force except that for names. */
const rules = () => (routed()?.rules ?? []).filter(({ onlyDns }) => onlyDns !== true);
const settled = () => club.settle();

describe("an interface of the first kind", () => {
  test("has no routing on its machine, and its files name the services, as before", async () => {
    const { id } = await device(anna, { services: [video] });
    expect(routed()).toBeUndefined();
    expect((await download(anna, id)).peer.allowedIps).toContain("203.0.113.0/24");
    expect(await card(anna)).toMatchObject({ routing: "device" });
  });
});

describe("names of services", () => {
  const name = "video.example";
  const confirm = () => club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  const edit = async (body: { sources: string[]; typed?: string; allBut?: boolean }) =>
    expect((await club.as(admin).call("PUT /services/{id}", { params: { id: video }, body })).code).toBeUndefined();
  beforeEach(async () => {
    club.names.known.set(name, { v4: ["203.0.113.7"], v6: [] });
    await confirm();
    await change({ routing: "server", restExit: "closed" });
    await device(anna, { services: [video] });
  });

  test("come to the machine with their service, also if the panel found no further address; without sources they go", async () => {
    expect(rules()).toMatchObject([{ networks: ["203.0.113.0/24", "2001:db8::/32"] }]);
    expect(rules()[0]?.names).toBeUndefined();
    await edit({ sources: [name] });
    await settled();
    expect(rules()).toMatchObject([{ names: { key: video.replaceAll("-", "").slice(0, 12), domains: [name] } }]);
    await edit({ sources: [] });
    await settled();
    expect(rules()[0]?.names).toBeUndefined();
  });

  test("of everything but a list do not", async () => {
    await edit({ sources: [name], typed: "192.0.2.1", allBut: true });
    await settled();
    expect(rules()[0]?.names).toBeUndefined();
  });

  test("a device's resolvers are each asked by themselves", async () => {
    const ofNames = routed()?.rules.find(({ onlyDns }) => onlyDns === true);
    expect(ofNames?.networks?.every((network) => /\/(32|128)$/.test(network))).toBe(true);
  });

  test("the server's card says why its machine does not resolve them, to those who may see what it reports", async () => {
    const card = async (query: { as?: "moderator" } = {}) =>
      (await club.as(admin).call("GET /admin/servers", { query })).body[0]?.namesUnresolved;
    expect(await card()).toBeNull();
    club.host.namesFailure = reason("names.no_program", { install: "apt-get install -y dnsmasq-base" });
    await edit({ sources: [name] });
    await club.app.parts.reconciler.reconcileAll();
    await settled();
    expect(await card()).toMatchObject({ code: "names.no_program" });
    expect(await card({ as: "moderator" })).toBeNull();
    club.host.namesFailure = null;
    await club.app.parts.reconciler.reconcileAll();
    await settled();
    expect(await card()).toBeNull();
  });
});

describe("an interface whose server routes", () => {
  test("sends everything to the server, which lets out what the device chose, closed services never", async () => {
    await change({ routing: "server", restExit: "closed" });
    const { id, address } = await device(anna, { services: [ads, video] });
    expect((await download(anna, id)).peer.allowedIps).toEqual(["0.0.0.0/0", "::/0"]);
    expect(routed()?.interfaces).toEqual(["wg0"]);
    expect(rules()).toEqual([
      { sources: [address], networks: ["198.51.100.7/32"], exit: "closed" },
      { sources: [address], networks: ["203.0.113.0/24", "2001:db8::/32"], exit: "direct" },
    ]);
    expect(routed()?.rules[0]).toMatchObject({ sources: [address], onlyDns: true, exit: "direct" });
    await change({ restExit: "direct" });
    await settled();
    expect(rules().at(-1)).toEqual({ sources: [address], networks: null, exit: "direct" });
  });

  test("a member changes services with no new file, and the server follows at once", async () => {
    await change({ routing: "server", restExit: "closed" });
    const { id, address } = await device(anna, { services: [video] });
    await download(anna, id);
    const answer = await choose(anna, id, [ads]);
    expect(answer.body).toMatchObject({ services: [ads], template: null, needsDownload: false });
    await settled();
    expect(rules()).toEqual([{ sources: [address], networks: ["198.51.100.7/32"], exit: "closed" }]);
  });

  test("so do staff for a member, audited; not where the file decides", async () => {
    const { id } = await device(anna, { services: [video] });
    const byStaff = (services: string[]) =>
      club.as(admin).call("PUT /admin/configs/{id}/services", { params: { id }, body: { services } });
    expect((await byStaff([ads])).code).toBe("config.not_routed");
    await change({ routing: "server", restExit: "closed" });
    expect((await byStaff([ads])).body).toMatchObject({ services: [ads] });
    await settled();
    expect(rules()).toMatchObject([{ networks: ["198.51.100.7/32"] }]);
    expect(await auditOf(club, id)).toMatchObject([
      { action: "config.services_chosen", before: { services: [video] }, after: { services: [ads] } },
    ]);
  });

  test("a service's new addresses or exit are in force at once, and nobody downloads anything", async () => {
    await change({ routing: "server" });
    const { id, address } = await device(anna, { services: [video] });
    await download(anna, id);
    const edit = (body: { ips?: string[]; exit?: "direct" | "closed" }) =>
      club.as(admin).call("PUT /services/{id}", { params: { id: video }, body });
    const effect = { params: { id: video }, body: { ips: ["192.0.2.0/24"] } };
    expect((await club.as(admin).call("POST /services/{id}/effect", effect)).body).toEqual({
      toDownload: 0,
      phonesOver: 0,
    });
    await edit({ ips: ["192.0.2.0/24"] });
    await settled();
    expect(rules()[0]).toEqual({ sources: [address], networks: ["192.0.2.0/24"], exit: "direct" });
    await edit({ exit: "closed" });
    await settled();
    expect(rules()[0]).toEqual({ sources: [address], networks: ["192.0.2.0/24"], exit: "closed" });
    expect(await card(anna)).toMatchObject({ needsDownload: false });
  });

  test("what the short way does not bring, the next round does", async () => {
    await change({ routing: "server" });
    const { id, address } = await device(anna, { services: [video] });
    // From here on the server has what a round computed.
    await club.app.parts.reconciler.reconcileAll();
    await settled();
    club.host.applyAccess = async () => {
      throw new HostRefused(reason("rules.no_firewall"));
    };
    await choose(anna, id, [ads]);
    await settled();
    expect(rules()[0]).toMatchObject({ sources: [address], networks: ["198.51.100.7/32"] });
  });

  test("a phone may choose more than its file could name", async () => {
    await change({ routing: "server" });
    const many = await service({ name: "Many", ips: Array.from({ length: 121 }, (_, at) => `5.0.${at}.0/24`) });
    const { id } = await device(anna, { deviceType: "phone", services: [many] });
    expect(await card(anna)).toMatchObject({ id, overPhoneLimit: false });
    await change({ routing: "device" });
    expect(await card(anna)).toMatchObject({ overPhoneLimit: true });
  });

  test("files are marked for a new download when the kind changes, either way", async () => {
    const { id } = await device(anna, { services: [video] });
    for (const routing of ["server", "device"] as const) {
      await download(anna, id);
      expect(await card(anna)).toMatchObject({ needsDownload: false });
      await change({ routing });
      expect(await card(anna)).toMatchObject({ routing, needsDownload: true });
    }
  });

  test("'would X reach Y' names the exit of each device and what decides it", async () => {
    await change({ routing: "server", restExit: "closed" });
    await device(anna, { name: "tablet", services: [video, ads] });
    const check = async (target: string) =>
      (await club.as(admin).call("GET /admin/rules/check", { query: { userId: anna.id, target } })).body;
    const exit = (address: string, exit: string, service: string | null) => [
      { device: "tablet", address, exit, service },
    ];
    expect(await check("203.0.113.9")).toMatchObject({
      verdict: "reaches",
      exits: exit("203.0.113.9", "direct", "Video"),
      beside: [],
    });
    for (const [address, service] of [
      ["198.51.100.7", "Ads"],
      ["192.0.2.1", null],
    ] as const)
      expect(await check(address)).toMatchObject({
        verdict: "closed",
        places: [{ by: "routing" }],
        exits: exit(address, "closed", service),
      });
  });

  test("'Не работает?' says what becomes of the rest", async () => {
    const { id } = await device(anna, { services: [video] });
    const rest = async () =>
      (await club.as(anna).call("GET /vpn/configs/{id}/diagnosis", { params: { id } })).body.restExit;
    expect(await rest()).toBeNull();
    await change({ routing: "server", restExit: "closed" });
    expect(await rest()).toBe("closed");
  });

  test("can be made so from the start, also on a server that has one", async () => {
    const create = (body: Change) =>
      club.as(admin).call("POST /admin/servers/{serverId}/create-interface", { params: place, body });
    for (const [body, names] of [
      [{ routing: "server", restExit: "closed" }, ["wg1"]],
      [{ routing: "server" }, ["wg1", "wg2"]],
    ] as const) {
      const { body: made } = await create(body);
      expect(made.interface).toMatchObject({ restExit: "direct", ...body });
      await settled();
      expect(routed()?.interfaces.toSorted()).toEqual(names);
    }
    expect((await create({})).body.interface).toMatchObject({ routing: "device" });
  });

  const withoutKernel = () => {
    club.host.inspect = (
      (inspect) => async () =>
        Object.assign(await inspect(), { backend: "netstack" as const })
    )(club.host.inspect);
  };

  test("a machine without a kernel for tunnels is refused, with the reason", async () => {
    withoutKernel();
    const answer = await change({ routing: "server" });
    const made = await club.as(admin).call("POST /admin/servers/{serverId}/create-interface", {
      params: place,
      body: { routing: "server" },
    });
    expect(made).toMatchObject({ status: 409, code: "interface.cannot_route" });
    expect(answer).toMatchObject({ status: 409, code: "interface.cannot_route" });
    expect(answer.message).toContain("ядр");
  });
});
