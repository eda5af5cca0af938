import { DAY_MS } from "./moment.ts";

/** The shortest time after which a club may switch unseen devices off: longer than a holiday. */
export const DORMANT_LEAST_DAYS = 30;
/** Whether a club may set that; 0: no device is switched off. */
export const isDormantAfter = (days: number): boolean => days === 0 || days >= DORMANT_LEAST_DAYS;
/** How long before that the owner is notified. */
export const DORMANT_NOTICE_DAYS = 14;
/** How long a device that was switched off keeps its keys and its address. */
export const DORMANT_KEPT_DAYS = 90;
/** Until when it keeps them at least, ms; the days are also counted one by one, so that no clock deletes it early. */
export const keptUntil = (since: number): number => since + DORMANT_KEPT_DAYS * DAY_MS;
/** Devices that would be announced within these days are in the same notice. */
const TOGETHER_DAYS = 7;

/** Days are those on which others on the device's interface connected and it did not (ADR 186). */
export interface Unseen {
  days: number;
  /** How many they were when its owner was notified; null: not notified. */
  toldAt: number | null;
}

/** Whether its owner is notified now. */
export const isToTell = ({ days, toldAt }: Unseen, offAfter: number): boolean =>
  toldAt === null && days >= offAfter - DORMANT_NOTICE_DAYS;

/** Before that many days no notice names it; one that did is void, as the setting has become longer. */
export const toldFrom = (offAfter: number): number => offAfter - DORMANT_NOTICE_DAYS - TOGETHER_DAYS;

/** Whether a notice about another of its owner's devices names this one too. */
export const isToldToo = ({ days, toldAt }: Unseen, offAfter: number): boolean =>
  toldAt === null && days >= toldFrom(offAfter);

/** In how many days it is switched off at the earliest, if it stays away; null: its owner was not told. */
export const daysUntilOff = ({ days, toldAt }: Unseen, offAfter: number, isTodayCounted: boolean): number | null =>
  toldAt === null ? null : Math.max(0, offAfter - days, toldAt + DORMANT_NOTICE_DAYS - days) - (isTodayCounted ? 0 : 1);

/** Whether it is switched off now: never without the whole notice, whatever the setting became meanwhile. */
export const isToSwitchOff = ({ days, toldAt }: Unseen, offAfter: number): boolean =>
  toldAt !== null && days >= offAfter && days >= toldAt + DORMANT_NOTICE_DAYS;
