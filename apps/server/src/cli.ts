import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { BACKUP_PASSPHRASE_MIN } from "@krug/domain/backup-rules";
import type { PublicKey } from "@krug/wireguard/key-text";
import { type App, makeApp } from "./app.ts";
import { againAsService } from "./as-service.ts";
import { backup, ownMark } from "./backup.ts";
import { openPlace } from "./backup-places/open-place.ts";
import { type CheckParts, check, openToRead } from "./check/check.ts";
import { exitCodeOf, findingsText } from "./check/finding.ts";
import { supportBundle, writeBundle } from "./check/support-bundle.ts";
import { cliWords, terminalLanguage } from "./cli-words.ts";
import { type Config, readConfig } from "./config.ts";
import { readGeneration } from "./features/club/fencing/index.ts";
import { tearDown } from "./hosts/driver.ts";
import { makeRemotes } from "./hosts/ssh/remotes.ts";
import {
  enginesIn,
  oldProgramsScript,
  openInstallation,
  openOwnHost,
  packagedGeoFiles,
  packagedServerPrograms,
  productVersion,
} from "./installation.ts";
import { type ImportOptions, importCommand } from "./moving/import-command.ts";
import { movingEn } from "./moving/words-en.ts";
import { movingRu } from "./moving/words-ru.ts";
import { type Opener, whyNoRecipient } from "./platform/archive/encryption.ts";
import { backupName } from "./platform/archive/place.ts";
import type { Source } from "./platform/archive/read.ts";
import { hashOf, writeWhole } from "./platform/archive/whole-file.ts";
import { systemClock } from "./platform/clock.ts";
import { placeOf } from "./platform/database/cannot-open.ts";
import { failure } from "./platform/failure.ts";
import { fileTrouble } from "./platform/file-trouble.ts";
import { systemNames } from "./platform/names.ts";
import { refuse } from "./platform/refusal.ts";
import { rotateKey } from "./platform/rotate-key.ts";
import { sentenceOf } from "./platform/sentence-of.ts";
import { makeProvenBackup } from "./proven-backup.ts";
import { doubtsOf, type LookFirst, restore } from "./restore.ts";
import { sealedColumns } from "./sealed.ts";

const language = terminalLanguage(process.env);
const say = cliWords[language];

/** Asks without echoing the input; reads the first line if the input is not a terminal. */
async function askPassword(what = say.password): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stdout.write(`${what}: `);
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    if (isTerminal) process.stdout.write("\n");
  }
}

type Command = (app: App, argument: string, config: Config) => Promise<string>;

const commands: Record<string, { takesName: boolean; run: Command }> = {
  "create-admin": {
    takesName: true,
    async run({ parts }, username) {
      await parts.auth.createAdmin({ username, password: await askPassword() });
      return say.adminMade(username);
    },
  },
  "reset-password": {
    takesName: true,
    async run({ parts }, username) {
      await parts.auth.resetPassword(username, await askPassword());
      return say.passwordSet(username);
    },
  },
  "reset-2fa": {
    takesName: true,
    async run({ parts: { transact, members, twoFactor } }, username) {
      await transact(async (tx) => {
        const member = (await members.findByIdOrUsername(tx, username)) ?? refuse("member.not_found");
        await twoFactor.reset(tx, member.id, null);
      });
      return say.twoFactorReset(username);
    },
  },
  "reset-passkeys": {
    takesName: true,
    async run({ parts: { transact, members, passkeys } }, username) {
      await transact(async (tx) => {
        const member = (await members.findByIdOrUsername(tx, username)) ?? refuse("member.not_found");
        await passkeys.reset(tx, member.id, null);
      });
      return say.passkeysReset(username);
    },
  },
  "maintenance-off": {
    takesName: false,
    async run({ parts: { transact, maintenance } }) {
      await transact((tx) => maintenance.set(tx, false, null));
      return say.maintenanceOff;
    },
  },
  "rotate-key": {
    takesName: false,
    async run({ parts: { transact, sealing } }, _, { masterKeyFile: keyFile }) {
      let shown = 0;
      const told = (count: number) => {
        if (count === 0) console.log(say.newKey(keyFile));
        if (count - shown < 10_000) return;
        console.log(say.resealed(count));
        shown = count;
      };
      const rotation = await rotateKey({ transact, sealing, keyFile, columns: sealedColumns, told });
      const { keyId, resealed, unopened } = rotation;
      return together(say.rotated(keyId, resealed, keyFile), unopened.length > 0 && say.leftSealed(unopened));
    },
  },
  "take-over": {
    takesName: false,
    async run({ parts: { fencing } }) {
      await fencing.takeOver();
      return say.tookOver;
    },
  },
  "remove-tunnels": {
    takesName: false,
    async run({ parts: { db, servers, interfaces, panelId, fencing } }, _, config) {
      const own = (await servers.all(db)).filter((server) => server.panel_id === panelId);
      const keys = (await Promise.all(own.map((server) => interfaces.keysEverOn(db, server.id)))).flat();
      const host = openOwnHost(config, fencing.read);
      const { removedPeers } = await tearDown(host, keys as PublicKey[]);
      return say.tunnelsRemoved(removedPeers.length);
    },
  },
};

