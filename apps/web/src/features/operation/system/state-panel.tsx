import { SECOND_MS } from "@krug/domain/moment";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { ageText, moment, sheetNumber, shortDay, sizeText, writtenShortDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { systemQuery } from "../../../lib/system-state.ts";
import { useNow } from "../../../lib/use-now.ts";
import { Banner } from "../../../ui/banner.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Reason } from "../../../ui/reason.tsx";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import { useFold } from "../../../ui/use-fold.tsx";
import { useLiveRing } from "../../../ui/use-live-ring.ts";
import { SERVER_RINGS } from "../../vpn/servers/index.ts";
import { AskedPanel } from "./asked-panel.tsx";
import { botQuery, gateSettingsQuery, type SystemState } from "./queries.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

const ENGINES = { sqlite: "SQLite", postgres: "PostgreSQL" };

/** Versions, and the health of the system's parts. */
export function StatePanel() {
  const { state: words } = useSystemWords();
  const query = useQuery(systemQuery);
  return (
    <AskedPanel title={words.title} query={query} failed={words.failed}>
      {(system) => <Facts system={system} />}
    </AskedPanel>
  );
}

/** Names of files and variables, which may be wider than their column, break between their words. */
const breakable = (text: string) =>
  text.split("_").map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
    <Fragment key={index}>
      {index > 0 && (
        <>
          _<wbr />
        </>
      )}
      {word}
    </Fragment>
  ));

const isUnwell = ({ status, heldInterfaces }: SystemState["servers"][number]) =>
  status !== "connected" || heldInterfaces.length > 0;

function Facts({ system }: { system: SystemState }) {
  const { state: words } = useSystemWords();
  const { text, language } = useSpeech();
  const nowMs = useNow(15_000);
  const { database, jobs, servers } = system;
  const { shown, more } = useFold(servers, isUnwell);
  return (
    <dl className={classes.facts}>
      <Fact name={words.version}>
        {system.version} · {words.node} {system.node}
      </Fact>
      <Fact name={words.started} {...(system.clockDoubtedSince !== null ? { ring: "warn" } : {})}>
        {words.startedSince(moment(Date.parse(system.startedAt), language))}
        {system.clockDoubtedSince !== null && (
          <small>{words.clockDoubted(moment(Date.parse(system.clockDoubtedSince), language))}</small>
        )}
      </Fact>
      <Fact
        name={words.database}
        {...(database.trouble !== null ? { ring: "bad" } : database.slowMs !== null ? { ring: "warn" } : {})}
      >
        {ENGINES[database.engine]}, {sizeText(database.size, language)}
        {database.migration !== null && <small>{breakable(database.migration)}</small>}
        {database.trouble !== null && <small>{words.databaseTrouble[database.trouble]}</small>}
        {database.slowMs !== null && (
          <small>{words.databaseSlow(sheetNumber((database.slowMs / SECOND_MS).toFixed(1), language))}</small>
        )}
      </Fact>
      <Fact name={words.jobs} ring={jobs.failed > 0 ? "bad" : jobs.failing > 0 ? "warn" : "done"}>
        {jobs.waiting === 0 ? words.jobsNone : words.jobsWaiting(jobs.waiting)}
        {jobs.oldestDueAt !== null && (
          <small>{words.jobsOldest(ageText(Date.parse(jobs.oldestDueAt), nowMs, text.age))}</small>
        )}
        {jobs.failing > 0 && <small>{words.jobsFailing(jobs.failing)}</small>}
        {jobs.failed > 0 && <small>{words.jobsFailed(jobs.failed)}</small>}
        {jobs.troubled.map(({ kind, count, why }) => (
          <small key={kind} className={classes.trouble}>
            {words.trouble(kind, count)} {why !== null && <Reason why={why} />}
          </small>
        ))}
      </Fact>
      {servers.length === 0 && (
        <Fact name={words.servers} ring="never">
          {words.noServers}
        </Fact>
      )}
      {shown.map((server) => (
        <Fact
          key={server.id}
          name={server.name}
          ring={server.heldInterfaces.length > 0 ? "bad" : SERVER_RINGS[server.status]}
        >
          {server.unreachableSince === null
            ? words.stands[server.status]
            : words.unreachable(ageText(Date.parse(server.unreachableSince), nowMs, text.age))}
          {server.unreachableSince === null && server.reconciledAt !== null && (
            <small>{words.checked(ageText(Date.parse(server.reconciledAt), nowMs, text.age))}</small>
          )}
          {server.why !== null && (
            <small>
              <Reason why={server.why} />
            </small>
          )}
          {server.heldInterfaces.map(({ id, name, interfaceName, why }) => (
            <small key={id} className={classes.trouble}>
              {words.held(name, interfaceName)} <Reason why={why} />
            </small>
          ))}
        </Fact>
      ))}
      {more && <Fact name={words.servers}>{more}</Fact>}
      {system.localServer === "auto" && <LocalFact local={system.local} />}
      <BotFact />
      <GateFact services={system.geoServices} />
    </dl>
  );
}

