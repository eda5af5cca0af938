import { createCipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateKeyPair } from "@krug/wireguard/keys";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { newBrowser, subscriptionOf } from "../testing/push-double.ts";
import { type Club, PASSWORD, startClub } from "../testing/start-club.ts";
import { makeTestDatabase } from "../testing/test-database.ts";
import { readConfig } from "./config.ts";
import { makeLinkCodes } from "./features/messages/telegram/link-codes.ts";
import { newLink } from "./features/vpn/exits/link-interfaces.ts";
import type { ExitTables } from "./features/vpn/exits/table.ts";
import * as oldPrograms from "./features/vpn/import/repository.ts";
import { sealedInImport } from "./features/vpn/import/take-over.ts";
import { openInstallation } from "./installation.ts";
import type { Transact } from "./platform/database/database.ts";
import { newMasterKey, readKeyFile, writeKeyFile } from "./platform/master-key.ts";
import { rotateKey } from "./platform/rotate-key.ts";
import { rewrite, type SealedText, sealedTexts } from "./platform/sealed-columns.ts";
import { openSealing, prefixOf, type Sealing, type SealingTables } from "./platform/sealing.ts";
import { sealedColumns } from "./sealed.ts";

async function aClub(): Promise<Club> {
  const club = await startClub({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
  onTestFinished(() => club.stop());
  return club;
}

/**
 * A club with something in every sealed column, and with hashes that are looked up; `works` checks that all of it still works.
 */
async function aClubWithSecrets() {
  const club = await aClub();
  const [admin, boris] = [await club.admin(), await club.member()];
  const params = { id: admin.id };
  const { secret } = (await club.as(admin).call("GET /totp/{id}/status", { params })).body;
  const token = new TOTP({ secret: Secret.fromBase32(secret!) }).generate({ timestamp: club.clock.now().getTime() });
  const enabled = await club.as(admin).call("POST /totp/{id}/enable", { params, body: { secret: secret!, token } });
  const { recoveryCodes, token: elevated } = enabled.body;
  admin.token = elevated;
  const made = await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
  const file = () => club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id: made.body.id } });
  const given = (await file()).body;
  const ofInterface = (await configInput(club, boris)).interfaceId;
  const { code } = (
    await club.as(admin).send("POST", "/api/admin/invite-codes", { interfaces: [ofInterface], maxUses: -1 })
  ).body as { code: string };
  const register = { username: "vera", password: "correct horse battery", inviteCode: code };
  const vera = (await club.guest.call("POST /auth/register", { body: register })).body.user;
  const from = { headers: { "x-forwarded-for": "203.0.113.7" } };
  for (const wrong of ["AAAAAA", "BBBBBB"])
    await club.guest.call("POST /auth/check-invite", { body: { code: wrong }, ...from });
  const linkCode = () =>
    club.transact((tx) =>
      makeLinkCodes(club.app.parts)
        .give(tx, boris.id, "link")
        .then((live) => live.code),
    );
  const live = await linkCode();
  club.remotes.rent("203.0.113.9", { password: "a server's password" });
  const credentials = { host: "203.0.113.9", port: 22, username: "root", password: "a server's password" };
  await club.as(admin).send("POST", "/api/admin/servers", { name: "Осло", credentials });
  const main = (await club.as(admin).call("GET /admin/servers")).body.find(({ isMain }) => isMain);
  await club
    .as(admin)
    .send("POST", `/api/admin/servers/${main?.id}/create-interface`, { amneziawg: { preset: "dns" } });
  const profileOfHidden = async () => {
    const all = await club.app.parts.interfaces.all(club.db);
    return club.app.parts.interfaces.profileOf(all.find(({ type }) => type === "amneziawg")!);
  };
  const profile = await profileOfHidden();
  const sshKey = await club.app.parts.servers.sshKey();
  const browser = { ...subscriptionOf(newBrowser("https://1.2.3.4")), language: "ru" as const };
  // As left by a restore: a device on the wire that the database does not know.
  const { interfaces } = club.app.parts;
  await club.transact((tx) => interfaces.update(tx, ofInterface, { first_look_due: 1 }));
  const unknown = club.host.devicesOn("wg0")[0]!;
  club.host.interfaces.get("wg0")?.peers.push({
    ...unknown,
    publicKey: generateKeyPair().publicKey,
    allowedIps: ["10.8.0.99/32"],
  });
  await club.app.lookAtServers();
  await club.settle();
  const { push, auth } = club.app.parts;
  await push.subscriptions.subscribe((await auth.authenticate(boris.token, false))!, browser);
  const pushKeys = await push.keys();
  await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  const hook = (
    await club.as(admin).call("POST /admin/webhooks", {
      body: { url: "https://1.2.3.4/hook", description: "", events: ["backup.late", "member.deleted"] },
    })
  ).body;
  const hookParams = { params: { id: hook.id } };
  await club.as(admin).call("POST /admin/webhooks/{id}/secret", { ...hookParams, body: { keepFormer: true } });

  // No notification arrives there, so the name is stored for the next try.
  const gone = await club.member();
  await club.as(admin).call("DELETE /users/{id}", { params: { id: gone.id } });

  const oslo = (await club.app.parts.servers.all(club.db)).find(({ name }) => name === "Осло")!;
  await club.transact(async (tx) => {
    const ends = { entryId: main?.id ?? "", exitId: oslo.id, address: "203.0.113.9", type: "wireguard" as const };
    const link = newLink(await club.app.parts.sealing.sealer(tx), 0, ends, { links: [], entry: null, exit: null });
    await tx.withTables<ExitTables>().insertInto("exit_links").values(link!).execute();
    const seal = await club.app.parts.sealing.sealer(tx);
    // The links of an import over SSH.
    const attempt = { name: "wg-easy", how: "{}", public_key: unknown.publicKey, wish: null, taken: 1, opened: 0 };
    await oldPrograms.insert(tx, {
      ...{ ...attempt, id: oslo.id, server_id: oslo.id, state: "done", why: null, trouble: null },
      ...{ started_by: null, started_at: club.clock.now().getTime() },
      sealed_invited: seal(sealedInImport.place({ server_id: oslo.id }), "[]"),
    });
  });
  const linkSides = async () => {
    const { exits, servers } = club.app.parts;
    return Promise.all((await servers.all(club.db)).map((server) => exits.interfacesOn(club.db, server)));
  };
  const linked = await linkSides();

  async function works() {
    expect(await linkSides()).toEqual(linked);
    expect((await file()).body).toBe(given);
    const [place] = await club.app.parts.interfaces.all(club.db);
    expect(club.app.parts.interfaces.desired(place!, []).privateKey).toHaveLength(44);
    expect((await club.guest.call("POST /auth/check-invite", { body: { code } })).body).toEqual({ valid: true });
    expect((await club.guest.call("GET /auth/invite-attempts", from)).body.count).toBe(2);
    expect(await linkCode()).toBe(live);
    const { servers } = club.app.parts;
    expect(await servers.sshKey()).toEqual(sshKey);
    expect(profile?.parameters.header_protection_key).toMatch(/^[0-9a-f]{64}$/);
    expect(await profileOfHidden()).toEqual(profile);
    const { push } = club.app.parts;
    expect(await push.keys()).toEqual(pushKeys);
    const [row] = await push.subscriptions.ofMember(boris.id);
    expect(await push.subscriptions.open(row!.id)).toEqual(browser);
    expect((await club.as(admin).call("GET /admin/webhooks")).body[0]?.url).toBe("https://1.2.3.4/hook");
    const osloNow = (await servers.find(club.db, oslo.id))!;
    expect(servers.connections.passwordOf(osloNow)).toBe("a server's password");
    const found = (await club.as(admin).call("GET /users")).body.find(({ id }) => id === vera.id);
    expect(found?.inviteCode).toBe(code);
    const recovery = { token: recoveryCodes.pop()! };
    const verified = (await club.as(admin).call("POST /totp/{id}/verify", { params, body: recovery })).body;
    expect(verified.valid).toBe(true);
    admin.token = verified.token ?? admin.token;
    expect(
      (await club.as(boris).call("POST /vpn/configs/{id}/key", { params: { id: made.body.id }, body: {} })).status,
    ).toBe(200);
    expect((await file()).body).not.toBe(given);
    expect((await club.as(admin).call("GET /auth/me")).status).toBe(200);
  }
  return { club, admin, boris, file, given, works };
}

