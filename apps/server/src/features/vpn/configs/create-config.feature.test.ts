import { parseConfig } from "@krug/wireguard/config-text";
import { generateKeyPair } from "@krug/wireguard/keys";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
beforeAll(async () => {
  club = await startClub();
});
afterAll(() => club.stop());

describe("a member creates a config", () => {
  test("the answer says applied, the peer is on the interface, and the file is a wg-quick file for it", async () => {
    const boris = await club.member();
    const made = await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: "laptop",
      state: "applied",
      userId: boris.id,
      keyOrigin: "panel",
      template: null,
    });

    const file = await club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id: made.body.id } });
    expect(file.headers.get("content-disposition")).toBe('attachment; filename="laptop.conf"');
    expect(file.headers.get("cache-control")).toBe("no-store");
    const config = parseConfig(String(file.body));
    const peer = club.host.peers().find((candidate) => candidate.allowedIps[0] === config.addresses[0]);
    expect(peer?.presharedKey).toBe(config.peer.presharedKey);
    expect(config.peer).toMatchObject({ endpoint: { host: "198.51.100.7", port: 51820 }, persistentKeepalive: 25 });
    expect(config.peer.publicKey).toBe(club.host.interfaces.get("wg0")?.publicKey);
    expect(config.peer.allowedIps).toEqual(["0.0.0.0/0", "::/0"]);
  });

  test("the four checks are the server's, in their order and with their texts", async () => {
    const wish = await configInput(club, await club.member());
    const ru = { "accept-language": "ru" };
    const expired = await club.member({ subscriptionEnd: club.clock.now().getTime() - 1 });
    expect((await club.as(expired).call("POST /vpn/configs", { body: wish, headers: ru })).message).toBe(
      "У вас истекла подписка. Для создания конфигурации необходима активная подписка.",
    );
    const full = await club.member({ configLimit: 0 });
    const refused = await club.as(full).call("POST /vpn/configs", { body: wish, headers: ru });
    expect([refused.status, refused.message]).toEqual([409, "Достигнут лимит конфигураций"]);
    const expiredAndFull = await club.member({ configLimit: 0, subscriptionEnd: null });
    expect((await club.as(expiredAndFull).call("POST /vpn/configs", { body: wish })).code).toBe(
      "subscription.inactive",
    );
  });

  test("a name is 1-15 Latin letters, digits, hyphens and underscores, and no Windows device", async () => {
    const boris = await club.member({ configLimit: -1 });
    const wish = await configInput(club, boris);
    for (const name of [
      "",
      "a b",
      "ноутбук",
      "a".repeat(16),
      "con",
      "LPT1",
      "a\nb",
      "a;rm",
      "$(id)",
      "a'b",
      'a"b',
      "../x",
    ]) {
      const answer = await club
        .as(boris)
        .call("POST /vpn/configs", { body: { ...wish, name }, headers: { "accept-language": "ru" } });
      expect([name, answer.status, answer.message]).toEqual([name, 400, "Некорректное имя конфигурации"]);
    }
    expect((await club.as(boris).call("GET /vpn/configs")).body).toEqual([]);
  });

  test("one member's names are unique regardless of case; another member may use them too", async () => {
    const [boris, anna] = [await club.member(), await club.member()];
    const wish = await configInput(club, boris, { name: "Phone" });
    expect((await club.as(boris).call("POST /vpn/configs", { body: wish })).status).toBe(201);
    expect((await club.as(boris).call("POST /vpn/configs", { body: { ...wish, name: "phone" } })).code).toBe(
      "config.name_taken",
    );
    expect((await club.as(anna).call("POST /vpn/configs", { body: wish })).status).toBe(201);
  });

  test("any invalid body is refused with the field's name and changes nothing", async () => {
    const boris = await club.member();
    const wish = await configInput(club, boris);
    const stranger = "00000000-0000-4000-8000-000000000000";
    const hostile: [string, unknown][] = [
      ["name", { ...wish, name: 5 }],
      ["name", { ...wish, name: "a\u0000b" }],
      ["deviceType", { ...wish, deviceType: "toaster" }],
      ["services", { ...wish, services: [] }],
      ["services", { ...wish, services: "all" }],
      ["services", { ...wish, services: [stranger] }],
      ["services.0", { ...wish, services: ["'; drop table configs; --"] }],
      ["dns", { ...wish, dns: stranger }],
      ["dns", { ...wish, dns: null }],
      ["interfaceId", { ...wish, interfaceId: stranger }],
      ["publicKey", { ...wish, publicKey: "not a key" }],
      ["publicKey", { ...wish, publicKey: `${"A".repeat(43)}=\n` }],
      ["userId", { ...wish, userId: stranger }],
      ["extra", { ...wish, extra: 1 }],
    ];
    for (const [field, body] of hostile) {
      const answer = await club.as(boris).send("POST", "/api/vpn/configs", body);
      const details = (answer.body as { error: { details?: { field?: string } } }).error.details;
      expect([answer.status >= 400 && answer.status < 500, details?.field]).toEqual([true, field]);
    }
    for (const raw of ["{", "null", "[]", '"x"', '{"name":', '{"__proto__":{"name":"x"}}'])
      expect((await club.as(boris).send("POST", "/api/vpn/configs", raw)).status).toBe(400);
    expect((await club.as(boris).call("GET /vpn/configs")).body).toEqual([]);
  });

  test("a phone's services have at most 120 addresses together; a computer's any number", async () => {
    const admin = await club.admin();
    const ips = (from: number, count: number) => Array.from({ length: count }, (_, n) => `9.${from}.${n}.0/24`);
    const add = (name: string, list: string[]) => club.as(admin).call("POST /services", { body: { name, ips: list } });
    const big = (await add("Большой", ips(1, 100))).body;
    const small = (await add("Малый", ips(2, 21))).body;
    const boris = await club.member();
    const wish = { ...(await configInput(club, boris)), services: [big.id, small.id] };
    expect((await club.as(boris).call("POST /vpn/configs", { body: { ...wish, deviceType: "phone" } })).code).toBe(
      "config.phone_limit",
    );
    expect((await club.as(boris).call("POST /vpn/configs", { body: wish })).status).toBe(201);
    expect(
      (
        await club
          .as(boris)
          .call("POST /vpn/configs", { body: { ...wish, name: "pixel", deviceType: "phone", services: [big.id] } })
      ).status,
    ).toBe(201);
  });

  test("with a key made in the browser the panel never has the private one: the file comes once, without it", async () => {
    const boris = await club.member();
    const pair = generateKeyPair();
    const made = await club
      .as(boris)
      .call("POST /vpn/configs", { body: await configInput(club, boris, { publicKey: pair.publicKey }) });
    expect(made.body.keyOrigin).toBe("browser");
    const filled = String(made.body.template).replace(
      "[Interface]\n",
      `[Interface]\nPrivateKey = ${pair.privateKey}\n`,
    );
    expect(parseConfig(filled).privateKey).toBe(pair.privateKey);
    expect(club.host.peers().some((peer) => peer.publicKey === pair.publicKey)).toBe(true);
    expect((await club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id: made.body.id } })).code).toBe(
      "config.key_in_browser",
    );
    const again = await club.as(boris).call("POST /vpn/configs", {
      body: await configInput(club, boris, { name: "other", publicKey: pair.publicKey }),
    });
    expect(again.code).toBe("config.key_taken");
    // WireGuard silently drops a peer with its interface's own key.
    const publicKey = club.host.interfaces.get("wg0")?.publicKey ?? "";
    const mirror = await club
      .as(boris)
      .call("POST /vpn/configs", { body: await configInput(club, boris, { name: "mirror", publicKey }) });
    expect(mirror.code).toBe("config.key_taken");
  });
});

