import { Gauge, type Registry } from "prom-client";

const SERVER = ["server_id", "server"] as const;
const INTERFACE = [...SERVER, "interface"] as const;
const WEBHOOK = ["webhook_id", "webhook"] as const;

/**
 * The club's metrics: their names and labels. Names of servers, interfaces and webhooks are staff's own; nothing about a member
 * is ever a label. Ages are in seconds, and 0 if nothing waits.
 */
const FIGURES = {
  krug_build_info: ["Always 1; the panel's version", ["version"]],
  krug_database_up: ["1 while the panel can read its database and write to it", []],
  krug_database_slow_seconds: [
    "Longest wait of a change for the disk within a minute; 0 while the disk is not slow",
    [],
  ],
  krug_members: ["Members, by role and whether they are blocked", ["role", "state"]],
  krug_members_entitled: ["Members who may use the VPN now", []],
  krug_devices_online: ["Devices with a handshake within five minutes", INTERFACE],
  krug_peers_desired: ["Peers that a server should have by the database", SERVER],
  krug_peers_actual: ["Peers that its machine had at the last reading; only from the panel that works on it", SERVER],
  krug_peers_drift: ["Peers that are not as they should be: missing, or there without a right", [...SERVER, "kind"]],
  krug_server_up: ["1 while a server answers and is looked at every minute", SERVER],
  krug_server_reconcile_lag_seconds: ["Since a server was last compared with the database and set right", SERVER],
  krug_interface_probe: ["1 for what the last greeting of an active interface found", [...INTERFACE, "state"]],
  krug_interface_held: ["1 where something else holds an active interface's name or port", INTERFACE],
  krug_interface_devices_gone: ["1 where an active interface's devices went at once", INTERFACE],
  krug_outbox_waiting: ["Notices that have not left the panel yet", ["way"]],
  krug_outbox_failed: ["Notices given up within a week", ["way"]],
  krug_outbox_oldest_seconds: ["Age of the oldest notice that may be sent now or has failed before", ["way"]],
  krug_webhooks_waiting: ["Deliveries to webhooks that wait", []],
  krug_webhooks_failed: ["Deliveries to webhooks given up within two weeks", []],
  krug_webhook_failing_seconds: ["Since when nothing has arrived at a webhook; 0 where the last try did", WEBHOOK],
  krug_webhook_off: ["1 where the panel itself has switched a webhook off", WEBHOOK],
  krug_jobs_waiting: ["Jobs that are not done yet", []],
  krug_jobs_failing: ["Of those, the ones that have failed at least once", []],
  krug_jobs_failed: ["Jobs given up within a week", []],
  krug_jobs_oldest_seconds: ["How long the oldest due job waits", []],
  krug_backup_age_seconds: ["Age of the last good scheduled backup; absent before the first", []],
  krug_backup_interval_seconds: ["Time between scheduled backups; absent where none are made", []],
  krug_backup_late: ["1 when no scheduled backup was good for twice the interval", []],
} as const satisfies Record<string, readonly [help: string, labels: readonly string[]]>;

type Figure = keyof typeof FIGURES;
type Labels<Name extends Figure> = { [Label in (typeof FIGURES)[Name][1][number]]: string };
export type Sample = { [Name in Figure]: readonly [name: Name, value: number, labels: Labels<Name>] }[Figure];

/** Registers them; the returned function replaces all of their values at once. */
export function registerFigures(registry: Registry): (samples: readonly Sample[]) => void {
  const gauges = new Map<string, Gauge>();
  for (const [name, [help, labels]] of Object.entries(FIGURES))
    gauges.set(name, new Gauge({ name, help, labelNames: [...labels], registers: [registry] }));
  return (samples) => {
    for (const [name, gauge] of gauges) {
      gauge.reset();
      // A gauge without labels would report 0 from then on, although nothing is known.
      if (FIGURES[name as Figure][1].length === 0) gauge.remove();
    }
    for (const [name, value, labels] of samples) gauges.get(name)?.set({ ...labels }, value);
  };
}
