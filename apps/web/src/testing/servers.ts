import type { Interface, Server } from "../features/servers/index.ts";
import type { SystemState } from "../features/system/queries.ts";
import { inDays, uuid } from "./samples.ts";

/** A server as staff see it; only what a test is about needs saying. */
export function server(about: Partial<Server> = {}): Server {
  return {
    id: uuid(70),
    name: "Хельсинки",
    driver: "local",
    host: "vpn-1",
    credentials: null,
    fingerprint: null,
    shownFingerprint: null,
    system: null,
    needsSetup: false,
    tunnelsIn: null,
    endpoint: null,
    defaultEndpoint: "198.51.100.7",
    isMain: true,
    is_main: 1,
    isSetupComplete: true,
    is_setup_complete: 1,
    status: "connected",
    error: null,
    problem: null,
    errorSince: null,
    lastSync: new Date().toISOString(),
    createdAt: inDays(-90),
    created_at: inDays(-90),
    stats: null,
    interfaceCount: 1,
    configCount: 12,
    peerCount: 11,
    capacity: 253,
    takesNew: true,
    toDownload: 9,
    leavingCount: 0,
    assignedCount: 0,
    whyNotDeleted: null,
    ...about,
  };
}

/** A machine over SSH that was added and answered, before its set-up. */
export const rented = (about: Partial<Server> = {}): Server =>
  server({
    id: uuid(72),
    name: "Стокгольм",
    driver: "ssh",
    host: "203.0.113.24",
    credentials: { host: "203.0.113.24", port: 22, username: "root", hasPassword: true },
    fingerprint: "SHA256:p2QAMXabcdefghijklmnopqrstuvwxyzABCDEFG9oL8",
    system: "Debian GNU/Linux 12 (bookworm)",
    needsSetup: true,
    tunnelsIn: "docker",
    defaultEndpoint: "203.0.113.24",
    isMain: false,
    is_main: 0,
    isSetupComplete: false,
    is_setup_complete: 0,
    lastSync: null,
    interfaceCount: 0,
    configCount: 0,
    peerCount: 0,
    capacity: 0,
    toDownload: 0,
    leavingCount: 0,
    ...about,
  });

export const liveNumbers = {
  cpu: { usage: 14, cores: 4 },
  memory: { total: 8 * 2 ** 30, used: 2.5 * 2 ** 30, free: 5.5 * 2 ** 30 },
  uptime: 41 * 86_400,
  load: [0.42, 0.37, 0.31],
  network_in: 2 ** 30,
  network_out: 2 ** 30,
  geolocation: "FI",
  ip_address: "198.51.100.7",
  readAt: new Date().toISOString(),
};

export function staffInterface(about: Partial<Interface> = {}): Interface {
  return {
    id: uuid(60),
    name: "Interface 1",
    type: "wireguard",
    amneziawg: null,
    serverId: uuid(70),
    server_id: uuid(70),
    interfaceName: "wg0",
    interface_name: "wg0",
    listenPort: 51820,
    listen_port: 51820,
    subnet: "10.8.0.0/24",
    subnetV6: null,
    endpoint: null,
    mtu: null,
    createdAt: inDays(-90),
    created_at: inDays(-90),
    isActive: true,
    is_active: 1,
    conflict: null,
    probe: null,
    goneSince: null,
    configCount: 12,
    capacity: 253,
    peerCount: 11,
    toDownload: 9,
    leavingCount: 0,
    takesNew: true,
    assignedCount: 0,
    ...about,
  };
}

/** The panel as those who run it see it, when all is well. */
export const systemState = (about: Partial<SystemState> = {}): SystemState => ({
  version: "1.2.3",
  node: "20.20.2",
  startedAt: "2026-11-18T06:12:00.000Z",
  securityGate: "on",
  geoServices: [],
  localServer: "auto",
  database: { engine: "postgres", size: 1_048_576, migration: "0101_audit", trouble: null },
  newerPanel: null,
  backups: null,
  jobs: { waiting: 0, failing: 0, failed: 0, oldestDueAt: null, troubled: [] },
  servers: [],
  local: { backend: "kernel", reason: null, problems: [], install: null },
  ...about,
});