const keysOf = (club: Club) => readKeyFile(club.config.masterKeyFile)!;
const freshSealing = (club: Club) => openSealing(club, club.config.masterKeyFile, sealedColumns);
const rotate = async (club: Club, transact: Transact = club.transact) =>
  rotateKey({
    transact,
    sealing: await freshSealing(club),
    keyFile: club.config.masterKeyFile,
    columns: sealedColumns,
  });

function allTexts(club: Club): Promise<SealedText[]> {
  return club.transact(async (tx) => {
    const found: SealedText[] = [];
    for (const column of sealedColumns) found.push(...(await sealedTexts(tx, column, { limit: 10_000 })));
    return found;
  });
}

async function secretsBy(sealing: Sealing, club: Club): Promise<Record<string, string>> {
  return Object.fromEntries((await allTexts(club)).map(({ place, text }) => [place, sealing.open(place, text)]));
}

/** No text is under the former key, and its file opens nothing any more. */
async function expectLeftBehind(club: Club, old: string) {
  const [key, ...others] = keysOf(club);
  expect(others).toEqual([]);
  expect(old).not.toContain(key.bytes.toString("base64"));
  for (const { text } of await allTexts(club)) expect(text.startsWith(prefixOf(key.id))).toBe(true);
  const copy = join(club.config.dataDir, "old.key");
  writeFileSync(copy, old, { mode: 0o600 });
  await expect(openSealing(club, copy, sealedColumns)).rejects.toThrow(/does not open this database/);
}

