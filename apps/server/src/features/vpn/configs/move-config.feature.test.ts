import { parseConfig } from "@krug/wireguard/config-text";
import { generateKeyPair } from "@krug/wireguard/keys";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type NewPerson, type Person, startClub } from "../../../../testing/start-club.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let club: Club;
let admin: Person;
let boris: Person;
let serverId: string;
let first: string;
let second: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  boris = await club.member();
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  serverId = server?.id ?? "";
  second = await newInterface();
  first = (await club.app.parts.interfaces.all(club.db))[0]?.id ?? "";
});
afterEach(() => club.stop());

async function newInterface() {
  club.clock.advance(1_000);
  const made = await club.as(admin).send("POST", `/api/admin/servers/${serverId}/create-interface`, {});
  return (made.body as { interface: { id: string } }).interface.id;
}
const tokenOf = new Map<string, Person>();
/** A device on the first interface whose file is on it. */
async function device(owner = boris, about: Parameters<typeof configInput>[2] = {}) {
  const body = { ...(await configInput(club, owner, about)), interfaceId: first };
  const { id } = (await club.as(owner).call("POST /vpn/configs", { body })).body;
  tokenOf.set(id, owner);
  if (about.publicKey === undefined) await fileOf(id);
  return id;
}
const ownerOf = (id: string) => tokenOf.get(id) ?? boris;
const fileOf = async (id: string) =>
  parseConfig(String((await club.as(ownerOf(id)).call("GET /vpn/configs/{id}/download", { params: { id } })).body));
const moveTo = (id: string, interfaceId: string) => {
  club.clock.advance(1);
  return club.as(ownerOf(id)).call("PUT /vpn/configs/{id}", { params: { id }, body: { interfaceId } });
};
const moved = async (id: string, interfaceId = second) => {
  const answer = await moveTo(id, interfaceId);
  expect(answer.code).toBeUndefined();
  await club.settle();
  return answer.body;
};
const shown = async (id: string) =>
  (await club.as(ownerOf(id)).call("GET /vpn/configs")).body.find((one) => one.id === id);
const rowOf = async (id: string) => (await club.app.parts.configs.byIds(club.db, [id]))[0];
/** Names of the interfaces that pass this device's packets. */
const passesOn = async (id: string) => {
  const key = (await rowOf(id))?.public_key;
  return [...club.host.interfaces.values()]
    .filter(({ peers }) => peers.some(({ publicKey, allowedIps }) => publicKey === key && allowedIps.length > 0))
    .map(({ name }) => name)
    .sort();
};
const use = async (id: string, bytes: number, on: string, isConnected = true) => {
  const at = isConnected ? club.clock.now().getTime() : null;
  club.host.use((await rowOf(id))?.public_key ?? "", { rx: bytes, tx: bytes * 10 }, at as number, on);
};
const read = async () => {
  await club.app.parts.reconciler.readAll();
  await club.settle();
};
const fullLook = async () => {
  await club.app.lookAtServers();
  await club.settle();
};
const bytesOf = async (id: string) => {
  const { dataReceived, dataSent } = (await shown(id))?.stats ?? {};
  return [dataReceived, dataSent];
};
const usesOf = async () => {
  const rows = (await club.as(admin).call("GET /admin/statistics/breakdown", { query: { span: "day" } })).body;
  return rows.interfaces.map(({ id, configs, received, sent }) => [id, configs, received, sent]);
};

