import { expect, test } from "vitest";
import { isCountCredible, passkeyHost } from "./passkey-rules.ts";

test.each([
  ["https://club.example", "club.example"],
  ["https://Club.Example:8443", "club.example"],
  ["http://localhost:3001", "localhost"],
  ["http://krug.localhost:3001", "krug.localhost"],
  ["http://club.example", null],
  ["https://203.0.113.7", null],
  ["https://203.0.113.7:8443", null],
  ["http://127.0.0.1:3001", null],
  ["https://[2001:db8::7]", null],
  ["https://[::1]:8443", null],
  ["http://localhost.example", null],
  ["http://evillocalhost", null],
  ["file://", null],
])("passkeys of a panel at %s belong to the host %s", (origin, host) => {
  expect(passkeyHost(origin)).toBe(host);
});

test.each([
  [0, 0, true],
  [0, 1, true],
  [7, 8, true],
  [7, 700, true],
  [7, 7, false],
  [7, 6, false],
  [7, 0, false],
])("after %i uses, an authenticator that counts %i is believed: %s", (known, counted, credible) => {
  expect(isCountCredible(known, counted)).toBe(credible);
});
