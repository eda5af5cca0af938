import { requireCidr } from "./addresses.ts";
import { type AmneziaProfile, type AmneziaVersion, amneziaValue } from "./amneziawg.ts";
import { amneziaAppsFor } from "./amneziawg-apps.ts";
import { amneziaLines, parseAmneziaConfig, writeAmneziaConfig } from "./amneziawg-text.ts";
import { type ClientConfig, ConfigTextError, parseConfig, writeConfig } from "./config-text.ts";
import { formatEndpoint } from "./endpoint.ts";
import { isIP } from "./ip.ts";

/** A device's file, for what takes commands instead. `profile`: null for plain WireGuard. */
export type DeviceConfig = ClientConfig & { profile: AmneziaProfile | null };

export const COMMAND_TARGETS = ["keenetic", "mikrotik", "openwrt", "linux", "networkManager"] as const;
export type CommandTarget = (typeof COMMAND_TARGETS)[number];

/** The names that configs may have: a name goes into commands as it is. */
const NAME = /^[A-Za-z0-9_-]{1,15}$/;
/** Names of ours never meet a router's own interface. */
const PREFIX = "krug";
const LINK_NAME_MAX = 15;
/** A number that hardly any Keenetic has given to a tunnel. */
const KEENETIC = "Wireguard9";

/** Whether a target speaks this version of AmneziaWG; null: plain WireGuard. */
export function takesCommands(target: CommandTarget, version: AmneziaVersion | null): boolean {
  if (version === null || target === "linux") return true;
  const apps = { keenetic: "Keenetic", openwrt: "OpenWrt", mikrotik: null, networkManager: null } as const;
  const name = apps[target];
  return name !== null && amneziaAppsFor("router", version).some((app) => app.name === name);
}

/** Reads a device's file, of either kind. Throws ConfigTextError. */
export function readDeviceConfig(text: string, version: AmneziaVersion | null): DeviceConfig {
  return version === null ? { ...parseConfig(text), profile: null } : parseAmneziaConfig(text);
}

/**
 * What a person pastes there to set the device up, ending with a newline. Every value matches its field's grammar, as in a file.
 * Throws ConfigTextError for a value or a name that does not, and RangeError for a target that has no such tunnel.
 */
export function deviceCommands(target: CommandTarget, config: DeviceConfig, name: string): string {
  if (!NAME.test(name)) throw new ConfigTextError("not a config's name", null);
  if (!takesCommands(target, config.profile?.version ?? null)) throw new RangeError(`${target} has no such tunnel`);
  // Checked and canonical: what could not be in a file cannot be in a command.
  const known: Known = { ...parseConfig(writeConfig(config)), profile: config.profile, file: fileOf(config) };
  if (known.privateKey === null) throw new ConfigTextError("no PrivateKey", null);
  return `${WRITERS[target](known, name).join("\n")}\n`;
}

type Known = DeviceConfig & { file: string };

const fileOf = ({ profile, ...config }: DeviceConfig) =>
  profile === null ? writeConfig(config) : writeAmneziaConfig({ ...config, profile });
const isV4 = (network: string) => requireCidr(network).family === 4;
const linkName = (name: string, between: string) => `${PREFIX}${between}${name}`.slice(0, LINK_NAME_MAX);

/** '10.8.0.7/24' as '10.8.0.7 255.255.255.0'. */
function withMask(network: string): string {
  const [address = "", prefix = "32"] = network.split("/");
  const bits = [0, 8, 16, 24].map((at) => 256 - 2 ** (8 - Math.min(8, Math.max(0, Number(prefix) - at))));
  return `${address} ${bits.join(".")}`;
}

/** IPv4 only: how KeeneticOS gives a tunnel IPv6 differs by version. */
function keenetic({ privateKey, addresses, mtu, peer, profile }: Known, name: string): string[] {
  const own = `interface ${KEENETIC}`;
  const its = `${own} wireguard peer ${peer.publicKey}`;
  const networks = peer.allowedIps.filter(isV4);
  const isWhole = networks.includes("0.0.0.0/0");
  return [
    own,
    `${own} description ${linkName(name, "-")}`,
    `${own} security-level public`,
    ...addresses.filter(isV4).map((address) => `${own} ip address ${withMask(address)}`),
    ...(mtu === null ? [] : [`${own} ip mtu ${mtu}`]),
    `${own} ip tcp adjust-mss pmtu`,
    `${own} wireguard private-key ${privateKey}`,
    ...(profile === null ? [] : [`${own} wireguard asc ${ascOf(profile)}`]),
    its,
    `${its} endpoint ${formatEndpoint(peer.endpoint)}`,
    ...(peer.presharedKey === null ? [] : [`${its} preshared-key ${peer.presharedKey}`]),
    ...(peer.persistentKeepalive === null ? [] : [`${its} keepalive-interval ${peer.persistentKeepalive}`]),
    ...networks.map((network) => `${its} allow-ips ${withMask(network)}`),
    `${its} connect`,
    // It routes nothing of its own accord.
    ...(isWhole
      ? [`${own} ip global auto`]
      : networks.map((network) => `ip route ${withMask(network)} ${KEENETIC} auto`)),
    `${own} up`,
    "system configuration save",
  ];
}

/** KeeneticOS's nine values, and seven more if one of them is set. */
function ascOf(profile: AmneziaProfile): string {
  const values = (names: string) => names.split(" ").map((name) => amneziaValue(profile, name));
  const first = values("jc jmin jmax s1 s2 h1 h2 h3 h4");
  const paddings = values("s3 s4");
  const chains = values("i1 i2 i3 i4 i5");
  const hasMore = paddings.some((value) => value !== "0") || chains.some((value) => value !== "");
  return [...first, ...(hasMore ? [...paddings, ...chains.map((value) => `"${value}"`)] : [])].join(" ");
}