describe("a device that moves", () => {
  test("again right after it arrived, before anybody noticed, keeps the place that it uses by then", async () => {
    const third = await newInterface();
    const id = await device();
    await moved(id);
    club.clock.advance(1);
    await fileOf(id);
    await use(id, 1, "wg1");
    const { moving } = await moved(id, third);
    expect(await passesOn(id)).toEqual(["wg0", "wg1", "wg2"]);
    expect(moving).toMatchObject({ interfaceId: second });
    expect(Date.parse(moving?.until ?? "")).toBe(club.clock.now().getTime() + DAY_MS);
    await use(id, 2, "wg2");
    await read();
    expect(await passesOn(id)).toEqual(["wg2"]);
    expect(await bytesOf(id)).toEqual([30, 3]);
  });

  test("keeps its key, gets a new address, preshared key and server key, and must download its file again", async () => {
    const id = await device();
    const before = await fileOf(id);
    const answer = await moved(id);
    expect(answer).toMatchObject({ id, interfaceId: second, state: "applied", needsDownload: true, template: null });
    const after = await fileOf(id);
    expect(after.privateKey).toBe(before.privateKey);
    expect(after.addresses).toEqual(["10.8.1.2/32"]);
    expect(after.peer.publicKey).not.toBe(before.peer.publicKey);
    expect(after.peer.presharedKey).not.toBe(before.peer.presharedKey);
    expect(after.peer.endpoint).toMatchObject({ port: 51821 });
    expect((await shown(id))?.needsDownload).toBe(false);
  });

  test("may use both places until it connects at the new one, and shows until when and where", async () => {
    const id = await device();
    const old = (await fileOf(id)).peer.presharedKey;
    const { moving } = await moved(id);
    expect(moving).toEqual({
      until: new Date(club.clock.now().getTime() + DAY_MS).toISOString(),
      interfaceId: first,
      interfaceName: "Interface 1",
      serverName: expect.any(String),
    });
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
    const kept = club.host.devicesOn("wg0")[0];
    expect(kept).toMatchObject({ presharedKey: old, allowedIps: ["10.8.0.2/32"] });
    // Neither a full reading nor the old place's handshakes end it.
    await use(id, 10, "wg0");
    await fullLook();
    await read();
    await use(id, 10, "wg1", false);
    await read();
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
    await use(id, 10, "wg1");
    await read();
    expect(await passesOn(id)).toEqual(["wg1"]);
    expect((await shown(id))?.moving).toBeNull();
    await fullLook();
    expect(club.host.devicesOn("wg0")).toEqual([]);
  });

  test("has 24 hours for it, and then the old place ends in any case", async () => {
    const id = await device();
    await moved(id);
    club.clock.advance(DAY_MS - 1);
    await club.app.parts.configs.endMoves();
    await club.settle();
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
    club.clock.advance(1);
    await club.app.parts.configs.endMoves();
    await club.settle();
    expect(await passesOn(id)).toEqual(["wg1"]);
    expect((await shown(id))?.moving).toBeNull();
  });

  test("leaves nothing behind if its file was never downloaded", async () => {
    const owner = await club.member();
    const body = { ...(await configInput(club, owner)), interfaceId: first };
    const { id } = (await club.as(owner).call("POST /vpn/configs", { body })).body;
    tokenOf.set(id, owner);
    expect(await moved(id)).toMatchObject({ moving: null, needsDownload: false });
    expect(await passesOn(id)).toEqual(["wg1"]);
  });

  test("returns its old address once it is gone and counted", async () => {
    const id = await device();
    await moved(id);
    await use(id, 1, "wg1");
    await read();
    await fullLook();
    club.clock.advance(MINUTE_MS + 1);
    await club.app.parts.configs.purgePast();
    const next = await device(await club.member());
    expect((await rowOf(next))?.address).toBe("10.8.0.2");
  });

  test("whose key was made in the browser gets the new file without the key, as after a creation", async () => {
    const id = await device(boris, { publicKey: generateKeyPair().publicKey });
    const answer = await moved(id);
    expect(answer.template).toContain("Address = 10.8.1.2/32");
    expect(answer.template).not.toContain("PrivateKey = ");
    expect(answer).toMatchObject({ needsDownload: false, moving: { interfaceId: first } });
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
  });

  test("changes services and DNS with the move, and nothing happens if one part is refused", async () => {
    const id = await device();
    const body = { interfaceId: second, name: "bad name" };
    expect((await club.as(boris).call("PUT /vpn/configs/{id}", { params: { id }, body })).code).toBe(
      "config.name_invalid",
    );
    const unknown = { interfaceId: second, dns: "00000000-0000-4000-8000-000000000000" };
    expect((await club.as(boris).call("PUT /vpn/configs/{id}", { params: { id }, body: unknown })).code).toBe(
      "dns.unknown",
    );
    expect(await shown(id)).toMatchObject({ interfaceId: first, moving: null });
    const both = { interfaceId: second, name: "tablet" };
    expect((await club.as(boris).call("PUT /vpn/configs/{id}", { params: { id }, body: both })).body).toMatchObject({
      name: "tablet",
      interfaceId: second,
    });
  });
});

