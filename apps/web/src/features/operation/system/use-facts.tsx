import { useQuery } from "@tanstack/react-query";
import { systemQuery } from "../../../lib/system-state.ts";
import type { RingState } from "../../../ui/ring.tsx";
import { useFold } from "../../../ui/use-fold.tsx";
import { SERVER_RINGS } from "../../vpn/servers/index.ts";
import { BotAbout, botRing, GateAbout, gateRing } from "./access-facts.tsx";
import { BackupAbout, backupRing } from "./backup-state.tsx";
import { Door } from "./door.tsx";
import { HostAbout, hostRing } from "./host-fact.tsx";
import { NoticesAbout, noticesRing } from "./notices-fact.tsx";
import { DatabaseAbout, databaseRing, JobsAbout, jobsRing, ServerAbout, StartAbout } from "./panel-facts.tsx";
import { botQuery, gateSettingsQuery, maintenanceStateQuery, outboxQuery, type SystemState } from "./queries.ts";
import { useSystemWords } from "./words.ts";

export interface Fact {
  key: string;
  name: string;
  ring?: RingState | undefined;
  about: React.ReactNode;
}

const GRAVITY: Partial<Record<RingState, number>> = { bad: 0, warn: 1 };
const gravity = ({ ring }: Fact) => (ring && GRAVITY[ring]) ?? 2;
export const isWrong = (fact: Fact) => gravity(fact) < 2;

/** How the panel and what it uses are doing, what is wrong first; empty until the panel has answered. */
export function useFacts(): readonly Fact[] {
  const { state: words, backup, maintenance } = useSystemWords();
  const system = useQuery(systemQuery).data;
  const isMaintained = useQuery(maintenanceStateQuery).data?.enabled ?? false;
  const servers = useServerFacts(system?.servers ?? []);
  const others = [useNoticesFact(), useBotFact(), useGateFact(system?.geoServices ?? [])];
  if (system === undefined) return [];
  const { backups, clockDoubtedSince, database, jobs, local } = system;
  const facts: (Fact | false | null)[] = [
    isMaintained && {
      key: "maintenance",
      name: maintenance.title,
      ring: "warn",
      about: (
        <>
          {maintenance.on}
          <Door label={maintenance.turnOff} search={{ set: "maintenance" }} />
        </>
      ),
    },
    { key: "backups", name: backup.title, ring: backupRing(backups), about: <BackupAbout backups={backups} /> },
    { key: "version", name: words.version, about: `${system.version} · ${words.node} ${system.node}` },
    {
      key: "start",
      name: words.started,
      ring: clockDoubtedSince === null ? undefined : "warn",
      about: <StartAbout system={system} />,
    },
    {
      key: "database",
      name: words.database,
      ring: databaseRing(database),
      about: <DatabaseAbout database={database} />,
    },
    { key: "jobs", name: words.jobs, ring: jobsRing(jobs), about: <JobsAbout jobs={jobs} /> },
    ...servers,
    system.localServer === "auto" && {
      key: "host",
      name: words.local,
      ring: hostRing(local),
      about: <HostAbout local={local} />,
    },
    ...others,
  ];
  return facts.filter((fact) => fact !== false && fact !== null).sort((one, other) => gravity(one) - gravity(other));
}

/** What could not be read is not passed over in silence. */
const unread = (key: string, name: string, failed: string): Fact => ({ key, name, ring: "never", about: failed });

function useNoticesFact(): Fact | null {
  const { outbox: words } = useSystemWords();
  const { data, isError } = useQuery(outboxQuery);
  if (data === undefined) return isError ? unread("notices", words.title, words.failed) : null;
  return { key: "notices", name: words.title, ring: noticesRing(data), about: <NoticesAbout outbox={data} /> };
}

function useBotFact(): Fact | null {
  const { state, messenger } = useSystemWords();
  const { data, isError } = useQuery(botQuery);
  if (data === undefined) return isError ? unread("bot", state.bot, messenger.failed) : null;
  return { key: "bot", name: state.bot, ring: botRing(data), about: <BotAbout bot={data} /> };
}

function useGateFact(services: readonly string[]): Fact | null {
  const { state, settings } = useSystemWords();
  const { data, isError } = useQuery(gateSettingsQuery);
  if (data === undefined) return isError ? unread("gate", state.gate, settings.failed) : null;
  return { key: "gate", name: state.gate, ring: gateRing(data), about: <GateAbout gate={data} services={services} /> };
}

function useServerFacts(servers: SystemState["servers"]): Fact[] {
  const { state: words } = useSystemWords();
  const { shown, more } = useFold(servers, (server) => isWrong(serverFact(server)));
  const facts = shown.map(serverFact);
  if (more) return [...facts, { key: "servers", name: words.servers, about: more }];
  return facts.length > 0 ? facts : [{ key: "servers", name: words.servers, ring: "never", about: words.noServers }];
}

const serverFact = (server: SystemState["servers"][number]): Fact => ({
  key: server.id,
  name: server.name,
  ring: server.heldInterfaces.length > 0 ? "bad" : SERVER_RINGS[server.status],
  about: <ServerAbout server={server} />,
});
