import { expect, test } from "vitest";
import { statusOf, whyNotDeleted } from "./status.ts";
import { NOT_REMOTE, type ServerRow } from "./table.ts";

const MINUTE_MS = 60_000;
const NOW = Date.parse("2026-11-21T09:00:00Z");
const server = (about: Partial<ServerRow>): ServerRow => ({
  ...NOT_REMOTE,
  id: "a",
  name: "Этот сервер",
  driver: "local",
  panel_id: "p",
  machine: null,
  endpoint: null,
  default_endpoint: null,
  is_main: 0,
  is_setup_complete: 1,
  takes_new: 1,
  unreachable_since: null,
  unreachable_reason: null,
  reconciled_at: NOW,
  created_at: 0,
  deleted_at: null,
  ...about,
});

test.each([
  ["connected", { reconciled_at: NOW - MINUTE_MS }],
  ["connected", { reconciled_at: NOW - 3 * MINUTE_MS }],
  ["silent", { reconciled_at: NOW - 3 * MINUTE_MS - 1 }],
  ["pending", { reconciled_at: null }],
  ["error", { unreachable_since: NOW - 1, reconciled_at: NOW - 1 }],
  ["error", { unreachable_since: NOW - 1, reconciled_at: null }],
] as const)("a server is %s as the last look at it says: %j", (status, about) => {
  expect(statusOf(server(about), NOW)).toBe(status);
});

test.each([
  [null, 0, { isLive: false, configs: 0 }],
  ["server.in_use", 0, { isLive: false, configs: 1 }],
  ["server.is_main", 1, { isLive: false, configs: 0 }],
  ["server.is_exit", 0, { isLive: false, configs: 1, isExit: true }],
  // No other server could be the main one.
  [null, 1, { isLive: false, configs: 0, hasOthers: false }],
  ["server.is_local", 1, { isLive: true, configs: 1 }],
  ["server.is_local", 0, { isLive: true, configs: 0 }],
] as const)("what keeps a server: %s (main: %i, %j)", (reason, is_main, about) => {
  expect(whyNotDeleted({ is_main }, { hasOthers: true, isExit: false, ...about })).toBe(reason);
});
