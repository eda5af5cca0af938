import { counter } from "@krug/domain/plural";
import type { FileColumn, FileProblem } from "./members-file.ts";

const members = counter("ru", { one: "участника", few: "участников", many: "участников", other: "участника" });
const places = counter("ru", { one: "ошибка", few: "ошибки", many: "ошибок", other: "ошибки" });

const columns: Record<FileColumn, string> = {
  username: "Логин",
  displayName: "Участник",
  subscriptionEnd: "Подписка до",
  vpnConfigLimit: "Лимит конфигов",
  groups: "Группы",
};
const problems: Record<FileProblem, (written: string) => string> = {
  large: () => "Файл больше 8 МБ. Разделите его на части.",
  archive: () => "Это книга Excel или архив. Сохраните таблицу как CSV и выберите её снова.",
  quotes: () => "кавычки не закрыты или стоят не на месте",
  nothing: () => "в файле нет участников. Первая строка называет столбцы, остальные участников",
  noUsername: () => "нет столбца «Логин»",
  column: (title) => `столбец «${title}» повторяет другой`,
  lines: () => "в файле больше 20 000 участников. Разделите его на части",
  username: () => "от 3 до 32 латинских букв, цифр, дефисов и подчёркиваний",
  twice: (line) => `этот логин уже в строке ${line}`,
  displayName: () => "от 1 до 64 знаков в одну строку",
  day: (written) => `«${written}» не дата. Пишите так: 31.12.2026`,
  limit: (written) => `«${written}» не подходит. Нужно целое число от 0 до 10 000 или «без лимита»`,
  group: (name) => `группы «${name}» в клубе нет. Сначала добавьте её в «Группы»`,
  groups: () => "групп больше ста",
};

/** Members from a file. */
export const fromFile = {
  title: "Участники из файла",
  lead: "Файл CSV, как его сохраняют Excel и «CSV» над этим списком. Первая строка называет столбцы: «Логин», а если нужно, «Участник», «Подписка до», «Лимит конфигов» и «Группы». Остальные столбцы не читаются.",
  leadRole:
    "Роль, VIP и безлимитную подписку файл не даёт. Кто уже в клубе, остаётся как есть. Сначала вы увидите, что получится.",
  choose: "Выбрать файл",
  sample: "Скачать образец",
  sampleFile: "krug-участники",
  notRead: "Файл не удалось прочитать",
  columns,
  columnsInOrder: [
    [columns.username, "anna-k"],
    [columns.displayName, "Анна"],
    [columns.subscriptionEnd, "31.12.2027"],
    [columns.vpnConfigLimit, "3"],
  ] as readonly (readonly [string, string])[],
  problems,
  atCell: (line: number, column: string, about: string) => `Строка ${line}, «${column}»: ${about}`,
  atLine: (line: number, about: string) => `Строка ${line}: ${about}`,
  wrong: (count: number) => `${places(count)} в файле, никто не добавлен`,
  moreWrong: (count: number) => `и ещё ${count}`,
  nobody: "Добавлять некого: все уже в клубе",
  newcomers: "Новых участников",
  waiting: "В клубе, ещё без пароля: получат новую ссылку",
  here: "Уже в клубе, не изменятся",
  ended: "Подписка кончилась: начнут без неё",
  staff: "В файле с другой ролью: станут обычными участниками",
  ignored: "Не читаются столбцы",
  back: "Другой файл",
  toLinks: "К ссылкам",
  add: (count: number) => (count === 0 ? "Добавить" : `Добавить ${members(count)}`),
  adding: (done: number, all: number) => (done === 0 ? "Добавляем..." : `Готово ${done} из ${all}...`),
  goOn: "Продолжить",
  stopped: (done: number, all: number) => `Готово ${done} из ${all}, остальные не добавлены`,
  failed: "Никто не добавлен",
};
