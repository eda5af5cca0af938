import { isoOf } from "@krug/domain/moment";
import type { Internet } from "../../../platform/http/internet.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { sessionsEnded } from "../../access/auth/index.ts";
import { type Members, memberDeleted } from "../../members/members/index.ts";
import type { Outbox } from "../outbox/index.ts";
import { makeClubKeys, sealedKeys } from "./keys.ts";
import * as repository from "./repository.ts";
import { makeSubscriptions, sealedEndpoints } from "./subscriptions.ts";

export const sealedInPush: SealedColumn[] = [sealedKeys, sealedEndpoints];

export type Push = ReturnType<typeof makePush>;

interface Parts extends Platform {
  members: Members;
  outbox: Outbox;
  internet: Internet;
}

/** Notices that browsers show even while the panel is closed (ADR 61): off until a member turns them on in each browser. */
export function makePush(parts: Parts) {
  const { db, events, internet, outbox, publicUrl } = parts;
  const subscriptions = makeSubscriptions(parts);
  // Browsers offer push to https pages only, and push services need a contact.
  const subject = publicUrl?.protocol === "https:" ? publicUrl.origin : null;

  events.onAll(sessionsEnded, subscriptions.endWith);
  events.on(memberDeleted, (tx, { memberId }) => subscriptions.removeOf(tx, memberId));
  if (subject !== null)
    outbox.addWay("push", async (tx, memberIds) =>
      (await repository.targetsOf(tx, memberIds)).map(({ id, member_id }) => ({ memberId: member_id, target: id })),
    );

  return {
    internet,
    subscriptions,
    keys: makeClubKeys(parts),
    /** Null: nothing can be sent to browsers. */
    subject,
    forgetOld: subscriptions.forgetOld,
    dataExport: {
      notifiedBrowsers: async (memberId: string) =>
        (await repository.ofMember(db, memberId)).map(({ device, language, created_at }) => ({
          device,
          language,
          since: isoOf(created_at),
        })),
    },
  };
}