describe("bytes", () => {
  test("of both places are the device's, none lost and none twice, across readings, the end of the move and a reboot", async () => {
    const id = await device();
    await use(id, 100, "wg0");
    await read();
    await use(id, 5, "wg0");
    await moved(id);
    // Counters of one key on two interfaces of one machine, read together.
    await use(id, 20, "wg0");
    await use(id, 300, "wg1", false);
    await read();
    await read();
    expect(await bytesOf(id)).toEqual([4_250, 425]);
    club.host.reboot();
    await fullLook();
    await use(id, 7, "wg0");
    await use(id, 1, "wg1");
    await read();
    expect(await bytesOf(id)).toEqual([4_330, 433]);
    // It connected: the silenced peer's remaining bytes are counted when it goes.
    const key = (await rowOf(id))?.public_key;
    const silenced = club.host.devicesOn("wg0").find(({ publicKey }) => publicKey === key);
    if (silenced) silenced.rxBytes += 9;
    await fullLook();
    expect(await bytesOf(id)).toEqual([4_330, 442]);
    await fullLook();
    await read();
    expect(await bytesOf(id)).toEqual([4_330, 442]);
  });

  test("are in the statistics once, under the device's current interface", async () => {
    const [id, other] = [await device(), await device(await club.member())];
    await use(id, 100, "wg0");
    await use(other, 1, "wg0");
    await read();
    expect(await usesOf()).toEqual([[first, 2, 1_010, 101]]);
    await moved(id);
    await use(id, 2, "wg0");
    await use(id, 3, "wg1");
    await read();
    expect(await usesOf()).toEqual([
      [second, 1, 1_050, 105],
      [first, 1, 10, 1],
    ]);
  });

  test("of a reading started before the move and counted after it do not go to the new place", async () => {
    const id = await device();
    await use(id, 100, "wg0");
    await read();
    const row = await rowOf(id);
    const reading = { configId: id, interfaceId: first, publicKey: row?.public_key ?? "", lastHandshakeAt: null };
    await moved(id);
    await club.app.parts.traffic.count([{ ...reading, rxBytes: 150, txBytes: 1_000 }], { takes: () => true });
    expect(await bytesOf(id)).toEqual([1_000, 100]);
    await use(id, 50, "wg0");
    await read();
    expect(await bytesOf(id)).toEqual([1_500, 150]);
  });
});

