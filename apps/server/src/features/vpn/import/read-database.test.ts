import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import { ServerFileError } from "@krug/wireguard/server-file";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { wgEasyDatabase } from "../../../../testing/wg-easy-database.ts";
import type { Refusal } from "../../../platform/refusal.ts";
import { readForeignDatabase } from "./foreign-database.ts";
import { DATABASE_PREFIX, readConfined, readDatabase, removeLeftDatabases } from "./read-database.ts";
import { readFile } from "./read-file.ts";

const [own, laptop, router] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const presharedKey = generatePresharedKey();
const clients = [
  { name: "anna", ...laptop, presharedKey, address: "10.9.0.2" },
  { name: "office", ...router, address: "10.9.0.3", behind: ["192.168.1.0/24"], enabled: false },
];
/** In this process, which is faster: the separate one is tested below. */
const read = (bytes: Buffer) => readDatabase(bytes.toString("base64"), readForeignDatabase);

/** Nothing else on the machine writes there. */
function ownTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "krug-own-temporary-"));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test("wg-easy's database gives the same as its file, plus the devices' keys; nothing of it stays", async () => {
  const folder = ownTemporaryFolder();
  const ends = "update clients_table set expires_at = '2026-12-31T23:59:59.000Z' where name = 'office'";
  expect(await read(wgEasyDatabase(own.privateKey, clients, ends))).toEqual({
    privateKey: own.privateKey,
    publicKey: own.publicKey,
    addresses: [expect.stringMatching(/^10\.9\.0\.\d+\/24$/)],
    listenPort: 51901,
    mtu: 1420,
    profile: null,
    mayBePlain: false,
    ignored: [],
    unread: [],
    peers: [
      {
        name: "anna",
        publicKey: laptop.publicKey,
        presharedKey,
        privateKey: laptop.privateKey,
        allowedIps: ["10.9.0.2/32", "fdcc::2/128"],
        isBroken: false,
        isEnabled: true,
        endsAt: null,
      },
      {
        name: "office",
        publicKey: router.publicKey,
        presharedKey: null,
        privateKey: router.privateKey,
        allowedIps: ["10.9.0.3/32", "fdcc::3/128", "192.168.1.0/24"],
        isBroken: false,
        isEnabled: false,
        endsAt: "2026-12-31T23:59:59.000Z",
      },
    ],
  });
  expect(readdirSync(folder)).toEqual([]);
});

/** As wg-easy 15 makes the columns, even if its tunnel is plain WireGuard. */
const AMNEZIA = `alter table interfaces_table add column j_c integer default 7;
  alter table interfaces_table add column j_max integer default 1000;
  alter table interfaces_table add column s1 integer default 128;
  alter table interfaces_table add column s3 integer;
  alter table interfaces_table add column h1 text default '5-9';`;

test("wg-easy's AmneziaWG parameters are read, with a mark that they may not be in use", async () => {
  expect(await read(wgEasyDatabase(own.privateKey, clients, AMNEZIA))).toMatchObject({
    profile: {
      version: "2.0",
      parameters: { jc: "7", jmin: "0", jmax: "1000", s1: "128", s3: "0", h1: "5-9", h2: "2" },
    },
    mayBePlain: true,
  });
  const later = `${AMNEZIA} alter table interfaces_table add column header_protection_key text;
    alter table interfaces_table add column random_trailers integer default 1;
    update interfaces_table set header_protection_key = '${presharedKey}'`;
  expect(await read(wgEasyDatabase(own.privateKey, clients, later))).toMatchObject({
    profile: {
      version: "3.1",
      parameters: {
        header_protection_key: Buffer.from(presharedKey, "base64").toString("hex"),
        random_trailers: "1",
      },
    },
  });
});

