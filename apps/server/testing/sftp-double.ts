import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import ssh2 from "ssh2";
import { type SshDouble, type SshDoubleOptions, startSshDouble } from "./ssh-double.ts";

/** Failures, starting with the next request. */
export interface SftpTroubles {
  /** Bytes that the disk accepts in all writes. */
  room?: number;
  /** The connection ends at the write that exceeds this many bytes. */
  cutAfterWritten?: number;
  cutAfterRead?: number;
  /** No request is answered. */
  silent?: boolean;
  /** Changes one byte of what is read. */
  lies?: boolean;
  /** A folder has no end. */
  listsForever?: boolean;
  /** Every name in a list gets this many letters more. */
  lengthensNames?: number;
  /** Waits before each write is accepted. */
  slowMs?: number;
  /** Whether deleting a file with that path fails. */
  refusesToDelete?(path: string): boolean;
}

export type SftpDouble = SshDouble & {
  trouble: SftpTroubles /** Most writes that waited at a time. */;
  mostAtOnce(): number;
  /** Bytes, in total. */
  written(): number;
};

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;

/** An SFTP server of ssh2's own on loopback, over a folder of this machine: '/' is `root`. */
export async function startSftpDouble(
  root: string,
  options: Omit<SshDoubleOptions, "run" | "sftp">,
): Promise<SftpDouble> {
  const trouble: SftpTroubles = {};
  let [written, read, waiting, most] = [0, 0, 0, 0];
  const local = (path: string) => join(root, path);

  const speak = (sftp: ssh2.SFTPWrapper) => {
    const answering = (id: number, work: () => void) => {
      if (trouble.silent) return;
      try {
        work();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const known = { ENOENT: STATUS_CODE.NO_SUCH_FILE, EACCES: STATUS_CODE.PERMISSION_DENIED }[code ?? ""];
        sftp.status(id, known ?? STATUS_CODE.FAILURE);
      }
    };
    const attributes = ({ mode, size, uid, gid, atimeMs, mtimeMs }: ReturnType<typeof statSync> & object) => ({
      mode: Number(mode),
      size: Number(size),
      uid: Number(uid),
      gid: Number(gid),
      atime: Math.floor(Number(atimeMs) / 1000),
      mtime: Math.floor(Number(mtimeMs) / 1000),
    });
    const handleOf = (fd: number) => {
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(fd);
      return handle;
    };
    const folders = new Map<string, ReturnType<typeof entriesOf> | null>();
    const entriesOf = (folder: string) =>
      readdirSync(local(folder)).map((name) => {
        const path = join(folder, name);
        const attrs = attributes(statSync(local(path)));
        return { filename: name + "x".repeat(trouble.lengthensNames ?? 0), longname: path, attrs };
      });
    sftp.on("error", () => {});
    sftp.on("OPEN", (id, path, flags, { mode }) =>
      answering(id, () => {
        const how = flags & OPEN_MODE.WRITE ? "w" : "r";
        sftp.handle(id, handleOf(openSync(local(path), how, mode)));
      }),
    );
    sftp.on("WRITE", (id, handle, offset, piece) => {
      waiting++;
      most = Math.max(most, waiting);
      const take = () => {
        waiting--;
        answering(id, () => {
          written += piece.length;
          if (written > (trouble.cutAfterWritten ?? Infinity)) return double.cut();
          if (written > (trouble.room ?? Infinity)) return void sftp.status(id, STATUS_CODE.FAILURE);
          writeSync(handle.readUInt32BE(), piece, 0, piece.length, offset);
          sftp.status(id, STATUS_CODE.OK);
        });
      };
      if (trouble.slowMs === undefined) setImmediate(take);
      else setTimeout(take, trouble.slowMs);
    });
    sftp.on("READ", (id, handle, offset, length) =>
      answering(id, () => {
        const piece = Buffer.alloc(Math.min(length, 64 * 1024));
        const bytes = readSync(handle.readUInt32BE(), piece, 0, piece.length, offset);
        read += bytes;
        if (read > (trouble.cutAfterRead ?? Infinity)) return double.cut();
        if (bytes === 0) return void sftp.status(id, STATUS_CODE.EOF);
        // The encrypted part of an age file.
        if (trouble.lies && offset === 0) piece.writeUInt8(piece.readUInt8(bytes - 1) ^ 1, bytes - 1);
        sftp.data(id, piece.subarray(0, bytes));
      }),
    );
    sftp.on("CLOSE", (id, handle) =>
      answering(id, () => {
        if (!folders.delete(handle.toString("latin1"))) closeSync(handle.readUInt32BE());
        sftp.status(id, STATUS_CODE.OK);
      }),
    );
    sftp.on("STAT", (id, path) => answering(id, () => sftp.attrs(id, attributes(statSync(local(path))))));
    sftp.on("MKDIR", (id, path, { mode }) =>
      answering(id, () => {
        mkdirSync(local(path), { mode });
        sftp.status(id, STATUS_CODE.OK);
      }),
    );
    sftp.on("OPENDIR", (id, path) =>
      answering(id, () => {
        const handle = Buffer.from(`dir ${folders.size}`);
        folders.set(handle.toString("latin1"), entriesOf(path));
        sftp.handle(id, handle);
      }),
    );
    sftp.on("READDIR", (id, handle) =>
      answering(id, () => {
        const key = handle.toString("latin1");
        const entries = folders.get(key) ?? null;
        if (entries === null || entries.length === 0) return void sftp.status(id, STATUS_CODE.EOF);
        if (!trouble.listsForever) folders.set(key, null);
        sftp.name(id, entries);
      }),
    );
    sftp.on("RENAME", (id, from, to) =>
      answering(id, () => {
        if (existsSync(local(to))) return void sftp.status(id, STATUS_CODE.FAILURE);
        renameSync(local(from), local(to));
        sftp.status(id, STATUS_CODE.OK);
      }),
    );
    sftp.on("REMOVE", (id, path) =>
      answering(id, () => {
        if (trouble.refusesToDelete?.(path)) return void sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
        unlinkSync(local(path));
        sftp.status(id, STATUS_CODE.OK);
      }),
    );
    sftp.on("EXTENDED", (id) => sftp.status(id, STATUS_CODE.OP_UNSUPPORTED));
  };

  const double = await startSshDouble({ ...options, run: () => null, sftp: speak });
  return Object.assign(double, { trouble, mostAtOnce: () => most, written: () => written });
}
