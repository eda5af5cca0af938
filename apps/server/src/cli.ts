import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { parseArgs } from "node:util";
import { refusalText } from "@krug/contract/refusals";
import { BACKUP_PASSPHRASE_MIN } from "@krug/domain/backup-rules";
import type { PublicKey } from "@krug/wireguard/keys";
import { type App, makeApp } from "./app.ts";
import { againAsService } from "./as-service.ts";
import { backup, ownMark } from "./backup.ts";
import { openPlace } from "./backup-places/open-place.ts";
import { type CheckParts, check, openToRead } from "./check/check.ts";
import { exitCodeOf, findingsText } from "./check/finding.ts";
import { supportBundle, writeBundle } from "./check/support-bundle.ts";
import { type Config, readConfig } from "./config.ts";
import { readGeneration } from "./features/generation/index.ts";
import { tearDown } from "./hosts/driver.ts";
import { makeRemotes } from "./hosts/ssh/remotes.ts";
import {
  enginesIn,
  openInstallation,
  openOwnHost,
  packagedGeoFiles,
  packagedServerPrograms,
  productVersion,
} from "./installation.ts";
import { type Opener, whyNoRecipient } from "./platform/archive/encryption.ts";
import { backupName } from "./platform/archive/place.ts";
import type { Source } from "./platform/archive/read.ts";
import { hashOf, writeWhole } from "./platform/archive/whole-file.ts";
import { systemClock } from "./platform/clock.ts";
import { placeOf } from "./platform/database/cannot-open.ts";
import { fileTrouble } from "./platform/file-trouble.ts";
import { systemNames } from "./platform/names.ts";
import { Refusal, refuse } from "./platform/refusal.ts";
import { rotateKey } from "./platform/rotate-key.ts";
import { makeProvenBackup } from "./proven-backup.ts";
import { doubtsOf, type LookFirst, restore } from "./restore.ts";
import { sealedColumns } from "./sealed.ts";

const usage = `krug COMMAND

  create-admin NAME      make an admin; asks for the password
  reset-password NAME    set a member's password; asks for it, ends their sessions
  reset-2fa NAME         let a member set up two-factor authentication anew
  maintenance-off        end the maintenance
  backup FILE            everything of the club in one encrypted file; asks for a passphrase
                         --recipient age1...    for the owner of an age key instead
                         --passphrase-file PATH with the passphrase in that file's first line
  backup --to-place      one as by the clock: to the place that the environment names, encrypted as it says, as the service's user,
                         and proven there
  backups                what is in that place
  restore FILE           a backup into an empty DATA_DIR and database; asks for the passphrase
                         --identity PATH        with the age key that it was made for
                         --passphrase-file PATH
                         --mark MARK            of the club that has to have made it, as backup prints it; else BACKUP_MARK's
                         --restore-anyway       also another club's, an unsigned one, or one whose name says another time
  restore --from-place   the newest from the place that the environment names; with a NAME, that one. Takes BACKUP_PASSPHRASE_FILE
                         unless told otherwise
  rotate-key             make a new master key and seal every secret with it; the old one leaves the file
  check                  compare the database with files and machines, and say what is off; it changes nothing. Ends with 0: all is
                         well, 1: something is off, 2: something could not be checked. Run it as the user that the panel runs as
                         --json                 for programs
  support-bundle FILE    what helps others to find a fault, as one file: no names, texts, keys or addresses
  take-over              make this panel the club's current one again, where another, restored from a backup, has taken its place
  remove-tunnels         take this panel's interfaces and firewall off this machine; the next start brings them back

It works on the panel's own database, which it names, and the panel may be running, except for a restore. Where
npm start runs the panel: npm run krug -- COMMAND, in the repository's folder. docs/operating.md, 'The command line'.`;

