import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { withLog } from "./database-log.ts";

test("a database copied while its program runs has the last changes of its log, and none that is cut off", () => {
  const folder = mkdtempSync(join(tmpdir(), "krug-log-"));
  const path = join(folder, "own.db");
  const open = new DatabaseSync(path);
  try {
    open.exec("pragma journal_mode = wal; create table clients (name text)");
    open.exec("insert into clients values ('anna'); pragma wal_checkpoint(restart)");
    const add = open.prepare("insert into clients values (?)");
    for (let n = 0; n < 300; n++) add.run(`device ${n}`.padEnd(100));
    const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
    const clientsIn = (bytes: Buffer) => {
      const copy = join(folder, "copy.db");
      // As read-database.ts opens it: without a log.
      for (const at of [18, 19]) bytes[at] = 1;
      writeFileSync(copy, bytes);
      const read = new DatabaseSync(copy, { readOnly: true });
      expect(read.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
      const [row] = read.prepare("select count(*) as n from clients").all();
      read.close();
      return row?.n;
    };
    expect(clientsIn(Buffer.from(file)), "its last changes are in the log alone").toBe(1);
    expect(clientsIn(withLog(file, log))).toBe(301);
    expect(clientsIn(withLog(file, log.subarray(0, log.length - 10)))).toBe(300);
    const torn = Buffer.from(log);
    torn[torn.length - 5]! ^= 255;
    expect(clientsIn(withLog(file, torn))).toBe(300);
    expect(withLog(file, Buffer.alloc(0)).equals(file)).toBe(true);
    expect(withLog(file, Buffer.alloc(500, 7)).equals(file)).toBe(true);
  } finally {
    open.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
