import type { EntitlementAnswer, MemberAnswer } from "@krug/contract/members/members";
import { type Entitlement, entitlement, graceEnd } from "@krug/domain/entitlement";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { staffSubscriptionLabel } from "@krug/domain/subscription-label";
import type { Clock } from "../../../platform/clock.ts";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db } from "../../../platform/database/database.ts";
import { answeredWhileSame } from "../../../platform/database/while-unchanged.ts";
import { answeredOf } from "../../../platform/described-fields.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { opened, type Sealing } from "../../../platform/sealing.ts";
import type { ClubSettings, Settings } from "../../club/settings/index.ts";
import { isTelegramConnected, standingOf } from "./standing.ts";
import type { MemberRow } from "./table.ts";

/** Binds the sealed joining code to the member's row. */
export const inviteCodePlace = (memberId: string) => `members.invite_code:${memberId}`;
export const sealedInMembers: SealedColumn[] = [
  { table: "members", column: "invite_code", key: ["id"], place: ({ id = "" }) => inviteCodePlace(id) },
];

/** Whether the member may use the VPN, and until when, as the contract shows it. */
export const entitlementAnswer = ({ allowed, reason, until }: Entitlement, clubTime: ClubTime): EntitlementAnswer => ({
  allowed,
  reason,
  until: clubTime.write(until?.getTime()),
});

/** A row as the contract shows it. `seesInviteCode` is for staff only: members do not see the code they joined with. */
export function makeToAnswer(sealing: Sealing, clubTime: ClubTime) {
  return (
    row: MemberRow,
    { club, now, seesInviteCode }: { club: ClubSettings; now: Date; seesInviteCode: boolean },
  ): MemberAnswer => {
    const inviteCode =
      seesInviteCode && row.invite_code !== null
        ? opened(sealing, { place: inviteCodePlace(row.id), text: row.invite_code })
        : null;
    return {
      id: row.id,
      ...answeredOf(MEMBER_FIELDS, row, clubTime),
      isTrial: row.subscription_source === "trial",
      isByReferral: staffSubscriptionLabel(standingOf(row, club), now).key === "referral",
      graceUntil: clubTime.write(graceEnd(standingOf(row, club))),
      entitlement: entitlementAnswer(entitlement(standingOf(row, club), now), clubTime),
      hasAcceptedRules: row.accepted_rules_at !== null,
      telegramConnected: isTelegramConnected(row),
      inviteCode,
      invite_code: inviteCode,
    };
  };
}

/** A member's own answer, the same object while nothing that it says has changed. */
export function makeOwnAnswer(
  { settings, clock, clubTime }: { settings: Settings; clock: Clock; clubTime: ClubTime },
  toAnswer: ReturnType<typeof makeToAnswer>,
) {
  const whileSame = answeredWhileSame<MemberAnswer>();
  return async (db: Db, row: MemberRow): Promise<MemberAnswer> => {
    const club = await settings.read(db);
    // All that the clock decides in it.
    const byClock = (now: Date) => {
      const standing = standingOf(row, club);
      return [entitlement(standing, now).reason, staffSubscriptionLabel(standing, now).key];
    };
    const isLatest = () => settings.latest() === club || undefined;
    const besides = () => [row, club, isLatest(), clubTime.zone(), ...byClock(clock.now())];
    return whileSame(db, { key: row.id, besides }, async () =>
      toAnswer(row, { club, now: clock.now(), seesInviteCode: false }),
    );
  };
}