/** Asks without showing what is typed; takes the first line where input is not a terminal. */
async function askPassword(what = "Password"): Promise<string> {
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
      return `Admin ${username} made.`;
    },
  },
  "reset-password": {
    takesName: true,
    async run({ parts }, username) {
      await parts.auth.resetPassword(username, await askPassword());
      return `The password of ${username} is changed and their sessions are ended.`;
    },
  },
  "reset-2fa": {
    takesName: true,
    async run({ parts: { transact, members, twoFactor } }, username) {
      await transact(async (tx) => {
        const member = (await members.findByIdOrUsername(tx, username)) ?? refuse("member.not_found");
        await twoFactor.reset(tx, member.id, null);
      });
      return `${username} sets up two-factor authentication at the next entry.`;
    },
  },
  "maintenance-off": {
    takesName: false,
    async run({ parts: { transact, maintenance } }) {
      await transact((tx) => maintenance.set(tx, false, null));
      return "Maintenance is off.";
    },
  },
  "rotate-key": {
    takesName: false,
    async run({ parts: { transact, sealing } }, _, { masterKeyFile: keyFile }) {
      let shown = 0;
      const told = (count: number) => {
        if (count === 0) console.log(`The new key is in ${keyFile}, before the old one.`);
        if (count - shown < 10_000) return;
        console.log(`${count} sealed anew.`);
        shown = count;
      };
      const rotation = await rotateKey({ transact, sealing, keyFile, columns: sealedColumns, told });
      const { keyId, resealed, unopened } = rotation;
      const left =
        unopened.length === 0 ? "" : ` ${unopened.length} open with no key and were left: ${unopened.join(", ")}.`;
      return `Everything is sealed with key ${keyId}, ${resealed} now; ${keyFile} holds it alone. Copy it to where you keep it. Copies of the database from before need the key from before.${left}`;
    },
  },
  "take-over": {
    takesName: false,
    async run({ parts: { generations } }) {
      await generations.takeOver();
      return "This panel is the club's current one again: its servers obey it from their next contact on, and no other panel. Start it anew if it runs.";
    },
  },
  "remove-tunnels": {
    takesName: false,
    async run({ parts: { db, servers, interfaces, panelId, generations } }, _, config) {
      const own = (await servers.all(db)).filter((server) => server.panel_id === panelId);
      const keys = (await Promise.all(own.map((server) => interfaces.keysEverOn(db, server.id)))).flat();
      const host = openOwnHost(config, generations.read);
      const { removedPeers } = await tearDown(host, keys as PublicKey[]);
      return `This panel's interfaces are gone from this machine, with ${removedPeers.length} peers. The database is as it was.`;
    },
  },
};

/** For commands that look and change nothing. */
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

/** A connection that does not end keeps the command no longer. */
const ENDS_WITHIN_MS = 3_000;

async function runCheck(isJson: boolean, config: Config): Promise<string> {
  const parts = lookingParts(config);
  const findings = await check(parts);
  const exitCode = exitCodeOf(findings);
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), ENDS_WITHIN_MS).unref();
  if (!isJson) return findingsText(findings);
  return JSON.stringify(
    { exitCode, version: parts.version, checkedAt: systemClock.now().toISOString(), findings },
    null,
    2,
  );
}