describe("a device's state applies to both of its places", () => {
  const blocks: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    [
      "a block",
      () => club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: false } }),
      () => club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: true } }),
    ],
    [
      "blocked configs",
      () =>
        club.as(admin).call("PUT /users/{id}", {
          params: { id: boris.id },
          body: { isActive: false, blockConfigs: true },
        }),
      () =>
        club.as(admin).call("PUT /users/{id}", {
          params: { id: boris.id },
          body: { isActive: true, blockConfigs: false },
        }),
    ],
  ];
  test.each(blocks)("%s cuts both, and its end brings both back", async (_, block, unblock) => {
    const id = await device();
    await moved(id);
    await block();
    await club.settle();
    expect(await passesOn(id)).toEqual([]);
    await fullLook();
    expect(await passesOn(id)).toEqual([]);
    await unblock();
    await club.settle();
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
  });

  test("the end of a subscription cuts both", async () => {
    const until = club.clock.now().getTime() + 10 * MINUTE_MS;
    const owner = await club.member({ subscriptionEnd: until } satisfies NewPerson);
    const id = await device(owner);
    await moved(id);
    club.clock.advance(3 * DAY_MS);
    await club.app.parts.configs.cutEnded();
    await club.settle();
    expect(await passesOn(id)).toEqual([]);
  });

  test("access rules include both addresses", async () => {
    const id = await device();
    await moved(id);
    const rule = { type: "blacklist", target: "203.0.113.0/24", appliesTo: [boris.id] };
    expect((await club.as(admin).send("POST", "/api/admin/rules", rule)).status).toBe(201);
    await club.settle();
    expect(club.host.access.groups.flatMap(({ sources }) => sources).toSorted()).toEqual(["10.8.0.2", "10.8.1.2"]);
    expect(await passesOn(id)).toHaveLength(2);
  });

  test("deleting cuts both at once, and 'undo' restores both with the remaining time", async () => {
    const id = await device();
    const { moving } = await moved(id);
    club.clock.advance(1_000);
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    expect(await passesOn(id)).toEqual([]);
    club.clock.advance(30_000);
    await fullLook();
    await club.app.parts.configs.purgePast();
    expect(await passesOn(id)).toEqual([]);
    const back = await club.as(boris).call("POST /vpn/configs/{id}/restore", { params: { id } });
    expect(back.body).toMatchObject({ state: "applied", moving });
    await club.settle();
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
  });

  test("a deletion that is not undone returns both addresses", async () => {
    const id = await device();
    await moved(id);
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    await fullLook();
    club.clock.advance(2 * MINUTE_MS);
    await club.app.parts.configs.purgePast();
    const next = await device();
    expect((await rowOf(next))?.address).toBe("10.8.0.2");
    await moved(next);
    expect((await rowOf(next))?.address).toBe("10.8.1.2");
  });

  test("a new key ends the old place, because the lost device has its file", async () => {
    const id = await device();
    await moved(id);
    const lost = (await rowOf(id))?.public_key;
    await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id } });
    await club.settle();
    expect(club.host.peers().some(({ publicKey }) => publicKey === lost)).toBe(false);
    expect(await shown(id)).toMatchObject({ moving: null });
    expect(await passesOn(id)).toEqual(["wg1"]);
  });

  test("deleting the member leaves no peer and no secret", async () => {
    const id = await device();
    await moved(id);
    await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
    await club.settle();
    expect(club.host.peers()).toEqual([]);
    const rows = (await club.allRows()).get("configs") ?? [];
    expect(rows.map((row) => [row.sealed_preshared_key, row.sealed_private_key, row.peer_key])).toEqual([
      ["", null, null],
      ["", null, null],
    ]);
  });

  test("deleting the old interface ends the move, and deleting the new one deletes the device", async () => {
    const [id, other] = [await device(), await device(await club.member())];
    await moved(id);
    await moved(other);
    const remove = (interfaceId: string, configs: number) =>
      club.as(admin).send("DELETE", `/api/admin/servers/${serverId}/interfaces/${interfaceId}?configs=${configs}`);
    expect((await remove(first, 0)).status).toBeLessThan(300);
    await club.settle();
    expect(await shown(id)).toMatchObject({ moving: null, state: "applied" });
    expect((await remove(second, 2)).status).toBeLessThan(300);
    await club.settle();
    expect(club.host.peers()).toEqual([]);
    expect(await shown(id)).toBeUndefined();
  });
});

describe("a place counts once", () => {
  test("against the limit, in the member's list, in staff's, and in the data export", async () => {
    const owner = await club.member({ configLimit: 2 });
    const id = await device(owner);
    await moved(id);
    const second = await club
      .as(owner)
      .call("POST /vpn/configs", { body: await configInput(club, owner, { name: "b" }) });
    expect(second.code).toBeUndefined();
    const third = await club
      .as(owner)
      .call("POST /vpn/configs", { body: await configInput(club, owner, { name: "c" }) });
    expect(third.code).toBe("config.limit_reached");
    expect((await club.as(owner).call("GET /vpn/configs")).body).toHaveLength(2);
    const all = (await club.as(admin).call("GET /vpn/configs", { query: { scope: "all" } })).body;
    expect(all).toHaveLength(2);
    expect(all.find((one) => one.id === id)?.staff).toMatchObject({
      interfaceName: "Interface 2",
      address: "10.8.1.2",
      movingFrom: { address: "10.8.0.2", addressV6: null },
    });
    const own = (await club.as(owner).call("GET /users/me/export")).body as unknown as { configs: unknown[] };
    expect(own.configs).toHaveLength(2);
  });

  test("its row answers to no call, whoever asks", async () => {
    const id = await device();
    await moved(id);
    const place = ((await club.allRows()).get("configs") ?? []).find((row) => row.place_of === id)?.id as string;
    const params = { id: place };
    expect((await club.as(boris).call("GET /vpn/configs/{id}/download", { params })).code).toBe("config.not_found");
    expect((await club.as(boris).call("DELETE /vpn/configs/{id}", { params })).code).toBe("config.not_found");
    expect((await club.as(boris).call("POST /vpn/configs/{id}/restore", { params })).code).toBe("config.not_found");
    expect((await club.as(admin).call("DELETE /vpn/configs/{id}", { params })).code).toBe("config.not_found");
    const many = await club.as(admin).call("POST /admin/configs/delete", { body: { ids: [place] } });
    expect(many.body.deleted).toEqual([]);
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
  });
});

