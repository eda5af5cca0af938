import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { openPlace, type PlaceConfig } from "../apps/server/src/backup-places/open-place.ts";
import { readConfig } from "../apps/server/src/config.ts";
import { newSshKey } from "../apps/server/src/hosts/ssh/new-key.ts";
import { drained } from "../apps/server/src/platform/archive/place.ts";
import { aFolder } from "../apps/server/testing/a-place.ts";
import { startClub } from "../apps/server/testing/start-club.ts";
import { until } from "./network.ts";

/*
 * Backup storage, with third-party programs at the other end: OpenSSH's server, and an S3 gateway that checks signatures and stores
 * objects as files.
 */

const PASSPHRASE = "four words that nobody guesses";
const GATEWAY = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
const hasGo = spawnSync("go", ["version"]).status === 0;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs until the test ends; waits for its port. */
async function running(port: number, program: string, args: string[], env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (text) => {
    said += text;
  });
  onTestFinished(() => void child.kill());
  await until(`${program} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    return new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
  });
}

/** A real sshd on loopback that accepts one key and offers only SFTP. */
async function anSshd() {
  const folder = aFolder("krug-sshd-");
  const [hostKey, login] = [newSshKey(), newSshKey()];
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const store = join(folder, "store");
  mkdirSync(store);
  const port = await freePort();
  mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const config = write(
    "sshd_config",
    [
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${write("host_key", hostKey.privateKey)}`,
      `AuthorizedKeysFile ${write("authorized_keys", `${login.publicKey}\n`)}`,
      "StrictModes no",
      "UsePAM no",
      "PasswordAuthentication no",
      "PermitRootLogin prohibit-password",
      "PidFile none",
      "Subsystem sftp internal-sftp",
      "ForceCommand internal-sftp",
      "",
    ].join("\n"),
  );
  await running(port, "/usr/sbin/sshd", ["-D", "-e", "-f", config]);
  return {
    store,
    environment: {
      BACKUP_SFTP: `sftp://root@127.0.0.1:${port}${store}/krug`,
      BACKUP_SFTP_HOST_KEY: hostKey.publicKey,
      BACKUP_SFTP_KEY_FILE: write("login", login.privateKey),
    },
  };
}

async function aGateway() {
  const folder = aFolder("krug-s3-");
  const built = spawnSync("go", ["install", GATEWAY], { env: { ...process.env, GOBIN: folder }, encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
  const store = join(folder, "store");
  mkdirSync(join(store, "the-bucket"), { recursive: true });
  const port = await freePort();
  const secret = randomBytes(20).toString("base64");
  await running(
    port,
    join(folder, "versitygw"),
    ["--port", `127.0.0.1:${port}`, "--region", "eu-central-1", "posix", store],
    {
      ROOT_ACCESS_KEY: "AKIDEXAMPLE",
      ROOT_SECRET_KEY: secret,
    },
  );
  writeFileSync(join(folder, "secret"), `${secret}\n`, { mode: 0o600 });
  return {
    store: join(store, "the-bucket"),
    environment: {
      BACKUP_S3: `http://127.0.0.1:${port}/the-bucket/club`,
      BACKUP_S3_REGION: "eu-central-1",
      BACKUP_S3_ACCESS_KEY: "AKIDEXAMPLE",
      BACKUP_S3_SECRET_FILE: join(folder, "secret"),
    },
  };
}

/** Every file below, without the server's own. */
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort()
    : [];

const others = { OpenSSH: anSshd, "an S3 gateway": aGateway };

for (const kind of Object.keys(others) as (keyof typeof others)[])
  test.skipIf(kind === "an S3 gateway" && !hasGo)(
    `${kind}: scheduled backups arrive and are verified by reading them back, and the oldest are deleted; an interrupted one leaves nothing`,
    async () => {
      const { store, environment } = await others[kind]();
      const phrase = join(aFolder(), "phrase");
      writeFileSync(phrase, `${PASSPHRASE}\n`);
      const all = { ...environment, BACKUP_PASSPHRASE_FILE: phrase, BACKUP_KEEP: "1" };
      const club = await startClub({ environment: all });
      onTestFinished(() => club.stop());
      const { backups } = club.app.parts;
      for (let time = 0; time < 2; time++) {
        await backups.makeDue();
        expect((await backups.state())?.problem).toBeNull();
        club.clock.advance(24 * 3_600_000);
      }
      expect(filesIn(store)).toEqual(["krug-2026-11-22T09-00-00Z.age"]);

      const place = openPlace(readConfig(all).backupPlan?.place as PlaceConfig);
      const NAME = "krug-2026-11-23T09-00-00Z.age";
      const MIB = 2 ** 20;
      const piece = randomBytes(65_552);
      const big = (breaksAt = Infinity) =>
        Readable.from(
          (function* () {
            for (let made = 0; made < 256 * MIB; made += piece.length) {
              if (made > breaksAt) throw new Error("it broke off");
              yield piece;
            }
          })(),
          { objectMode: false, highWaterMark: 65_536 },
        );
      await expect(place.put(NAME, big(40 * MIB))).rejects.toThrow("it broke off");
      await place.discard(NAME);
      expect(filesIn(store)).toEqual(["krug-2026-11-22T09-00-00Z.age"]);

      const before = process.memoryUsage().rss;
      let most = before;
      const watching = setInterval(() => {
        most = Math.max(most, process.memoryUsage().rss);
      }, 20);
      const began = performance.now();
      const written = await place.put(NAME, big());
      const put = performance.now();
      expect(await drained(await place.read(NAME))).toEqual(written);
      const read = performance.now();
      clearInterval(watching);
      console.log(
        `${kind}: 256 MiB there in ${((put - began) / 1000).toFixed(1)} s, back in ${((read - put) / 1000).toFixed(1)} s, ${Math.round((most - before) / MIB)} MiB more memory`,
      );
      expect(most - before).toBeLessThan(160 * MIB);
      await place.remove([NAME]);
      expect((await place.list()).map(({ name }) => name)).toEqual(["krug-2026-11-22T09-00-00Z.age"]);
    },
  );
