import { covers } from "@krug/wireguard/addresses";
import { parseConfig } from "@krug/wireguard/config-text";
import { generateKeyPair } from "@krug/wireguard/keys";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { choices, configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member();
});
afterEach(() => club.stop());

const make = async (owner: Person, name = "laptop") =>
  (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) })).body;
const fileOf = async (owner: Person, id: string) =>
  parseConfig(String((await club.as(owner).call("GET /vpn/configs/{id}/download", { params: { id } })).body));

describe("deleting and restoring", () => {
  test("deleting cuts the peer at once; a second time answers the same; others' and unknown configs are not found", async () => {
    const { id } = await make(boris);
    const anna = await club.member();
    expect((await club.as(anna).call("DELETE /vpn/configs/{id}", { params: { id } })).code).toBe("config.not_found");
    expect((await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } })).status).toBe(204);
    expect(club.host.peers()).toEqual([]);
    expect((await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } })).status).toBe(204);
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect((await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: unknown } })).status).toBe(404);
  });

  test("within 60 s it comes back with the same keys and address; later it cannot", async () => {
    const { id } = await make(boris);
    const before = await fileOf(boris, id);
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    club.clock.advance(59_000);
    const back = await club.as(boris).call("POST /vpn/configs/{id}/restore", { params: { id } });
    expect(back.body.state).toBe("applied");
    expect(await fileOf(boris, id)).toEqual(before);

    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    club.clock.advance(61_000);
    expect((await club.as(boris).call("POST /vpn/configs/{id}/restore", { params: { id } })).code).toBe(
      "config.restore_too_late",
    );
  });

  test("restoring cannot exceed the limit", async () => {
    const careful = await club.member({ configLimit: 1 });
    const { id } = await make(careful, "first");
    await club.as(careful).call("DELETE /vpn/configs/{id}", { params: { id } });
    await make(careful, "second");
    expect((await club.as(careful).call("POST /vpn/configs/{id}/restore", { params: { id } })).code).toBe(
      "config.limit_reached",
    );
  });

  test("once it cannot be restored its keys are destroyed and its address is free again", async () => {
    const { id } = await make(boris);
    const { addresses } = await fileOf(boris, id);
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    club.clock.advance(61_000);
    await club.app.parts.configs.purgePast();
    const next = await make(await club.member());
    expect((await club.app.parts.configs.byIds(club.db, [id]))[0]).toMatchObject({
      address: "",
      sealed_private_key: null,
      sealed_preshared_key: "",
    });
    expect(addresses).toEqual([club.host.peers()[0]?.allowedIps[0]]);
    expect(next.state).toBe("applied");
  });
});

