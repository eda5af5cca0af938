import { SECOND_MS } from "@krug/domain/moment";
import { ageText, moment, sheetNumber, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { useNow } from "../../../lib/use-now.ts";
import { Reason } from "../../../ui/reason.tsx";
import { shownStatus } from "../../vpn/servers/index.ts";
import { breakable } from "./breakable.tsx";
import type { SystemState } from "./queries.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

/* The panel itself, its database, its jobs and its servers: what stands next to each name. */

const ENGINES = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** How long ago, in words. */
function useAge() {
  const { text } = useSpeech();
  const nowMs = useNow(15_000);
  return (iso: string) => ageText(Date.parse(iso), nowMs, text.age);
}

export function StartAbout({ system }: { system: SystemState }) {
  const { state: words } = useSystemWords();
  const { language } = useSpeech();
  return (
    <>
      {words.startedSince(moment(Date.parse(system.startedAt), language))}
      {system.clockDoubtedSince !== null && (
        <small>{words.clockDoubted(moment(Date.parse(system.clockDoubtedSince), language))}</small>
      )}
    </>
  );
}

export const databaseRing = ({ trouble, slowMs }: SystemState["database"]) =>
  trouble !== null ? "bad" : slowMs !== null ? "warn" : undefined;

export function DatabaseAbout({ database }: Pick<SystemState, "database">) {
  const { state: words } = useSystemWords();
  const { language } = useSpeech();
  return (
    <>
      {ENGINES[database.engine]}, {sizeText(database.size, language)}
      {database.migration !== null && <small>{breakable(database.migration)}</small>}
      {database.trouble !== null && <small>{words.databaseTrouble[database.trouble]}</small>}
      {database.slowMs !== null && (
        <small>{words.databaseSlow(sheetNumber((database.slowMs / SECOND_MS).toFixed(1), language))}</small>
      )}
    </>
  );
}

export const jobsRing = ({ failed, failing }: SystemState["jobs"]) =>
  failed > 0 ? "bad" : failing > 0 ? "warn" : "done";

export function JobsAbout({ jobs }: Pick<SystemState, "jobs">) {
  const { state: words } = useSystemWords();
  const age = useAge();
  return (
    <>
      {jobs.waiting === 0 ? words.jobsNone : words.jobsWaiting(jobs.waiting)}
      {jobs.oldestDueAt !== null && <small>{words.jobsOldest(age(jobs.oldestDueAt))}</small>}
      {jobs.failing > 0 && <small>{words.jobsFailing(jobs.failing)}</small>}
      {jobs.failed > 0 && <small>{words.jobsFailed(jobs.failed)}</small>}
      {jobs.troubled.map(({ kind, count, why }) => (
        <small key={kind} className={classes.trouble}>
          {words.trouble(kind, count)} {why !== null && <Reason why={why} />}
        </small>
      ))}
    </>
  );
}

export function ServerAbout({ server }: { server: SystemState["servers"][number] }) {
  const { state: words } = useSystemWords();
  const age = useAge();
  const isSilent = useSilentSince() !== null;
  const { unreachableSince, reconciledAt, why } = server;
  return (
    <>
      {unreachableSince === null
        ? words.stands[shownStatus(server.status, isSilent)]
        : words.unreachable(age(unreachableSince))}
      {unreachableSince === null && reconciledAt !== null && <small>{words.checked(age(reconciledAt))}</small>}
      {why !== null && (
        <small>
          <Reason why={why} />
        </small>
      )}
      {server.heldInterfaces.map(({ id, name, interfaceName, why }) => (
        <small key={id} className={classes.trouble}>
          {words.held(name, interfaceName)} <Reason why={why} />
        </small>
      ))}
    </>
  );
}
