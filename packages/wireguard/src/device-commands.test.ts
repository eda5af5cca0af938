import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeConfig } from "./config-text.ts";
import {
  COMMAND_TARGETS,
  type DeviceConfig,
  deviceCommands,
  readDeviceConfig,
  takesCommands,
} from "./device-commands.ts";
import type { PresharedKey, PrivateKey, PublicKey } from "./key-text.ts";

const key = (letter: string) => `${letter.repeat(42)}E=`;
const plain: DeviceConfig = {
  privateKey: key("a") as PrivateKey,
  addresses: ["10.8.0.7/32", "fd00::7/128"],
  dns: ["1.1.1.1", "2606:4700:4700::1111"],
  mtu: 1380,
  peer: {
    publicKey: key("b") as PublicKey,
    presharedKey: key("c") as PresharedKey,
    allowedIps: ["203.0.113.0/24", "198.51.100.7/32", "2001:db8::/32"],
    endpoint: { host: "vpn.example.org", port: 51820 },
    persistentKeepalive: 25,
  },
  profile: null,
};
const everything = { ...plain, peer: { ...plain.peer, allowedIps: ["0.0.0.0/0", "::/0"] } };
const old = { jc: "4", jmin: "40", jmax: "70", s1: "15", s2: "16", h1: "11", h2: "12", h3: "13", h4: "14" };
const amnezia = (more: Record<string, string> = {}): DeviceConfig => ({
  ...plain,
  profile: { version: "2.0", parameters: { ...old, ...more } },
});
const order = (name: string) => "jc jmin jmax s1 s2 s3 s4 h1 h2 h3 h4".indexOf(name);
const linesOf = (...of: Parameters<typeof deviceCommands>) => deviceCommands(...of).split("\n");

test("Keenetic gets addresses with masks, keys, each network and a route for it", () => {
  expect(linesOf("keenetic", plain, "router")).toEqual([
    "interface Wireguard9",
    "interface Wireguard9 description krug-router",
    "interface Wireguard9 security-level public",
    "interface Wireguard9 ip address 10.8.0.7 255.255.255.255",
    "interface Wireguard9 ip mtu 1380",
    "interface Wireguard9 ip tcp adjust-mss pmtu",
    `interface Wireguard9 wireguard private-key ${key("a")}`,
    `interface Wireguard9 wireguard peer ${key("b")}`,
    `interface Wireguard9 wireguard peer ${key("b")} endpoint vpn.example.org:51820`,
    `interface Wireguard9 wireguard peer ${key("b")} preshared-key ${key("c")}`,
    `interface Wireguard9 wireguard peer ${key("b")} keepalive-interval 25`,
    `interface Wireguard9 wireguard peer ${key("b")} allow-ips 203.0.113.0 255.255.255.0`,
    `interface Wireguard9 wireguard peer ${key("b")} allow-ips 198.51.100.7 255.255.255.255`,
    `interface Wireguard9 wireguard peer ${key("b")} connect`,
    "ip route 203.0.113.0 255.255.255.0 Wireguard9 auto",
    "ip route 198.51.100.7 255.255.255.255 Wireguard9 auto",
    "interface Wireguard9 up",
    "system configuration save",
    "",
  ]);
  const whole = linesOf("keenetic", everything, "router");
  expect(whole).toContain("interface Wireguard9 ip global auto");
  expect(whole.filter((line) => line.startsWith("ip route"))).toEqual([]);
  for (const [network, mask] of [
    ["10.0.0.0/9", "255.128.0.0"],
    ["10.1.2.128/25", "255.255.255.128"],
  ] as const) {
    const some = { ...plain, peer: { ...plain.peer, allowedIps: [network] } };
    expect(deviceCommands("keenetic", some, "r")).toContain(`ip route ${network.split("/")[0]} ${mask} `);
  }
});

test("Keenetic's ASC line has nine values, and sixteen if the newer ones are set", () => {
  const asc = (config: DeviceConfig) => linesOf("keenetic", config, "r").find((line) => line.includes(" asc "));
  expect(asc(amnezia())).toBe("interface Wireguard9 wireguard asc 4 40 70 15 16 11 12 13 14");
  expect(asc(amnezia({ s3: "5", h1: "11-20", i1: "<b 0x0102><r 4>" }))).toBe(
    'interface Wireguard9 wireguard asc 4 40 70 15 16 11-20 12 13 14 5 0 "<b 0x0102><r 4>" "" "" "" ""',
  );
});

test("MikroTik gets routes of its own, both families masqueraded, and a way to the server past the tunnel", () => {
  expect(linesOf("mikrotik", plain, "ether1")).toEqual([
    `/interface wireguard add name="krug-ether1" private-key="${key("a")}" mtu=1380`,
    `/interface wireguard peers add interface="krug-ether1" public-key="${key("b")}" preshared-key="${key("c")}" endpoint-address="vpn.example.org" endpoint-port=51820 allowed-address=203.0.113.0/24,198.51.100.7/32,2001:db8::/32 persistent-keepalive=25s`,
    '/ip address add address=10.8.0.7/32 interface="krug-ether1"',
    '/ipv6 address add address=fd00::7/128 interface="krug-ether1" advertise=no',
    '/ip firewall nat add chain=srcnat out-interface="krug-ether1" action=masquerade',
    '/ipv6 firewall nat add chain=srcnat out-interface="krug-ether1" action=masquerade',
    '/ip route add dst-address=203.0.113.0/24 gateway="krug-ether1"',
    '/ip route add dst-address=198.51.100.7/32 gateway="krug-ether1"',
    '/ipv6 route add dst-address=2001:db8::/32 gateway="krug-ether1"',
    "/ip dns set servers=1.1.1.1,2606:4700:4700::1111",
    "",
  ]);
  const whole = deviceCommands("mikrotik", everything, "r");
  expect(whole).toContain('dst-address=([:resolve "vpn.example.org"] . "/32") gateway=[');
  for (const network of ["0.0.0.0/1", "128.0.0.0/1", "2000::/3"])
    expect(whole).toContain(`dst-address=${network} gateway="krug-r"`);
});

