import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import { HOTP, Secret } from "otpauth";
import { describe, expect, onTestFinished, test } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { fillStatistics } from "../testing/fill-statistics.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";
import { addWebhook } from "../testing/webhook-double.ts";
import { BOUNDED_MOMENTS } from "./bounded-moments.ts";
import { jobKind } from "./platform/jobs.ts";
import { makeLeases } from "./platform/leases.ts";
import { sealedColumns } from "./sealed.ts";

// A panel's clock runs a day ahead for a while, as after a flat battery, and is corrected.

async function aClub() {
  const club = await startClub();
  onTestFinished(() => club.stop());
  return club;
}

const codeOf = (club: Club, secret: string) =>
  HOTP.generate({
    secret: Secret.fromBase32(secret),
    counter: Math.floor(club.clock.now().getTime() / (30 * SECOND_MS)),
    digits: 6,
    algorithm: "SHA1",
  });
const verify = (club: Club, person: Person, token: string) =>
  club.as(person).call("POST /totp/{id}/verify", { params: { id: person.id }, body: { token } });

async function enable(club: Club, person: Person): Promise<string> {
  const { secret } = (await club.as(person).call("GET /totp/{id}/status", { params: { id: person.id } })).body;
  const token = codeOf(club, secret ?? "");
  const answer = await club
    .as(person)
    .call("POST /totp/{id}/enable", { params: { id: person.id }, body: { secret: secret ?? "", token } });
  expect(answer.status).toBe(200);
  return secret ?? "";
}

test("a right code counts again at once, and one that counted ahead never counts when its time comes", async () => {
  const club = await aClub();
  const vera = await club.moderator();
  const secret = await enable(club, vera);
  const seen: { code: string; at: number }[] = [];
  const ahead = DAY_MS / 2;
  club.clock.advance(ahead);
  for (let n = 0; n < 2; n++) {
    club.clock.advance(90 * SECOND_MS);
    // The session exceeds its idle time while the clock is wrong: it is elevated again each time.
    const code = codeOf(club, secret);
    seen.push({ code, at: club.clock.now().getTime() });
    const fresh = await again(club, vera);
    expect((await verify(club, fresh, code)).body.valid).toBe(true);
  }
  club.clock.advance(-ahead);
  const fresh = await again(club, vera);
  const code = codeOf(club, secret);
  expect((await verify(club, fresh, code)).body.valid).toBe(true);
  const stranger = await again(club, vera);
  expect((await verify(club, stranger, code)).body.valid, "a second time").toBe(false);
  for (const { code, at } of seen) {
    club.clock.advance(at - club.clock.now().getTime());
    expect((await verify(club, await again(club, vera), code)).body.valid, "what was seen ahead").toBe(false);
  }
});

/** The same person in a separate session, which is not elevated. */
async function again(club: Club, person: Person): Promise<Person> {
  const { auth, members } = club.app.parts;
  const session = await club.transact(async (tx) => {
    const row = await members.find(tx, person.id);
    return auth.openSession(tx, row ?? expect.unreachable(), "Test");
  });
  return { ...person, token: session.token };
}

test("nobody waits for a delay that started in the future, and no elevation lasts until then", async () => {
  const club = await aClub();
  const [boris, admin] = [await club.member(), await club.admin()];
  const secret = await enable(club, admin);
  club.clock.advance(DAY_MS / 4);
  const login = (password: string) =>
    club.guest.call("POST /auth/login", { body: { username: boris.username, password } });
  const register = () =>
    club.guest.call("POST /auth/register", {
      body: { username: "newcomer", password: "a phrase of his own", inviteCode: "ABCDEF" },
    });
  for (let n = 0; n < 9; n++) await login("wrong one");
  expect((await login(boris.password)).code).toBe("auth.too_many_attempts");
  for (let n = 0; n < 5; n++) await register();
  expect((await register()).code).toBe("invite.banned");
  const fresh = await again(club, admin);
  for (let n = 0; n < 3; n++) await verify(club, fresh, "000000");
  expect((await verify(club, fresh, codeOf(club, secret))).code).toBe("two_factor.locked");
  club.clock.advance(HOUR_MS);
  expect((await verify(club, fresh, codeOf(club, secret))).body.valid).toBe(true);
  club.clock.advance(-HOUR_MS - DAY_MS / 4);
  expect((await club.as(fresh).call("GET /users")).code).toBe("auth.two_factor_required");
  expect((await login(boris.password)).status).toBe(200);
  expect((await register()).code).toBe("invite.wrong_code");
  club.clock.advance(90 * SECOND_MS);
  expect((await verify(club, fresh, codeOf(club, secret))).body.valid).toBe(true);
});

