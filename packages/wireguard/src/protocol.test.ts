import { expect, test } from "vitest";
import { DumpError, parseDump, parseInterfaceDump } from "./dump.ts";
import type { ActualInterface, DesiredInterface } from "./interface.ts";
import { generateKeyPair } from "./keys.ts";
import { isEmptyPlan, plan } from "./plan.ts";
import { type TunnelField, type TunnelProtocol, WIREGUARD } from "./protocol.ts";

const number = (name: string): TunnelField => ({
  name,
  initial: "0",
  parse: (text) => (/^\d{1,5}$/.test(text) ? String(Number(text)) : null),
});
/** A second kind of tunnel, with two numbers that both ends must share. */
const NOISY: TunnelProtocol = { ...WIREGUARD, program: "ng", fields: [number("junk"), number("pad")] };

const { privateKey, publicKey } = generateKeyPair();
const desired = (parameters?: Record<string, string>): DesiredInterface => ({
  name: "ng0",
  privateKey,
  publicKey,
  listenPort: 51820,
  addresses: ["10.8.0.1/24"],
  mtu: null,
  peers: [],
  ...(parameters && { parameters }),
});
const actual = (parameters?: Record<string, string>): ActualInterface => ({
  name: "ng0",
  publicKey,
  listenPort: 51820,
  fwmark: null,
  peers: [],
  ...(parameters && { parameters }),
});

test.each([
  ["equal values", { junk: "4", pad: "9" }, { junk: "4", pad: "9" }, {}],
  ["another value", { junk: "4", pad: "9" }, { junk: "4", pad: "8" }, { pad: "9" }],
  ["the same value in another spelling", { junk: "04" }, { junk: "4", pad: "0" }, {}],
  ["a value that is not wanted any more", {}, { junk: "4" }, { junk: "0" }],
  ["an interface without any", undefined, undefined, {}],
])("the plan sees every difference: %s", (_, wanted, standing, setParameters) => {
  const steps = plan(desired(wanted), actual(standing), NOISY);
  expect(steps.setParameters).toEqual(setParameters);
  expect(isEmptyPlan(steps)).toBe(Object.keys(setParameters).length === 0);
});

test("a new interface gets everything that differs from its initial values", () => {
  expect(plan(desired({ junk: "4", pad: "0" }), null, NOISY).setParameters).toEqual({ junk: "4" });
});

test("an invalid value of a field is refused", () => {
  expect(() => plan(desired({ junk: "much" }), null, NOISY)).toThrow(RangeError);
});

test("WireGuard itself has no such fields, and ignores any it is given", () => {
  expect(plan(desired({ junk: "4" }), actual()).setParameters).toEqual({});
});

test("a dump holds the fields between port and mark", () => {
  const row = [privateKey, publicKey, "51820", "04", "9", "off"];
  const read = { ...actual({ junk: "4", pad: "9" }) };
  expect(parseInterfaceDump("ng0", `${row.join("\t")}\n`, NOISY)).toEqual(read);
  expect(parseDump(`${["ng0", ...row].join("\t")}\n`, NOISY)).toEqual([read]);
  expect(() => parseInterfaceDump("ng0", `${row.join("\t")}\n`)).toThrow(DumpError);
  expect(() => parseInterfaceDump("ng0", `${row.with(3, "much").join("\t")}\n`, NOISY)).toThrow("not a valid junk");
});
