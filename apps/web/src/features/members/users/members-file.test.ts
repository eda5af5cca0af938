import { expect, test } from "vitest";
import { csvText } from "../../../lib/csv.ts";
import { readCsv } from "../../../lib/read-csv.ts";
import { MOST_FILE_LINES, readMembersFile } from "./members-file.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const friends = { id: "00000000-0000-4000-8000-000000000001", name: "Друзья" };
const close = { id: "00000000-0000-4000-8000-000000000002", name: "Друзья, близкие" };
const read = (file: string | Uint8Array) =>
  readMembersFile(readCsv(typeof file === "string" ? utf8(file) : file), [friends, close]);
const anna = { line: 2, username: "anna", displayName: "Анна", subscriptionEnd: "2026-12-31", groups: [] };

/** Russian letters as Excel on Windows saves them. */
const cp1251 = (text: string) =>
  Uint8Array.from(text, (letter) => {
    const code = letter.charCodeAt(0);
    return code < 0x80 ? code : code - 0x410 + 0xc0;
  });
const utf16 = (text: string) =>
  new Uint8Array(new Uint16Array([0xfeff, ...text].map((c) => (typeof c === "number" ? c : c.charCodeAt(0)))).buffer);

test.each<[string, string | Uint8Array]>([
  ["Excel in Russian", "\ufeffЛогин;Участник;Подписка до\r\nanna;Анна;31.12.2026\r\n"],
  ["Excel in English", "Username,Member,Subscription until\r\nanna,Анна,2026-12-31\r\n"],
  ["tabs", "login\tname\tsubscription_end\nanna\tАнна\t2026-12-31"],
  ["an old Excel", cp1251("Логин;Участник;Подписка до\r\nanna;Анна;31.12.2026\r\n")],
  ["Unicode text", utf16("Логин\tУчастник\tПодписка до\r\nanna\tАнна\t31.12.2026\r\n")],
  ["quotes, and columns in another order", '"Подписка до";"УЧАСТНИК";"Логин "\n"31.12.2026";" Анна";"anna"\n'],
])("a file of %s is read", (_, file) => {
  expect(read(file)).toEqual({ members: [anna], problems: [], ignored: [], staff: 0 });
});

test("a separator that the file names counts, with the line that names it", () => {
  expect(read("sep=,\r\nЛогин,Участник\r\nanna,а;б\r\n").members).toMatchObject([{ line: 3, displayName: "а;б" }]);
});

test("what is written against formulas is read back unchanged, also in groups and limits", () => {
  const names = ["=HYPERLINK(1)", "+7 900", "-1", "@SUM", "'=1", "''+1", "'тихо", 'Анна "Ян"', "а;б,в", "＝1"];
  const people = names.map((displayName, n) => ({ displayName, username: `member-${n}`, limit: n }));
  for (const language of ["ru", "en"] as const) {
    const columns = [
      { title: "Участник", text: (one: (typeof people)[number]) => one.displayName },
      { title: "Login", text: (one: (typeof people)[number]) => one.username },
      {
        title: "Лимит конфигов",
        text: (one: (typeof people)[number]) => (one.limit === 0 ? "без ограничения" : one.limit),
      },
      { title: "Groups", text: () => "Друзья, близкие, Друзья" },
    ];
    const { members, problems } = read(csvText(columns, people, language));
    expect(problems).toEqual([]);
    expect(members).toEqual(
      people.map(({ limit, ...one }, n) => ({
        line: n + 2,
        ...one,
        vpnConfigLimit: limit === 0 ? -1 : limit,
        groups: [close.id, friends.id],
      })),
    );
  }
});

test("each mistake is named with its line and column, and a cell of several lines is one line of the table", () => {
  const file = [
    "Логин;Участник;Подписка до;Лимит конфигов;Группы;Роль",
    'anna;"Анна\r\nКаренина";;;;Админ',
    "a;;31.02.2027;3,5;Враги;участник",
    "",
    "ANNA;;12/31/2027;10001;Друзья\u00a0;",
  ].join("\r\n");
  const { problems, ignored, staff } = read(file);
  expect(problems.map(({ line, column, problem, written }) => [line, column, problem, written])).toEqual([
    [2, "displayName", "displayName", "Анна\r\nКаренина"],
    [3, "username", "username", "a"],
    [3, "subscriptionEnd", "day", "31.02.2027"],
    [3, "vpnConfigLimit", "limit", "3,5"],
    [3, "groups", "group", "Враги"],
    [5, "username", "twice", "2"],
    [5, "subscriptionEnd", "day", "12/31/2027"],
    [5, "vpnConfigLimit", "limit", "10001"],
  ]);
  expect([ignored, staff]).toEqual([["Роль"], 1]);
});

test.each([
  ["nothing", 1, ""],
  ["nothing", 2, "Логин;Участник\r\n"],
  ["noUsername", 1, "Имя;Телефон\r\nАнна;+7"],
  ["column", 1, "Логин;Имя;Участник\r\nanna;а;б"],
  ["quotes", 2, 'Логин;Имя\r\nanna;"Анна\r\nvera;Вера'],
  ["lines", MOST_FILE_LINES + 1, `Логин\n${"anna\n".repeat(MOST_FILE_LINES + 1)}`],
] as const)("a file that cannot be taken at all says why: %s in line %i", (problem, line, file) => {
  expect(read(file)).toMatchObject({ members: [], problems: [{ line, problem }] });
});

test("20,000 lines are read", () => {
  const lines = Array.from({ length: MOST_FILE_LINES }, (_, n) => `member-${n};Участник ${n};31.12.2027;3;Друзья`);
  const { members, problems } = read(`Логин;Имя;Подписка до;Лимит конфигов;Группы\r\n${lines.join("\r\n")}`);
  expect([members.length, problems]).toEqual([MOST_FILE_LINES, []]);
  expect(members.at(-1)).toMatchObject({ line: MOST_FILE_LINES + 1, username: `member-${MOST_FILE_LINES - 1}` });
});