/** RouterOS 7, which routes nothing by its allowed addresses. */
function mikrotik({ privateKey, addresses, dns, mtu, peer }: Known, name: string): string[] {
  const link = `"${linkName(name, "-")}"`;
  const ofFamily = (v4: boolean) => peer.allowedIps.filter((network) => isV4(network) === v4);
  const { host, port } = peer.endpoint;
  const isWhole = peer.allowedIps.includes("0.0.0.0/0");
  // A more specific route than the provider's, which stays for the server itself.
  const routes = ofFamily(true).flatMap((network) =>
    network === "0.0.0.0/0" ? ["0.0.0.0/1", "128.0.0.0/1"] : [network],
  );
  const routes6 = ofFamily(false).map((network) => (network === "::/0" ? "2000::/3" : network));
  const server = isIP(host) === 4 ? host : `[:resolve "${host}"]`;
  const isServerV4 = isIP(host) !== 6;
  return [
    `/interface wireguard add name=${link} private-key="${privateKey}"${mtu === null ? "" : ` mtu=${mtu}`}`,
    [
      `/interface wireguard peers add interface=${link} public-key="${peer.publicKey}"`,
      ...(peer.presharedKey === null ? [] : [`preshared-key="${peer.presharedKey}"`]),
      `endpoint-address="${host}" endpoint-port=${port} allowed-address=${peer.allowedIps.join(",")}`,
      ...(peer.persistentKeepalive === null ? [] : [`persistent-keepalive=${peer.persistentKeepalive}s`]),
    ].join(" "),
    ...addresses.map((address) =>
      isV4(address)
        ? `/ip address add address=${address} interface=${link}`
        : `/ipv6 address add address=${address} interface=${link} advertise=no`,
    ),
    `/ip firewall nat add chain=srcnat out-interface=${link} action=masquerade`,
    ...(routes6.length > 0 ? [`/ipv6 firewall nat add chain=srcnat out-interface=${link} action=masquerade`] : []),
    ...(isWhole && isServerV4
      ? [
          `/ip route add dst-address=(${server} . "/32") gateway=[/ip route get ([/ip route find dst-address=0.0.0.0/0 active]->0) gateway]`,
        ]
      : []),
    ...routes.map((network) => `/ip route add dst-address=${network} gateway=${link}`),
    ...routes6.map((network) => `/ipv6 route add dst-address=${network} gateway=${link}`),
    ...(dns.length > 0 ? [`/ip dns set servers=${dns.join(",")}`] : []),
  ];
}

/** By uci; the interface joins the zone of the provider, which masquerades. */
function openwrt({ privateKey, addresses, dns, mtu, peer, profile }: Known, name: string): string[] {
  const link = linkName(name.replaceAll("-", "_"), "_");
  const proto = profile === null ? "wireguard" : "amneziawg";
  const own = `network.${link}`;
  const its = `network.${link}_peer`;
  // No value has an apostrophe.
  const set = (key: string, value: string | number) => `uci set ${key}='${value}'`;
  const add = (key: string, value: string) => `uci add_list ${key}='${value}'`;
  return [
    `uci -q delete ${own}; uci -q delete ${its}`,
    set(own, "interface"),
    set(`${own}.proto`, proto),
    set(`${own}.private_key`, privateKey ?? ""),
    ...addresses.map((address) => add(`${own}.addresses`, address)),
    ...dns.map((address) => add(`${own}.dns`, address)),
    ...(mtu === null ? [] : [set(`${own}.mtu`, mtu)]),
    ...(profile === null
      ? []
      : amneziaLines(profile).map(({ field, text }) =>
          set(`${own}.awg_${field.name}`, { on: "1", off: "0" }[text] ?? text),
        )),
    set(its, `${proto}_${link}`),
    set(`${its}.public_key`, peer.publicKey),
    ...(peer.presharedKey === null ? [] : [set(`${its}.preshared_key`, peer.presharedKey)]),
    set(`${its}.endpoint_host`, peer.endpoint.host),
    set(`${its}.endpoint_port`, peer.endpoint.port),
    ...(peer.persistentKeepalive === null ? [] : [set(`${its}.persistent_keepalive`, peer.persistentKeepalive)]),
    set(`${its}.route_allowed_ips`, "1"),
    ...peer.allowedIps.map((network) => add(`${its}.allowed_ips`, network)),
    "uci commit network",
    "uci rename firewall.@zone[1]='wan'",
    `uci -q del_list firewall.wan.network='${link}'`,
    `uci add_list firewall.wan.network='${link}'`,
    "uci commit firewall",
    "service firewall restart; service network restart",
  ];
}

/** wg-quick, or awg-quick. */
function linux({ profile, file }: Known, name: string): string[] {
  const [folder, program] = profile === null ? ["/etc/wireguard", "wg"] : ["/etc/amnezia/amneziawg", "awg"];
  return [
    `sudo sh -c 'umask 077; mkdir -p ${folder}; cat > ${folder}/${name}.conf' <<'END'`,
    `${file}END`,
    `sudo systemctl enable --now ${program}-quick@${name}`,
  ];
}

const networkManager = ({ file }: Known, name: string): string[] => [
  `folder="$(mktemp -d)" && cat > "$folder/${name}.conf" <<'END'`,
  `${file}END`,
  `nmcli connection import type wireguard file "$folder/${name}.conf"; rm -r "$folder"`,
];

const WRITERS: Record<CommandTarget, (config: Known, name: string) => string[]> = {
  keenetic,
  mikrotik,
  openwrt,
  linux,
  networkManager,
};
