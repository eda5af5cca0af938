import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, run } from "../scripts/command.mjs";
import { packageRelease } from "../scripts/package.mjs";
import * as lab from "./network.ts";
import { createConfig, invite, PASSWORD, setUpAdmin, visitorsOf } from "./panel.ts";
import { reachLoopback, startVps, type Vps } from "./vps.ts";

/* An empty Debian 12 with only deploy/install.sh, and an address that serves the tarballs. */
const SHOP = "192.0.2.254:8080";

let folder: string;
let vps: Vps;
let shop: Server;
let panel: {
  url: string;
  output(): string;
  guest: ReturnType<typeof visitorsOf>["guest"];
  as: ReturnType<typeof visitorsOf>["as"];
};
const hashes: Record<string, string> = {};
const fetched: string[] = [];

interface Said {
  code: number;
  text: string;
}

/** Runs the repository's script, or the packed one, with these variables. */
async function install(variables: Record<string, string>, argument = "", file = "deploy/install.sh"): Promise<Said> {
  await vps.exec("cat > /root/install.sh", { stdin: await readFile(join(ROOT, file), "utf8") });
  const set = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  const text = await vps.exec(`${set.join(" ")} sh /root/install.sh ${argument} 2>&1; echo "code $?"`, {
    timeoutMs: 240_000,
  });
  const [, said = "", code] = /^([\s\S]*)code (\d+)\n$/.exec(text) ?? [];
  return { code: Number(code), text: said };
}

const release = (name: string) => ({
  KRUG_URL: `http://${SHOP}/${name}`,
  KRUG_SHA256: hashes[name] ?? "",
  NODE_URL: `http://${SHOP}/node.tar.gz`,
  NODE_SHA256: hashes["node.tar.gz"] ?? "",
  KRUG_WAIT_SECONDS: "60",
});

/** Everything that an upgrade could leave changed. */
const state = () =>
  vps.exec(
    "ls -A /opt/krug /opt/krug/releases; readlink /opt/krug/current; cat /etc/krug.env; systemctl show krug -p MainPID",
  );
const releaseNow = async () => (await vps.exec("readlink /opt/krug/current")).trim();

/** The same release, as if made from later sources. */
async function laterRelease(name: string, version: string, change: (folder: string) => Promise<void> = async () => {}) {
  const copy = join(folder, name);
  await cp(join(folder, "made"), copy, { recursive: true, verbatimSymlinks: true });
  const text = await readFile(join(copy, "package.json"), "utf8");
  await writeFile(join(copy, "package.json"), text.replace(/"version": ".*"/, `"version": "${version}"`));
  await change(copy);
  await pack(`${name}.tar.gz`, name);
  await rm(copy, { recursive: true });
}