describe("where a device may move", () => {
  test("where its owner may create one, with the same refusals; another's device is not found", async () => {
    const id = await device();
    const vip = await newInterface();
    await club.app.parts.transact(async (tx) => {
      await club.app.parts.interfaces.assign(tx, boris.id, [first, second]);
    });
    expect((await moveTo(id, vip)).code).toBe("interface.not_available");
    expect((await moveTo(id, "00000000-0000-4000-8000-000000000000")).code).toBe("interface.unknown");
    await club.as(admin).send("PUT", `/api/admin/wireguard/${serverId}/interfaces/${second}`, { isActive: false });
    expect((await moveTo(id, second)).code).toBe("interface.inactive");
    const anna = await club.member();
    const answer = await club.as(anna).call("PUT /vpn/configs/{id}", { params: { id }, body: { interfaceId: second } });
    expect(answer.code).toBe("config.not_found");
    expect(await shown(id)).toMatchObject({ interfaceId: first, moving: null });
  });

  test("needs a free address there, and a deleted device's is free", async () => {
    const { transact, interfaces } = club.app.parts;
    await transact((tx) => interfaces.update(tx, second, { subnet: "10.8.1.0/30" }));
    const [id, other] = [await device(), await device(await club.member())];
    await moved(id);
    expect((await moveTo(other, second)).code).toBe("interface.full");
    expect(await shown(other)).toMatchObject({ interfaceId: first, moving: null });
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    await fullLook();
    await moved(other);
    expect(await passesOn(other)).toEqual(["wg0", "wg1"]);
  });

  test("the address of a place being left stays reserved, also while its owner may not use it", async () => {
    const { transact, interfaces } = club.app.parts;
    await transact((tx) => interfaces.update(tx, first, { subnet: "10.8.0.0/30" }));
    const id = await device();
    await moved(id);
    await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: false } });
    await fullLook();
    club.clock.advance(5 * MINUTE_MS);
    await club.app.parts.configs.purgePast();
    const anna = await club.member();
    const body = { ...(await configInput(club, anna)), interfaceId: first };
    expect((await club.as(anna).call("POST /vpn/configs", { body })).code).toBe("interface.full");
  });

  test("not back to where it has not left yet; later it can", async () => {
    const id = await device();
    await moved(id);
    expect((await moveTo(id, first)).code).toBe("config.still_there");
    await use(id, 1, "wg1");
    await read();
    // Silenced, and its last bytes are not counted yet.
    expect((await moveTo(id, first)).code).toBe("config.still_there");
    await fullLook();
    await moved(id, first);
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
    await use(id, 2, "wg0");
    await read();
    expect(await bytesOf(id)).toEqual([30, 3]);
    expect(await passesOn(id)).toEqual(["wg0"]);
  });

  test("can change on the way: the place it never used ends, the first one stays with its remaining time", async () => {
    const third = await newInterface();
    const id = await device();
    const { moving } = await moved(id);
    club.clock.advance(60 * MINUTE_MS);
    expect((await moved(id, third)).moving).toEqual(moving);
    expect(await passesOn(id)).toEqual(["wg0", "wg2"]);
    await use(id, 1, "wg2");
    await read();
    expect(await passesOn(id)).toEqual(["wg2"]);
  });
});

test("a move by staff is audited; a member's own is not", async () => {
  const [id, own] = [await device(), await device(await club.member())];
  await moved(own);
  const { configs, interfaces, auth } = club.app.parts;
  const actor = await auth.authenticate(admin.token, true);
  await club.transact(async (tx) => {
    const to = (await interfaces.places(tx)).get(second);
    const row = await configs.lockToMove(tx, id);
    if (row && to && actor) await configs.moveConfig(tx, row, to, actor.memberId);
  });
  await club.settle();
  expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
  expect(await auditOf(club, id)).toMatchObject([
    {
      action: "config.moved",
      actorId: admin.id,
      before: { interface: "Этот сервер: Interface 1" },
      after: { interface: "Этот сервер: Interface 2" },
    },
  ]);
  expect(await auditOf(club, own)).toEqual([]);
});