describe("an interface that runs out of addresses", () => {
  const ROOM = 5;
  const remove = (owner: Person, id: string) => club.as(owner).call("DELETE /vpn/configs/{id}", { params: { id } });
  const restore = (owner: Person, id: string) =>
    club.as(owner).call("POST /vpn/configs/{id}/restore", { params: { id } });
  const addressOf = async (id: string) => (await club.app.parts.configs.byIds(club.db, [id]))[0]?.address;
  let crowd: Person;
  let admin: Person;
  beforeEach(async () => {
    const { transact, interfaces } = club.app.parts;
    const [only] = await interfaces.all(club.db);
    await transact((tx) => interfaces.update(tx, only?.id ?? "", { subnet: "10.8.0.0/29" }));
    crowd = await club.member({ configLimit: 20 });
    admin = await club.admin();
  });

  test("deleted configs block no address: existing ones can fill the interface", async () => {
    for (let round = 0; round < 3; round += 1) {
      const made = [];
      for (let number = 0; number < ROOM; number += 1) made.push(await make(crowd, `d-${number}`));
      expect(made.map(({ state }) => state)).toEqual(made.map(() => "applied"));
      expect(new Set(club.host.peers().flatMap(({ allowedIps }) => allowedIps)).size).toBe(ROOM);
      const body = await configInput(club, crowd, { name: "one-more" });
      expect((await club.as(crowd).call("POST /vpn/configs", { body })).code).toBe("interface.full");
      for (const { id } of made) await remove(crowd, id);
    }
  });

  test("the address held the longest is reassigned, and only when no other is free; its former config says so", async () => {
    const [first, second] = [await make(crowd, "first"), await make(crowd, "second")];
    await remove(crowd, first.id);
    club.clock.advance(1_000);
    await remove(crowd, second.id);
    const addresses = [await addressOf(first.id), await addressOf(second.id)];
    // Three addresses were never assigned.
    const others = [];
    for (let number = 0; number < ROOM - 2; number += 1) others.push(await make(crowd, `d-${number}`));
    expect([await addressOf(first.id), await addressOf(second.id)]).toEqual(addresses);
    const heir = await make(crowd, "heir");
    expect(await addressOf(heir.id)).toBe(addresses[0]);
    expect((await restore(crowd, first.id)).code).toBe("config.address_given");
    expect((await restore(crowd, second.id)).body).toMatchObject({ id: second.id, state: "applied" });
    expect(await addressOf(second.id)).toBe(addresses[1]);
    expect(club.host.peers()).toHaveLength(ROOM);
  });

  test("configs that nobody can restore lose theirs before those that can be", async () => {
    const [own, byStaff] = [await make(crowd, "own"), await make(crowd, "by-staff")];
    await remove(crowd, own.id);
    club.clock.advance(1_000);
    await remove(admin, byStaff.id);
    for (let number = 0; number < ROOM - 1; number += 1) await make(crowd, `d-${number}`);
    expect((await restore(crowd, own.id)).body).toMatchObject({ id: own.id, state: "applied" });
  });

  test("an address is not reassigned while the old peer may still be on the wire", async () => {
    const lost = await make(crowd, "lost");
    for (let number = 0; number < ROOM - 1; number += 1) await make(crowd, `d-${number}`);
    club.host.away = "unplugged";
    await remove(crowd, lost.id);
    const body = await configInput(club, crowd, { name: "heir" });
    expect((await club.as(crowd).call("POST /vpn/configs", { body })).code).toBe("interface.full");
    club.host.away = null;
    await club.app.lookAtServers();
    await club.settle();
    const address = await addressOf(lost.id);
    expect(await addressOf((await make(crowd, "heir")).id)).toBe(address);
    expect(club.host.peers()).toHaveLength(ROOM);
  });
});

describe("replacing the key", () => {
  test("keeps name and address, makes new keys, and the old key leaves the wire at once", async () => {
    const { id, name } = await make(boris);
    const before = await fileOf(boris, id);
    const changed = await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id } });
    expect(changed.body).toMatchObject({ name, state: "applied" });
    const after = await fileOf(boris, id);
    expect(after.addresses).toEqual(before.addresses);
    expect(after.privateKey).not.toBe(before.privateKey);
    expect(after.peer.presharedKey).not.toBe(before.peer.presharedKey);
    expect(club.host.peers().map((peer) => peer.presharedKey)).toEqual([after.peer.presharedKey]);
  });

  const replace = (id: string, key: string, body: { publicKey?: string } = {}) =>
    club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id }, body, headers: { "idempotency-key": key } });

  test("the same request again, even at the same moment, makes no more keys", async () => {
    const { id } = await make(boris);
    const [one, other] = await Promise.all([replace(id, "lost"), replace(id, "lost")]);
    expect([one.status, other.status]).toEqual([200, 200]);
    const file = await fileOf(boris, id);
    expect((await replace(id, "lost")).status).toBe(200);
    expect(await fileOf(boris, id)).toEqual(file);
    await replace(id, "another");
    expect((await fileOf(boris, id)).privateKey).not.toBe(file.privateKey);
  });

  test("a browser's own key is not 'taken' when its request is repeated", async () => {
    const { id } = await make(boris);
    const { publicKey } = generateKeyPair();
    const [first, again] = [await replace(id, "lost", { publicKey }), await replace(id, "lost", { publicKey })];
    expect(again.body).toEqual(first.body);
    expect(club.host.peers().map((peer) => peer.publicKey)).toEqual([publicKey]);
    // The same request with other data, and another request with that key.
    for (const body of [{ publicKey: generateKeyPair().publicKey }, {}])
      expect((await replace(id, "lost", body)).code).toBe("request.idempotency_mismatch");
    expect((await replace(id, "another", { publicKey })).code).toBe("config.key_taken");
  });
});

