import { randomUUID } from "node:crypto";
import { covers, everythingBut } from "@krug/wireguard/addresses";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let member: Person;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin();
  member = await club.member();
});
// A member may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

const addService = (body: unknown) => club.as(admin).send("POST", "/api/services", body);
const names = async () => (await club.as(member).call("GET /services")).body.map((service) => service.name);

test("a new club starts with all traffic and the common resolvers, and a restart adds none", async () => {
  await club.restart();
  const services = await club.as(member).call("GET /services");
  expect(services.body).toMatchObject([{ name: "Весь трафик", ips: ["0.0.0.0/0", "::/0"], deviceTypes: ["all"] }]);
  const dns = await club.as(member).call("GET /dns");
  expect(dns.body.map(({ name, ips }) => [name, ips])).toEqual([
    ["Cloudflare", ["1.1.1.1", "1.0.0.1", "2606:4700:4700::1111", "2606:4700:4700::1001"]],
    ["Google", ["8.8.8.8", "8.8.4.4", "2001:4860:4860::8888", "2001:4860:4860::8844"]],
    ["Quad9", ["9.9.9.9", "149.112.112.112", "2620:fe::fe", "2620:fe::9"]],
    ["AdGuard", ["94.140.14.14", "94.140.15.15", "2a10:50c0::ad1:ff", "2a10:50c0::ad2:ff"]],
  ]);
});

test("addresses are stored trimmed, as entered, in order and without duplicates; lists are in order of creation", async () => {
  const ips = [" 8.8.8.0/24", "10.0.0.5", "10.0.0.5/32", "2001:DB8::/32 ", "10.0.0.5", "2001:db8::/32"];
  const added = await addService({ name: "Почта", ips });
  expect(added.status).toBe(201);
  expect(added.body).toMatchObject({ ips: ["8.8.8.0/24", "10.0.0.5", "2001:DB8::/32"], deviceTypes: ["all"] });
  await addService({ name: "Аудио", ips: ["1.2.3.4"] });
  expect((await names()).slice(-2)).toEqual(["Почта", "Аудио"]);
});

test.each([
  "999.1.1.1",
  "10.0.0.1/33",
  "1.2",
  "0x7f.1",
  "010.0.0.1",
  "10.0.0.0/",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "fe80::1%eth0",
  "example.com",
  "10.0.0.1; reboot",
  "$(id)",
  "1.1.1.1\nAllowedIPs = ::/0",
  "",
])("%j is not an address: the refusal names the field and the item, and nothing is stored", async (item) => {
  const before = await names();
  for (const [path, name] of [
    ["/api/services", `x${randomUUID()}`],
    ["/api/dns", `y${randomUUID().slice(0, 8)}`],
  ] as const) {
    const answer = await club.as(admin).send("POST", path, { name, ips: ["1.1.1.1", item] });
    expect(answer.status).toBe(400);
    expect(answer.code).toBe("request.invalid");
    expect(answer.body).toMatchObject({ error: { details: { field: "ips", item } } });
    expect(answer.message).toContain("ips");
  }
  expect(await names()).toEqual(before);
});

test("the limit applies to merged networks: a long list is stored merged, and refused with the count if still too long", async () => {
  const hosts = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n));
  const listed = hosts(5_000, (n) => `10.0.${n >> 8}.${n & 255}`);
  expect((await addService({ name: "Сколько есть", ips: listed })).body).toMatchObject({ ips: listed });
  const long = hosts(5_120, (n) => `10.0.${n >> 8}.${n & 255}`);
  const merged = await addService({ name: "Длинный", ips: long });
  expect(merged.body).toMatchObject({ ips: ["10.0.0.0/20", "10.0.16.0/22"] });
  const many = await addService({ name: "Много", ips: hosts(14_000, (n) => `10.${n >> 8}.${n & 255}.1`) });
  expect(many).toMatchObject({ status: 400, code: "request.invalid", body: { error: { details: { field: "ips" } } } });
  expect(many.message).toMatch(/14\s000\sсетей.*5000/);
  const resolvers = (count: number) =>
    club
      .as(admin)
      .send("POST", "/api/dns", { name: `DNS ${count}`, ips: [...hosts(count, (n) => `10.0.0.${n}`), "10.0.0.0"] });
  expect((await resolvers(8)).status).toBe(201);
  expect((await resolvers(9)).message).toMatch(/9.*8/);
  expect((await addService({ name: "Без предела", ips: hosts(20_001, () => "10.0.0.1") })).code).toBe(
    "request.invalid",
  );
});