test.each([
  ["a table that is a view", "alter table clients_table rename to c; create view clients_table as select * from c"],
  ["a column that is computed", "alter table clients_table add column j text as (name || name)"],
  [
    "two interfaces",
    "insert into interfaces_table select 'wg1', device, 1, private_key, 'x', ipv4_cidr, 'x', mtu, 1 from interfaces_table",
  ],
  ["another program's tables", "drop table clients_table"],
  [
    "more clients than a club takes over at once",
    `insert into clients_table with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
     select null, 1, 'wg0', 'x', i, i, 'x', 'x', null, null, '[]', 1 from n`,
  ],
  [
    "more clients, though of another interface, than it would take over",
    `insert into clients_table with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
     select null, 1, 'wg7', 'x', i, i, 'x', 'x', null, null, '[]', 1 from n`,
  ],
])("%s is refused, and nothing of it stays", async (_, more) => {
  const folder = ownTemporaryFolder();
  await expect(read(wgEasyDatabase(own.privateKey, clients, more))).rejects.toMatchObject({ reason: "unreadable" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a start removes what a killed panel left behind, and nothing that is being read", async () => {
  const folder = ownTemporaryFolder();
  for (const name of ["krug-moving-in-old", "krug-moving-in-new", "others"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "krug-moving-in-old", "wg-easy.db"), "keys");
  const before = new Date(Date.now() - 120_000);
  for (const name of ["krug-moving-in-old", "others"]) utimesSync(join(folder, name), before, before);
  await removeLeftDatabases();
  expect(readdirSync(folder).sort()).toEqual(["krug-moving-in-new", "others"]);
});

test("a client with unreadable fields is marked by its id, and the others are read", async () => {
  const broken = wgEasyDatabase(
    own.privateKey,
    clients,
    "update clients_table set public_key = 'x' where id = 2; update clients_table set server_allowed_ips = '{' where id = 1",
  );
  expect(await read(broken)).toMatchObject({
    peers: [{ name: "anna", isBroken: true }],
    unread: [{ field: "clients.1.address" }, { field: "clients.2.publicKey" }],
  });
});

test("a file that is not a database, or half of one, is refused", async () => {
  const folder = ownTemporaryFolder();
  const whole = wgEasyDatabase(own.privateKey, clients);
  for (const bytes of [Buffer.from("SQLite"), Buffer.alloc(4_096), whole.subarray(0, 200), whole.subarray(0, 4_096)])
    await expect(read(bytes)).rejects.toMatchObject({ reason: "unreadable" });
  expect(readdirSync(folder)).toEqual([]);
});

/** A client's row, repeated as often as its page has room for pointers. */
function toldOften(file: Buffer, table: string): Buffer {
  const pageSize = file.readUInt16BE(16);
  const folder = mkdtempSync(join(tmpdir(), "krug-told-often-"));
  try {
    writeFileSync(join(folder, "db"), file);
    const db = new DatabaseSync(join(folder, "db"));
    const { rootpage } = db.prepare("select rootpage from sqlite_schema where name = ?").get(table) as {
      rootpage: number;
    };
    db.close();
    const page = (rootpage - 1) * pageSize;
    expect([file[page], file.readUInt16BE(page + 3)]).toEqual([0x0d, 1]);
    const cell = file.readUInt16BE(page + 8);
    const times = Math.floor((cell - 8) / 2);
    for (let n = 0; n < times; n++) file.writeUInt16BE(cell, page + 8 + 2 * n);
    file.writeUInt16BE(times, page + 3);
    return file;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("rows that share pages and exceed the file's size by far are not read to the end", async () => {
  const folder = ownTemporaryFolder();
  const long = { ...clients[0], name: "x".repeat(3_000_000), address: "10.9.0.2" } as (typeof clients)[number];
  const whole = wgEasyDatabase(own.privateKey, [long]);
  expect(await read(Buffer.from(whole))).toMatchObject({ peers: [{}] });
  const before = process.memoryUsage().rss;
  await expect(read(toldOften(whole, "clients_table"))).rejects.toThrow(ServerFileError);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
  expect(readdirSync(folder).filter((name) => name.startsWith("krug-moving-in"))).toEqual([]);
});

test("WGDashboard's database gives its devices by interface, those switched off, their traffic and ends", async () => {
  const columns = `(id text primary key, private_key text, name text, total_receive real, total_sent real, allowed_ip text,
    cumu_receive real, cumu_sent real, preshared_key text)`;
  const row = (table: string, { publicKey, privateKey }: typeof laptop, name: string, ip: string, key = presharedKey) =>
    `insert into ${table} values ('${publicKey}', '${privateKey}', '${name}', 0.5, 1, '${ip}', 1, 0, '${key}');`;
  const job = (key: string, field: string, value: string, ended: string | null = null) =>
    `insert into PeerJobs values ('${randomUUID()}', 'wg0', '${key}', '${field}', 'lgt', '${value}', '2026-01-01',
      ${ended === null ? "null" : `'${ended}'`}, 'restrict');`;
  const file = wgEasyDatabase(
    own.privateKey,
    [],
    `drop table interfaces_table; drop table clients_table;
     create table wg0 ${columns}; create table wg0_restrict_access ${columns}; create table wg0_transfer ${columns};
     create table PeerJobs (JobID text primary key, Configuration text, Peer text, Field text, Operator text, Value text,
       CreationDate text, ExpireDate text, Action text);
     ${row("wg0", laptop, "anna", "10.9.0.2/32, fd00::2/128")}
     ${row("wg0", { ...router, privateKey: laptop.privateKey }, "x", "10.9.0.4/99", "broken" as never)}
     ${row("wg0_restrict_access", own, "off", "10.9.0.3/32")}
     ${job(laptop.publicKey, "date", "2026-12-31 23:59:59")} ${job(own.publicKey, "total_data", "5")}
     ${job(router.publicKey, "date", "2026-12-31 23:59:59", "2026-02-02")}`,
  );
  const sound = { presharedKey, isBroken: false, endsAt: null, traffic: { received: 1.5 * 2 ** 30, sent: 2 ** 30 } };
  const peers = [
    { ...sound, name: "anna", ...laptop, allowedIps: ["10.9.0.2/32", "fd00::2/128"], isEnabled: true },
    {
      ...sound,
      name: "x",
      publicKey: router.publicKey,
      privateKey: null,
      presharedKey: null,
      allowedIps: [],
      isBroken: true,
      isEnabled: true,
    },
    { ...sound, name: "off", ...own, allowedIps: ["10.9.0.3/32"], isEnabled: false },
  ];
  expect(await read(file)).toEqual({
    tables: [{ of: "wg0", peers }],
    ends: { [laptop.publicKey]: new Date("2026-12-31T23:59:59").toISOString() },
  });
  const content = DATABASE_PREFIX + file.toString("base64");
  const conf = `[Interface]\nPrivateKey = ${generateKeyPair().privateKey}\nAddress = 10.9.0.1/24\n[Peer]\nPublicKey = ${laptop.publicKey}\n`;
  const files = [
    { name: "wgdashboard.db", content },
    { name: "wg0.conf", content: conf },
  ];
  expect((await readFile(files, undefined, readForeignDatabase)).peers.map(({ name }) => name)).toEqual([
    "anna",
    "off",
  ]);
  await expect(readFile(content, undefined, readForeignDatabase)).rejects.toMatchObject({ code: "import.no_server" });
});

test("it is read in a separate process, which reports what is wrong with the file", async () => {
  const half = wgEasyDatabase(own.privateKey, clients).subarray(0, 4_096);
  await expect(readDatabase(half.toString("base64"))).rejects.toMatchObject({ reason: "unreadable" });
});

test.each([
  ["time", { ms: 1, memoryBytes: 2 ** 30 }, "30 с", "30 s"],
  ["memory", { ms: 60_000, memoryBytes: 2 ** 20 }, "384 МБ памяти", "384 MB of memory"],
])(
  "a file that takes more %s than it may is refused with the limit, and nothing of it stays",
  async (_, limits, ru, en) => {
    const folder = ownTemporaryFolder();
    const file = wgEasyDatabase(own.privateKey, clients).toString("base64");
    const refusal = await readDatabase(file, readConfined(limits)).catch((error: unknown) => error as Refusal);
    expect(refusal).toMatchObject({ code: "import.too_heavy" });
    expect([(refusal as Refusal).sentence("ru"), (refusal as Refusal).sentence("en")]).toEqual([
      expect.stringContaining(ru),
      expect.stringContaining(en),
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith("krug-moving-in"))).toEqual([]);
  },
);
