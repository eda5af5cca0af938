import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isAlive } from "./command.mjs";
import { freePort } from "./free-port.mjs";
import { scratchRoot } from "./scratch-for-tests.mjs";
import { postgresBinaries } from "./system-packages.mjs";

const PREFIX = "krug-postgres-";
const OWNER = "owner.pid";

/**
 * A private PostgreSQL for the tests, with its address in TEST_POSTGRES_URL. It keeps nothing after the run.
 * @returns {Promise<() => Promise<void>>} ends it
 */
export default async function startPostgres() {
  const cluster = await startCluster();
  process.env.TEST_POSTGRES_URL = cluster.url;
  return cluster.end;
}

/**
 * Starts an empty cluster on a free loopback port; `url` is its superuser's. Tuned for speed: a crash may lose committed
 * data.
 * @param {Record<string, string | number>} [own]  settings that override ours
 */
export async function startCluster(own = {}) {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error("PostgreSQL is not installed: apt install postgresql");
  removeOrphans();
  const user = unprivileged();
  const folder = mkdtempSync(join(scratchRoot(), PREFIX));
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  const password = randomBytes(24).toString("hex");
  writeFileSync(join(folder, OWNER), String(process.pid));
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);

  // Not SCRAM: tests open thousands of connections, and its hashing takes a quarter of each.
  const access = ["--username=krug", "--auth=md5", `--pwfile=${passwordFile}`];
  execFileSync(`${binaries}/initdb`, [...access, "--encoding=UTF8", "--locale=C", "--no-sync", `--pgdata=${data}`], {
    ...user,
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });

  const port = await freePort();
  const settings = Object.entries({
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    wal_level: "minimal",
    max_wal_senders: 0,
    max_wal_size: "128MB",
    autovacuum: "off",
    log_min_messages: "fatal",
    ...own,
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const launch = () =>
    spawn(`${binaries}/postgres`, ["-D", data, ...settings], { ...user, cwd: folder, stdio: "ignore" });
  let server = launch();
  const clear = () => rmSync(folder, { recursive: true, force: true });
  const abandon = () => {
    signalAll("SIGCONT");
    server.kill("SIGQUIT"); // the run is cut short: no time to wait
    clear();
  };
  process.once("exit", abandon);

  const ready = async () => {
    for (const deadline = Date.now() + 60_000; !isReady(data); await wait(50)) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode} while starting`);
      if (Date.now() > deadline) throw new Error("PostgreSQL did not start within a minute");
    }
  };
  /** @param {"SIGINT" | "SIGQUIT"} signal  fast, without waiting for connections, or like a crash */
  const stop = async (signal = "SIGINT") => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  };
  /** The server with all its processes. @param {"SIGSTOP" | "SIGCONT"} signal */
  const signalAll = (signal) => {
    const { pid } = server;
    if (!pid || server.exitCode !== null) return;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    for (const each of [pid, ...children.map(Number)]) process.kill(each, signal);
  };
  await ready();
  return {
    url: `postgresql://krug:${password}@127.0.0.1:${port}/postgres`,
    folder,
    stop,
    async start() {
      server = launch();
      await ready();
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    async end() {
      signalAll("SIGCONT");
      if (server.exitCode === null) await stop();
      process.off("exit", abandon);
      clear();
    },
  };
}

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (/** @type {string} */ flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** The last line of postmaster.pid shows how far the start has come. @param {string} data */
function isReady(data) {
  const file = join(data, "postmaster.pid");
  return existsSync(file) && readFileSync(file, "utf8").split("\n")[7]?.trim() === "ready";
}

/** Ends and removes the clusters of runs killed before they could. */
function removeOrphans() {
  for (const name of readdirSync(scratchRoot()).filter((name) => name.startsWith(PREFIX))) {
    const folder = join(scratchRoot(), name);
    const owner = pidIn(join(folder, OWNER));
    if (!owner || isAlive(owner)) continue;
    const server = pidIn(join(folder, "data/postmaster.pid"));
    // The process number may belong to another process by now.
    if (server && isAlive(server) && readFileSync(`/proc/${server}/cmdline`, "utf8").includes(folder))
      process.kill(server, "SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} file */
const pidIn = (file) => (existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : undefined);