describe("a typed list", () => {
  const text = "# Telegram\r\n91.108.4.0/22 # DC\r\nadd t 149.154.160.0-149.154.175.255\n";
  const networks = ["91.108.4.0/22", "149.154.160.0/20"];
  const typedOf = async (id: string) =>
    (await club.as(admin).call("GET /services/{id}/typed", { params: { id } })).body;
  const put = (id: string, body: object) => club.as(admin).send("PUT", `/api/services/${id}`, body);
  const make = async (name: string, given: object = { typed: text }) =>
    (await addService({ name, ...given })).body as { id: string; ips: string[] };

  test("is stored with its addresses; members see only the addresses", async () => {
    const { id, ips } = await make("Как есть");
    expect(ips).toEqual(networks);
    expect((await typedOf(id)).text).toBe(text);
    const seen = (await club.as(member).send("GET", "/api/services")).body;
    expect(JSON.stringify(seen)).not.toContain("Telegram");
    expect((await club.as(member).call("GET /services/{id}/typed", { params: { id } })).code).toBe("auth.forbidden");
  });

  test("follows addresses set by a program, and survives a program that writes back what it read", async () => {
    const { id, ips } = await make("Программы");
    await put(id, { name: "Программы 2", ips });
    expect((await typedOf(id)).text).toBe(text);
    await put(id, { ips: ["1.1.1.1", "8.8.8.8"] });
    expect((await typedOf(id)).text).toBe("1.1.1.1, 8.8.8.8");
    await put(id, { typed: "1.1.1.1 # one\n8.8.8.8" });
    expect((await typedOf(id)).text).toBe("1.1.1.1 # one\n8.8.8.8");
    expect((await club.as(admin).call("DELETE /services/{id}", { params: { id } })).status).toBe(204);
    expect((await club.allRows()).get("service_texts")).not.toContainEqual(expect.objectContaining({ service_id: id }));
  });

  test("that somebody else changed meanwhile is not overwritten", async () => {
    const { id } = await make("Вдвоём");
    const { mark } = await typedOf(id);
    await put(id, { typed: `${text}# by another` });
    const late = await put(id, { typed: "1.1.1.1", expected: { typed: mark } });
    expect(late).toMatchObject({
      code: "service.changed_meanwhile",
      body: { error: { details: { fields: ["typed"] } } },
    });
    const now = await put(id, { typed: "1.1.1.1", expected: { typed: (await typedOf(id)).mark } });
    expect(now.body).toMatchObject({ ips: ["1.1.1.1"] });
  });

  test.each([
    ["typed", { typed: "1.1.1.1\nyoutube.com" }, /2.*youtube\.com/],
    ["typed", { typed: "# nothing but words" }, /typed/],
    ["typed", { typed: "1.1.1.1", ips: ["1.1.1.1"] }, /ips.*typed/],
    ["typed", { typed: "1.1.1.1\u0000" }, /typed/],
    ["ips", {}, /ips/],
  ])("a refusal names %s: %j", async (field, given, message) => {
    const answer = await addService({ name: `x${randomUUID()}`, ...given });
    expect(answer).toMatchObject({ code: "request.invalid", body: { error: { details: { field } } } });
    expect(answer.message).toMatch(message);
  });

  test("can be what a service excludes: it then covers every other address, also in files", async () => {
    const home = "# home\n192.0.2.0/24\n2001:db8::/32";
    const { id, ips } = await make("Не дом", { typed: home, allBut: true });
    expect(ips).toEqual(everythingBut(["192.0.2.0/24", "2001:db8::/32"]));
    expect(await typedOf(id)).toMatchObject({ text: home, allBut: true });
    const [dns] = (await club.as(member).call("GET /dns")).body;
    const wish = { name: "rest", deviceType: "computer" as const, services: [id], dns: dns!.id };
    const config = await club.as(member).call("POST /vpn/configs", { body: wish });
    const file = await club.as(member).call("GET /vpn/configs/{id}/download", { params: { id: config.body.id } });
    const allowed = /^AllowedIPs = (.*)$/m.exec(String(file.body))?.[1]?.split(",") ?? [];
    expect(covers(allowed, "192.0.1.255")).toBe(true);
    expect(covers(allowed, "192.0.2.7")).toBe(false);
    expect(covers(allowed, "2001:db8::1")).toBe(false);

    const { mark } = await typedOf(id);
    await put(id, { typed: home });
    expect(await typedOf(id)).toMatchObject({ allBut: false });
    expect((await put(id, { typed: home, allBut: true, expected: { typed: mark } })).code).toBe(
      "service.changed_meanwhile",
    );
    await put(id, { typed: home, allBut: true });
    await put(id, { ips: ["1.1.1.1"] });
    expect(await typedOf(id)).toMatchObject({ text: "1.1.1.1", allBut: false });

    const listed = (await club.as(member).call("GET /services")).body.find((service) => service.id === id);
    expect(listed?.allBut).toBe(false);
    const told = (await club.as(admin).call("GET /admin/audit", { query: { action: "service" } })).body
      .filter(({ target }) => target.id === id)
      .map(({ after }) => after?.allBut);
    // The clock stands still: all four are of one moment.
    expect(told.sort()).toEqual([false, false, true, true]);
  });

  test.each([
    ["typed", { typed: "0.0.0.0/0, ::/0", allBut: true }, /typed/],
    ["allBut", { ips: ["1.1.1.1"], allBut: true }, /allBut/],
    [
      "typed",
      { typed: Array.from({ length: 6_000 }, (_, n) => `8.${n >> 8}.${n & 255}.1`).join("\n"), allBut: true },
      /\d{2}\s\d{3}\sсет.*5000/,
    ],
  ])("with an impossible exclusion is refused, naming %s", async (field, given, message) => {
    const answer = await addService({ name: `x${randomUUID()}`, ...given });
    expect(answer).toMatchObject({ code: "request.invalid", body: { error: { details: { field } } } });
    expect(answer.message).toMatch(message);
  });

  test("may have 100,000 lines", async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255} # ${n}`);
    const { ips } = await make("Сто тысяч", { typed: lines.join("\n") });
    expect(ips.slice(0, 2)).toEqual(["10.0.0.0/16", "10.1.0.0/17"]);
  });
});