describe("changing a device without recreating it", () => {
  type Change = { name?: string; services?: string[]; dns?: string };
  const change = (owner: Person, id: string, body: Change) =>
    club.as(owner).call("PUT /vpn/configs/{id}", { params: { id }, body });
  const newService = async (about: { ips: string[]; deviceTypes?: ("all" | "computer" | "phone")[] }) => {
    const body = { name: `service of ${about.ips.length}`, deviceTypes: ["all" as const], ...about };
    return (await club.as(await club.admin()).call("POST /services", { body })).body.id;
  };
  const own = async (owner: Person) => (await club.as(owner).call("GET /vpn/configs")).body;

  test("a rename changes nothing on the wire and no file", async () => {
    const { id } = await make(boris);
    const [before, peers] = [await fileOf(boris, id), club.host.peers()];
    expect((await change(boris, id, { name: "my-laptop" })).body).toMatchObject({ name: "my-laptop", template: null });
    expect(await own(boris)).toMatchObject([{ name: "my-laptop", state: "applied", needsDownload: false }]);
    expect([await fileOf(boris, id), club.host.peers()]).toEqual([before, peers]);
    // The same name in other case is its own.
    expect((await change(boris, id, { name: "My-Laptop" })).body.name).toBe("My-Laptop");
  });

  test("a name must be valid for a new config", async () => {
    const [{ id }] = [await make(boris, "one"), await make(boris, "two")];
    expect((await change(boris, id, { name: "TWO" })).code).toBe("config.name_taken");
    expect((await change(boris, id, { name: "мой" })).code).toBe("config.name_invalid");
    expect((await change(boris, id, { name: "com1" })).code).toBe("config.name_invalid");
    expect((await own(boris)).map(({ name }) => name).toSorted()).toEqual(["one", "two"]);
  });

  test("other services and DNS are in the next file; key, address and peer stay, and the card asks to download it", async () => {
    const { id } = await make(boris);
    const [before, peers] = [await fileOf(boris, id), club.host.peers()];
    const service = await newService({ ips: ["203.0.113.0/24"] });
    const dns = (await club.as(boris).call("GET /dns")).body[1];
    const changed = await change(boris, id, { services: [service], dns: dns?.id ?? "" });
    expect(changed.body).toMatchObject({ services: [service], dns: dns?.id, needsDownload: true, template: null });
    expect(club.host.peers()).toEqual(peers);
    const after = await fileOf(boris, id);
    expect(after.peer.allowedIps).toContain("203.0.113.0/24");
    expect(after.peer.allowedIps).not.toContain("0.0.0.0/0");
    // The device has no IPv6 in its tunnel.
    expect(after.dns).toEqual(dns?.ips.filter((address) => !address.includes(":")));
    expect([after.privateKey, after.addresses]).toEqual([before.privateKey, before.addresses]);
    expect(await own(boris)).toMatchObject([{ needsDownload: false }]);
    // An unchanged value is not a change.
    expect((await change(boris, id, { services: [service], dns: dns?.id ?? "" })).body.needsDownload).toBe(false);
  });

  test("a file that was never downloaded needs no second download", async () => {
    const { id } = await make(boris);
    const service = await newService({ ips: ["203.0.113.0/24"] });
    expect((await change(boris, id, { services: [service] })).body.needsDownload).toBe(false);
  });

  test("where only the device has the key, the answer has the new file without it", async () => {
    const body = await configInput(club, boris, { publicKey: generateKeyPair().publicKey });
    const { id } = (await club.as(boris).call("POST /vpn/configs", { body })).body;
    const service = await newService({ ips: ["203.0.113.0/24"] });
    const changed = (await change(boris, id, { services: [service] })).body;
    expect(changed).toMatchObject({ keyOrigin: "browser", needsDownload: false });
    expect(changed.template).toMatch(/^AllowedIPs = .*203\.0\.113\.0\/24/m);
    expect((await change(boris, id, { name: "mine" })).body.template).toBeNull();
  });

  test("the rules of a new config apply: limits of a phone, kinds of device, existing entries", async () => {
    const phone = (
      await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { deviceType: "phone" }) })
    ).body.id;
    const much = await newService({ ips: Array.from({ length: 121 }, (_, n) => `10.1.${n}.0/24`) });
    const forComputers = await newService({ ips: ["203.0.113.0/24"], deviceTypes: ["computer"] });
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect((await change(boris, phone, { services: [much] })).code).toBe("config.phone_limit");
    expect((await change(boris, phone, { services: [forComputers] })).code).toBe("service.wrong_device");
    expect((await change(boris, phone, { services: [unknown] })).code).toBe("service.unknown");
    expect((await change(boris, phone, { dns: unknown })).code).toBe("dns.unknown");
    const admin = await club.admin();
    expect((await change(admin, phone, { name: "theirs" })).code).toBe("config.not_found");
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: phone } });
    expect((await change(boris, phone, { name: "gone" })).code).toBe("config.not_found");
  });

  test("all or nothing: a refused part leaves the rest unchanged", async () => {
    const { id, services } = await make(boris);
    const wish = { name: "other", services, dns: "00000000-0000-4000-8000-000000000000" };
    expect((await change(boris, id, wish)).code).toBe("dns.unknown");
    expect(await own(boris)).toMatchObject([{ name: "laptop", services }]);
  });

  test("an expired member may rename configs, and their data export names what they chose", async () => {
    const vera = await club.member({ subscriptionEnd: club.clock.now().getTime() + 3_600_000 });
    const { id } = await make(vera);
    const service = await newService({ ips: ["203.0.113.0/24"] });
    club.clock.advance(2 * 3_600_000);
    expect((await change(vera, id, { name: "old", services: [service] })).body).toMatchObject({ state: "off" });
    const data = await club.as(vera).call("GET /users/me/export");
    expect(JSON.stringify(data.body)).toContain("service of 1");
  });
});

