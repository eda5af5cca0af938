import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AMNEZIA_FIELDS,
  AMNEZIA_VERSIONS,
  type AmneziaProfile,
  type AmneziaVersion,
  amneziaChange,
  amneziaFieldsOf,
  amneziaMtu,
  amneziawgBy,
  chainLength,
  rangeOf,
  whyNotProfile,
} from "./amneziawg.ts";
import { AMNEZIA_APPS, amneziaAppsFor } from "./amneziawg-apps.ts";
import { generateProfile } from "./amneziawg-generator.ts";
import { parseAmneziaLink, writeAmneziaLink } from "./amneziawg-link.ts";
import { type AmneziaConfig, parseAmneziaConfig, writeAmneziaConfig } from "./amneziawg-text.ts";
import { anyGenerated, anyHost, anyNetwork, anyPresharedKey, anyPrivateKey, anyPublicKey } from "./arbitraries.ts";
import { ConfigTextError, parseConfig } from "./config-text.ts";
import { plan } from "./plan.ts";
import { drift } from "./protocol.ts";

const anyVersion = fc.constantFrom(...AMNEZIA_VERSIONS);

const anyTag = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 20 }).map((raw) => `<b 0x${Buffer.from(raw).toString("hex")}>`),
  fc.tuple(fc.constantFrom("r", "rc", "rd"), fc.integer({ min: 1, max: 300 })).map(([kind, n]) => `<${kind} ${n}>`),
  fc.constant("<t>"),
);
const anyValue = (name: string): fc.Arbitrary<string> => {
  if (name.startsWith("i")) return fc.array(anyTag, { maxLength: 4 }).map((tags) => tags.join(""));
  if (name === "header_protection_key")
    return fc.uint8Array({ minLength: 32, maxLength: 32 }).map((raw) => Buffer.from(raw).toString("hex"));
  if (["random_trailers", "disable_cookies"].includes(name)) return fc.constantFrom("0", "1");
  const most = name.startsWith("h") ? 2 ** 32 - 1 : 65_535;
  if (/^(?:j|s)/.test(name)) return fc.nat(most).map(String);
  return fc
    .tuple(fc.nat(most), fc.nat(most))
    .map(([a, b]) => (a === b ? `${a}` : `${Math.min(a, b)}-${Math.max(a, b)}`));
};
/** Values for every key, valid or not. */
const anyProfile: fc.Arbitrary<AmneziaProfile> = anyVersion.chain((version) =>
  fc
    .record(Object.fromEntries(amneziaFieldsOf(version).map(({ name }) => [name, anyValue(name)])))
    .map((parameters) => ({ version, parameters })),
);
const anyConfig = (profiles: fc.Arbitrary<AmneziaProfile>): fc.Arbitrary<AmneziaConfig> =>
  fc.record({
    privateKey: anyPrivateKey,
    addresses: fc.array(anyHost, { minLength: 1, maxLength: 2 }),
    dns: fc.constantFrom([], ["10.8.0.1"], ["10.8.0.1", "fd00::1"]),
    mtu: fc.constantFrom(null, 1280, 1376),
    peer: fc.record({
      publicKey: anyPublicKey,
      presharedKey: fc.option(anyPresharedKey, { nil: null }),
      allowedIps: fc.array(anyNetwork, { minLength: 1, maxLength: 3 }),
      endpoint: fc.constant({ host: "vpn.example.org", port: 4443 }),
      persistentKeepalive: fc.constantFrom(null, 25),
    }),
    profile: profiles,
  });

const AMNEZIAWG = amneziawgBy("krug-engine");
const KEYS_OF_3 = AMNEZIA_FIELDS.filter(({ since }) => since === "3.1").map(({ key }) => key);
const GOOD: Record<AmneziaVersion, AmneziaProfile> = {
  "2.0": generateProfile("2.0", "ordinary", () => 0),
  "3.1": generateProfile("3.1", "ordinary", () => 0),
};
const changed = (version: AmneziaVersion, change: Record<string, string>) =>
  whyNotProfile({ version, parameters: { ...GOOD[version].parameters, ...change } });

