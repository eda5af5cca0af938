import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { covers } from "@krug/wireguard/addresses";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";
import { startTlsDouble } from "../../../../testing/tls-double.ts";

/* Services whose networks come from lists on the internet (ADR 137). */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Answer = { status?: number; headers?: Record<string, string>; body?: string; after?: Promise<void> };
type Say = Answer | "silence" | "endless";
/** What the internet's list server has at each path. */
const lists = new Map<string, Say>();
const asked: { path: string; etag: string | undefined }[] = [];
async function serve({ url = "", headers }: IncomingMessage, response: ServerResponse) {
  asked.push({ path: url, etag: headers["if-none-match"] });
  const say = lists.get(url) ?? { status: 404 };
  if (say === "silence") return;
  if (say === "endless") return void response.write("192.0.2.1\n");
  await say.after;
  const isKnown = say.headers?.etag !== undefined && say.headers.etag === headers["if-none-match"];
  response.writeHead(isKnown ? 304 : (say.status ?? 200), say.headers).end(isKnown ? undefined : say.body);
}

let geo: string;
let internet: Awaited<ReturnType<typeof startTlsDouble>>;
let club: Club;
let admin: Person;
let anna: Person;
beforeAll(async () => {
  internet = await startTlsDouble(serve);
  geo = await mkdtemp(join(tmpdir(), "geo-"));
  club = await startClub({ internetException: internet.exception, environment: { GEO_DIR: geo } });
  club.names.known.set("other.example", { v4: ["127.0.0.1"], v6: [] });
  club.names.known.set("moved.example", { v4: ["127.0.0.1"], v6: [] });
  club.names.known.set("inside.example", { v4: ["10.0.0.1"], v6: [] });
  anna = await club.member({ configLimit: 50, subscriptionEnd: null, row: { is_unlimited: 1 } });
});
/** Of what is meant to answer, only a machine that hangs is late. */
const patience = (ms: number) => Object.assign(internet.exception, { answersWithinMs: ms });
beforeEach(async () => {
  patience(60_000);
  lists.clear();
  asked.length = 0;
  club.clock.advance(61_000);
  admin = await club.admin();
  await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
});
afterAll(async () => {
  await club.stop();
  await internet.close();
  await rm(geo, { recursive: true });
});

const at = (path: string, name = "other.example") => `https://${name}:${internet.port}${path}`;
const askedAt = (path: string) => asked.filter((one) => one.path === path);
let count = 0;
const add = (body: { sources: string[]; typed?: string; ips?: string[]; allBut?: boolean; name?: string }) => {
  count += 1;
  return club.as(admin).call("POST /services", { body: { name: `Сервис ${count}`, ...body } });
};
const put = (id: string, body: object) => club.as(admin).call("PUT /services/{id}", { params: { id }, body });
const made = async (body: Parameters<typeof add>[0]) => {
  const { status, body: service } = await add(body);
  expect(status).toBe(201);
  return service;
};
const ipsOf = async (id: string) => (await club.as(admin).call("GET /services")).body.find((one) => one.id === id)?.ips;
const sourcesOf = async (id: string) =>
  (await club.as(admin).call("GET /services/{id}/sources", { params: { id } })).body;
const typedOf = async (id: string) => (await club.as(admin).call("GET /services/{id}/typed", { params: { id } })).body;
const lookNow = async (id: string) =>
  (await club.as(admin).call("POST /services/{id}/sources", { params: { id } })).body;
const fileOf = async (id: string) =>
  String((await club.as(anna).call("GET /vpn/configs/{id}/download", { params: { id } })).body);
/** Anna's config with this service, downloaded. */
const configWith = async (serviceId: string) => {
  const body = { ...(await configInput(club, anna, { name: `laptop-${count}` })), services: [serviceId] };
  const config = await club.as(anna).call("POST /vpn/configs", { body });
  expect(config.status).toBe(201);
  return { id: config.body.id, file: await fileOf(config.body.id) };
};
const look = async () => {
  for (const work of club.app.parts.sources.timed) await work.run();
  await club.settle();
};
const later = async (ms: number) => {
  club.clock.advance(ms);
  admin = await club.admin();
  await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
};

