import { beforeEach, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const MINUTE_MS = 60_000;
const PATIENCE = { timeout: 20_000, interval: 20 };
let club: Club;
let boris: Person;
let id: string;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member({ username: "boris" });
  id = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name: "phone" }) }))
    .body.id;
  return () => club.stop();
});

const link = async (opensIn: "telegram" | "browser" = "telegram") => {
  const { body, status } = await club.as(boris).call("POST /vpn/configs/{id}/file-link", {
    params: { id },
    body: { opensIn },
  });
  expect(status).toBe(200);
  return body;
};
const fetched = (token: string, method = "GET") => club.guest.send(method, `/api/vpn/files/${token}`);
const accept = (token: string, as = boris) =>
  club.as(as).call("PUT /vpn/configs/{id}/file-link", { params: { id }, body: { token } });
const deliveredAt = async () =>
  (await club.allRows()).get("configs")?.find((row) => row.id === id)?.delivered_at as number | null;
const linksLeft = async () => (await club.allRows()).get("file_links")?.length;
const sent = async () =>
  vi.waitFor(async () => {
    expect((await club.allRows()).get("file_links")?.at(-1)?.sent_hash).toEqual(expect.any(String));
  }, PATIENCE);

test("a link gives its one file to whoever has no session, as Telegram's programs need it", async () => {
  const { token, fileName, expiresAt } = await link();
  expect(fileName).toBe("phone.conf");
  expect(Date.parse(expiresAt) - club.clock.now().getTime()).toBe(2 * MINUTE_MS);
  const answer = await fetched(token);
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="phone.conf"');
  expect(answer.headers.get("access-control-allow-origin")).toBe("https://web.telegram.org");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(answer.body).toMatch(/^\[Interface\]\nPrivateKey = /);
  const elsewhere = await club.guest.send("GET", "/api/auth/me", undefined, { authorization: `Bearer ${token}` });
  expect(elsewhere.code).toBe("auth.required");
  expect(JSON.stringify([...(await club.allRows())])).not.toContain(token);
});

test("what Telegram fetched before the person agreed counts as delivered once they agree, and ends the link", async () => {
  const { token } = await link();
  await fetched(token);
  await sent();
  expect(await deliveredAt()).toBeNull();
  expect((await accept(token)).status).toBe(204);
  expect(await deliveredAt()).toBe(club.clock.now().getTime());
  expect((await fetched(token)).code).toBe("auth.link_invalid");
  expect((await accept(token)).status, "again").toBe(204);
});

test("an agreement counts as delivered only once the file was sent to its last byte", async () => {
  const { token } = await link();
  await accept(token);
  expect((await fetched(token, "HEAD")).status).toBe(200);
  expect([await deliveredAt(), await linksLeft()]).toEqual([null, 1]);
  await fetched(token);
  await vi.waitFor(async () => expect(await deliveredAt()).not.toBeNull(), PATIENCE);
  expect(await linksLeft()).toBe(0);
});

test("in a browser the file's last byte counts, and the link gives no second one", async () => {
  const { token } = await link("browser");
  expect((await fetched(token)).status).toBe(200);
  await vi.waitFor(async () => expect(await linksLeft()).toBe(0), PATIENCE);
  expect(await deliveredAt()).not.toBeNull();
  expect((await fetched(token)).code).toBe("auth.link_invalid");
});

test("a file that was edited on its way does not count", async () => {
  const { token } = await link();
  await fetched(token);
  await sent();
  await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id }, body: {} });
  await accept(token);
  expect([await deliveredAt(), await linksLeft()]).toEqual([null, 0]);
});

test("a link ends after two minutes, with its config, and with its owner's right to enter", async () => {
  const end = async (how: (token: string) => Promise<unknown>) => {
    const { token } = await link("browser");
    await how(token);
    expect((await fetched(token)).code).toBe("auth.link_invalid");
    await accept(token).catch(() => {});
    expect(await deliveredAt()).toBeNull();
  };
  await end(async () => club.clock.advance(2 * MINUTE_MS));
  await club.app.parts.configs.forgetOld();
  expect(await linksLeft()).toBe(0);
  await end(() => club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } }));
  await club.as(boris).call("POST /vpn/configs/{id}/restore", { params: { id } });
  const admin = await club.admin();
  await end(() => club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive: false } }));
});

test("another member can neither make a link to it nor agree to one", async () => {
  const gleb = await club.member({ username: "gleb" });
  const made = await club.as(gleb).call("POST /vpn/configs/{id}/file-link", {
    params: { id },
    body: { opensIn: "browser" },
  });
  expect(made.code).toBe("config.not_found");
  const { token } = await link();
  await fetched(token);
  await sent();
  expect((await accept(token, gleb)).code).toBe("config.not_found");
  expect(await deliveredAt()).toBeNull();
});
