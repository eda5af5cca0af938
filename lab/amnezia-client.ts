import { amneziaFieldsOf, amneziaMtu } from "@krug/wireguard/amneziawg";
import { parseAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import type { Namespace } from "./namespace.ts";
import { until } from "./network.ts";

/** What an app for AmneziaWG does with a member's file, on a machine of the lab. */
export interface AmneziaClient {
  /** As the socket answers, each line `key=value`. */
  state(): Promise<string>;
  /** Seconds since 1970; 0 before the first. */
  handshakeAt(): Promise<number>;
}

/** On a connection of its own: the question comes on stdin. */
const ASK = `let asked = "", told = "";
const socket = require("node:net").connect(process.argv[1]).on("error", () => process.exit(1));
process.stdin.on("data", (text) => (asked += text)).on("end", () => socket.write(asked));
socket.on("data", (text) => {
  told += text;
  if (!told.endsWith("\\n\\n")) return;
  process.stdout.write(told);
  socket.destroy();
});`;

/** Talks to an engine's control socket there; null if nobody answers. */
export async function askEngine(at: Namespace, name: string, question: string): Promise<string | null> {
  const path = `/var/run/amneziawg/${name}.sock`;
  const { exitCode, stdout } = await at.attempt(process.execPath, ["-e", ASK, path], { stdin: question });
  return exitCode === 0 ? stdout : null;
}

export async function amneziaUp(at: Namespace, engine: string, file: string, name = "krug"): Promise<AmneziaClient> {
  const { privateKey, addresses, peer, profile, mtu } = parseAmneziaConfig(file);
  const hex = (key: string | null) => Buffer.from(key ?? "", "base64").toString("hex");
  await at.start(engine, ["--foreground", name], { env: { LOG_LEVEL: "error" } });
  await until(`${name} answers`, () => askEngine(at, name, "get=1\n\n"));
  const lines = [
    "set=1",
    `private_key=${hex(privateKey)}`,
    ...amneziaFieldsOf(profile.version).flatMap(({ name: key, initial }) => {
      const value = profile.parameters[key] ?? initial;
      return value === initial ? [] : [`${key}=${value}`];
    }),
    `public_key=${hex(peer.publicKey)}`,
    `preshared_key=${hex(peer.presharedKey)}`,
    `endpoint=${peer.endpoint.host}:${peer.endpoint.port}`,
    "persistent_keepalive_interval=1",
    ...peer.allowedIps.map((cidr) => `allowed_ip=${cidr}`),
  ];
  const answer = await askEngine(at, name, `${lines.join("\n")}\n\n`);
  if (answer !== "errno=0\n\n") throw new Error(`the engine refused the file: ${answer}`);
  for (const address of addresses) await at.exec("ip", ["address", "add", address, "dev", name]);
  await at.exec("ip", ["link", "set", "dev", name, "mtu", String(mtu ?? amneziaMtu(profile)), "up"]);
  // The server itself stays outside of the tunnel.
  for (const half of ["0.0.0.0/1", "128.0.0.0/1"]) await at.exec("ip", ["route", "add", half, "dev", name]);
  await at.exec("ip", ["route", "add", `${peer.endpoint.host}/32`, "via", "198.51.100.254"]);
  const state = async () => (await askEngine(at, name, "get=1\n\n")) ?? "";
  return {
    state,
    handshakeAt: async () => Number(/^last_handshake_time_sec=(\d+)$/m.exec(await state())?.[1] ?? 0),
  };
}
