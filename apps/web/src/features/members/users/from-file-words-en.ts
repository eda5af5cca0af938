import { counter } from "@krug/domain/plural";
import type { fromFile as words } from "./from-file-words-ru.ts";

const members = counter("en", { one: "member", other: "members" });
const places = counter("en", { one: "mistake", other: "mistakes" });

const columns: (typeof words)["columns"] = {
  username: "Username",
  displayName: "Member",
  subscriptionEnd: "Subscription until",
  vpnConfigLimit: "Config limit",
  groups: "Groups",
};

export const fromFile: typeof words = {
  title: "Members from a file",
  lead: "A CSV file as spreadsheets save it, and “CSV” above this list. Its first line names the columns: “Username”, and if needed “Member”, “Subscription until”, “Config limit” and “Groups”. Other columns are not read.",
  leadRole:
    "A file gives nobody a role, VIP or an unlimited subscription. Whoever is in the club already stays as they are. You see first what would happen.",
  choose: "Choose a file",
  sample: "Download an example",
  sampleFile: "krug-members",
  notRead: "The file could not be read",
  columns,
  columnsInOrder: [
    [columns.username, "anna-k"],
    [columns.displayName, "Anna"],
    [columns.subscriptionEnd, "2027-12-31"],
    [columns.vpnConfigLimit, "3"],
  ],
  problems: {
    large: () => "The file is larger than 8 MB. Split it.",
    archive: () => "This is an Excel workbook or an archive. Save the table as CSV and choose that.",
    quotes: () => "quotes are not closed, or in the wrong place",
    nothing: () => "no members in the file. The first line names the columns, the others the members",
    noUsername: () => "there is no column “Username”",
    column: (title) => `the column “${title}” repeats another`,
    lines: () => "more than 20,000 members in the file. Split it",
    username: () => "3 to 32 Latin letters, digits, hyphens and underscores",
    twice: (line) => `this username is already in line ${line}`,
    displayName: () => "1 to 64 characters in one line",
    day: (written) => `“${written}” is not a date. Write 2026-12-31 or 31.12.2026`,
    limit: (written) => `“${written}” does not fit. It takes a whole number from 0 to 10,000, or “no limit”`,
    group: (name) => `the club has no group “${name}”. Add it under “Groups” first`,
    groups: () => "more than a hundred groups",
  },
  atCell: (line, column, about) => `Line ${line}, “${column}”: ${about}`,
  atLine: (line, about) => `Line ${line}: ${about}`,
  wrong: (count) => `${places(count)} in the file, nobody was added`,
  moreWrong: (count) => `and ${count} more`,
  nobody: "Nobody to add: all are in the club already",
  newcomers: "New members",
  waiting: "In the club, no password yet: they get another link",
  here: "In the club already, will not change",
  ended: "Subscription is over: they begin without one",
  staff: "Another role in the file: they become ordinary members",
  ignored: "Columns not read",
  back: "Another file",
  toLinks: "To the links",
  add: (count) => (count === 0 ? "Add" : `Add ${members(count)}`),
  adding: (done, all) => (done === 0 ? "Adding..." : `${done} of ${all} done...`),
  goOn: "Continue",
  stopped: (done, all) => `${done} of ${all} done, the others were not added`,
  failed: "Nobody was added",
};
