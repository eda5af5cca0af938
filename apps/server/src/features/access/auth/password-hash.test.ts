import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { makePasswordHashing } from "./password-hash.ts";

const { hashPassword, isPassword } = makePasswordHashing();

test("a password is stored as argon2id with 19 MiB, two passes, one lane and its own salt", async () => {
  const [one, two] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await isPassword(one, "correct horse")).toBe(true);
  expect(await isPassword(one, "correct horse ")).toBe(false);
});

test("no password opens an account without one", async () => {
  expect(await isPassword(null, "")).toBe(false);
  expect(await isPassword(null, "correct horse")).toBe(false);
});

test("й typed as one code point or as two is the same password", async () => {
  const hash = await hashPassword("йод-и-лёд".normalize("NFD"));
  expect(await isPassword(hash, "йод-и-лёд".normalize("NFC"))).toBe(true);
});

test("files can be read however many passwords are being hashed", async () => {
  const HASHES = 40;
  let done = 0;
  const all = Promise.all(Array.from({ length: HASHES }, () => hashPassword("correct horse").then(() => done++)));
  await readFile(new URL(import.meta.url));
  expect(done).toBeLessThan(HASHES / 2);
  await all;
});
