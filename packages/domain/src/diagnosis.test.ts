import { describe, expect, test } from "vitest";
import { type DiagnosisCause, type DiagnosisFacts, diagnose, latelyFrom, tcpProbesFrom } from "./diagnosis.ts";
import { HOUR_MS, MINUTE_MS } from "./moment.ts";

const now = Date.parse("2026-11-21T12:20:00Z");
const ago = (ms: number) => now - ms;

/** A connected device in use; each row states only what differs. */
const inUse: DiagnosisFacts = {
  entitlement: { allowed: true, reason: "subscription" },
  configBlocked: false,
  dormant: false,
  hasEnded: false,
  interfaceActive: true,
  serverAway: false,
  tunnelDown: false,
  tunnelAnswersSince: null,
  notForwarded: false,
  exitsDown: [],
  onWire: true,
  fileOutdated: false,
  fileGivenAt: ago(24 * HOUR_MS),
  overPhoneLimit: false,
  lastHandshake: ago(MINUTE_MS),
  receivedLately: 40_000_000,
  tcpProbes: 0,
  clockAhead: 1_500,
};
const never = { lastHandshake: null, receivedLately: 0 };
const hoursAgo = { lastHandshake: ago(3 * HOUR_MS), receivedLately: 0 };
const answers = { tunnelAnswersSince: ago(HOUR_MS) };
const denied = (reason: DiagnosisFacts["entitlement"]["reason"]) => ({ entitlement: { allowed: false, reason } });

