import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { aFolder, anS3Storage, anSftpServer } from "../../testing/a-place.ts";
import { startSftpDouble } from "../../testing/sftp-double.ts";
import { readConfig } from "../config.ts";
import { newSshKey } from "../hosts/ssh/new-key.ts";
import { asLongAs, type BackupPlace, backupName, drained } from "../platform/archive/place.ts";
import { openPlace, type PlaceConfig } from "./open-place.ts";
import { type S3Config, s3Place } from "./s3.ts";
import { type SftpConfig, sftpPlace } from "./sftp.ts";

const BACKUP_RECIPIENT = await identityToRecipient(await generateIdentity());
const NAME = "krug-2026-11-21T09-00-00Z.age";
const [OLDER, NEWER] = ["krug-2026-11-20T09-00-00Z.age", "krug-2026-11-22T09-00-00Z.age"];

const configOf = (environment: Record<string, string>): PlaceConfig =>
  readConfig({ BACKUP_RECIPIENT, ...environment }).backupPlan!.place;

/** As a backup comes: in pieces that do not match what the place takes at once. */
const inPieces = (content: Buffer, bytes = 65_552) =>
  Readable.from(
    (function* () {
      for (let from = 0; from < content.length; from += bytes) yield content.subarray(from, from + bytes);
    })(),
    { objectMode: false },
  );
const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const contentIn = async (place: BackupPlace, name: string) => buffer(await place.read(name));

interface Opened {
  place: BackupPlace;
  /** Every file there, ours or not, complete or partial. */
  everything(): string[];
  /** Puts a foreign file next to ours. */
  foreign(name: string): void;
}

const kinds: Record<string, () => Promise<Opened>> = {
  async folder() {
    const folder = join(aFolder(), "backups");
    return {
      place: openPlace(configOf({ BACKUP_DIR: folder })),
      everything: () => (existsSync(folder) ? readdirSync(folder) : []),
      foreign: (name) => writeFileSync(join(folder, name), "mine"),
    };
  },
  async sftp() {
    const { root, environment } = await anSftpServer();
    return {
      place: openPlace(configOf(environment)),
      everything: () => (existsSync(root) ? readdirSync(root) : []),
      foreign: (name) => writeFileSync(join(root, name), "mine"),
    };
  },
  async s3() {
    const { double, environment } = await anS3Storage({ pageSize: 2 });
    return {
      place: openPlace(configOf(environment)),
      everything: () =>
        [...double.objects.keys(), ...[...double.uploads.values()].map(({ key }) => `${key}.part`)].map((key) =>
          key.replace("club/krug/", ""),
        ),
      foreign: (name) => double.objects.set(`club/krug/${name}`, Buffer.from("mine")),
    };
  },
};

describe.each(Object.keys(kinds))("a place for backups: %s", (kind) => {
  const opened = () => kinds[kind]!();

  test("what was put comes back the same, whatever the size of its pieces", async () => {
    const { place, everything } = await opened();
    for (const [name, size] of [
      [NAME, 1],
      [OLDER, 9 * 2 ** 20 + 3],
    ] as const) {
      const content = randomBytes(size);
      expect(await place.put(name, inPieces(content))).toEqual({ bytes: size, sha256: sha256(content) });
      expect(sha256(await contentIn(place, name))).toBe(sha256(content));
    }
    expect(everything().sort()).toEqual([OLDER, NAME]);
  });

  test("a file has its name only once complete, and an interrupted one leaves nothing", async () => {
    const { place, everything } = await opened();
    const seen: string[] = [];
    const content = Readable.from(
      (async function* () {
        for (let piece = 0; piece < 40; piece++) {
          yield randomBytes(2 ** 19);
          await wait(1);
          seen.push(...everything());
        }
        throw new Error("the database went away");
      })(),
      { objectMode: false },
    );
    await expect(place.put(NAME, content)).rejects.toThrow("the database went away");
    expect(seen).toContain(`${NAME}.part`);
    expect(seen).not.toContain(NAME);
    expect(everything()).toEqual([]);
  });

  test("the list has only our files, oldest first; others' files are neither listed nor removed", async () => {
    const { place, everything, foreign } = await opened();
    for (const name of [NEWER, OLDER, NAME]) await place.put(name, inPieces(Buffer.from("backup")));
    for (const name of ["krug-notes.age", `${NAME}.sig`, "photo.jpg"]) foreign(name);
    expect(await place.list()).toEqual([OLDER, NAME, NEWER].map((name) => ({ name, bytes: 6 })));
    await place.remove([OLDER, NAME, "krug-2020-01-01T00-00-00Z.age"]);
    await place.discard("krug-2020-01-01T00-00-00Z.age");
    expect(everything().sort()).toEqual([`${NAME}.sig`, NEWER, "krug-notes.age", "photo.jpg"].sort());
  });

  test("a missing file is an error that names the place", async () => {
    const { place, foreign } = await opened();
    await place.put(OLDER, inPieces(Buffer.from("backup")));
    foreign("other");
    await expect(contentIn(place, NAME)).rejects.toThrow(place.address);
  });
});

