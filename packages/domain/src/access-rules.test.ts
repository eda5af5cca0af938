import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AccessRule, type Closures, groupBySelection, passage } from "./access-rules.ts";

const range = (first: number, last = first) => ({ family: 4 as const, first: BigInt(first), last: BigInt(last) });
const at = (value: number, tcpPort: number | null = null) => ({
  address: { family: 4 as const, value: BigInt(value) },
  tcpPort,
});
const rule = (
  type: AccessRule["type"],
  ranges: AccessRule["ranges"],
  appliesTo: AccessRule["appliesTo"] = "all",
): AccessRule => ({ type, ranges, appliesTo });
const OPEN: Closures<string> = { networks: [], tcpPorts: [], ownServer: { addresses: [], openTcpPorts: [] } };

describe("what a member can reach", () => {
  const ban = rule("blacklist", [range(10, 19)]);
  const annasBan = rule("blacklist", [range(20)], new Set(["anna"]));
  const exception = rule("whitelist", [range(15)]);
  const annasException = rule("whitelist", [range(16)], new Set(["anna"]));
  const rules = [ban, annasBan, exception, annasException];
  const closures: Closures<string> = {
    networks: [{ ...range(30, 39), why: "private" }],
    tcpPorts: [25],
    ownServer: { addresses: [range(40)], openTcpPorts: [443] },
  };

  test.each([
    ["a place without a rule is open", "anna", at(1), { open: true, by: "default" }],
    ["a ban for everyone blocks it", "boris", at(10), { open: false, by: "blacklist", rule: ban }],
    ["an exception for everyone wins", "boris", at(15), { open: true, by: "whitelist", rule: exception }],
    ["an exception for her wins for her", "anna", at(16), { open: true, by: "whitelist", rule: annasException }],
    ["and does not apply to anyone else", "boris", at(16), { open: false, by: "blacklist", rule: ban }],
    ["a ban for her blocks it for her", "anna", at(20), { open: false, by: "blacklist", rule: annasBan }],
    ["and leaves it open for others", "boris", at(20), { open: true, by: "default" }],
    ["a closed network is closed", "anna", at(30), { open: false, by: "closed", why: "private" }],
    ["a closed port is closed", "anna", at(1, 25), { open: false, by: "closed_port" }],
    ["and other ports are not", "anna", at(1, 443), { open: true, by: "default" }],
    ["her server's own port is closed", "anna", at(40, 22), { open: false, by: "closed_port" }],
    ["unless it is one for members", "anna", at(40, 443), { open: true, by: "default" }],
    ["and only its address is open", "anna", at(40), { open: true, by: "default" }],
    ["no exception opens a closed port", "anna", at(15, 25), { open: false, by: "closed_port" }],
  ])("%s", (_, member, destination, answer) => {
    expect(passage(member, destination, rules, closures)).toEqual(answer);
  });

  test("no exception opens a closed network", () => {
    const everything = rule("whitelist", [range(0, 1000)]);
    expect(passage("anna", at(35), [everything], closures)).toEqual({ open: false, by: "closed", why: "private" });
  });

  test("of rules with the same verdict the narrowest is named, then the first", () => {
    const wide = rule("blacklist", [range(0, 99)]);
    const narrow = rule("blacklist", [range(10, 12)]);
    const same = rule("blacklist", [range(10, 12)]);
    expect(passage("anna", at(11), [wide, narrow, same], OPEN)).toMatchObject({ rule: narrow });
  });

  test("an IPv4 address never matches an IPv6 network with the same number", () => {
    const v6 = rule("blacklist", [{ family: 6, first: 0n, last: 99n }]);
    expect(passage("anna", at(11), [v6], OPEN).open).toBe(true);
  });
});

test("members share a group exactly when the same rules name them", () => {
  const members = fc.constantFrom("anna", "boris", "vera", "gleb");
  const selections = fc.dictionary(fc.constantFrom("r1", "r2", "r3"), fc.uniqueArray(members));
  fc.assert(
    fc.property(selections, (byRule) => {
      const entries = Object.entries(byRule).map(([ruleId, memberIds]) => ({ ruleId, memberIds }));
      const groups = groupBySelection(entries);
      const naming = (member: string) =>
        entries.flatMap(({ ruleId, memberIds }) => (memberIds.some((id) => id === member) ? [ruleId] : []));
      for (const { ruleIds, memberIds } of groups)
        for (const member of memberIds) expect(naming(member)).toEqual(ruleIds);
      const named = new Set(entries.flatMap(({ memberIds }) => memberIds));
      expect(groups.flatMap(({ memberIds }) => memberIds).sort()).toEqual([...named].sort());
      expect(new Set(groups.map(({ ruleIds }) => ruleIds.join())).size).toBe(groups.length);
    }),
  );
});
