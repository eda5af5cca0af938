import { PERIODS, type Period } from "../../features/members/users/extend-periods.ts";

/** What staff do to a member by typing it: 'продлить павел 30'. */
export interface TypedAct {
  act: "extend" | "block" | "link";
  /** Of whom, as typed. */
  name: string;
  period?: Period;
}

/** The longer ones first. */
const VERBS: readonly [TypedAct["act"], readonly string[]][] = [
  ["link", ["ссылка", "на", "пароль"]],
  ["link", ["ссылка", "для", "пароля"]],
  ["link", ["password", "link"]],
  ["extend", ["продлить"]],
  ["extend", ["extend"]],
  ["block", ["заблокировать"]],
  ["block", ["block"]],
];
const DAYS = ["дней", "дня", "день", "д", "days", "day", "d"];
const BY = ["на", "by", "for"];

/** Null: it names no act, or nobody yet. */
export function readAct(typed: string): TypedAct | null {
  const words = typed.split(/\s+/).filter(Boolean);
  const said = words.map((word) => word.toLowerCase());
  const [act, verb] = VERBS.find(([, verb]) => verb.every((word, index) => said[index] === word)) ?? [];
  if (act === undefined || verb === undefined || words.length === verb.length) return null;
  const rest = words.slice(verb.length);
  if (act !== "extend") return { act, name: rest.join(" ") };
  const { name, period } = withoutPeriod(rest);
  return { act, name: name.join(" "), ...(period && { period }) };
}

/** The name before a period; a number that is none, or stands alone, belongs to the name. */
function withoutPeriod(words: readonly string[]): { name: readonly string[]; period?: Period } {
  const end = DAYS.includes(words.at(-1)?.toLowerCase() ?? "") ? -1 : words.length;
  const before = words.slice(0, end);
  const period = PERIODS.find((days) => days === before.at(-1));
  const name = before.slice(0, -1);
  const bare = BY.includes(name.at(-1)?.toLowerCase() ?? "") ? name.slice(0, -1) : name;
  return period === undefined || bare.length === 0 ? { name: words } : { name: bare, period };
}