test("jobs created, tried or claimed ahead of time are done, and leases change hands", async () => {
  const club = await aClub();
  const { jobs } = club.app.parts;
  const [written, tried] = [jobKind<object>("test.written"), jobKind<object>("test.tried")];
  const done: string[] = [];
  let fails = true;
  jobs.handle(written, async () => void done.push("written"));
  jobs.handle(tried, async () => {
    if (fails) throw new Error("away");
    done.push("tried");
  });
  await club.transact((tx) => jobs.enqueue(tx, tried, { payload: {} }));
  club.clock.advance(DAY_MS);
  const mine = makeLeases(club.transact, club.clock, "a");
  const others = makeLeases(club.transact, club.clock, "b");
  expect(await mine.take("night work", 60_000)).toBe(true);
  await jobs.drain();
  // Created, and claimed by a panel that was killed, while the clock was wrong.
  await sql`insert into jobs (id, kind, lane, payload, run_at, attempts, created_at, locked_until) values
    ('00000000-0000-4000-8000-000000000001', 'test.written', 'one', '{}', ${club.clock.now().getTime()}, 0, 0, null),
    ('00000000-0000-4000-8000-000000000002', 'test.written', 'two', '{}', 0, 1, 0, ${club.clock.now().getTime() + 120_000})`.execute(
    club.db,
  );
  club.clock.advance(-DAY_MS);
  fails = false;
  expect(await others.take("night work", 60_000)).toBe(true);
  const afterwards = async () => {
    await jobs.drain();
    return done.toSorted();
  };
  await expect.poll(afterwards).toEqual(["tried", "written", "written"]);
});

test("devices that were cut off ahead of time are back on the wire once the clock is right", async () => {
  const club = await aClub();
  const boris = await club.member({ subscriptionEnd: club.clock.now().getTime() + DAY_MS / 2 });
  await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
  await club.settle();
  expect(club.host.peers()).toHaveLength(1);
  club.clock.advance(DAY_MS);
  await club.app.parts.configs.cutEnded();
  await club.settle();
  expect(club.host.peers()).toHaveLength(0);
  club.clock.advance(-DAY_MS);
  await club.app.parts.configs.cutEnded();
  await club.settle();
  expect(club.host.peers()).toHaveLength(1);
});

test("nothing old is deleted for good by a clock that has jumped ahead, and admins see why", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const { forgetting } = club.app.parts;
  const shown = async () => (await club.as(admin).call("GET /admin/system")).body.clockDoubtedSince;
  expect(await forgetting.isAllowed()).toBe(true);
  const believed = club.clock.now().toISOString();
  club.clock.advance(400 * DAY_MS);
  expect([await forgetting.isAllowed(), await forgetting.isAllowed()]).toEqual([false, false]);
  const later = await club.admin({ username: "later" });
  expect((await club.as(later).call("GET /admin/system")).body.clockDoubtedSince).toBe(believed);
  club.clock.advance(-400 * DAY_MS);
  expect([await forgetting.isAllowed(), await shown()]).toEqual([true, null]);

  club.clock.advance(2 * DAY_MS);
  for (let hour = 0; hour < 24; hour++) {
    expect(await forgetting.isAllowed()).toBe(false);
    club.clock.advance(HOUR_MS);
  }
  expect(await forgetting.isAllowed()).toBe(true);
});