describe("who may see configs", () => {
  test("another member's config can be neither read, downloaded, changed nor counted", async () => {
    const { id } = await make(boris);
    const anna = await club.member();
    const theirs = club.as(anna);
    for (const key of [
      "GET /vpn/configs/{id}/download",
      "GET /vpn/configs/{id}/qrcode",
      "GET /vpn/configs/{id}/stats",
      "GET /vpn/stats/{id}",
    ] as const)
      expect((await theirs.call(key, { params: { id } })).code).toBe("config.not_found");
    for (const key of ["POST /vpn/configs/{id}/restore", "POST /vpn/configs/{id}/key"] as const)
      expect((await theirs.call(key, { params: { id } })).code).toBe("config.not_found");
    expect((await theirs.call("GET /vpn/configs/{id}", { params: { id: boris.id } })).code).toBe("auth.not_yourself");
    expect((await theirs.call("GET /vpn/configs", { query: { scope: "all" } })).code).toBe("auth.forbidden");
    expect((await theirs.call("GET /vpn/configs")).body).toEqual([]);
  });

  test("staff see everyone's only with the second factor, and a moderator no VIP member's", async () => {
    const vip = await club.member({ row: { is_vip: 1 } });
    await make(boris);
    await make(vip);
    const all = { query: { scope: "all" } as const };
    const notElevated = await club.moderator({ elevated: false });
    expect((await club.as(notElevated).call("GET /vpn/configs", all)).code).toBe("auth.two_factor_required");
    const seen = (await club.as(await club.moderator()).call("GET /vpn/configs", all)).body;
    expect(seen.map((config) => config.userId)).toEqual([boris.id]);
    expect((await club.as(await club.admin()).call("GET /vpn/configs", all)).body).toHaveLength(2);
  });

  test("page by page a moderator finds no trace of a VIP member, and everyone finds each config once", async () => {
    const vip = await club.member({ row: { is_vip: 1 }, configLimit: 9 });
    const plain = [await make(boris, "one"), await make(boris, "two"), await make(boris, "three")];
    const hidden: string[] = [];
    for (let i = 0; i < 9; i++) hidden.push((await make(vip, `vip-${i}`)).id);
    const pagesFor = async (staff: Person) => {
      const pages: string[][] = [];
      const cursors: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const query = { scope: "all", limit: 2, ...(cursor === undefined ? {} : { cursor }) } as const;
        const { body, headers } = await club.as(staff).call("GET /vpn/configs", { query });
        pages.push(body.map((config) => config.id));
        cursor = headers.get("x-next-cursor") ?? undefined;
        if (cursor === undefined) return { pages, cursors };
        cursors.push(cursor);
      }
    };
    const { pages, cursors } = await pagesFor(await club.moderator());
    expect(pages.map((page) => page.length)).toEqual([2, 1]);
    expect(pages.flat().sort()).toEqual(plain.map((config) => config.id).sort());
    expect(cursors.filter((cursor) => hidden.includes(cursor))).toEqual([]);
    expect((await pagesFor(await club.admin())).pages.flat().sort()).toEqual([...pages.flat(), ...hidden].sort());
  });

  test("staff find configs by the beginning of the name, underscores included", async () => {
    await make(boris, "my_phone");
    await make(boris, "myphone");
    const admin = club.as(await club.admin());
    const namesFor = async (q: string) =>
      (await admin.call("GET /vpn/configs", { query: { scope: "all", q } })).body.map((config) => config.name).sort();
    expect(await namesFor("MY_P")).toEqual(["my_phone"]);
    expect(await namesFor("my")).toEqual(["my_phone", "myphone"]);
    expect(await namesFor("%")).toEqual([]);
    expect(await namesFor("\\")).toEqual([]);
  });

  test("no private or preshared key is in plain text in the database or in any list", async () => {
    const { id } = await make(boris);
    const { privateKey, peer } = await fileOf(boris, id);
    const row = JSON.stringify(await club.app.parts.configs.byIds(club.db, [id]));
    expect(row).not.toContain(privateKey);
    expect(row).not.toContain(peer.presharedKey);
    expect(JSON.stringify((await club.as(boris).call("GET /vpn/configs")).body)).not.toContain('ey":"');
  });
});

