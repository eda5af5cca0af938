import { DateTime } from "luxon";

const DAY_MS = 86_400_000;
const SEEN_WITHIN_MS = 30 * DAY_MS;
const FRIENDS = 3;

interface ModelDevice {
  id: string;
  key: string;
}

/** What a status gave, so that it can be taken back. */
interface Grant {
  from: number;
  until: number;
  endBefore: number | null;
  trialBefore: boolean;
  anchorDay: number;
}
interface Month {
  status: "pending" | "paid" | "overdue" | "not_required";
  amount: string | null;
  grant: Grant | null;
}

export interface ModelMember {
  id: string;
  username: string;
  invitedBy: string | null;
  isBlocked: boolean;
  isUnlimited: boolean;
  /** ms; null: no subscription. */
  end: number | null;
  /** The running end is the trial's. */
  isTrial: boolean;
  devices: ModelDevice[];
  /** When one last connected, ms; a device that was deleted since still was the member's. */
  seenAt: number | null;
  months: Map<string, Month>;
  /** What the club told, as `kind what`, in order. */
  told: string[];
  remembered: Set<string>;
}

/**
 * What a club must be, written once more from decisions, sections 1, 4, 5 and 8, and from nothing that the product is made of: a test
 * lets both live the same year and compares them.
 */
export function makeClubModel(zone: string, price: string) {
  const members = new Map<string, ModelMember>();
  const local = (at: number) => DateTime.fromMillis(at, { zone });
  const endOfDay = (day: DateTime) => day.set({ hour: 23, minute: 59, second: 59, millisecond: 0 }).toMillis();
  const monthOf = (at: number) => local(at).toFormat("yyyy-MM");
  const runs = (member: ModelMember, now: number) => member.end !== null && member.end > now;

  /** All who have a subscription by their friends, from nothing: a circle of members alone earns nothing. */
  const earned = (now: number): Set<string> => {
    const found = new Set<string>();
    const friends = new Map<string, ModelMember[]>();
    for (const member of members.values())
      if (member.invitedBy !== null && member.seenAt !== null && member.seenAt > now - SEEN_WITHIN_MS)
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

  /** One calendar month on, keeping the day of the month: 31 January, 28 February, 31 March. */
  const grantMonth = (member: ModelMember, now: number): Grant => {
    const from = runs(member, now) ? (member.end ?? now) : now;
    const earlier = [...member.months.values()].find(
      ({ grant }) => grant !== null && grant.until === member.end,
    )?.grant;
    const anchorDay = runs(member, now) && earlier ? earlier.anchorDay : local(from).day;
    const next = local(from).startOf("month").plus({ months: 1 });
    const day = next.set({ day: Math.min(anchorDay, next.daysInMonth ?? 28) });
    return { from, until: endOfDay(day), endBefore: member.end, trialBefore: member.isTrial, anchorDay };
  };
  const monthRecord = (member: ModelMember, now: number): Month => {
    const period = monthOf(now);
    const record = member.months.get(period) ?? { status: "pending", amount: null, grant: null };
    member.months.set(period, record);
    return record;
  };

  return {
    members,
    monthOf,
    earned,
    isEntitled,
    join(member: Pick<ModelMember, "id" | "username" | "invitedBy" | "end" | "isTrial">): ModelMember {
      const joined: ModelMember = {
        isBlocked: false,
        isUnlimited: false,
        devices: [],
        seenAt: null,
        months: new Map(),
        told: [],
        remembered: new Set(),
        ...member,
      };
      members.set(member.id, joined);
      return joined;
    },
    /** May this member invite: entitled, and beyond the trial. */
    mayInvite: (member: ModelMember, now: number, byFriends: ReadonlySet<string>) =>
      isEntitled(member, now, byFriends) &&
      (member.isUnlimited || byFriends.has(member.id) || !(member.isTrial && runs(member, now))),

    /** False: the panel must refuse it. */
    setStatus(member: ModelMember, status: "paid" | "overdue" | "not_required", now: number): boolean {
      if (member.isUnlimited) return false;
      const record = monthRecord(member, now);
      const before = record.status;
      if (before === status) return true;
      if (status === "paid" && before === "not_required") return false;
      if (status === "overdue") {
        const { grant } = record;
        if (grant !== null) {
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
          record.grant = null;
        }
        if (before === "paid") member.told.push(`payment_taken_back ${monthOf(now)}`);
      } else {
        if (record.grant === null) {
          record.grant = grantMonth(member, now);
          member.end = record.grant.until;
          member.isTrial = false;
        }
        if (status === "paid") member.told.push(`payment_recorded ${monthOf(now)}`);
      }
      record.status = status;
      record.amount = price;
      return true;
    },
    /** False: the panel must refuse it. */
    extend(member: ModelMember, days: number, now: number): boolean {
      if (member.isUnlimited) return false;
      const from = Math.max(now, member.end ?? 0);
      const end = endOfDay(local(from + days * DAY_MS));
      if (end > from) member.told.push(`subscription_extended ${end}`);
      member.end = end;
      member.isTrial = false;
      return true;
    },
    /** What members are reminded of at a look at the clock; what was missed is not told later. */
    remind(now: number, byFriends: ReadonlySet<string>): void {
      for (const member of members.values()) {
        const { end } = member;
        if (end === null || member.isBlocked || member.isUnlimited || byFriends.has(member.id)) continue;
        const left = end - now;
        const what =
          left <= 0
            ? left >= -3 * DAY_MS && "subscription_ended"
            : left <= DAY_MS
              ? "subscription_ends 1"
              : left <= 3 * DAY_MS && !member.isTrial && "subscription_ends 3";
        if (!what || member.remembered.has(`${what} ${end}`)) continue;
        member.remembered.add(`${what} ${end}`);
        member.told.push(`${what} ${end}`);
      }
    },
    /** How many members have this status in the month that runs, and what was received. */
    sums(now: number) {
      const records = [...members.values()].map(({ months }) => months.get(monthOf(now)));
      const count = (status: Month["status"]) => records.filter((record) => record?.status === status).length;
      return { paid: count("paid"), overdue: count("overdue"), received: count("paid") * Number(price) };
    },
  };
}
