import { DAY_MS, MINUTE_MS } from "@krug/domain/moment";
import { MOST_PASSKEYS } from "@krug/domain/passkey-rules";
import { expect, onTestFinished, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import {
  addPasskey,
  enterByPasskey,
  makeAuthenticator,
  PASSKEY_PLACE,
  signInByPasskey,
} from "../../../../testing/passkey-double.ts";
import { codeOf, enabled, inAnotherBrowser, verify, wrongCode } from "../../../../testing/second-factor.ts";
import { PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(environment: Record<string, string> = { PUBLIC_URL: PASSKEY_PLACE.origin }) {
  const club = await startClub({ localServer: "off", environment });
  onTestFinished(() => club.stop());
  return club;
}
type Club = Awaited<ReturnType<typeof aClub>>;

/** A member with a passkey on a device of theirs. */
async function withPasskey(club: Club, who?: Person) {
  const owner = who ?? (await club.member());
  const device = makeAuthenticator(PASSKEY_PLACE);
  const added = await addPasskey(club, owner, device);
  expect(added.status).toBe(201);
  return { owner, device, id: added.body.id };
}
const signIn = (
  club: Club,
  ...how: Parameters<typeof signInByPasskey> extends [unknown, ...infer Rest] ? Rest : never
) => signInByPasskey(club.guest, ...how);
const noticesOf = async (club: Club, who: Person) =>
  (await club.as(who).call("GET /inbox")).body.map((notice) => [notice.kind, notice.params]);
const isElevated = async (club: Club, who: Person) => (await club.as(who).call("GET /users")).status === 200;

test("a passkey signs its owner in without a name or a password", async () => {
  const club = await aClub();
  const { owner, device, id } = await withPasskey(club);
  club.clock.advance(DAY_MS);
  const answer = await signIn(club, device);
  expect(answer.body.user.id).toBe(owner.id);
  expect(answer.headers.getSetCookie()[0]).toContain(`krug_session=${answer.body.token}; Path=/; HttpOnly`);
  expect((await club.withToken(answer.body.token).call("GET /auth/me")).body.id).toBe(owner.id);
  const list = (await club.as(owner).call("GET /passkeys")).body;
  expect(list).toMatchObject({ host: "localhost", passkeys: [{ id, name: "Телефон", host: "localhost" }] });
  expect(list.passkeys[0]?.lastUsedAt).toBe(club.clock.now().toISOString());
});

test("what an authenticator signed counts once, for five minutes, and only for what was asked", async () => {
  const club = await aClub();
  const { owner, device } = await withPasskey(club);
  const send = (body: ReturnType<typeof device.get>) => club.guest.call("POST /auth/passkey", { body });
  const ask = async () => (await club.guest.call("POST /auth/passkey/options")).body;

  const body = device.get(await ask());
  expect((await send(body)).status).toBe(200);
  expect((await send(body)).code, "again").toBe("passkey.not_accepted");
  const twice = device.get(await ask());
  const answers = await Promise.all([send(twice), send(twice)]);
  expect(answers.map(({ status }) => status).sort(), "twice at once").toEqual([200, 401]);

  const late = await ask();
  club.clock.advance(5 * MINUTE_MS);
  expect((await send(device.get(late))).code, "five minutes later").toBe("passkey.not_accepted");
  expect((await send(device.get({ challenge: "A".repeat(43) }))).code, "never asked").toBe("passkey.not_accepted");

  await club.as(owner).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  const toAdd = (await club.as(owner).call("POST /passkeys/options")).body;
  expect((await send(device.get(toAdd))).code, "asked for a new passkey").toBe("passkey.not_accepted");
  const another = makeAuthenticator(PASSKEY_PLACE);
  const forSignIn = { ...(await ask()), user: { id: owner.id } };
  const added = await club.as(owner).call("POST /passkeys", { body: another.create(forSignIn) });
  expect(added.code, "asked to sign in").toBe("passkey.not_accepted");
});

test("a failed answer has used up what was asked", async () => {
  const club = await aClub();
  const { device } = await withPasskey(club);
  const send = (body: ReturnType<typeof device.get>) => club.guest.call("POST /auth/passkey", { body });
  const spent = (await club.guest.call("POST /auth/passkey/options")).body;
  await send({ ...device.get(spent), signature: "AAAA" });
  expect((await send(device.get(spent))).code).toBe("passkey.not_accepted");
});

test.each([
  ["another page's origin", { origin: "http://evil.example" }],
  ["another port of the same host", { origin: "http://localhost:4000" }],
  ["another host", { host: "evil.example" }],
  ["nobody recognized", { unverified: true }],
  ["a signature of another kind", { type: "webauthn.create" }],
  ["another member's handle", { userHandle: "eHl6" }],
])("a passkey is refused with %s, as an unknown one is", async (_, fault) => {
  const club = await aClub();
  const { device } = await withPasskey(club);
  const stranger = makeAuthenticator(PASSKEY_PLACE);
  const [wrong, unknown] = [await signIn(club, device, fault), await signIn(club, stranger)];
  expect([wrong.status, wrong.code, wrong.message]).toEqual([401, "passkey.not_accepted", unknown.message]);
  expect([unknown.status, unknown.code]).toEqual([401, "passkey.not_accepted"]);
  expect((await signIn(club, device)).status, "and works with its own").toBe(200);
});

test("wrong passkeys make their address wait, as wrong passwords do", async () => {
  const club = await aClub();
  const stranger = makeAuthenticator(PASSKEY_PLACE);
  for (let tries = 0; tries < 5; tries++) expect((await signIn(club, stranger)).code).toBe("passkey.not_accepted");
  expect(await club.guest.call("POST /auth/passkey/options")).toMatchObject({ code: "request.too_many" });
  expect((await club.guest.call("POST /auth/passkey", { body: stranger.get({ challenge: "AAAA" }) })).status).toBe(429);
});

test("guests who ask and never answer do not fill the database", async () => {
  const club = await aClub();
  for (let asked = 0; asked < 60; asked++) await club.guest.call("POST /auth/passkey/options");
  expect((await club.allRows()).get("passkey_challenges")?.length).toBe(50);
  club.clock.advance(5 * MINUTE_MS);
  await club.app.parts.passkeys.forgetOld();
  expect((await club.allRows()).get("passkey_challenges")).toEqual([]);
});

test("a blocked member's passkey and a deleted one's let nobody in", async () => {
  const club = await aClub();
  const chief = await club.admin();
  const { owner, device } = await withPasskey(club);
  await club.as(chief).call("PUT /users/{id}", { params: { id: owner.id }, body: { isActive: false } });
  expect((await signIn(club, device)).code).toBe("member.blocked");
  await club.as(chief).call("PUT /users/{id}", { params: { id: owner.id }, body: { isActive: true } });
  expect((await signIn(club, device)).status).toBe(200);
  await club.as(chief).call("DELETE /users/{id}", { params: { id: owner.id } });
  expect((await signIn(club, device)).code).toBe("passkey.not_accepted");
  expect((await club.allRows()).get("passkeys")).toEqual([]);
});

test("during maintenance a passkey lets only staff in", async () => {
  const club = await aClub();
  const { device: members } = await withPasskey(club);
  const { device: staffs } = await withPasskey(club, await club.moderator());
  await club.transact((tx) => club.app.parts.maintenance.set(tx, true, null));
  expect((await signIn(club, members)).code).toBe("maintenance.on");
  expect((await signIn(club, staffs)).status).toBe(200);
});

test("who signed in with a passkey still gives the password before trust moves", async () => {
  const club = await aClub();
  const { owner, device, id } = await withPasskey(club);
  const signedIn = { ...owner, token: (await signIn(club, device)).body.token };
  const own = club.as(signedIn);
  expect((await own.call("POST /passkeys/options")).code).toBe("auth.password_required");
  expect((await own.call("DELETE /passkeys/{id}", { params: { id } })).code).toBe("auth.password_required");
  await own.call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  expect((await own.call("DELETE /passkeys/{id}", { params: { id } })).status).toBe(204);
  expect((await signIn(club, device)).code).toBe("passkey.not_accepted");
});

test("what a session asked for cannot be answered in another", async () => {
  const club = await aClub();
  const vera = await club.member();
  const thief = await inAnotherBrowser(club, vera);
  const asked = (await club.as(vera).call("POST /passkeys/options")).body;
  const answer = await club.as(thief).call("POST /passkeys", { body: makeAuthenticator(PASSKEY_PLACE).create(asked) });
  expect(answer.code).toBe("passkey.not_accepted");
});

test("a member adds, renames and removes passkeys, is notified of a new one, and staff see it in the log", async () => {
  const club = await aClub();
  const { owner, device, id } = await withPasskey(club);
  const own = club.as(owner);
  expect(await noticesOf(club, owner)).toEqual([["passkey_added", { name: "Телефон" }]]);
  expect((await addPasskey(club, owner, device)).code, "the same again").toBe("passkey.already_added");
  const other = await club.member();
  expect((await addPasskey(club, other, device)).code, "by another member").toBe("passkey.already_added");
  expect((await signIn(club, device, { userHandle: null })).body.user.id, "still its first owner's").toBe(owner.id);
  const renamed = await own.call("PUT /passkeys/{id}", { params: { id }, body: { name: "Старый телефон" } });
  expect(renamed.body.name).toBe("Старый телефон");
  for (const call of ["PUT /passkeys/{id}", "DELETE /passkeys/{id}"] as const)
    expect((await club.as(other).call(call, { params: { id }, body: { name: "x" } } as never)).code).toBe(
      "passkey.not_found",
    );
  const file = await own.send("GET", "/api/users/me/export");
  expect(file.body).toMatchObject({
    passkeys: [{ name: "Старый телефон", host: "localhost", lastUsedAt: expect.any(String) }],
  });
  await own.call("DELETE /passkeys/{id}", { params: { id } });
  expect((await own.call("GET /passkeys")).body.passkeys).toEqual([]);
  expect((await auditOf(club, owner.id)).map(({ action }) => action).sort()).toEqual([
    "passkey.added",
    "passkey.removed",
    "passkey.renamed",
  ]);
});

test("a new passkey takes a person whom its device has recognized, on the panel's own page", async () => {
  const club = await aClub();
  const vera = await club.member();
  const ask = async () => (await club.as(vera).call("POST /passkeys/options")).body;
  const faults = [{ unverified: true }, { origin: "http://evil.example" }, { host: "evil.example" }];
  for (const fault of faults) {
    const body = makeAuthenticator(PASSKEY_PLACE).create(await ask(), fault);
    expect((await club.as(vera).call("POST /passkeys", { body })).code, JSON.stringify(fault)).toBe(
      "passkey.not_accepted",
    );
  }
  const broken = { ...makeAuthenticator(PASSKEY_PLACE).create(await ask()), attestationObject: "AAAA" };
  expect((await club.as(vera).call("POST /passkeys", { body: broken })).code).toBe("passkey.not_accepted");
  expect((await club.as(vera).call("GET /passkeys")).body.passkeys).toEqual([]);
});

test("what a device says of its maker is not read: a check would call servers that it names", async () => {
  const club = await aClub();
  const vera = await club.member();
  const asked = (await club.as(vera).call("POST /passkeys/options")).body;
  const certificate = new Map<string, unknown>([["sig", Buffer.from("not one")]]);
  const body = makeAuthenticator(PASSKEY_PLACE).create(asked, {}, certificate);
  expect((await club.as(vera).call("POST /passkeys", { body })).status).toBe(201);
});

test("a member has at most 20 passkeys, also if two tabs add one at once", async () => {
  const club = await aClub();
  const vera = await club.member();
  for (let count = 1; count < MOST_PASSKEYS; count++) {
    if (count % 15 === 0) club.clock.advance(MINUTE_MS);
    await addPasskey(club, vera, makeAuthenticator(PASSKEY_PLACE));
  }
  const last = await Promise.all([1, 2].map(() => addPasskey(club, vera, makeAuthenticator(PASSKEY_PLACE))));
  expect(last.map(({ code }) => code).sort()).toEqual(["passkey.too_many", undefined]);
  expect((await club.as(vera).call("POST /passkeys/options")).code).toBe("passkey.too_many");
});

test("a count of uses that goes back is refused and told; a device that does not count is believed", async () => {
  const club = await aClub();
  const { owner, device } = await withPasskey(club);
  expect((await signIn(club, device, { count: 7 })).status).toBe(200);
  for (const count of [7, 6, 0]) expect((await signIn(club, device, { count })).code).toBe("passkey.copied");
  expect((await signIn(club, device, { count: 8 })).status).toBe(200);
  expect((await auditOf(club, owner.id)).filter(({ action }) => action === "passkey.copied")).toHaveLength(3);
  expect(await noticesOf(club, owner)).toContainEqual(["passkey_copied", { name: "Телефон" }]);

  const synced = makeAuthenticator(PASSKEY_PLACE, { counts: false });
  await addPasskey(club, owner, synced);
  for (let times = 0; times < 3; times++) expect((await signIn(club, synced)).status).toBe(200);
});

test("staff pass the second factor by a passkey, and get a new token", async () => {
  const club = await aClub();
  const vera = await club.moderator({ elevated: false });
  const { device } = await withPasskey(club, vera);
  expect((await enterByPasskey(club, vera, device)).code, "before codes are set up").toBe("two_factor.not_enabled");
  const { secret } = await enabled(club, vera);
  const browser = await inAnotherBrowser(club, vera);
  const status = () => club.as(browser).call("GET /totp/{id}/status", { params: { id: vera.id } });
  expect((await status()).body).toMatchObject({ byPasskey: true, elevated: false });
  expect(await isElevated(club, browser)).toBe(false);
  const former = browser.token;
  const answer = await enterByPasskey(club, browser, device);
  expect(answer.headers.getSetCookie()[0]).toContain(browser.token);
  expect(await isElevated(club, browser)).toBe(true);
  expect(await isElevated(club, { ...browser, token: former }), "the former token").toBe(false);

  // Locked codes do not lock the owner's passkey, and a passkey does not unlock codes for a stranger.
  const again = await inAnotherBrowser(club, vera);
  for (let wrong = 0; wrong < 3; wrong++) await verify(club, again, wrongCode(club, secret));
  await enterByPasskey(club, again, device);
  expect(await isElevated(club, again)).toBe(true);
  expect((await verify(club, again, codeOf(club, secret))).code).toBe("two_factor.locked");
});

test("the second factor takes an own passkey, and what this session was asked", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const { device } = await withPasskey(club, vera);
  await enabled(club, vera);
  const { device: others } = await withPasskey(club, await club.admin());
  const browser = await inAnotherBrowser(club, vera);
  expect((await enterByPasskey(club, browser, others)).code).toBe("passkey.not_accepted");
  expect((await enterByPasskey(club, browser, device, { unverified: true })).code).toBe("passkey.not_accepted");
  const elsewhere = await inAnotherBrowser(club, vera);
  const asked = (await club.as(elsewhere).call("POST /passkeys/entry/options")).body;
  const answer = await club.as(browser).call("POST /passkeys/entry", { body: device.get(asked) });
  expect(answer.code).toBe("passkey.not_accepted");
  const toSignIn = (await club.guest.call("POST /auth/passkey/options")).body;
  const crossed = await club.as(browser).call("POST /passkeys/entry", { body: device.get(toSignIn) });
  expect(crossed.code).toBe("passkey.not_accepted");
  expect(await isElevated(club, browser)).toBe(false);
  expect(await isElevated(club, { ...vera, token: (await signIn(club, device)).body.token }), "just signed in").toBe(
    false,
  );
});

test("a reset by an admin ends a member's passkeys and sessions", async () => {
  const club = await aClub();
  const chief = await club.admin();
  const { owner, device } = await withPasskey(club);
  const at = { params: { id: owner.username } };
  const file = async () => (await club.as(chief).call("GET /admin/users/{id}", { params: { id: owner.id } })).body;
  expect((await file()).passkeyCount).toBe(1);
  expect((await club.as(await club.moderator()).call("DELETE /admin/users/{id}/passkeys", at)).code).toBe(
    "auth.forbidden",
  );
  expect((await club.as(chief).call("DELETE /admin/users/{id}/passkeys", at)).status).toBe(204);
  expect((await file()).passkeyCount).toBe(0);
  expect((await club.as(owner).call("GET /auth/me")).status).toBe(401);
  expect((await signIn(club, device)).code).toBe("passkey.not_accepted");
  const reset = expect.objectContaining({ actorId: chief.id, action: "passkey.reset" });
  expect(await auditOf(club, owner.id)).toContainEqual(reset);
  expect((await club.as(chief).call("DELETE /admin/users/{id}/passkeys", at)).code).toBe("passkey.none");
  const back = await inAnotherBrowser(club, owner);
  expect(await noticesOf(club, back)).toContainEqual(["passkeys_reset", { by: "staff" }]);
});

test("a password set by a link ends passkeys; the member's own change keeps them", async () => {
  const club = await aClub();
  const chief = await club.admin();
  const { owner, device } = await withPasskey(club);
  const body = { currentPassword: PASSWORD, newPassword: "another good password" };
  await club.as(owner).call("POST /users/change-password", { body });
  expect((await signIn(club, device)).status).toBe(200);
  const { link } = (await club.as(chief).call("POST /users/{id}/password-link", { params: { id: owner.id } })).body;
  const token = new URLSearchParams(link.slice(link.indexOf("#") + 1)).get("token") ?? "";
  await club.guest.call("POST /auth/set-password", { body: { token, password: "a third good password" } });
  expect((await signIn(club, device)).code).toBe("passkey.not_accepted");
});

test("a passkey of another address of the club is listed, and not asked for here", async () => {
  const club = await aClub();
  const { owner } = await withPasskey(club, await club.moderator());
  await enabled(club, owner);
  await club.transact((tx) =>
    tx.withTables<{ passkeys: { host: string } }>().updateTable("passkeys").set({ host: "mirror.example" }).execute(),
  );
  expect((await club.as(owner).call("GET /passkeys")).body).toMatchObject({
    host: "localhost",
    passkeys: [{ host: "mirror.example" }],
  });
  const status = await club.as(owner).call("GET /totp/{id}/status", { params: { id: owner.id } });
  expect(status.body.byPasskey).toBe(false);
  expect((await club.as(owner).call("POST /passkeys/entry/options")).code).toBe("passkey.none");
  expect((await club.as(owner).call("POST /passkeys/options")).body.excludeCredentials).toEqual([]);
});

test.each([["http://203.0.113.7:3001"], ["http://club.example"]])(
  "a panel at %s offers no passkeys, and says so",
  async (address) => {
    const club = await aClub({ PUBLIC_URL: address, INSECURE_HTTP: "on" });
    const vera = await club.member();
    expect((await club.as(vera).call("GET /passkeys")).body).toEqual({ host: null, passkeys: [] });
    for (const call of ["POST /passkeys/options", "POST /auth/passkey/options"] as const)
      expect((await club.as(vera).call(call)).code).toBe("passkey.no_address");
  },
);

test("a panel without a public address believes no host that a request claims", async () => {
  const club = await aClub({});
  const vera = await club.member();
  expect(
    (await club.as(vera).call("GET /passkeys", { headers: { "x-forwarded-proto": "https" } })).body.host,
  ).toBeNull();
});

test("whoever leaves the staff keeps neither the second factor nor a passkey, and none of it comes back with the role", async () => {
  const club = await aClub();
  const [admin, vera] = [await club.admin(), await club.moderator()];
  const { recoveryCodes, secret } = await enabled(club, vera);
  const { device } = await withPasskey(club, vera);
  const seen = async () =>
    (await club.as(admin).call("GET /admin/users/{id}", { params: { id: vera.id }, query: {} })).body;
  expect(await seen()).toMatchObject({ twoFactorEnabled: true, passkeyCount: 1 });
  await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  const left = await club.as(admin).call("POST /admin/users/{id}/leave-staff", { params: { id: vera.id }, body: {} });
  expect(left.body).toMatchObject({ role: "user" });

  expect(await seen()).toMatchObject({ twoFactorEnabled: false, passkeyCount: 0, sessions: [] });
  expect((await signIn(club, device)).code).toBe("passkey.not_accepted");
  const again = await inAnotherBrowser(club, vera);
  expect((await club.as(again).call("GET /passkeys")).body.passkeys).toEqual([]);
  await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  await club.as(admin).call("PUT /users/{id}", { params: { id: vera.id }, body: { role: "moderator" } });
  const back = await inAnotherBrowser(club, vera);
  for (const token of [codeOf(club, secret), recoveryCodes?.[0] ?? ""])
    expect((await verify(club, back, token)).status, token).not.toBe(200);
  expect(await isElevated(club, back)).toBe(false);
});