describe("the likely cause of a device not working", () => {
  test.each<[string, Partial<DiagnosisFacts>, DiagnosisCause]>([
    ["connected and in use", {}, "all_well"],
    ["the account is blocked", denied("blocked"), "blocked"],
    ["staff blocked this device", { configBlocked: true, onWire: false }, "blocked"],
    ["the month's traffic is used up", { ...denied("quota"), onWire: false }, "quota"],
    ["the subscription has ended", { ...denied("expired"), onWire: false }, "expired"],
    ["there never was a subscription", { ...denied("none"), onWire: false }, "no_subscription"],
    ["the interface is switched off", { interfaceActive: false, onWire: false }, "interface_off"],
    ["the server is away, whatever was seen before", { serverAway: true }, "server_away"],
    [
      "the interface does not answer, and the device is not connected",
      { ...hoursAgo, tunnelDown: true },
      "tunnel_down",
    ],
    ["the interface could not be brought up", { ...never, tunnelDown: true, onWire: false }, "tunnel_down"],
    ["only the panel cannot reach the interface", { tunnelDown: true }, "all_well"],
    ["the server is away, and so is its interface", { ...hoursAgo, serverAway: true, tunnelDown: true }, "server_away"],
    ["the server has not taken the device yet", { onWire: false }, "applying"],
    ["the file is outdated, although it connects", { fileOutdated: true }, "outdated_file"],
    ["a phone never connected and has too many addresses", { ...never, overPhoneLimit: true }, "too_many_addresses"],
    ["too many addresses do not matter if the phone accepted them", { overPhoneLimit: true }, "all_well"],
    ["connected, but hardly anything comes through", { receivedLately: 9_000 }, "no_dns"],
    ["connected, and the server passes nothing on", { receivedLately: 9_000, notForwarded: true }, "not_forwarded"],
    ["the server seems to pass nothing on, and pages come all the same", { notForwarded: true }, "all_well"],
    ["the server passes nothing on, and the device is off", { ...hoursAgo, notForwarded: true }, "switched_off"],
    ["its exit does not answer, and its traffic waits", { receivedLately: 9_000, exitsDown: ["wait"] }, "exit_waits"],
    ["much came before the exit went", { exitsDown: ["wait"] }, "exit_waits"],
    ["its exit does not answer, and traffic leaves straight", { exitsDown: ["direct"] }, "exit_direct"],
    ["its exit does not answer, and another stands in", { exitsDown: ["other"] }, "exit_other"],
    ["of several exits, the one that stops most is named", { exitsDown: ["other", "direct", "wait"] }, "exit_waits"],
    ["its exit does not answer, and the device is off", { ...hoursAgo, exitsDown: ["wait"] }, "switched_off"],
    [
      "its exit does not answer, and its server passes nothing on",
      { receivedLately: 0, notForwarded: true, exitsDown: ["wait"] },
      "not_forwarded",
    ],
    ["never seen at all", never, "never_connected"],
    ["its handshake attempts arrive but never complete", { ...never, tcpProbes: 148 }, "udp_blocked"],
    ["it was connected once and now only attempts handshakes", { ...hoursAgo, tcpProbes: 592 }, "udp_blocked"],
    ["it was connected once and is silent", hoursAgo, "switched_off"],
    ["others get through, and it took its file and never came", { ...never, ...answers }, "tunnel_blocked"],
    [
      "others get through, and it never came since it took its new file",
      { ...hoursAgo, ...answers, fileGivenAt: ago(HOUR_MS) },
      "tunnel_blocked",
    ],
    [
      "others get through, and its greetings come to nothing",
      { ...hoursAgo, ...answers, tcpProbes: 592 },
      "tunnel_blocked",
    ],
    ["it came with this file, and is silent", { ...hoursAgo, ...answers }, "switched_off"],
    ["it took its file a minute ago", { ...never, ...answers, fileGivenAt: ago(MINUTE_MS) }, "never_connected"],
    ["it never took its file", { ...never, ...answers, fileGivenAt: null }, "never_connected"],
    [
      "the interface has answered for a minute only",
      { ...never, tunnelAnswersSince: ago(MINUTE_MS) },
      "never_connected",
    ],
    [
      "its greetings may be from before the interface answered",
      { ...hoursAgo, tunnelAnswersSince: ago(MINUTE_MS), tcpProbes: 592 },
      "udp_blocked",
    ],
    ["others get through, and its clock is wrong", { ...never, ...answers, clockAhead: HOUR_MS }, "clock"],
    ["others get through, and so does it", answers, "all_well"],
    ["its clock is behind", { ...hoursAgo, clockAhead: -HOUR_MS }, "clock"],
    ["its clock is ahead and it never connected", { ...never, clockAhead: HOUR_MS }, "clock"],
    ["a wrong clock does not matter while the device is connected", { clockAhead: -HOUR_MS }, "all_well"],
    ["a clock that is nearly right counts as right", { ...hoursAgo, clockAhead: 4 * MINUTE_MS }, "switched_off"],
    ["its clock is unknown", { ...hoursAgo, clockAhead: null }, "switched_off"],
  ])("%s", (_, about, cause) => {
    expect(diagnose({ ...inUse, ...about }, now)).toBe(cause);
  });

  test("the club's own reasons come before anything on the device", () => {
    const everything = { ...inUse, ...never, fileOutdated: true, onWire: false, serverAway: true, configBlocked: true };
    expect(diagnose({ ...everything, ...denied("expired") }, now)).toBe("blocked");
    expect(diagnose({ ...everything, ...denied("expired"), configBlocked: false }, now)).toBe("expired");
    expect(diagnose({ ...everything, configBlocked: false }, now)).toBe("server_away");
  });
});

describe("which bytes count", () => {
  test("'lately' is this hour and the one before", () => {
    expect(new Date(latelyFrom(now)).toISOString()).toBe("2026-11-21T11:00:00.000Z");
  });

  test("bytes count as knocks only lately, and only after the last session must have ended", () => {
    expect(tcpProbesFrom(null, now)).toBe(0);
    expect(tcpProbesFrom(ago(10 * MINUTE_MS), now)).toBe(ago(7 * MINUTE_MS));
    expect(tcpProbesFrom(ago(100 * HOUR_MS), now)).toBe(latelyFrom(now));
  });
});