test("a start with another master key is refused in one sentence that names both", async () => {
  const club = await aClub();
  const right = readFileSync(club.config.masterKeyFile, "utf8");
  const [rightKey] = keysOf(club);
  const other = newMasterKey();
  await club.app.stop();
  writeKeyFile(club.config.masterKeyFile, [other]);
  await expect(club.restart()).rejects.toThrow(
    new RegExp(`master\\.key does not open this database: it is key ${other.id}, .*sealed with key ${rightKey.id}`),
  );
  rmSync(club.config.masterKeyFile);
  await expect(club.restart()).rejects.toThrow(/missing.*Put the key back/);
  expect(existsSync(club.config.masterKeyFile)).toBe(false);
  writeFileSync(club.config.masterKeyFile, right, { mode: 0o600 });
  await club.restart();
});

test("the names of keys cannot be forged in the database: the key itself has to open it", async () => {
  const club = await aClub();
  const other = newMasterKey();
  await club.transact((tx) => sql`update sealing set key_id = ${other.id}`.execute(tx));
  await club.app.stop();
  writeKeyFile(club.config.masterKeyFile, [other]);
  await expect(club.restart()).rejects.toThrow(/damaged/);
});

test("a database from before keys had names recognises a wrong key by its sealed texts", async () => {
  const { club, file, given } = await aClubWithSecrets();
  const [key] = keysOf(club);
  const derived = (info: string) => Buffer.from(hkdfSync("sha256", key.bytes, Buffer.alloc(0), info, 32));
  const sealedAsBefore = (place: string, secret: string) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", derived("krug/seal/v1"), nonce).setAAD(Buffer.from(place));
    const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
  };
  const { sealing } = club.app.parts;
  await club.transact(async (tx) => {
    for (const column of sealedColumns)
      for (const text of await sealedTexts(tx, column, { limit: 1_000 }))
        await rewrite(tx, column, text, sealedAsBefore(text.place, sealing.open(text.place, text.text)));
    await sql`delete from sealing`.execute(tx);
  });
  await club.app.stop();

  writeKeyFile(club.config.masterKeyFile, [newMasterKey()]);
  await expect(club.restart()).rejects.toThrow(/does not open what the database holds/);
  rmSync(club.config.masterKeyFile);
  await expect(club.restart()).rejects.toThrow(/missing/);
  expect(existsSync(club.config.masterKeyFile)).toBe(false);

  writeKeyFile(club.config.masterKeyFile, [key]);
  await club.restart();
  expect((await file()).body).toBe(given);
  // What was hashed before is found by the same hash.
  const asBefore = createHmac("sha256", derived("krug/hash/v1")).update("invite-code\0ABC234").digest("base64url");
  expect(club.app.parts.sealing.hash("invite-code", "ABC234")).toBe(asBefore);
  const old = readFileSync(club.config.masterKeyFile, "utf8");
  await rotate(club);
  await expectLeftBehind(club, old);
  await club.restart();
  expect((await file()).body).toBe(given);
  expect(club.app.parts.sealing.hash("invite-code", "ABC234")).toBe(asBefore);
});

