import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./command.mjs";
import { compareMigrations } from "./landed-migrations.mjs";

const FOLDER = "apps/server/migrations";

/** A repository with two migrations on its trunk, and a working branch. */
async function aRepository() {
  const root = mkdtempSync(join(tmpdir(), "krug-landed-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = async (...args: string[]) => {
    const { code, output } = await run("git", args, { cwd: root });
    expect(code, output).toBe(0);
  };
  const write = (name: string, text: string) => writeFileSync(join(root, FOLDER, name), text);
  const commit = async (message: string) => {
    await git("add", "-A");
    await git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", message);
  };
  mkdirSync(join(root, FOLDER), { recursive: true });
  await git("init", "-q", "-b", "main");
  write("0001_one.sql", "create table one (id text);\n");
  write("0002_two.sql", "create table two (id text);\n");
  await commit("land");
  await git("switch", "-qc", "work");
  return { root, git, write, commit };
}

test("a new migration may change until it lands; a landed one may not, committed or not", async () => {
  const { root, write, commit, git } = await aRepository();
  write("0003_three.sql", "create table three (id text);\n");
  await commit("add");
  write("0003_three.sql", "create table three (id text primary key);\n");
  await commit("mend what is new");
  expect((await compareMigrations(root)).changed).toEqual([]);
  write("0002_two.sql", "create table two (id text primary key);\n");
  expect((await compareMigrations(root)).changed).toEqual([`${FOLDER}/0002_two.sql`]);
  await commit("change what landed");
  await git("mv", `${FOLDER}/0001_one.sql`, `${FOLDER}/0001_first.sql`);
  expect((await compareMigrations(root)).changed).toEqual([`${FOLDER}/0001_one.sql`, `${FOLDER}/0002_two.sql`]);
});

test("migrations that landed after the work began do not count as missing", async () => {
  const { root, write, commit, git } = await aRepository();
  await git("switch", "-q", "main");
  write("0004_four.sql", "create table four (id text);\n");
  await commit("land another");
  await git("switch", "-q", "work");
  expect((await compareMigrations(root)).changed).toEqual([]);
});

test("without history nothing is compared and nothing fails", async () => {
  const root = mkdtempSync(join(tmpdir(), "krug-landed-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  expect(await compareMigrations(root)).toEqual({ changed: [], narrowing: [], against: null });
});

test("a new migration adds, or says that older panels must stop; a landed one is not checked", async () => {
  const { root, write } = await aRepository();
  const narrowing = async (text: string, name = "0003_three.sql") => {
    write(name, text);
    return (await compareMigrations(root)).narrowing;
  };
  for (const text of [
    "create table three (id text primary key, name text not null);\ncreate unique index three_name on three (name);\n",
    "alter table one add column shade text;\ndrop index one_shade;\n",
    "alter table one add column shade text not null default 'dark';\n",
    "-- drop table two in a later version\nupdate one set id = 'x' where id = 'y';\n",
    "-- stops older panels: they read two\ndrop table two;\n",
  ])
    expect(await narrowing(text), text).toEqual([]);
  for (const text of [
    "drop table two;\n",
    "alter table one drop column id;\n",
    "alter table one rename to first;\n",
    "alter table one alter column id set not null;\n",
    "alter table one add column shade text not null;\n",
    "alter table one add constraint one_id check (id <> '');\n",
    "create table three (id text);\ncreate unique index one_id\n  on one (id);\n",
  ])
    expect(await narrowing(text), text).toEqual([expect.stringContaining("0003_three.sql ")]);
  // SQLite has one panel.
  expect(await narrowing("select 1;\n")).toEqual([]);
  expect(await narrowing("drop table two;\n", "0003_three.sqlite.sql")).toEqual([]);
});