describe("the generator", () => {
  test("keeps every bound, for each version and preset, whatever the random numbers", () => {
    fc.assert(
      fc.property(anyGenerated, (profile) => {
        expect(whyNotProfile(profile)).toEqual([]);
      }),
    );
  });

  // Checked again in its own words: a bound that is wrong in `whyNotProfile` would be wrong in both.
  test("junk in order and small, sizes distinct or equal, headers apart, chains short", () => {
    fc.assert(
      fc.property(anyGenerated, ({ version, parameters }) => {
        const number = (name: string) => Number(parameters[name]);
        expect(number("jc")).toBeGreaterThan(0);
        expect(number("jmin")).toBeGreaterThan(0);
        expect(number("jmin")).toBeLessThanOrEqual(number("jmax"));
        expect(number("jmax")).toBeLessThanOrEqual(1280);
        const padding = ["s1", "s2", "s3", "s4"].map(number);
        const sizes = [148, 92, 64, 32].map((fixed, place) => fixed + (padding[place] ?? 0));
        expect(Math.max(...sizes)).toBeLessThanOrEqual(1280);
        if (version === "2.0") expect(new Set(sizes).size).toBe(4);
        else expect(new Set(padding).size).toBe(1);
        if (version === "3.1") expect(Math.min(...padding)).toBeGreaterThanOrEqual(12);
        expect(amneziaMtu({ parameters })).toBeGreaterThanOrEqual(1280);
        const headers = ["h1", "h2", "h3", "h4"].map((name) => rangeOf(parameters[name]!));
        headers.sort((one, other) => one.from - other.from);
        headers.forEach(({ from }, place) => {
          if (place > 0) expect(from).toBeGreaterThan(headers[place - 1]!.to);
        });
        expect(chainLength(parameters.i1 ?? "")).toBeLessThanOrEqual(1280);
      }),
    );
  });

  test("never gives two messages one size, or a size of WireGuard's, however often it runs", () => {
    // One in some hundreds would have it, so a handful of profiles proves nothing.
    let state = 1;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const profiles = Array.from({ length: 3_000 }, () => generateProfile("2.0", "ordinary", random));
    expect(profiles.flatMap((profile) => whyNotProfile(profile))).toEqual([]);
    const sizes = profiles.flatMap(({ parameters: { s1, s2, s3, s4 } }) => {
      return [148 + Number(s1), 92 + Number(s2), 64 + Number(s3), 32 + Number(s4)];
    });
    expect(sizes.filter((size) => [148, 92, 64, 32].includes(size))).toEqual([]);
  });

  test("imitates what it says: a DNS reply, a QUIC Initial of 1,200 bytes", () => {
    const { i1: dns = "" } = generateProfile("3.1", "dns", () => 0).parameters;
    expect(dns).toMatch(/^<r 2><b 0x8580000100010000000006(?:69636c6f756403)636f6d/);
    const { i1: quic = "" } = generateProfile("2.0", "quic", () => 3).parameters;
    expect(chainLength(quic)).toBe(1200);
    expect(quic).toMatch(/^<b 0xc30000000108>/);
  });
});

