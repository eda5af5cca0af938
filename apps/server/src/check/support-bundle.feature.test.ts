import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sampleAccounts, seedSampleClub } from "../../testing/sample-club.ts";
import { type Club, startClub } from "../../testing/start-club.ts";
import { variables } from "../config.ts";
import { sealedColumns } from "../sealed.ts";
import { supportBundle, writeBundle } from "./support-bundle.ts";

let club: Club;
beforeEach(async () => {
  club = await startClub();
});
afterEach(() => club.stop());

const MARKER = "pLaNtEd";
const parts = () => ({
  config: { ...club.config, publicUrl: new URL(`https://${MARKER.toLowerCase()}.example`), telegramBotToken: null },
  clock: club.clock,
  localHost: club.host,
  remotes: club.remotes,
  version: "1.2.3",
  patience: { deadlineMs: 30_000, againMs: 1 },
});
const textOf = async (environment: Record<string, string> = {}) =>
  JSON.stringify(await supportBundle(parts(), environment));

/** Columns that join rows, and those that decide which rows are read. */
const isKept = (table: string, column: string) =>
  ["migrations", "sealing"].includes(table) || /^(id|one)$|(^|_)id$/.test(column);

/** Puts markers into every text column of every table that takes one; answers where. */
async function plant(): Promise<string[]> {
  const planted: string[] = [];
  const rows = await club.allRows();
  for (const { name: table, columns } of await club.db.introspection.getTables())
    for (const { name: column, dataType } of columns) {
      if (!/text|char/i.test(dataType) || isKept(table, column) || (rows.get(table)?.length ?? 0) === 0) continue;
      // Staff's acts are JSON, which the end of each test reads.
      const text = /^(before|after)$/.test(column)
        ? JSON.stringify({ username: MARKER })
        : `${MARKER} ${table}.${column}`;
      const isTaken = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${text}`.execute(club.db).then(
        () => true,
        () => false,
      );
      if (isTaken) planted.push(`${table}.${column}`);
    }
  return planted;
}

test("it holds nothing that a person, program or key file wrote, wherever that is", async () => {
  await seedSampleClub(club.app);
  const [boris, admin] = [await club.member(), await club.admin()];
  const note = { params: { id: boris.id }, body: { content: "a note" } };
  expect((await club.as(admin).call("POST /admin/users/{id}/notes", note)).status).toBe(201);
  await club.settle();
  await sql`update servers set name = ${`${MARKER} server`}, endpoint = ${`${MARKER}.example`}, unreachable_reason = ${MARKER}`.execute(
    club.db,
  );
  await sql`update interfaces set conflict = ${MARKER}, name = ${MARKER}`.execute(club.db);
  const at = club.clock.now().getTime();
  await sql`insert into jobs (id, kind, lane, payload, run_at, attempts, failed_at, last_error, created_at)
    values ('00000000-0000-4000-8000-000000000001', ${MARKER}, ${MARKER}, '{}', ${at}, 3, ${at}, ${MARKER}, ${at})`.execute(
    club.db,
  );
  // A machine with many messages, which are for the operator only.
  club.host.surroundings = {
    ...club.host.surroundings,
    notForwarding: [reason("machine.said", {}, `${MARKER} drops`)],
  };
  const whole = await textOf();
  expect(whole).toContain("server.blocked");
  expect(whole).toContain("jobs.given_up");
  expect(whole.toLowerCase()).not.toContain(MARKER.toLowerCase());
  const [peer] = club.host.peers();
  if (peer === undefined) throw new Error("no peer");
  const usernames = sampleAccounts.map(({ username }) => username).filter((name) => name !== "admin");
  const key = readFileSync(club.config.masterKeyFile, "utf8").trim();
  // Names of migrations are the product's own: 'several' is not Vera's.
  const others = whole.replaceAll(/"\d{4}_\w+(\.\w+)*\.sql"/g, "");
  for (const text of [...usernames, peer.publicKey, peer.allowedIps[0]?.split("/")[0], key, "198.51.100.7"])
    expect(others).not.toContain(`${text}`);

  // With every text damaged, much cannot be checked, and the rest reveals as little.
  const planted = await plant();
  for (const named of [
    "members.username",
    "configs.name",
    "servers.endpoint",
    "support_messages.content",
    "member_notes.content",
  ])
    expect(planted).toContain(named);
  const rows = await club.allRows();
  for (const { table, column } of sealedColumns)
    if (rows.get(table)?.some((row) => row[column] !== null)) expect(planted).toContain(`${table}.${column}`);
  const damaged = await textOf();
  expect(damaged).toContain("master_key.closed");
  expect(damaged.toLowerCase()).not.toContain(MARKER.toLowerCase());
});

test("it names which environment variables are set, and shows a value only if it is a number or one of a few words", async () => {
  const all = Object.fromEntries(Object.keys(variables).map((name) => [name, MARKER]));
  const text = await textOf(all);
  expect(text.toLowerCase()).not.toContain(MARKER.toLowerCase());
  const bundle = (await supportBundle(parts(), { PORT: "3001", LOG_LEVEL: "info", HOST: "192.0.2.9" })) as {
    configuration: { variables: unknown[] };
  };
  expect(bundle.configuration.variables).toContainEqual({ name: "PORT", isSet: true, value: "3001" });
  expect(bundle.configuration.variables).toContainEqual({ name: "HOST", isSet: true });
  expect(bundle.configuration.variables).toContainEqual({ name: "DATABASE_URL", isSet: false });
});

test("it holds what helps to find a fault, is readable by its owner only, and replaces no file", async () => {
  const bundle = await supportBundle(parts(), {});
  expect(bundle).toMatchObject({
    version: "1.2.3",
    database: { engine: club.config.databaseUrl === null ? "sqlite" : "postgres", rows: { members: 0, servers: 1 } },
    servers: [{ isThisMachine: true, status: "connected" }],
    work: { jobs: { failed: 0 }, backups: null },
  });
  expect((bundle as { database: { migrations: unknown[] } }).database.migrations.length).toBeGreaterThan(10);
  const path = join(club.config.dataDir, "bundle.json.gz");
  writeBundle(path, bundle);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(gunzipSync(readFileSync(path)).toString("utf8"))).toEqual(JSON.parse(JSON.stringify(bundle)));
  writeFileSync(path, "kept");
  expect(() => writeBundle(path, bundle)).toThrow(`${path} cannot be created: a file is there (EEXIST).`);
  expect(readFileSync(path, "utf8")).toBe("kept");
});

test("without a database there is still a bundle, which says so", async () => {
  const bundle = await supportBundle(
    { ...parts(), config: { ...club.config, dataDir: "/nowhere", databaseUrl: null } },
    {},
  );
  expect(bundle).toMatchObject({ exitCode: 2, database: null, servers: [] });
  expect(JSON.stringify(bundle)).not.toContain("/nowhere");
});
