import { DateTime } from "luxon";

const DAY_MS = 86_400_000;
/** How far a moment may be ahead of the panel's clock. */
const SKEW_MS = 60_000;
const OFF_AFTER_DAYS = 30;
const NOTICE_DAYS = 14;
const TOGETHER_DAYS = 7;
const KEPT_DAYS = 90;

/** Days on which others on the device's interface connected and it did not. */
interface Unseen {
  days: number;
  /** The last day that was counted. */
  day: string;
  toldAt: number | null;
  isUsed: boolean;
}

interface ModelDevice {
  id: string;
  key: string;
  name: string;
  /** Its interface. */
  place: string;
  /** All moments are ms. */
  madeAt: number;
  seenAt: number;
  end: number | null;
  isStaffsEnd: boolean;
  /** The end that its owner knows of. */
  endTold: number | null;
  hasEnded: boolean;
  offSince: number | null;
  unseen: Unseen | null;
}

export const newDevice = (of: Pick<ModelDevice, "id" | "key" | "name" | "place" | "madeAt">): ModelDevice => ({
  ...of,
  seenAt: 0,
  end: null,
  isStaffsEnd: false,
  endTold: null,
  hasEnded: false,
  offSince: null,
  unseen: null,
});

export interface Owner {
  devices: ModelDevice[];
  /** Interfaces assigned to the member, and those of their groups; none: all. */
  assigned: ReadonlySet<string>;
  groups: ReadonlySet<string>;
}

