import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Club, startClub } from "../../../../testing/start-club.ts";
import { packagedGeoFiles } from "../../../installation.ts";

/** Addresses in the country database, and one in a hosting network. */
const FROM = {
  russia: "77.88.8.8",
  ukraine: "212.109.32.1",
  kazakhstan: "178.88.1.1",
  netherlands: "145.97.20.20",
  germany: "130.75.1.1",
  hosting: "46.101.1.1",
  proxy: "107.167.100.1",
  unknown: "192.0.2.5",
};
const UNMET = "Your connection does not meet security requirements";
const REGION = "Access denied: service unavailable in your region";
const VPN = "Access denied: VPN/Proxy usage detected";

async function aClub(environment: Record<string, string> = {}, localServer: "off" | "fake" = "off"): Promise<Club> {
  const club = await startClub({
    localServer,
    environment: { SECURITY_GATE: "on", GEO_SERVICES: "", TRUSTED_PROXIES: "127.0.0.1", ...environment },
  });
  onTestFinished(() => club.stop());
  return club;
}

const from = (address: string) => ({ "x-forwarded-for": address, "accept-language": "en" });

async function seenFrom(club: Club, address: string) {
  const headers = from(address);
  const geo = await club.guest.call("GET /security/geo", { headers });
  const vpn = await club.guest.call("GET /security/vpn", { headers });
  return { country: geo.body.country, ...vpn.body };
}

test.each([
  [FROM.russia, { country: "RU", proxy: false, vpn: false }],
  [`::ffff:${FROM.ukraine}`, { country: "UA", proxy: false, vpn: false }],
  [`${FROM.ukraine}:51234`, { country: "UA", proxy: false, vpn: false }],
  [`[::ffff:${FROM.ukraine}]:51234`, { country: "UA", proxy: false, vpn: false }],
  ["[2a02:6b8::1]:51234", { country: "RU", proxy: false, vpn: false }],
  ["[2a02:6b8::1%eth0]", { country: "RU", proxy: false, vpn: false }],
  ["2a02:6b8::1", { country: "RU", proxy: false, vpn: false }],
  [FROM.hosting, { country: expect.stringMatching(/^[A-Z]{2}$/), proxy: false, vpn: true }],
  [FROM.proxy, { country: expect.stringMatching(/^[A-Z]{2}$/), proxy: true, vpn: false }],
  [FROM.unknown, { country: null, proxy: false, vpn: false }],
  ["10.8.0.3", { country: null, proxy: false, vpn: false }],
  ["127.0.0.1", { country: null, proxy: false, vpn: false }],
])("the panel's own data says what it knows of %s", async (address, known) => {
  expect(await seenFrom(await aClub(), address)).toEqual(known);
});

test("sign-in is refused from a blocked country and from a hosting network, with the catalogue's texts", async () => {
  const club = await aClub();
  const { username, password } = await club.member();
  const login = (address: string, language = "en") =>
    club.guest.call("POST /auth/login", {
      body: { username, password },
      headers: { ...from(address), "accept-language": language },
    });
  for (const address of [FROM.ukraine, FROM.kazakhstan, FROM.netherlands])
    expect(await login(address)).toMatchObject({ status: 403, code: "security.region", message: REGION });
  for (const address of [FROM.hosting, FROM.proxy])
    expect(await login(address)).toMatchObject({ status: 403, code: "security.vpn", message: VPN });
  expect((await login(FROM.ukraine, "ru")).message).toBe("Доступ запрещён: сервис недоступен в вашем регионе");
  for (const address of [FROM.russia, FROM.germany, FROM.unknown, "10.8.0.3", "127.0.0.1"])
    expect((await login(address)).status, address).toBe(200);
});

test.each([
  "unknown",
  "",
  " , ",
  "_hidden",
  "1.2.3",
  "77.88.8.8:port",
  "77.88.8.8:123456",
  "[2a02:6b8::1",
  "2a02:6b8::1]:80",
  "77.88.8.8;DROP",
])("an unreadable address %j is let in nowhere, and the page learns that it could not be checked", async (address) => {
  const club = await aClub();
  const { username, password } = await club.member();
  const headers = from(address);
  const unmet = { status: 403, code: "security.unmet", message: UNMET };
  const body = { username, password };
  expect(await club.guest.call("POST /auth/login", { body, headers })).toMatchObject(unmet);
  expect(await club.guest.call("POST /auth/check-role", { body, headers })).toMatchObject(unmet);
  expect(
    await club.guest.call("POST /auth/register", { body: { ...body, inviteCode: "AAAAAA" }, headers }),
  ).toMatchObject(unmet);
  expect(await club.guest.call("GET /security/geo", { headers })).toMatchObject(unmet);
  expect(await club.guest.call("GET /security/vpn", { headers })).toMatchObject(unmet);
  expect((await club.guest.call("GET /security/gate", { headers })).status).toBe(200);
});