test("of panels that start first at once on one database, one makes the key and the others need its copy", async () => {
  const { config, drop } = await makeTestDatabase();
  onTestFinished(drop);
  const keyFile = (name: string) => join(config.dataDir, `${name}.key`);
  const open = (name: string) =>
    openInstallation({ ...readConfig({}), ...config, masterKeyFile: keyFile(name) }, new Date());
  const start = async (name: string) => {
    const { database, sealing } = await open(name);
    await database.close();
    return sealing;
  };
  // As if no panel has started on it yet.
  const { database } = await open("master");
  await database.transact((tx) => tx.withTables<SealingTables>().deleteFrom("sealing").execute());
  await database.close();
  rmSync(keyFile("master"));
  writeKeyFile(keyFile("own"), [newMasterKey()]);
  const names = ["first", "second", "third", "own"];
  // Two connections to one SQLite file would wait for each other within one process.
  const outcomes: PromiseSettledResult<Sealing>[] = [];
  if (config.databaseUrl === null)
    for (const name of names) outcomes.push(...(await Promise.allSettled([start(name)])));
  else outcomes.push(...(await Promise.allSettled(names.map(start))));
  const [winner, ...others] = names.filter((_, at) => outcomes[at]?.status === "fulfilled");
  expect(others).toEqual([]);
  for (const outcome of outcomes)
    if (outcome.status === "rejected") expect(String(outcome.reason)).toMatch(/missing|does not open this database/);
  // Nobody made a key that opens nothing.
  expect(names.filter((name) => existsSync(keyFile(name)))).toEqual(winner === "own" ? ["own"] : [winner, "own"]);
  for (const name of names) {
    writeFileSync(keyFile(name), readFileSync(keyFile(winner!)), { mode: 0o600 });
    expect((await start(name)).hash("a", "b")).toBe((await start(winner!)).hash("a", "b"));
  }
});

test("every column with a sealed text is in the list of sealed columns", async () => {
  const { club } = await aClubWithSecrets();
  const found = new Set<string>();
  for (const [table, rows] of await club.allRows())
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (typeof value === "string" && /\bv[12]\.[\w-]/.test(value)) found.add(`${table}.${column}`);
  const declared = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect([...found].sort()).toEqual([...declared, "sealing.sealed_hash_key"].sort());
  // And by the place that each is bound to.
  expect(Object.keys(await secretsBy(club.app.parts.sealing, club))).not.toHaveLength(0);
});

test("after a rotation everything works as before, under the new key only", async () => {
  const { club, works } = await aClubWithSecrets();
  const old = readFileSync(club.config.masterKeyFile, "utf8");
  const { keyId, resealed, unopened } = await rotate(club);
  expect(keyId).toBe(keysOf(club)[0].id);
  expect(resealed).toBe((await allTexts(club)).length);
  expect(unopened).toEqual([]);
  await expectLeftBehind(club, old);
  // The panel that ran meanwhile, and then a newly started one.
  const before = await secretsBy(club.app.parts.sealing, club);
  await club.restart();
  expect(await secretsBy(club.app.parts.sealing, club)).toEqual(before);
  await works();
});

test("a panel running during a rotation keeps reading and writing, and leaves nothing under the old key", async () => {
  const { club, works } = await aClubWithSecrets();
  const old = readFileSync(club.config.masterKeyFile, "utf8");
  const members = await Promise.all(Array.from({ length: 4 }, () => club.member()));
  let isRunning = true;
  const busy = members.map(async (member) => {
    const made = await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member) });
    const params = { id: made.body.id };
    let rounds = 0;
    for (; isRunning || rounds < 3; rounds++) {
      expect((await club.as(member).call("POST /vpn/configs/{id}/key", { params, body: {} })).status).toBe(200);
      expect((await club.as(member).call("GET /vpn/configs/{id}/download", { params })).status).toBe(200);
    }
    return rounds;
  });
  for (let turn = 0; turn < 4; turn++) await rotate(club);
  isRunning = false;
  for (const rounds of await Promise.all(busy)) expect(rounds).toBeGreaterThan(2);
  await expectLeftBehind(club, old);
  await works();
});

