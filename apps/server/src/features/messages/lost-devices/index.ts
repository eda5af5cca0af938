import type { Language } from "@krug/contract/refusals";
import { DAY_MS, isoOf } from "@krug/domain/moment";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import { jobKind } from "../../../platform/jobs.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Auth } from "../../access/auth/index.ts";
import type { Passkeys } from "../../access/passkeys/index.ts";
import type { Audit } from "../../club/audit/index.ts";
import { isTelegramConnected, type MemberRow, type Members, memberDeleted } from "../../members/members/index.ts";
import type { ConfigRow, Configs } from "../../vpn/configs/index.ts";
import type { Support } from "../support/index.ts";
import type { LostConfirmed, LostDevice, Telegram } from "../telegram/index.ts";
import { lostDeviceCutByStaff, lostDeviceReported } from "./events.ts";
import * as repository from "./repository.ts";
import { ticketWords } from "./words.ts";

export { lostDeviceCutByStaff, lostDeviceReported } from "./events.ts";

/** Someone who knows a login can disturb its member and staff only once in this time. */
const QUIET_MS = 30 * DAY_MS;
/** The part of a device's public key that identifies the one seen, and fits into a Telegram button. */
const SEEN_KEY_LETTERS = 10;

const reported = jobKind<Report>("lost_devices.reported");
interface Report {
  /** Null: the login does not exist. */
  memberId: string | null;
  withoutMessenger: boolean;
  language: Language;
}

export type LostDevices = ReturnType<typeof makeLostDevices>;

interface Parts extends Platform {
  audit: Audit;
  auth: Pick<Auth, "countLostDevice" | "endSessions" | "makeConfigLink">;
  passkeys: Pick<Passkeys, "endLost">;
  members: Members;
  configs: Pick<Configs, "keptOf" | "byIds" | "replaceLostKey" | "servicesOf">;
  support: Pick<Support, "openLostDevice" | "noteLostDevice">;
  telegram: Pick<Telegram, "hasToken">;
}

