import { sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { Ring } from "../../../ui/ring.tsx";
import type { Now, Traffic } from "./queries.ts";
import classes from "./statistics.module.css";
import { useStatisticsWords } from "./words.ts";

interface Props {
  now: Now | undefined;
  traffic: Traffic | undefined;
  /** "за 24 часа" */
  during: string;
}

/** Four figures that show how the club is doing. Their room is reserved while they load. */
export function Tiles({ now, traffic, during }: Props) {
  const { tiles: words } = useStatisticsWords();
  const { language } = useSpeech();
  const isSilent = useSilentSince() !== null;
  const away = now?.servers.some(({ unreachableSince, pending }) => unreachableSince !== null && pending > 0);
  const pendingMore = now?.pending === 0 ? words.nonePending : away ? words.serverAway : words.soon;
  const tiles: [string, React.ReactNode, string][] = [
    [isSilent ? words.wasOnline : words.online, now?.online, now ? words.onlineOf(now.configs) : ""],
    [
      words.received,
      traffic && sizeText(traffic.received, language),
      traffic ? `${during}, ${words.sent(sizeText(traffic.sent, language))}` : "",
    ],
    [words.fresh, now?.newInWeek, words.freshIn],
    [
      words.pending,
      now && (
        <>
          {now.pending}
          {now.pending > 0 && <Ring state="wait" size={20} />}
        </>
      ),
      now ? pendingMore : "",
    ],
  ];
  return (
    <dl className={classes.tiles} aria-label={words.label} aria-busy={now === undefined || traffic === undefined}>
      {tiles.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={classes.figure}>{value ?? <span className={classes.bone} />}</dd>
          <dd className={classes.more}>{more}</dd>
        </div>
      ))}
    </dl>
  );
}