describe("what the engines do not check is refused by the field's name", () => {
  test.each<[string, AmneziaVersion, Record<string, string>, object]>([
    ["no junk, which the 2.0 engine refuses", "2.0", { jc: "0" }, { field: "jc", reason: "too_small", limit: 1 }],
    ["too many junk packets", "2.0", { jc: "129" }, { field: "jc", reason: "too_large", limit: 128 }],
    ["Jmin over Jmax", "2.0", { jmin: "91", jmax: "90" }, { field: "jmax", reason: "below_other", other: "jmin" }],
    ["junk beyond a packet", "3.1", { jmax: "1281" }, { field: "jmax", reason: "too_large", limit: 1280 }],
    ["an initiation beyond a packet", "2.0", { s1: "1133" }, { field: "s1", reason: "too_large", limit: 1132 }],
    ["a response beyond a packet", "2.0", { s2: "1189" }, { field: "s2", reason: "too_large", limit: 1188 }],
    ["data padded beyond IPv6's least", "2.0", { s4: "141" }, { field: "s4", reason: "too_large", limit: 140 }],
    ["two messages of one size", "2.0", { s1: "20", s2: "76" }, { field: "s2", reason: "same_size_as_other" }],
    ["headers that overlap", "2.0", { h1: "5-9", h2: "9" }, { field: "h2", reason: "overlaps_other", other: "h1" }],
    ["plain WireGuard's type", "2.0", { h1: "1" }, { field: "h1", reason: "too_small", limit: 5 }],
    ["a key of 3.1 in 2.0", "2.0", { random_trailers: "0" }, { field: "random_trailers", reason: "not_in_version" }],
    ["a field of nobody", "2.0", { j1: "<t>" }, { field: "j1", reason: "not_in_version" }],
    ["not a number", "2.0", { s1: "-1" }, { field: "s1", reason: "not_a_value" }],
    ["more than 16 bits", "2.0", { s1: "65536" }, { field: "s1", reason: "not_a_value" }],
    ["a range upside down", "2.0", { h1: "9-5" }, { field: "h1", reason: "not_a_value" }],
    ["a negative count, which ends the engine", "2.0", { i1: "<r -1>" }, { field: "i1", reason: "not_a_value" }],
    ["text outside of tags", "2.0", { i1: "x<t>" }, { field: "i1", reason: "not_a_value" }],
    ["a new line", "2.0", { i1: "<t>\nH1 = 1" }, { field: "i1", reason: "not_a_value" }],
    ["a packet beyond a packet", "2.0", { i2: "<r 1281>" }, { field: "i2", reason: "too_large", limit: 1280 }],
    [
      "more text than the tools can pack",
      "2.0",
      { i1: `<b 0x${"ab".repeat(900)}>`, i3: `<b 0x${"ab".repeat(900)}>` },
      { field: "i3", reason: "too_long_together", limit: 3400 },
    ],
    ["a key without its nonce", "3.1", { s3: "11" }, { field: "s3", reason: "too_small", limit: 12 }],
    ["no key", "3.1", { header_protection_key: "0".repeat(64) }, { field: "header_protection_key", reason: "missing" }],
    ["trailers on unequal padding", "3.1", { s2: "13" }, { field: "s2", reason: "differs_from_other", other: "s1" }],
    ["trailers on a range of headers", "3.1", { h1: "10-90" }, { field: "h1", reason: "not_one_value" }],
    [
      "a session that ends before it is renewed",
      "3.1",
      { reject_after_time: "120-180" },
      { field: "reject_after_time", reason: "below_other", other: "rekey_after_time" },
    ],
    ["a timer of nothing", "3.1", { rekey_timeout: "0-3" }, { field: "rekey_timeout", reason: "too_small", limit: 1 }],
  ])("%s", (_, version, change, fault) => {
    expect(changed(version, change)).toContainEqual(expect.objectContaining(fault));
  });

  test("padding counts towards the tunnel's MTU", () => {
    const { parameters } = GOOD["2.0"];
    const profile: AmneziaProfile = { version: "2.0", parameters: { ...parameters, s4: "19" } };
    expect(whyNotProfile(profile, 1401)).toEqual([]);
    expect(whyNotProfile(profile, 1402)).toEqual([{ field: "s4", reason: "too_large", limit: 18 }]);
    expect(amneziaMtu(profile)).toBe(1401);
  });
});