test("two simultaneous rotations run one after the other, and lose nothing", async () => {
  const { club, works } = await aClubWithSecrets();
  const before = await secretsBy(club.app.parts.sealing, club);
  const old = readFileSync(club.config.masterKeyFile, "utf8");
  await Promise.all([rotate(club), rotate(club), rotate(club)]);
  expect(await secretsBy(await freshSealing(club), club)).toEqual(before);
  await rotate(club);
  await expectLeftBehind(club, old);
  await works();
});

class Killed extends Error {}

/** Interrupts at the nth transaction: before it, when all but the commit is done, or right after the commit. */
function dyingAt(nth: number, when: "before" | "inside" | "after", transact: Transact): Transact {
  let count = 0;
  return async (work) => {
    if (++count !== nth) return transact(work);
    if (when === "before") throw new Killed();
    await transact(async (tx) => {
      await work(tx);
      if (when === "inside") throw new Killed();
    });
    throw new Killed();
  };
}

test("a rotation interrupted anywhere leaves a working panel with nothing lost, and is completed by the next", async () => {
  const { club, works } = await aClubWithSecrets();
  const secrets = await secretsBy(club.app.parts.sealing, club);
  let broken = 0;
  for (const when of ["before", "inside", "after"] as const) {
    for (let nth = 1; ; nth++) {
      const old = readFileSync(club.config.masterKeyFile, "utf8");
      const outcome = await rotate(club, dyingAt(nth, when, club.transact)).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) break;
      expect(outcome).toBeInstanceOf(Killed);
      broken += 1;
      expect(await secretsBy(await freshSealing(club), club)).toEqual(secrets);
      await rotate(club);
      expect(await secretsBy(await freshSealing(club), club)).toEqual(secrets);
      await expectLeftBehind(club, old);
    }
  }
  // The start, each column and the two steps of the end.
  expect(broken).toBeGreaterThan(3 * (sealedColumns.length + 3) - 1);
  await club.restart();
  await works();
});

test("a text that was moved to another row, or altered, is reported and not changed; the rotation continues", async () => {
  const { club, boris } = await aClubWithSecrets();
  const olga = await club.member();
  const other = (await club.as(olga).call("POST /vpn/configs", { body: await configInput(club, olga) })).body.id;
  const [own] = (await club.as(boris).call("GET /vpn/configs")).body;
  await club.transact((tx) =>
    sql`update configs set sealed_private_key = (select sealed_private_key from configs where id = ${own!.id}) where id = ${other}`.execute(
      tx,
    ),
  );
  const download = (who: typeof boris, id: string) =>
    club.as(who).call("GET /vpn/configs/{id}/download", { params: { id } });
  expect((await download(olga, other)).code).toBe("config.secret_lost");
  const { unopened } = await rotate(club);
  expect(unopened).toEqual([`configs.private_key:${other}`]);
  expect((await download(boris, own!.id)).status).toBe(200);
  expect((await download(olga, other)).code).toBe("config.secret_lost");
});

test("a rotation that lost the file with both keys reports that and discards nothing", async () => {
  const { club } = await aClubWithSecrets();
  const [first] = keysOf(club);
  await rotate(club, dyingAt(2, "before", club.transact)).catch(() => {});
  const both = keysOf(club);
  expect(both.map(({ id }) => id)).toContain(first.id);
  writeKeyFile(club.config.masterKeyFile, [both[0]]);
  await expect(rotate(club)).rejects.toThrow(new RegExp(`lacks key ${first.id}.*Put back the file that held both`));
  writeKeyFile(club.config.masterKeyFile, both);
  expect((await rotate(club)).unopened).toEqual([]);
});

test("a panel whose key file was not updated writes nothing under the former key", async () => {
  const { club } = await aClubWithSecrets();
  // Another panel on the same database, with a copy of the key.
  const config = { ...club.config, masterKeyFile: join(club.config.dataDir, "copy.key") };
  writeKeyFile(config.masterKeyFile, keysOf(club));
  const { database, sealing } = await openInstallation(config, club.clock.now());
  await rotate(club);
  await expect(database.transact((tx) => sealing.sealer(tx))).rejects.toThrow(/copy\.key does not hold/);
  writeKeyFile(config.masterKeyFile, keysOf(club));
  await database.transact(async (tx) => {
    expect((await sealing.sealer(tx))("place", "x").startsWith(prefixOf(keysOf(club)[0].id))).toBe(true);
  });
  await database.close();
});