test("a service merges what was typed with its list, without private networks; so does a member's file", async () => {
  lists.set("/a", {
    body: "# ranges\r\n192.0.2.0/25\n192.0.2.128/25\n10.0.0.0/8\n127.0.0.1\nsome words of no use\n2001:db8::/33",
  });
  const service = await made({ typed: "203.0.113.9 # ours", sources: [at("/a#top"), at("/a")] });
  expect(service.ips).toEqual(["192.0.2.0/24", "203.0.113.9/32", "2001:db8::/33"]);
  expect(await typedOf(service.id)).toMatchObject({ text: "203.0.113.9 # ours", sources: [at("/a")] });
  expect(await sourcesOf(service.id)).toMatchObject([{ source: at("/a"), networks: 2, unread: 1, why: null }]);
  expect((await configWith(service.id)).file).toMatch(
    /^AllowedIPs = .*,192\.0\.2\.0\/24,203\.0\.113\.9\/32,2001:db8::\/33$/m,
  );
  expect(JSON.stringify((await club.as(anna).call("GET /services")).body)).not.toContain("https");
  expect((await club.as(anna).call("GET /services/{id}/sources", { params: { id: service.id } })).code).toBe(
    "auth.forbidden",
  );
});

test("a list is looked up once a day; a change reaches the service and marks its files, and no change marks none", async () => {
  lists.set("/daily", { body: "192.0.2.1\n192.0.2.3", headers: { etag: '"one"' } });
  const { id } = await made({ sources: [at("/daily")] });
  const config = await configWith(id);
  const isStale = async () =>
    (await club.as(anna).call("GET /vpn/configs")).body.find((one) => one.id === config.id)?.needsDownload;
  await later(DAY_MS - HOUR_MS);
  asked.length = 0;
  await look();
  expect(askedAt("/daily")).toEqual([]);
  await later(HOUR_MS);
  await look();
  expect(askedAt("/daily")).toEqual([{ path: "/daily", etag: '"one"' }]);
  expect(await isStale()).toBe(false);
  expect(await sourcesOf(id)).toMatchObject([{ goodAt: club.clock.now().toISOString() }]);
  lists.set("/daily", { body: "192.0.2.3\n192.0.2.1", headers: { etag: '"another"' } });
  await later(DAY_MS);
  await look();
  expect(await isStale()).toBe(false);
  lists.set("/daily", { body: "192.0.2.1\n192.0.2.3\n192.0.2.9", headers: { etag: '"two"' } });
  await later(DAY_MS);
  await look();
  expect(await ipsOf(id)).toEqual(["192.0.2.1/32", "192.0.2.3/32", "192.0.2.9/32"]);
  expect(await isStale()).toBe(true);
});

test("a failure keeps the last good list with its age and reason, is tried hourly, and ends with the next good one", async () => {
  lists.set("/flaky?key=secret", { body: "192.0.2.1\n192.0.2.3" });
  const { id, name } = await made({ sources: [at("/flaky?key=secret")] });
  const goodAt = club.clock.now().toISOString();
  const moderator = await club.moderator();
  lists.set("/flaky?key=secret", { status: 503 });
  await later(DAY_MS);
  const failingSince = club.clock.now().toISOString();
  await look();
  await later(HOUR_MS);
  asked.length = 0;
  await look();
  expect(askedAt("/flaky?key=secret")).toHaveLength(1);
  expect(await ipsOf(id)).toEqual(["192.0.2.1/32", "192.0.2.3/32"]);
  expect(await sourcesOf(id)).toMatchObject([{ goodAt, failingSince, why: { code: "web.status", ru: "ответ 503" } }]);
  for (let day = 2; day < 5; day += 1) {
    await later(DAY_MS);
    await look();
  }
  const told = (await club.allRows()).get("notices")?.filter(({ kind }) => kind === "source_failing") ?? [];
  const toModerator = told.filter(({ member_id }) => member_id === moderator.id).map(({ params }) => String(params));
  expect(toModerator.filter((params) => params.includes("/flaky"))).toEqual([expect.stringContaining(name)]);
  expect(JSON.stringify(told)).not.toContain("secret");
  lists.set("/flaky?key=secret", { body: "192.0.2.1" });
  expect(await lookNow(id)).toMatchObject([{ failingSince: null, why: null, goodAt: club.clock.now().toISOString() }]);
  expect(await ipsOf(id)).toEqual(["192.0.2.1/32"]);
});