const importing = (options: ImportOptions): { takesName: boolean; run: Command } => ({
  takesName: true,
  run(app, argument, config) {
    const host = lookingParts(config).localHost;
    const words = language === "ru" ? movingRu : movingEn;
    if (host === null) throw new Error(words.noServer);
    const sentence = (error: unknown) => sentenceOf(error, language);
    return importCommand(argument, options, {
      app,
      config,
      host,
      script: oldProgramsScript(),
      say: words,
      sentenceOf: sentence,
      isConfirmed,
    });
  },
});

/** For commands that only read. */
function lookingParts(config: Config): CheckParts {
  const generation = async () => {
    const database = await openToRead(config);
    return readGeneration(database.db).finally(() => database.close());
  };
  const programs = [packagedServerPrograms(), () => systemClock.now().getTime(), enginesIn(config)] as const;
  return {
    config,
    clock: systemClock,
    localHost: config.localServer === "off" ? null : openOwnHost(config, generation),
    remotes: makeRemotes(...programs, { mayRepair: false }),
    version: productVersion(),
  };
}

/** The command does not wait longer for a connection that does not end. */
const ENDS_WITHIN_MS = 3_000;

async function runCheck(isJson: boolean, config: Config): Promise<string> {
  const parts = lookingParts(config);
  const findings = await check(isJson ? parts : { ...parts, language });
  const exitCode = exitCodeOf(findings);
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), ENDS_WITHIN_MS).unref();
  if (!isJson) return findingsText(findings, language);
  return JSON.stringify(
    { exitCode, version: parts.version, checkedAt: systemClock.now().toISOString(), findings },
    null,
    2,
  );
}

/** Commands that need none of the panel's own parts: they work on a database of any version, or none yet. */
const onFiles: Record<string, (file: string, options: BackupOptions, config: Config) => Promise<string>> = {
  async "support-bundle"(file, options, config) {
    if (Object.keys(options).length > 0) throw new Error(say.usage);
    if (existsSync(file)) throw new Error(say.fileThere(file));
    const bundle = await supportBundle(lookingParts(config), process.env);
    const { bytes } = writeBundle(file, bundle);
    setTimeout(() => process.exit(), ENDS_WITHIN_MS).unref();
    return say.bundle(file, bytes);
  },
  async backup(file, { recipient, "passphrase-file": passphraseFile, identity, ...others }, config) {
    if (
      Object.keys(others).length > 0 ||
      identity !== undefined ||
      (recipient !== undefined && passphraseFile !== undefined)
    )
      throw new Error(say.usage);
    if (existsSync(file)) throw new Error(say.fileThere(file));
    const wrong = recipient === undefined ? null : whyNoRecipient(recipient);
    if (wrong !== null) throw new Error(say.recipient[wrong]);
    const lock = recipient === undefined ? { passphrase: await newPassphrase(passphraseFile) } : { recipient };
    const content = await backup(config, { lock, now: systemClock.now(), version: productVersion() });
    const { bytes, sha256 } = await writeWhole(content, file).catch((error: unknown) => {
      throw fileTrouble(error, file) ?? error;
    });
    if ((await hashOf(file)) !== sha256) throw failure("backup.reads_otherwise", { file });
    const opensWith = say.opensWith[recipient === undefined ? "passphrase" : "identity"];
    return together(say.backedUp(file, bytes, sha256), await markSentence(config), opensWith);
  },
  async restore(file, { identity, "passphrase-file": passphraseFile, recipient, ...wish }, config) {
    if (recipient !== undefined || (identity !== undefined && passphraseFile !== undefined)) throw new Error(say.usage);
    return restored(config, file, await openerOf(identity, passphraseFile), wish);
  },
};

/** For the day when only this club's own backup may be restored. */
const markSentence = async (config: Config): Promise<string | false> => {
  const mark = await ownMark(config);
  return mark !== null && say.mark(mark);
};