/** Devices that end or that nobody uses, written a second time from ADR 186 and 199: members, what is on the wire, and notices. */
export function makeDevicesModel<Member extends Owner>(
  zone: string,
  tell: (member: Member, what: string, now: number) => unknown,
  members: ReadonlyMap<string, Member>,
  isEntitled: (member: Member, now: number, byFriends: ReadonlySet<string>) => boolean,
) {
  const dayOf = (at: number) => DateTime.fromMillis(at, { zone }).toISODate() ?? "";
  /** The last second of a day so many days from now. */
  const endIn = (days: number, now: number) =>
    DateTime.fromMillis(now, { zone })
      .plus({ days })
      .set({ hour: 23, minute: 59, second: 59, millisecond: 0 })
      .toMillis();
  const keptUntil = (since: number) => since + KEPT_DAYS * DAY_MS;

  /** One notice for all of a member's devices with the same moment. */
  const tellOf = (
    member: Member,
    what: string,
    devices: readonly ModelDevice[],
    at: (device: ModelDevice) => number,
    now: number,
  ) => {
    for (const moment of new Set(devices.map(at))) {
      const names = devices.filter((device) => at(device) === moment).map(({ name }) => name);
      tell(member, `${what} ${moment} ${names.sort().join()}`, now);
    }
  };
  const wake = (device: ModelDevice) => Object.assign(device, { hasEnded: false, offSince: null, unseen: null });

  function watchEnds(now: number): void {
    for (const member of members.values()) {
      const of = (is: (end: number, device: ModelDevice) => boolean) =>
        member.devices.filter((device) => device.end !== null && is(device.end, device));
      for (const device of of((end, { hasEnded }) => hasEnded && end > now)) {
        wake(device);
        device.endTold = null;
      }
      const ended = of((end, { hasEnded }) => !hasEnded && end <= now);
      for (const device of ended) {
        device.hasEnded = true;
        if (device.offSince !== null) continue;
        device.offSince = now;
        device.unseen = { days: 0, day: dayOf(now), toldAt: null, isUsed: false };
      }
      tellOf(member, "devices_end ended", ended, ({ offSince }) => keptUntil(offSince ?? now), now);
      const soon = of((end, { hasEnded, endTold }) => !hasEnded && end > now && end <= now + DAY_MS && endTold !== end);
      for (const device of soon) device.endTold = device.end;
      tellOf(member, "devices_end soon", soon, ({ end }) => end ?? now, now);
    }
  }

  /** Counts the day, once. */
  function watchUnseen(now: number, byFriends: ReadonlySet<string>): void {
    const today = dayOf(now);
    const all = [...members.values()].flatMap((member) => member.devices.map((device) => ({ member, device })));
    const isOn = ({ member, device }: (typeof all)[number]) =>
      device.offSince === null && isEntitled(member, now, byFriends);
    const used = new Set(
      all
        .filter((one) => isOn(one) && one.device.seenAt >= now - DAY_MS && one.device.seenAt <= now + SKEW_MS)
        .map(({ device }) => device.place),
    );
    for (const one of all) {
      const { device } = one;
      if (device.offSince === null && (!isOn(one) || device.unseen?.isUsed === true)) device.unseen = null;
      const counts = device.offSince !== null || used.has(device.place);
      if (device.unseen !== null && counts && device.unseen.day !== today) {
        device.unseen.days += 1;
        device.unseen.day = today;
      }
      const isAway = device.seenAt < now - DAY_MS || device.seenAt > now + SKEW_MS;
      if (device.unseen === null && isOn(one) && used.has(device.place) && isAway && device.madeAt <= now - DAY_MS)
        device.unseen = { days: 0, day: today, toldAt: null, isUsed: false };
    }
    for (const member of members.values()) {
      const missing = member.devices.filter(({ offSince, unseen }) => offSince === null && unseen !== null);
      const daysOf = ({ unseen }: ModelDevice) => unseen?.days ?? 0;
      const off = missing.filter((device) => {
        const toldAt = device.unseen?.toldAt ?? null;
        return toldAt !== null && daysOf(device) >= Math.max(OFF_AFTER_DAYS, toldAt + NOTICE_DAYS);
      });
      for (const device of off) {
        device.offSince = now;
        Object.assign(device.unseen ?? {}, { days: 0, toldAt: null });
      }
      tellOf(member, "devices_unseen off", off, () => keptUntil(now), now);
      const untold = missing.filter(({ offSince, unseen }) => offSince === null && unseen?.toldAt === null);
      if (!untold.some((device) => daysOf(device) >= OFF_AFTER_DAYS - NOTICE_DAYS)) continue;
      const named = untold.filter((device) => daysOf(device) >= OFF_AFTER_DAYS - NOTICE_DAYS - TOGETHER_DAYS);
      for (const device of named) Object.assign(device.unseen ?? {}, { toldAt: daysOf(device) });
      tellOf(member, "devices_unseen soon", named, () => now + NOTICE_DAYS * DAY_MS, now);
    }
  }

  function deleteOld(now: number): void {
    for (const member of members.values()) {
      const gone = member.devices.filter(
        ({ offSince, unseen }) =>
          offSince !== null && offSince <= now - KEPT_DAYS * DAY_MS && (unseen?.days ?? 0) >= KEPT_DAYS,
      );
      member.devices = member.devices.filter((device) => !gone.includes(device));
      for (const [what, hasEnded] of [
        ["devices_unseen deleted", false],
        ["devices_end deleted", true],
      ] as const)
        tellOf(
          member,
          what,
          gone.filter((device) => device.hasEnded === hasEnded),
          () => now,
          now,
        );
    }
  }

  /** The interfaces of each group. */
  const groups = new Map<string, readonly string[]>();
  const placesOf = (member: Member): ReadonlySet<string> =>
    new Set([...member.assigned, ...[...member.groups].flatMap((id) => groups.get(id) ?? [])]);

  return {
    groups,
    placesOf,
    /** Whether a member may make a device on an interface. */
    mayUse: (member: Member, place: string) => {
      const own = placesOf(member);
      return own.size === 0 || own.has(place);
    },
    watchEnds,
    watchUnseen,
    deleteOld,
    endIn,
    use(device: ModelDevice, now: number): void {
      device.seenAt = device.seenAt > now + SKEW_MS ? now : Math.max(device.seenAt, now);
      if (device.unseen !== null) device.unseen.isUsed = true;
    },
    /** False: the panel must refuse it. */
    setEnd(device: ModelDevice, end: number | null, isByStaff: boolean, now: number): boolean {
      if (!isByStaff && device.isStaffsEnd) return false;
      const knows = !isByStaff && end !== null && end <= now + DAY_MS;
      Object.assign(device, { end, isStaffsEnd: isByStaff && end !== null, endTold: knows ? end : null });
      if (device.hasEnded) wake(device);
      return true;
    },
    reactivate(device: ModelDevice, isByStaff: boolean): boolean {
      if (device.offSince === null) return true;
      if (device.hasEnded && device.isStaffsEnd && !isByStaff) return false;
      if (device.hasEnded) Object.assign(device, { end: null, isStaffsEnd: false, endTold: null });
      wake(device);
      return true;
    },
  };
}
