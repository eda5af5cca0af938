import { inflateSync } from "node:zlib";
import type { Namespace } from "./namespace.ts";
import { until } from "./network.ts";

/** Acts as an AmneziaWG app with a member's file, on a lab machine. */
export interface AmneziaClient {
  /** The socket's answer, each line `key=value`. */
  state(): Promise<string>;
  /** Seconds since 1970; 0 before the first. */
  handshakeAt(): Promise<number>;
  down(): Promise<unknown>;
}

/** On a separate connection: the question comes on stdin. */
const ASK = `let asked = "", told = "";
const socket = require("node:net").connect(process.argv[1]).on("error", () => process.exit(1));
process.stdin.on("data", (text) => (asked += text)).on("end", () => socket.write(asked));
socket.on("data", (text) => {
  told += text;
  if (!told.endsWith("\\n\\n")) return;
  process.stdout.write(told);
  socket.destroy();
});`;

/** Asks an engine's control socket there; null if it does not answer. */
export async function askEngine(
  at: Namespace,
  name: string,
  question: string,
  type: "wireguard" | "amneziawg" = "amneziawg",
  folder = "/var/run",
): Promise<string | null> {
  const path = `${folder}/${type}/${name}.sock`;
  const { exitCode, stdout } = await at.attempt(process.execPath, ["-e", ASK, path], { stdin: question });
  return exitCode === 0 ? stdout : null;
}

/**
 * The socket's names for a file's keys beyond WireGuard's own. The lab has its own list, from amneziawg-tools' config.c, so that
 * the product's writer is not checked with the product's parser.
 */
const NAMES: Record<string, string> = {
  ...Object.fromEntries(["Jc", "Jmin", "Jmax"].map((key) => [key, key.toLowerCase()])),
  ...Object.fromEntries(
    ["S1", "S2", "S3", "S4", "H1", "H2", "H3", "H4", "I1", "I2", "I3", "I4", "I5"].map((key) => [
      key,
      key.toLowerCase(),
    ]),
  ),
  HeaderProtectionKey: "header_protection_key",
  ContentPaddingAddition: "content_padding_addition",
  RekeyAfterTime: "rekey_after_time",
  RekeyTimeout: "rekey_timeout",
  RejectAfterTime: "reject_after_time",
  KeepaliveTimeout: "keepalive_timeout",
  MaxHandshakeAttempts: "max_handshake_attempts",
  RandomTrailers: "random_trailers",
  DisableCookies: "disable_cookies",
};
const ON_OFF: Record<string, string> = { on: "1", off: "0" };
const hex = (key: string) => Buffer.from(key, "base64").toString("hex");

interface File {
  own: Map<string, string>;
  peer: Map<string, string>;
}

/** Both sections of a file, each key once. */
function readFile(text: string): File {
  const sections: Record<string, Map<string, string>> = {};
  let section = "";
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (title !== undefined) {
      section = title;
      sections[section] = new Map();
      continue;
    }
    const [, key = "", value = ""] = /^(\w+) = (.+)$/.exec(line) ?? [];
    const fields = sections[section];
    if (key === "" || fields === undefined || fields.has(key)) throw new Error(`not a line of a file: ${line}`);
    fields.set(key, value);
  }
  const { Interface: own, Peer: peer } = sections;
  if (own === undefined || peer === undefined) throw new Error("a file has an interface and a peer");
  return { own, peer };
}

/** Extracts the file from AmneziaVPN's link: a length and zlib, and a text in JSON in JSON. */
export function fileInLink(link: string): string {
  const [, packed = ""] = /^vpn:\/\/([\w-]+)$/.exec(link) ?? [];
  const { defaultContainer, containers } = JSON.parse(
    inflateSync(Buffer.from(packed, "base64url").subarray(4)).toString(),
  );
  const [{ container, awg }] = containers;
  if (container !== defaultContainer) throw new Error("the app would open another container");
  return JSON.parse(awg.last_config).config;
}

/** Like an app, refuses a file with an unknown key. */
function deviceLines(own: File["own"]): string[] {
  return [...own].flatMap(([key, value]) => {
    if (["Address", "DNS", "MTU"].includes(key)) return [];
    if (key === "PrivateKey") return [`private_key=${hex(value)}`];
    const name = NAMES[key];
    if (name === undefined) throw new Error(`no app knows ${key}`);
    return [`${name}=${key === "HeaderProtectionKey" ? hex(value) : (ON_OFF[value] ?? value)}`];
  });
}

export async function amneziaUp(at: Namespace, engine: string, file: string, name = "krug"): Promise<AmneziaClient> {
  const { own, peer } = readFile(file);
  const list = (text = "") => text.split(",").map((each) => each.trim());
  await at.start(engine, ["--foreground", name], { env: { LOG_LEVEL: "error" } });
  await until(`${name} answers`, () => askEngine(at, name, "get=1\n\n"));
  const endpoint = peer.get("Endpoint") ?? "";
  const lines = [
    "set=1",
    ...deviceLines(own),
    `public_key=${hex(peer.get("PublicKey") ?? "")}`,
    ...(peer.has("PresharedKey") ? [`preshared_key=${hex(peer.get("PresharedKey") ?? "")}`] : []),
    `endpoint=${endpoint}`,
    "persistent_keepalive_interval=1",
    ...list(peer.get("AllowedIPs")).map((cidr) => `allowed_ip=${cidr}`),
  ];
  const answer = await askEngine(at, name, `${lines.join("\n")}\n\n`);
  if (answer !== "errno=0\n\n") throw new Error(`the engine refused the file: ${answer}`);
  for (const address of list(own.get("Address"))) await at.exec("ip", ["address", "add", address, "dev", name]);
  await at.exec("ip", ["link", "set", "dev", name, "mtu", own.get("MTU") ?? "1280", "up"]);
  // The server itself stays outside the tunnel.
  for (const half of ["0.0.0.0/1", "128.0.0.0/1"]) await at.exec("ip", ["route", "add", half, "dev", name]);
  const host = endpoint.slice(0, endpoint.lastIndexOf(":"));
  await at.exec("ip", ["route", "replace", `${host}/32`, "via", "198.51.100.254"]);
  const state = async () => (await askEngine(at, name, "get=1\n\n")) ?? "";
  return {
    state,
    handshakeAt: async () => Number(/^last_handshake_time_sec=(\d+)$/m.exec(await state())?.[1] ?? 0),
    down: () => at.exec("ip", ["link", "delete", "dev", name]),
  };
}
