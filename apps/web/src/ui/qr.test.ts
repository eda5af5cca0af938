import QRCode from "qrcode";
import { expect, test } from "vitest";
import { drawQr } from "./qr.tsx";

const text = (addresses: number) =>
  `[Peer]\nAllowedIPs = ${Array.from({ length: addresses }, (_, index) => `10.${index % 250}.0.0/16`).join(",")}`;

test("a short config gets a code of few modules", () => {
  expect(drawQr(text(3))?.size).toBeLessThan(60);
});

test("a config of 120 addresses still gets a code, at a lower level of error correction", () => {
  // Level H holds 1,273 bytes. This text is longer.
  expect(text(120).length).toBeGreaterThan(1273);
  expect(drawQr(text(120))).not.toBeNull();
});

test("the code is as readable as its text allows: never over 133 modules if a lower level needs fewer", () => {
  expect(drawQr(text(75))?.size).toBeLessThanOrEqual(133);
});

test("a text that no level can hold gets no code", () => {
  expect(drawQr(text(400))).toBeNull();
});

test.each([
  [3, "H"],
  [45, "H"],
  [60, "Q"],
  [90, "M"],
  [120, "L"],
] as const)("%i addresses are drawn at the most robust level that stays readable: %s", (addresses, level) => {
  const { modules } = QRCode.create(text(addresses), { errorCorrectionLevel: level });
  expect(drawQr(text(addresses))?.size).toBe(modules.size);
});

test("the drawing has a margin of one module", () => {
  const path = drawQr(text(3))?.path ?? "";
  expect(path.startsWith("M1,1h1v1h-1z")).toBe(true);
});