describe("an admin moves a member's device", () => {
  const moveFor = (who: Person, id: string, interfaceId: string) => {
    club.clock.advance(1);
    return club.as(who).call("PUT /admin/configs/{id}/interface", { params: { id }, body: { interfaceId } });
  };
  const noticesOf = async (person: Person) => (await club.as(person).call("GET /inbox")).body;

  test("the former place keeps working, the file must be downloaded again, and the member is notified until when", async () => {
    const id = await device();
    const answer = await moveFor(admin, id, second);
    expect(answer.body).toMatchObject({ id, interfaceId: second, needsDownload: true });
    await club.settle();
    expect(await passesOn(id)).toEqual(["wg0", "wg1"]);
    const until = new Date(club.clock.now().getTime() + DAY_MS).toISOString();
    expect(answer.body.moving?.until).toBe(until);
    const told = club.app.parts.clubTime.write(Date.parse(until));
    expect(await noticesOf(boris)).toMatchObject([{ kind: "config_moved", params: { name: "laptop", until: told } }]);
    expect(await auditOf(club, id)).toMatchObject([
      {
        action: "config.moved",
        actorId: admin.id,
        before: { interface: "Этот сервер: Interface 1" },
        after: { interface: "Этот сервер: Interface 2" },
      },
    ]);
    // Repeating it changes nothing.
    expect((await moveFor(admin, id, second)).status).toBe(200);
    expect(await noticesOf(boris)).toHaveLength(1);
  });

  test("to an AmneziaWG tunnel the notice says that it needs another app, within that type it does not", async () => {
    const hidden = async () => {
      const body = { amneziawg: { preset: "dns" as const } };
      const params = { serverId };
      return (await club.as(admin).call("POST /admin/servers/{serverId}/create-interface", { params, body })).body;
    };
    const id = await device();
    for (const { interface: to } of [await hidden(), await hidden()]) {
      await club.as(admin).call("POST /admin/servers/interfaces/assign", {
        body: { userId: boris.username, interfaceId: to.id },
      });
      expect((await moveFor(admin, id, to.id)).status).toBe(200);
      await club.settle();
    }
    expect((await noticesOf(boris)).map(({ params }) => params)).toMatchObject([
      { needsAmneziawg: false },
      { needsAmneziawg: true },
    ]);
  });

  test("one whose file nobody has leaves no former place behind", async () => {
    const body = { ...(await configInput(club, boris)), interfaceId: first };
    const { id } = (await club.as(boris).call("POST /vpn/configs", { body })).body;
    const { body: moved } = await moveFor(admin, id, second);
    expect(moved).toMatchObject({ moving: null, needsDownload: false });
    expect(await noticesOf(boris)).toMatchObject([{ kind: "config_moved", params: { until: null } }]);
  });

  test("not if only the device has the key, not to a place the member may not use, and only by an admin", async () => {
    const own = await device(boris, { name: "own-key", publicKey: generateKeyPair().publicKey });
    expect((await moveFor(admin, own, second)).code).toBe("config.key_in_browser");
    const id = await device();
    await club.app.parts.transact((tx) => club.app.parts.interfaces.assign(tx, boris.id, [first]));
    expect((await moveFor(admin, id, second)).code).toBe("interface.not_available");
    expect((await moveFor(await club.moderator(), id, second)).code).toBe("auth.forbidden");
    expect((await shown(id))?.moving).toBeNull();
    expect(await noticesOf(boris)).toEqual([]);
    await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
    expect((await moveFor(admin, id, second)).code).toBe("config.not_found");
  });
});

test("staff find a moving device by the address that it leaves", async () => {
  const id = await device();
  await moved(id);
  const listed = async (q: string) =>
    (await club.as(admin).call("GET /vpn/configs", { query: { scope: "all", q } })).body.map((one) => one.id);
  const typed = async (q: string) =>
    (await club.as(admin).call("GET /admin/search", { query: { q } })).body.configs.map((one) => one.id);
  for (const address of ["10.8.0.2", "10.8.1.2", "10.8."]) {
    expect(await listed(address), address).toEqual([id]);
    expect(await typed(address), address).toEqual([id]);
  }
  club.clock.advance(DAY_MS + 1);
  await club.app.parts.configs.endMoves();
  // The other one's second factor is a day old.
  admin = await club.admin();
  expect(await listed("10.8.0.2")).toEqual([]);
  expect(await typed("10.8.0.2")).toEqual([]);
});