test("what a trusted proxy writes with ports is followed to the first untrusted address, and no further", async () => {
  const club = await aClub({ TRUSTED_PROXIES: "127.0.0.1,::ffff:192.0.2.7,2001:db8::/32" });
  const seen = async (address: string) => (await seenFrom(club, address)).country;
  expect(await seen(`${FROM.ukraine}:40000, 192.0.2.7:443`)).toBe("UA");
  expect(await seen(`${FROM.ukraine}, [2001:db8::9]:443, ::ffff:192.0.2.7`)).toBe("UA");
  // What precedes the first untrusted address may come from the visitor.
  expect(await seen(`${FROM.russia}, ${FROM.ukraine}:40000, 192.0.2.7:443`)).toBe("UA");
  expect(await seen(`nonsense, ${FROM.ukraine}`)).toBe("UA");
});

test("an account's role is not revealed to someone who may not sign in from their address", async () => {
  const club = await aClub();
  const { username, password } = await club.moderator();
  const check = (address: string) =>
    club.guest.call("POST /auth/check-role", { body: { username, password }, headers: from(address) });
  expect(await check(FROM.ukraine)).toMatchObject({ status: 403, code: "security.region" });
  expect(await check(FROM.hosting)).toMatchObject({ status: 403, code: "security.vpn" });
  expect((await check(FROM.russia)).body).toEqual({ isAdminOrModerator: true });
});

test("registration is refused from there too, and the code is not used up", async () => {
  const club = await aClub({}, "fake");
  const admin = club.as(await club.admin());
  const interfaces = (await admin.call("GET /admin/servers/interfaces")).body.map(({ id }) => id);
  const { code } = (await admin.call("POST /admin/invite-codes", { body: { interfaces } })).body;
  const register = (address: string) =>
    club.guest.call("POST /auth/register", {
      body: { username: "newcomer", password: "correct horse battery", inviteCode: code },
      headers: from(address),
    });
  expect(await register(FROM.ukraine)).toMatchObject({ status: 403, code: "security.region" });
  expect(await register(FROM.hosting)).toMatchObject({ status: 403, code: "security.vpn" });
  expect((await register(FROM.russia)).status).toBe(201);
});

test("a signed-in member is not signed out: the gate checks sign-in only", async () => {
  const club = await aClub();
  const boris = await club.member();
  expect((await club.as(boris).call("GET /auth/me", { headers: from(FROM.ukraine) })).status).toBe(200);
});

test("the club's own servers and the operator's exceptions pass, and no external service is asked about them", async () => {
  const club = await aClub({ GEO_SERVICES: "https://geo.example/json" });
  const admin = await club.admin();
  const { username, password } = await club.member();
  const gateFrom = async (address: string) =>
    (await club.guest.call("GET /security/gate", { headers: from(address) })).body;
  const login = async (address: string) =>
    (await club.guest.call("POST /auth/login", { body: { username, password }, headers: from(address) })).status;
  expect(await gateFrom(FROM.netherlands)).toEqual({
    enabled: true,
    services: ["https://geo.example/json"],
    blockedCountries: ["UA", "KZ", "NL"],
    supportContact: null,
  });
  expect(await login(FROM.netherlands)).toBe(403);

  await club.transact((tx) =>
    tx
      .insertInto("servers" as never)
      .values({
        id: "00000000-0000-4000-8000-000000000001",
        name: "Амстердам",
        driver: "local",
        endpoint: FROM.netherlands,
        is_main: 0,
        is_setup_complete: 1,
        created_at: 1,
      } as never)
      .execute(),
  );
  expect(await login(FROM.netherlands), "a member inside the club's VPN").toBe(200);
  expect((await gateFrom(FROM.netherlands)).services).toEqual([]);
  expect(await seenFrom(club, FROM.netherlands)).toEqual({ country: null, proxy: false, vpn: false });

  const egress = "185.199.108.9";
  await club.transact((tx) =>
    tx
      .insertInto("servers" as never)
      .values({
        id: "00000000-0000-4000-8000-000000000002",
        name: "По SSH",
        driver: "ssh",
        ssh_host: "203.0.113.77",
        ssh_port: 22,
        about: JSON.stringify({ addresses: [egress, "2a01:4f8::7", "10.0.0.5"] }),
        is_main: 0,
        is_setup_complete: 0,
        created_at: 2,
      } as never)
      .execute(),
  );
  const isOwn = async (address: string) => (await gateFrom(address)).services.length === 0;
  expect([await isOwn(egress), await isOwn("203.0.113.77"), await isOwn("2a01:4f8::7")]).toEqual([true, true, true]);
  expect(await isOwn("10.0.0.5"), "an address that many machines have").toBe(false);

  const changed = await club
    .as(admin)
    .call("PUT /admin/security", { body: { exceptions: ["46.101.1.9/24", "46.101.1.0/24"] } });
  expect(changed.body.exceptions).toEqual(["46.101.1.0/24"]);
  expect(await login(FROM.hosting)).toBe(200);
  expect(await login("46.101.2.1")).toBe(403);
});

