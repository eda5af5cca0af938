import { LONGEST_LINK_MS } from "@krug/domain/invite-rules";
import { FILE_LINK_MS, OPENING_KEPT_MS } from "@krug/domain/mini-app";
import { DAY_MS, MINUTE_MS } from "@krug/domain/moment";
import { MARK_EVERY_MS } from "@krug/domain/outdated-files";
import { PASSKEY_ASKED_MS } from "@krug/domain/passkey-rules";
import { sql } from "kysely";
import type { BoundMoment } from "./platform/bound-moments.ts";

/** Longer than any retry, pause or quiet hours. */
const LONGEST_WAIT_MS = DAY_MS;

/**
 * Every moment in the database for which something waits, and which a clock that was ahead may have written. Where the reader
 * ignores what is ahead of time, as for jobs, leases, attempts and traffic, it is not among them.
 */
export const BOUNDED_MOMENTS: readonly BoundMoment[] = [
  {
    table: "outbox",
    column: "not_before",
    aheadMs: LONGEST_WAIT_MS,
    among: sql`way in ('telegram', 'push') and failed_at is null`,
  },
  {
    table: "webhook_deliveries",
    column: "next_at",
    aheadMs: LONGEST_WAIT_MS,
    among: sql`webhook_id in (select id from webhooks) and next_at is not null`,
  },
  { table: "webhooks", column: "paused_until", aheadMs: LONGEST_WAIT_MS },
  { table: "webhooks", column: "failing_since", aheadMs: 0 },
  { table: "list_sources", column: "due_at", aheadMs: LONGEST_WAIT_MS },
  { table: "list_sources", column: "good_at", aheadMs: 0 },
  { table: "scheduled_backups", column: "since", aheadMs: 0 },
  { table: "scheduled_backups", column: "good_at", aheadMs: 0 },
  { table: "scheduled_backups", column: "tried_at", aheadMs: 0 },
  { table: "servers", column: "unreachable_since", aheadMs: 0 },
  { table: "exit_links", column: "down_since", aheadMs: 0 },
  { table: "exit_links", column: "stuck_since", aheadMs: 0 },
  { table: "joining_counts", column: "since", aheadMs: 0 },
  { table: "lost_devices", column: "asked_at", aheadMs: 0 },
  { table: "file_marks", column: "due_at", aheadMs: MARK_EVERY_MS },
  { table: "file_marks", column: "marked_at", aheadMs: 0 },
  { table: "file_marks", column: "week_at", aheadMs: 0 },
  { table: "configs", column: "deleted_at", aheadMs: 0, among: sql`deleted_at is not null` },
  { table: "configs", column: "dormant_since", aheadMs: 0, among: sql`dormant_since is not null` },
  { table: "one_time_links", column: "expires_at", aheadMs: LONGEST_LINK_MS, ends: true },
  { table: "passkey_challenges", column: "expires_at", aheadMs: PASSKEY_ASKED_MS, ends: true },
  { table: "telegram_openings", column: "expires_at", aheadMs: OPENING_KEPT_MS, ends: true },
  { table: "file_links", column: "expires_at", aheadMs: FILE_LINK_MS, ends: true },
  { table: "telegram_codes", column: "expires_at", aheadMs: 10 * MINUTE_MS, ends: true },
];