test("of two look-ups at once the one that began later counts, whichever ends last", async () => {
  lists.set("/race", { body: "192.0.2.1\n192.0.2.3" });
  const { id } = await made({ sources: [at("/race")] });
  for (const early of [{ body: "192.0.2.1\n192.0.2.3\n192.0.2.5" }, { status: 503 }]) {
    let release = () => {};
    const after = new Promise<void>((resolve) => {
      release = resolve;
    });
    lists.set("/race", { ...early, after });
    asked.length = 0;
    const answer = lookNow(id);
    await vi.waitFor(() => expect(askedAt("/race")).toHaveLength(1), 30_000);
    club.clock.advance(1_000);
    lists.set("/race", { body: "192.0.2.1\n192.0.2.3\n192.0.2.7" });
    await lookNow(id);
    release();
    expect(await answer).toMatchObject([{ why: null, goodAt: club.clock.now().toISOString() }]);
    expect(await ipsOf(id)).toEqual(["192.0.2.1/32", "192.0.2.3/32", "192.0.2.7/32"]);
  }
});

test("a service whose other source fails follows the one that answers", async () => {
  lists.set("/fails", { body: "192.0.2.1" });
  lists.set("/works", { body: "192.0.2.3\n192.0.2.5" });
  const { id } = await made({ sources: [at("/fails"), at("/works")] });
  lists.set("/fails", { status: 200, body: "" });
  lists.set("/works", { body: "192.0.2.3\n192.0.2.7" });
  expect(await lookNow(id)).toMatchObject([{ why: { code: "source.no_networks" } }, { why: null }]);
  expect(await ipsOf(id)).toEqual(["192.0.2.1/32", "192.0.2.3/32", "192.0.2.7/32"]);
});

const hosts = (most: number) =>
  Array.from({ length: most }, (_, n) => `198.${20 + (n >> 15)}.${(n >> 7) & 255}.${(n & 127) * 2}`);

describe("nothing is saved, and the refusal gives the reason, if", () => {
  const padded = `192.0.2.1\n${"#".repeat(8 * 2 ** 20)}`;
  const refusals: [string, string, Say, string][] = [
    ["there is no such page", "/none", { status: 404 }, "web.status"],
    [
      "the answer is a page of words",
      "/page",
      { body: "<!doctype html><title>Sign in</title><p>You come from 192.0.2.1 </p>" },
      "source.not_a_list",
    ],
    ["there is no network", "/empty", { body: "# nothing\n10.0.0.1" }, "source.no_networks"],
    ["there are more networks than a service can have", "/many", { body: hosts(5_001).join("\n") }, "source.too_many"],
    ["it is larger than 8 MB", "/long", { body: padded }, "web.too_long"],
    ["it is compressed", "/gzip", { body: "x", headers: { "content-encoding": "gzip" } }, "web.packed"],
    ["it leads inside", "/inside", { status: 302, headers: { location: "https://inside.example/x" } }, "web.closed"],
    [
      "it leads to an address inside",
      "/ip",
      { status: 302, headers: { location: "https://169.254.169.254/x" } },
      "web.closed",
    ],
    [
      "it leads away from TLS",
      "/plain",
      { status: 301, headers: { location: "http://other.example/a" } },
      "web.bad_redirect",
    ],
    ["it leads on and on", "/loop", { status: 307, headers: { location: "/loop" } }, "web.too_many_redirects"],
    ["its answer never ends", "/endless", "endless", "web.silent"],
  ];
  test.each(refusals)("%s", async (_, path, say, code) => {
    lists.set(path, say);
    if (typeof say === "string") patience(2_000);
    const answer = await add({ sources: [at(path)] });
    expect(answer).toMatchObject({ status: 400, code: "source.failed" });
    expect(answer.body).toMatchObject({ error: { details: { source: at(path), why: { code } } } });
    expect((await club.allRows()).get("list_sources")).not.toContainEqual(
      expect.objectContaining({ source: at(path) }),
    );
  });

  test("its name resolves to a private network, even without a redirect", async () => {
    const answer = await add({ sources: ["https://inside.example/a"] });
    expect(answer.body).toMatchObject({ error: { details: { why: { code: "web.closed" } } } });
  });

  test.each([
    "http://other.example/a",
    "https://me:secret@other.example/a",
    "other.example/a",
    "file:///etc/passwd",
    "",
  ])("%j is given as one", async (source) => {
    const answer = await add({ sources: [source] });
    expect(answer).toMatchObject({ status: 400, code: "request.invalid" });
    expect(answer.body).toMatchObject({ error: { details: { field: "sources" } } });
    expect(asked).toEqual([]);
  });
});