describe("a config file", () => {
  test("reads back as written, with every key of every version and any line ending", () => {
    const withKey = (config: AmneziaConfig) =>
      // A profile of 3.1 has a key; a text without any of its fields is 2.0.
      config.profile.version === "2.0" || !/^0*$/.test(config.profile.parameters.header_protection_key ?? "");
    fc.assert(
      fc.property(anyConfig(anyProfile).filter(withKey), fc.constantFrom("\n", "\r\n", "\r"), (config, end) => {
        expect(parseAmneziaConfig(writeAmneziaConfig(config).replaceAll("\n", end))).toEqual(config);
      }),
    );
  });

  test("has only its version's keys, and those of 3.1 only if set", () => {
    fc.assert(
      fc.property(anyConfig(anyProfile), (config) => {
        const text = writeAmneziaConfig(config);
        const has = (key: string) => new RegExp(`^${key} = `, "m").test(text);
        if (config.profile.version === "2.0") expect(KEYS_OF_3.filter(has)).toEqual([]);
        for (const { key, name } of AMNEZIA_FIELDS) {
          if (/^(?:S|H\d)/.test(key)) expect(has(key)).toBe(true);
          if (key.startsWith("J")) expect(has(key)).toBe(Number(config.profile.parameters[name]) > 0);
          if (["RandomTrailers", "DisableCookies"].includes(key))
            expect(has(key)).toBe(config.profile.parameters[name] === "1");
        }
        expect(text).not.toMatch(/= off$/m);
      }),
    );
  });

  test("is written in Amnezia's order and spelling", () => {
    const [config] = fc.sample(anyConfig(fc.constant(GOOD["3.1"])), { numRuns: 1, seed: 1 });
    const text = writeAmneziaConfig({ ...config!, dns: ["10.8.0.1"], mtu: 1280 });
    const keys = text.split("\n").flatMap((line) => (line.includes(" = ") ? [line.split(" ", 1)[0]] : []));
    const disguise = "Jc Jmin Jmax S1 S2 S3 S4 H1 H2 H3 H4 HeaderProtectionKey ContentPaddingAddition";
    const timers = "RekeyAfterTime RekeyTimeout RejectAfterTime KeepaliveTimeout MaxHandshakeAttempts RandomTrailers";
    expect(keys.join(" ")).toContain(`Address DNS PrivateKey MTU ${disguise} ${timers} PublicKey`);
    expect(text).toContain("\nRandomTrailers = on\n");
    expect(text).toMatch(/^HeaderProtectionKey = [A-Za-z0-9+/]{43}=$/m);
    // Plain WireGuard does not accept it.
    expect(() => parseConfig(text)).toThrow(ConfigTextError);
  });

  test("refuses by line and name, without the value", () => {
    const [config] = fc.sample(anyConfig(fc.constant(GOOD["3.1"])), { numRuns: 1, seed: 1 });
    const text = writeAmneziaConfig(config!);
    const line = text.split("\n").findIndex((each) => each.startsWith("S1")) + 1;
    expect(() => parseAmneziaConfig(text.replace(/^S1 = .*$/m, "S1 = x"))).toThrow(`Line ${line}: not a valid S1`);
    expect(() => parseAmneziaConfig(text.replace(/^S1 = .*$/m, "S2 = 3"))).toThrow(/a second S2/);
    const parameters = { ...config!.profile.parameters, i1: "<t>\nPostUp = reboot" };
    expect(() => writeAmneziaConfig({ ...config!, profile: { version: "3.1", parameters } })).toThrow(/not a valid I1/);
    expect(() =>
      writeAmneziaConfig({ ...config!, profile: { version: "2.0", parameters: GOOD["3.1"].parameters } }),
    ).toThrow(/AmneziaWG 2.0 has no/);
  });

  test("survives as AmneziaVPN's link", () => {
    fc.assert(
      fc.property(anyConfig(anyGenerated), fc.string(), (config, description) => {
        const link = writeAmneziaLink(config, description);
        expect(link).toMatch(/^vpn:\/\/[A-Za-z0-9_-]+$/);
        const read = parseAmneziaLink(link);
        expect(writeAmneziaConfig(read!.config)).toBe(writeAmneziaConfig(config));
        expect(read!.description).toBe(description);
      }),
    );
    expect(parseAmneziaLink("vpn://AAAA")).toBeNull();
    expect(parseAmneziaLink("https://example.org")).toBeNull();
  });
});

