import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS, MINUTE_MS } from "@krug/domain/moment";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../../testing/listen.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(options: Parameters<typeof startClub>[0] = {}): Promise<Club> {
  const club = await startClub(options);
  onTestFinished(() => club.stop());
  return club;
}
const alarms = async (club: Club, who: Person, query = {}) =>
  (await club.as(who).call("GET /admin/alarms", { query })).body;

async function look(club: Club): Promise<void> {
  club.clock.advance(2 * MINUTE_MS);
  await club.app.lookAtServers();
  await club.settle();
}

const QUIET = { servers: [], exits: [], backupLateSince: null, maintenanceSince: null, claims: 0, conversations: 0 };

test("staff see that a server does not answer until it does again", async () => {
  const club = await aClub();
  const moderator = await club.moderator();
  expect(await alarms(club, moderator)).toEqual(QUIET);
  club.host.away = "no answer";
  await look(club);
  const since = club.clock.now().toISOString();
  club.clock.advance(3 * MINUTE_MS);
  const [server] = (await alarms(club, moderator)).servers;
  expect(server).toMatchObject({ name: expect.any(String), since });
  club.host.away = null;
  await look(club);
  expect(await alarms(club, moderator)).toEqual(QUIET);
});

test("waiting claims and chats are counted, a VIP member's for admins only", async () => {
  const club = await aClub();
  const [admin, moderator] = [await club.admin(), await club.moderator()];
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
  for (const who of [await club.member(), await club.member({ row: { is_vip: 1 } })]) {
    await club.as(who).call("POST /payments/claim", { body: {} });
    await club.as(who).call("POST /support/messages", { body: { content: "Здравствуйте" } });
  }
  expect(await alarms(club, admin)).toEqual({ ...QUIET, claims: 2, conversations: 2 });
  expect(await alarms(club, moderator)).toEqual({ ...QUIET, claims: 1, conversations: 1 });
  expect(await alarms(club, admin, { as: "moderator" })).toEqual({ ...QUIET, claims: 1, conversations: 1 });
});

test("maintenance shows while it lasts, and a backup once it is late", async () => {
  const folder = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), "krug-alarms-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const phrase = join(folder, "phrase");
  writeFileSync(phrase, "four words that nobody guesses\n");
  const club = await aClub({
    environment: { BACKUP_DIR: join(folder, "backups"), BACKUP_PASSPHRASE_FILE: phrase, BACKUP_EVERY: "6" },
  });
  await club.app.parts.backups.makeDue();
  const since = club.clock.now().toISOString();
  await club.transact((tx) => club.app.parts.maintenance.set(tx, true, null));
  expect(await alarms(club, await club.moderator())).toEqual({ ...QUIET, maintenanceSince: since });
  await club.transact((tx) => club.app.parts.maintenance.set(tx, false, null));
  club.clock.advance(12 * HOUR_MS);
  expect(await alarms(club, await club.moderator())).toEqual({ ...QUIET, backupLateSince: since });
});

test("an open staff page learns at once that a server is down, and that it is back", async () => {
  const club = await aClub();
  const moderator = await club.moderator();
  const page = await listen(`${club.origin}/api/events`, { token: moderator.token });
  onTestFinished(() => page.leave());
  const told = { event: "changed", data: { topic: "clubAlarms" }, id: undefined };
  const heard = async () => {
    for (;;) {
      const event = await page.next();
      if (event === undefined || JSON.stringify(event.data) === JSON.stringify(told.data)) return event;
    }
  };
  club.host.away = "no answer";
  await look(club);
  club.clock.advance(3 * MINUTE_MS);
  await club.app.parts.servers.timed.find(({ name }) => name === "servers that are gone")?.run();
  expect(await heard()).toEqual(told);
  club.host.away = null;
  await look(club);
  expect(await heard()).toEqual(told);
});