/** What works without the panel's own parts: on a database of any version, or on none yet. */
const onFiles: Record<string, (file: string, options: BackupOptions, config: Config) => Promise<string>> = {
  async "support-bundle"(file, options, config) {
    if (Object.keys(options).length > 0) throw new Error(usage);
    if (existsSync(file)) throw new Error(`There is a file ${file} already.`);
    const bundle = await supportBundle(lookingParts(config), process.env);
    const { bytes } = writeBundle(file, bundle);
    setTimeout(() => process.exit(), ENDS_WITHIN_MS).unref();
    return `${file} holds ${bytes} bytes: what the check says, versions, which variables are set, and how many rows each table has. Read it before you pass it on: gzip -dc ${file}`;
  },
  async backup(file, { recipient, "passphrase-file": passphraseFile, identity, ...others }, config) {
    if (
      Object.keys(others).length > 0 ||
      identity !== undefined ||
      (recipient !== undefined && passphraseFile !== undefined)
    )
      throw new Error(usage);
    if (existsSync(file)) throw new Error(`There is a file ${file} already.`);
    const wrong = recipient === undefined ? null : whyNoRecipient(recipient);
    if (wrong !== null) throw new Error(`--recipient ${wrong}.`);
    const lock = recipient === undefined ? { passphrase: await newPassphrase(passphraseFile) } : { recipient };
    const content = await backup(config, { lock, now: systemClock.now(), version: productVersion() });
    const { bytes, sha256 } = await writeWhole(content, file);
    if ((await hashOf(file)) !== sha256) throw new Error(`${file} reads back otherwise than it was written.`);
    return `${file} holds the club: ${bytes} bytes, SHA-256 ${sha256}. ${await markSentence(config)} Without ${recipient === undefined ? "the passphrase" : "the key's identity"} nobody opens it, you neither.`;
  },
  async restore(file, { identity, "passphrase-file": passphraseFile, recipient, ...wish }, config) {
    if (recipient !== undefined || (identity !== undefined && passphraseFile !== undefined)) throw new Error(usage);
    return restored(config, file, await openerOf(identity, passphraseFile), wish);
  },
};

/** For the day when nobody but this club's own backup may come back. */
const markSentence = async (config: Config): Promise<string> => {
  const mark = await ownMark(config);
  return mark === null
    ? ""
    : `It is signed by this club, whose mark is ${mark}: keep it as BACKUP_MARK where DATA_DIR is not, and a restore asks before it takes another club's.`;
};

/** Asks where something about a backup is not as one would expect. @throws Error where that is not wanted, or nobody can be asked */
const lookFirst =
  (expected: string | null, isAnyway: boolean): LookFirst =>
  async (made) => {
    const doubts = doubtsOf(made, expected);
    if (doubts.length === 0 || isAnyway) return;
    const why = `${made.name}: ${doubts.join(" ")}`;
    if (process.stdin.isTTY !== true)
      throw new Error(`${why} Nothing was restored. With --restore-anyway it is restored all the same.`);
    if (!(await isConfirmed(`${why}\nRestore it all the same?`))) throw new Error("Nothing was restored.");
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
  let madeBy = "It is not signed, as backups of earlier versions are: nobody can tell who made it.";
  const look = lookFirst(mark?.toUpperCase() ?? null, isAnyway);
  const { madeAt, version } = await restore(config, source, opener, systemClock.now(), async (made) => {
    await look(made);
    if (made.mark !== null) madeBy = `The club ${made.mark} made it.`;
  });
  return `The club of ${madeAt} (version ${version}) is in ${placeOf(config.databaseUrl, config.dataDir)}. ${madeBy} Everybody signs in anew. Once this panel is started, the club's servers obey it and no older one; stop that one all the same. Devices that were made since the backup stay connected until an admin decides about them; devices that were deleted since are there again: look through the list.`;
}

