import type { Api } from "@krug/contract/api";
import { DISPLAY_NAME_MAX, USERNAME_MAX, whyNotDisplayName, whyNotUsername } from "@krug/domain/account-rules";
import { HIGHEST_CONFIG_LIMIT, NO_LIMIT } from "@krug/domain/config-rules";
import { groupKey, MOST_GROUPS } from "@krug/domain/group-rules";
import type { CsvRows } from "../../../lib/read-csv.ts";

export type FileMember = Api["POST /admin/users/import"]["body"]["members"][number];

/** The columns that are taken, by the titles that the list's own file has in both languages, and by others that people use. */
const TITLES = {
  username: ["логин", "login", "username", "имя пользователя", "user"],
  displayName: ["участник", "member", "имя", "name", "display name", "displayname"],
  subscriptionEnd: ["подписка до", "subscription until", "subscriptionend", "subscription_end"],
  vpnConfigLimit: ["лимит конфигов", "config limit", "vpnconfiglimit", "vpn_config_limit"],
  groups: ["группы", "groups", "группа", "group"],
} as const;
export type FileColumn = keyof typeof TITLES;
const COLUMNS = Object.keys(TITLES) as FileColumn[];

/** Not taken, but told: a file gives nobody a role. */
const ROLE_TITLES = ["роль", "role"];
const PLAIN_ROLES = ["", "участник", "member", "user"];
const UNLIMITED = ["∞", "-1", "без лимита", "без ограничения", "no limit"];

export const MOST_FILE_LINES = 20_000;

export type FileProblem =
  | "large"
  | "archive"
  | "quotes"
  | "nothing"
  | "noUsername"
  | "column"
  | "lines"
  | "username"
  | "twice"
  | "displayName"
  | "day"
  | "limit"
  | "group"
  | "groups";
export interface Problem {
  line: number;
  column: FileColumn | null;
  problem: FileProblem;
  /** What is written there, or whose line it repeats. */
  written?: string;
}

export interface MembersFile {
  members: FileMember[];
  problems: Problem[];
  /** Titles of the columns that are not taken. */
  ignored: string[];
  /** How many lines name a role that a file does not give. */
  staff: number;
}

const plain = (text: string) => text.normalize("NFC").replaceAll("\u00a0", " ").trim().toLowerCase();

/** What a file's lines say about members, and what is wrong with them. `groups`: the club's. */
export function readMembersFile(
  { rows, brokenLine }: CsvRows,
  groups: readonly { id: string; name: string }[],
): MembersFile {
  const nothing = (line: number, problem: FileProblem, written?: string): MembersFile => ({
    members: [],
    problems: [{ line, column: null, problem, ...(written === undefined ? {} : { written }) }],
    ignored: [],
    staff: 0,
  });
  if (brokenLine !== null) return nothing(brokenLine, "quotes");
  const isEmpty = (cells: readonly string[]) => cells.every((cell) => cell === "");
  const headAt = rows.findIndex((cells) => !isEmpty(cells));
  const titles = rows[headAt];
  if (titles === undefined) return nothing(1, "nothing");
  const lines = [...rows.entries()].filter(([at, cells]) => at > headAt && !isEmpty(cells));
  if (lines.length > MOST_FILE_LINES) return nothing(MOST_FILE_LINES + 1, "lines");

  const places = new Map<FileColumn, number>();
  const ignored: string[] = [];
  for (const [at, title] of titles.entries()) {
    const column = COLUMNS.find((name) => (TITLES[name] as readonly string[]).includes(plain(title)));
    if (column === undefined) {
      if (title !== "") ignored.push(title);
    } else if (places.has(column)) return nothing(headAt + 1, "column", title);
    else places.set(column, at);
  }
  if (!places.has("username")) return nothing(headAt + 1, "noUsername");
  const roleAt = titles.findIndex((title) => ROLE_TITLES.includes(plain(title)));

  const known = new Map(groups.map(({ id, name }) => [groupKey(name), id]));
  const seen = new Map<string, number>();
  const problems: Problem[] = [];
  const members = lines.map(([at, cells]): FileMember => {
    const line = at + 1;
    const cellOf = (column: FileColumn) => cells[places.get(column) ?? -1] ?? "";
    const wrong = (column: FileColumn, problem: FileProblem, written = cellOf(column)) =>
      void problems.push({ line, column, problem, written: written.slice(0, 100) });
    const username = cellOf("username");
    const earlier = seen.get(username.toLowerCase());
    if (whyNotUsername(username) !== null) wrong("username", "username");
    else if (earlier !== undefined) wrong("username", "twice", String(earlier));
    else seen.set(username.toLowerCase(), line);
    const displayName = cellOf("displayName");
    if (displayName !== "" && whyNotDisplayName(displayName) !== null) wrong("displayName", "displayName");
    const day = dayIn(cellOf("subscriptionEnd"));
    if (day === null) wrong("subscriptionEnd", "day");
    const limit = limitIn(cellOf("vpnConfigLimit"));
    if (limit === null) wrong("vpnConfigLimit", "limit");
    const { found, unknown } = groupsIn(cellOf("groups"), known);
    if (unknown !== undefined) wrong("groups", "group", unknown);
    else if (found.length > MOST_GROUPS) wrong("groups", "groups");
    return {
      line,
      username: username.slice(0, USERNAME_MAX + 1),
      ...(displayName === "" ? {} : { displayName: displayName.slice(0, 2 * DISPLAY_NAME_MAX) }),
      ...(day ? { subscriptionEnd: day } : {}),
      ...(limit == null ? {} : { vpnConfigLimit: limit }),
      groups: found,
    };
  });
  if (members.length === 0) return nothing(headAt + 2, "nothing");
  const staff = roleAt < 0 ? 0 : lines.filter(([, cells]) => !PLAIN_ROLES.includes(plain(cells[roleAt] ?? ""))).length;
  return { members, problems, ignored, staff };
}

/** YYYY-MM-DD of a day written so or as DD.MM.YYYY; undefined if there is none, null if it is no day. */
function dayIn(written: string): string | null | undefined {
  if (written === "") return undefined;
  const [, day = "", month = "", year = ""] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(written) ?? [];
  const iso = year === "" ? written : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (!/^\d{4}-\d\d-\d\d$/.test(iso)) return null;
  const at = Date.parse(`${iso}T00:00:00Z`);
  // The thirtieth of February would be a day in March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso) ? iso : null;
}

function limitIn(written: string): number | null | undefined {
  if (written === "") return undefined;
  if (UNLIMITED.includes(plain(written))) return NO_LIMIT;
  return /^\d{1,5}$/.test(written) && Number(written) <= HIGHEST_CONFIG_LIMIT ? Number(written) : null;
}

/** The groups named in a cell. A name may have commas itself, so the longest that the club knows counts. */
function groupsIn(written: string, known: ReadonlyMap<string, string>): { found: string[]; unknown?: string } {
  // Names and separators alternate.
  const parts = written
    .slice(0, 10_000)
    .split(/([,;\n])/)
    .slice(0, 4 * MOST_GROUPS + 1);
  const found = new Set<string>();
  for (let at = 0; at < parts.length; ) {
    if (parts[at]?.trim() === "") {
      at += 2;
      continue;
    }
    let until = parts.length;
    const idOf = () => known.get(groupKey(parts.slice(at, until).join("")));
    while (until > at + 1 && idOf() === undefined) until -= 2;
    const id = idOf();
    if (id === undefined) return { found: [], unknown: parts[at]?.trim() ?? "" };
    found.add(id);
    at = until + 1;
  }
  return { found: [...found] };
}
