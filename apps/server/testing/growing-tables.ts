import { contract } from "@krug/contract/api";
import { type EndpointSpec, isStream } from "@krug/contract/endpoint";
import type { Feature } from "../src/platform/feature.ts";
import { configInput } from "./config-input.ts";
import type { Club } from "./start-club.ts";

/*
 * Frequent queries by members and the clock must not scan tables that grow with the club (docs/adr/0101). Each engine's test
 * reads its plan for every statement.
 */

/** These grow with members, their devices or time, far beyond a page. */
export const GROWING = new Set(
  `access_rule_members audit config_services config_services_past configs invite_codes member_use members notices payments
   sessions statistics_daily statistics_daily_came statistics_hourly statistics_hourly_came support_texts traffic_counters traffic_daily
   traffic_hourly`.split(/\s+/),
);
/** Partial indexes with few rows, which may be scanned. */
export const FEW = new Set(
  `configs_held configs_leaving configs_moving configs_off_wire configs_past configs_places configs_undropped members_deleted
   members_unlimited`.split(/\s+/),
);

/** Scanned on purpose: how the text begins, and why. */
export const MEANT: readonly [beginning: string, why: string][] = [
  ['select * from "access_rule_members"', "only after a change of rules, and bounded"],
  ['select count(*) as "members", sum("is_active")', "staff's numbers"],
  ['select count(*) as "members" from "members" where "deleted_at" is null', "staff's numbers"],
  ["select count(*) as configs from configs where configs.deleted_at is null", "staff's numbers"],
];

/** Makes all calls that read, as an admin and as a member, and all that the clock does, in a club with a little of everything. */
export async function readEverything(club: Club): Promise<void> {
  const [admin, boris] = [await club.admin(), await club.member({ configLimit: 9 })];
  const made = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body;
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  const [tunnel] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: made.id } });
  const kept = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body;
  const ids = [kept.id, server?.id, tunnel?.id, boris.id].map(String);
  for (const spec of Object.values(contract).flatMap((calls) => Object.values(calls) as EndpointSpec[])) {
    if (spec.method !== "GET" || isStream(spec.answer)) continue;
    for (const id of spec.path.includes("{") ? ids : ids.slice(0, 1)) {
      const path = `/api${spec.path.replace(/\{(\w+)\}/g, (_, name) => (name === "period" ? "2026-11" : id))}`;
      for (const who of [admin, boris]) await club.as(who).send("GET", path);
    }
  }
  for (const feature of Object.values(club.app.parts) as (Feature | null)[])
    for (const work of feature?.timed ?? []) await work.run();
  await club.app.forgetOld();
  await club.settle();
}
