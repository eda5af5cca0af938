import { expect, test } from "vitest";
import { type DeviceFacts, type DeviceState, deviceState } from "./device-state.ts";
import type { EntitlementReason } from "./entitlement.ts";

const now = Date.parse("2026-11-23T12:00:00Z");
const since = "2026-11-23T11:00:00Z";
const fine: DeviceFacts = {
  state: "applied",
  isBlocked: false,
  dormant: null,
  ends: null,
  serverAwaySince: null,
  stats: { lastHandshake: now - 60_000 },
};

test.each<[string, Partial<DeviceFacts>, EntitlementReason, DeviceState]>([
  ["connected within five minutes", {}, "subscription", "online"],
  ["seen before", { stats: { lastHandshake: now - 3_600_000 } }, "subscription", "seen"],
  ["never seen", { stats: { lastHandshake: null } }, "subscription", "never"],
  ["nobody knows of a device while its server is away", { serverAwaySince: since }, "subscription", "server_away"],
  ["waits for its server", { state: "pending", serverAwaySince: since }, "subscription", "pending"],
  ["off because it was not seen, whatever its owner lacks", { state: "off", dormant: {} }, "expired", "dormant"],
  [
    "off because its end came, whatever its owner lacks",
    { state: "off", dormant: {}, ends: { isOver: true } },
    "expired",
    "ended",
  ],
  [
    "off because it was not seen, with an end to come",
    { state: "off", dormant: {}, ends: { isOver: false } },
    "expired",
    "dormant",
  ],
  ["off because staff blocked it, seen or not", { state: "off", isBlocked: true, dormant: {} }, "expired", "blocked"],
  ["off because staff blocked it, whatever else", { state: "off", isBlocked: true }, "expired", "blocked"],
  ["off because the traffic is used up", { state: "off" }, "quota", "quota"],
  ["off because the subscription ended", { state: "off" }, "expired", "no_subscription"],
  ["off because there is no subscription", { state: "off" }, "none", "no_subscription"],
  ["off though its owner may use it: its interface is", { state: "off" }, "referral", "interface_off"],
])("%s", (_, about, reason, expected) => {
  const allowed = reason === "subscription" || reason === "referral";
  expect(deviceState({ ...fine, ...about }, { allowed, reason }, now)).toBe(expected);
});
