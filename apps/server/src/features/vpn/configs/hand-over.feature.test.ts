import { HOUR_MS } from "@krug/domain/moment";
import { parseConfig } from "@krug/wireguard/config-text";
import { expect, onTestFinished, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { tokenInLink } from "../../../../testing/link-token.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(environment: Record<string, string> = {}): Promise<Club> {
  const club = await startClub({ environment });
  onTestFinished(() => club.stop());
  return club;
}

/** An admin makes a config for the member, and gets the link. */
async function handOver(club: Club, admin: Person, owner: Person, name = "laptop", headers = {}) {
  const body = await configInput(club, owner, { name });
  return club.as(admin).call("POST /users/{id}/configs", { params: { id: owner.id }, body, headers });
}

const press = (club: Club, token: string, headers = {}) =>
  club.guest.call("POST /vpn/open-link", { body: { token }, headers });

test("an admin makes a config for a member; whoever presses the button behind the link gets the file, once", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member()];
  const { status, body: made } = await handOver(club, admin, boris);
  expect(status).toBe(201);
  expect(made.config).toMatchObject({ name: "laptop", userId: boris.id, state: "applied", madeByStaff: true });
  expect(made.link.startsWith(`${club.origin}/config#token=`)).toBe(true);
  expect(Date.parse(made.expiresAt) - club.clock.now().getTime()).toBe(24 * HOUR_MS);

  const opened = await press(club, tokenInLink(made.link));
  expect(opened.body).toMatchObject({ name: "laptop", deviceType: "computer" });
  expect(opened.headers.get("cache-control")).toBe("no-store");
  const file = parseConfig(opened.body.config);
  const peer = club.host.peers().find((candidate) => candidate.allowedIps[0] === file.addresses[0]);
  expect(peer?.presharedKey).toBe(file.peer.presharedKey);
  expect(await press(club, tokenInLink(made.link))).toMatchObject({ status: 400, code: "auth.link_invalid" });
});

test("opening the link, as a messenger's preview does, does not use it up", async () => {
  const club = await aClub();
  const { body } = await handOver(club, await club.admin(), await club.member());
  for (const method of ["GET", "HEAD"]) await fetch(body.link, { method });
  // The token is in the fragment, so it is not even sent; if sent, it opens nothing.
  const token = tokenInLink(body.link);
  for (const path of [`/config?token=${token}`, `/api/vpn/open-link?token=${token}`]) {
    const answer = await fetch(club.origin + path);
    expect(await answer.text()).not.toContain("PrivateKey");
  }
  expect((await press(club, token)).status).toBe(200);
});

test("of two presses at once one gets the file", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member({ configLimit: -1 })];
  for (let round = 0; round < 5; round++) {
    const { body } = await handOver(club, admin, boris, `laptop-${round}`);
    const token = tokenInLink(body.link);
    const answers = await Promise.all([press(club, token), press(club, token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  }
});

test("the token is nowhere in the database, and neither staff nor the journal get a key", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member()];
  const { body } = await handOver(club, admin, boris);
  const token = tokenInLink(body.link);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(JSON.stringify([...(await club.allRows())])).not.toContain(token);
  const { privateKey } = parseConfig((await press(club, token)).body.config);
  if (!privateKey) throw new Error("the file has no key");
  const listed = await club.as(admin).call("GET /vpn/configs/{id}", { params: { id: boris.id } });
  for (const seen of [body, listed.body, [...(await club.allRows())]])
    expect(JSON.stringify(seen)).not.toContain(privateKey);
});

test("a link ends after 24 hours, with the config, with its key, and when the member is blocked", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const boris = await club.member({ configLimit: -1 });
  const make = async (name: string) => {
    const { body } = await handOver(club, admin, boris, name);
    return { id: body.config.id, token: tokenInLink(body.link) };
  };
  const refused = async (token: string) => (await press(club, token)).code;
  const [deleted, removed, rekeyed, blocked] = [await make("a"), await make("b"), await make("c"), await make("d")];
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: deleted.id } });
  await club.as(boris).call("POST /vpn/configs/{id}/restore", { params: { id: deleted.id } });
  expect(await refused(deleted.token), "also where it was restored").toBe("auth.link_invalid");
  await club.as(admin).call("DELETE /vpn/configs/{id}", { params: { id: removed.id } });
  expect(await refused(removed.token)).toBe("auth.link_invalid");
  await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id: rekeyed.id }, body: {} });
  expect(await refused(rekeyed.token)).toBe("auth.link_invalid");
  for (const isActive of [false, true])
    await club.as(admin).call("PUT /users/{id}", { params: { id: boris.id }, body: { isActive } });
  expect(await refused(blocked.token), "also where he was unblocked").toBe("auth.link_invalid");

  const anna = await club.member();
  const late = tokenInLink((await handOver(club, admin, anna)).body.link);
  club.clock.advance(24 * HOUR_MS);
  expect((await press(club, late)).code).toBe("auth.link_invalid");
});

