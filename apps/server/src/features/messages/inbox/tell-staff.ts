import { isoOf } from "@krug/domain/moment";
import { decimalOf } from "@krug/domain/money";
import type { Tx } from "../../../platform/database/database.ts";
import { codesGuessed, joiningLimited } from "../../access/invites/index.ts";
import { backupLate } from "../../club/backup/index.ts";
import { memberJoined } from "../../members/members/index.ts";
import { claimChanged, ifSeveral, paymentClaimed, priceOf } from "../../money/payments/index.ts";
import { addressesRanLow } from "../../vpn/configs/index.ts";
import { exitBack, exitGone } from "../../vpn/exits/index.ts";
import { reachBack, reachLost } from "../../vpn/outage-detection/index.ts";
import { countersRefused, unknownPeersFound } from "../../vpn/reconciler/index.ts";
import { forwardingBack, forwardingRefused, serverBack, serverGone } from "../../vpn/servers/index.ts";
import { sourceFailing, sourceWaits } from "../../vpn/sources/index.ts";
import { memberWrote, supportAnswered, ticketOpened } from "../support/index.ts";
import { webhookSwitchedOff } from "../webhooks/index.ts";
import type { InboxParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { News, Tell } from "./tell.ts";

/** Characters of a message in its notice. */
const MOST_TOLD = 1_000;

const claimKey = (claimId: string) => `payment_claimed:${claimId}`;

/** Notifies staff of what needs attention before it does harm. Each kind names its audience (NOTICES). */
export function tellStaff({ clock, clubTime, events, settings, members, catalog, live }: InboxParts, tell: Tell): void {
  const tellAll = async (tx: Tx, news: News, onceKey?: string) =>
    tell(
      tx,
      (await members.activeStaff(tx)).map(({ id: memberId }) => ({ memberId, ...news, ...(onceKey && { onceKey }) })),
    );
  /** Once a day on which it happens. */
  const today = () => clubTime.dayOf(clock.now().getTime());

  events.on(joiningLimited, (tx, { by, codeId }) =>
    tellAll(tx, { told: { kind: "joining_limited", params: { by, codeId } } }),
  );
  events.on(codesGuessed, (tx, { wrongCodes }) =>
    tellAll(tx, { told: { kind: "codes_guessed", params: { wrongCodes } } }),
  );
  events.on(memberJoined, (tx, { memberId, username }) =>
    tellAll(tx, { told: { kind: "member_joined", params: { memberId, username } }, about: memberId }),
  );
  events.on(serverGone, (tx, { serverId, name: server, since }) =>
    tellAll(tx, { told: { kind: "server_gone", params: { server, since: isoOf(since), serverId } } }),
  );
  events.on(serverBack, (tx, { name: server, since, until }) =>
    tellAll(tx, { told: { kind: "server_back", params: { server, since: isoOf(since), until: isoOf(until) } } }),
  );
  events.on(forwardingRefused, (tx, { name: server }) =>
    tellAll(tx, { told: { kind: "forwarding_refused", params: { server } } }),
  );
  events.on(forwardingBack, (tx, { name: server, since, until }) =>
    tellAll(tx, { told: { kind: "forwarding_back", params: { server, since: isoOf(since), until: isoOf(until) } } }),
  );
  events.on(exitGone, (tx, { server, exit, since, because }) =>
    tellAll(tx, { told: { kind: "exit_gone", params: { server, exit, since: isoOf(since), because } } }),
  );
  events.on(exitBack, (tx, { server, exit, since, until }) =>
    tellAll(tx, { told: { kind: "exit_back", params: { server, exit, since: isoOf(since), until: isoOf(until) } } }),
  );
  events.on(backupLate, (tx, { since }) =>
    tellAll(tx, { told: { kind: "backup_late", params: { since: isoOf(since) } } }),
  );
  events.on(reachLost, (tx, { name, server, since }) =>
    tellAll(tx, { told: { kind: "interface_gone", params: { interface: name, server, since: isoOf(since) } } }),
  );
  events.on(reachBack, (tx, { name, server, since, until }) =>
    tellAll(tx, {
      told: {
        kind: "interface_back",
        params: { interface: name, server, since: isoOf(since), until: isoOf(until) },
      },
    }),
  );
  events.on(ticketOpened, (tx, { ticketId, memberId, subject, member }) =>
    tellAll(tx, { told: { kind: "ticket_opened", params: { ticketId, subject, member } }, about: memberId }),
  );
  events.on(paymentClaimed, async (tx, { memberId, period, months, claimId, hasReceipt: receipt }) => {
    const member = (await members.find(tx, memberId))?.display_name;
    if (member === undefined) return;
    const club = await settings.read(tx);
    const price = priceOf(club, months);
    const sum = price === null ? [] : [{ amount: decimalOf(price), currency: club.paymentCurrency }];
    const told = {
      kind: "payment_claimed" as const,
      params: { claimId, member, period, ...ifSeveral(months), sum, receipt },
    };
    await tellAll(tx, { told, about: memberId }, claimKey(claimId));
  });
  events.on(memberWrote, async (tx, { memberId, ticketId, messageId, content, images }) => {
    const member = (await members.find(tx, memberId))?.display_name;
    if (member === undefined) return;
    const text = content.length > MOST_TOLD ? `${content.slice(0, MOST_TOLD - 1)}…` : content;
    // Whoever has the panel open sees the message itself.
    const readers = (await members.activeStaff(tx)).filter(({ id }) => id !== memberId && !live.isLooking(id));
    const told = { kind: "member_wrote" as const, params: { ticketId, member, text, images } };
    const onceKey = `member_wrote:${messageId}`;
    await tell(
      tx,
      readers.map((reader) => ({ memberId: reader.id, told, about: memberId, onceKey })),
    );
  });
  events.on(supportAnswered, async (tx, { memberId }) => {
    const readers = await repository.markAboutRead(tx, [memberId], "member_wrote", clock.now().getTime());
    if (readers.length > 0) live.tell(tx, readers, "inbox");
  });
  events.onAll(claimChanged, async (tx, changes) => {
    const reopened = changes.flatMap(({ memberId, claimId, reopened }) =>
      reopened === undefined ? [] : { aboutId: memberId, onceKey: claimKey(claimId), since: reopened.decidedAt },
    );
    const decided = changes.flatMap(({ memberId, isWaiting }) => (isWaiting ? [] : memberId));
    const readers = [
      ...(await repository.markUnread(tx, reopened)),
      ...(await repository.markAboutRead(tx, decided, "payment_claimed", clock.now().getTime())),
    ];
    if (readers.length > 0) live.tell(tx, readers, "inbox");
  });
  events.on(webhookSwitchedOff, (tx, { host, because }) =>
    tellAll(tx, { told: { kind: "webhook_off", params: { host, because } } }),
  );
  const namesOf = async (tx: Tx, serviceIds: readonly string[]) =>
    (await catalog.servicesByIds(tx, serviceIds)).map(({ name }) => name);
  events.on(sourceWaits, async (tx, { source, serviceIds }) =>
    tellAll(tx, { told: { kind: "source_waits", params: { source, services: await namesOf(tx, serviceIds) } } }),
  );
  events.on(sourceFailing, async (tx, { source, serviceIds, since }) => {
    const services = await namesOf(tx, serviceIds);
    await tellAll(tx, { told: { kind: "source_failing", params: { source, services, since: isoOf(since) } } });
  });
  events.on(unknownPeersFound, (tx, { name, server, count }) =>
    tellAll(tx, { told: { kind: "unknown_peers", params: { interface: name, server, count } } }),
  );
  events.on(countersRefused, (tx, { serverId, name: server }) =>
    tellAll(tx, { told: { kind: "counters_refused", params: { server } } }, `counters_refused:${serverId}:${today()}`),
  );
  events.on(addressesRanLow, (tx, { interfaceId, name, server, free }) =>
    tellAll(
      tx,
      { told: { kind: "addresses_low", params: { interface: name, server, free } } },
      `addresses_low:${interfaceId}:${today()}`,
    ),
  );
}
