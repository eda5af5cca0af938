import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { AMNEZIA_VERSIONS } from "@krug/wireguard/amneziawg";
import { AMNEZIA_PRESETS, generateProfile } from "@krug/wireguard/amneziawg-generator";
import type { HandshakeKeys } from "@krug/wireguard/handshake";
import { generateKeyPair } from "@krug/wireguard/keys";
import type { TunnelParameters } from "@krug/wireguard/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { askEngine } from "./amnezia-client.ts";
import { makeNamespace, type Namespace } from "./namespace.ts";
import { startScript, until } from "./network.ts";
import { watchWire } from "./wire-watch.ts";

/* The panel's own handshake against the engine that we build. Its protocol code is not ours, unlike the tests' responder. */
/** The engine counts as busy while 128 handshakes wait, and for a second after that. */
const CROWD = 4_000;
const FIRST_PORT = 51820;
const hex = (key: string) => Buffer.from(key, "base64").toString("hex");

describe.skipIf(!existsSync(engine))("our engine of AmneziaWG", () => {
  let host: Namespace;
  let answers: Awaited<ReturnType<typeof watchWire>>;
  beforeAll(async () => {
    host = await makeNamespace("host");
    const ports = AMNEZIA_VERSIONS.map((_, place) => FIRST_PORT + place);
    answers = await watchWire(host, ports, { hook: "output", sides: ["sport"] });
  });
  afterAll(() => host?.close());

  /** An interface with this profile, and a function that greets it as new peers with each of the given profiles. */
  async function interfaceWith(name: string, port: number, profile: TunnelParameters) {
    const { privateKey, publicKey: interfaceKey } = generateKeyPair();
    await host.start(engine, ["--foreground", name], { env: { LOG_LEVEL: "error" } });
    await until(`${name} answers`, () => askEngine(host, name, "get=1\n\n"));
    const set = async (...lines: string[]) =>
      expect(await askEngine(host, name, ["set=1", ...lines, "\n"].join("\n"))).toBe("errno=0\n\n");
    const values = Object.entries(profile).map(([key, value]) => `${key}=${value}`);
    await set(`private_key=${hex(privateKey)}`, `listen_port=${port}`, ...values);
    await host.exec("ip", ["link", "set", name, "up"]);
    return async (profiles: TunnelParameters[], crowd = 0): Promise<string[]> => {
      const pairs = profiles.map(() => generateKeyPair());
      await set(...pairs.map(({ publicKey }) => `public_key=${hex(publicKey)}`));
      const keys = pairs.map((pair, place): HandshakeKeys => {
        return { privateKey: pair.privateKey, interfaceKey, profile: profiles[place]! };
      });
      const args = [String(port), JSON.stringify(keys), String(crowd)];
      const greeter = await startScript(host, "./amnezia-greeter.ts", args);
      return JSON.parse(await until("the greeters are done", () => greeter.output().trim() || null));
    };
  }

  test.concurrent.each(AMNEZIA_VERSIONS.map((version, place) => [version, place] as const))(
    "of %s answers peers with its profile, also when it is busy, and nobody else",
    async (version, place) => {
      const preset = AMNEZIA_PRESETS[randomInt(AMNEZIA_PRESETS.length)]!;
      const port = FIRST_PORT + place;
      const profile = generateProfile(version, preset, randomInt).parameters;
      const other = (name: string): TunnelParameters => {
        const [from] = (profile[name] ?? "").split("-");
        const value = { s: String(Number(from) + 1), h: "4294967295" }[name.charAt(0)] ?? "";
        return { ...profile, [name]: name === "header_protection_key" ? "7".repeat(64) : value };
      };
      const greet = await interfaceWith(`awg${place}`, port, profile);
      const shared = ["s1", "s2", "h1", "h2", ...(version === "3.1" ? ["header_protection_key"] : [])];
      expect(await greet([profile, profile, {}, ...shared.map(other)])).toEqual([
        "accepted answered",
        "accepted answered",
        "silent",
        ...shared.map(() => "silent"),
      ]);
      const [right, ...wrong] = await greet([profile, other("s3"), other("h3")], CROWD);
      expect(right).toBe("cookie accepted answered");
      // They cannot decode its cookies.
      for (const reply of wrong) expect(reply).not.toContain("cookie");
      // Responses and cookies. The busy engine sends many cookies.
      expect(await answers("seen", port)).toBeGreaterThan(50);
      expect(await answers("plain", port)).toBe(0);
      // Random trailers give messages any size.
      if (version === "2.0") expect(await answers("sizes", port)).toBe(0);
    },
  );
});