test("a new password does not affect the link", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member()];
  const { body } = await handOver(club, admin, boris);
  const sent = await club.as(admin).call("POST /users/{id}/password-link", { params: { id: boris.id } });
  const token = tokenInLink(sent.body.link);
  await club.guest.call("POST /auth/set-password", { body: { token, password: "a new one" } });
  expect((await press(club, tokenInLink(body.link))).status).toBe(200);
});

test("an unused link can be revoked and replaced; once the file was opened there is no new one", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member()];
  const { body: made } = await handOver(club, admin, boris);
  const params = { id: made.config.id };
  const shown = async () =>
    (await club.as(admin).call("GET /vpn/configs/{id}", { params: { id: boris.id } })).body[0]?.handOver;
  expect(await shown()).toEqual({ linkUntil: made.expiresAt });
  await club.as(admin).call("DELETE /admin/configs/{id}/link", { params });
  expect(await shown()).toEqual({ linkUntil: null });
  expect((await press(club, tokenInLink(made.link))).code).toBe("auth.link_invalid");
  const first = (await club.as(admin).call("POST /admin/configs/{id}/link", { params })).body;
  const second = (await club.as(admin).call("POST /admin/configs/{id}/link", { params })).body;
  expect((await press(club, tokenInLink(first.link))).code, "a new one makes the earlier void").toBe(
    "auth.link_invalid",
  );
  expect((await press(club, tokenInLink(second.link))).status).toBe(200);
  expect(await shown()).toBeNull();
  expect((await club.as(admin).call("POST /admin/configs/{id}/link", { params })).code).toBe("config.handed_over");
});

test("staff cannot make a link to a config that the member made, nor to one whose key they replaced", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member()];
  const own = await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
  const { body: made } = await handOver(club, admin, boris, "phone-1");
  await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id: made.config.id }, body: {} });
  for (const id of [own.body.id, made.config.id])
    expect((await club.as(admin).call("POST /admin/configs/{id}/link", { params: { id } })).code).toBe(
      "config.handed_over",
    );
});

test("it counts against the member's limit, and is refused like their own", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const boris = await club.member({ configLimit: 1 });
  expect((await handOver(club, admin, boris)).status).toBe(201);
  expect((await handOver(club, admin, boris, "second")).code).toBe("config.limit_reached");
  const own = await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name: "own" }) });
  expect(own.code).toBe("config.limit_reached");
  const expired = await club.member({ subscriptionEnd: null });
  expect((await handOver(club, admin, expired)).code).toBe("subscription.inactive");
});

test("resent with its key it makes no second config", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member()];
  const headers = { "idempotency-key": "one-press" };
  const [first, second] = [
    await handOver(club, admin, boris, "laptop", headers),
    await handOver(club, admin, boris, "laptop", headers),
  ];
  expect(second.body.config.id).toBe(first.body.config.id);
  expect((await press(club, tokenInLink(second.body.link))).status).toBe(200);
  expect((await handOver(club, admin, boris, "laptop", headers)).code).toBe("config.handed_over");
});

test("the dashboard and the inbox show the member that staff made it; every step is audited", async () => {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member()];
  const { body } = await handOver(club, admin, boris);
  const id = body.config.id;
  expect((await club.as(boris).call("GET /vpn/configs")).body).toMatchObject([{ id, madeByStaff: true }]);
  expect((await club.as(boris).call("GET /inbox")).body).toMatchObject([
    { kind: "config_made", params: { name: "laptop" } },
  ]);
  await club.as(admin).call("DELETE /admin/configs/{id}/link", { params: { id } });
  const { link } = (await club.as(admin).call("POST /admin/configs/{id}/link", { params: { id } })).body;
  await press(club, tokenInLink(link));
  const acts = (await auditOf(club, id)).map(({ action, actorId }) => [action, actorId]);
  expect(acts.toSorted()).toEqual([
    ["config.handed_over", admin.id],
    ["config.link_made", admin.id],
    ["config.link_opened", null],
    ["config.link_revoked", admin.id],
  ]);
});

test("an address that tries wrong links waits longer and longer, even with a right one; another address does not", async () => {
  const club = await aClub({ TRUSTED_PROXIES: "127.0.0.1" });
  const { body } = await handOver(club, await club.admin(), await club.member());
  const from = (address: string) => ({ "x-forwarded-for": address });
  for (let i = 0; i < 5; i++)
    expect((await press(club, "x".repeat(43), from("203.0.113.66"))).code).toBe("auth.link_invalid");
  expect((await press(club, tokenInLink(body.link), from("203.0.113.66"))).code).toBe("request.too_many");
  expect((await press(club, tokenInLink(body.link), from("198.51.100.7"))).status).toBe(200);
});
