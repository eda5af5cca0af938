import { ageText, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useNow } from "../../../lib/use-now.ts";
import { Reason } from "../../../ui/reason.tsx";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import { Door } from "./door.tsx";
import type { SystemState } from "./queries.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

type Backups = SystemState["backups"];

/** Null: none are scheduled. */
export function backupRing(backups: Backups): RingState {
  if (backups === null) return "never";
  if (backups.isLate) return "bad";
  return backups.why !== null ? "warn" : backups.lastGoodAt === null ? "idle" : "done";
}

/** How old the last good one is. */
function useLast(backups: Backups) {
  const { backup: words } = useSystemWords();
  const { text, language } = useSpeech();
  const nowMs = useNow(15_000);
  if (backups === null) return words.none;
  const { lastGoodAt, size } = backups;
  if (lastGoodAt === null) return words.notYet;
  return words.good(ageText(Date.parse(lastGoodAt), nowMs, text.age), sizeText(size ?? 0, language));
}

/** Among the facts: with the way to them if something is wrong. */
export function BackupAbout({ backups }: { backups: Backups }) {
  const { backup: words } = useSystemWords();
  const last = useLast(backups);
  return (
    <>
      {last}
      {backups !== null && backups.why !== null && (
        <small>
          <Reason why={backups.why} />
        </small>
      )}
      {backups !== null && (backups.isLate || backups.why !== null) && (
        <Door label={words.toThem} search={{ section: "data" }} />
      )}
    </>
  );
}

/** The state of scheduled backups. */
export function Scheduled({ state }: { state: Backups }) {
  const { backup: words } = useSystemWords();
  const last = useLast(state);
  if (state === null) return <p className={classes.hint}>{words.none}</p>;
  const { place, lastGoodPlace, why, everyHours } = state;
  const nameOf = ({ kind, address }: typeof place) => `${words.places[kind]} ${address}`;
  const isElsewhere = lastGoodPlace !== null && nameOf(lastGoodPlace) !== nameOf(place);
  return (
    <div className={classes.switch} role="status">
      <Ring state={backupRing(state)} size={24} />
      <div>
        <p className={classes.word}>{last}</p>
        <p className={classes.address}>{why === null ? words.every(everyHours) : <Reason why={why} />}</p>
        <p className={classes.address}>{words.where(nameOf(place))}</p>
        {isElsewhere && <p className={classes.address}>{words.lastElsewhere(nameOf(lastGoodPlace))}</p>}
      </div>
    </div>
  );
}
