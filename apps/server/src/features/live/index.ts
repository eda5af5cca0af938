import type { StreamEvent } from "@krug/contract/endpoint";
import type { live as liveContract, OwnEvents, Topic } from "@krug/contract/live";
import { isStaff } from "@krug/domain/roles";
import { afterCommit, type Tx } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import type { Handlers } from "../../platform/http/call.ts";
import { accessRulesChanged } from "../access-rules/index.ts";
import { sessionsEnded } from "../auth/index.ts";
import { configsChanged } from "../configs/index.ts";
import { inviteCodesChanged } from "../invites/index.ts";
import { maintenanceSwitched } from "../maintenance/index.ts";
import { type Members, memberChanged, memberStandingChanged } from "../members/index.ts";
import { paymentChanged } from "../payments/index.ts";
import { seesVip } from "../rights/index.ts";
import { assignmentChanged } from "../servers/index.ts";
import { settingsChanged } from "../settings/index.ts";

type LiveEvent = StreamEvent<OwnEvents>;

/** An open page: told of what changes for its member, as long as its session goes on. */
interface Page {
  readonly sessionId: string;
  /** A page of staff, who also see what is the club's; a moderator's sees nothing of VIP members, their activity included. */
  readonly staff?: { readonly seesVip: boolean };
  push(event: LiveEvent): void;
  end(): void;
}

/** More open pages than anyone looks at; the oldest stream makes room. */
const MOST_PAGES = 20;

export type Live = ReturnType<typeof makeLive>;

/**
 * Tells members' open pages what changes, once it is committed. Only pages that listen to this very panel hear of it; one
 * that listens to another panel of the same database learns it by its timers.
 */
export function makeLive({ events, members }: { events: Events; members: Pick<Members, "vipAmong"> }) {
  const pages = new Map<string, Set<Page>>();

  const listen = (memberId: string, page: Page) => {
    const open = pages.get(memberId) ?? new Set();
    pages.set(memberId, open.add(page));
    for (const oldest of [...open].slice(0, -MOST_PAGES)) oldest.end();
    return () => {
      open.delete(page);
      if (open.size === 0) pages.delete(memberId);
    };
  };
  const tell = (tx: Tx, memberIds: Iterable<string>, event: LiveEvent) =>
    afterCommit(tx, () => {
      for (const memberId of memberIds) for (const page of pages.get(memberId) ?? []) page.push(event);
    });
  const changed = (tx: Tx, memberIds: Iterable<string>, topic: Topic) =>
    tell(tx, memberIds, { event: "changed", data: { topic } });
  /** `isVips`: it is a VIP member's doing, or about him. */
  const changedForStaff = (tx: Tx, topic: Topic, isVips = false) =>
    afterCommit(tx, () => {
      for (const open of pages.values())
        for (const { staff, push } of open)
          if (staff && (staff.seesVip || !isVips)) push({ event: "changed", data: { topic } });
    });

  events.on(memberStandingChanged, async (tx, { memberId }) => changed(tx, [memberId], "account"));
  events.on(memberChanged, async (tx, { memberId }) => changed(tx, [memberId], "account"));
  events.on(configsChanged, async (tx, { memberIds }) => changed(tx, new Set(memberIds), "configs"));
  events.on(assignmentChanged, async (tx, { memberId }) => changed(tx, [memberId], "configs"));
  events.on(accessRulesChanged, async (tx) => changedForStaff(tx, "accessRules"));
  events.on(paymentChanged, async (tx, { memberId }) => {
    changed(tx, [memberId], "payments");
    changedForStaff(tx, "clubPayments", (await members.vipAmong(tx, [memberId])).has(memberId));
  });
  events.on(inviteCodesChanged, async (tx) => changedForStaff(tx, "clubInvites"));
  events.on(sessionsEnded, async (tx, { memberId, sessionIds }) =>
    afterCommit(tx, () => {
      for (const page of [...(pages.get(memberId) ?? [])]) if (sessionIds.includes(page.sessionId)) page.end();
    }),
  );
  events.on(settingsChanged, async (tx) => changedForStaff(tx, "club"));
  // Pages come back at once: staff's go on, members' are told of the maintenance.
  events.on(maintenanceSwitched, async (tx) =>
    afterCommit(tx, () => {
      for (const open of [...pages.values()]) for (const page of [...open]) page.end();
    }),
  );

  const routes: Handlers<typeof liveContract> = {
    own:
      ({ actor }) =>
      ({ push, end }) =>
        listen(actor.memberId, {
          sessionId: actor.sessionId,
          ...(isStaff(actor.role) ? { staff: { seesVip: seesVip(actor) } } : {}),
          push,
          end,
        }),
  };
  return {
    routes,
    tell,
    /** Whether a page of his is open here. */
    isLooking: (memberId: string): boolean => pages.has(memberId),
    /** Opens a page of this member: it is told what is told to him, and ended with its session. Answers how to close it. */
    listen,
  };
}
