import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { openShared } from "../apps/server/src/platform/database/sqlite.ts";
import { ROOT } from "../scripts/command.mjs";
import * as lab from "./network.ts";
import { createConfig, invite, PASSWORD, passSecondFactor, setUpAdmin, startPanel } from "./panel.ts";

const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const run = promisify(execFile);
let network: lab.LabNetwork | undefined;
afterAll(() => network?.close());

/** A restored club replaces the panel that made the backup, on the same machine, with tunnels in use. */
test("tunnels outlive a restore, devices that the backup lacks stay, and the old panel changes nothing any more", async () => {
  network = await lab.makeNetwork({ clients: 2 });
  const { host, clients, folder } = network;
  const [known, later] = [clients[0]!, clients[1]!];
  const [old] = await Promise.all([startPanel(network, host), lab.startServices(network.target, { tcp: [80] })]);
  const { admin } = await setUpAdmin(old);
  const { member: anna } = await invite(old, admin, "anna");
  const { member: boris } = await invite(old, admin, "boris");
  const connect = async (device: (typeof clients)[number], file: string) => {
    await lab.tunnelUp(network!, device, file);
    await lab.until("the device reaches the target", () => lab.fetchFrom(device, TARGET), 40_000);
  };
  await connect(known, await anna.download((await createConfig(anna, "laptop")).id));

  const passphrase = join(folder, "phrase");
  writeFileSync(passphrase, "four words that nobody guesses\n");
  const backup = join(folder, "club.age");
  const krug = (dataDir: string, ...args: string[]) => {
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      MACHINE_DIR: join(folder, `machine-${host.name}`),
      LOCAL_SERVER: "off",
    };
    const running = run(process.execPath, [join(ROOT, "apps/server/dist/cli.js"), ...args], { env, cwd: folder });
    running.child.stdin?.end(`${PASSWORD}\n`);
    return running;
  };
  await krug(old.dataDir, "backup", backup, "--passphrase-file", passphrase);
  await connect(later, await boris.download((await createConfig(boris, "phone")).id));
  const handshakes = async () =>
    (await host.exec("wg", ["show", "wg0", "latest-handshakes"])).trim().split("\n").sort();
  /** Keys, preshared keys and addresses. */
  const peers = async () =>
    (await host.exec("wg", ["show", "wg0", "dump"]))
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t"))
      .map(([key, preshared, , address]) => [key, preshared, address].join(" "))
      .sort();
  const before = { handshakes: await handshakes(), peers: await peers() };
  const bothReach = () => Promise.all([known, later].map((device) => lab.fetchFrom(device, TARGET)));
  await old.end("SIGTERM");

  const dataDir = join(folder, "restored");
  const { stdout } = await krug(dataDir, "restore", backup, "--passphrase-file", passphrase);
  expect(stdout).toMatch(/stay connected until an admin decides/);
  const panel = await startPanel(network, host, { dataDir });
  await lab.until("the panel has looked", () => panel.output().includes("devices that are not in the backup stay"));
  expect(await peers()).toEqual(before.peers);
  expect((await bothReach()).every((answer) => answer !== null)).toBe(true);
  // No device had to reconnect.
  expect(await handshakes()).toEqual(before.handshakes);

  // The old panel, started again next to it.
  await panel.end("SIGTERM");
  await old.start();
  await lab.until("the old panel knows", () => old.output().includes("This club was restored elsewhere"));
  expect(await peers()).toEqual(before.peers);
  expect((await bothReach()).every((answer) => answer !== null)).toBe(true);
  await expect(createConfig(boris, "tablet")).rejects.toThrow(/panel.superseded/);
  await old.end("SIGTERM");

  // The restored one continues, and an admin decides.
  await panel.start();
  await krug(dataDir, "create-admin", "zoya");
  const entered = await panel.guest().ask("POST /auth/login", { body: { username: "zoya", password: PASSWORD } });
  const staff = panel.as(await passSecondFactor(panel, entered));
  const { peers: unknown } = await lab.until("the list is there", () => staff.ask("GET /admin/unknown-peers"));
  expect(unknown).toMatchObject([{ address: "10.8.0.3" }]);
  const params = { id: unknown[0]?.id ?? "" };
  const { id: userId } = (await staff.ask("GET /users")).find(({ username }) => username === "boris")!;
  await staff.ask("POST /admin/unknown-peers/{id}/take-in", {
    params,
    body: { userId, name: "phone", deviceType: "phone" },
  });
  expect(await peers()).toEqual(before.peers);
  expect((await bothReach()).every((answer) => answer !== null)).toBe(true);

  // The machine's memory names a newer panel, as if somebody had taken it over.
  const memory = await openShared(join(folder, `machine-${host.name}`, "generations.db"));
  await lab.until("nobody holds it", () => {
    try {
      memory.exec(`update generations set number = 99, token = '${randomUUID()}'`);
      return true;
    } catch {
      return false;
    }
  });
  memory.close();
  await lab.until("the panel has read it", () => panel.output().includes("cannot prove it"), 90_000);
  expect((await staff.ask("GET /admin/servers"))[0]).toMatchObject({ status: "error", problem: "unproved_restore" });
  expect((await staff.ask("GET /admin/system")).newerPanel).toBeNull();
  expect(await peers()).toEqual(before.peers);
}, 240_000);
