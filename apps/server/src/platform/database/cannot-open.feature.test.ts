import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { makeTestDatabase } from "../../../testing/test-database.ts";
import { readConfig } from "../../config.ts";
import { openInstallation } from "../../installation.ts";

const openWith = (databaseUrl: string | null, dataDir: string) =>
  openInstallation({ ...readConfig({ DATA_DIR: dataDir }), databaseUrl }, new Date());

type Change = (url: URL, dataDir: string) => unknown;

/** A PostgreSQL user who owns nothing. */
async function asStranger(url: URL) {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const name = `stranger_${randomBytes(4).toString("hex")}`;
  await client.query(`create database ${name}`);
  await client.query(`create role ${name} login password 'hunter2'`);
  await client.end();
  Object.assign(url, { username: name, password: "hunter2", pathname: `/${name}` });
}

const cases: [string, Change, RegExp][] =
  process.env.TEST_ENGINE === "postgres"
    ? [
        [
          "a wrong password",
          (url) => Object.assign(url, { password: "hunter2" }),
          /the user's name or password is wrong\.$/,
        ],
        [
          "an unknown database",
          (url) => Object.assign(url, { pathname: "/nowhere" }),
          /there is no database with that name/,
        ],
        ["a closed port", (url) => Object.assign(url, { port: "1" }), /: nothing answers there\./],
        [
          "an unknown host",
          (url) => Object.assign(url, { hostname: "nowhere.invalid" }),
          /: (there is no host with|the host's name)/,
        ],
        ["a user who may not create tables", asStranger, /the user may not create tables there/],
      ]
    : [
        [
          "a file that is not a database",
          (_, dataDir) => writeFileSync(join(dataDir, "krug.db"), "x".repeat(9_000)),
          /krug\.db is damaged \(file is not a database\)/,
        ],
      ];

test.each(cases)("%s stops the start with a sentence that does not show the password", async (_, change, sentence) => {
  const { config, drop } = await makeTestDatabase();
  onTestFinished(drop);
  if (config.databaseUrl === null) rmSync(join(config.dataDir, "krug.db"));
  const url = new URL(config.databaseUrl ?? "postgres://unused/unused");
  await change(url, config.dataDir);
  const said = await openWith(config.databaseUrl === null ? null : url.href, config.dataDir).then(
    () => "it opened",
    (error: Error) => error.message,
  );
  expect(said).toMatch(sentence);
  if (config.databaseUrl !== null) expect(said).toContain(`DATABASE_URL postgres`);
  if (url.password !== "") expect(said).not.toContain(url.password);
});