test("three redirects are followed, also to another host, and a fourth is not", async () => {
  lists.set("/1", { status: 301, headers: { location: at("/2", "moved.example") } });
  lists.set("/2", { status: 302, headers: { location: "/3" } });
  lists.set("/3", { status: 308, headers: { location: "/4" } });
  lists.set("/4", { body: "192.0.2.1" });
  expect((await made({ sources: [at("/1")] })).ips).toEqual(["192.0.2.1/32"]);
  lists.set("/0", { status: 301, headers: { location: "/1" } });
  expect((await add({ sources: [at("/0")] })).body).toMatchObject({
    error: { details: { why: { code: "web.too_many_redirects" } } },
  });
});

test("a list that would make a service too large waits with its reason, and no service changes", async () => {
  const elsewhere = (most: number) => hosts(most).map((host) => host.replace("198.", "197."));
  lists.set("/half", { body: elsewhere(900).join("\n") });
  const large = await made({ name: "Большой", typed: hosts(4_000).join("\n"), sources: [at("/half")] });
  const small = await made({ sources: [at("/half")] });
  lists.set("/half", { body: elsewhere(1_300).join("\n") });
  expect(await lookNow(small.id)).toMatchObject([{ networks: 900, why: { code: "source.too_many_together" } }]);
  expect((await sourcesOf(large.id))[0]?.why?.ru).toMatch(/«Большой».*5300.*5000/);
  expect([(await ipsOf(small.id))?.length, (await ipsOf(large.id))?.length]).toEqual([900, 4_900]);
});

test("everything but a list follows the list", async () => {
  lists.set("/home", { body: "192.0.2.0/24" });
  const { id, ips } = await made({ typed: "198.51.100.0/24", allBut: true, sources: [at("/home")] });
  const covered = (networks: string[]) =>
    ["192.0.2.1", "198.51.100.1", "203.0.113.1"].map((address) => covers(networks, address));
  expect(covered(ips)).toEqual([false, false, true]);
  lists.set("/home", { body: "192.0.2.0/24\n203.0.113.0/25" });
  await lookNow(id);
  expect(covered((await ipsOf(id)) ?? [])).toEqual([false, false, false]);
});

const decide = (id: string, source: string, body: { accept: boolean; mark: string }) =>
  club.as(admin).call("PUT /services/{id}/sources/{source}", { params: { id, source }, body });
const waitingOf = async (id: string) => (await lookNow(id))[0]?.waiting ?? null;

