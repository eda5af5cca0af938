import { DAY_MS } from "@krug/domain/moment";
import { ageText, dayField, moment, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import classes from "./audit.module.css";
import { changesOf, changeText } from "./changes.ts";
import type { AuditEntry } from "./queries.ts";
import { useAuditWords } from "./words.ts";

/** How many changes of an entry the table shows. The entry itself shows the rest. */
const SHOWN_CHANGES = 2;

/** An entry's actor, target and time as text. */
export function useNaming() {
  const words = useAuditWords();
  const { text, language } = useSpeech();
  const person = (somebody: AuditEntry["by"]) => somebody?.displayName ?? words.deleted;
  const thing = ({ target, before, after, names }: AuditEntry) => {
    const field = target.kind === "rule" ? "target" : "name";
    const recorded = [after?.[field], before?.[field]].find((name) => typeof name === "string");
    return (target.id !== null && names[target.id]) || (recorded as string | undefined) || null;
  };
  return {
    actor(entry: AuditEntry): string {
      const who = entry.by === null ? words.panel : person(entry.by);
      return entry.via === null ? who : `${who} · ${words.viaTelegram}`;
    },
    target(entry: AuditEntry): string {
      const { kind } = entry.target;
      if (kind === "club") return words.club;
      if (kind === "member") return person(entry.member);
      const name = thing(entry);
      const what = name === null ? words.kinds[kind] : `${words.kinds[kind]} ${name}`;
      return entry.member === null ? what : `${what} · ${person(entry.member)}`;
    },
    when(entry: AuditEntry, nowMs: number): string {
      const at = Date.parse(entry.at);
      return nowMs - at < DAY_MS ? ageText(at, nowMs, text.age) : moment(at, language);
    },
    changes: (entry: AuditEntry) => changesOf(entry, { words, language, names: entry.names }),
  };
}

/** The first changes of an entry, a line each, and how many more there are. */
export function ChangesOf({ entry }: { entry: AuditEntry }) {
  const words = useAuditWords();
  const changes = useNaming().changes(entry);
  if (changes.length === 0) return null;
  const left = changes.length - SHOWN_CHANGES;
  return (
    <span className={classes.changes}>
      {changes.slice(0, SHOWN_CHANGES).map((change) => (
        <span key={change.field}>{changeText(change, words)}</span>
      ))}
      {left > 0 && <span>{words.list.more(left)}</span>}
    </span>
  );
}

/** The day with which each day's first entry on the page is headed, by the entry's id. */
export function useDays(entries: readonly AuditEntry[], nowMs: number): ReadonlyMap<string, string> {
  const { language } = useSpeech();
  const dayOf = (entry: AuditEntry | undefined) => entry && dayField(new Date(entry.at));
  return new Map(
    entries.flatMap((entry, place) => {
      const day = dayOf(entry);
      return day === undefined || day === dayOf(entries[place - 1])
        ? []
        : [[entry.id, writtenDay(day, nowMs, language)] as const];
    }),
  );
}

export function useColumns({
  nowMs,
  days,
  onOpen,
}: {
  nowMs: number;
  days: ReadonlyMap<string, string>;
  onOpen: (entry: AuditEntry) => void;
}): Column<AuditEntry>[] {
  const words = useAuditWords();
  const { language } = useSpeech();
  const naming = useNaming();
  const { list } = words;
  return [
    {
      key: "at",
      title: list.when,
      cell: (entry) => (
        <>
          {days.has(entry.id) && <span className={classes.date}>{days.get(entry.id)}</span>}
          <time className={classes.when} dateTime={entry.at} title={moment(Date.parse(entry.at), language)}>
            {naming.when(entry, nowMs)}
          </time>
        </>
      ),
      text: ({ at }) => at,
    },
    { key: "by", title: list.who, cell: naming.actor, text: (entry) => entry.by?.username ?? naming.actor(entry) },
    {
      key: "action",
      title: list.what,
      cell: (entry) => (
        <button
          type="button"
          className={`${cells.opener} k-focus`}
          aria-label={list.details(words.actions[entry.action])}
          onClick={() => onOpen(entry)}
        >
          {words.actions[entry.action]}
        </button>
      ),
      text: ({ action }) => words.actions[action],
    },
    { key: "target", title: list.whom, cell: naming.target, text: naming.target },
    {
      key: "changes",
      title: list.changes,
      cell: (entry) => <ChangesOf entry={entry} />,
      text: (entry) =>
        naming
          .changes(entry)
          .map((change) => changeText(change, words))
          .join("; "),
    },
    // Only in the exported file: the table shows them in the opened entry.
    {
      key: "device",
      title: list.device,
      text: ({ session, via }) =>
        via === null ? (session?.device ?? (session?.apiToken ? `API: ${session.apiToken}` : "")) : words.viaTelegram,
    },
    { key: "code", title: list.code, text: ({ action }) => action },
    { key: "before", title: list.before, text: ({ before }) => jsonText(before) },
    { key: "after", title: list.after, text: ({ after }) => jsonText(after) },
    { key: "id", title: list.id, text: ({ id }) => id },
  ];
}

const jsonText = (values: object | null) => (values === null ? "" : JSON.stringify(values));
