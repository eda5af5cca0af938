import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Club, type Person, startClub } from "../../../testing/start-club.ts";

let club: Club;
const folder = mkdtempSync(join(tmpdir(), "krug-web-"));
const script = "console.log(1);".repeat(200);
beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  for (const [ending, content] of [
    ["", script],
    [".br", brotliCompressSync(script)],
    [".gz", gzipSync(script)],
  ] as const)
    writeFileSync(join(folder, "assets", `app.js${ending}`), content);
  for (const name of ["styles.css", "font.woff2", "drawing.svg"]) writeFileSync(join(folder, "assets", name), name);
  for (const name of ["mark.svg", "early.js", "worker.js"]) writeFileSync(join(folder, name), name);
  writeFileSync(join(folder, "robots.txt"), "nobody");
  writeFileSync(join(folder, ".built-from"), "the build's own");
  for (const page of ["index", "landing", "login", "dashboard"])
    writeFileSync(
      join(folder, `${page}.html`),
      `<html><head><title>${page}</title><script src="/early.js"></script></head><body></body></html>`,
    );
  club = await startClub({ webFolder: folder });
});
afterAll(async () => {
  await club.stop();
  rmSync(folder, { recursive: true });
});

async function open(path: string, person?: Person) {
  const headers: Record<string, string> = person === undefined ? {} : { cookie: `krug_session=${person.token}` };
  const page = await club.guest.send("GET", path, undefined, headers);
  const html = String(page.body);
  const json = /<script type="application\/json" id="first-answers">(.*?)<\/script>/.exec(html)?.[1];
  const { "club-time": clubTime, ...answers } = json === undefined ? {} : (JSON.parse(json) as Record<string, never>);
  return { page, html, clubTime, answers };
}

/** Retries until these answers travel with the page: on a busy machine one may come too late. */
const openWith = (answers: string[], path: string, person?: Person) =>
  vi.waitFor(async () => {
    const opened = await open(path, person);
    for (const answer of answers) expect(opened.answers).toHaveProperty([answer]);
    return opened;
  }, 20_000);

test("the dashboard comes with this visitor's answers to its script's first calls, and is never cached", async () => {
  const [boris, vera] = [await club.member(), await club.member()];
  const { page, html, answers } = await openWith(["/auth/me", "/vpn/configs"], "/dashboard", boris);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(html.indexOf("first-answers"), "the first script reads them").toBeLessThan(html.indexOf("early.js"));
  const asked = await club.as(boris).call("GET /auth/me");
  expect(answers["/auth/me"]).toEqual(asked.body);
  expect(answers["/vpn/configs"]).toEqual([]);
  expect((await openWith(["/auth/me"], "/dashboard", vera)).answers["/auth/me"]).toMatchObject({ id: vera.id });
});

test("a page and every answer give the club's time, refusals too: a phone's own clock may be wrong", async () => {
  expect((await openWith(["/security/gate"], "/dashboard")).clubTime).toBe(club.clock.now().getTime());
  for (const path of ["/api/health", "/api/auth/me", "/api/no-such-call"])
    expect((await club.guest.send("GET", path)).headers.get("x-club-time"), path).toBe(
      String(club.clock.now().getTime()),
    );
});

test("a guest's page holds no member data, and no refusal that the browser could take for an answer", async () => {
  const { html, answers } = await openWith(["/security/gate"], "/dashboard");
  expect(html).toContain("<title>dashboard</title>");
  expect(Object.keys(answers)).toEqual(["/security/gate"]);
  expect(Object.keys((await openWith(["/security/gate"], "/no-such-page", await club.member())).answers)).toEqual([
    "/security/gate",
  ]);
});

test("the sign-in page comes with the visitor's identity, so that no member sees its form", async () => {
  const boris = await club.member();
  expect((await openWith(["/auth/me"], "/login", boris)).answers["/auth/me"]).toMatchObject({ id: boris.id });
  expect(Object.keys((await openWith(["/security/gate"], "/login")).answers)).toEqual(["/security/gate"]);
});

test("a name cannot close the element that carries it", async () => {
  const name = "</script><script>alert(1)</script>";
  const named = await club.member({ row: { display_name: name } });
  const { html, answers } = await openWith(["/auth/me"], "/dashboard", named);
  expect(html.split("<script>")).toHaveLength(1);
  expect(answers["/auth/me"]).toMatchObject({ displayName: name });
});

/** Like a monitor or a proxy: sends exactly these headers, and returns the raw answer. */
const ask = (path: string, encoding: string | null, method = "GET") =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const headers = encoding === null ? {} : { "accept-encoding": encoding };
    request(`${club.origin}${path}`, { method, headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) }),
      );
    })
      .on("error", reject)
      .end();
  });
const opened = { br: brotliDecompressSync, gzip: gunzipSync };

