import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { aFolder, anS3Storage } from "../apps/server/testing/a-place.ts";
import { startPanel } from "../e2e/panel.ts";
import { ROOT, run } from "./command.mjs";

const krug = (args: string[], cwd: string, env: Record<string, string> = {}) =>
  run(process.execPath, [`${ROOT}apps/server/dist/cli.js`, ...args], { cwd, env: { LC_ALL: "C", ...env } });

test("the command line uses the running panel's database and names it; without its environment it creates nothing", async () => {
  const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
  onTestFinished(() => panel.remove());
  const elsewhere = mkdtempSync(join(tmpdir(), "krug-elsewhere-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));

  const lost = await krug(["maintenance-off"], elsewhere);
  expect(lost.code).toBe(1);
  expect(lost.output).toBe(
    `There is no club database at ${elsewhere}/data/krug.db. Set DATA_DIR or DATABASE_URL as in the panel's service.\n`,
  );
  expect(readdirSync(elsewhere)).toEqual([]);

  const found = await krug(["maintenance-off"], elsewhere, { DATA_DIR: panel.dataDir });
  expect(found.output).toBe(`Database: ${panel.dataDir}/krug.db\nMaintenance is off.\n`);
  expect(found.code).toBe(0);

  // On a Russian terminal, so is the output.
  const russian = { LC_ALL: "ru_RU.UTF-8" };
  const done = await krug(["maintenance-off"], elsewhere, { DATA_DIR: panel.dataDir, ...russian });
  expect(done).toMatchObject({ code: 0, output: `База данных: ${panel.dataDir}/krug.db\nТехработы закончены.\n` });
  const refused = await krug(["maintenance-off"], elsewhere, russian);
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(/нет базы данных клуба/);
});

test("a backup made while the panel runs is restored by the command line, another club's only if told so, and the panel starts on it", async () => {
  const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
  onTestFinished(() => panel.remove());
  const folder = mkdtempSync(join(tmpdir(), "krug-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [file, phrase] = [join(folder, "club.age"), join(folder, "phrase")];
  writeFileSync(phrase, "short\n");
  const args = ["backup", file, "--passphrase-file", phrase];
  expect((await krug(args, folder, { DATA_DIR: panel.dataDir })).output).toContain("must have at least 16 characters");
  writeFileSync(phrase, "four words that nobody guesses\n");
  expect((await krug(args, folder, { DATA_DIR: folder })).output).toContain(`There is no club in ${folder}.`);
  const made = await krug(args, folder, { DATA_DIR: panel.dataDir });
  expect(made.output).toMatch(/club\.age holds the club: \d+ bytes, SHA-256 [0-9a-f]{64}\./);
  expect((await krug(args, folder, { DATA_DIR: panel.dataDir })).output).toContain("already");
  const back = join(folder, "data");
  const restore = ["restore", file, "--passphrase-file", phrase];
  const ofAnother = { DATA_DIR: back, BACKUP_MARK: "3F2A-99C1-07BD-E411" };
  // Nobody can be asked.
  const refused = await krug(restore, folder, ofAnother);
  expect(refused.code).toBe(1);
  expect(refused.output).toMatch(
    /Another club made it: its mark is .*, and 3F2A-99C1-07BD-E411 is expected\. Nothing was restored\. --restore-anyway/,
  );
  expect(existsSync(back)).toBe(false);
  const restored = await krug([...restore, "--restore-anyway"], folder, ofAnother);
  expect(restored.output).toMatch(/^The club of .*The club [\dA-F-]{19} made it\. .*Everybody signs in again/);
  expect(readdirSync(back).sort()).toEqual(["krug.db", "master.key", "panel-id"]);
  const found = await krug(["maintenance-off"], folder, { DATA_DIR: back });
  expect(found.output).toBe(`Database: ${back}/krug.db\nMaintenance is off.\n`);
  expect((await krug(["backup", file, "--wrong"], folder)).output).toContain("krug COMMAND\n");
  expect((await krug(["upgrade"], folder)).output).toMatch(/^There is no command upgrade\.\n\nkrug COMMAND\n/);
});

test("an operator who has lost the machine restores with only the storage", async () => {
  const { environment } = await anS3Storage();
  const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
  onTestFinished(() => panel.remove());
  const folder = aFolder();
  const phrase = join(folder, "phrase");
  writeFileSync(phrase, "four words that nobody guesses\n");
  const place = { ...environment, BACKUP_PASSPHRASE_FILE: phrase };
  expect((await krug(["backups"], folder)).output).toContain("The environment names no place for backups");
  const early = await krug(["restore", "--from-place"], folder, { ...place, DATA_DIR: join(folder, "early") });
  expect(early.output).toMatch(/^There is no backup in .*Nothing was restored/);
  const names: string[] = [];
  for (let time = 0; time < 2; time++) {
    const made = await krug(["backup", "--to-place"], folder, { ...place, DATA_DIR: panel.dataDir });
    expect(made.output).toMatch(
      /krug-[\dTZ-]+\.age holds the club: \d+ bytes, read back and restored into a temporary database/,
    );
    names.push(/krug-[\dTZ-]+\.age/.exec(made.output)?.[0] ?? "");
  }
  await panel.stop();
  const listed = await krug(["backups"], folder, place);
  expect(
    listed.output
      .trim()
      .split("\n")
      .map((line) => line.split("  ")[0]),
  ).toEqual(names);
  const back = join(folder, "data");
  const missing = ["restore", "--from-place", "krug-2020-01-01T00-00-00Z.age"];
  expect((await krug(missing, folder, { ...place, DATA_DIR: back })).output).toMatch(
    /^There is no krug-2020.*Nothing was/,
  );
  expect(existsSync(back)).toBe(false);
  const newest = await krug(["restore", "--from-place"], folder, { ...place, DATA_DIR: back });
  expect(newest.output).toContain(`${names[1]} from `);
  expect(newest.output).toContain("Everybody signs in again");
  const named = await krug(["restore", "--from-place", names[0] ?? ""], folder, {
    ...place,
    DATA_DIR: join(folder, "first"),
  });
  expect(named.output).toContain(`${names[0]} from `);
  const found = await krug(["maintenance-off"], folder, { DATA_DIR: back });
  expect(found.output).toBe(`Database: ${back}/krug.db\nMaintenance is off.\n`);
  expect((await krug(["backup", "--from-place"], folder, place)).output).toContain("krug COMMAND\n");
});

/** A stand-in for the panel's service user, who may write less than root. */
const NOBODY = 65_534;
/** Only root can change users, and the other user must be able to read the program: not in a clone below /root. */
const mayRunAsOthers = () =>
  process.getuid?.() === 0 &&
  spawnSync("setpriv", [`--reuid=${NOBODY}`, "--clear-groups", "test", "-r", join(ROOT, "package.json")]).status === 0;

test.skipIf(!mayRunAsOthers())(
  "a backup to its storage runs as the service: if root may write there and the service may not, it fails and says so",
  async () => {
    const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
    onTestFinished(() => panel.remove());
    await panel.stop();
    const folder = aFolder();
    chmodSync(folder, 0o755);
    const [phrase, dataDir, place] = ["phrase", "data", "backups"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(phrase, "four words that nobody guesses\n");
    cpSync(panel.dataDir, dataDir, { recursive: true });
    const env = { DATA_DIR: dataDir, BACKUP_DIR: place, BACKUP_PASSPHRASE_FILE: phrase };
    const toPlace = (more: Record<string, string> = {}) => krug(["backup", "--to-place"], folder, { ...env, ...more });

    // The service's user owns its data.
    for (const path of [dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))])
      chownSync(path, NOBODY, NOBODY);
    mkdirSync(place, { mode: 0o700 });
    expect(await toPlace()).toMatchObject({
      code: 1,
      output: expect.stringContaining("is closed to the panel's user"),
    });
    expect(readdirSync(place)).toEqual([]);
    chownSync(place, NOBODY, NOBODY);
    expect(await toPlace()).toMatchObject({ code: 0, output: expect.stringContaining("holds the club") });
    expect(readdirSync(place).map((name) => statSync(join(place, name)).uid)).toEqual([NOBODY]);

    // If it is running, its unit shows what it sees of the disk: here that folder, read-only.
    for (const path of [place, dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))])
      chownSync(path, 0, 0);
    const bound = `mount --bind ${place} ${place} && mount -o remount,bind,ro ${place} && echo there && exec sleep 60`;
    const service = spawn("unshare", ["--mount", "sh", "-c", bound], { env: { ...process.env, ...env }, cwd: folder });
    onTestFinished(() => void service.kill("SIGKILL"));
    await once(service.stdout, "data");
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "systemctl"), `#!/bin/sh\necho ${service.pid}\n`, { mode: 0o755 });
    const before = readdirSync(place);
    expect(await toPlace({ PATH: `${bin}:${process.env.PATH}` })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/backups is read-only for the panel.*ReadWritePaths=/),
    });
    expect(readdirSync(place)).toEqual(before);
  },
);

