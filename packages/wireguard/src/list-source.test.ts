import { expect, test } from "vitest";
import { nameInKey, readSource, shownSource } from "./list-source.ts";

test.each([
  ["https://Lists.Example/a?key=1#top", "list", "https://lists.example/a?key=1"],
  ["HTTPS://lists.example", "list", "https://lists.example/"],
  ["AS13335", "as", "AS13335"],
  ["as 013335", "as", "AS13335"],
  ["AS4294967295", "as", "AS4294967295"],
  ["fi", "country", "country:FI"],
  ["geoip:fi", "country", "country:FI"],
  ["Country:FI", "country", "country:FI"],
  ["YouTube.com.", "domain", "domain:youtube.com"],
  ["domain:i.ytimg.com", "domain", "domain:i.ytimg.com"],
  ["пример.рф", "domain", "domain:xn--e1afmkfd.xn--p1ai"],
] as const)("%j is a source, and its canonical form too", (text, kind, key) => {
  expect(readSource(text)).toEqual({ kind, key });
  expect(readSource(key)).toEqual({ kind, key });
});

test.each([
  "",
  "http://lists.example/a",
  "https://",
  "https://me:secret@lists.example/a",
  "https://me@lists.example/a",
  "ftp://lists.example",
  "file:///etc/passwd",
  "lists.example/a",
  "*.example.com",
  "me@example.com",
  "localhost",
  "domain:",
  "-bad.example",
  "example.123",
  `${"a".repeat(64)}.example`,
  "AS0",
  "AS4294967296",
  "ASN",
  "country:",
  "fin",
  "1.1.1.1",
])("%j is none", (text) => {
  expect(readSource(text)).toBeNull();
});

test("who reads the audit log sees where a list is, but no key in its address", () => {
  expect(shownSource("https://lists.example/a?key=secret")).toBe("lists.example/a");
  expect([shownSource("AS13335"), shownSource("country:FI")]).toEqual(["AS13335", "country:FI"]);
  expect([nameInKey("AS13335"), nameInKey("country:FI")]).toEqual(["13335", "FI"]);
});
