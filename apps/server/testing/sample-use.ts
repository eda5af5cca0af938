import { daysUpTo } from "@krug/domain/traffic";
import type { App } from "../src/app.ts";
import { update as updateConfig } from "../src/features/vpn/configs/repository.ts";
import { addToClub, addToDays, addToHours, saveCounters } from "../src/features/vpn/traffic/repository.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface SampleUse {
  /** On how many of the last days it was in use. */
  usedDays: number;
  /** Roughly per day. */
  megabytes: number;
}

/** Follows the club's day: asleep at night, most traffic in the evening. */
const HOURLY = [
  3, 1.4, 0.8, 0.5, 0.4, 0.6, 1.2, 2.4, 3.4, 3.6, 3.8, 4, 4.2, 4.1, 3.9, 4, 4.4, 5, 6.2, 7.6, 8.6, 8.8, 7.4, 5,
];
const WHOLE_DAY = HOURLY.reduce((sum, share) => sum + share, 0);

/** Writes usage as if the device had been on: less on weekdays than on weekends, the last two days by the hour, with all totals. */
export async function giveHistory(app: App, configId: string, use: SampleUse): Promise<void> {
  const { transact, clock, clubTime, configs, members, db } = app.parts;
  const [config] = await configs.byIds(db, [configId]);
  if (config === undefined || use.usedDays === 0) return;
  const now = clock.now().getTime();
  const total = { rx: 0, tx: 0 };
  const spend = (megabytes: number) => {
    const tx = Math.round(megabytes * 2 ** 20);
    const used = { config_id: configId, rx: Math.round(tx / 9), tx, opening_rx: total.rx, opening_tx: total.tx };
    total.rx += used.rx;
    total.tx += used.tx;
    return used;
  };
  const days: Parameters<typeof addToDays>[1][number][] = [];
  const hours: Parameters<typeof addToHours>[1][number][] = [];
  for (const [place, day] of daysUpTo(clubTime.dayOf(now), use.usedDays).entries()) {
    const megabytes = use.megabytes * (0.35 + Math.abs(Math.sin(place * 2.3)) + (place % 7 > 4 ? 0.5 : 0));
    const start = clubTime.startOfDay(clubTime.readWritten(day));
    if (start < now - 2 * DAY_MS) {
      days.push({ day, ...spend(megabytes) });
      continue;
    }
    const ofDay = HOURLY.map((share, hour) => ({ hour: start + hour * HOUR_MS, share }))
      .filter(({ hour }) => hour <= now)
      .map(({ hour, share }) => ({ hour, ...spend((megabytes * share) / WHOLE_DAY) }));
    hours.push(...ofDay);
    const [first] = ofDay;
    if (first !== undefined)
      days.push({
        day,
        config_id: configId,
        opening_rx: first.opening_rx,
        opening_tx: first.opening_tx,
        rx: total.rx - first.opening_rx,
        tx: total.tx - first.opening_tx,
      });
  }
  await transact(async (tx) => {
    await updateConfig(tx, configId, { created_at: now - (use.usedDays + 18) * DAY_MS, delivered_at: now });
    await addToDays(tx, days);
    await addToHours(tx, hours);
    for (const { day, ...used } of days) await addToClub(tx, { day }, { rx: used.rx, tx: used.tx });
    for (const { hour, ...used } of hours) await addToClub(tx, { hour }, { rx: used.rx, tx: used.tx });
    await saveCounters(tx, [
      {
        config_id: configId,
        public_key: config.public_key,
        raw_rx: 0,
        raw_tx: 0,
        total_rx: total.rx,
        total_tx: total.tx,
        last_handshake_at: now - DAY_MS / 6,
        used_hour: hours.at(-1)?.hour ?? 0,
        used_day: days.at(-1)?.day ?? "",
        interface_id: null,
        life: null,
      },
    ]);
    await members.quotas.addUse(
      tx,
      new Map([[config.member_id, { bytes: total.rx + total.tx, last_handshake_at: now - DAY_MS / 6 }]]),
    );
  });
}
