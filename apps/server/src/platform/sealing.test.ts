import { chmodSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeSealing, readMasterKey } from "./sealing.ts";

const sealing = makeSealing(Buffer.alloc(32, 7));

test("a sealed text opens at its own place only, and not after a change of any byte", () => {
  const sealed = sealing.seal("configs.private_key:1", "секрет");
  expect(sealing.open("configs.private_key:1", sealed)).toBe("секрет");
  expect(() => sealing.open("configs.private_key:2", sealed)).toThrow();
  expect(() => makeSealing(Buffer.alloc(32, 8)).open("configs.private_key:1", sealed)).toThrow();
  for (let at = 3; at < sealed.length; at += 5) {
    const altered = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    expect(() => sealing.open("configs.private_key:1", altered)).toThrow();
  }
});

test("the same secret is sealed differently each time, and hashed the same for one purpose", () => {
  expect(sealing.seal("x", "y")).not.toBe(sealing.seal("x", "y"));
  expect(sealing.hash("invite-code", "ABC234")).toBe(sealing.hash("invite-code", "ABC234"));
  expect(sealing.hash("invite-code", "ABC234")).not.toBe(sealing.hash("login-account", "ABC234"));
});

test("a master key is made once, with mode 0600; a missing one is never replaced where data is sealed", () => {
  const path = join(mkdtempSync(join(tmpdir(), "krug-key-")), "data", "master.key");
  expect(() => readMasterKey(path, false)).toThrow(/missing/);
  const key = readMasterKey(path, true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readMasterKey(path, false)).toEqual(key);
  chmodSync(path, 0o644);
  expect(() => readMasterKey(path, false)).toThrow(/chmod 600/);
  chmodSync(path, 0o600);
  writeFileSync(path, "short\n");
  expect(() => readMasterKey(path, true)).toThrow(/damaged/);
});
