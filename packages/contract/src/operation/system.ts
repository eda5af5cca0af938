import { BACKUP_PASSPHRASE_MIN } from "@krug/domain/backup-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Flag, Time } from "../fields.ts";
import { Why } from "../reasons.ts";
import { ServerStatus } from "../vpn/servers.ts";

/** What the local host or a server lacks, for the operator. */
const Problem = z.object({ code: z.string(), detail: z.string(), why: Why });

const Health = z.object({ status: z.enum(["ok", "slow_disk", "failing"]) });

/** 'sftp' and 'club@backup.example:/krug'. */
const BackupPlace = z.object({ kind: z.enum(["folder", "sftp", "s3"]), address: z.string() });

/** The panel's own condition, for its operators; nothing secret. */
const System = z.object({
  version: z.string(),
  node: z.string(),
  startedAt: Time,
  /** Set in the environment. */
  securityGate: z.enum(["on", "off"]),
  geoServices: z.array(z.url()),
  localServer: z.enum(["auto", "off"]),
  database: z.object({
    engine: z.enum(["sqlite", "postgres"]),
    /** Bytes. */
    size: z.int().nonnegative(),
    /** The last migration applied. */
    migration: z.string().nullable(),
    /** What keeps it from serving: no answer, or no free space left. */
    trouble: z.enum(["away", "full"]).nullable(),
    /** The longest wait for the disk within the last minute, ms; null while the disk is not slow. */
    slowMs: z.int().positive().nullable(),
  }),
  /** The newest moment that is believed, while the clock is far ahead of it and nothing old is deleted; null otherwise. */
  clockDoubtedSince: Time.nullable(),
  /** The panel that has taken this one's place, since when, and the server that said so; null while this is the current one. */
  newerPanel: z.object({ since: Time, server: z.string(), seenAt: Time }).nullable(),
  /** Scheduled backups; null if there are none. */
  backups: z
    .object({
      place: BackupPlace,
      everyHours: z.int().positive(),
      lastGoodAt: Time.nullable(),
      /** May differ from the current one. */
      lastGoodPlace: BackupPlace.nullable(),
      lastTriedAt: Time.nullable(),
      /** Bytes of the last good one. */
      size: z.int().nonnegative().nullable(),
      /** Why the last one is not good. */
      problem: z.string().nullable(),
      why: Why.nullable(),
      /** The last good one is older than twice the interval. */
      isLate: z.boolean(),
    })
    .nullable(),
  jobs: z.object({
    /** Due now, or scheduled for a retry. */
    waiting: z.int().nonnegative(),
    /** How many of those have failed at least once. */
    failing: z.int().nonnegative(),
    /** Given up; forgotten after a week. */
    failed: z.int().nonnegative(),
    /** When the longest-waiting one was due. */
    oldestDueAt: Time.nullable(),
    /** Kinds that fail or were given up, with counts. */
    troubled: z.array(
      z.object({
        kind: z.string(),
        count: z.int().positive(),
        lastError: z.string().nullable(),
        why: Why.nullable(),
      }),
    ),
  }),
  servers: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      isMain: z.boolean(),
      status: ServerStatus,
      /** Why it does not answer, and since when. */
      reason: z.string().nullable(),
      why: Why.nullable(),
      unreachableSince: Time.nullable(),
      /** Interfaces that are not as they should be, and what on the machine uses their name or port. */
      heldInterfaces: z.array(
        z.object({ id: z.uuid(), name: z.string(), interfaceName: z.string(), reason: z.string(), why: Why }),
      ),
      /** When it last matched the database. */
      reconciledAt: Time.nullable(),
    }),
  ),
  /** The machine of the panel that is answering. */
  local: z.object({
    /**
     * How tunnels run there: by the kernel's WireGuard, by the panel's engine with a kernel tunnel device, or by the engine with
     * its own network stack only; null if they do not.
     */
    backend: z.enum(["kernel", "userspace", "netstack"]).nullable(),
    /** Why it runs no tunnels; null if it does. */
    reason: z.string().nullable(),
    why: Why.nullable(),
    /** What it lacks, even if it runs tunnels; with `netstack`, what a faster backend needs. */
    problems: z.array(Problem),
    /** The command that installs the missing system packages; null if nothing of the kind is missing. */
    install: z.string().nullable(),
  }),
});

export const system = {
  health: endpoint("GET /health", {
    access: "public",
    summary: "200 once the panel can serve, 503 while it cannot",
    answer: Health,
    duringMaintenance: true,
  }),
  maintenance: endpoint("GET /maintenance", {
    access: "public",
    summary: "Whether the club is under maintenance",
    answer: z.object({ enabled: z.boolean(), since: Time.nullable() }),
    duringMaintenance: true,
  }),
  setMaintenance: endpoint("PUT /admin/maintenance", {
    needs: "system.change",
    summary: "Switch maintenance on or off with a two-factor code",
    body: z.strictObject({ enabled: Flag, token: z.string().trim().min(6).max(32) }),
    answer: z.object({ enabled: z.boolean(), since: Time.nullable() }),
    refusals: ["two_factor.wrong_code", "two_factor.locked", "two_factor.not_enabled"],
    duringMaintenance: true,
  }),
  overview: endpoint("GET /admin/system", {
    needs: "system.see",
    scope: "system:read",
    summary: "Versions, the database, jobs, servers and what the panel's own machine lacks",
    answer: System,
  }),
  takeBackup: endpoint("POST /admin/backup", {
    needs: "system.change",
    trust: true,
    summary: "The whole club as one age file, encrypted with the passphrase; needs a two-factor code",
    body: z.strictObject({
      passphrase: z.string().min(BACKUP_PASSPHRASE_MIN).max(200),
      token: z.string().trim().min(6).max(32),
    }),
    answer: { media: "application/octet-stream" },
    refusals: ["two_factor.wrong_code", "two_factor.locked", "two_factor.not_enabled"],
    duringMaintenance: true,
    whenSuperseded: true,
  }),
  simulateWipe: endpoint("POST /admin/system/wipe-simulation", {
    needs: "system.change",
    summary: "Record that 'Delete everything' was pressed. Nothing is deleted: the screen shows a simulation",
  }),
};

export type HealthAnswer = z.output<typeof Health>;
