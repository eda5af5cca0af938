import { randomUUID } from "node:crypto";
import { normalizeInviteCode, trialEndsAt } from "@krug/domain/invite-rules";
import { DAY_MS } from "@krug/domain/moment";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import { refuse } from "../../../platform/refusal.ts";
import {
  type MemberRow,
  memberJoined,
  newcomersShare,
  newMemberRow,
  refuseBadUsername,
} from "../../members/members/index.ts";
import type { makeCheckCode } from "./check-code.ts";
import { inviteCodesChanged } from "./events.ts";
import type { makeJoiningLimits } from "./joining-limits.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { InviteRow } from "./table.ts";

export interface Newcomer {
  username: string;
  password: string;
  inviteCode: string;
  address: ClientAddress;
  userAgent: string | null;
}

/**
 * Registers a member with a code. The code's use, the account, what the template gives, the assignments and the inviter are
 * written in one transaction (decisions, section 4). A bad name or password neither counts nor uses the code; a taken name
 * counts.
 */
export function makeRegister(
  parts: InviteParts,
  checkCode: ReturnType<typeof makeCheckCode>,
  limits: ReturnType<typeof makeJoiningLimits>,
) {
  const { db, transact, clock, settings, events, members, auth, interfaces, templates } = parts;
  return async ({ username, password, inviteCode, address, userAgent }: Newcomer) => {
    await checkCode.refuseWhileBanned(address);
    refuseBadUsername(username);
    await auth.checkNewPassword(password, "user");
    // Before the password is hashed: guessing codes must not keep the machine busy.
    const admitted = await checkCode.admit(inviteCode, address);
    await limits.refuseReached(db, address, admitted.id);
    if ((await members.findByUsername(db, username)) !== undefined) {
      await transact((tx) => limits.count(tx, "name_taken", address, admitted.id));
      refuse("member.username_taken", { field: "username" });
    }
    const password_hash = await auth.hashPassword(password);

    return transact(async (tx) => {
      await limits.count(tx, "joined", address, admitted.id);
      const now = clock.now().getTime();
      const invite = (await repository.takeUse(tx, admitted.id, now)) ?? refuse("invite.wrong_code");
      const template = await templates.forNewMember(tx, invite.template_id);
      const id = randomUUID();
      const row = newMemberRow({
        id,
        username,
        password_hash,
        staff_password: Number(await auth.isStaffsPassword(password)),
        ...newcomersShare(await settings.read(tx), template),
        ...subscriptionFrom(invite, now),
        invited_by: invite.created_by,
        invite_code_id: invite.id,
        friend_of: invite.kind === "member" ? invite.created_by : null,
        invite_code: await members.sealInviteCode(tx, id, normalizeInviteCode(inviteCode) ?? ""),
        created_at: now,
      });
      if (!(await members.insert(tx, row, invite.created_by))) refuse("member.username_taken", { field: "username" });
      await templates.begin(tx, [id], template);
      if (invite.kind === "staff") {
        await interfaces.assign(tx, id, JSON.parse(invite.interface_ids) as string[]);
        await events.record(tx, inviteCodesChanged, {});
      } else await interfaces.copyAssignments(tx, invite.created_by, id);
      await events.record(tx, memberJoined, { memberId: id, username });
      await checkCode.forgive(tx, address);
      return { row, session: await auth.openSession(tx, row, userAgent) };
    });
  };
}

/** What a code gives: days from registration, an end date, or the trial. */
function subscriptionFrom(
  { kind, subscription_days, subscription_end }: InviteRow,
  registeredAt: number,
): Pick<MemberRow, "subscription_end" | "subscription_source"> {
  if (kind === "staff" && subscription_days !== null)
    return { subscription_end: registeredAt + subscription_days * DAY_MS, subscription_source: "code" };
  if (kind === "staff" && subscription_end !== null) return { subscription_end, subscription_source: "code" };
  return { subscription_end: trialEndsAt(registeredAt), subscription_source: "trial" };
}
