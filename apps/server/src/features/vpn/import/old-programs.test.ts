import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import { expect, onTestFinished, test } from "vitest";
import { wgEasyDatabase } from "../../../../testing/wg-easy-database.ts";
import { programsIn } from "./old-programs.ts";
import { readFile } from "./read-file.ts";

const [own, laptop, phone] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
const line = (...fields: string[]) => `${fields.join("\t")}\n`;
const file = (word: "file" | "beside", path: string, text: string) =>
  line(word, path, Buffer.from(text).toString("base64"));
const json = (value: object) => JSON.stringify(value, null, "\t");

/** As wireguard-ui 0.6 writes them. */
const client = (
  id: string,
  name: string,
  keys: { privateKey: string; publicKey: string },
  address: string,
  enabled: boolean,
) =>
  json({
    id,
    private_key: keys.privateKey,
    public_key: keys.publicKey,
    preshared_key: generatePresharedKey(),
    name,
    telegram_userid: "",
    email: `${name}@example.org`,
    subnet_ranges: null,
    allocated_ips: [`${address}/32`],
    allowed_ips: ["0.0.0.0/0"],
    extra_allowed_ips: [],
    endpoint: "",
    additional_notes: "",
    use_server_dns: true,
    enabled,
    created_at: "2025-02-01T10:00:00.1Z",
    updated_at: "2025-02-01T10:00:00.1Z",
  });
const UI: Record<string, string> = {
  "server/keypair.json": json({
    private_key: own.privateKey,
    public_key: own.publicKey,
    updated_at: "2025-02-01T10:00:00.1Z",
  }),
  "server/interfaces.json": json({
    addresses: ["10.9.0.1/24"],
    listen_port: "51820",
    updated_at: "2025-02-01T10:00:00.1Z",
    post_up: "iptables -A FORWARD -i wg0 -j ACCEPT",
    pre_down: "",
    post_down: "",
  }),
  "server/global_settings.json": json({
    endpoint_address: "198.51.100.7",
    dns_servers: ["1.1.1.1"],
    mtu: "1450",
    persistent_keepalive: "15",
    firewall_mark: "0xca6c",
    table: "auto",
    config_file_path: "/etc/wireguard/wg0.conf",
    updated_at: "2025-02-01T10:00:00.1Z",
  }),
  "server/hashes.json": json({ client: "abc", server: "def" }),
  "clients/cb1.json": client("cb1", "anna", laptop, "10.9.0.2", true),
  "clients/cb2.json": client("cb2", "boris", phone, "10.9.0.3", false),
};
const ui = (word: "file" | "beside", folder: string) =>
  Object.entries(UI)
    .map(([path, text]) => file(word, `${folder}/${path}`, text))
    .join("");
/** Without the one that is switched off. */
const conf = `[Interface]\nAddress = 10.9.0.1/24\nListenPort = 51820\nPrivateKey = ${own.privateKey}\nMTU = 1450\n
# ID: cb1\n# Name: anna\n[Peer]\nPublicKey = ${laptop.publicKey}\nAllowedIPs = 10.9.0.2/32\n`;
const quick = (enabled: string) =>
  line("quick", "wg-quick", "wg0", enabled, "yes") + file("file", "/etc/wireguard/wg0.conf", conf);
const container = () =>
  line("container", "wireguard-ui", "true", "always:0", "false", "-", "-") +
  file("file", "/etc/wireguard/wg0.conf", conf) +
  ui("file", "/app/db");
const devicesOf = async (printed: string) => {
  const programs = programsIn(printed);
  expect(programs).toHaveLength(1);
  const [program] = programs as [(typeof programs)[number]];
  const { peers } = await readFile(program.files);
  return {
    by: program.how.by,
    devices: peers.map(({ name, isEnabled, privateKey }) => [name, isEnabled, privateKey !== null]),
  };
};
const BOTH = [
  ["anna", true, true],
  ["boris", false, true],
];

test("wireguard-ui's folder beside wg-quick's file gives names, keys and who is switched off", async () => {
  expect(await devicesOf(quick("enabled") + ui("beside", "/opt/wireguard-ui/db"))).toEqual({
    by: "quick",
    devices: BOTH,
  });
});

test("another interface is not wireguard-ui's", async () => {
  const other = quick("enabled").replace(
    Buffer.from(conf).toString("base64"),
    Buffer.from(conf.replace(own.privateKey, generateKeyPair().privateKey)).toString("base64"),
  );
  expect((await devicesOf(other + ui("beside", "/opt/wireguard-ui/db"))).devices).toEqual([["anna", true, false]]);
});

test("one interface of a container and of wg-quick is found once: at whoever starts it", async () => {
  expect(await devicesOf(container() + quick("disabled"))).toEqual({ by: "container", devices: BOTH });
  expect(await devicesOf(container() + quick("enabled"))).toEqual({ by: "quick", devices: BOTH });
});

test("a device deleted in wg-easy 15 does not come back from the file of wg-easy 14", async () => {
  const old = (name: string, keys: typeof laptop, address: string) => ({ name, address, ...keys, enabled: true });
  const server = { ...own, address: "10.9.0.1" };
  const clients = { a: old("anna", laptop, "10.9.0.2"), b: old("boris", phone, "10.9.0.3") };
  const database = wgEasyDatabase(own.privateKey, [{ name: "anna", address: "10.9.0.2", ...laptop }]);
  const printed =
    line("container", "wg-easy", "true", "always:0", "false", "-", "-") +
    file("file", "/etc/wireguard/wg0.json", json({ server, clients })) +
    line("file", "/etc/wireguard/wg-easy.db", database.toString("base64")) +
    file("file", "/etc/wireguard/wg0.conf", conf);
  expect(await devicesOf(printed)).toEqual({ by: "container", devices: [["anna", true, true]] });
});

test("a folder is copied out of a container without following its links", async () => {
  const folder = mkdtempSync(join(tmpdir(), "krug-old-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "db/clients"), { recursive: true });
  writeFileSync(join(folder, "db/clients/a.json"), "{}");
  writeFileSync(join(folder, "db/clients/other.txt"), "no");
  writeFileSync(join(folder, "db/clients/large.json"), "x".repeat(70_000));
  symlinkSync("/etc/passwd", join(folder, "db/clients/link.json"));
  const docker = join(folder, "docker");
  // `docker cp NAME:/app/db/clients -` prints an archive of the folder.
  writeFileSync(docker, `#!/bin/sh\n[ "$1" = cp ] && tar -C '${folder}/db' -c clients\n`);
  chmodSync(docker, 0o755);
  const script = fileURLToPath(new URL("old-programs.sh", import.meta.url));
  const { stdout } = await promisify(execFile)(
    "bash",
    ["-c", `set -eu; . '${script}'; copied_folder wireguard-ui /app/db/clients '*.json'`],
    { env: { PATH: `${folder}:${process.env.PATH}` } },
  );
  expect(stdout).toBe(file("file", "/app/db/clients/a.json", "{}"));
});
