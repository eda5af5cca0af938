import { describe, expect, test } from "vitest";
import { peerName, shortName } from "./peer-name.ts";

const NOTHING = { before: [], beside: "", inside: [], behindKey: "" };
const above = (...before: string[]) => peerName({ ...NOTHING, before });

describe("each program's way of recording a peer's name", () => {
  test.each([
    ["angristan", "Client anna", "anna"],
    ["PiVPN", "begin anna", "anna"],
    ["Nyr", "BEGIN_PEER anna", "anna"],
    ["wg-easy", "Client: anna (5b0e1a52-33c7-4b52-8b4f-4a8b3c1f0d2e)", "anna"],
    ["wg-easy 15", "Client: Anna (phone) (7)", "Anna (phone)"],
    ["wireguard-ui", "Name:         Борис, телефон", "Борис, телефон"],
    ["an exporter", "friendly_name = anna", "anna"],
    ["wgen", "_Name = anna", "anna"],
    ["a hand", "Name = anna", "anna"],
    ["linuxserver's image", "peer_anna", "anna"],
    ["a script", "anna start", "anna"],
    ["a hand without a mark", "anna's laptop (2)", "anna's laptop (2)"],
    ["what it says of its end", "end boris", null],
    ["what Nyr says of its end", "END_PEER boris", null],
    ["what a script says of its end", "boris end", null],
    ["an option that is commented out", "PersistentKeepalive = 25", null],
    ["when it was made", "Created at:   2026-03-02 10:00:00 +0000 UTC", null],
    ["when it was changed", "Update at:    2026-05-11 18:30:21 +0000 UTC", null],
    ["where mail goes", "Email:        anna@example.org", null],
    ["characters that were lost", "\uFFFD\uFFFD\uFFFD\uFFFD", null],
  ])("%s: %s", (_, comment, name) => expect(above(comment)).toBe(name));
});

test("in a block of facts only the name counts, wherever it is", () => {
  expect(above("ID: x", "Name: anna", "Email: a@example.org", "Update at: 2026-05-11")).toBe("anna");
});

test("the nearest comment counts if none is marked, and a mark counts more than being near", () => {
  expect(peerName({ ...NOTHING, before: ["phones"], inside: ["boris"] })).toBe("boris");
  expect(peerName({ ...NOTHING, before: ["phones"], beside: "anna", inside: ["since May"] })).toBe("anna");
  expect(peerName({ ...NOTHING, before: ["PersistentKeepalive = 25"], behindKey: "vera, old laptop" })).toBe(
    "vera, old laptop",
  );
  expect(peerName({ ...NOTHING, before: ["Client anna"], inside: ["since May"] })).toBe("anna");
  expect(peerName(NOTHING)).toBeNull();
});

test("a name is at most 64 readable characters", () => {
  expect(shortName(`a\u0000${"b".repeat(80)}`)).toBe(`a${"b".repeat(63)}`);
  expect(shortName(" \u200B ")).toBeNull();
});
