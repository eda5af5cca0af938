import { isoOf } from "@krug/domain/moment";
import { groupBy } from "../../../platform/group-by.ts";
import { backupLate } from "../../club/backup/index.ts";
import {
  actUndone,
  memberBlocked,
  memberDeleted,
  memberJoined,
  subscriptionExtended,
  subscriptionsEnded,
} from "../../members/members/index.ts";
import { paymentClaimed, paymentOverdue, paymentRecorded } from "../../money/payments/index.ts";
import { addressesRanLow, configCreated, configRestored, configsDeleted } from "../../vpn/configs/index.ts";
import { serverBack, serverGone } from "../../vpn/servers/index.ts";
import { conversationWaits, ticketOpened } from "../support/index.ts";
import type { WebhookParts } from "./parts.ts";
import type { Put } from "./put.ts";

type Parts = Pick<WebhookParts, "clock" | "clubTime" | "events" | "members">;

/** Turns what the features record into what webhooks carry: ids, and nothing that somebody wrote (WEBHOOK_DATA). */
export function subscribeToEvents({ clock, clubTime, events, members }: Parts, put: Put) {
  const configsOf = (rows: readonly NonNullable<typeof configCreated.payload>[]) =>
    rows.map(({ id, member_id, interface_id, device_type }) => ({
      configId: id,
      memberId: member_id,
      interfaceId: interface_id,
      deviceType: device_type,
    }));

  events.on(memberJoined, (tx, { memberId }) => put.event(tx, "member.joined", () => [{ memberId }]));
  events.onAll(memberBlocked, async (tx, changes) => {
    for (const [isBlocked, some] of groupBy(changes, (change) => change.isBlocked))
      await put.event(tx, isBlocked ? "member.blocked" : "member.unblocked", () =>
        some.map(({ memberId }) => ({ memberId })),
      );
  });
  events.on(memberDeleted, (tx, { memberId }) =>
    put.event(tx, "member.deleted", async () =>
      (await members.byIds(tx, [memberId])).map(({ username }) => ({ memberId, lastName: username })),
    ),
  );
  events.onAll(subscriptionExtended, (tx, extended) =>
    put.event(tx, "subscription.extended", () =>
      extended.map(({ memberId, until }) => ({ memberId, until: isoOf(until) })),
    ),
  );
  events.on(subscriptionsEnded, (tx, ended) =>
    put.event(tx, "subscription.ended", () =>
      ended.map(({ memberId, endedAt }) => ({ memberId, endedAt: isoOf(endedAt) })),
    ),
  );
  events.on(paymentClaimed, (tx, { memberId, period, months }) =>
    put.event(tx, "payment.claimed", () => [{ memberId, period, months }]),
  );
  events.on(paymentRecorded, (tx, { memberId, period, months, until }) =>
    put.event(tx, "payment.paid", () => [{ memberId, period, months, subscriptionEnd: isoOf(until) }]),
  );
  events.onAll(actUndone, async (tx, all) => {
    await put.event(tx, "payment.undone", () =>
      all.flatMap(({ memberId, payment, until }) =>
        payment === null ? [] : [{ memberId, ...payment, subscriptionEnd: isoOf(until) }],
      ),
    );
    await put.event(tx, "subscription.undone", () =>
      all.flatMap(({ memberId, payment, until }) =>
        payment === null ? [{ memberId, subscriptionEnd: isoOf(until) }] : [],
      ),
    );
  });
  events.on(paymentOverdue, (tx, { memberId, period }) =>
    put.event(tx, "payment.overdue", () => [{ memberId, period }]),
  );
  events.onAll(configCreated, (tx, rows) => put.event(tx, "config.created", () => configsOf(rows)));
  events.on(configRestored, (tx, row) => put.event(tx, "config.restored", () => configsOf([row])));
  events.on(configsDeleted, (tx, rows) => put.event(tx, "config.deleted", () => configsOf(rows)));
  events.on(ticketOpened, (tx, { ticketId, memberId }) =>
    put.event(tx, "ticket.opened", () => [{ ticketId, memberId }]),
  );
  events.on(conversationWaits, (tx, { memberId, ticketId }) =>
    put.event(tx, "conversation.waits", () => [{ memberId, ticketId }]),
  );
  events.on(serverGone, (tx, { serverId, name, since }) =>
    put.event(tx, "server.down", () => [{ serverId, name, since: isoOf(since) }]),
  );
  events.on(serverBack, (tx, { serverId, name, since, until }) =>
    put.event(tx, "server.back", () => [{ serverId, name, since: isoOf(since), until: isoOf(until) }]),
  );
  events.on(addressesRanLow, (tx, { interfaceId, name, server, free }) =>
    put.event(
      tx,
      "interface.addresses_low",
      () => [{ interfaceId, name, server, free }],
      // Every added device repeats it; once a day is enough.
      `addresses_low:${interfaceId}:${clubTime.dayOf(clock.now().getTime())}`,
    ),
  );
  events.on(backupLate, (tx, { since }) => put.event(tx, "backup.late", () => [{ since: isoOf(since) }]));
}
