import { PROBE_STATES } from "@krug/domain/probe";
import { collectDefaultMetrics, type Registry } from "prom-client";
import type { Database } from "../../../platform/database/database.ts";
import { isTroubled } from "../../../platform/database/trouble.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Backups } from "../../club/backup/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Outbox } from "../../messages/outbox/index.ts";
import type { Webhooks } from "../../messages/webhooks/index.ts";
import type { Configs } from "../../vpn/configs/index.ts";
import type { Interfaces, Place } from "../../vpn/interfaces/index.ts";
import type { makeOutageDetection } from "../../vpn/outage-detection/index.ts";
import type { Probe } from "../../vpn/probe/index.ts";
import type { makeReconciler } from "../../vpn/reconciler/index.ts";
import { needsSetup, type ServerRow, type Servers, serverStatusOf } from "../../vpn/servers/index.ts";
import { registerFigures, type Sample } from "./figures.ts";

interface Parts extends Platform {
  database: Database;
  version: string;
  members: Pick<Members, "census">;
  servers: Pick<Servers, "known">;
  interfaces: Pick<Interfaces, "knownPlaces">;
  configs: Pick<Configs, "list" | "peerCounts">;
  probe: Pick<Probe, "of">;
  outageDetection: Pick<ReturnType<typeof makeOutageDetection>, "goneSince">;
  reconciler: Pick<ReturnType<typeof makeReconciler>, "peersSeen">;
  outbox: Pick<Outbox, "counts">;
  webhooks: Pick<Webhooks, "backlog" | "states">;
  backups: Pick<Backups, "state">;
}

export interface Metrics {
  readonly contentType: string;
  /** In Prometheus's text format. */
  read(): Promise<string>;
}

/** Scrapes within this time share the database's answers. */
const SHARED_FOR_MS = 5_000;

/** The metrics for an operator's monitoring (docs/adr/0067-metrics-by-prometheus.md). */
export function makeMetrics(registry: Registry, parts: Parts): Metrics {
  const { clock, log } = parts;
  collectDefaultMetrics({ register: registry });
  const show = registerFigures(registry);
  let shared: { at: number; done: Promise<void>; isDone: boolean } | null = null;

  const collect = async (): Promise<void> => {
    const build: Sample = ["krug_build_info", 1, { version: parts.version }];
    try {
      const samples = await samplesOf(parts);
      const { trouble, slow } = parts.database;
      show([
        build,
        ["krug_database_up", trouble() === null ? 1 : 0, {}],
        ["krug_database_slow_seconds", (slow() ?? 0) / 1_000, {}],
        ...samples,
      ]);
    } catch (error) {
      // Monitoring must see this, and the process's own figures are better than no answer.
      show([build, ["krug_database_up", 0, {}]]);
      if (!isTroubled(error)) log.error({ err: error }, "metrics could not be collected");
    }
  };

  return {
    contentType: registry.contentType,
    async read() {
      const now = clock.now().getTime();
      if (shared === null || (shared.isDone && Math.abs(now - shared.at) >= SHARED_FOR_MS)) {
        const collection = { at: now, done: Promise.resolve(), isDone: false };
        shared = collection;
        collection.done = collect().finally(() => {
          collection.isDone = true;
        });
      }
      await shared.done;
      return registry.metrics();
    },
  };
}

