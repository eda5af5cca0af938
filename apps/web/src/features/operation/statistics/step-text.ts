import { writtenDay } from "../../../lib/format.ts";
import type { Language } from "../../../lib/i18n/language.ts";
import type { Traffic } from "./queries.ts";

type Step = Traffic["step"];

/** A step in a table's row: "21 ноября, 13:00", "21 ноября", "ноябрь 2026". */
export function stepText(at: string, step: Step, nowMs: number, language: Language): string {
  if (step === "month") return monthOf(at, language, "long");
  const day = writtenDay(at.slice(0, 10), nowMs, language);
  return step === "hour" ? `${day}, ${at.slice(11)}` : day;
}

/** The same short enough for an axis: "13:00", "21.11", "нояб.". */
export function stepMark(at: string, step: Step, language: Language): string {
  if (step === "hour") return at.slice(11);
  if (step === "day") return `${at.slice(8, 10)}.${at.slice(5, 7)}`;
  return monthOf(at, language, "short");
}

/** How much of a step's timestamp identifies it. */
const NAMED_BY = { hour: "YYYY-MM-DDTHH".length, day: "YYYY-MM-DD".length, month: "YYYY-MM".length };

/** Whether a step of the club's clock is still running: its traffic is not complete yet. */
export function isRunning(at: string, step: Step, zone: string, nowMs: number): boolean {
  // Swedish dates are in ISO format.
  const wall = new Date(nowMs).toLocaleString("sv-SE", { timeZone: zone }).replace(" ", "T");
  return at.slice(0, NAMED_BY[step]) === wall.slice(0, NAMED_BY[step]);
}

/** Month names come from Intl, whose first date is slow. Nobody waits for it here. */
function monthOf(at: string, language: Language, length: "long" | "short"): string {
  const date = new Date(`${at}-15T12:00:00Z`);
  const month = new Intl.DateTimeFormat(language, { month: length, timeZone: "UTC" }).format(date);
  return length === "short" ? month : `${month} ${at.slice(0, 4)}`;
}
