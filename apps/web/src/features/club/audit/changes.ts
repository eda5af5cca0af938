import { AUDIT_FIELDS, type AuditKind } from "@krug/domain/audit-fields";
import { NO_LIMIT } from "@krug/domain/config-rules";
import { clubDay, moment, sizeText, writtenShortDay } from "../../../lib/format.ts";
import type { Language } from "../../../lib/i18n/language.ts";
import type { AuditWords } from "./words.ts";

type Values = Record<string, unknown> | null;

/** One field of an entry as text; null: no value. */
export interface Change {
  field: string;
  before: string | null;
  after: string | null;
}

interface Reader {
  words: AuditWords;
  language: Language;
  /** Names of ids. Ids without one are shown by their first characters. */
  names?: Readonly<Record<string, string>>;
}

/** An id next to its name adds nothing. The exported file has both. */
const NAMED_BESIDE: Readonly<Record<string, string>> = { serverId: "server", interfaceId: "interface" };

/** What an entry changed, field by field, in the recorded order. */
export function changesOf({ before, after }: { before: Values; after: Values }, reader: Reader): Change[] {
  const recorded = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const fields = [...recorded].filter((field) => !recorded.has(NAMED_BESIDE[field] ?? ""));
  const names: Readonly<Record<string, string>> = reader.words.fields;
  return (
    fields
      .map((field) => ({
        field: names[field] ?? field,
        before: before && field in before ? inWords(field, before[field], reader) : null,
        after: after && field in after ? inWords(field, after[field], reader) : null,
      }))
      // A field that only one side records was empty on the other.
      .filter(({ before, after }) => (before ?? reader.words.values.none) !== (after ?? reader.words.values.none))
  );
}

/** 'роль: участник → модератор' */
export const changeText = ({ field, before, after }: Change, { values }: AuditWords): string =>
  before === null
    ? `${field}: ${after ?? values.none}`
    : after === null
      ? `${field}: ${before}`
      : `${field}: ${before} → ${after}`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const KINDS: Readonly<Record<string, AuditKind | undefined>> = AUDIT_FIELDS;

function inWords(field: string, value: unknown, reader: Reader): string {
  const { words, language, names } = reader;
  const { values } = words;
  if (value === null || value === undefined || value === "") return values.none;
  if (typeof value === "boolean") return value ? values.yes : values.no;
  if (Array.isArray(value))
    return value.length === 0 ? values.none : value.map((item) => inWords(field, item, reader)).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  const kind = KINDS[field];
  const text = String(value);
  if (typeof value === "number") return numberText(kind, value, reader);
  if (kind === "id") {
    const list = listIn(text);
    if (list !== null) return inWords(field, list, reader);
    if (UUID.test(text)) return names?.[text] ?? `${text.slice(0, 8)}…`;
  }
  if (kind === "day") return writtenShortDay(clubDay(text));
  if (kind === "moment") return moment(Date.parse(text), language);
  return kind === "choice" || kind === "id" ? (values.words[text] ?? text) : text;
}

function numberText(kind: AuditKind | undefined, value: number, { words: { values }, language }: Reader): string {
  switch (kind) {
    case "limit":
      return value === NO_LIMIT ? values.noLimit : String(value);
    case "flag":
      return value === 1 ? values.yes : values.no;
    case "bytes":
      return sizeText(value, language);
    case "moment":
      return moment(value, language);
    case "money":
      return (value / 100).toLocaleString(language === "ru" ? "ru-RU" : "en-GB", { minimumFractionDigits: 2 });
    default:
      return String(value);
  }
}

/** A list that was recorded as JSON text. */
function listIn(text: string): unknown[] | null {
  if (!text.startsWith("[")) return null;
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}
