import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiScope } from "@krug/domain/api-token-rules";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../../../scripts/free-port.mjs";
import { type Club, PASSWORD, startClub } from "../testing/start-club.ts";
import { type Received, startWebhookDouble } from "../testing/webhook-double.ts";
import { productFolder } from "./installation.ts";

/** Runs the examples of docs/api.md as a user would: with a copy of the client, a real token, a real panel. */
const ROOT = productFolder();
const SCOPES: ApiScope[] = [
  "profile:read",
  "configs:read",
  "configs:write",
  "configs:files",
  "catalog:read",
  "members:read",
  "members:write",
  "payments:write",
];
const PROVIDER_SECRET = "of the provider";

const page = await readFile(join(ROOT, "docs", "api.md"), "utf8");
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```\n\n```output\n([\s\S]*?)^```$/gm)].map(
  ([, code = "", output = ""]): [string, string, string] => [headingBefore(code), code, output],
);

function headingBefore(code: string): string {
  const headings = page.slice(0, page.indexOf(code)).match(/^## .+$/gm);
  return headings?.at(-1)?.slice("## ".length) ?? "";
}

let club: Club;
let folder: string;
let environment: Record<string, string | undefined>;
let delivered: Received;
beforeAll(async () => {
  club = await startClub();
  const olga = await club.admin({ username: "olga" });
  for (const username of ["anna", "boris"]) await club.member({ username });
  await club.as(olga).call("PUT /admin/payments/settings", { body: { price: "300", currency: "RUB" } });
  await club.member({ username: "vera", subscriptionEnd: club.clock.now().getTime() + 30 * 86_400_000 });
  const made = await club.as(olga).call("POST /api-tokens", { body: { name: "docs", scopes: SCOPES, days: 1 } });
  const sent = await sendEvent();
  delivered = sent.received;
  environment = {
    ...process.env,
    KRUG_URL: club.origin,
    KRUG_TOKEN: made.body.token,
    KRUG_WEBHOOK_SECRET: sent.secret,
    PROVIDER_SECRET,
  };
  folder = await mkdtemp(join(tmpdir(), "krug-api-"));
  await cp(join(ROOT, "packages", "client", "src"), join(folder, "krug"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const [name, code] of examples) await writeFile(fileOf(name), code);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await club.stop();
});

/** What a club's webhook was sent, as received. A separate club, whose clock is the receiver's. */
async function sendEvent(): Promise<{ received: Received; secret: string }> {
  const receiver = await startWebhookDouble();
  const sender = await startClub({ localServer: "off", internetException: receiver.exception });
  try {
    sender.clock.advance(Date.now() - sender.clock.now().getTime());
    sender.names.known.set("other.example", { v4: ["127.0.0.1"], v6: [] });
    const admin = sender.as(await sender.admin());
    await admin.call("POST /auth/confirm-password", { body: { password: PASSWORD } });
    const { secret } = (
      await admin.call("POST /admin/webhooks", {
        body: { url: receiver.at("/"), description: "", events: ["member.blocked"] },
      })
    ).body;
    const { id } = await sender.member({ username: "anna" });
    await admin.call("PUT /users/{id}", { params: { id }, body: { isActive: false } });
    await sender.app.parts.webhooks.drain();
    return { received: receiver.received[0] ?? expect.unreachable(), secret };
  } finally {
    await sender.stop();
    await receiver.close();
  }
}

const fileOf = (name: string) => join(folder, `${name.replaceAll(" ", "-")}.ts`);
const tool = (name: string) => join(ROOT, "node_modules", ".bin", name);

/** Its output, including errors. */
const run = async (script: string, args: readonly string[], whileItRuns?: (port: number) => Promise<unknown>) => {
  const port = await freePort();
  const env = { ...environment, PORT: String(port) };
  return new Promise<string>((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    child.on("close", () => resolve(said));
    // A program that serves only ends when told to.
    if (whileItRuns !== undefined) void whileItRuns(port).finally(() => child.kill());
  });
};

test("every block of code on the page is an example with what it prints", () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
  expect(page.match(/^```\w+$/gm)).toHaveLength(2 * examples.length);
});

test.concurrent("the examples fit the client's types, with nothing but a browser's and Node's own", async ({
  expect,
}) => {
  const strict = [
    "--ignoreConfig",
    "--strict",
    "--noUncheckedIndexedAccess",
    "--noEmit",
    "--allowImportingTsExtensions",
  ];
  const modules = ["--module", "preserve", "--moduleDetection", "force", "--target", "ES2023"];
  const types = ["--types", join(ROOT, "node_modules", "@types", "node"), "--lib", "ES2023,DOM"];
  const files = examples.map(([name]) => fileOf(name));
  expect(await run(tool("tsc"), ["--checkers", "1", ...strict, ...modules, ...types, ...files])).toBe("");
});

/** A busy machine takes its time to start a program. */
const STARTING = { timeout: 120_000, interval: 100 };

type Post = (body: string, headers?: Record<string, string>) => Promise<number>;

/** As the panel sent it, and then with one word changed. */
async function callReceiver(post: Post): Promise<void> {
  const { headers, body } = delivered;
  const signed = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("webhook-")));
  expect(await vi.waitFor(() => post(body, signed), STARTING)).toBe(204);
  expect(await post(body.replace("anna", "olga"), signed)).toBe(401);
}

/** A provider that sends payments more than once, at the same time too, and with other sums. */
async function callForPayments(post: Post): Promise<void> {
  const send = (id: string, value: string, secret = PROVIDER_SECRET) => {
    const metadata = { username: "anna", months: 1 };
    const body = JSON.stringify({ id, status: "succeeded", amount: { value, currency: "RUB" }, metadata });
    return post(body, { "x-signature": createHmac("sha256", secret).update(body).digest("hex") });
  };
  const forged = () => send("pay-1", "300", "a guess");
  expect(await vi.waitFor(forged, STARTING)).toBe(401);
  expect(await Promise.all([send("pay-1", "300"), send("pay-1", "300"), send("pay-1", "300.00")])).toEqual([
    204, 204, 204,
  ]);
  expect(await send("pay-1", "3000")).toBe(204);
  expect(await send("pay-2", "1")).toBe(204);
  const anna = await club.app.parts.members.findByUsername(club.db, "anna");
  const steps = await club.app.parts.members.ledger.ofMember(club.db, anna?.id ?? "", { limit: 10 });
  expect(steps.filter(({ kind }) => kind === "payment")).toMatchObject([{ amount: 30_000, period: "2026-11" }]);
}

test.concurrent.each(examples)("example: %s", async (name, code, output) => {
  const caller = code.includes("PROVIDER_SECRET") ? callForPayments : callReceiver;
  const whileItRuns = (port: number) =>
    caller(async (body, headers = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body });
      return answer.status;
    });
  expect(await run(tool("tsx"), [fileOf(name)], code.includes("createServer") ? whileItRuns : undefined)).toBe(output);
});