test.each([
  null,
  "",
  "identity",
  "gzip",
  "br",
  "gzip, deflate",
  "gzip;q=0",
  "br;q=0, gzip;q=0",
  "identity, *;q=0",
  "*",
  "*;q=0.5",
  "br;q=0.5, gzip;q=1",
  "deflate",
  "nonsense;;q",
])("every page and file is served, whatever encodings are accepted: %s", async (encoding) => {
  for (const [path, text] of [
    ["/", "<title>landing</title>"],
    ["/?from=friend", "<title>landing</title>"],
    ["/landing", "<title>index</title>"],
    ["/login?to=%2Fdashboard", "<title>login</title>"],
    ["/dashboard", "<title>dashboard</title>"],
    ["/a/deep/link/", "<title>index</title>"],
    ["/assets/app.js", script],
    ["/robots.txt", "nobody"],
    ["/api/openapi.json", '"openapi":"3.1.0"'],
    ["/api/docs", "OpenAPI 3.1"],
  ] as const) {
    const { status, headers, body } = await ask(path, encoding);
    const used = headers["content-encoding"];
    expect([path, status]).toEqual([path, 200]);
    expect([undefined, "br", "gzip"]).toContain(used);
    if (used !== undefined) {
      expect(encoding).toMatch(new RegExp(`${used}(?!;q=0[,\\s]?$|;q=0,)|\\*(?!;q=0$)`));
      expect(headers.vary).toMatch(/accept-encoding/i);
    }
    expect((used === undefined ? body : opened[used as keyof typeof opened](body)).toString()).toContain(text);
    const head = await ask(path, encoding, "HEAD");
    expect([path, head.status, head.body.length, head.headers["content-type"]]).toEqual([
      path,
      200,
      0,
      headers["content-type"],
    ]);
  }
  for (const path of [
    "/assets/",
    "/assets/gone.js",
    "/api/",
    "/api/gone",
    "//",
    "/assets/../../etc/passwd",
    "/assets//app.js",
  ])
    expect([path, (await ask(path, encoding)).status < 500]).toEqual([path, true]);
  for (const path of ["/assets/", "/assets/gone.js", "/api/gone"]) {
    const gone = await ask(path, encoding);
    expect([path, gone.status, JSON.parse(gone.body.toString()).error.code]).toEqual([path, 404, "request.not_found"]);
  }
});

test("a page is compressed, though it is made for one visitor", async () => {
  for (const encoding of ["br", "gzip"] as const) {
    const { headers, body } = await ask("/dashboard", encoding);
    expect([headers["content-encoding"], headers["cache-control"]]).toEqual([encoding, "no-store"]);
    expect(opened[encoding](body).toString()).toContain("<title>dashboard</title>");
  }
});

const POLICIES = ["content-security-policy", "cross-origin-opener-policy", "permissions-policy", "x-frame-options"];
const policiesOf = (headers: IncomingHttpHeaders) => POLICIES.filter((name) => headers[name] !== undefined);

test.each(["/assets/app.js", "/assets/styles.css", "/assets/font.woff2", "/early.js"])(
  "%s comes without the policies that only a document obeys, and cannot be taken for anything else",
  async (path) => {
    for (const encoding of ["identity", "br", "gzip"]) {
      const { status, headers } = await ask(path, encoding);
      expect([status, policiesOf(headers)]).toEqual([200, []]);
      expect(headers["content-type"]).toMatch(/javascript|css|woff2/);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      });
    }
  },
);

test("the worker keeps its policy, which it takes from its own file, and is revalidated each time", async () => {
  for (const path of ["/worker.js", "/worker.js?build=1"]) {
    const { headers } = await ask(path, "identity");
    expect(policiesOf(headers)).toEqual(POLICIES);
    expect(headers["content-security-policy"]).toContain("connect-src 'self'");
    expect(headers).toMatchObject({ "cache-control": "no-cache", "x-content-type-options": "nosniff" });
    expect(headers["content-type"]).toMatch(/javascript/);
  }
});

test.each(["/", "/dashboard", "/assets/drawing.svg", "/mark.svg", "/robots.txt", "/assets/gone.js", "/api/gone"])(
  "%s can be opened directly, so it carries every policy",
  async (path) => {
    const { headers } = await ask(path, "identity");
    expect(policiesOf(headers)).toEqual(POLICIES);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  },
);

test("the API's description is compressed, and not sent again to clients that have it", async () => {
  const plain = await ask("/api/openapi.json", "identity");
  const [br, gzip] = [await ask("/api/openapi.json", "br"), await ask("/api/openapi.json", "gzip")];
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(br.body.length * 8).toBeLessThan(plain.body.length);
  expect(gzip.body.length * 6).toBeLessThan(plain.body.length);
  expect(brotliDecompressSync(br.body)).toEqual(plain.body);
  const tags = [plain, br, gzip].map(({ headers }) => String(headers.etag));
  expect(new Set(tags).size).toBe(3);
  const again = await fetch(`${club.origin}/api/openapi.json`, {
    headers: { "accept-encoding": "br", "if-none-match": `W/"old", ${tags[1]}` },
  });
  expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tags[1]]);
  expect(again.headers.get("vary")).toMatch(/accept-encoding/i);
});

test.each(["/.built-from", "/%2ebuilt-from", "/assets/../.built-from"])(
  "%s belongs to the build and is not served",
  async (path) => {
    expect(JSON.stringify((await club.guest.send("GET", path)).body)).not.toContain("the build's own");
  },
);
