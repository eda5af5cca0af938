import { NO_LIMIT } from "@krug/domain/config-rules";
import { clubDay, writtenShortDay } from "../../../lib/format.ts";
import { placeName } from "../../../lib/place-name.ts";
import type { RingState } from "../../../ui/ring.tsx";
import type { InviteCode } from "./staff-queries.ts";
import type { StaffInvitesWords } from "./staff-words.ts";

export const CODE_RINGS: Record<InviteCode["state"], RingState> = {
  active: "on",
  expired: "idle",
  used: "done",
  deactivated: "bad",
};

/** What a code gives a newcomer. */
export function givesText({ subscriptionDays, subscriptionEndDate }: InviteCode, { list }: StaffInvitesWords): string {
  if (subscriptionDays !== null) return list.days(subscriptionDays);
  return subscriptionEndDate === null ? list.trial : list.until(writtenShortDay(clubDay(subscriptionEndDate)));
}

export const usesText = ({ currentUses, maxUses }: InviteCode, { list }: StaffInvitesWords): string =>
  list.usesOf(currentUses, maxUses === NO_LIMIT ? list.unlimited : String(maxUses));

export const expiresText = ({ expiresAt }: InviteCode, { list }: StaffInvitesWords): string =>
  expiresAt === null ? list.forever : writtenShortDay(clubDay(expiresAt));

/** The names of a code's interfaces. Deleted ones are left out. */
export const interfaceNames = (
  { interfaces }: InviteCode,
  known: readonly { id: string; name: string; serverName: string }[] | undefined,
): string[] => (known ?? []).filter(({ id }) => interfaces.includes(id)).map(placeName);
