import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Machine } from "../machine.ts";
import type { AgentSession } from "./agent-session.ts";
import { bringEngineTo, ENGINE_PATH } from "./engine.ts";

const BYTES = Buffer.alloc(300_000, "engine");
const sumOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

let folder: string;
let ours: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "krug-engine-"));
  ours = join(folder, "krug-engine-amd64");
  writeFileSync(ours, BYTES);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A server of this kind, whose helper stores what it is given. */
function server({ processor = "x86_64", there = null as Buffer | null } = {}) {
  const done: string[] = [];
  const at = { there, draft: Buffer.alloc(0), fail: null as [string, string, string] | null };
  const answer = (word: string, fields: readonly (string | Uint8Array)[]): string[] => {
    if (word === "engine") return at.there ? ["is", sumOf(at.there)] : ["is"];
    if (word === "part") {
      if (at.fail !== null && at.draft.length > 0) return at.fail;
      at.draft = Buffer.concat([fields[0] === "0" ? Buffer.alloc(0) : at.draft, Buffer.from(fields[1] as Uint8Array)]);
      return ["is"];
    }
    if (sumOf(at.draft) !== fields[0]) return ["other"];
    at.there = at.draft;
    return ["is"];
  };
  const session = {
    async ask(word: string, fields: readonly (string | Uint8Array)[]) {
      done.push(word);
      const [said = "", ...rest] = answer(word, fields);
      return { word: said, fields: rest.map((each) => Buffer.from(each)) };
    },
  } as unknown as AgentSession;
  const machine = {
    run: async () => `${processor}\n`,
    findProgram: async () => (at.there === null ? null : ENGINE_PATH),
    start: async (program: string) => void done.push(`start ${program}`),
  } as unknown as Machine;
  const over = (files: { x64: string | null; arm64: string | null }) =>
    bringEngineTo(machine, async () => session, { ...files, isForAmneziaAlone: false });
  return { done, at, over };
}

test("it is installed when a tunnel needs it, and not again while it is the same", async () => {
  const { done, at, over } = server();
  const { machine } = over({ x64: ours, arm64: null });
  expect(await machine.findProgram(ENGINE_PATH)).toBe(ENGINE_PATH);
  await machine.start("wireguard-go", []);
  expect(done.splice(0)).toEqual(["start wireguard-go"]);
  await machine.start(ENGINE_PATH, []);
  expect(done.splice(0)).toEqual(["engine", "part", "part", "part", "place", `start ${ENGINE_PATH}`]);
  expect(at.there).toEqual(BYTES);
  await machine.start(ENGINE_PATH, []);
  expect(done).toEqual(["engine", `start ${ENGINE_PATH}`]);
});

test("another panel's is replaced by ours", async () => {
  const { at, over } = server({ there: Buffer.from("older") });
  await over({ x64: ours, arm64: null }).bring();
  expect(at.there).toEqual(BYTES);
});

test("one that does not fit the server's disk, or is cut off, leaves the old one and is tried again", async () => {
  const { at, done, over } = server({ there: Buffer.from("older") });
  const { bring, machine } = over({ x64: ours, arm64: null });
  at.fail = ["refused", "28", "No space left on device"];
  await expect(machine.start(ENGINE_PATH, [])).rejects.toMatchObject({
    outcome: "refused",
    message: expect.stringContaining("no room"),
  });
  expect(done).not.toContain(`start ${ENGINE_PATH}`);
  expect(at.there?.toString()).toBe("older");
  at.fail = null;
  await bring();
  expect(at.there).toEqual(BYTES);
});

test("a damaged engine file of the panel is not sent anywhere", async () => {
  const { done, over } = server();
  const { bring } = over({ x64: ours, arm64: null });
  writeFileSync(`${ours}.sha256`, `${sumOf(BYTES)}  krug-engine-amd64\n`);
  await bring();
  done.splice(0);
  writeFileSync(ours, "something else");
  await expect(bring()).rejects.toThrow("checksum");
  expect(done).not.toContain("part");
  writeFileSync(ours, Buffer.alloc(33 * 1024 * 1024));
  await expect(bring()).rejects.toThrow("bytes");
  expect(done).not.toContain("part");
});

test("a panel without one for the server's processor says what to do, unless the server has one", async () => {
  const find = (processor: string, there: Buffer | null) =>
    server({ processor, there }).over({ x64: ours, arm64: null }).machine.findProgram(ENGINE_PATH);
  await expect(find("aarch64", null)).rejects.toThrow(/for aarch64.*krug-engine-arm64.*ENGINES/);
  await expect(find("riscv64", null)).rejects.toThrow(/x86_64, aarch64.*riscv64/);
  expect(await find("aarch64", BYTES)).toBe(ENGINE_PATH);
});