test("a resolver is an address, not a network", async () => {
  const answer = await club.as(admin).send("POST", "/api/dns", { name: "Сеть", ips: ["8.8.8.0/24"] });
  expect(answer.code).toBe("request.invalid");
  expect(answer.message).toContain("8.8.8.0/24");
});

describe("hostile input is refused with a sentence that names the field", () => {
  test.each([
    ["name", { name: "a\nb", ips: ["1.1.1.1"] }],
    ["name", { name: "a\u0000b", ips: ["1.1.1.1"] }],
    ["name", { name: "a\u2028b", ips: ["1.1.1.1"] }],
    ["name", { name: "Кино\u202egpj.exe", ips: ["1.1.1.1"] }],
    ["name", { name: "\ud800", ips: ["1.1.1.1"] }],
    ["name", { name: "x".repeat(65), ips: ["1.1.1.1"] }],
    ["name", { name: "  ", ips: ["1.1.1.1"] }],
    ["name", { name: 7, ips: ["1.1.1.1"] }],
    ["name", { ips: ["1.1.1.1"] }],
    ["ips", { name: "a", ips: "1.1.1.1" }],
    ["ips", { name: "a", ips: [] }],
    ["ips", { name: "a" }],
    ["ips.0", { name: "a", ips: [1] }],
    ["ips.0", { name: "a", ips: ["1.1.1.1\u0000"] }],
    ["ips.0", { name: "a", ips: ["1".repeat(65)] }],
    ["deviceTypes.0", { name: "a", ips: ["1.1.1.1"], deviceTypes: ["toaster"] }],
    ["owner", { name: "a", ips: ["1.1.1.1"], owner: "me" }],
    ["__proto__", `{"name":"a","ips":["1.1.1.1"],"__proto__":{"x":1}}`],
  ])("%s", async (field, body) => {
    const before = await names();
    const answer = await addService(body);
    expect(answer.status).toBe(400);
    if (field !== "__proto__") expect(answer.body).toMatchObject({ error: { details: { field } } });
    if (field !== "__proto__") expect(answer.message).toContain(field);
    expect(answer.message).not.toMatch(/\^|\\p/);
    expect(await names()).toEqual(before);
  });
});