/** What works with the place that the environment names. */
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
  if (!fits) throw new Error(usage);
  const { backupPlan, backupLock } = config;
  if (backupPlan === null)
    throw new Error("The environment names no place for backups: BACKUP_DIR, BACKUP_SFTP or BACKUP_S3 does.");
  const place = openPlace(backupPlan.place);
  if (name === "backup") {
    const again = await againAsService(config.dataDir);
    if (again !== null) {
      process.exitCode = again.code;
      return again.whole
        ? ""
        : "The service does not run here: its user was tried, and not what its unit allows. After its start, krug check says whether it makes backups.";
    }
    const now = systemClock.now();
    const file = backupName(now);
    try {
      const { bytes } = await makeProvenBackup(config, place, file, { now, version: productVersion() });
      return `${place.address}/${file} holds the club: ${bytes} bytes, read back${backupLock !== null && "recipient" in backupLock ? "" : " and restored into a database that was thrown away"}. ${await markSentence(config)}`.trimEnd();
    } catch (error) {
      await place.discard(file).catch(() => {});
      throw error;
    }
  }
  const there = await place.list();
  if (name === "backups")
    return there.length === 0
      ? `There are no backups in ${place.address}.`
      : there.map(({ name, bytes }) => `${name}  ${bytes} bytes`).join("\n");
  const wanted = argument === "" ? there.at(-1)?.name : there.find(({ name }) => name === argument)?.name;
  if (wanted === undefined)
    throw new Error(
      `There is no ${argument === "" ? "backup" : argument} in ${place.address}. Nothing was restored. The command backups shows what is there.`,
    );
  const own = backupLock !== null && "passphraseFile" in backupLock ? backupLock.passphraseFile : undefined;
  const source = { name: `${place.address}/${wanted}`, open: () => place.read(wanted) };
  return `${wanted} from ${place.address}. ${await restored(config, source, await openerOf(identity, passphraseFile ?? own), options)}`;
}

async function isConfirmed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^(?:yes|y|да|д)$/i.test((await lines.question(`${question} (yes/no) `)).trim());
  } finally {
    lines.close();
  }
}

async function openerOf(identity: string | undefined, passphraseFile: string | undefined): Promise<Opener> {
  if (identity !== undefined) return { identities: identitiesIn(identity) };
  return { passphrase: passphraseFile === undefined ? await askPassword("Passphrase") : firstLineOf(passphraseFile) };
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
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
};
const firstLineOf = (path: string) => readText(path).split(/\r?\n/)[0] ?? "";
/** As age-keygen writes them: comments, and a line a key. */
function identitiesIn(path: string): string[] {
  const found = readText(path)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (found.length === 0) throw new Error(`${path} holds no age identity: a line that begins with AGE-SECRET-KEY-1.`);
  return found;
}

async function newPassphrase(file: string | undefined): Promise<string> {
  const typed = file === undefined ? await askPassword("Passphrase") : firstLineOf(file);
  if (typed.length < BACKUP_PASSPHRASE_MIN)
    throw new Error(
      `The passphrase has ${BACKUP_PASSPHRASE_MIN} characters or more: four words that have nothing to do with each other.`,
    );
  if (file === undefined && process.stdin.isTTY && (await askPassword("Again")) !== typed)
    throw new Error("The two passphrases differ. Nothing was written.");
  return typed;
}

/** @throws where there are other options */
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
    },
  });
  const { json, ...options } = values;
  const [name = "", argument = "", ...more] = positionals;
  if (more.length > 0 || (!(name in onFiles) && Object.keys(options).length > 0)) throw new Error(usage);
  if (json !== undefined && name !== "check") throw new Error(usage);
  return { name, argument, options, isJson: json === true };
}

async function main(): Promise<void> {
  let given: Given;
  try {
    given = parsedArguments();
  } catch {
    given = { name: "", argument: "", options: {}, isJson: false };
  }
  const { name, argument, options, isJson } = given;
  if (name === "check" && argument === "") {
    // Whatever ends it before it has compared anything.
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
  const command = commands[name];
  if (command === undefined || command.takesName !== (argument !== "")) {
    const isKnown = [...Object.keys(commands), ...Object.keys(onFiles), "check", "backups"].includes(name);
    console.error(name === "" || isKnown ? usage : `There is no command ${name}.\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const config = { ...readConfig(process.env), logLevel: "silent" as const };
  const installation = await openInstallation(config, systemClock.now(), { mustExist: true });
  console.error(`Database: ${installation.databasePlace}`);
  const app = await makeApp({
    config,
    ...installation,
    clock: systemClock,
    localHost: null,
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
  console.error(
    error instanceof Refusal
      ? refusalText(error.code, "en", error.details)
      : (fileTrouble(error) ?? (error as Error)).message,
  );
  process.exitCode ??= 1;
});