/** The panel's host: how it runs tunnels, or why it does not, and what may go wrong there. */
function LocalFact({ local }: Pick<SystemState, "local">) {
  const { state: words } = useSystemWords();
  const { backend, why, problems, install } = local;
  if (why === null && backend === "netstack") return <ByEngineAlone local={local} />;
  const reasons = why === null ? problems.map((problem) => problem.why) : [why];
  return (
    <Fact name={words.local} ring={why !== null ? "never" : problems.length > 0 ? "warn" : "done"}>
      {why !== null || backend === null ? words.localOff : words.localOn[backend]}
      {reasons.map((each) => (
        <small key={each.en}>
          <Reason why={each} />
        </small>
      ))}
      {install !== null && <InstallLine line={install} />}
    </Fact>
  );
}

/** Nothing is wrong there: the problems are what a faster kind of tunnel needs, each in its own words, the packages as one line to copy. */
function ByEngineAlone({ local: { problems, install } }: Pick<SystemState, "local">) {
  const { state: words } = useSystemWords();
  const known: Readonly<Record<string, string>> = words.localFaster;
  const others = problems.filter(({ code }) => code !== "no_programs" && (code !== "no_nftables" || install === null));
  return (
    <Fact name={words.local} ring="done">
      {words.localOn.netstack}
      {others.map(({ code, why }) => (
        <small key={code}>{known[code] ?? <Reason why={why} />}</small>
      ))}
      {install !== null && (
        <>
          <small>{words.localInstall}</small>
          <InstallLine line={install} />
        </>
      )}
      <small>{words.localKeeps}</small>
    </Fact>
  );
}

const InstallLine = ({ line }: { line: string }) => (
  <span className={classes.line}>
    <code>
      {/* Breaks only between words, so that it can be typed. */}
      {line.split(" ").map((word) => (
        <span key={word}>{word} </span>
      ))}
    </code>
    <CopyButton text={line} variant="subtle" size="compact-sm" data-flush="always" />
  </span>
);

function BotFact() {
  const { state: words } = useSystemWords();
  const bot = useQuery(botQuery).data;
  if (bot === undefined) return null;
  const { reason, botName } = bot;
  const ring: RingState =
    reason === null ? "done" : reason === "no_token" ? "never" : reason === "starting" ? "wait" : "bad";
  return (
    <Fact name={words.bot} ring={ring}>
      {reason !== null ? breakable(words.reasons[reason]) : botName === null ? words.botOn : words.botWorks(botName)}
    </Fact>
  );
}

function GateFact({ services }: { services: readonly string[] }) {
  const { state: words } = useSystemWords();
  const gate = useQuery(gateSettingsQuery).data;
  if (gate === undefined) return null;
  const builtOn = gate.countriesBuiltAt === null ? null : shortDay(new Date(gate.countriesBuiltAt));
  const listOf = gate.hostingListOf === null ? null : writtenShortDay(gate.hostingListOf);
  return (
    <Fact name={words.gate} ring={gate.enabled ? "done" : "never"}>
      {breakable(gate.enabled ? words.gateOn : words.gateOff)}
      {gate.enabled && (
        <>
          <small>{words.gateData(builtOn, listOf)}</small>
          <small>
            {words.asks(services.length)} ({breakable(words.environment("GEO_SERVICES"))})
          </small>
        </>
      )}
      {gate.untrustedForwardingSince !== null && <Banner tone="broken" title={words.forwarding} />}
      {gate.unreadableForwardingSince !== null && <Banner tone="broken" title={words.unreadable} />}
    </Fact>
  );
}

function Fact({ name, ring, children }: { name: string; ring?: RingState; children: React.ReactNode }) {
  const liveRing = useLiveRing();
  return (
    <div>
      <dt>
        {ring && <Ring state={liveRing(ring)} size={18} />}
        {name}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
