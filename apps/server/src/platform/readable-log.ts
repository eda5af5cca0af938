import { styleText } from "node:util";
import type { LogTarget } from "./log.ts";

type Colour = "gray" | "green" | "yellow" | "red";

const LEVELS: Record<number, { name: string; colour: Colour }> = {
  10: { name: "trace", colour: "gray" },
  20: { name: "debug", colour: "gray" },
  30: { name: "info", colour: "green" },
  40: { name: "warn", colour: "yellow" },
  50: { name: "error", colour: "red" },
  60: { name: "fatal", colour: "red" },
};
/** The same on every line of one process. */
const LEFT_OUT = new Set(["level", "time", "pid", "hostname", "msg", "err"]);

/** The log for a person at a terminal: time, level, message, then its fields; a stack below. */
export function readableLog(terminal: { write(text: string): unknown }, inColour = !process.env.NO_COLOR): LogTarget {
  const paint = (colour: Colour, text: string) =>
    inColour ? styleText(colour, text, { validateStream: false }) : text;
  return {
    write(line) {
      const entry = parse(line);
      if (entry === null) return void terminal.write(line);
      const { name, colour } = LEVELS[Number(entry.level)] ?? { name: "log", colour: "gray" };
      const time = new Date(Number(entry.time)).toTimeString().slice(0, 8);
      const details = Object.entries(entry).flatMap(([key, value]) =>
        LEFT_OUT.has(key) ? [] : [`${key}=${plain(value)}`],
      );
      const words = [paint("gray", time), paint(colour, name.padEnd(5)), harmless(String(entry.msg ?? ""))];
      if (details.length > 0) words.push(paint("gray", details.join(" ")));
      terminal.write(`${words.join(" ")}\n${troubleOf(entry.err, paint)}`);
    },
  };
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "object" && entry !== null ? (entry as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A word unchanged, everything else as JSON, in which nothing moves the cursor. */
const plain = (value: unknown) =>
  typeof value === "string" && /^[\w.:/@-]+$/.test(value) ? value : harmless(JSON.stringify(value));

/** External text must not control the terminal. */
const harmless = (text: string) => text.replace(/\p{Cc}/gu, " ");

function troubleOf(error: unknown, paint: (colour: Colour, text: string) => string): string {
  if (typeof error !== "object" || error === null) return "";
  const { stack, message } = error as { stack?: unknown; message?: unknown };
  const text = String(stack ?? message ?? "");
  return text
    .split("\n")
    .map((line) => `  ${paint("gray", harmless(line))}\n`)
    .join("");
}
