import type { WebhookData } from "@krug/contract/webhook-events";
import type { Tx } from "../../platform/database/database.ts";
import { groupBy } from "../../platform/group-by.ts";
import { backupLate } from "../backup/index.ts";
import { addressesRanLow, configCreated, configRestored, configsDeleted } from "../configs/index.ts";
import {
  memberBlocked,
  memberDeleted,
  memberJoined,
  subscriptionExtended,
  subscriptionsEnded,
} from "../members/index.ts";
import { paymentClaimed, paymentOverdue, paymentRecorded } from "../payments/index.ts";
import { serverBack, serverGone } from "../servers/index.ts";
import { conversationWaits, ticketOpened } from "../support/index.ts";
import type { WebhookParts } from "./parts.ts";
import type { Put } from "./put.ts";

type HeardConfig = NonNullable<typeof configCreated.payload>;

type Parts = Pick<WebhookParts, "clock" | "clubTime" | "events" | "members">;

/** Turns what the features record into what webhooks carry: ids and names, and nothing that somebody wrote (WEBHOOK_DATA). */
export function hearEvents({ clock, clubTime, events, members }: Parts, put: Put) {
  const iso = (at: number) => new Date(at).toISOString();

  /** Their usernames; who was deleted before is left out. */
  const usernames = async (tx: Tx, ids: readonly string[]): Promise<Map<string, string>> =>
    new Map((await members.byIds(tx, [...new Set(ids)])).map(({ id, username }) => [id, username]));
  /** What is said of members, each with the username. */
  const named = async <More extends { memberId: string }>(
    tx: Tx,
    happened: readonly More[],
  ): Promise<(More & { username: string })[]> => {
    const names = await usernames(
      tx,
      happened.map(({ memberId }) => memberId),
    );
    return happened.flatMap((more) => {
      const username = names.get(more.memberId);
      return username === undefined ? [] : [{ ...more, username }];
    });
  };
  const about =
    (tx: Tx, memberId: string) =>
    <More extends object>(more: More) =>
      named(tx, [{ memberId, ...more }]);
  const configsAbout = async (tx: Tx, rows: readonly HeardConfig[]): Promise<WebhookData<"config.created">[]> => {
    const names = await usernames(
      tx,
      rows.map((row) => row.member_id),
    );
    return rows.flatMap(({ id, member_id, interface_id, device_type }) => {
      const username = names.get(member_id);
      if (username === undefined) return [];
      return [{ configId: id, memberId: member_id, username, interfaceId: interface_id, deviceType: device_type }];
    });
  };

  events.on(memberJoined, (tx, { memberId, username }) =>
    put.event(tx, "member.joined", async () => [{ memberId, username }]),
  );
  events.onAll(memberBlocked, async (tx, changes) => {
    for (const [isBlocked, some] of groupBy(changes, (change) => change.isBlocked))
      await put.event(tx, isBlocked ? "member.blocked" : "member.unblocked", () =>
        named(
          tx,
          some.map(({ memberId }) => ({ memberId })),
        ),
      );
  });
  events.on(memberDeleted, (tx, { memberId }) => put.event(tx, "member.deleted", () => about(tx, memberId)({})));
  events.onAll(subscriptionExtended, (tx, extended) =>
    put.event(tx, "subscription.extended", () =>
      named(
        tx,
        extended.map(({ memberId, until }) => ({ memberId, until: iso(until) })),
      ),
    ),
  );
  events.on(subscriptionsEnded, (tx, ended) =>
    put.event(tx, "subscription.ended", () =>
      named(
        tx,
        ended.map(({ memberId, endedAt }) => ({ memberId, endedAt: iso(endedAt) })),
      ),
    ),
  );
  events.on(paymentClaimed, (tx, { memberId, period }) =>
    put.event(tx, "payment.claimed", () => about(tx, memberId)({ period })),
  );
  events.on(paymentRecorded, (tx, { memberId, period, until }) =>
    put.event(tx, "payment.paid", () =>
      about(tx, memberId)({ period, subscriptionEnd: until === null ? null : iso(until) }),
    ),
  );
  events.on(paymentOverdue, (tx, { memberId, period }) =>
    put.event(tx, "payment.overdue", () => about(tx, memberId)({ period })),
  );
  events.on(configCreated, (tx, row) => put.event(tx, "config.created", () => configsAbout(tx, [row])));
  events.on(configRestored, (tx, row) => put.event(tx, "config.restored", () => configsAbout(tx, [row])));
  events.on(configsDeleted, (tx, rows) => put.event(tx, "config.deleted", () => configsAbout(tx, rows)));
  events.on(ticketOpened, (tx, { ticketId, memberId }) =>
    put.event(tx, "ticket.opened", () => about(tx, memberId)({ ticketId })),
  );
  events.on(conversationWaits, (tx, { memberId, ticketId }) =>
    put.event(tx, "conversation.waits", () => about(tx, memberId)({ ticketId })),
  );
  events.on(serverGone, (tx, { serverId, name, since }) =>
    put.event(tx, "server.down", async () => [{ serverId, name, since: iso(since) }]),
  );
  events.on(serverBack, (tx, { serverId, name, since, until }) =>
    put.event(tx, "server.back", async () => [{ serverId, name, since: iso(since), until: iso(until) }]),
  );
  events.on(addressesRanLow, (tx, { interfaceId, name, server, free }) =>
    put.event(
      tx,
      "interface.addresses_low",
      async () => [{ interfaceId, name, server, free }],
      // Every device that is added says so; once a day is news.
      `addresses_low:${interfaceId}:${clubTime.dayOf(clock.now().getTime())}`,
    ),
  );
  events.on(backupLate, (tx, { since }) => put.event(tx, "backup.late", async () => [{ since: iso(since) }]));
}
