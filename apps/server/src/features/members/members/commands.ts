import type { Language } from "@krug/contract/refusals";
import type { Tx } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Audit } from "../../club/audit/index.ts";
import { memberChanged, memberStandingChanged } from "./events.ts";
import type { LedgerReason } from "./ledger.ts";
import * as repository from "./repository.ts";
import { promisedRole } from "./standing.ts";
import type { MemberRow } from "./table.ts";

/** What other features may change about a member. Each command records its event in the same transaction. */
export function makeMemberCommands({ events, audit }: { events: Events; audit: Audit }) {
  const change = async (tx: Tx, memberId: string, to: Parameters<typeof repository.update>[2]) => {
    await repository.update(tx, memberId, to);
    await events.record(tx, memberChanged, { memberId });
  };

  /**
   * Notes whether the password is long enough for staff. A role that waited for a longer password then takes effect.
   */
  async function notePassword(tx: Tx, member: MemberRow, isStaffs: boolean): Promise<MemberRow> {
    const promised = promisedRole(member);
    const after = {
      staff_password: Number(isStaffs),
      role: isStaffs ? promised : "user",
      pending_role: isStaffs || promised === "user" ? null : promised,
    } as const;
    const { role, staff_password, pending_role } = member;
    if (role === after.role && staff_password === after.staff_password && pending_role === after.pending_role)
      return member;
    await repository.update(tx, member.id, after);
    if (role !== after.role) {
      await audit.record(tx, null, "member.changed", {
        target: member.id,
        before: { role, pending_role },
        after: { role: after.role, pending_role: after.pending_role },
      });
      await events.record(tx, memberChanged, { memberId: member.id });
    }
    return { ...member, ...after };
  }

  return {
    /** The caller ends the sessions and links of the old password. Returns the new row. */
    async setPasswordHash(tx: Tx, member: MemberRow, passwordHash: string, isStaffs: boolean): Promise<MemberRow> {
      await repository.update(tx, member.id, { password_hash: passwordHash });
      return notePassword(tx, { ...member, password_hash: passwordHash }, isStaffs);
    },

    notePassword,

    /** Moves the end of a locked member's subscription, or only records money that was paid or is not any more. */
    async setSubscription(
      tx: Tx,
      member: MemberRow,
      {
        subscription_end: end,
        subscription_source: source,
      }: Pick<MemberRow, "subscription_end" | "subscription_source">,
      reason: LedgerReason,
    ): Promise<void> {
      await repository.moveEnds(tx, [{ memberId: member.id, end, source, ...reason }]);
      if (end !== member.subscription_end || source !== member.subscription_source)
        await events.record(tx, memberStandingChanged, { memberId: member.id });
    },

    /** Sets the last month (YYYY-MM) for which staff recorded a payment. */
    setSettledPeriod: (tx: Tx, memberId: string, period: string): Promise<void> =>
      repository.update(tx, memberId, { settled_period: period }),

    /** The same for several; empty: none. */
    setSettledPeriods: (tx: Tx, of: readonly { id: string; period: string }[]): Promise<void> =>
      repository.updateAll(
        tx,
        of.map(({ id, period }) => ({ id, change: { settled_period: period } })),
      ),

    linkMessenger: (
      tx: Tx,
      memberId: string,
      { telegramId, name, language }: { telegramId: string; name: string; language: Language },
    ) =>
      change(tx, memberId, {
        telegram_id: telegramId,
        telegram_name: name,
        telegram_language: language,
        telegram_blocked_at: null,
      }),

    noteMessengerLanguage: (tx: Tx, memberId: string, language: Language) =>
      change(tx, memberId, { telegram_language: language }),

    unlinkMessenger: (tx: Tx, memberId: string) =>
      change(tx, memberId, { telegram_id: null, telegram_name: null, telegram_blocked_at: null }),

    /** `at`: ms since 1970, or null once the bot is unblocked. */
    noteMessengerBlocked: (tx: Tx, memberId: string, at: number | null) =>
      change(tx, memberId, { telegram_blocked_at: at }),
  };
}
