import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./command.mjs";
import { changedMigrations } from "./landed-migrations.mjs";

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
  expect((await changedMigrations(root)).changed).toEqual([]);
  write("0002_two.sql", "create table two (id text primary key);\n");
  expect((await changedMigrations(root)).changed).toEqual([`${FOLDER}/0002_two.sql`]);
  await commit("change what landed");
  await git("mv", `${FOLDER}/0001_one.sql`, `${FOLDER}/0001_first.sql`);
  expect((await changedMigrations(root)).changed).toEqual([`${FOLDER}/0001_one.sql`, `${FOLDER}/0002_two.sql`]);
});

test("migrations that landed after the work began do not count as missing", async () => {
  const { root, write, commit, git } = await aRepository();
  await git("switch", "-q", "main");
  write("0004_four.sql", "create table four (id text);\n");
  await commit("land another");
  await git("switch", "-q", "work");
  expect((await changedMigrations(root)).changed).toEqual([]);
});

test("without history nothing is compared and nothing fails", async () => {
  const root = mkdtempSync(join(tmpdir(), "krug-landed-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  expect(await changedMigrations(root)).toEqual({ changed: [], against: null });
});
