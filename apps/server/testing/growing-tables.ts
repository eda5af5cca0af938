import { contract } from "@krug/contract/api";
import { type EndpointSpec, isStream } from "@krug/contract/endpoint";
import type { Feature } from "../src/platform/feature.ts";
import { configInput } from "./config-input.ts";
import type { Club, Person } from "./start-club.ts";

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
/** These too. PostgreSQL's test does not fill them; SQLite's plans do not depend on that. */
export const ALSO_GROWING = new Set(
  `attempts free_addresses group_members member_notes outbox payment_claims push_subscriptions subscription_ledger support_attachments
   support_conversations support_tickets`.split(/\s+/),
);
/** Partial indexes with few rows, which may be scanned. */
export const FEW = new Set(
  `configs_held configs_leaving configs_leaving_on configs_moving configs_off_wire configs_past configs_places configs_undropped
   members_deleted members_unlimited outbox_failed`.split(/\s+/),
);

/** Scanned on purpose: how the text begins, and why. */
export const MEANT: readonly [beginning: string, why: string][] = [
  ['select count(*) as "rows" from "access_rule_members"', "only when a rule is added, and bounded"],
  ['select "group_id", count(*) as "members" from "group_members"', "staff's numbers"],
  ['insert into "members"', "SQLite's plan has the search for rows that lack this member, which it skips"],
  ['select "t"."status", count(*) as "tickets" from "support_tickets"', "staff's numbers"],
  ['select * from "access_rule_members"', "only after a change of rules, and bounded"],
  ['select count(*) as "members", sum("is_active")', "staff's numbers"],
  ['select count(*) as "members" from "members" where "deleted_at" is null', "staff's numbers"],
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

/** Makes the calls that change something, each in its usual way, as members and staff do. */
export async function changeEverything(club: Club): Promise<void> {
  const [admin, anna, boris] = [await club.admin(), await club.member({ configLimit: 9 }), await club.member()];
  const call = async <Answer = Record<string, string>>(who: Person | null, line: string, body?: unknown) => {
    const [method = "", path = ""] = line.split(" ");
    const answer = await (who === null ? club.guest : club.as(who)).send(method, `/api${path}`, body);
    if (answer.status >= 400) throw new Error(`${line}: ${answer.message} ${JSON.stringify(answer.body)}`);
    return answer.body as Answer;
  };
  const { id: serverId = "" } = (await club.as(admin).call("GET /admin/servers")).body[0] ?? {};
  const { id: interfaceId = "" } = (await club.as(admin).call("GET /admin/servers/interfaces")).body[0] ?? {};
  await call(admin, "POST /auth/confirm-password", { password: admin.password });
  await call(admin, "PUT /admin/payments/settings", { price: "300", details: "a card" });
  const input = await configInput(club, anna);
  const config = await call(anna, "POST /vpn/configs", { ...input, name: "first" });
  await call(anna, `PUT /vpn/configs/${config.id}`, { name: "renamed" });
  await call(anna, `POST /vpn/configs/${config.id}/key`, {});
  await call(anna, `DELETE /vpn/configs/${config.id}`);
  await call(anna, `POST /vpn/configs/${config.id}/restore`);
  const byStaff = await call<{ config: { id: string } }>(admin, `POST /users/${anna.id}/configs`, {
    ...input,
    name: "by-staff",
  });
  await call(admin, `PUT /admin/configs/${config.id}/blocked`, { isBlocked: true });
  await call(admin, `PUT /admin/configs/${config.id}/blocked`, { isBlocked: false });
  const made = await call<{ interface: { id: string } }>(admin, `POST /admin/servers/${serverId}/create-interface`, {});
  await call(admin, "POST /admin/servers/assign", { userId: anna.id, serverId });
  for (const id of [interfaceId, made.interface.id])
    await call(admin, "POST /admin/servers/interfaces/assign", { userId: anna.id, interfaceId: id });
  await call(admin, `PUT /admin/configs/${config.id}/interface`, { interfaceId: made.interface.id });
  await call(admin, `PUT /admin/wireguard/${serverId}/interfaces/${interfaceId}`, { listenPort: 40_000, cutsOff: 9 });
  await call(admin, "POST /admin/configs/delete", { ids: [byStaff.config.id] });
  const rule = await call(admin, "POST /admin/rules", { target: "198.51.100.0/24", appliesTo: [anna.id] });
  await call(admin, `DELETE /admin/rules/${rule.id}`);
  const service = await call(admin, "POST /services", { name: "new", ips: ["203.0.113.0/24"], deviceTypes: ["all"] });
  await call(admin, `PUT /services/${service.id}`, { ips: ["203.0.113.0/25"] });
  await call(admin, `DELETE /services/${service.id}`);
  const dns = await call(admin, "POST /dns", { name: "new", ips: ["9.9.9.9"] });
  await call(admin, `PUT /dns/${dns.id}`, { ips: ["9.9.9.10"] });
  await call(admin, `DELETE /dns/${dns.id}`);
  await call(anna, "POST /support/messages", { content: "help" });
  await call(anna, "POST /support/tickets", { subject: "help", description: "me" });
  await call(anna, "POST /payments/claim", {});
  await call(admin, "PUT /admin/payments/status", { userId: anna.id, period: "2026-11", status: "paid" });
  const { code } = await call(anna, "POST /users/generate-invite", {});
  await call(null, "POST /auth/register", { username: "newcomer", password: "a phrase of his own", inviteCode: code });
  await call(null, "POST /auth/login", { username: anna.username, password: anna.password });
  await club.guest.send("POST", "/api/auth/login", { username: anna.username, password: "a wrong one" });
  await call(null, "POST /auth/lost-device", { username: anna.username });
  await call(admin, `POST /users/${anna.id}/password-link`);
  await call(admin, `PUT /users/${anna.id}`, { displayName: "Anna", quotaBytes: 10, vpnConfigLimit: 4 });
  await call(admin, `PUT /users/${anna.id}`, { isActive: false });
  await call(admin, `PUT /users/${anna.id}`, { isActive: true });
  await call(boris, "POST /users/change-password", {
    currentPassword: boris.password,
    newPassword: "another long phrase",
  });
  await call(admin, `PUT /users/${boris.id}`, { role: "moderator" });
  await call(admin, `POST /admin/users/${anna.id}/notes`, { content: "a note" });
  await call(admin, `DELETE /admin/servers/${serverId}/interfaces/${made.interface.id}?configs=1`);
  await call(admin, `DELETE /users/${anna.id}`);
  await club.settle();
}
