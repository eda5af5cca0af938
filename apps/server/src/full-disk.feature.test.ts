import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contract } from "@krug/contract/api";
import { type EndpointSpec, isStream } from "@krug/contract/endpoint";
import { MINUTE_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { type Answer, type Club, type Person, startClub } from "../testing/start-club.ts";
import { writeBundle } from "./check/support-bundle.ts";

const isRoot = process.getuid?.() === 0;
const isPostgres = process.env.TEST_ENGINE === "postgres";
const tablespace = `little_${process.pid}`;

interface Disk {
  /** Where files can be written; null without a disk of its own. */
  folder: string | null;
  fill(): Promise<void>;
  free(): Promise<void>;
}

/** A club on its own small disk; if mounting is not allowed, SQLite's own limit replaces it. */
async function aClubOnALittleDisk(): Promise<{ club: Club; disk: Disk }> {
  if (!isRoot) {
    expect(isPostgres, "on PostgreSQL this test needs root").toBe(false);
    const club = await startClub();
    onTestFinished(() => club.stop());
    const pages = async (count: string) => void (await sql.raw(`pragma max_page_count = ${count}`).execute(club.db));
    return { club, disk: { folder: null, fill: () => pages("1"), free: () => pages("1000000") } };
  }
  const folder = mkdtempSync(join(tmpdir(), "krug-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m,mode=0755", "tmpfs", folder]);
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true });
  });
  const filler = join(folder, "filler");
  const disk = {
    folder,
    async fill() {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    free: async () => rmSync(filler),
  };
  if (isPostgres)
    // Registered first, so that it runs after the club's end.
    onTestFinished(async () => {
      const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
      await client.connect();
      await client.query(`drop tablespace ${tablespace}`).finally(() => client.end());
    });
  const club = await startClub(isPostgres ? {} : { folder });
  onTestFinished(() => club.stop());
  if (isPostgres) {
    const location = join(folder, "tables");
    mkdirSync(location);
    execFileSync("chown", ["postgres", location]);
    await sql.raw(`create tablespace ${tablespace} location '${location}'`).execute(club.db);
    await sql.raw(`alter table support_messages set tablespace ${tablespace}`).execute(club.db);
  }
  return { club, disk };
}

const write = (club: Club, person: Person) => {
  // A member may make sixty creations a minute.
  club.clock.advance(1_000);
  return club.as(person).call("POST /support/messages", { body: { content: "x".repeat(3_900) } });
};
/** Until no space is left, not even in what exists already. */
async function writeUntilRefused(club: Club, person: Person): Promise<Answer> {
  for (;;) {
    const answer = await write(club, person);
    if (answer.status !== 201) return answer;
  }
}

test("on a full disk reads and downloads work, writes are refused with a message, and all is well once there is space", async () => {
  const { club, disk } = await aClubOnALittleDisk();
  const [boris, admin] = [await club.member(), await club.admin()];
  const { body: config } = await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
  await club.settle();
  const reads = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const endpoints of Object.values(contract))
      for (const spec of Object.values(endpoints) as EndpointSpec[]) {
        if (spec.method !== "GET" || spec.path.includes("{") || isStream(spec.answer)) continue;
        if (spec.path === "/health") continue;
        for (const person of [boris, admin]) {
          const { status, code } = await club.as(person).send("GET", `/api${spec.path}`);
          found.push(`${spec.path} ${person.username}: ${status} ${code ?? ""}`);
        }
      }
    return found;
  };
  // So much later that each of them would be recorded again.
  const later = () => club.clock.advance(6 * MINUTE_MS);
  const before = await reads();
  expect(before.filter((line) => line.includes(": 200")).length).toBeGreaterThan(40);

  await disk.fill();
  const refused = await writeUntilRefused(club, boris);
  expect(refused).toMatchObject({ status: 507, code: "database.full" });
  expect(refused.message).toContain("кончилось место");
  later();
  expect(await reads()).toEqual(before);
  for (let n = 0; n < 2; n++) {
    const file = await club.as(boris).send("GET", `/api/vpn/configs/${config.id}/download`);
    expect([file.status, String(file.body).includes("[Interface]")]).toEqual([200, true]);
  }
  const health = async () => (await fetch(`${club.origin}/api/health`)).status;
  // On PostgreSQL only one table is full, and what else was written meanwhile ended the trouble.
  expect((await write(club, boris)).status).toBe(507);
  expect(await health()).toBe(503);
  expect((await club.as(admin).call("GET /admin/system")).body.database.trouble).toBe("full");
  if (disk.folder !== null) {
    const bundle = join(disk.folder, "bundle.json.gz");
    expect(() => writeBundle(bundle, {})).toThrow(/bundle\.json\.gz cannot be written: the disk is full \(ENOSPC\)\.$/);
    expect(existsSync(bundle)).toBe(false);
  }

  await disk.free();
  await expect
    .poll(async () => [(await write(club, boris)).status, await health()], { timeout: 20_000, interval: 500 })
    .toEqual([201, 200]);
  expect((await club.as(admin).call("GET /admin/system")).body.database.trouble).toBeNull();
});