describe("a list that changed by more than half", () => {
  test("waits and shows what changed; the old list stays in use, and admins are notified once", async () => {
    lists.set("/wait", { body: "192.0.2.0/24" });
    const { id, name } = await made({ sources: [at("/wait")] });
    lists.set("/wait", { body: "192.0.2.0/26\n203.0.113.0/24" });
    for (let times = 0; times < 2; times += 1)
      expect(await waitingOf(id)).toMatchObject({
        networks: 2,
        gained: ["203.0.113.0/24"],
        lost: ["192.0.2.64/26", "192.0.2.128/25"],
      });
    expect(await ipsOf(id)).toEqual(["192.0.2.0/24"]);
    const told = (await club.allRows()).get("notices")?.filter(({ kind }) => kind === "source_waits") ?? [];
    const toAdmin = told.filter(({ member_id }) => member_id === admin.id).map(({ params }) => String(params));
    expect(toAdmin).toEqual([expect.stringContaining(name)]);
    lists.set("/wait", { body: "192.0.2.0/24" });
    expect(await waitingOf(id)).toBeNull();
  });

  test("takes effect once an admin accepts exactly what they saw; a rejected one does not wait again", async () => {
    lists.set("/decide", { body: "192.0.2.0/24" });
    const { id } = await made({ sources: [at("/decide")] });
    const [source = expect.unreachable()] = await sourcesOf(id);
    lists.set("/decide", { body: "192.0.2.0/26" });
    const first = (await waitingOf(id)) ?? expect.unreachable();
    expect((await decide(id, source.id, { accept: false, mark: first.mark })).body).toMatchObject([{ waiting: null }]);
    expect(await waitingOf(id)).toBeNull();
    lists.set("/decide", { body: "192.0.2.0/27" });
    const second = (await waitingOf(id)) ?? expect.unreachable();
    expect((await decide(id, source.id, { accept: true, mark: first.mark })).code).toBe("source.changed_meanwhile");
    expect((await decide(id, source.id, { accept: true, mark: second.mark })).status).toBe(200);
    expect(await ipsOf(id)).toEqual(["192.0.2.0/27"]);
    const acts = (await auditOf(club, id)).map(({ action }) => action);
    expect(acts.sort()).toEqual(["service.added", "service.list_accepted", "service.list_refused"]);
    const other = await made({ typed: "192.0.2.1", sources: [] });
    expect((await decide(other.id, source.id, { accept: true, mark: second.mark })).code).toBe("source.not_found");
  });

  test("is refused with the reason if it would make a service too large", async () => {
    lists.set("/full", { body: "192.0.2.1" });
    const { id } = await made({ typed: hosts(4_000).join("\n"), sources: [at("/full")] });
    lists.set("/full", {
      body: hosts(1_500)
        .map((host) => host.replace("198.", "197."))
        .join("\n"),
    });
    const { mark } = (await waitingOf(id)) ?? expect.unreachable();
    const [source = expect.unreachable()] = await sourcesOf(id);
    expect(await decide(id, source.id, { accept: true, mark })).toMatchObject({ code: "source.not_taken" });
    expect((await ipsOf(id))?.length).toBe(4_001);
  });
});

describe("versions", () => {
  const versionsOf = async (id: string, source: string) =>
    (await club.as(admin).call("GET /services/{id}/sources/{source}/versions", { params: { id, source } })).body;

  test("the last 30 are kept, can be compared and brought back; then every other list waits until one is accepted", async () => {
    const some = (most: number) => hosts(most).join("\n");
    lists.set("/versions", { body: some(100) });
    const { id } = await made({ sources: [at("/versions")] });
    const [{ id: source } = expect.unreachable()] = await sourcesOf(id);
    for (let most = 101; most < 132; most += 1) {
      club.clock.advance(1_000);
      lists.set("/versions", { body: some(most) });
      await lookNow(id);
    }
    const versions = await versionsOf(id, source);
    expect(versions.map(({ networks }) => networks)).toEqual(Array.from({ length: 30 }, (_, n) => 131 - n));
    expect(versions.filter(({ isCurrent }) => isCurrent)).toEqual([versions[0]]);
    const { id: version } = versions[1] ?? expect.unreachable();
    const params = { id, source, version };
    const path = "GET /services/{id}/sources/{source}/versions/{version}";
    const lost = [`${hosts(131).at(-1)}/32`];
    expect((await club.as(admin).call(path, { params })).body).toEqual({ gained: [], lost });
    const back = await club
      .as(admin)
      .call("PUT /services/{id}/sources/{source}/versions", { params: { id, source }, body: { version } });
    expect(back.body).toMatchObject([{ networks: 130, held: true, waiting: null }]);
    expect((await ipsOf(id))?.length).toBe(130);
    const { mark, gained } = (await waitingOf(id)) ?? expect.unreachable();
    expect(gained).toEqual(lost);
    expect((await decide(id, source, { accept: true, mark })).body).toMatchObject([{ networks: 131, held: false }]);
    expect((await auditOf(club, id)).map(({ action }) => action)).toContain("service.list_brought_back");
  });
});

