import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Club, PASSWORD, startClub } from "../../../testing/start-club.ts";

async function aClub(environment: Record<string, string>): Promise<Club> {
  const webFolder = await mkdtemp(join(tmpdir(), "krug-web-"));
  await writeFile(join(webFolder, "index.html"), "<html><head></head><body>the club</body></html>");
  const club = await startClub({ localServer: "off", webFolder, environment });
  onTestFinished(async () => {
    await club.stop();
    await rm(webFolder, { recursive: true });
  });
  return club;
}

interface Heard {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends any Host header, which fetch would not allow. */
const ask = (club: Club, path: string, headers: Record<string, string>, body?: unknown): Promise<Heard> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(club.origin);
    const sent = httpRequest(
      {
        hostname,
        port,
        path,
        method: body === undefined ? "GET" : "POST",
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

const HTTPS = { PUBLIC_URL: "https://club.example", TRUSTED_PROXIES: "127.0.0.1" };
const STRANGE = [
  "127.0.0.1:3001",
  "club.example.evil.org",
  "club.example:8443",
  "club.example:80",
  "evil.org",
  "club.example, evil.org",
  "club.example@evil.org",
  "club.example/",
  "club..example",
  "[::1]",
  "",
];

test.each(STRANGE)("under an https address nobody is signed in at the host %j, and no cookie leaves", async (host) => {
  const club = await aClub(HTTPS);
  const { username, password } = await club.member();
  const answer = await ask(club, "/api/auth/login", { host, "accept-language": "en" }, { username, password });
  expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([421, "request.wrong_host"]);
  expect(JSON.parse(answer.text).error.message).toMatch(/proxy.*Host/);
  expect(answer.headers["set-cookie"]).toBeUndefined();
});

test.each(["club.example", "CLUB.example", "club.example:443", "club.example.", "club.example.:443"])(
  "the host %s is the club's own, and its cookie is https-only",
  async (host) => {
    const club = await aClub(HTTPS);
    const { username } = await club.member();
    const answer = await ask(club, "/api/auth/login", { host }, { username, password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/^__Host-krug_session=.*; Secure$/);
    expect((await ask(club, "/login", { host })).text).toContain("the club");
  },
);

test("a page under another host is one sentence in both languages and shows nothing about the club", async () => {
  const club = await aClub(HTTPS);
  for (const path of ["/", "/login", "/dashboard", "/assets/x.js", "/nothing", "/healthy"]) {
    const answer = await ask(club, path, { host: "203.0.113.5" });
    expect([path, answer.status]).toEqual([path, 421]);
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(answer.text).toMatch(/прокси.*Host/);
    expect(answer.text).toMatch(/proxy.*Host/);
    // A client at a bare address need not learn the club's name.
    expect(answer.text).not.toMatch(/the club<|club\.example/);
  }
});

test("health answers under any host", async () => {
  const club = await aClub(HTTPS);
  for (const path of ["/health", "/api/health", "/health/", "/health?x=1"])
    expect([path, (await ask(club, path, { host: "10.0.0.7:3001" })).status]).toEqual([path, 200]);
});

test("a host forwarded by a trusted proxy counts, one from a stranger does not", async () => {
  const forwarded = { host: "127.0.0.1:3001", "x-forwarded-host": "club.example" };
  expect((await ask(await aClub(HTTPS), "/api/maintenance", forwarded)).status).toBe(200);
  expect(
    (await ask(await aClub(HTTPS), "/api/maintenance", { host: "club.example", "x-forwarded-host": "evil.org" }))
      .status,
  ).toBe(421);
  const untrusting = await aClub({ ...HTTPS, TRUSTED_PROXIES: "192.0.2.1" });
  expect((await ask(untrusting, "/api/maintenance", forwarded)).status).toBe(421);
});

test.each([[{}], [{ PUBLIC_URL: "http://club.example" }]])(
  "without https the panel answers any host: %j",
  async (environment: Record<string, string>) => {
    const club = await aClub(environment);
    const { username } = await club.member();
    for (const host of ["club.example", "127.0.0.1:3001", "evil.org"]) {
      const answer = await ask(club, "/api/auth/login", { host }, { username, password: PASSWORD });
      expect([host, answer.status]).toEqual([host, 200]);
      expect(answer.headers["set-cookie"]?.[0]).toMatch(/^krug_session=/);
    }
  },
);

test("a port other than 443 is part of the club's address", async () => {
  const club = await aClub({ PUBLIC_URL: "https://club.example:8443" });
  const statusAt = async (host: string) => (await ask(club, "/api/maintenance", { host })).status;
  expect(
    await Promise.all(["club.example:8443", "Club.Example.:8443", "club.example", "club.example:443"].map(statusAt)),
  ).toEqual([200, 200, 421, 421]);
});