/** A club in which every kind of old record is there to be deleted a year from now. Answers what it has. */
async function aClubWithHistory(club: Club) {
  const admin = await club.admin();
  const boris = await club.member({ configLimit: 9 });
  const [tunnel] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  for (const name of ["kept", "deleted", "moves"])
    await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) });
  for (const peer of club.host.peers()) club.host.use(peer.publicKey, { rx: 10, tx: 10 }, club.clock.now().getTime());
  const configs = (await club.as(boris).call("GET /vpn/configs")).body;
  const [deleted, moves] = ["deleted", "moves"].map((wanted) => configs.find(({ name }) => name === wanted)?.id ?? "");
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: deleted ?? "" } });
  await club.as(boris).call("GET /vpn/configs/{id}/qrcode", { params: { id: moves ?? "" } });
  await club.as(boris).call("POST /api-tokens", { body: { name: "bot", scopes: ["configs:read"], days: 5 } as never });
  await club.guest.call("POST /auth/login", { body: { username: boris.username, password: "wrong one" } });
  await club.as(admin).call("POST /users/{id}/password-link", { params: { id: boris.id } });
  // Its devices move to a second interface; the first is deleted with its key at the date.
  await club.as(admin).send("POST", `/api/admin/servers/interfaces/${tunnel?.id}/rotate`, { preset: "quic", days: 3 });
  await club.app.parts.reconciler.readAll();
  await club.settle();
}

/** How much there is: rows of each table, and secrets that were not destroyed. */
async function countAll(club: Club): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const secrets = sealedColumns.map(({ table, column }) => [table, column] as const);
  for (const [table, rows] of await club.allRows()) {
    // What waits to be done is not history.
    if (table === "jobs" || table === "leases") continue;
    counts[table] = rows.length;
    for (const [, column] of secrets.filter(([of]) => of === table))
      counts[`${table}.${column}`] = rows.filter((row) => !["", null].includes(row[column] as string | null)).length;
    if (table === "configs") counts.moves = rows.filter((row) => row.moves_until !== null).length;
  }
  return counts;
}
const HISTORY =
  `api_tokens attempts config_services configs.sealed_private_key moves notices one_time_links reach_samples sessions
  statistics_hourly traffic_club_hourly traffic_hourly`.split(/\s+/);
const fewer = (before: Record<string, number>, after: Record<string, number>) =>
  Object.keys(before).filter((name) => (after[name] ?? 0) < (before[name] ?? 0));

test("no scheduled work deletes for good by a clock that has jumped ahead, until it has gone on for a day", async () => {
  const club = await startClub({ greet: async () => "answered" });
  onTestFinished(() => club.stop());
  await aClubWithHistory(club);
  // What follows from its own jobs is done in the second round.
  const rounds = async () => {
    for (let round = 0; round < 2; round++) {
      await club.app.doScheduled();
      await club.settle();
    }
    return countAll(club);
  };
  const before = await rounds();
  club.clock.advance(400 * DAY_MS);
  expect(fewer(before, await rounds())).toEqual([]);
  for (let hour = 0; hour < 24; hour++) {
    await club.app.parts.forgetting.isAllowed();
    club.clock.advance(HOUR_MS);
  }
  // Otherwise nothing would be proved.
  expect(fewer(before, await rounds())).toEqual(expect.arrayContaining(HISTORY));
});