const settled = async (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: Error) => error.message,
  );

/** Measures how far a source runs ahead of what the place has taken. */
function watched(total: number, taken: () => number) {
  let furthest = 0;
  const source = Readable.from(
    (function* () {
      for (let made = 0; made < total; made += 65_536) {
        furthest = Math.max(furthest, made - taken());
        yield Buffer.alloc(65_536, 1);
      }
    })(),
    { objectMode: false, highWaterMark: 65_536 },
  );
  return { source, furthestAhead: () => furthest };
}

describe("over SFTP", () => {
  const serverWith = async (change: Partial<SftpConfig> = {}, silentMs?: number) => {
    const { double, root, environment } = await anSftpServer();
    const config = { ...(configOf(environment) as SftpConfig), ...change };
    return { double, root, config, place: sftpPlace(config, silentMs) };
  };
  const content = () => inPieces(randomBytes(4 * 2 ** 20));

  test("another host key is reported with both fingerprints, and gets no password", async () => {
    const { double, place } = await serverWith({ hostKey: `SHA256:${"A".repeat(43)}` });
    const message = await settled(place.put(NAME, content()));
    expect(message).toContain(double.fingerprint);
    expect(message).toContain(`SHA256:${"A".repeat(43)}`);
    expect(double.tries).toEqual([]);
  });

  test("the host key may be given as the server's public key", async () => {
    const { privateKey, publicKey } = newSshKey();
    const double = await startSftpDouble(aFolder(), { password: "right", hostKey: privateKey });
    await double.close();
    for (const line of [
      publicKey,
      `${publicKey} root@backup`,
      `backup.example ${publicKey}`,
      `[backup.example]:2222 ${publicKey} x`,
    ]) {
      const { hostKey } = configOf({ ...(await anSftpServer()).environment, BACKUP_SFTP_HOST_KEY: line }) as SftpConfig;
      expect(hostKey).toBe(double.fingerprint);
    }
  });

  test("it signs in with a key", async () => {
    const { privateKey, publicKey } = newSshKey();
    const double = await startSftpDouble(aFolder(), { authorizedKey: publicKey });
    const keyFile = join(aFolder(), "key");
    writeFileSync(keyFile, privateKey);
    const place = openPlace(
      configOf({
        BACKUP_SFTP: `sftp://club@127.0.0.1:${double.port}/`,
        BACKUP_SFTP_HOST_KEY: double.fingerprint,
        BACKUP_SFTP_KEY_FILE: keyFile,
      }),
    );
    await place.put(NAME, content());
    expect(await place.list()).toEqual([{ name: NAME, bytes: 4 * 2 ** 20 }]);
    expect(double.tries.map(({ method }) => method)).toContain("publickey");
    await double.close();
  });

  test("a refused login, a key with a passphrase, a closed port and a missing folder are reported without the password", async () => {
    const { double, config } = await serverWith();
    const wrong = join(aFolder(), "wrong");
    writeFileSync(wrong, "a wrong password\n");
    const refused = await settled(sftpPlace({ ...config, login: { passwordFile: wrong } }).list());
    expect(refused).toMatch(/^club@127\.0\.0\.1:\d+:\/krug: the machine refused the user name, password or key$/);
    const { privateKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs1", format: "pem", cipher: "aes-128-cbc", passphrase: "secret" },
      publicKeyEncoding: { type: "pkcs1", format: "pem" },
    });
    writeFileSync(wrong, privateKey);
    expect(await settled(sftpPlace({ ...config, login: { keyFile: wrong } }).list())).toMatch(
      /key.*no passphrase given/,
    );
    expect(await settled(sftpPlace({ ...config, path: "/nowhere" }).list())).toContain("no such folder or file");
    await double.close();
    expect(await settled(sftpPlace(config).list())).toContain("nothing listens on that port");
  });

  test("a full disk, a cut and a silent server end the upload, and nothing is left on a reachable server", async () => {
    const { double, root, config, place } = await serverWith();
    double.trouble.room = 2 ** 20;
    expect(await settled(place.put(NAME, content()))).toMatch(/could not do it: perhaps its disk is full: Failure/);
    expect(readdirSync(root)).toEqual([]);
    double.trouble.room = Infinity;

    double.trouble.cutAfterWritten = double.written() + 2 ** 20;
    expect(await settled(place.put(NAME, content()))).not.toBe("no error");
    delete double.trouble.cutAfterWritten;
    // Unreachable at that moment: `discard` removes it.
    expect(readdirSync(root)).toEqual([`${NAME}.part`]);
    await place.discard(NAME);
    expect(readdirSync(root)).toEqual([]);

    setTimeout(() => {
      double.trouble.silent = true;
    }, 300);
    double.trouble.slowMs = 100;
    const hasty = sftpPlace(config, 500);
    expect(await settled(hasty.put(NAME, inPieces(randomBytes(64 * 2 ** 20))))).toContain("left a request unanswered");
  });

  test("an endless folder is reported as such", async () => {
    const { double, root, place } = await serverWith();
    mkdirSync(root);
    for (let made = 0; made < 500; made++) writeFileSync(join(root, `other-${made}`), "");
    double.trouble.listsForever = true;
    expect(await settled(place.list())).toContain("list never ends");
  });

  test("so are names without end, before they fill the memory", async () => {
    const { double, root, place } = await serverWith();
    mkdirSync(root);
    writeFileSync(join(root, "other"), "");
    Object.assign(double.trouble, { listsForever: true, lengthensNames: 100_000 });
    expect(await settled(place.list())).toContain("list never ends");
  });

  test("a cut during a read fails the stream", async () => {
    const { double, place } = await serverWith();
    await place.put(NAME, content());
    double.trouble.cutAfterRead = 2 ** 20;
    expect(await settled(contentIn(place, NAME))).toContain(place.address);
  });

  test("a slow server gets a few pieces at a time, and the source waits for it", async () => {
    const { double, place } = await serverWith();
    double.trouble.slowMs = 5;
    const { source, furthestAhead } = watched(32 * 2 ** 20, () => double.written());
    await place.put(NAME, source);
    expect(furthestAhead()).toBeLessThan(4 * 2 ** 20);
    expect(double.mostAtOnce()).toBeGreaterThan(8);
  });
});

