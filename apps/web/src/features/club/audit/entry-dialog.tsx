import { Button } from "@mantine/core";
import { moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { DoorLink } from "../../../ui/door-link.tsx";
import { type Fact, Facts } from "../../../ui/facts.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import classes from "./audit.module.css";
import type { AuditEntry } from "./queries.ts";
import { useNaming } from "./use-columns.tsx";
import { useAuditWords } from "./words.ts";

interface Props {
  entry: AuditEntry;
  onClose: () => void;
  /** Searches for everything about the member with this username. */
  onAbout: (username: string) => void;
}

/** One staff action in full: earlier values next to later ones. */
export function EntryDialog({ entry, onClose, onAbout }: Props) {
  const words = useAuditWords();
  const { language } = useSpeech();
  const naming = useNaming();
  const { list, entry: say } = words;
  const changes = naming.changes(entry);
  const username = entry.member?.username ?? null;
  const facts: Fact[] = [
    [
      list.when,
      <time key="at" dateTime={entry.at}>
        {moment(Date.parse(entry.at), language)}
      </time>,
    ],
    [list.who, entry.by?.username ? `${naming.actor(entry)} (${entry.by.username})` : naming.actor(entry)],
    ...(entry.session === null
      ? []
      : entry.session.apiToken !== null
        ? [[say.apiToken, `${entry.session.apiToken} · ${entry.session.id.slice(0, 8)}`] as Fact]
        : [[say.session, `${entry.session.device ?? words.unknownDevice} · ${entry.session.id.slice(0, 8)}`] as Fact]),
    [list.whom, naming.target(entry)],
    [list.code, <code key="code">{entry.action}</code>],
    [list.id, <code key="id">{entry.id}</code>],
  ];
  return (
    <Sheet
      onClose={onClose}
      title={words.actions[entry.action]}
      wide
      footer={
        username === null ? undefined : (
          <div className={classes.actions}>
            <Button variant="subtle" onClick={() => onAbout(username)}>
              {say.onlyHis}
            </Button>
            <DoorLink to="/admin/$" params={{ _splat: `users/${username}` }}>
              {say.toMember}
            </DoorLink>
          </div>
        )
      }
    >
      {changes.length === 0 ? (
        <p className={classes.quiet}>{say.noChanges}</p>
      ) : (
        <table className={classes.diff}>
          <thead>
            <tr>
              <th scope="col">{say.field}</th>
              <th scope="col">{list.before}</th>
              <th scope="col">{list.after}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td data-label={list.before} className={classes.gone}>
                  {before ?? words.values.none}
                </td>
                <td data-label={list.after}>{after ?? words.values.none}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Facts facts={facts} />
    </Sheet>
  );
}
