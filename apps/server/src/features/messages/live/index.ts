import type { StreamEvent } from "@krug/contract/endpoint";
import { type OwnEvents, Topic } from "@krug/contract/messages/live";
import { AUDIT_ACTIONS, type AuditAction } from "@krug/domain/audit-actions";
import { may, type StaffAction } from "@krug/domain/staff-actions";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { sessionsEnded } from "../../access/auth/index.ts";
import { inviteCodesChanged } from "../../access/invites/index.ts";
import { maintenanceSwitched } from "../../access/maintenance/index.ts";
import { staffActed } from "../../club/audit/index.ts";
import { backupLate } from "../../club/backup/index.ts";
import { seesVip } from "../../club/rights/index.ts";
import { settingsChanged } from "../../club/settings/index.ts";
import { groupChanged, groupMembersChanged } from "../../members/groups/index.ts";
import {
  type Members,
  memberChanged,
  memberDeleted,
  memberJoined,
  memberStandingChanged,
} from "../../members/members/index.ts";
import { templatesChanged } from "../../members/templates/index.ts";
import { paymentChanged } from "../../money/payments/index.ts";
import { accessRulesChanged } from "../../vpn/access-rules/index.ts";
import { configsChanged } from "../../vpn/configs/index.ts";
import { exitBack, exitGone, exitsChanged } from "../../vpn/exits/index.ts";
import { assignmentChanged, serverBack, serverGone } from "../../vpn/servers/index.ts";
import { makePresence } from "./presence.ts";

type LiveEvent = StreamEvent<OwnEvents>;

type Reader = Pick<Actor, "memberId" | "sessionId" | "role">;

/** An open page: gets changes for its member until its session ends. */
interface Page {
  /** The role is fixed too: changing it ends the session. */
  readonly reader: Reader;
  push(event: LiveEvent): void;
  end(): void;
}

/** The club's changes go to pages of members with the right to see them; VIP members' doings only to those who see VIP members. */
const NEEDED_TO_HEAR = {
  club: "area.enter",
  clubAlarms: "area.enter",
  clubMembers: "members.see",
  clubPayments: "payments.see",
  clubInvites: "invites.see",
  accessRules: "rules.see",
  clubServers: "interfaces.see",
  clubCatalog: "area.enter",
} as const satisfies Partial<Record<Topic, StaffAction>>;
type ClubTopic = keyof typeof NEEDED_TO_HEAR;
const isClubs = (topic: Topic): topic is ClubTopic => topic in NEEDED_TO_HEAR;

/** Which page follows an act of staff, by what it was done to. */
const TOPIC_OF_ACTS: Partial<Record<(typeof AUDIT_ACTIONS)[AuditAction], ClubTopic>> = {
  server: "clubServers",
  interface: "clubServers",
  service: "clubCatalog",
  dns: "clubCatalog",
};

/** More open pages than anyone looks at; the oldest stream makes room. */
const MOST_PAGES = 20;

export type Live = ReturnType<typeof makeLive>;

const MEMBERS_PAGES = "live.member.";
const STAFF_PAGES = "live.staff.";
const STAFF_PAGES_OF_VIPS = "live.staff_of_vips.";
const SESSIONS_ENDED = "live.sessions_ended";
const SESSIONS_BLOCKED = "live.sessions_blocked";
const ALL_COME_BACK = "live.all_come_back";

