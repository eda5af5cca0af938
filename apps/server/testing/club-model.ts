import { DateTime } from "luxon";
import { makeDevicesModel, type Owner } from "./devices-model.ts";

const DAY_MS = 86_400_000;
const SEEN_WITHIN_MS = 30 * DAY_MS;
const FRIENDS = 3;

/** What a status granted, so that it can be taken back. */
interface Grant {
  from: number;
  until: number;
  endBefore: number | null;
  trialBefore: boolean;
  anchorDay: number;
}
interface Month {
  status: "pending" | "paid" | "overdue" | "not_required";
  /** Hundredths. */
  amount: number;
  grant: Grant | null;
  /** All months of the same payment, if it was for several. */
  together: string[];
}

/** A sum that staff recorded with an extension, in hundredths. */
interface Extra {
  at: number;
  amount: number;
}

interface Told {
  /** As `kind what`. */
  what: string;
  /** When a messenger may get it at the earliest, ms: not in the quiet hours, unless it cannot wait. */
  from: number;
}

export interface ModelMember extends Owner {
  id: string;
  username: string;
  invitedBy: string | null;
  isBlocked: boolean;
  isUnlimited: boolean;
  /** ms; null: no subscription. */
  end: number | null;
  /** The running end is the trial's. */
  isTrial: boolean;
  /** When the member last connected, ms, including devices deleted since. */
  seenAt: number | null;
  months: Map<string, Month>;
  extras: Extra[];
  /** The club's notices. */
  told: Told[];
  remembered: Set<string>;
}

/**
 * What a club must do, written a second time from decisions, sections 1, 4, 5 and 8, without the product's code: a test runs both
 * through the same year and compares them.
 */
