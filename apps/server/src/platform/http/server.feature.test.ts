import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { startClub } from "../../../testing/start-club.ts";

const PATIENCE = { timeout: 20_000 };

async function aClub() {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  return club;
}

/** Sends raw bytes and returns everything that comes back. */
const exchange = (origin: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    let received = "";
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });

const refusalIn = (answer: string) => JSON.parse(answer.split("\r\n\r\n")[1] ?? "").error;

test.each([
  ["headers of more than 16 kB", 431, "request.headers_too_large", `Cookie: ${"x".repeat(20_000)}\r\n\r\n`],
  ["a header without a colon", 400, "request.not_http", "Host x\r\n\r\n"],
  [
    "a chunk with endless extensions",
    413,
    "request.too_large",
    `Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\n`,
  ],
])("%s: %i, with its own message, in the requested language", async (_, status, code, rest) => {
  const club = await aClub();
  for (const language of ["ru", "en"] as const) {
    const head = `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept-Language: ${language}\r\n`;
    const answer = await exchange(club.origin, head + rest);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const refusal = refusalIn(answer);
    expect(refusal).toMatchObject({ code, message: refusal.messages[language] });
    expect(refusal.messages.ru).toMatch(/[а-я]/);
    expect(refusal.messages.en).not.toMatch(/[а-я]|JSON/);
  }
});

test("a request that did not arrive in time is answered as such", async () => {
  const club = await aClub();
  const { server } = club.app.server;
  // The real limit is a minute.
  server.once("connection", (socket) =>
    server.emit("clientError", Object.assign(new Error("timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket),
  );
  const answer = await exchange(club.origin, "POST /api/auth/login HTTP/1.1\r\n");
  expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
  expect(refusalIn(answer).code).toBe("request.too_slow");
});

test("a request that is not HTTP is refused, and none of it is logged", async () => {
  const club = await aClub();
  const { log } = club.app.server;
  const told: string[] = [];
  for (const level of ["trace", "debug", "info", "warn", "error", "fatal"] as const)
    vi.spyOn(log, level).mockImplementation((...said: unknown[]) => {
      const shown = said.map((each) => (each as { err?: object }).err ?? each);
      told.push(shown.map((each) => JSON.stringify({ ...Object(each) })).join());
    });
  const secret = "Bearer secret-token-of-boris";
  const answer = await exchange(
    club.origin,
    `POST /api/auth/logout HTTP/1.1\r\nHost: x\r\nAuthorization: ${secret}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(refusalIn(answer).code).toBe("request.not_http");
  expect(told).toHaveLength(1);
  const bytes = [...Buffer.from(secret)].join(",");
  expect(told.join()).not.toContain(secret);
  expect(told.join()).not.toContain(bytes);
});

test("an address that cannot be decoded gets the same refusal as a missing one", async () => {
  const club = await aClub();
  for (const path of ["/api/users/%E0%A4%A", "/%E0%A4%A"]) {
    const answer = await club.guest.send("GET", path);
    expect([path, answer.status, answer.code]).toEqual([path, 404, "request.not_found"]);
  }
});

test("HEAD is answered like GET, without the body", async () => {
  const club = await aClub();
  const { token } = await club.member();
  for (const path of ["/api/health", "/api/auth/me", "/api/vpn/configs/", "/api/nothing", "/api/openapi.json"]) {
    const ask = (method: string) =>
      fetch(club.origin + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" },
      });
    const [get, head] = [await ask("GET"), await ask("HEAD")];
    const about = ({ status, headers }: Response) => [path, status, headers.get("content-type"), headers.get("etag")];
    expect(about(head)).toEqual(about(get));
    expect(head.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength));
    expect(await head.text()).toBe("");
  }
});

test("a call that does not exist is not found, whatever is sent to it", async () => {
  const club = await aClub();
  for (const [method, path] of [
    ["PUT", "/api/auth/me"],
    ["POST", "/api/nothing"],
    ["PATCH", "/api/auth/me"],
    ["GET", "/api"],
    ["GET", "/api/"],
    ["GET", "/API/health"],
    ["GET", `/api/users/${"a".repeat(257)}`],
  ] as const) {
    const answer = await club.guest.send(method, path, method === "GET" ? undefined : "{", {
      "content-type": "text/odd",
    });
    expect([method, path, answer.status, answer.code]).toEqual([method, path, 404, "request.not_found"]);
  }
});

test("a caller without access is refused before the request's body is read", async () => {
  const club = await aClub();
  const answer = await exchange(
    club.origin,
    "POST /api/services HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n{",
  );
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
});

test("a client that kept its connection open is answered once more while the panel stops", async () => {
  const club = await startClub({ localServer: "off" });
  const { hostname, port } = new URL(club.origin);
  const socket = connect(Number(port), hostname);
  const answers: string[] = [];
  socket.on("data", (chunk) => answers.push(chunk.toString()));
  const ended = new Promise((resolve) => socket.once("close", resolve).once("error", resolve));
  const ask = () => socket.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  ask();
  await expect.poll(() => answers.length, PATIENCE).toBe(1);
  // Longer than the panel waits for a client that has just sent a request.
  await wait(150);
  const stopped = club.stop();
  await wait(30);
  // On a busy machine it may not have begun to.
  do {
    const before = answers.length;
    ask();
    await expect.poll(() => answers.length, PATIENCE).toBe(before + 1);
  } while (!answers.at(-1)?.match(/connection: close/i));
  await ended;
  await stopped;
  expect(answers.at(-1)).toMatch(/^HTTP\/1.1 \d{3} /);
});

test("data and its refusals carry only what protects data; a file, which opens in place, carries every policy", async () => {
  const club = await aClub();
  const member = await club.member({});
  const policies = ["permissions-policy", "cross-origin-opener-policy", "referrer-policy"];
  for (const [path, status] of [
    ["/api/auth/me", 200],
    ["/api/admin/settings", 403],
  ] as const) {
    const answer = await club.as(member).send("GET", path);
    expect(answer.status).toBe(status);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-frame-options": "SAMEORIGIN",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    for (const name of policies) expect(headers[name], name).toBeUndefined();
  }
  const file = await club.as(member).send("GET", "/api/users/me/export");
  expect(file.headers.get("content-disposition") ?? "").toMatch(/attachment/);
  for (const name of policies) expect(file.headers.get(name), name).not.toBeNull();
});