test("quotes and shell characters in a name are just a name", async () => {
  const name = `'; drop table services; -- "$(id)"`;
  const added = await addService({ name, ips: ["1.1.1.1"] });
  expect(added.status).toBe(201);
  expect(await names()).toContain(name);
});

test("names are unique regardless of case, also when two admins take one at once or rename to it", async () => {
  await addService({ name: "Кино", ips: ["1.1.1.1"] });
  expect((await addService({ name: "КИНО", ips: ["1.1.1.1"] })).code).toBe("service.name_taken");
  const racers = await Promise.all(["Гонка", "гонка", "ГОНКА"].map((name) => addService({ name, ips: ["1.1.1.1"] })));
  expect(racers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);

  const left = (await addService({ name: "Левый", ips: ["1.1.1.1"] })).body as { id: string };
  const right = (await addService({ name: "Правый", ips: ["1.1.1.1"] })).body as { id: string };
  const renames = await Promise.all([
    club.as(admin).call("PUT /services/{id}", { params: left, body: { name: "Общий" } }),
    club.as(admin).call("PUT /services/{id}", { params: right, body: { name: "ОБЩИЙ" } }),
    addService({ name: "общий", ips: ["1.1.1.1"] }),
  ]);
  expect(renames.filter((answer) => answer.code === "service.name_taken")).toHaveLength(2);
  expect(renames.filter((answer) => answer.status < 300)).toHaveLength(1);
  // An entry's own name in another case is no conflict.
  expect((await club.as(admin).call("PUT /services/{id}", { params: left, body: { name: "ЛЕВЫЙ" } })).status).toBe(200);
});

test("no device, or 'all' next to others, means all; both spellings are accepted", async () => {
  const added = await addService({ name: "Устройства", ips: ["1.1.1.1"], device_types: ["phone", "phone"] });
  expect(added.body).toMatchObject({ deviceTypes: ["phone"] });
  const { id } = added.body as { id: string };
  const change = async (deviceTypes: ("all" | "phone" | "computer")[]) =>
    (await club.as(admin).call("PUT /services/{id}", { params: { id }, body: { deviceTypes } })).body.deviceTypes;
  expect(await change(["computer", "all"])).toEqual(["all"]);
  expect(await change(["computer"])).toEqual(["computer"]);
  expect(await change([])).toEqual(["all"]);
});

test("a service or resolver that a config uses can't be deleted, and the refusal gives the count; afterwards it can", async () => {
  const service = (await addService({ name: "Нужный", ips: ["1.1.1.1"] })).body as { id: string };
  const dns = (await club.as(admin).call("POST /dns", { body: { name: "Нужный", ips: ["1.1.1.1"] } })).body;
  const config = await club.as(member).call("POST /vpn/configs", {
    body: { name: "laptop", deviceType: "computer", services: [service.id], dns: dns.id },
  });
  expect(config.status).toBe(201);

  const refused = await club.as(admin).call("DELETE /services/{id}", { params: service });
  expect([refused.status, refused.code]).toEqual([409, "service.in_use"]);
  expect(refused.message).toContain("1");
  expect((await club.as(admin).call("DELETE /dns/{id}", { params: dns })).code).toBe("dns.in_use");

  await club.as(member).call("DELETE /vpn/configs/{id}", { params: { id: config.body.id } });
  // The config can still be restored, so its service must still exist.
  expect((await club.as(admin).call("DELETE /services/{id}", { params: service })).status).toBeLessThan(500);
  const unused = (await addService({ name: "Лишний", ips: ["1.1.1.1"] })).body as { id: string };
  expect((await club.as(admin).call("DELETE /services/{id}", { params: unused })).status).toBe(204);
  expect((await club.as(admin).call("DELETE /services/{id}", { params: unused })).code).toBe("service.not_found");
});

test("no config can take a service while it is being deleted", async () => {
  const dns = (await club.as(member).call("GET /dns")).body[0]?.id ?? "";
  const owner = await club.member({ configLimit: 50 });
  for (let round = 0; round < 5; round++) {
    const service = (await addService({ name: `Гонка ${round}`, ips: ["1.1.1.1"] })).body as { id: string };
    const [created, deleted] = await Promise.all([
      club.as(owner).call("POST /vpn/configs", {
        body: { name: `race-${round}`, deviceType: "computer", services: [service.id], dns },
      }),
      club.as(admin).call("DELETE /services/{id}", { params: service }),
    ]);
    const outcome = [created.code ?? created.status, deleted.code ?? deleted.status];
    expect([
      [201, "service.in_use"],
      ["service.unknown", 204],
    ]).toContainEqual(outcome);
  }
});