async function pack(file: string, name: string) {
  const { code, output } = await run("tar", ["-C", folder, "-I", "gzip -1", "-cf", join(folder, file), name]);
  if (code !== 0) throw new Error(output);
  hashes[file] = createHash("sha256")
    .update(await readFile(join(folder, file)))
    .digest("hex");
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "krug-install-"));
  const made = await packageRelease();
  await mkdir(join(folder, "made"));
  await run("tar", ["-xf", join(ROOT, "dist", made.file), "-C", join(folder, "made"), "--strip-components=1"]);
  await cp(join(ROOT, "dist", made.file), join(folder, "first.tar.gz"));
  hashes["first.tar.gz"] = made.sha256;
  await laterRelease("newer", "0.2.0");
  await laterRelease("broken", "0.3.0", async (copy) => {
    // It starts like the real one and dies after the database was updated.
    const wreck =
      "await (await import('node:fs/promises')).writeFile('/var/lib/krug/krug.db', 'wrecked'); process.exit(1);\n";
    await writeFile(join(copy, "apps/server/dist/main.js"), wreck);
  });
  await mkdir(join(folder, "node-here/bin"), { recursive: true });
  await cp(process.execPath, join(folder, "node-here/bin/node"), { dereference: true });
  await pack("node.tar.gz", "node-here");

  shop = createServer((request, response) => {
    const name = (request.url ?? "").slice(1);
    fetched.push(name);
    if (!(name in hashes)) return void response.writeHead(404).end();
    createReadStream(join(folder, name)).pipe(response);
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  const address = shop.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  vps = await startVps({ password: "root's own password" });
  await lab.relayFrom(vps.network, vps.network.internet, SHOP, address.port);
});
afterAll(async () => {
  await vps?.stop();
  shop?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test("a release with another hash than given is refused and leaves nothing", async () => {
  const said = await install({ ...release("first.tar.gz"), KRUG_SHA256: "0".repeat(64) });
  expect(said).toMatchObject({ code: 1, text: expect.stringContaining("has another SHA-256 than 0000") });
  const ofNode = await install({ ...release("first.tar.gz"), NODE_SHA256: "1".repeat(64) });
  expect(ofNode).toMatchObject({ code: 1, text: expect.stringContaining("has another SHA-256 than 1111") });
  expect(
    await vps.exec("ls -A /opt/krug/releases; ls /etc/krug.env /etc/systemd/system/krug.service 2>/dev/null; true"),
  ).toBe("");
});

test("an invalid hash, address or command is refused by name before anything is fetched", async () => {
  const before = fetched.length;
  const first = release("first.tar.gz");
  expect((await install({ ...first, KRUG_SHA256: "abc" })).text).toContain("KRUG_SHA256 must be");
  expect((await install({ ...first, PUBLIC_URL: "https://club.example\nHOST=0.0.0.0" })).text).toContain(
    "PUBLIC_URL must be",
  );
  expect((await install({ ...first, KRUG_URL: "" })).text).toContain("KRUG_URL is missing");
  expect((await install(first, "remove")).text).toContain("install.sh back");
  expect((await install(first, "back")).text).toContain("There was no upgrade");
  expect(fetched.length).toBe(before);
});

test("one run makes an empty Debian a panel with tunnels and prints the first admin's link; a second changes nothing", async () => {
  const said = await install(release("first.tar.gz"));
  expect(said.text).toContain("create the first admin");
  expect(said.code).toBe(0);
  expect(await vps.exec("systemctl is-enabled krug; systemctl is-active krug")).toBe("enabled\nactive\n");
  expect(await vps.exec("stat -c %a /etc/krug.env /var/lib/krug")).toBe("600\n700\n");

  const was = await state();
  const before = fetched.length;
  // The packed one contains the release's hash.
  const again = await install({ NODE_SHA256: hashes["node.tar.gz"] ?? "" }, "", "dist/install.sh");
  expect(again.code).toBe(0);
  expect(await state()).toBe(was);
  expect(fetched.length).toBe(before);

  // The link that the second run printed is the valid one.
  const url = await reachLoopback(vps, 3001);
  panel = { url, output: () => again.text, ...visitorsOf(url) };
  const { admin } = await setUpAdmin(panel);
  const { member } = await invite(panel, admin, "anna");
  await createConfig(member, "laptop");
  await lab.until("the device is a peer", async () => (await vps.exec("wg show all peers")) !== "");
  const afterwards = await install(release("first.tar.gz"));
  expect(afterwards.text).toContain("Krug 1.0.0 runs at http://127.0.0.1:3001");
  expect(afterwards.text).not.toContain("token=");
});

const names = async () => {
  const { token } = await panel.guest().ask("POST /auth/login", { body: { username: "anna", password: PASSWORD } });
  return (await panel.as(token).ask("GET /vpn/configs")).map(({ name }) => name);
};

test("a newer release takes over with its data and running tunnels, and has its own command line", async () => {
  const tunnels = await vps.exec("pgrep -f krug-engine");
  expect((await install(release("newer.tar.gz"))).text).toContain("Krug 0.2.0 runs");
  expect(await releaseNow()).toContain("/0.2.0-");
  expect(await vps.exec("pgrep -f krug-engine")).toBe(tunnels);
  expect(await names()).toEqual(["laptop"]);
  expect(await vps.exec("krug maintenance-off 2>&1")).toContain("Database: /var/lib/krug");
});

test("after a release that does not start the previous one is back, with the data from before", async () => {
  const was = await releaseNow();
  const said = await install(release("broken.tar.gz"));
  expect(said).toMatchObject({ code: 1, text: expect.stringContaining("Went back: 0.2.0 runs") });
  expect(await releaseNow()).toBe(was);
  expect(await vps.exec("cat /var/lib/krug.failed/krug.db")).toBe("wrecked");
  expect(await vps.exec("ls /opt/krug/releases | grep -c 0.3.0; true")).toBe("0\n");
  expect(await names()).toEqual(["laptop"]);
});

test("an operator can roll back too, once", async () => {
  expect((await install(release("newer.tar.gz"))).code).toBe(0);
  expect((await install(release("first.tar.gz"))).text).toContain("Krug 1.0.0 runs");
  const { token } = await panel.guest().ask("POST /auth/login", { body: { username: "anna", password: PASSWORD } });
  await createConfig(panel.as(token), "phone");
  expect(await names()).toHaveLength(2);
  expect((await install({}, "back")).text).toContain("Krug 0.2.0 runs with the data from before");
  expect(await names()).toEqual(["laptop"]);
  expect(await install({}, "back")).toMatchObject({ code: 1 });
  await vps.reboot();
  await lab.until(
    "it is up after a power cut",
    async () => (await vps.exec("curl -s 127.0.0.1:3001/health || true")) !== "",
    60_000,
  );
});

test("a backup is restored on a machine whose panel has no members yet, and not over a club", async () => {
  await vps.exec("cat > /root/phrase", { stdin: "four words that nobody guesses\n" });
  await vps.exec("krug backup /root/club.age --passphrase-file /root/phrase", { timeoutMs: 60_000 });
  const bring = "restore /root/club.age --passphrase-file /root/phrase";
  const newer = release("newer.tar.gz");
  expect(await install(newer, bring)).toMatchObject({
    code: 1,
    text: expect.stringContaining("There is a club on this machine"),
  });

  const devices = () => vps.exec("wg show wg0 allowed-ips | grep -v '(none)' || true");
  const before = await devices();
  expect(before).not.toBe("");
  await vps.exec("systemctl stop krug && krug remove-tunnels && mv /var/lib/krug /var/lib/krug.lost");
  expect((await install(newer)).text).toContain("create the first admin");
  await lab.until(
    "the empty panel holds the interface's place",
    async () => (await vps.exec("wg show interfaces")) !== "",
  );
  expect(await install(newer, "restore /root/nothing.age")).toMatchObject({
    code: 1,
    text: expect.stringContaining("no file /root/nothing.age"),
  });
  const wrong = await install(newer, "restore /root/club.age --passphrase-file /etc/hostname");
  expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining("was not restored") });
  expect(await vps.exec("systemctl is-active krug")).toBe("active\n");

  const said = await install(newer, bring);
  expect(said).toMatchObject({ code: 0, text: expect.stringContaining("Krug 0.2.0 runs") });
  // The relay to its loopback ended with the power cut.
  panel = { ...panel, ...visitorsOf(await reachLoopback(vps, 3001)) };
  expect(await names()).toEqual(["laptop"]);
  await lab.until("the club's device is a peer again", async () => (await devices()) === before);
});