/** Devices reported lost at the sign-in page, where nobody can prove who they are (ADR 118). */
export function makeLostDevices(parts: Parts) {
  const { db, transact, clock, events, jobs, audit, auth, passkeys, members, configs, support, telegram } = parts;
  const now = () => clock.now().getTime();

  jobs.handle(reported, async (reports) => {
    for (const report of reports) await transact((tx) => take(tx, report));
  });
  events.on(memberDeleted, (tx, { memberId }) => repository.remove(tx, memberId));

  const openReport = async (tx: Tx, memberId: string) => {
    const report = await repository.lock(tx, memberId);
    return report === undefined || now() - report.asked_at >= QUIET_MS ? undefined : report;
  };

  /** Asks the member in Telegram, and staff by a ticket if there is no Telegram: once each. */
  const take = async (tx: Tx, { memberId, withoutMessenger, language }: Report): Promise<void> => {
    const member = memberId === null ? undefined : await members.lock(tx, memberId);
    if (member === undefined || member.is_active !== 1) return;
    const known = await openReport(tx, member.id);
    const asksStaff = withoutMessenger || !telegram.hasToken || !isTelegramConnected(member);
    const opensTicket = asksStaff && !known?.ticket_id;
    if (known !== undefined && !opensTicket) return;
    const ticket_id = opensTicket
      ? await support.openLostDevice(tx, member, ticketWords[language])
      : (known?.ticket_id ?? null);
    await repository.write(tx, { member_id: member.id, asked_at: known?.asked_at ?? now(), ticket_id });
    if (known === undefined) await events.record(tx, lostDeviceReported, { memberId: member.id, asksStaff });
  };

  /** Phones first: they get lost most. */
  const devicesOf = async (over: Db | Tx, memberId: string): Promise<LostDevice[]> =>
    (await configs.keptOf(over, memberId))
      .toSorted((a, b) => Number(b.device_type === "phone") - Number(a.device_type === "phone"))
      .map(deviceOf);

  /** Closes the report. Sessions and passkeys end too: whoever has the device may be signed in on it, or know its PIN. */
  const settle = async (
    tx: Tx,
    actorId: string | null,
    member: MemberRow,
    ticketId: string | null,
    device: Pick<ConfigRow, "id" | "name"> | null,
  ): Promise<void> => {
    await auth.endSessions(tx, member.id);
    await passkeys.endLost(tx, member.id, actorId);
    await repository.remove(tx, member.id);
    if (ticketId !== null) await support.noteLostDevice(tx, ticketId, member, { state: "cut", device });
  };
  const noteCut = (tx: Tx, actorId: string | null, row: Pick<ConfigRow, "id" | "name">, memberId: string) =>
    audit.record(tx, actorId, "config.lost", { target: row.id, memberId, after: { name: row.name } });

  /** By the member. Null: the device already has another key, so a second press does not cut again. */
  const cutOwn = async (tx: Tx, member: MemberRow, id: string, seenKey: string) => {
    const changed = await configs.replaceLostKey(tx, { memberId: member.id, id, seenKey }, null);
    if (changed === null) return null;
    await noteCut(tx, null, changed.config, member.id);
    await settle(tx, null, member, (await repository.lock(tx, member.id))?.ticket_id ?? null, changed.config);
    return changed;
  };
  const lockActive = async (tx: Tx, memberId: string): Promise<MemberRow> => {
    const member = (await members.lock(tx, memberId)) ?? refuse("member.not_found");
    return member.is_active === 1 ? member : refuse("member.blocked");
  };

  return {
    /** The same answer for every login: only the member and staff see what comes of it. */
    async report(
      username: string,
      from: { address: ClientAddress; language: Language; withoutMessenger: boolean },
    ): Promise<void> {
      const memberId = (await members.findByUsername(db, username))?.id ?? null;
      const { address, ...how } = from;
      await transact(async (tx) => {
        await auth.countLostDevice(tx, address);
        await jobs.enqueue(tx, reported, { payload: { memberId, ...how } });
      });
    },

    devicesOf: (memberId: string) => devicesOf(db, memberId),

    /** The member confirms in Telegram. If they have several devices they are asked which. */
    confirm: (memberId: string): Promise<LostConfirmed> =>
      transact(async (tx) => {
        const member = await lockActive(tx, memberId);
        const report = await openReport(tx, member.id);
        if (report === undefined) return { is: "over" };
        const devices = await devicesOf(tx, member.id);
        const [only] = devices;
        if (only === undefined) {
          await settle(tx, null, member, report.ticket_id, null);
          return { is: "nothing" };
        }
        if (devices.length > 1) return { is: "choose", devices };
        await cutOwn(tx, member, only.id, only.seenKey);
        return { is: "cut", device: only };
      }),

    /** The member says it was not them: their devices stay, and nobody disturbs them again for a while. */
    decline: (memberId: string): Promise<void> =>
      transact(async (tx) => {
        const member = await lockActive(tx, memberId);
        const ticketId = (await openReport(tx, member.id))?.ticket_id;
        if (ticketId) await support.noteLostDevice(tx, ticketId, member, { state: "declined" });
      }),

    /** The member names the device in Telegram, reported or not. Answers its name. @throws Refusal */
    cut: (memberId: string, id: string, seenKey: string): Promise<string> =>
      transact(async (tx) => {
        const member = await lockActive(tx, memberId);
        const changed = await cutOwn(tx, member, id, seenKey);
        const [row] = changed === null ? await configs.byIds(tx, [id]) : [changed.config];
        return row?.name ?? refuse("config.not_found");
      }),

    /**
     * By staff, who have verified the member. Returns the one-time link to the new file, null while no file can be written. A
     * device that staff replaced, and whose file nobody has yet, gets another link but keeps its key.
     */
    async cutByStaff(
      tx: Tx,
      actor: Actor,
      member: MemberRow,
      about: { ticketId: string; configId: string; origin: string },
    ) {
      const [row] = await configs.byIds(tx, [about.configId]);
      if (row === undefined || row.member_id !== member.id || row.deleted_at !== null) refuse("config.not_found");
      const isReplaced = row.made_by !== null && row.delivered_at === null;
      const jobIds: string[] = [];
      if (!isReplaced) {
        const which = { memberId: member.id, id: row.id, seenKey: null };
        jobIds.push(...((await configs.replaceLostKey(tx, which, actor.memberId))?.jobIds ?? []));
        await events.record(tx, lostDeviceCutByStaff, { memberId: member.id, name: row.name });
      }
      await noteCut(tx, actor.memberId, row, member.id);
      await settle(tx, actor.memberId, member, about.ticketId, row);
      const hasFile = ((await configs.servicesOf(tx, [row.id])).get(row.id) ?? []).length > 0;
      const made = hasFile ? await auth.makeConfigLink(tx, { id: row.id, memberId: member.id }, about.origin) : null;
      return { jobIds, link: made?.link ?? null, expiresAt: made?.expiresAt ?? null };
    },

    forgetOld: (): Promise<void> => transact((tx) => repository.removeBefore(tx, now() - QUIET_MS)),
    dataExport: {
      lostDeviceReportedAt: async (memberId: string) => {
        const report = await repository.find(db, memberId);
        return report === undefined ? null : isoOf(report.asked_at);
      },
    },
  };
}

const deviceOf = ({ id, name, public_key }: ConfigRow): LostDevice => ({
  id,
  name,
  seenKey: public_key.slice(0, SEEN_KEY_LETTERS),
});
