import type { Api } from "@krug/contract/api";
import { MOST_LINES_AT_ONCE } from "@krug/domain/member-import";
import { api } from "../../../lib/api.ts";
import { type CsvRows, isArchive, readCsv } from "../../../lib/read-csv.ts";
import { type MembersFile, readMembersFile } from "./members-file.ts";
import type { Invited } from "./printed-links.tsx";

type Look = Api["POST /admin/users/import/preview"]["answer"];

/** What a file says, and what the panel says about it. */
export interface Seen extends Omit<MembersFile, "problems">, Omit<Look, "problems"> {
  name: string;
  problems: (MembersFile["problems"][number] | Look["problems"][number])[];
}

const MOST_BYTES = 8 * 1024 * 1024;
/** A busy panel may need longer than usual for so many. */
const TIMEOUT_MS = 120_000;

const NOTHING: CsvRows = { rows: [], brokenLine: null };

/** Reads a file, and asks the panel about its lines. */
export async function lookAtFile(file: File): Promise<Seen> {
  const name = file.name;
  const none = { here: [], waiting: [], ended: [] };
  if (file.size > MOST_BYTES) return { ...refused("large"), ...none, name };
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isArchive(bytes)) return { ...refused("archive"), ...none, name };
  const groups = await api("GET /admin/groups");
  const read = readMembersFile(readCsv(bytes), groups);
  const seen: Seen = { ...read, ...none, name };
  const wrong = new Set(read.problems.map(({ line }) => line));
  const right = read.members.filter(({ line }) => !wrong.has(line));
  for (let at = 0; at < right.length; at += MOST_LINES_AT_ONCE) {
    const body = { members: right.slice(at, at + MOST_LINES_AT_ONCE) };
    const { here, waiting, ended, problems } = await api("POST /admin/users/import/preview", {
      body,
      timeoutMs: TIMEOUT_MS,
    });
    seen.here = seen.here.concat(here);
    seen.waiting = seen.waiting.concat(waiting);
    seen.ended = seen.ended.concat(ended);
    seen.problems = seen.problems.concat(problems);
  }
  return { ...seen, problems: seen.problems.toSorted((a, b) => a.line - b.line) };
}

const refused = (problem: "large" | "archive"): MembersFile => ({
  ...readMembersFile(NOTHING, []),
  problems: [{ line: 0, column: null, problem }],
});

/** The lines that add somebody, or get somebody another link. */
export const linesToSend = ({ members, here }: Seen) => {
  const stay = new Set(here);
  return members.filter(({ line }) => !stay.has(line));
};

/** Sends the lines, each slice whole or not at all, and tells after each how far it came. */
export async function sendLines(
  lines: MembersFile["members"],
  templateId: string,
  told: (sent: number, invited: readonly Invited[]) => void,
): Promise<void> {
  for (let at = 0; at < lines.length; at += MOST_LINES_AT_ONCE) {
    const members = lines.slice(at, at + MOST_LINES_AT_ONCE);
    const body = { members, ...(templateId === "" ? {} : { templateId }) };
    const { invited } = await api("POST /admin/users/import", { body, timeoutMs: TIMEOUT_MS });
    told(members.length, invited);
  }
}
