import { expect, test } from "vitest";
import { readableLog } from "./readable-log.ts";

function shown(entry: object | string, inColour = false): string {
  let text = "";
  const log = readableLog({ write: (piece) => (text += piece) }, inColour);
  log.write(typeof entry === "string" ? entry : `${JSON.stringify(entry)}\n`);
  return text;
}
const time = new Date(2026, 4, 1, 9, 5, 7).getTime();

test("a line is the time, the level, the message and its fields, without what every line has", () => {
  const entry = {
    level: 40,
    time,
    pid: 7,
    hostname: "vps",
    server: "a-1",
    reason: "no route",
    msg: "a server is away",
  };
  expect(shown(entry)).toBe('09:05:07 warn  a server is away server=a-1 reason="no route"\n');
});

test("an error's stack is below its line", () => {
  const err = { type: "Error", message: "broken", stack: "Error: broken\n    at work (file.ts:1:2)" };
  expect(shown({ level: 50, time, msg: "it failed", err })).toBe(
    "09:05:07 error it failed\n  Error: broken\n      at work (file.ts:1:2)\n",
  );
});

test("external text moves no cursor and sets no colour", () => {
  const evil = "\u001b[2J\r\u0007";
  const err = { stack: `Error: ${evil}` };
  expect(shown({ level: 30, time, msg: evil, name: evil, err })).not.toMatch(/[^\P{Cc}\n]/u);
});

test("levels have colours if colours are wanted, and a line that is not JSON is unchanged", () => {
  expect(shown({ level: 50, time, msg: "it failed" }, true)).toContain("\u001b[31merror\u001b[39m");
  expect(shown("not JSON\n")).toBe("not JSON\n");
});