test("members read the catalogue; only an admin who passed the second factor changes it", async () => {
  const moderator = await club.moderator();
  const fresh = await club.admin({ elevated: false });
  const body = { name: "Чужой", ips: ["1.1.1.1"] };
  expect((await club.guest.call("GET /services")).code).toBe("auth.required");
  expect((await club.as(member).call("POST /services", { body })).code).toBe("auth.forbidden");
  expect((await club.as(moderator).call("POST /services", { body })).code).toBe("auth.forbidden");
  expect((await club.as(fresh).call("POST /services", { body })).code).toBe("auth.two_factor_required");
  expect(await names()).not.toContain("Чужой");
});

describe("the effect of an edit is shown before it is saved", () => {
  const wish = async (services: string[], about: object = {}) => {
    const [dns] = (await club.as(member).call("GET /dns")).body;
    return { name: "phone", deviceType: "phone" as const, services, dns: dns!.id, ...about };
  };
  const addresses = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `10.${from}.0.${index}`);

  test("how many downloaded files it would outdate, and how many phones would have too many addresses", async () => {
    const fresh = await club.member({ configLimit: -1 });
    const left = (await addService({ name: "Слева", ips: addresses(60) })).body as { id: string };
    const right = (await addService({ name: "Справа", ips: addresses(50, 2) })).body as { id: string };
    const as = club.as(fresh);
    const both = await as.call("POST /vpn/configs", { body: await wish([left.id, right.id]) });
    const alone = await as.call("POST /vpn/configs", { body: await wish([left.id], { name: "one" }) });
    const computer = { name: "pc", deviceType: "computer" as const };
    await as.call("POST /vpn/configs", { body: await wish([left.id, right.id], computer) });
    for (const { body } of [both, alone]) await as.call("GET /vpn/configs/{id}/download", { params: { id: body.id } });
    const effect = async (ips: string[]) =>
      (await club.as(admin).call("POST /services/{id}/effect", { params: left, body: { ips } })).body;
    expect(await effect(addresses(60))).toEqual({ toDownload: 0, phonesOver: 0 });
    expect(await effect(addresses(70))).toEqual({ toDownload: 2, phonesOver: 0 });
    expect(await effect(addresses(71))).toEqual({ toDownload: 2, phonesOver: 1 });
    expect(await effect(addresses(121))).toEqual({ toDownload: 2, phonesOver: 2 });
    const before = await as.call("GET /vpn/configs");
    expect(
      before.body.every(({ needsDownload }) => !needsDownload),
      "the preview changes nothing",
    ).toBe(true);

    await club.as(admin).call("PUT /services/{id}", { params: left, body: { ips: addresses(71) } });
    const after = (await as.call("GET /vpn/configs")).body;
    expect(after.filter(({ needsDownload }) => needsDownload)).toHaveLength(2);
    expect(after.filter(({ overPhoneLimit }) => overPhoneLimit).map(({ name }) => name)).toEqual(["phone"]);
    expect(await effect(addresses(72)), "both are marked already").toMatchObject({ toDownload: 0 });
    club.clock.advance(1_000);
    await as.call("GET /vpn/configs/{id}/download", { params: { id: alone.body.id } });
    await as.call("DELETE /vpn/configs/{id}", { params: { id: both.body.id } });
    expect(await effect(addresses(72))).toEqual({ toDownload: 1, phonesOver: 0 });
  });

  test("for a resolver as well", async () => {
    const fresh = await club.member();
    const dns = (await club.as(admin).call("POST /dns", { body: { name: "Свой", ips: ["10.9.9.9"] } })).body;
    const service = (await addService({ name: "Для DNS", ips: ["1.2.3.4"] })).body as { id: string };
    const config = await club.as(fresh).call("POST /vpn/configs", { body: await wish([service.id], { dns: dns.id }) });
    await club.as(fresh).call("GET /vpn/configs/{id}/download", { params: { id: config.body.id } });
    const effect = async (ips: string[]) =>
      (await club.as(admin).call("POST /dns/{id}/effect", { params: { id: dns.id }, body: { ips } })).body;
    expect(await effect(["10.9.9.9"])).toEqual({ toDownload: 0 });
    expect(await effect(["10.9.9.10"])).toEqual({ toDownload: 1 });
    const wrong = await club
      .as(admin)
      .call("POST /dns/{id}/effect", { params: { id: dns.id }, body: { ips: ["10.9.9.0/24"] } });
    expect(wrong.code).toBe("request.invalid");
  });

  test("how many configs use an entry, without VIP members' for a moderator", async () => {
    const moderator = await club.moderator();
    const vip = await club.member({ row: { is_vip: 1 } });
    const service = (await addService({ name: "Посчитанный", ips: ["1.2.3.4"] })).body as { id: string };
    const dns = (await club.as(admin).call("POST /dns", { body: { name: "Посчитанный", ips: ["1.2.3.4"] } })).body;
    for (const owner of [vip, await club.member()])
      await club.as(owner).call("POST /vpn/configs", { body: await wish([service.id], { dns: dns.id }) });
    const usage = async (who: Person, query = {}) => {
      const { body } = await club.as(who).call("GET /admin/catalog/usage", { query });
      const of = (list: { id: string; configs: number }[], id: string) => list.find((one) => one.id === id)?.configs;
      return [of(body.services, service.id), of(body.dns, dns.id)];
    };
    expect(await usage(admin)).toEqual([2, 2]);
    expect(await usage(moderator)).toEqual([1, 1]);
    expect(await usage(admin, { as: "moderator" })).toEqual([1, 1]);
  });
});