describe("in S3 storage", () => {
  const storageWith = async (
    change: Partial<S3Config> = {},
    haste = { firstPauseMs: 1 } as Parameters<typeof s3Place>[1],
  ) => {
    const { double, environment } = await anS3Storage();
    const config = { ...(configOf(environment) as S3Config), ...change };
    return { double, config, place: s3Place(config, haste) };
  };
  const content = () => inPieces(randomBytes(20 * 2 ** 20));

  test("a wrong secret, key, region or bucket is reported in the storage's words, without the secret", async () => {
    const { double, config } = await storageWith();
    const wrong = join(aFolder(), "wrong");
    writeFileSync(wrong, "the wrong secret");
    const told = (change: Partial<S3Config>) => settled(s3Place({ ...config, ...change }).put(NAME, content()));
    const messages = [
      await told({ secretFile: wrong }),
      await told({ accessKey: "AKIDOTHER" }),
      await told({ region: "us-east-1" }),
      await told({ bucket: "other-bucket" }),
    ];
    expect(messages).toEqual([
      expect.stringContaining("the storage refused: SignatureDoesNotMatch: "),
      expect.stringContaining("InvalidAccessKeyId"),
      expect.stringContaining("expecting 'eu-central-1'"),
      expect.stringContaining("NoSuchBucket"),
    ]);
    expect(messages.join()).not.toContain("secret");
    // Permanent errors are not retried.
    expect(double.requests).toEqual(Array(4).fill("POST begin"));
  });

  test("an upload goes in parts of 8 MiB, and survives a storage that is busy for a moment", async () => {
    const { double, place } = await storageWith();
    double.trouble.next = { status: 503, times: 3 };
    const upload = content();
    await place.put(NAME, upload);
    expect(double.requests.filter((kind) => kind === "PUT part")).toHaveLength(3);
    for (const status of [500, 0]) {
      double.trouble.next = { status, times: 3 };
      await place.put(NEWER, content());
    }
    expect((await place.list()).map(({ name }) => name)).toEqual([NAME, NEWER]);
    expect(double.uploads.size).toBe(0);
  });

  test("the source waits for the storage: two parts are in memory", async () => {
    const { double, place } = await storageWith();
    const taken = () =>
      [...double.uploads.values()]
        .flatMap(({ parts }) => [...parts.values()])
        .reduce((sum, { length }) => sum + length, 0);
    const { source, furthestAhead } = watched(48 * 2 ** 20, taken);
    await place.put(NAME, source);
    expect(furthestAhead()).toBeLessThan(17 * 2 ** 20);
  });

  test.each([
    ["a storage that stays busy", { next: { status: 503, times: 10 } }, "SlowDown"],
    ["a full bucket", { room: 10 * 2 ** 20 }, "QuotaExceeded"],
    ["a failure after the answer began", { failsAtTheEnd: true }, "InternalError: We failed late"],
    ["one that falls silent", { silent: "PUT part" }, "does not answer"],
  ])("%s: the upload is aborted, and the reason reported", async (_, trouble, reason) => {
    // A busy machine may be silent too.
    const patienceMs = "silent" in trouble ? 1500 : 30_000;
    const { double, place } = await storageWith({}, { firstPauseMs: 1, patienceMs });
    const upload = place.put(
      NAME,
      Readable.from(
        (async function* () {
          yield randomBytes(9 * 2 ** 20);
          Object.assign(double.trouble, trouble);
          yield randomBytes(9 * 2 ** 20);
        })(),
        { objectMode: false },
      ),
    );
    expect(await settled(upload)).toContain(reason);
    if (double.trouble.next !== undefined) double.trouble.next.times = 0;
    await place.discard(NAME);
    expect([double.objects.size, double.uploads.size]).toEqual([0, 0]);
  });

  test("a complete upload whose answer was lost is removed too", async () => {
    const { double, place } = await storageWith();
    double.trouble.breaksAfterTheEnd = true;
    expect(await settled(place.put(NAME, content()))).toContain("NoSuchUpload");
    expect(double.objects.size).toBe(1);
    await place.discard(NAME);
    expect(double.objects.size).toBe(0);
  });

  test("an answer is limited after decompression, whatever was requested", async () => {
    const { double, place } = await storageWith();
    await place.put(NAME, content());
    double.trouble.unpacksTo = 100 * 2 ** 20;
    for (const ask of [() => place.list(), () => place.put(NEWER, content()), () => place.discard(NAME)])
      expect(await settled(ask())).toContain("answers more than it was asked for");
  });

  test("a list has pages of a thousand names, and one that gives more at once gives no list", async () => {
    const { double, place } = await storageWith();
    for (let made = 0; made < 1_001; made++)
      double.objects.set(`club/krug/${backupName(new Date(made * 1_000))}`, Buffer.alloc(1));
    expect(await place.list()).toHaveLength(1_001);
    double.trouble.ignoresMaxKeys = true;
    expect(await settled(place.list())).toContain("list never ends");
  });

  test("a storage that answers each deletion late ends them all in time, and they go on the next time", async () => {
    const { double, config } = await storageWith();
    const names = Array.from({ length: 50 }, (_, made) => backupName(new Date(made * 1_000)));
    for (const name of names) double.objects.set(`club/krug/${name}`, Buffer.alloc(1));
    double.trouble.slowMs = 200;
    const hasty = s3Place(config, { firstPauseMs: 1, patienceMs: 3_000 });
    expect(await settled(hasty.remove(names))).toContain("does not answer");
    expect(double.objects.size).toBeLessThan(50);
  });

  test("a break or a silence during a read fails the stream", async () => {
    const { double, config, place } = await storageWith();
    await place.put(NAME, content());
    double.trouble.cutAfterRead = 2 ** 20;
    expect(await settled(contentIn(place, NAME))).toMatch(/there is no connection, or it broke/);
    double.trouble.silent = "GET object";
    const hasty = s3Place(config, { firstPauseMs: 1, patienceMs: 300 });
    expect(await settled(contentIn(hasty, NAME))).toContain("does not answer");
  });
});

describe("a file that is read back", () => {
  test("is as long as what was written, and the rest is not waited for", async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536);
      })(),
      { objectMode: false },
    );
    expect(await settled(drained(asLongAs(20 * 2 ** 20, endless)))).toBe("more was read back than written");
    expect(endless.destroyed).toBe(true);
    const whole = Readable.from([Buffer.alloc(65_536)], { objectMode: false });
    expect((await drained(asLongAs(65_536, whole))).bytes).toBe(65_536);
  });

  test("comes as fast as a slow line allows, or is given up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const trickle = new Readable({ read() {} });
    trickle.push(Buffer.alloc(1));
    const back = settled(drained(asLongAs(32 * 60_000, trickle)));
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    expect(await back).toBe("reading it back is too slow");
    expect(trickle.destroyed).toBe(true);
  });
});