describe("many at once", () => {
  test("two tabs cannot both take the last slot", async () => {
    const boris = await club.member({ configLimit: 1 });
    const wish = await configInput(club, boris);
    const answers = await Promise.all(
      ["left", "right"].map((name) => club.as(boris).call("POST /vpn/configs", { body: { ...wish, name } })),
    );
    expect(answers.map((answer) => answer.code).sort()).toEqual(["config.limit_reached", undefined]);
  });

  test("one Idempotency-Key makes one config, however often and fast it is sent", async () => {
    const boris = await club.member();
    const body = await configInput(club, boris);
    const headers = { "idempotency-key": "one-tap-on-a-slow-train" };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => club.as(boris).call("POST /vpn/configs", { body, headers })),
    );
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect((await club.as(boris).call("GET /vpn/configs")).body).toHaveLength(1);
    const other = await club.as(boris).call("POST /vpn/configs", { body: { ...body, name: "other" }, headers });
    expect(other.code).toBe("request.idempotency_mismatch");
  });

  test("ten people with a limit of 25 each send 30 creates at once: 250 are made, 50 refused, no address twice", async () => {
    const fresh = await startClub();
    try {
      const people = await Promise.all(Array.from({ length: 10 }, () => fresh.member({ configLimit: 25 })));
      const [first] = people;
      if (first === undefined) throw new Error("nobody came");
      const wish = await configInput(fresh, first);
      const create = (person: Person, name: string) =>
        fresh.as(person).call("POST /vpn/configs", {
          body: { ...wish, name },
          headers: { "idempotency-key": `${person.username}-${name}-once` },
        });
      // On a busy machine some wait too long for the interface or a connection: nothing was saved then.
      const createAtLast = async (person: Person, name: string) => {
        for (;;) {
          const answer = await create(person, name);
          if (answer.code !== "database.busy") return answer;
        }
      };
      const answers = await Promise.all(
        people.flatMap((person) => Array.from({ length: 30 }, (_, n) => createAtLast(person, `device-${n}`))),
      );
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(250);
      expect(answers.filter((answer) => answer.code === "config.limit_reached")).toHaveLength(50);
      const onTheWire = async () => {
        await fresh.settle();
        return fresh.host.peers().flatMap((peer) => peer.allowedIps);
      };
      // A job that found no connection is retried later.
      for (let tries = 0; tries < 5 && (await onTheWire()).length < 250; tries += 1) fresh.clock.advance(60_000);
      const addresses = await onTheWire();
      expect(addresses).toHaveLength(250);
      expect(new Set(addresses).size).toBe(250);
    } finally {
      await fresh.stop();
    }
  });
});

test("a server can be chosen by whether it answers, how full it is, and where it is", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const boris = await club.member();
  const { transact, interfaces, servers } = club.app.parts;
  const [only] = await interfaces.all(club.db);
  const place = async () => (await club.as(boris).call("GET /vpn/available-interfaces")).body[0];
  await transact((tx) => interfaces.update(tx, only?.id ?? "", { subnet: "10.8.0.0/29", endpoint: "77.88.8.8" }));
  expect(await place()).toMatchObject({ serverState: "answers", serverCountry: "RU" });
  const crowd = await club.member({ configLimit: 20 });
  for (let number = 0; number < 4; number += 1)
    await club.as(crowd).call("POST /vpn/configs", { body: await configInput(club, crowd, { name: `d-${number}` }) });
  expect(await place()).toMatchObject({ serverState: "busy", reason: null });
  await transact((tx) => servers.update(tx, only?.server_id ?? "", { unreachable_since: club.clock.now().getTime() }));
  // A name is not resolved.
  await transact((tx) => interfaces.update(tx, only?.id ?? "", { endpoint: "vpn.example.org" }));
  expect(await place()).toMatchObject({ serverState: "silent", serverCountry: null });
});
