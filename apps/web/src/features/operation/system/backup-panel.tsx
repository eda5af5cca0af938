import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ageText, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { systemQuery } from "../../../lib/system-state.ts";
import { useListAddress } from "../../../lib/use-list-address.ts";
import { useNow } from "../../../lib/use-now.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Ring } from "../../../ui/ring.tsx";
import type { SystemState } from "./queries.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

const BackupDialog = lazyDialog(() => import("./backup-dialog.tsx").then(({ BackupDialog }) => BackupDialog));

/** The whole club as a file to store elsewhere. */
export function BackupPanel() {
  const { backup: words } = useSystemWords();
  const { data } = useQuery(systemQuery);
  const { asked, change } = useListAddress(1);
  const setTaking = (isTaking: boolean) => change({ add: isTaking ? "backup" : null });
  return (
    <Panel title={words.title} className={classes.panel}>
      <p className={classes.hint}>{words.lead}</p>
      {data !== undefined && <Scheduled state={data.backups} />}
      <Button variant="outline" onClick={() => setTaking(true)}>
        {words.open}
      </Button>
      {asked.add === "backup" && <BackupDialog onClose={() => setTaking(false)} />}
    </Panel>
  );
}

/** The state of scheduled backups. */
function Scheduled({ state }: { state: SystemState["backups"] }) {
  const { backup: words } = useSystemWords();
  const { text, language } = useSpeech();
  const nowMs = useNow(15_000);
  if (state === null) return <p className={classes.hint}>{words.none}</p>;
  const { place, lastGoodAt, lastGoodPlace, size, why, isLate, everyHours } = state;
  const nameOf = ({ kind, address }: typeof place) => `${words.places[kind]} ${address}`;
  const isElsewhere = lastGoodPlace !== null && nameOf(lastGoodPlace) !== nameOf(place);
  const ring = isLate ? "bad" : why !== null ? "warn" : lastGoodAt === null ? "idle" : "done";
  return (
    <div className={classes.switch} role="status">
      <Ring state={ring} size={24} />
      <div>
        <p className={classes.word}>
          {lastGoodAt === null
            ? words.notYet
            : words.good(ageText(Date.parse(lastGoodAt), nowMs, text.age), sizeText(size ?? 0, language))}
        </p>
        <p className={classes.address}>{why === null ? words.every(everyHours) : <Reason why={why} />}</p>
        <p className={classes.address}>{words.where(nameOf(place))}</p>
        {isElsewhere && <p className={classes.address}>{words.lastElsewhere(nameOf(lastGoodPlace))}</p>}
      </div>
    </div>
  );
}
