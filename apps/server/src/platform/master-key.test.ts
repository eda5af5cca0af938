import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newMasterKey, readKeyFile, writeKeyFile } from "./master-key.ts";

function somewhere(): string {
  const folder = mkdtempSync(join(tmpdir(), "krug-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data", "master.key");
}

test("keys read back as written, readable by their owner only, with no leftover files", () => {
  const path = somewhere();
  expect(readKeyFile(path)).toBeNull();
  const [first, second] = [newMasterKey(), newMasterKey()];
  writeKeyFile(path, [first]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readKeyFile(path)).toEqual([first]);
  // As an interrupted write leaves it.
  writeFileSync(`${path}.new`, "half of a", { mode: 0o644 });
  writeKeyFile(path, [second, first]);
  expect(readKeyFile(path)).toEqual([second, first]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(path))).toEqual(["master.key"]);
});

test.skipIf(process.getuid?.() !== 0)(
  "on a full disk the key stays as it was, nothing is left over, and a sentence says why",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "krug-key-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8k,mode=0700", "tmpfs", folder]);
    onTestFinished(() => {
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true });
    });
    const path = join(folder, "master.key");
    const key = newMasterKey();
    writeKeyFile(path, [key]);
    expect(() => writeFileSync(join(folder, "filler"), Buffer.alloc(64_000))).toThrow("ENOSPC");
    expect(() => writeKeyFile(path, [newMasterKey(), key])).toThrow(
      `The master key ${path} cannot be written: the disk is full (ENOSPC).`,
    );
    expect(readKeyFile(path)).toEqual([key]);
    expect(readdirSync(folder).sort()).toEqual(["filler", "master.key"]);
  },
);

test("a key file that is a symlink stays one", () => {
  const [path, elsewhere] = [somewhere(), somewhere()];
  const key = newMasterKey();
  writeKeyFile(elsewhere, [newMasterKey()]);
  writeKeyFile(path, [newMasterKey()]);
  rmSync(path);
  symlinkSync(elsewhere, path);
  writeKeyFile(path, [key]);
  expect(readKeyFile(elsewhere)).toEqual([key]);
});

test("a key that others can read, a truncated one or a malformed one is refused, with what to do", () => {
  const path = somewhere();
  writeKeyFile(path, [newMasterKey(), newMasterKey()]);
  const whole = readFileSync(path, "utf8");
  chmodSync(path, 0o640);
  expect(() => readKeyFile(path)).toThrow(/chmod 600/);
  chmodSync(path, 0o600);
  for (const text of [
    "",
    "\n",
    "short\n",
    whole.slice(0, 40),
    whole.slice(0, 60),
    `${whole}x`,
    whole.replace(/^./, "*"),
  ]) {
    writeFileSync(path, text);
    expect(() => readKeyFile(path), JSON.stringify(text)).toThrow(/damaged.*Put its copy back/);
  }
  rmSync(path);
  expect(() => readKeyFile(dirname(path))).toThrow(/chmod|cannot be read/);
});

test("a key's name reveals nothing about the key, and no two keys share one", () => {
  const keys = Array.from({ length: 100 }, newMasterKey);
  expect(new Set(keys.map(({ id }) => id)).size).toBe(100);
  for (const { id, bytes } of keys) {
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(bytes.toString("hex")).not.toContain(id);
  }
});
