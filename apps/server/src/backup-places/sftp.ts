import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { type Reason, reason, reasonAt } from "@krug/domain/reasons";
import type { SFTPWrapper } from "ssh2";
import { connectSsh, type SshConnection } from "../hosts/ssh/connection.ts";
import { type BackupPlace, isBackupName, measuring } from "../platform/archive/place.ts";
import { draftOf } from "../platform/archive/whole-file.ts";
import { Failure, failure, reasonOf } from "../platform/failure.ts";

export interface SftpConfig {
  kind: "sftp";
  host: string;
  port: number;
  username: string;
  /** '/krug', or 'krug' relative to the account's start folder. */
  path: string;
  /** Fingerprint of the server's key, 'SHA256:…'. No other server gets a password or a byte. */
  hostKey: string;
  login: { keyFile: string } | { passwordFile: string };
}

/** How long a server may leave a request unanswered, or a piece of 64 kB unread. */
const SILENT_MS = 60_000;
/** Times as long may the deletion of many take in all. */
const REMOVED_WITHIN = 5;
/** Pieces in flight, in either direction: with one at a time a distant server would need a round trip for each. */
const ON_THE_WAY = 32;
/** In the folder, including others' files. */
const MOST_NAMES = 100_000;
const MOST_LETTERS_OF_NAMES = 32 * 2 ** 20;
/** What every server gives in one answer. */
const READ_AT_ONCE = 32 * 1024;

/** A folder of another machine over SFTP. `silentMs` is for tests. */
export function sftpPlace(config: SftpConfig, silentMs = SILENT_MS): BackupPlace {
  const { host, port, username, path: folder } = config;
  const shownHost = host.includes(":") ? `[${host}]` : host;
  const address = `${username}@${shownHost}${port === 22 ? "" : `:${port}`}:${folder}`;
  const pathOf = (name: string) => `${folder.replace(/\/$/, "")}/${name}`;
  const failed = (error: unknown) => new Failure(reasonAt(address, whyOf(error)), { cause: error });

  const connect = async (): Promise<Session> => {
    const login =
      "keyFile" in config.login
        ? { privateKey: await readFile(config.login.keyFile, "utf8") }
        : { password: (await readFile(config.login.passwordFile, "utf8")).split(/\r?\n/)[0] ?? "" };
    const connection = await connectSsh({
      host,
      port,
      username,
      login,
      hostKey: config.hostKey,
      generation: null, // no server of the club
    });
    try {
      return new Session(await connection.sftp(), connection, silentMs);
    } catch (error) {
      connection.end();
      throw error;
    }
  };
  /** One connection for work that belongs together. */
  const during = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    try {
      const session = await connect();
      return await work(session).finally(() => session.end());
    } catch (error) {
      throw failed(error);
    }
  };

  return {
    kind: "sftp",
    address,
    put: (name, content) =>
      during(async (session) => {
        const path = pathOf(name);
        const draft = draftOf(path);
        try {
          await session.makeFolder(folder);
          const { pieces, measured } = measuring(content as AsyncIterable<Buffer>);
          await session.write(draft, pieces);
          const { bytes, sha256 } = measured();
          const { size } = await session.ask<{ size: number }>((done) => session.sftp.stat(draft, done));
          if (size !== bytes) throw failure("place.arrived_short", { arrived: size, bytes });
          await session.ask<void>((done) => session.sftp.rename(draft, path, done));
          return { bytes, sha256 };
        } catch (error) {
          await session.unlink(draft).catch(() => {});
          throw error;
        }
      }).finally(() => content.destroy()),

    async read(name) {
      let session: Session | null = null;
      try {
        session = await connect();
        const { end } = session;
        const pieces = await session.read(pathOf(name));
        const content = Readable.from(rethrowing(pieces, failed), { objectMode: false });
        return content.once("close", end);
      } catch (error) {
        session?.end();
        throw failed(error);
      }
    },

    list: () =>
      during(async (session) => {
        return (await session.list(folder))
          .filter(({ filename }) => isBackupName(filename))
          .map(({ filename, attrs }) => ({ name: filename, bytes: attrs.size }))
          .sort((one, other) => (one.name < other.name ? -1 : 1));
      }),

    remove: (names) =>
      during(async (session) => {
        const until = performance.now() + REMOVED_WITHIN * silentMs;
        for (const name of names) {
          if (performance.now() > until) throw failure("place.unanswered");
          await session.unlink(pathOf(name));
        }
      }),

    discard: (name) =>
      during(async (session) => {
        for (const path of [draftOf(pathOf(name)), pathOf(name)]) await session.unlink(path);
      }),
  };
}

async function* rethrowing(pieces: AsyncIterable<Buffer>, as: (error: unknown) => Error): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    throw as(error);
  }
}

type Entry = { filename: string; attrs: { size: number } };
type Done<T> = (error: Error | null | undefined, value?: T) => void;

/** A session with the server, in which no request waits forever. */
class Session {
  readonly sftp: SFTPWrapper;
  readonly end: () => void;
  readonly #connection: SshConnection;
  readonly #silentMs: number;
  readonly #open = new Set<(error: Error) => void>();
  #isOver = false;