test("the blocked countries are a setting, and its change is in the audit", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const { username, password } = await club.member();
  const login = async (address: string) =>
    (await club.guest.call("POST /auth/login", { body: { username, password }, headers: from(address) })).status;
  const changed = await club.as(admin).call("PUT /admin/security", { body: { blockedCountries: ["de", "DE"] } });
  expect(changed.body).toMatchObject({ enabled: true, blockedCountries: ["DE"], exceptions: [] });
  expect([await login(FROM.germany), await login(FROM.ukraine)]).toEqual([403, 200]);
  const entries = await club.db
    .selectFrom("audit" as never)
    .select(["actor_id", "before", "after"] as never[])
    .where("action" as never, "=", "security.changed" as never)
    .execute();
  expect(entries).toEqual([
    {
      actor_id: admin.id,
      before: '{"blockedCountries":["UA","KZ","NL"]}',
      after: '{"blockedCountries":["DE"]}',
    },
  ]);
  // It reveals where staff come from, and is a system setting.
  expect((await club.as(await club.moderator()).call("GET /admin/security")).code).toBe("auth.forbidden");
  expect((await club.as(await club.moderator()).call("PUT /admin/security", { body: {} })).code).toBe("auth.forbidden");
});

test("the answers embedded in the page are for the visitor's own address: no external service is asked about an exception", async () => {
  const webFolder = await mkdtemp(join(tmpdir(), "krug-web-"));
  await writeFile(join(webFolder, "index.html"), "<html><head></head></html>");
  const club = await startClub({
    localServer: "off",
    webFolder,
    environment: {
      SECURITY_GATE: "on",
      GEO_SERVICES: "https://geo.example/json",
      TRUSTED_PROXIES: "127.0.0.1",
    },
  });
  onTestFinished(async () => {
    await club.stop();
    await rm(webFolder, { recursive: true });
  });
  await club.as(await club.admin()).call("PUT /admin/security", { body: { exceptions: ["46.101.1.0/24"] } });
  const servicesFor = async (address: string) => {
    const html = String((await club.guest.send("GET", "/login", undefined, from(address))).body);
    return JSON.parse(/id="first-answers">(.*?)<\/script>/.exec(html)?.[1] ?? "{}")["/security/gate"]?.services;
  };
  // A page does not wait long for an answer, and then comes without it.
  await expect.poll(() => servicesFor(FROM.netherlands)).toEqual(["https://geo.example/json"]);
  await expect.poll(() => servicesFor(FROM.hosting)).toEqual([]);
});

test("an admin sets the support contact, and whoever cannot get in sees it", async () => {
  const club = await aClub();
  const admin = club.as(await club.admin());
  const told = async () =>
    (await club.guest.call("GET /security/gate", { headers: from(FROM.ukraine) })).body.supportContact;
  expect(await told()).toBeNull();
  const changed = await admin.call("PUT /admin/security", { body: { supportContact: " @krug_help " } });
  expect(changed.body).toMatchObject({ supportContact: "@krug_help", blockedCountries: ["UA", "KZ", "NL"] });
  expect(await told()).toBe("@krug_help");
  await admin.call("PUT /admin/security", { body: { supportContact: null } });
  expect(await told()).toBeNull();
});

test.each([
  [{ exceptions: ["10.0.0.0/33"] }, "security.exception_invalid"],
  [{ exceptions: ["club.example"] }, "security.exception_invalid"],
  [{ blockedCountries: ["UKR"] }, "request.invalid"],
  [{ countries: ["UA"] }, "request.invalid"],
  [{ supportContact: "" }, "request.invalid"],
  [{ supportContact: "a\nb" }, "request.invalid"],
  [{ supportContact: "x".repeat(201) }, "request.invalid"],
])("a wrong setting %j is refused", async (body, code) => {
  const club = await aClub();
  const admin = await club.admin();
  expect(await club.as(admin).send("PUT", "/api/admin/security", body)).toMatchObject({ status: 400, code });
});

test("with the gate off nobody is refused, and the page learns that", async () => {
  const club = await aClub({ SECURITY_GATE: "off" });
  const { username, password } = await club.member();
  const body = { username, password };
  expect((await club.guest.call("POST /auth/login", { body, headers: from(FROM.ukraine) })).status).toBe(200);
  expect((await club.guest.call("GET /security/gate", { headers: from(FROM.ukraine) })).body).toEqual({
    enabled: false,
    services: [],
    blockedCountries: [],
    supportContact: null,
  });
});