/** The club's figures; the number of statements does not grow with the club. */
async function samplesOf(parts: Parts): Promise<Sample[]> {
  const {
    database,
    clock,
    jobs,
    members,
    servers,
    interfaces,
    configs,
    probe,
    outageDetection,
    outbox,
    webhooks,
    backups,
  } = parts;
  const { db } = database;
  const now = clock.now().getTime();
  const known = (await servers.known(db)).filter((server) => !needsSetup(server));
  const places = [...(await interfaces.knownPlaces(db)).values()];
  const [census, online, peers, probes, gone, ways, deliveries, hooks, jobsStatus, backup] = await Promise.all([
    members.census(db),
    configs.list.countByInterface(db, { filter: "online", withVip: true }),
    configs.peerCounts(db),
    probe.of(db, places),
    outageDetection.goneSince(db),
    outbox.counts(db),
    webhooks.backlog(db),
    webhooks.states(db),
    jobs.status(),
    backups.state(),
  ]);
  const secondsSince = (at: number | null) => (at === null ? 0 : Math.max(0, now - at) / 1_000);

  const ofServer = (server: ServerRow): Sample[] => {
    const labels = { server_id: server.id, server: server.name };
    const counts = places
      .filter((place) => place.server.id === server.id)
      .map((place) => {
        const { noted, missing, extra } = peers.get(place.interface.id) ?? { noted: 0, missing: 0, extra: 0 };
        return place.interface.is_active === 1
          ? { desired: noted - extra + missing, missing, extra }
          : { desired: 0, missing: 0, extra: noted };
      });
    const sum = (of: "desired" | "missing" | "extra") => counts.reduce((all, count) => all + count[of], 0);
    const actual = parts.reconciler.peersSeen(server.id);
    return [
      ["krug_server_up", serverStatusOf(server, now) === "connected" ? 1 : 0, labels],
      ["krug_server_reconcile_lag_seconds", secondsSince(server.reconciled_at ?? server.created_at), labels],
      ["krug_peers_desired", sum("desired"), labels],
      ...(actual === null ? [] : [["krug_peers_actual", actual, labels] as const]),
      ["krug_peers_drift", sum("missing"), { ...labels, kind: "missing" }],
      ["krug_peers_drift", sum("extra"), { ...labels, kind: "extra" }],
    ];
  };

  const ofInterface = ({ interface: row, server }: Place): Sample[] => {
    const labels = { server_id: server.id, server: server.name, interface: row.interface_name };
    const found = probes.get(row.id)?.state;
    return [
      ["krug_devices_online", online.get(row.id) ?? 0, labels],
      ["krug_interface_held", row.conflict === null ? 0 : 1, labels],
      ["krug_interface_devices_gone", gone.has(row.id) ? 1 : 0, labels],
      ...(found === undefined ? [] : PROBE_STATES).map(
        (state) => ["krug_interface_probe", state === found ? 1 : 0, { ...labels, state }] as const,
      ),
    ];
  };

  return [
    ...census.map(
      ({ role, isActive, members }) =>
        ["krug_members", members, { role, state: isActive ? "active" : "blocked" }] as const,
    ),
    ["krug_members_entitled", census.reduce((all, { entitled }) => all + entitled, 0), {}],
    ...known.flatMap(ofServer),
    ...places.filter((place) => place.interface.is_active === 1).flatMap(ofInterface),
    ...ways.flatMap(({ way, waiting, failed, oldestAt }): Sample[] => [
      ["krug_outbox_waiting", waiting, { way }],
      ["krug_outbox_failed", failed, { way }],
      ["krug_outbox_oldest_seconds", secondsSince(oldestAt), { way }],
    ]),
    ["krug_webhooks_waiting", deliveries.waiting, {}],
    ["krug_webhooks_failed", deliveries.failed, {}],
    ...hooks.flatMap(({ id, name, failingSince, isOff }): Sample[] => {
      const labels = { webhook_id: id, webhook: name };
      return [
        ["krug_webhook_failing_seconds", secondsSince(failingSince), labels],
        ["krug_webhook_off", isOff ? 1 : 0, labels],
      ];
    }),
    ["krug_jobs_waiting", jobsStatus.waiting, {}],
    ["krug_jobs_failing", jobsStatus.failing, {}],
    ["krug_jobs_failed", jobsStatus.failed, {}],
    ["krug_jobs_oldest_seconds", secondsSince(jobsStatus.oldestDueAt), {}],
    ...(backup === null
      ? []
      : ([
          ["krug_backup_interval_seconds", backup.everyHours * 3_600, {}],
          ["krug_backup_late", backup.isLate ? 1 : 0, {}],
          ...(backup.lastGoodAt === null
            ? []
            : [["krug_backup_age_seconds", secondsSince(Date.parse(backup.lastGoodAt)), {}] as const]),
        ] satisfies Sample[])),
  ];
}