const together = (...sentences: (string | false)[]): string => sentences.filter((each) => each !== false).join(" ");

/** Asks if something about a backup is unexpected. @throws Error if the answer is no, or nobody can be asked */
const lookFirst =
  (expected: string | null, isAnyway: boolean): LookFirst =>
  async (made) => {
    const doubts = doubtsOf(made, expected, say);
    if (doubts.length === 0 || isAnyway) return;
    const why = `${made.name}: ${doubts.join(" ")}`;
    if (process.stdin.isTTY !== true) throw new Error(`${why} ${say.restoreAnyway}`);
    if (!(await isConfirmed(`${why}\n${say.restoreAll}`))) throw new Error(say.nothingRestored);
  };

async function restored(
  config: Config,
  source: Source,
  opener: Opener,
  {
    mark = config.backupMark ?? undefined,
    "restore-anyway": isAnyway = false,
  }: Pick<BackupOptions, "mark" | "restore-anyway">,
): Promise<string> {
  let madeBy = say.madeByNobody;
  const look = lookFirst(mark?.toUpperCase() ?? null, isAnyway);
  const { madeAt, version } = await restore(config, source, opener, systemClock.now(), async (made) => {
    await look(made);
    if (made.mark !== null) madeBy = say.madeBy(made.mark);
  });
  const where = placeOf(config.databaseUrl, config.dataDir);
  return together(say.restored(madeAt, version, where), madeBy, say.afterRestore);
}

/** Commands for the place that the environment names. */
async function onPlace({ name, argument, options }: Given, config: Config): Promise<string> {
  const {
    "to-place": isTo = false,
    "from-place": isFrom = false,
    identity,
    "passphrase-file": passphraseFile,
  } = options;
  const fits =
    name === "restore"
      ? isFrom && !isTo && options.recipient === undefined && (identity === undefined || passphraseFile === undefined)
      : argument === "" && Object.keys(options).length === (name === "backup" && isTo ? 1 : 0);
  if (!fits) throw new Error(say.usage);
  const { backupPlan, backupLock } = config;
  if (backupPlan === null) throw new Error(say.noPlace);
  const place = openPlace(backupPlan.place);
  if (name === "backup") {
    const again = await againAsService(config.dataDir);
    if (again !== null) {
      process.exitCode = again.code;
      return again.whole ? "" : say.notAsService;
    }
    const now = systemClock.now();
    const file = backupName(now);
    try {
      const { bytes } = await makeProvenBackup(config, place, file, { now, version: productVersion() });
      const isTried = backupLock === null || !("recipient" in backupLock);
      return together(say.proven(`${place.address}/${file}`, bytes, isTried), await markSentence(config));
    } catch (error) {
      await place.discard(file).catch(() => {});
      throw error;
    }
  }
  const there = await place.list();
  if (name === "backups")
    return there.length === 0
      ? say.noBackups(place.address)
      : there.map(({ name, bytes }) => `${name}  ${say.bytes(bytes)}`).join("\n");
  const wanted = argument === "" ? there.at(-1)?.name : there.find(({ name }) => name === argument)?.name;
  if (wanted === undefined) throw new Error(say.notInPlace(argument === "" ? null : argument, place.address));
  const own = backupLock !== null && "passphraseFile" in backupLock ? backupLock.passphraseFile : undefined;
  const source = { name: `${place.address}/${wanted}`, open: () => place.read(wanted) };
  return together(
    say.from(wanted, place.address),
    await restored(config, source, await openerOf(identity, passphraseFile ?? own), options),
  );
}

async function isConfirmed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^(?:yes|y|да|д)$/i.test((await lines.question(`${question} ${say.yesOrNo} `)).trim());
  } finally {
    lines.close();
  }
}

async function openerOf(identity: string | undefined, passphraseFile: string | undefined): Promise<Opener> {
  if (identity !== undefined) return { identities: identitiesIn(identity) };
  return { passphrase: passphraseFile === undefined ? await askPassword(say.passphrase) : firstLineOf(passphraseFile) };
}

type BackupOptions = {
  recipient?: string;
  identity?: string;
  "passphrase-file"?: string;
  "to-place"?: boolean;
  "from-place"?: boolean;
  mark?: string;
  "restore-anyway"?: boolean;
};
interface Given {
  name: string;
  argument: string;
  options: BackupOptions;
  isJson: boolean;
  importing: ImportOptions;
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw failure("disk.cannot_read", { path, code: (error as NodeJS.ErrnoException).code ?? "?" }, { cause: error });
  }
};
const firstLineOf = (path: string) => readText(path).split(/\r?\n/)[0] ?? "";
/** As age-keygen writes them: comments, and one key per line. */
function identitiesIn(path: string): string[] {
  const found = readText(path)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (found.length === 0) throw new Error(say.noIdentity(path));
  return found;
}