test("during and after a panel's run, check reports its state, changes nothing and exits with a status", async () => {
  const panel = await startPanel({ ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" });
  onTestFinished(() => panel.remove());
  const env = { DATA_DIR: panel.dataDir, LOCAL_SERVER: "off" };
  const well = await krug(["check"], panel.dataDir, env);
  expect(well.output).toMatch(/No problems found\.\n$/);
  expect(well.code).toBe(0);
  await panel.stop();
  chmodSync(join(panel.dataDir, "panel-id"), 0o644);
  const names = readdirSync(panel.dataDir).sort();
  const off = await krug(["check", "--json"], panel.dataDir, env);
  expect(off.code).toBe(1);
  const { findings } = JSON.parse(off.output) as { findings: { code: string; level: string }[] };
  expect(findings.filter(({ level }) => level === "wrong").map(({ code }) => code)).toEqual(["data_dir.open"]);
  const bundle = join(panel.dataDir, "bundle.json.gz");
  expect((await krug(["support-bundle", bundle], panel.dataDir, env)).code).toBe(0);
  expect(gunzipSync(readFileSync(bundle)).toString("utf8")).toContain('"data_dir.open"');
  rmSync(bundle);
  expect(
    readdirSync(panel.dataDir)
      .filter((name) => !/-(wal|shm)$/.test(name))
      .sort(),
  ).toEqual(names.filter((name) => !/-(wal|shm)$/.test(name)));
  expect((await krug(["check"], panel.dataDir, { ...env, PORT: "wrong" })).code).toBe(2);
});