test("OpenWrt gets an interface that never is its own, with AmneziaWG's parameters by their names", () => {
  const lines = linesOf("openwrt", amnezia({ i1: "<b 0x0102><r 4>" }), "lan-at-home-12");
  const own = "network.krug_lan_at_hom";
  expect(lines).toEqual([
    `uci -q delete ${own}; uci -q delete ${own}_peer`,
    `uci set ${own}='interface'`,
    `uci set ${own}.proto='amneziawg'`,
    `uci set ${own}.private_key='${key("a")}'`,
    `uci add_list ${own}.addresses='10.8.0.7/32'`,
    `uci add_list ${own}.addresses='fd00::7/128'`,
    `uci add_list ${own}.dns='1.1.1.1'`,
    `uci add_list ${own}.dns='2606:4700:4700::1111'`,
    `uci set ${own}.mtu='1380'`,
    ...Object.entries({ ...old, s3: "0", s4: "0" })
      .toSorted(([one], [other]) => order(one) - order(other))
      .map(([name, value]) => `uci set ${own}.awg_${name}='${value}'`),
    `uci set ${own}.awg_i1='<b 0x0102><r 4>'`,
    `uci set ${own}_peer='amneziawg_krug_lan_at_hom'`,
    `uci set ${own}_peer.public_key='${key("b")}'`,
    `uci set ${own}_peer.preshared_key='${key("c")}'`,
    `uci set ${own}_peer.endpoint_host='vpn.example.org'`,
    `uci set ${own}_peer.endpoint_port='51820'`,
    `uci set ${own}_peer.persistent_keepalive='25'`,
    `uci set ${own}_peer.route_allowed_ips='1'`,
    ...plain.peer.allowedIps.map((network) => `uci add_list ${own}_peer.allowed_ips='${network}'`),
    "uci commit network",
    "uci rename firewall.@zone[1]='wan'",
    "uci -q del_list firewall.wan.network='krug_lan_at_hom'",
    "uci add_list firewall.wan.network='krug_lan_at_hom'",
    "uci commit firewall",
    "service firewall restart; service network restart",
    "",
  ]);
  const flags = { version: "3.1", parameters: { ...old, random_trailers: "1" } } as const;
  expect(linesOf("openwrt", { ...plain, profile: flags }, "r")).toContain(
    "uci set network.krug_r.awg_random_trailers='1'",
  );
  expect(linesOf("openwrt", plain, "r")).toContain("uci set network.krug_r_peer='wireguard_krug_r'");
});

test("a target without AmneziaWG, a bad name and a key that is not there are refused", () => {
  expect(COMMAND_TARGETS.filter((target) => takesCommands(target, "2.0"))).toEqual(["keenetic", "openwrt", "linux"]);
  expect(COMMAND_TARGETS.filter((target) => takesCommands(target, "3.1"))).toEqual(["openwrt", "linux"]);
  expect(() => deviceCommands("mikrotik", amnezia(), "r")).toThrow(RangeError);
  for (const name of ["", "a b", "a'b", "$(id)", "a\nb", "a".repeat(16)])
    for (const target of COMMAND_TARGETS)
      expect(() => deviceCommands(target, plain, name)).toThrow("not a config's name");
  for (const target of COMMAND_TARGETS) {
    expect(() => deviceCommands(target, { ...plain, privateKey: null }, "r")).toThrow("no PrivateKey");
    const injected = { ...plain, peer: { ...plain.peer, endpoint: { host: "a'; id", port: 1 } } };
    expect(() => deviceCommands(target, injected, "r")).toThrow("not a valid Endpoint");
  }
});

/** Runs them with programs that only say what they were asked, in a folder instead of /etc. */
function run(commands: string) {
  const folder = mkdtempSync(join(tmpdir(), "krug-commands-"));
  try {
    for (const [name, text] of Object.entries({
      sudo: 'exec "$@"',
      systemctl: `echo "$@" >> ${folder}/said`,
      nmcli: `echo "$1 $2 $3 $4 $5" >> ${folder}/said; cp "$6" ${folder}/given.conf`,
    }))
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}`, TMPDIR: folder };
    execFileSync("sh", ["-e"], { input: commands.replaceAll("/etc/", `${folder}/etc/`), env });
    const at = (path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : null);
    return {
      said: at("said"),
      file: at("given.conf") ?? at("etc/wireguard/router.conf") ?? at("etc/amnezia/amneziawg/router.conf"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a shell that runs Linux's commands gets the file to the letter, and starts it", () => {
  const file = writeConfig(plain);
  expect(run(deviceCommands("linux", plain, "router"))).toEqual({ said: "enable --now wg-quick@router\n", file });
  expect(run(deviceCommands("networkManager", plain, "router"))).toEqual({
    said: "connection import type wireguard file\n",
    file,
  });
  const disguised = run(deviceCommands("linux", amnezia({ i1: "<b 0x0102><r 4>" }), "router"));
  expect(disguised.said).toBe("enable --now awg-quick@router\n");
  expect(readDeviceConfig(disguised.file ?? "", "2.0").profile?.parameters).toMatchObject({
    ...old,
    i1: "<b 0x0102><r 4>",
  });
  expect(readDeviceConfig(file, null)).toEqual(plain);
});