describe("a reading under a wrong clock", () => {
  const WEEKS_MS = 21 * DAY_MS;
  const aDevice = async (quotaBytes: number | null = null) => {
    const club = await aClub();
    const boris = await club.member();
    if (quotaBytes !== null)
      await sql`update members set quota_bytes = ${quotaBytes}, quota_at_end = 'cut' where id = ${boris.id}`.execute(
        club.db,
      );
    const { id } = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body;
    const key = club.host.peers()[0]?.publicKey ?? "";
    const read = async (rx: number, at: number | null) => {
      club.host.use(key, { rx, tx: 0 }, at as number);
      await club.app.parts.reconciler.readAll();
      await club.settle();
    };
    const { traffic, configs } = club.app.parts;
    const seen = async () => (await traffic.statsOf(club.db, [id]))(id).lastHandshake;
    const member = async () => {
      const { rows } = await sql<{ at: number }>`
        select last_handshake_at as at from member_use where member_id = ${boris.id}`.execute(club.db);
      return Number(rows[0]?.at);
    };
    const online = async () =>
      [...(await configs.reach(club.db, now())).values()].reduce((all, each) => all + Number(each.online), 0);
    const now = () => club.clock.now().getTime();
    return { club, boris, read, seen, online, member, now };
  };

  test("of a VPN server leaves an unused device as it was, and one in use is up to date", async () => {
    const { club, read, seen, online, member, now } = await aDevice();
    const first = now();
    await read(10, first);
    club.clock.advance(HOUR_MS);
    await read(0, now() + WEEKS_MS);
    expect([await seen(), await member(), await online()]).toEqual([first, first, 0]);
    await read(10, now() + WEEKS_MS);
    expect([await seen(), await member(), await online()]).toEqual([now(), now(), 1]);
  });

  test("of the panel's own machine is replaced by the first right one", async () => {
    const { club, read, seen, online, member, now } = await aDevice();
    club.clock.advance(WEEKS_MS);
    await read(10, now());
    club.clock.advance(-WEEKS_MS);
    expect(await online()).toBe(0);
    await read(0, now());
    expect([await seen(), await member(), await online()]).toEqual([now(), now(), 1]);
    club.clock.advance(HOUR_MS);
    await read(0, now() - HOUR_MS);
    expect(await online()).toBe(0);
  });

  test("is moved to the actual hour and day once the clock has been right for an hour", async () => {
    const { club, read, now } = await aDevice();
    const { traffic, clubTime } = club.app.parts;
    const all = async (table: string) =>
      (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(club.db)).rows
        .map((row) => JSON.stringify(row))
        .sort();
    await read(10, now());
    club.clock.advance(WEEKS_MS);
    await read(20, now());
    club.clock.advance(-WEEKS_MS + HOUR_MS);
    await read(30, now());
    const ahead = await all("traffic_hourly");
    await traffic.bringBackAhead();
    expect(await all("traffic_hourly")).toEqual(ahead);
    club.clock.advance(HOUR_MS);
    await traffic.bringBackAhead();
    await read(5, now());
    const hours = (
      await sql<Record<"hour" | "rx" | "opening_rx", number>>`
        select hour, rx, opening_rx from traffic_hourly order by hour`.execute(club.db)
    ).rows;
    expect(hours.map(({ hour, rx, opening_rx }) => [Number(hour), Number(rx), Number(opening_rx)])).toEqual([
      [clubTime.startOfHour(now() - 2 * HOUR_MS), 10, 0],
      [clubTime.startOfHour(now()), 55, 10],
    ]);
    const days = (await sql<{ day: string; rx: number }>`select day, rx from traffic_daily`.execute(club.db)).rows;
    expect(days.map(({ day, rx }) => [day, Number(rx)])).toEqual([[clubTime.dayOf(now()), 65]]);
    // All sums are as if it had been counted there.
    const sums = ["statistics_hourly", "statistics_hourly_came", "statistics_daily", "statistics_daily_came"];
    const told = await Promise.all(sums.map(all));
    await club.transact(fillStatistics);
    expect(told).toEqual(await Promise.all(sums.map(all)));
    const club_hours = await sql<{ rx: number }>`select sum(rx) as rx from traffic_club_hourly`.execute(club.db);
    expect(Number(club_hours.rows[0]?.rx)).toBe(65);
  });

  test("that was behind moves nothing that was counted by a right clock", async () => {
    const { club, read, now } = await aDevice();
    const rows = async () => (await sql`select * from traffic_hourly`.execute(club.db)).rows;
    await read(10, now());
    const before = await rows();
    club.clock.advance(-WEEKS_MS);
    await club.app.parts.traffic.bringBackAhead();
    club.clock.advance(HOUR_MS / 2);
    await club.app.parts.traffic.bringBackAhead();
    club.clock.advance(WEEKS_MS - HOUR_MS / 2);
    await club.app.parts.traffic.bringBackAhead();
    expect(await rows()).toEqual(before);
  });

  test("cuts off a member whose quota it used up until the end of the actual month", async () => {
    const { club, boris, read, now } = await aDevice(1_000);
    const { members, clubTime } = club.app.parts;
    const until = async () => {
      const { rows } = await sql<{ at: number | null }>`
        select quota_used_up_until as at from members where id = ${boris.id}`.execute(club.db);
      return rows[0]?.at == null ? null : Number(rows[0].at);
    };
    club.clock.advance(WEEKS_MS);
    await read(2_000, now());
    const wrong = clubTime.startOfNextMonth(now());
    expect(await until()).toBe(wrong);
    club.clock.advance(-WEEKS_MS);
    await members.quotas.settleAhead();
    expect(await until()).toBe(wrong);
    club.clock.advance(HOUR_MS);
    await members.quotas.settleAhead();
    expect(await until()).toBe(clubTime.startOfNextMonth(now()));
    expect(clubTime.startOfNextMonth(now())).toBeLessThan(wrong);
    // All of it counts for this month, and none for the next.
    expect((await club.as(boris).call("GET /vpn/quota")).body?.used).toBe(2_000);
    club.clock.advance(12 * DAY_MS);
    expect((await club.as(boris).call("GET /vpn/quota")).body?.used).toBe(0);
  });

  test("counts towards the month in which it happened, once the clock is right again", async () => {
    const { club, boris, read, now } = await aDevice(1_000_000);
    club.clock.advance(WEEKS_MS);
    await read(10, now());
    club.clock.advance(-WEEKS_MS);
    await read(20, now());
    const quota = async () => (await club.as(boris).call("GET /vpn/quota")).body;
    expect((await quota())?.used).toBe(30);
    // The next month starts at zero.
    club.clock.advance(12 * DAY_MS);
    await read(1, now());
    expect((await quota())?.used).toBe(1);
  });
});