test("the page calls only the panel; the frame in it has no origin, may call the named services, and only the panel may embed it", async () => {
  const policyOf = async (club: Club, path: string) =>
    (await club.guest.send("GET", path)).headers.get("content-security-policy") ?? "";
  const club = await aClub({
    GEO_SERVICES: "https://geo.example/json,https://geo.example/xml,https://two.example:8443/",
  });
  const own = await policyOf(club, "/");
  expect(own).toMatch(/connect-src 'self';/);
  expect(own).toMatch(/frame-src 'self';/);
  const frame = await club.guest.send("GET", "/api/security/frame");
  const policy = frame.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("connect-src https://geo.example https://two.example:8443;");
  expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[\w+/=]+'; /);
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toMatch(/sandbox allow-scripts$/);
  expect(frame.headers.get("referrer-policy")).toBe("no-referrer");
  const script = /<script>([\s\S]*)<\/script>/.exec(String(frame.body))?.[1] ?? "";
  expect(policy).toContain(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  const without: Record<string, string>[] = [{}, { SECURITY_GATE: "off", GEO_SERVICES: "https://geo.example/" }];
  for (const environment of without) {
    const other = await aClub(environment);
    expect(await policyOf(other, "/")).toMatch(/connect-src 'self';.*frame-src 'none';/);
    expect((await other.guest.send("GET", "/api/security/frame")).status).toBe(404);
  }
});

test("a forwarded address from an untrusted proxy is ignored, and staff can see that it came", async () => {
  const club = await aClub({ TRUSTED_PROXIES: "192.0.2.1" });
  const admin = await club.admin();
  const since = async () => (await club.as(admin).call("GET /admin/security")).body.untrustedForwardingSince;
  expect(await since()).toBeNull();
  expect(await seenFrom(club, FROM.ukraine)).toEqual({ country: null, proxy: false, vpn: false });
  const first = club.clock.now().toISOString();
  club.clock.advance(5000);
  await seenFrom(club, FROM.ukraine);
  expect(await since()).toBe(first);
});

test("staff see since when a trusted proxy forwards unreadable addresses, separately from untrusted ones", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const told = async () => (await club.as(admin).call("GET /admin/security")).body;
  await seenFrom(club, FROM.ukraine);
  expect((await told()).unreadableForwardingSince).toBeNull();
  const first = club.clock.now().toISOString();
  await club.guest.call("GET /security/geo", { headers: from("unknown") });
  club.clock.advance(5000);
  await club.guest.call("GET /security/geo", { headers: from("unknown") });
  expect(await told()).toMatchObject({ unreadableForwardingSince: first, untrustedForwardingSince: null });
});

test("the operator's newest country database is used; a broken one, and one of something else, is skipped", async () => {
  const folder = await mkdtemp(join(tmpdir(), "krug-geo-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await copyFile(packagedGeoFiles().countryFile, join(folder, "older.mmdb"));
  await utimes(join(folder, "older.mmdb"), 1000, 1000);
  await writeFile(join(folder, "newer.mmdb"), "not a database");
  const ofNumbers = (await readFile(packagedGeoFiles().countryFile, "latin1")).replace("country_code", "as_number_of");
  await writeFile(join(folder, "newest.mmdb"), ofNumbers, "latin1");
  const club = await aClub({ GEO_DIR: folder });
  const admin = await club.admin();
  expect((await club.as(admin).call("GET /admin/security")).body.countriesBuiltAt, "nothing is read yet").toBeNull();
  expect((await seenFrom(club, FROM.russia)).country).toBe("RU");
  const { countriesBuiltAt, hostingListOf } = (await club.as(admin).call("GET /admin/security")).body;
  expect([countriesBuiltAt, hostingListOf]).toEqual([
    expect.stringMatching(/^2026-06-/),
    expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  ]);
});

test("the panel's mirror is an https address that an admin sets after the password, shown to members only", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const [admin, vera] = [await club.admin(), await club.member()];
  const set = (mirrorUrl: string | null) => club.as(admin).call("PUT /admin/security", { body: { mirrorUrl } });
  for (const wrong of ["http://mirror.example", "javascript:alert(1)", "https://a:b@mirror.example"])
    expect((await set(wrong)).status).toBe(400);
  expect((await set("https://mirror.example/krug")).body.mirrorUrl).toBe("https://mirror.example/krug");
  expect((await club.as(vera).call("GET /security/ways")).body).toEqual({
    mirrorUrl: "https://mirror.example/krug",
    supportContact: null,
  });
  expect((await club.guest.call("GET /security/ways")).code).toBe("auth.required");
  expect(JSON.stringify((await club.guest.call("GET /security/gate")).body)).not.toContain("mirror");
});
