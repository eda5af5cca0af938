import type { Rates } from "./members-at-work.ts";

/* How large the day is, and how much happens in it. */

export const MEMBERS = Number(process.argv[2] ?? 100_000);
export const SERVERS = Number(process.argv[3] ?? 400);
export const SECONDS = Number(process.argv[4] ?? 60);
/** Only the pages and midnight, without the day's calls, writing and faults. */
export const ONLY_MIDNIGHT = process.argv[5] === "midnight";
export const PANELS = 3;
export const PAGES = Math.floor(MEMBERS / 5);
export const ENDING_SHARE = 0.3;
/** One server in twenty is lost. */
export const LOST = Math.max(1, Math.floor(SERVERS / 20));
/** Begun in a second, for each member: what an hour brings, in a minute. */
export const PER_MEMBER: Rates = { registrations: 2e-5, devices: 5e-5, claims: 5e-5, messages: 5e-5 };
/** Recently begun work goes on beside each fault. */
export const BESIDE = 0.4;

export const times = (rates: Rates, factor: number): Rates => ({
  registrations: rates.registrations * factor,
  devices: rates.devices * factor,
  claims: rates.claims * factor,
  messages: rates.messages * factor,
});
/** A small club's too would be fewer than one in a part. */
const LEAST = 0.3;
export const PEAK = times(PER_MEMBER, Math.max(MEMBERS, LEAST / PER_MEMBER.registrations));