describe("the interface", () => {
  test("a profile is set as a whole, and an omitted field returns to its initial value", () => {
    fc.assert(
      fc.property(anyProfile, anyProfile, (before, after) => {
        const steps = drift(AMNEZIAWG, after.parameters, before.parameters);
        const result = { ...before.parameters, ...steps };
        for (const { name, initial } of AMNEZIA_FIELDS)
          expect(result[name] ?? initial).toBe(after.parameters[name] ?? initial);
        expect(drift(AMNEZIAWG, after.parameters, result)).toEqual({});
      }),
    );
  });

  test("each differing parameter is detected", () => {
    for (const version of AMNEZIA_VERSIONS) {
      for (const { name, parse } of amneziaFieldsOf(version)) {
        const [other] = fc.sample(
          anyValue(name).filter((value) => parse(value) !== GOOD[version].parameters[name]),
          { numRuns: 1, seed: 7 },
        );
        const parameters = { ...GOOD[version].parameters, [name]: other! };
        expect(Object.keys(drift(AMNEZIAWG, GOOD[version].parameters, parameters))).toEqual([name]);
      }
    }
  });

  test("it is recreated for what cannot be undone, and reports whom a change cuts off", () => {
    const [key, publicKey] = fc.sample(fc.tuple(anyPrivateKey, anyPublicKey), { numRuns: 1, seed: 1 })[0]!;
    const standing = {
      name: "a",
      publicKey,
      listenPort: 1,
      fwmark: null,
      peers: [],
      parameters: GOOD["3.1"].parameters,
    };
    const desired = { name: "a", privateKey: key, publicKey, listenPort: 1, addresses: [], mtu: null, peers: [] };
    const to = (parameters: Record<string, string>) =>
      plan({ ...desired, parameters: { ...GOOD["3.1"].parameters, ...parameters } }, standing, AMNEZIAWG).recreate;
    expect(to({ jc: "9" })).toBe(false);
    expect(to({ random_trailers: "0" })).toBe(false);
    expect(to({ header_protection_key: "0".repeat(64) })).toBe(true);
    expect(to({ header_protection_key: "1".repeat(64) })).toBe(false);

    const change = (parameters: Record<string, string>) =>
      amneziaChange(GOOD["3.1"], { version: "3.1", parameters: { ...GOOD["3.1"].parameters, ...parameters } });
    expect(change({})).toEqual({ fields: [], cutsDevicesOff: false });
    expect(change({ jc: "9", i1: "<t>", rekey_timeout: "5", disable_cookies: "1" })).toEqual({
      fields: ["jc", "i1", "rekey_timeout", "disable_cookies"],
      cutsDevicesOff: false,
    });
    for (const name of ["s1", "h1", "header_protection_key", "random_trailers"])
      expect(change({ [name]: name === "header_protection_key" ? "1".repeat(64) : "0" }).cutsDevicesOff).toBe(true);
  });
});

test("each platform has an app for each version, as far as there is one", () => {
  for (const platform of ["android", "ios", "macos", "windows", "linux"] as const)
    for (const version of AMNEZIA_VERSIONS) expect(amneziaAppsFor(platform, version)).not.toEqual([]);
  expect(amneziaAppsFor("router", "3.1").map(({ name }) => name)).toEqual(["OpenWrt"]);
  for (const { page } of AMNEZIA_APPS) expect(page ?? "https://").toMatch(/^https:\/\//);
});