test("changing what is typed keeps the sources; removing them leaves only what is typed; each change is audited", async () => {
  lists.set("/kept?key=secret", { body: "192.0.2.1" });
  const { id, ips } = await made({ typed: "198.51.100.1", sources: [at("/kept?key=secret")] });
  expect((await put(id, { typed: "198.51.100.2" })).body.ips).toEqual(["192.0.2.1/32", "198.51.100.2/32"]);
  expect((await put(id, { ips: ["192.0.2.1/32", "198.51.100.2/32"] })).status).toBe(200);
  expect((await typedOf(id)).text).toBe("198.51.100.2");
  expect((await put(id, { ips })).body).toMatchObject({ error: { details: { field: "ips" } } });
  const stale = await put(id, { sources: [], expected: { sources: [] } });
  expect(stale.body).toMatchObject({ error: { code: "service.changed_meanwhile", details: { fields: ["sources"] } } });
  const after = await put(id, { sources: [], expected: { sources: [at("/kept?key=secret")] } });
  expect(after.body.ips).toEqual(["198.51.100.2"]);
  expect(await sourcesOf(id)).toEqual([]);
  const entries = JSON.stringify(await auditOf(club, id));
  expect(entries).toContain(`other.example:${internet.port}/kept`);
  expect(entries).not.toContain("secret");
});

test("the effect of an edit counts the sources' current networks", async () => {
  lists.set("/effect", { body: "192.0.2.1" });
  const { id } = await made({ typed: "198.51.100.1", sources: [at("/effect")] });
  const effect = async (body: object) =>
    (await club.as(admin).call("POST /services/{id}/effect", { params: { id }, body })).body.toDownload;
  await configWith(id);
  expect([await effect({ typed: "198.51.100.1 # same" }), await effect({ typed: "198.51.100.2" })]).toEqual([0, 1]);
});

test("a country's networks come from the panel's data; one with too many is refused with their number", async () => {
  const { ips } = await made({ sources: ["mc"] });
  expect([covers(ips, "88.209.64.1"), covers(ips, "8.8.8.8")]).toEqual([true, false]);
  const russia = await add({ sources: ["geoip:ru"] });
  expect(russia.message).toMatch(/country:RU.*\d{5}.*5000/);
  expect((await add({ sources: ["country:ZZ"] })).body).toMatchObject({
    error: { details: { why: { code: "source.unknown" } } },
  });
});

test("an autonomous system's networks come from the files in GEO_DIR; if they are missing or unreadable, the refusal names them", async () => {
  const why = async () => (await add({ sources: ["AS64500"] })).message;
  expect(await why()).toMatch(/asn-ipv4\.csv.*GEO_DIR/);
  await writeFile(
    join(geo, "asn-ipv4.csv"),
    '192.0.2.0,192.0.2.191,64500,"Ours, Inc."\n198.51.100.0,198.51.100.1,64501,64500\n',
  );
  await mkdir(join(geo, "asn-ipv6.csv"));
  expect(await why()).toMatch(/asn-ipv6\.csv: это папка/);
  await rm(join(geo, "asn-ipv6.csv"), { recursive: true });
  await writeFile(join(geo, "asn-ipv6.csv"), "<!doctype html>\n<title>Not found</title>\n");
  expect(await why()).toMatch(/asn-ipv6\.csv: это не данные ip-location-db/);
  await writeFile(join(geo, "asn-ipv6.csv"), "2001:db8::,2001:db8:ffff:ffff:ffff:ffff:ffff:ffff,64500,Ours\n");
  expect((await made({ sources: ["as64500"] })).ips).toEqual(["192.0.2.0/25", "192.0.2.128/26", "2001:db8::/32"]);
});