async function newPassphrase(file: string | undefined): Promise<string> {
  const typed = file === undefined ? await askPassword(say.passphrase) : firstLineOf(file);
  if (typed.length < BACKUP_PASSPHRASE_MIN) throw new Error(say.shortPassphrase(BACKUP_PASSPHRASE_MIN));
  if (file === undefined && process.stdin.isTTY && (await askPassword(say.again)) !== typed)
    throw new Error(say.passphrasesDiffer);
  return typed;
}

/** @throws if there are other options */
function parsedArguments(): Given {
  const option = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      recipient: option,
      identity: option,
      "passphrase-file": option,
      "to-place": flag,
      "from-place": flag,
      mark: option,
      "restore-anyway": flag,
      json: flag,
      to: option,
      "new-members": option,
      back: flag,
      keep: flag,
      yes: flag,
    },
  });
  const { json, to, "new-members": newMembers, back, keep, yes, ...options } = values;
  const importing: ImportOptions = {
    ...(to !== undefined && { to }),
    ...(newMembers !== undefined && { "new-members": newMembers }),
    ...(back !== undefined && { back }),
    ...(keep !== undefined && { keep }),
    ...(yes !== undefined && { yes }),
  };
  const [name = "", argument = "", ...more] = positionals;
  if (more.length > 0 || (!(name in onFiles) && Object.keys(options).length > 0)) throw new Error(say.usage);
  if (json !== undefined && name !== "check") throw new Error(say.usage);
  if (name === "import" ? whyNotImport(argument, importing) : Object.keys(importing).length > 0)
    throw new Error(say.usage);
  return { name, argument, options, isJson: json === true, importing };
}

/** Going back and staying name nothing, and a device goes to one member or to a new one. */
const whyNotImport = (argument: string, { to, back, keep, "new-members": newMembers }: ImportOptions): boolean =>
  (to !== undefined && newMembers !== undefined) ||
  ((to !== undefined || newMembers !== undefined) && argument === "") ||
  (back === true && keep === true) ||
  ((back === true || keep === true) && argument !== "") ||
  (newMembers !== undefined && !/^\d{4}-\d\d-\d\d$/.test(newMembers));

async function main(): Promise<void> {
  let given: Given;
  try {
    given = parsedArguments();
  } catch {
    given = { name: "", argument: "", options: {}, isJson: false, importing: {} };
  }
  const { name, argument, options, isJson } = given;
  if (name === "check" && argument === "") {
    // Anything that ends it before it has compared anything.
    process.exitCode = 2;
    console.log(await runCheck(isJson, readConfig(process.env)));
    return;
  }
  if (name === "backups" || options["to-place"] || options["from-place"]) {
    const said = await onPlace(given, readConfig(process.env));
    if (said !== "") console.log(said);
    return;
  }
  const withFile = onFiles[name];
  if (withFile !== undefined && argument !== "") {
    console.log(await withFile(argument, options, readConfig(process.env)));
    return;
  }
  const command = name === "import" ? importing(given.importing) : commands[name];
  if (command === undefined || (name !== "import" && command.takesName !== (argument !== ""))) {
    const isKnown = [...Object.keys(commands), ...Object.keys(onFiles), "check", "backups", "import"].includes(name);
    console.error(name === "" || isKnown ? say.usage : `${say.noCommand(name)}\n\n${say.usage}`);
    process.exitCode = 2;
    return;
  }
  const config = { ...readConfig(process.env), logLevel: "silent" as const };
  const installation = await openInstallation(config, systemClock.now(), { mustExist: true });
  console.error(say.database(installation.databasePlace));
  const app = await makeApp({
    config,
    ...installation,
    clock: systemClock,
    // It only reads there: the panel that runs does the work.
    localHost: name === "import" ? lookingParts(config).localHost : null,
    remotes: makeRemotes(packagedServerPrograms(), () => systemClock.now().getTime(), enginesIn(config)),
    names: systemNames,
    version: productVersion(),
    geoFiles: packagedGeoFiles(),
    webFolder: "",
    checkAnswers: false,
  });
  try {
    console.log(await command.run(app, argument, config));
  } finally {
    await app.stop();
  }
}

main().catch((error: unknown) => {
  console.error(sentenceOf(error, language));
  process.exitCode ??= 1;
});