test("if two admins edit one entry at once, the second is refused and nothing of the first is lost", async () => {
  const service = (await addService({ name: "Общая правка", ips: ["1.1.1.1"] })).body as { id: string };
  const expected = { name: "Общая правка", ips: ["1.1.1.1"] };
  const change = (body: { name?: string; ips?: string[] }) =>
    club.as(admin).call("PUT /services/{id}", { params: service, body: { ...body, expected } });
  expect((await change({ ips: ["1.1.1.1", "2.2.2.2"] })).status).toBe(200);
  const second = await change({ ips: ["3.3.3.3"] });
  expect([second.status, second.code]).toEqual([409, "service.changed_meanwhile"]);
  expect((await change({ name: "Правка одна" })).body).toMatchObject({ ips: ["1.1.1.1", "2.2.2.2"] });

  const dns = (await club.as(admin).call("POST /dns", { body: { name: "Общая", ips: ["1.1.1.1"] } })).body;
  const edit = (name: string) =>
    club.as(admin).call("PUT /dns/{id}", { params: { id: dns.id }, body: { name, expected: { name: "Общая" } } });
  expect([(await edit("Первая")).status, (await edit("Вторая")).code]).toEqual([200, "dns.changed_meanwhile"]);
});

test("an admin who reduces a service for phones gets the tunnels' networks and the addresses that devices connect to", async () => {
  const place = (await club.as(admin).call("GET /admin/servers/interfaces")).body[0]!;
  const changed = await club.as(admin).call("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
    params: { serverId: place.serverId, id: place.id },
    body: { endpoint: "198.51.100.9" },
  });
  expect(changed.status).toBe(200);
  const own = (await club.as(admin).call("GET /admin/catalog/own-networks")).body;
  expect(own).toEqual(expect.arrayContaining([place.subnet, "198.51.100.9"]));
});

test("a service has a picture, a sentence and a group, which change separately and mark no file", async () => {
  const look = { picture: "🎬", description: "Фильмы и сериалы", group: "video" };
  const added = await addService({ name: "Кинозал", ips: ["1.2.3.4"], ...look });
  expect(added.body).toMatchObject(look);
  const { id } = added.body as { id: string };
  const put = (body: object) => club.as(admin).call("PUT /services/{id}", { params: { id }, body });
  expect((await put({ group: "music", expected: { group: "video" } })).body).toMatchObject({ ...look, group: "music" });
  expect((await put({ picture: "", expected: { group: "video", picture: "🎬" } })).body).toMatchObject({ picture: "" });
  const stale = await put({ description: "Другое", expected: { description: "Старое" } });
  expect(stale.body).toMatchObject({ error: { details: { fields: ["description"] } } });
  for (const wrong of [
    { picture: "КК" },
    { group: "films" },
    { description: "a\nb" },
    { description: "x".repeat(121) },
  ])
    expect((await put(wrong)).code).toBe("request.invalid");
});