describe("edits of what a config is built from", () => {
  test("a changed service marks downloaded files; downloading again clears the mark; a service in use cannot be deleted", async () => {
    const admin = await club.admin();
    const { services } = await choices(club, boris);
    const serviceId = services[0] ?? "";
    const given = await make(boris, "given");
    await make(boris, "never-given");
    const setIps = (...ips: string[]) =>
      club.as(admin).call("PUT /services/{id}", { params: { id: serviceId }, body: { ips } });
    await setIps("192.0.2.0/24");
    club.clock.advance(1_000);
    await fileOf(boris, given.id);
    await setIps("1.2.3.0/24");
    await club.settle();
    const flags = async () =>
      Object.fromEntries(
        (await club.as(boris).call("GET /vpn/configs")).body.map((config) => [config.name, config.needsDownload]),
      );
    expect(await flags()).toEqual({ given: true, "never-given": false });
    expect((await fileOf(boris, given.id)).peer.allowedIps).toContain("1.2.3.0/24");
    expect(await flags()).toEqual({ given: false, "never-given": false });
    const refused = await club.as(admin).call("DELETE /services/{id}", { params: { id: serviceId } });
    expect([refused.status, refused.code]).toEqual([409, "service.in_use"]);
  });
});

describe("the server's own address stays out of a device's routes", () => {
  const serverIs = async (endpoint: string) => {
    const admin = await club.admin();
    const server = (await club.as(admin).call("GET /admin/servers")).body[0]!;
    await club.as(admin).call("PUT /admin/servers/{id}", { params: { id: server.id }, body: { endpoint } });
    await club.app.parts.interfaces.timed[0]!.run();
  };
  const serviceOf = async (...ips: string[]) =>
    (await club.as(await club.admin()).call("POST /services", { body: { name: `S${ips.join()}`.slice(0, 60), ips } }))
      .body.id;
  const deviceWith = async (services: string[], name = "laptop") =>
    (
      await club
        .as(boris)
        .call("POST /vpn/configs", { body: { ...(await configInput(club, boris, { name })), services } })
    ).body.id;
  const routesOf = async (id: string) => (await fileOf(boris, id)).peer.allowedIps;

  test("if a service has the server's network; all of IPv4 stays as it is", async () => {
    await serverIs("203.0.113.5");
    const id = await deviceWith([await serviceOf("203.0.113.4/30")]);
    expect(await routesOf(id)).toEqual(expect.arrayContaining(["203.0.113.4/32", "203.0.113.6/31"]));
    expect(covers(await routesOf(id), "203.0.113.5")).toBe(false);
    const all = await deviceWith([await serviceOf("0.0.0.0/1", "128.0.0.0/1")], "all");
    expect(await routesOf(all)).toContain("0.0.0.0/0");
  });

  test("every address of its name; when that changes, only files with the new address are marked", async () => {
    club.names.known.set("vpn.example.org", { v4: ["203.0.113.5", "203.0.113.9"], v6: ["2001:db8::5"] });
    await serverIs("vpn.example.org");
    const id = await deviceWith([await serviceOf("203.0.113.0/24", "2001:db8::/64")]);
    const other = await deviceWith([await serviceOf("192.0.2.0/24")], "other");
    const all = await deviceWith([await serviceOf("0.0.0.0/0")], "all");
    const own = () => ["203.0.113.5", "203.0.113.9", "2001:db8::5"];
    const held = async (addresses: string[]) => {
      const routes = await routesOf(id);
      return addresses.filter((address) => covers(routes, address));
    };
    expect(await held(own())).toEqual([]);
    await Promise.all([routesOf(other), routesOf(all)]);

    club.names.known.set("vpn.example.org", { v4: ["203.0.113.77"], v6: [] });
    await club.app.parts.interfaces.timed[0]!.run();
    expect(await held(["203.0.113.77"])).toEqual(["203.0.113.77"]);
    club.clock.advance(5 * 60_000);
    await club.app.parts.interfaces.timed[0]!.run();
    const marked = (await club.as(boris).call("GET /vpn/configs")).body.filter((config) => config.needsDownload);
    expect(marked.map((config) => config.id)).toEqual([id]);
    expect(await held([...own(), "203.0.113.77"])).toEqual(["203.0.113.5", "203.0.113.9", "2001:db8::5"]);

    // No resolver answers: the known addresses stay.
    club.names.away = true;
    club.clock.advance(5 * 60_000);
    await club.app.parts.interfaces.timed[0]!.run();
    expect(await held(["203.0.113.77"])).toEqual([]);
  });

  test("a service with nothing else still makes a file", async () => {
    await serverIs("1.1.1.1");
    const service = await serviceOf("1.1.1.1");
    const admin = await club.admin();
    const { id: dns } = (await club.as(admin).call("POST /dns", { body: { name: "Own", ips: ["1.1.1.1"] } })).body;
    const body = { ...(await configInput(club, boris)), services: [service], dns };
    const { id } = (await club.as(boris).call("POST /vpn/configs", { body })).body;
    expect(await routesOf(id)).toEqual(["10.8.0.0/24"]);
  });
});
