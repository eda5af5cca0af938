import { WEBHOOK_EVENTS, type WebhookEvent } from "@krug/domain/webhook-rules";
import { afterEach, beforeEach, expect } from "vitest";
import { type Club, PASSWORD, type Person, startClub } from "./start-club.ts";
import { startWebhookDouble, type WebhookDouble } from "./webhook-double.ts";

export const PATIENCE = { timeout: 20_000, interval: 20 };
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export let receiver: WebhookDouble;
export let club: Club;
export let admin: Person;
export let anna: Person;
/** Each test of this file gets a club whose events another program can receive (ADR 77). */
export function openClubWithReceiver(): void {
  beforeEach(async () => {
    receiver = await startWebhookDouble();
    club = await startClub({ internetException: receiver.exception });
    for (const name of ["push.example", "other.example", "moved.example"]) resolve(name, "127.0.0.1");
    // The installed library uses the machine's clock.
    club.clock.advance(Date.now() - club.clock.now().getTime());
    admin = await club.admin({ username: "chief" });
    anna = await club.member({ username: "anna" });
  });
  afterEach(async () => {
    await club.stop();
    await receiver.close();
  });
}

export function resolve(name: string, ...addresses: string[]) {
  const isV6 = (address: string) => address.includes(":");
  club.names.known.set(name, { v4: addresses.filter((each) => !isV6(each)), v6: addresses.filter(isV6) });
}

/** Confirms the password, as every change of a webhook requires. */
export const confirm = async (who = admin) =>
  expect((await club.as(who).call("POST /auth/confirm-password", { body: { password: PASSWORD } })).status).toBe(204);
export const send = (input: { url?: string; description?: string; events?: WebhookEvent[] } = {}, who = admin) =>
  club.as(who).call("POST /admin/webhooks", {
    body: { url: receiver.at("/hook"), description: "", events: [...WEBHOOK_EVENTS], ...input },
  });
export const make = async (input: Parameters<typeof send>[0] = {}) => {
  await confirm();
  const made = await send(input);
  expect(made.status).toBe(201);
  return made.body;
};
export const change = (id: string, body: object) =>
  club.as(admin).call("PUT /admin/webhooks/{id}", { params: { id }, body });
export const list = async () => (await club.as(admin).call("GET /admin/webhooks")).body;
export const log = async (id: string, show: "all" | "waiting" | "delivered" | "failed" = "all") =>
  (await club.as(admin).call("GET /admin/webhooks/{id}/deliveries", { params: { id }, query: { show } })).body;
export const sendTest = (id: string) => club.as(admin).call("POST /admin/webhooks/{id}/test", { params: { id } });
export const redeliver = (id: string, deliveryId: string) =>
  club.as(admin).call("POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver", { params: { id, deliveryId } });
export const block = (who: Person, isActive = false) =>
  club.as(admin).call("PUT /users/{id}", { params: { id: who.id }, body: { isActive } });
export const deliver = () => club.app.parts.webhooks.drain();
export const typesAt = (path: string): string[] => receiver.bodies(path).map(({ type }) => type);
/** Staff's second factor expires after a while. */
export const later = async (ms: number) => {
  club.clock.advance(ms);
  if (ms >= 15 * MINUTE_MS) admin = await club.admin();
};
export const record = <Payload>(type: { name: string; payload?: Payload }, payload: Payload) =>
  club.transact((tx) => club.app.parts.events.record(tx, type, payload));
