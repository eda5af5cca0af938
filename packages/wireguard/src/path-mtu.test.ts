import { expect, test } from "vitest";
import { amneziaMtu } from "./amneziawg.ts";
import { DEFAULT_MTU, mtuForPath } from "./path-mtu.ts";

test.each([
  ["that nobody has measured", null, null],
  ["of Ethernet", 1500, null],
  ["of jumbo frames", 9000, null],
  ["over PPPoE", 1492, 1412],
  ["of a cloud with 1460 bytes", 1460, 1380],
  ["of a cloud with 1450 bytes", 1450, 1370],
  ["through another WireGuard", 1420, 1340],
  ["that just carries what IPv6 needs", 1360, 1280],
  ["with less than IPv6 needs, where packets come in pieces", 1300, 1280],
])("the MTU for a path %s", (_, path, mtu) => {
  expect(mtuForPath(path)).toBe(mtu);
});

test("AmneziaWG's padding is subtracted as well", () => {
  const usual = amneziaMtu({ parameters: { s4: "22" } });
  expect(usual).toBe(DEFAULT_MTU - 22);
  expect(mtuForPath(1500, usual)).toBeNull();
  expect(mtuForPath(1460, usual)).toBe(1358);
  expect(mtuForPath(1380, usual)).toBe(1280);
});