test("a domain's addresses are looked up every five minutes, each kept for a day; none at home, and a large change does not wait", async () => {
  const MINUTE_MS = 60_000;
  const name = (v4: string[], v6: string[] = []) => club.names.known.set("video.example", { v4, v6 });
  name(["192.0.2.10", "10.0.0.7"], ["2001:db8::a"]);
  const { id, ips } = await made({ sources: ["Video.Example."] });
  expect(ips).toEqual(["192.0.2.10/32", "2001:db8::a/128"]);
  expect(await sourcesOf(id)).toMatchObject([{ source: "domain:video.example", networks: 2, why: null }]);
  name(["192.0.2.20"]);
  await later(4 * MINUTE_MS);
  await look();
  expect(await ipsOf(id), "not due yet").toEqual(ips);
  await later(MINUTE_MS);
  await look();
  expect(await ipsOf(id)).toEqual(["192.0.2.10/32", "192.0.2.20/32", "2001:db8::a/128"]);
  expect(await sourcesOf(id)).toMatchObject([{ waiting: null }]);
  await later(DAY_MS - MINUTE_MS);
  await look();
  expect(await ipsOf(id), "not seen for a day").toEqual(["192.0.2.20/32"]);
  name(["192.0.2.30"]);
  await later(10 * DAY_MS);
  await lookNow(id);
  name(["192.0.2.20"]);
  for (const ms of [-10 * DAY_MS, DAY_MS]) {
    await later(ms);
    await lookNow(id);
  }
  expect(await ipsOf(id), "seen by a clock that was ahead").toEqual(["192.0.2.20/32"]);
  name([]);
  await later(2 * DAY_MS);
  await look();
  expect(await ipsOf(id), "the last good list stays").toEqual(["192.0.2.20/32"]);
  expect(await sourcesOf(id)).toMatchObject([{ why: { code: "web.no_name" } }]);
});

test("a name that leads nowhere but home, or does not exist, is refused by its reason", async () => {
  expect((await add({ sources: ["inside.example"] })).body).toMatchObject({
    error: { code: "source.failed", details: { why: { code: "web.closed" } } },
  });
  expect((await add({ sources: ["nowhere.example"] })).body).toMatchObject({
    error: { details: { why: { code: "web.no_name" } } },
  });
});

test("a name with no address of its own is a source: servers that route go by those below it", async () => {
  const below = (v4: string[]) => club.names.known.set("pictures.example", { v4, v6: [], exists: true });
  below([]);
  const { id, ips } = await made({ typed: "192.0.2.1", sources: ["pictures.example"] });
  expect(ips).toEqual(["192.0.2.1"]);
  expect(await club.app.parts.sources.domains(club.db)).toContainEqual([id, ["pictures.example"]]);
  expect(await lookNow(id)).toMatchObject([{ networks: 0, why: null }]);
  below(["192.0.2.3"]);
  await lookNow(id);
  below([]);
  expect(await lookNow(id)).toMatchObject([{ networks: 1, why: { code: "web.no_address" } }]);
  club.names.known.set("pictures.example", { v4: null, v6: [], exists: true });
  expect(await lookNow(id)).toMatchObject([{ networks: 1, why: { code: "web.no_resolver" } }]);
  expect((await add({ sources: ["nowhere.pictures.example"] })).code).toBe("source.failed");
});

test("all sources of a service are asked side by side: twenty silent ones keep nobody longer than one", async () => {
  const paths = Array.from({ length: 20 }, (_, n) => `/quiet-${n}`);
  for (const path of paths) lists.set(path, { body: `192.0.2.${path.slice(7)}` });
  const { id } = await made({ sources: paths.map((path) => at(path)) });
  for (const path of paths) lists.set(path, "silence");
  asked.length = 0;
  patience(5_000);
  const answer = lookNow(id);
  // One after another they would take 100 s.
  await vi.waitFor(() => expect(asked.filter(({ path }) => path.startsWith("/quiet-"))).toHaveLength(20), 30_000);
  for (const found of await answer) expect(found.why).toMatchObject({ code: "web.silent" });
});