  constructor(sftp: SFTPWrapper, connection: SshConnection, silentMs: number) {
    this.sftp = sftp;
    this.end = () => connection.end();
    this.#connection = connection;
    this.#silentMs = silentMs;
    sftp.on("error", () => {});
    connection.onEnd(() => {
      this.#isOver = true;
      for (const fail of this.#open) fail(failure("place.broke"));
    });
  }

  readonly ask = <T>(question: (done: Done<T>) => unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      const done: Done<T> = (error, value) => {
        clearTimeout(timer);
        this.#open.delete(done);
        if (error) reject(error);
        else resolve(value as T);
      };
      const timer = setTimeout(() => {
        // First: closing the connection fails all requests with a vaguer reason.
        done(failure("place.unanswered"));
        this.#connection.destroy();
      }, this.#silentMs);
      this.#open.add(done);
      if (this.#isOver) return done(failure("place.broke"));
      try {
        question(done);
      } catch (error) {
        done(error as Error);
      }
    });

  async makeFolder(path: string): Promise<void> {
    const isThere = await this.ask((done) => this.sftp.stat(path, done as Done<unknown>)).then(
      () => true,
      (error: { code?: number }) => {
        // Without a status the connection failed, and its reason is the one to report.
        if (error.code === undefined) throw error;
        return false;
      },
    );
    if (!isThere) await this.ask<void>((done) => this.sftp.mkdir(path, { mode: 0o700 }, done));
  }

  async write(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
    const handle = await this.ask<Buffer>((done) => this.sftp.open(path, "w", { mode: 0o600 }, done));
    try {
      const onTheWay = new Set<Promise<void>>();
      let broken: Error | null = null;
      let at = 0;
      for await (const piece of pieces) {
        const from = at;
        at += piece.length;
        const writing: Promise<void> = this.ask<void>((done) =>
          this.sftp.write(handle, piece, 0, piece.length, from, done as never),
        )
          .catch((error: Error) => {
            broken ??= error;
          })
          .finally(() => onTheWay.delete(writing));
        onTheWay.add(writing);
        if (onTheWay.size >= ON_THE_WAY) await Promise.race(onTheWay);
        if (broken !== null) throw broken;
      }
      await Promise.all(onTheWay);
      if (broken !== null) throw broken;
      await this.#sync(handle);
    } finally {
      await this.ask<void>((done) => this.sftp.close(handle, done)).catch(() => {});
    }
  }

  /** Flushes to the disk, if the server supports that. */
  async #sync(handle: Buffer): Promise<void> {
    try {
      await this.ask<void>((done) => this.sftp.ext_openssh_fsync(handle, done));
    } catch (error) {
      if (!/does not support/i.test((error as Error).message)) throw error;
    }
  }

  /** @throws at once if the file cannot be opened */
  async read(path: string): Promise<AsyncGenerator<Buffer>> {
    const handle = await this.ask<Buffer>((done) => this.sftp.open(path, "r", done));
    return this.#piecesOf(handle);
  }

  async *#piecesOf(handle: Buffer): AsyncGenerator<Buffer> {
    const ahead: Promise<Buffer>[] = [];
    for (let at = 0; ; ) {
      for (; ahead.length < ON_THE_WAY; at += READ_AT_ONCE) {
        const reading = this.#readAt(handle, at);
        // Its error is handled in turn.
        reading.catch(() => {});
        ahead.push(reading);
      }
      const piece = (await ahead.shift()) ?? Buffer.alloc(0);
      if (piece.length > 0) yield piece;
      if (piece.length < READ_AT_ONCE) return;
    }
  }

  /** `READ_AT_ONCE` bytes, fewer at the file's end. */
  async #readAt(handle: Buffer, from: number): Promise<Buffer> {
    const piece = Buffer.allocUnsafe(READ_AT_ONCE);
    let filled = 0;
    while (filled < piece.length) {
      const bytes = await this.ask<number>((done) =>
        this.sftp.read(handle, piece, filled, piece.length - filled, from + filled, done),
      ).catch((error: { code?: number }) => {
        if (error.code === STATUS.EOF) return 0;
        throw error;
      });
      if (bytes === 0) break;
      filled += bytes;
    }
    return piece.subarray(0, filled);
  }

  /** Some names at a time, as the server gives them. */
  async list(path: string): Promise<Entry[]> {
    const handle = await this.ask<Buffer>((done) => this.sftp.opendir(path, done));
    const entries: Entry[] = [];
    let letters = 0;
    for (;;) {
      const some = await this.ask<Entry[]>((done) => this.sftp.readdir(handle, done as never)).catch(
        (error: { code?: number }) => {
          if (error.code !== STATUS.EOF) throw error;
          return null;
        },
      );
      if (some === null) break;
      for (const { filename } of some) letters += filename.length;
      if (some.length === 0 || entries.length > MOST_NAMES || letters > MOST_LETTERS_OF_NAMES)
        throw failure("place.endless");
      for (const { filename, attrs } of some) entries.push({ filename, attrs: { size: attrs.size } });
    }
    await this.ask<void>((done) => this.sftp.close(handle, done));
    return entries;
  }

  async unlink(path: string): Promise<void> {
    await this.ask<void>((done) => this.sftp.unlink(path, done)).catch((error: { code?: number }) => {
      if (error.code !== STATUS.NO_SUCH_FILE) throw error;
    });
  }
}

/** From the protocol's third version, which is the one in use (draft-ietf-secsh-filexfer-02, section 7). */
const STATUS = { EOF: 1, NO_SUCH_FILE: 2, PERMISSION_DENIED: 3, FAILURE: 4 };

function whyOf(error: unknown): Reason {
  const { code, message } = error as { code?: unknown; message: string };
  if (code === STATUS.NO_SUCH_FILE) return reason("place.no_such");
  if (code === STATUS.PERMISSION_DENIED) return reason("place.not_allowed");
  if (code === STATUS.FAILURE) return reason("place.perhaps_full", {}, message);
  return reasonOf(error);
}
