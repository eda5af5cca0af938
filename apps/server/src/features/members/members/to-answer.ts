import type { EntitlementAnswer, MemberAnswer } from "@krug/contract/members/members";
import { type Entitlement, entitlement, graceEnd } from "@krug/domain/entitlement";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { staffSubscriptionLabel } from "@krug/domain/subscription-label";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db } from "../../../platform/database/database.ts";
import { answeredWhileSame } from "../../../platform/database/while-unchanged.ts";
import { answeredOf } from "../../../platform/described-fields.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { opened, type Sealing } from "../../../platform/sealing.ts";
import type { ClubSettings } from "../../club/settings/index.ts";
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
export function makeOwnAnswer(toAnswer: ReturnType<typeof makeToAnswer>, clubTime: ClubTime) {
  const whileSame = answeredWhileSame<MemberAnswer>();
  return (db: Db, row: MemberRow, { club, now }: { club: ClubSettings; now: Date }): Promise<MemberAnswer> => {
    const standing = standingOf(row, club);
    // All that the clock decides in it.
    const byClock = [entitlement(standing, now).reason, staffSubscriptionLabel(standing, now).key];
    const besides = () => [row, club, clubTime.zone(), ...byClock];
    return whileSame(db, { key: row.id, besides }, async () => toAnswer(row, { club, now, seesInviteCode: false }));
  };
}
