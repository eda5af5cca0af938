import { parseConfig } from "@krug/wireguard/config-text";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../dev/start-club.ts";
import { choices, wishFor } from "../../dev/wishes.ts";

let club: Club;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member();
});
afterEach(() => club.stop());

const make = async (owner: Person, name = "laptop") =>
  (await club.as(owner).call("POST /vpn/configs", { body: await wishFor(club, owner, { name }) })).body;
const fileOf = async (owner: Person, id: string) =>
  parseConfig(String((await club.as(owner).call("GET /vpn/configs/{id}/download", { params: { id } })).body));

describe("deleting and bringing back", () => {
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

  test("within 60 s it comes back with the same keys and address; after that it does not", async () => {
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

  test("bringing back does not pass the limit", async () => {
    const careful = await club.member({ configLimit: 1 });
    const { id } = await make(careful, "first");
    await club.as(careful).call("DELETE /vpn/configs/{id}", { params: { id } });
    await make(careful, "second");
    expect((await club.as(careful).call("POST /vpn/configs/{id}/restore", { params: { id } })).code).toBe(
      "config.limit_reached",
    );
  });

  test("once it cannot come back its keys are destroyed and its address is free again", async () => {
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

describe("an interface whose addresses run short", () => {
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

  test("deleted configs keep nobody from a place: living ones fill it to the last address", async () => {
    for (let round = 0; round < 3; round += 1) {
      const made = [];
      for (let number = 0; number < ROOM; number += 1) made.push(await make(crowd, `d-${number}`));
      expect(made.map(({ state }) => state)).toEqual(made.map(() => "applied"));
      expect(new Set(club.host.peers().flatMap(({ allowedIps }) => allowedIps)).size).toBe(ROOM);
      const body = await wishFor(club, crowd, { name: "one-more" });
      expect((await club.as(crowd).call("POST /vpn/configs", { body })).code).toBe("interface.full");
      for (const { id } of made) await remove(crowd, id);
    }
  });

  test("the address held the longest is given away, and only while nothing else is free; what lost it says so", async () => {
    const [first, second] = [await make(crowd, "first"), await make(crowd, "second")];
    await remove(crowd, first.id);
    club.clock.advance(1_000);
    await remove(crowd, second.id);
    const addresses = [await addressOf(first.id), await addressOf(second.id)];
    // Three addresses were never given out.
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

  test("what nobody can bring back goes before what its owner still may", async () => {
    const [own, byStaff] = [await make(crowd, "own"), await make(crowd, "by-staff")];
    await remove(crowd, own.id);
    club.clock.advance(1_000);
    await remove(admin, byStaff.id);
    for (let number = 0; number < ROOM - 1; number += 1) await make(crowd, `d-${number}`);
    expect((await restore(crowd, own.id)).body).toMatchObject({ id: own.id, state: "applied" });
  });

  test("an address is not given away while the old peer may still be on the wire", async () => {
    const lost = await make(crowd, "lost");
    for (let number = 0; number < ROOM - 1; number += 1) await make(crowd, `d-${number}`);
    club.host.away = "unplugged";
    await remove(crowd, lost.id);
    const body = await wishFor(club, crowd, { name: "heir" });
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
  test("same name and address, new keys, and the old key is off the wire at once", async () => {
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
});

describe("who sees what", () => {
  test("another's config can be neither read, downloaded, changed nor counted", async () => {
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

  test("staff see everyone's only with the second factor, and a moderator no VIP's", async () => {
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

  test("page by page a moderator meets no trace of a VIP, and everyone meets each config once", async () => {
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

  test("staff find configs by how the name begins, underscores and all", async () => {
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

  test("no private key and no preshared key stands in clear in the database or in any list", async () => {
    const { id } = await make(boris);
    const { privateKey, peer } = await fileOf(boris, id);
    const row = JSON.stringify(await club.app.parts.configs.byIds(club.db, [id]));
    expect(row).not.toContain(privateKey);
    expect(row).not.toContain(peer.presharedKey);
    expect(JSON.stringify((await club.as(boris).call("GET /vpn/configs")).body)).not.toContain('ey":"');
  });
});

describe("edits of what a config is made from", () => {
  test("a changed service marks the files that were given out; downloading again clears it; a used one cannot be deleted", async () => {
    const admin = await club.admin();
    const { services } = await choices(club, boris);
    const serviceId = services[0] ?? "";
    const given = await make(boris, "given");
    await make(boris, "never-given");
    await fileOf(boris, given.id);
    await club.as(admin).call("PUT /services/{id}", { params: { id: serviceId }, body: { ips: ["1.2.3.0/24"] } });
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