/** Sends committed changes to members' open pages, on whichever panel of the database they are. */
export function makeLive(parts: Platform & { members: Pick<Members, "vipAmong"> }) {
  const { events, signals, members } = parts;
  const pages = new Map<string, Set<Page>>();
  const presence = makePresence(parts);

  const listen = (reader: Reader, ways: Omit<Page, "reader">) => {
    const { memberId } = reader;
    const page: Page = { reader, ...ways };
    const open = pages.get(memberId) ?? new Set();
    if (open.size === 0) presence.opened(memberId);
    pages.set(memberId, open.add(page));
    for (const oldest of [...open].slice(0, -MOST_PAGES)) oldest.end();
    return () => {
      if (!open.delete(page) || open.size > 0) return;
      pages.delete(memberId);
      presence.closed(memberId);
    };
  };
  const tell = (tx: Tx, memberIds: Iterable<string>, topic: Topic) => {
    const ids = [...memberIds];
    if (ids.length > 0) signals.send(tx, MEMBERS_PAGES + topic, ids);
  };
  /** `isVips`: a VIP member did it, or it is about one. */
  const tellStaff = (tx: Tx, topic: ClubTopic, isVips = false) =>
    signals.send(tx, (isVips ? STAFF_PAGES_OF_VIPS : STAFF_PAGES) + topic);
  const openPages = () => [...pages.values()].flatMap((open) => [...open]);
  const endAll = () => {
    for (const page of openPages()) page.end();
  };

  for (const topic of Topic.options) {
    const event: LiveEvent = { event: "changed", data: { topic } };
    signals.on(MEMBERS_PAGES + topic, (memberIds) => {
      for (const memberId of memberIds) for (const page of pages.get(memberId) ?? []) page.push(event);
    });
    if (!isClubs(topic)) continue;
    const hearing = () => openPages().filter(({ reader }) => may(reader.role, NEEDED_TO_HEAR[topic]));
    signals.on(STAFF_PAGES + topic, () => {
      for (const page of hearing()) page.push(event);
    });
    signals.on(STAFF_PAGES_OF_VIPS + topic, () => {
      for (const page of hearing()) if (seesVip(page.reader)) page.push(event);
    });
  }
  const endPages = (sessionIds: readonly string[], lastWord?: LiveEvent) => {
    const ended = new Set(sessionIds);
    for (const page of openPages()) {
      if (!ended.has(page.reader.sessionId)) continue;
      if (lastWord) page.push(lastWord);
      page.end();
    }
  };
  signals.on(SESSIONS_ENDED, (sessionIds) => endPages(sessionIds));
  signals.on(SESSIONS_BLOCKED, (sessionIds) => endPages(sessionIds, { event: "ended", data: { why: "blocked" } }));
  signals.on(ALL_COME_BACK, endAll);
  // Pages that reconnect fetch everything again.
  signals.onGap(endAll);

  events.on(memberStandingChanged, async (tx, { memberId }) => tell(tx, [memberId], "account"));
  events.on(memberChanged, async (tx, { memberId }) => tell(tx, [memberId], "account"));
  for (const type of [memberStandingChanged, memberChanged, memberJoined, memberDeleted])
    events.onAll<{ memberId: string }>(type, async (tx, changes) => {
      const ids = changes.map(({ memberId }) => memberId);
      const vips = await members.vipAmong(tx, ids);
      tellStaff(
        tx,
        "clubMembers",
        ids.every((id) => vips.has(id)),
      );
    });
  events.on(configsChanged, async (tx, { memberIds }) => tell(tx, memberIds, "configs"));
  events.on(assignmentChanged, async (tx, { memberId }) => tell(tx, [memberId], "configs"));
  events.on(accessRulesChanged, async (tx, { isVips }) => tellStaff(tx, "accessRules", isVips));
  events.onAll(paymentChanged, async (tx, changes) => {
    const ids = changes.map(({ memberId }) => memberId);
    tell(tx, ids, "payments");
    const vips = await members.vipAmong(tx, ids);
    tellStaff(
      tx,
      "clubPayments",
      ids.every((id) => vips.has(id)),
    );
  });
  for (const type of [groupChanged, groupMembersChanged])
    events.on<{ memberIds: readonly string[] }>(type, async (tx, { memberIds }) => tell(tx, memberIds, "configs"));
  events.on(groupChanged, async (tx) => tellStaff(tx, "clubMembers"));
  events.on(templatesChanged, async (tx) => tellStaff(tx, "clubInvites"));
  events.on(inviteCodesChanged, async (tx) => tellStaff(tx, "clubInvites"));
  events.on(sessionsEnded, async (tx, { sessionIds, why }) => {
    // A signal without ids concerns everyone.
    if (sessionIds.length > 0) signals.send(tx, why === "blocked" ? SESSIONS_BLOCKED : SESSIONS_ENDED, sessionIds);
  });
  events.onAll(staffActed, async (tx, acts) => {
    for (const topic of new Set(acts.map(({ action }) => TOPIC_OF_ACTS[AUDIT_ACTIONS[action]])))
      if (topic !== undefined) tellStaff(tx, topic);
  });
  events.on(exitsChanged, async (tx) => tellStaff(tx, "clubServers"));
  for (const type of [exitGone, exitBack]) events.on<object>(type, async (tx) => tellStaff(tx, "clubAlarms"));
  events.on(serverGone, async (tx) => tellStaff(tx, "clubAlarms"));
  events.on(serverBack, async (tx) => tellStaff(tx, "clubAlarms"));
  events.on(backupLate, async (tx) => tellStaff(tx, "clubAlarms"));
  events.on(settingsChanged, async (tx) => tellStaff(tx, "club"));
  // Pages reconnect at once: staff's continue, members' show the maintenance.
  events.on(maintenanceSwitched, async (tx) => signals.send(tx, ALL_COME_BACK));

  return {
    tell,
    /** Whether the member has an open page, at any panel. */
    isLooking: presence.isLooking,
    /** Opens a stream for this member's page: it gets the member's changes, and ends with the session. Returns how to close it. */
    listen,
    timed: [{ name: "open pages", at: "*/20 * * * * *", run: presence.keepAlive }],
    start: () => void presence.ask(),
    stop: async () => presence.stop(),
  };
}