/** Columns for whose moment something waits, by how they are called. */
const WAITED_FOR = /^(not_before|next_at|due_at|run_at|expires_at|\w+_until)$/;
/** Those of them that need no correction, and why. */
const OTHERWISE: Record<string, string> = {
  "jobs.run_at": "ignored by its reader",
  "jobs.locked_until": "ignored by its reader",
  "leases.expires_at": "ignored by its reader",
  "members.quota_slowed_until": "settled by quotas",
  "members.quota_used_up_until": "settled by quotas",
  "payments.granted_until": "what somebody paid for",
  "invite_codes.expires_at": "an admin's choice",
  "api_tokens.expires_at": "an admin's choice",
  "emptyings.stay_until": "an admin's choice",
  "configs.moves_until": "an admin's choice, at a rotation",
  "sessions.expires_at": "a session lasts while it is used",
  "sessions.previous_until": "half a minute of a renewed token",
  "webhooks.former_until": "a replaced secret signs for longer",
};

/** Writes a moment of the current time into every column that is bounded, or of the longest honest wait. */
async function fillBounded(club: Club): Promise<void> {
  const boris = await club.member();
  const admin = await club.admin();
  const body = await configInput(club, boris);
  const phone = (await club.as(boris).call("POST /vpn/configs", { body: { ...body, name: "Phone" } })).body.id;
  const { id } = (await club.as(boris).call("POST /vpn/configs", { body })).body;
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
  await club.as(admin).call("POST /users/{id}/password-link", { params: { id: boris.id } });
  const hook = await addWebhook(club);
  const [event, notice] = [randomUUID(), randomUUID()];
  for (const statement of [
    sql`insert into notices (id, member_id, kind, params, created_at) values (${notice}, ${boris.id}, 'welcome', '{}', 0)`,
    sql`insert into outbox (notice_id, way, target, member_id, turn, not_before, attempts)
      values (${notice}, 'telegram', '1', ${boris.id}, 1, 0, 1)`,
    sql`insert into webhook_events (id, type, data, created_at) values (${event}, 'member.blocked', '{}', 0)`,
    sql`insert into webhook_deliveries (webhook_id, event_id, turn, state, attempts, former_attempts, waiting_since, next_at)
      values (${hook.id}, ${event}, 1, 'waiting', 1, 0, 0, 0)`,
    sql`insert into list_sources (id, source, networks, good_at, due_at, created_at) values ('s', 'AS1', '[]', 0, 0, 0)`,
    sql`insert into file_marks (config_id, marked_at, week_at, due_at) values (${phone}, 0, 0, 0)`,
    sql`insert into scheduled_backups (one, since, unproven) values (1, 0, '[]')`,
    sql`insert into joining_counts (subject, what, times, since) values ('a', 'joined', 1, 0)`,
    sql`insert into passkey_challenges (challenge_hash, purpose, asked_by, expires_at) values ('p', 'sign_in', 'a', 0)`,
    sql`insert into exit_links (id, number, entry_id, exit_id, subnet, subnet_v6, address, exit_port, entry_port, entry_public_key,
          sealed_entry_key, exit_public_key, sealed_exit_key, keys_at, created_at)
        values ('e', 2, 'a', 'b', '', '', '', 1, 1, '', '', '', '', 0, 0)`,
    sql`insert into telegram_openings (opening_hash, expires_at) values ('o', 0)`,
    sql`insert into file_links (token_hash, config_id, session_id, is_accepted, expires_at) values ('f', 'c', 's', 0, 0)`,
    sql`insert into lost_devices (member_id, asked_at) values (${boris.id}, 0)`,
    sql`insert into telegram_codes (code_hash, sealed_code, member_id, purpose, expires_at) values ('c', '', ${boris.id}, 'link', 0)`,
  ])
    await statement.execute(club.db);
  const now = club.clock.now().getTime();
  for (const { table, column, aheadMs } of BOUNDED_MOMENTS)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${now + aheadMs}`.execute(club.db);
}

describe("once the clock has been right for an hour", () => {
  const WEEKS_MS = 21 * DAY_MS;
  /** As scheduled: every few minutes, while the clock only goes forward. */
  const anHour = async (club: Club) => {
    for (let round = 0; round < 7; round++) {
      await club.app.boundMoments();
      club.clock.advance(HOUR_MS / 6);
    }
  };

  test("backups are made again, and those of the wrong clock push none of them out", async () => {
    const where = join(process.env.TEST_SCRATCH ?? tmpdir(), `krug-ahead-${randomUUID()}`);
    onTestFinished(() => rmSync(where, { recursive: true, force: true }));
    const environment = {
      BACKUP_DIR: where,
      BACKUP_RECIPIENT: "age1d8wn6rr49ugc6r2yag7lzzjwexesjffd3jsfc6euhwafuyha8epqf982vg",
      BACKUP_EVERY: "6",
      BACKUP_KEEP: "2",
    };
    const club = await startClub({ environment });
    onTestFinished(() => club.stop());
    const make = () => club.app.parts.backups.makeDue();
    club.clock.advance(WEEKS_MS);
    for (let n = 0; n < 3; n++) {
      await make();
      club.clock.advance(6 * HOUR_MS);
    }
    expect(readdirSync(where)).toHaveLength(2);
    club.clock.advance(-WEEKS_MS);
    await anHour(club);
    for (let n = 0; n < 2; n++) {
      club.clock.advance(6 * HOUR_MS);
      await make();
    }
    const right = club.clock.now().toISOString().slice(0, "2026-11-21T".length);
    expect(readdirSync(where).every((name) => name < `krug-${right}99`)).toBe(true);
    expect(readdirSync(where)).toHaveLength(2);
    expect(await club.app.parts.backups.lateSince()).toBeNull();
    await rm(where, { recursive: true });
    await writeFile(where, "a file where the folder was");
    club.clock.advance(DAY_MS);
    await make();
    expect(await club.app.parts.backups.lateSince()).not.toBeNull();
  });

  test("nothing waits for a time that it wrote", async () => {
    const club = await aClub();
    await club.app.boundMoments();
    club.clock.advance(WEEKS_MS);
    await fillBounded(club);
    club.clock.advance(-WEEKS_MS);
    const ahead = async () => {
      const now = club.clock.now().getTime();
      const counts = BOUNDED_MOMENTS.map(async ({ table, column, aheadMs }) => {
        const latest = now + Math.max(aheadMs, DAY_MS);
        const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} > ${latest}`.execute(
          club.db,
        );
        return rows.length > 0 ? [`${table}.${column}`] : [];
      });
      return (await Promise.all(counts)).flat().sort();
    };
    expect(await ahead()).toEqual(BOUNDED_MOMENTS.map(({ table, column }) => `${table}.${column}`).sort());
    await anHour(club);
    expect(await ahead()).toEqual([]);
  });

  test("all columns that say when something begins or ends again are known", async () => {
    const club = await aClub();
    const found: string[] = [];
    for (const { name, columns } of await club.db.introspection.getTables())
      for (const column of columns)
        if (/(_until|_before|_at)$/.test(column.name) && WAITED_FOR.test(column.name))
          found.push(`${name}.${column.name}`);
    const bounded = BOUNDED_MOMENTS.map(({ table, column }) => `${table}.${column}`);
    expect(found.filter((name) => !bounded.includes(name) && !(name in OTHERWISE))).toEqual([]);
  });
});