export function makeClubModel({
  zone,
  prices,
  graceHours,
}: {
  zone: string;
  /** Hundredths, by the number of months. */
  prices: Readonly<Record<number, number>>;
  graceHours: number;
}) {
  const graceMs = graceHours * 3_600_000;
  const members = new Map<string, ModelMember>();
  const local = (at: number) => DateTime.fromMillis(at, { zone });
  const endOfDay = (day: DateTime) => day.set({ hour: 23, minute: 59, second: 59, millisecond: 0 }).toMillis();
  const monthOf = (at: number) => local(at).toFormat("yyyy-MM");
  const isPaidAt = (member: ModelMember, now: number) => member.end !== null && member.end > now;
  /** Grace hours after the end count. */
  const runs = (member: ModelMember, now: number) => isPaidAt(member, now - graceMs);

  /** Quiet hours are from 23 to 8 on the club's clock (ADR 59). */
  const afterQuiet = (now: number): number => {
    const { hour } = local(now);
    if (hour >= 8 && hour < 23) return now;
    return local(now)
      .plus({ days: hour >= 23 ? 1 : 0 })
      .set({ hour: 8, minute: 0, second: 0, millisecond: 0 })
      .toMillis();
  };
  const tell = (member: ModelMember, what: string, now: number, canWait = true) =>
    member.told.push({ what, from: canWait ? afterQuiet(now) : now });
  const tellOnce = (member: ModelMember, what: string, now: number) => {
    if (member.remembered.has(what)) return;
    member.remembered.add(what);
    tell(member, what, now);
  };

  /** Everyone who has a subscription through friends, from scratch: a circle of members earns nothing by itself. */
  const earned = (now: number, seenBy = now): Set<string> => {
    const found = new Set<string>();
    const friends = new Map<string, ModelMember[]>();
    for (const member of members.values())
      if (member.invitedBy !== null && member.seenAt !== null && member.seenAt > seenBy - SEEN_WITHIN_MS)
        friends.set(member.invitedBy, [...(friends.get(member.invitedBy) ?? []), member]);
    const counts = (friend: ModelMember) =>
      !friend.isBlocked && (friend.isUnlimited || (runs(friend, now) && !friend.isTrial) || found.has(friend.id));
    for (let grew = true; grew; ) {
      grew = false;
      for (const [id, all] of friends) {
        if (found.has(id) || !members.has(id) || all.filter(counts).length < FRIENDS) continue;
        found.add(id);
        grew = true;
      }
    }
    return found;
  };
  const isEntitled = (member: ModelMember, now: number, byFriends: ReadonlySet<string>) =>
    !member.isBlocked && (member.isUnlimited || runs(member, now) || byFriends.has(member.id));

  /** Adds one calendar month, keeping the day of the month: 31 January, 28 February, 31 March. */
  const grantMonth = (member: ModelMember, now: number): Grant => {
    const from = isPaidAt(member, now) ? (member.end ?? now) : now;
    const [, earlier] =
      [...member.months]
        .sort(([a], [b]) => (a < b ? 1 : -1))
        .map(([period, { grant }]) => [period, grant] as const)
        .find(([, grant]) => grant !== null && grant.until === member.end) ?? [];
    const anchorDay = isPaidAt(member, now) && earlier ? earlier.anchorDay : local(from).day;
    const next = local(from).startOf("month").plus({ months: 1 });
    const day = next.set({ day: Math.min(anchorDay, next.daysInMonth ?? 28) });
    return { from, until: endOfDay(day), endBefore: member.end, trialBefore: member.isTrial, anchorDay };
  };
  const monthRecord = (member: ModelMember, now: number): Month => {
    const period = monthOf(now);
    const record = member.months.get(period) ?? newMonth();
    member.months.set(period, record);
    return record;
  };
  const newMonth = (): Month => ({ status: "pending", amount: 0, grant: null, together: [] });

  /** As many months as were paid, from this one on; those that need no payment are skipped. */
  const payMonths = (member: ModelMember, count: number, now: number): string[] => {
    const sum = prices[count] ?? 0;
    const together: string[] = [];
    for (let at = local(now).startOf("month"); together.length < count; at = at.plus({ months: 1 })) {
      const period = at.toFormat("yyyy-MM");
      const record = member.months.get(period) ?? newMonth();
      if (record.status === "paid" || record.status === "not_required") continue;
      record.grant = grantMonth(member, now);
      // Found by `grantMonth` as the one that the next begins at.
      member.months.set(period, record);
      member.end = record.grant.until;
      member.isTrial = false;
      record.status = "paid";
      // The first ones are larger if it does not divide.
      record.amount = Math.floor(sum / count) + (together.length < sum % count ? 1 : 0);
      record.together = together;
      together.push(period);
    }
    return together;
  };
  const takeBack = (member: ModelMember, { grant }: Month): void => {
    if (grant === null) return;
    if (member.end === grant.until) {
      member.end = grant.endBefore;
      member.isTrial = grant.trialBefore;
    } else if (member.end !== null) {
      const length =
        local(grant.until).toUTC(0, { keepLocalTime: true }).toMillis() -
        local(grant.from).toUTC(0, { keepLocalTime: true }).toMillis();
      const wall = local(member.end).toUTC(0, { keepLocalTime: true }).minus(length);
      member.end = wall.setZone(zone, { keepLocalTime: true }).toMillis();
    }
  };

  /** Who loses a subscription through friends within three days, if nothing but time passes, and when, ms. */
  const friendsEnds = (now: number, byFriends: ReadonlySet<string>): Map<string, number> => {
    const lost = new Map<string, number>();
    const latest = earned(now + 3 * DAY_MS + graceMs, now);
    if ([...byFriends].every((id) => latest.has(id))) return lost;
    const ends = [...members.values()].flatMap(({ end, isTrial }) =>
      end !== null && !isTrial && end + graceMs > now && end <= now + 3 * DAY_MS ? [end] : [],
    );
    for (const end of [...new Set(ends)].sort((a, b) => a - b)) {
      const left = earned(end + graceMs, now);
      for (const id of byFriends) if (!left.has(id) && !lost.has(id)) lost.set(id, end);
    }
    return lost;
  };
  const devices = makeDevicesModel(zone, tell, members, isEntitled);

  let lastByFriends: ReadonlySet<string> = new Set();

  return {
    members,
    monthOf,
    runs,
    earned,
    isEntitled,
    join(member: Pick<ModelMember, "id" | "username" | "invitedBy" | "end" | "isTrial">): ModelMember {
      const joined: ModelMember = {
        isBlocked: false,
        isUnlimited: false,
        devices: [],
        assigned: new Set(),
        groups: new Set(),
        seenAt: null,
        months: new Map(),
        extras: [],
        told: [],
        remembered: new Set(),
        ...member,
      };
      members.set(member.id, joined);
      return joined;
    },
    /** Whether this member may invite: entitled, and past the trial. */
    mayInvite: (member: ModelMember, now: number, byFriends: ReadonlySet<string>) =>
      isEntitled(member, now, byFriends) &&
      (member.isUnlimited || byFriends.has(member.id) || !(member.isTrial && runs(member, now))),

    /** `count`: how many months are paid at once, if staff say so. False: the panel must refuse it. */
    setStatus(member: ModelMember, status: "paid" | "overdue" | "not_required", now: number, count?: number): boolean {
      if (member.isUnlimited) return false;
      const period = monthOf(now);
      const record = monthRecord(member, now);
      const before = record.status;
      const paidFor = Math.max(1, record.together.length);
      if (before === status) return status !== "paid" || count === undefined || count === paidFor;
      if (status === "paid" && before === "not_required") return false;
      if (status === "not_required" && before === "paid" && paidFor > 1) return false;
      if (status === "overdue") {
        const periods = before === "paid" ? record.together : [period];
        const isTaken = before === "paid" || record.grant !== null;
        for (const each of periods.toReversed()) {
          const month = member.months.get(each) ?? record;
          takeBack(member, month);
          if (each > period) member.months.delete(each);
          else Object.assign(month, newMonth(), { status, amount: prices[1] });
        }
        if (isTaken) tell(member, `payment_taken_back ${periods[0] ?? period}`, now);
        Object.assign(record, { status, grant: null, together: [] });
        return true;
      }
      if (status === "paid") {
        payMonths(member, count ?? 1, now);
        tell(member, `payment_recorded ${period}`, now, false);
        return true;
      }
      if (record.grant === null) {
        record.grant = grantMonth(member, now);
        member.end = record.grant.until;
        member.isTrial = false;
        tell(member, `subscription_extended ${member.end}`, now);
      }
      Object.assign(record, { status, amount: prices[1], together: [] });
      return true;
    },
    /** Several months from the first that is not settled on, though the current one is. False: the panel must refuse it. */
    payAhead(member: ModelMember, count: number, now: number): boolean {
      if (member.isUnlimited) return false;
      tell(member, `payment_recorded ${payMonths(member, count, now)[0]}`, now, false);
      return true;
    },
    /** Takes a payment back by a month that has not begun. False: the panel must refuse it. */
    takeBackAhead(member: ModelMember, later: string, now: number): boolean {
      if (member.isUnlimited) return false;
      const periods = member.months.get(later)?.together ?? [];
      for (const each of periods.toReversed()) {
        const month = member.months.get(each);
        if (month === undefined) continue;
        takeBack(member, month);
        if (each > monthOf(now)) member.months.delete(each);
        else Object.assign(month, newMonth(), { status: "overdue", amount: prices[1] });
      }
      tell(member, `payment_taken_back ${periods[0]}`, now);
      return true;
    },
    devices,
    /** False: the panel must refuse it. */
    extend(member: ModelMember, days: number, now: number, amount = 0): boolean {
      if (member.isUnlimited) return false;
      if (amount > 0) member.extras.push({ at: now, amount });
      const from = Math.max(now, member.end ?? 0);
      const end = endOfDay(local(from).plus({ days }));
      if (end > from) tell(member, `subscription_extended ${end}`, now);
      member.end = end;
      member.isTrial = false;
      return true;
    },
    /** Reminds members at a check of the clock; missed reminders are not sent later. */
    remind(now: number, byFriends: ReadonlySet<string>): void {
      const ending = friendsEnds(now, byFriends);
      for (const member of members.values()) {
        if (member.isBlocked || member.isUnlimited) continue;
        const friendsEnd = byFriends.has(member.id) ? (ending.get(member.id) ?? Number.POSITIVE_INFINITY) : 0;
        const end = member.end ?? 0;
        if (friendsEnd >= end) {
          const left = friendsEnd - now;
          if (left > 0 && left <= 3 * DAY_MS)
            tellOnce(member, `referral_ends ${left <= DAY_MS ? 1 : 3} ${friendsEnd}`, now);
          continue;
        }
        const left = end - now;
        if (left + graceMs <= 0) {
          if (left + graceMs >= -3 * DAY_MS) tellOnce(member, `subscription_ended ${end}`, now);
        } else if (left > 0 && left <= DAY_MS) tellOnce(member, `subscription_ends 1 ${end}`, now);
        else if (left > 0 && left <= 3 * DAY_MS && !member.isTrial) tellOnce(member, `subscription_ends 3 ${end}`, now);
      }
    },
    /** After every event: who has lost a subscription through friends, and has no other, is notified, once a day. */
    noticeLost(now: number): void {
      const byFriends = earned(now);
      for (const id of lastByFriends) {
        const member = members.get(id);
        if (member === undefined || member.isBlocked || byFriends.has(id) || isEntitled(member, now, byFriends))
          continue;
        tellOnce(member, `referral_ended ${local(now).toISODate()}`, now);
      }
      lastByFriends = byFriends;
    },
    /** Called later, a friend's payment that was undone since has given nobody anything: nobody is told that it ended. */
    friendsNow() {
      const now = lastByFriends;
      return () => {
        lastByFriends = now;
      };
    },
    /** How many members have this status in the current month, and what was received. */
    sums(now: number) {
      const records = [...members.values()].map(({ months }) => months.get(monthOf(now)));
      const count = (status: Month["status"]) => records.filter((record) => record?.status === status).length;
      const paid = records.reduce((sum, record) => sum + (record?.status === "paid" ? record.amount : 0), 0);
      const extras = [...members.values()].flatMap((member) => member.extras);
      const extended = extras
        .filter(({ at }) => monthOf(at) === monthOf(now))
        .reduce((sum, one) => sum + one.amount, 0);
      return { paid: count("paid"), overdue: count("overdue"), received: (paid + extended) / 100 };
    },
  };
}
