import type { ToldNotice } from "@krug/contract/inbox";
import type { Tx } from "../../platform/database/database.ts";
import { backupLate } from "../backup/index.ts";
import { addressesRanLow } from "../configs/index.ts";
import { codesGuessed, joiningLimited } from "../invites/index.ts";
import { memberJoined } from "../members/index.ts";
import { reachBack, reachLost } from "../reach/index.ts";
import { countersRefused, unknownPeersFound } from "../reconciler/index.ts";
import { forwardingBack, forwardingRefused, serverBack, serverGone } from "../servers/index.ts";
import { ticketOpened } from "../support/index.ts";
import { webhookSwitchedOff } from "../webhooks/index.ts";
import type { InboxParts } from "./parts.ts";
import type { Tell } from "./tell.ts";

/** Tells those who run the club what needs a look before it does harm. */
export function tellStaff({ clock, clubTime, events, members }: InboxParts, tell: Tell): void {
  const tellAll = async (tx: Tx, told: ToldNotice) =>
    tell(
      tx,
      (await members.activeStaff(tx)).map(({ id: memberId }) => ({ memberId, told })),
    );
  const activeAdmins = async (tx: Tx) => (await members.activeStaff(tx)).filter(({ role }) => role === "admin");
  const iso = (at: number) => new Date(at).toISOString();

  events.on(joiningLimited, (tx, { by, members: joined, codeId }) =>
    tellAll(tx, { kind: "joining_limited", params: { by, members: joined, codeId } }),
  );
  events.on(codesGuessed, (tx, { wrongCodes }) => tellAll(tx, { kind: "codes_guessed", params: { wrongCodes } }));
  events.on(memberJoined, (tx, { memberId, username }) =>
    tellAll(tx, { kind: "member_joined", params: { memberId, username } }),
  );
  events.on(serverGone, (tx, { name: server, since }) =>
    tellAll(tx, { kind: "server_gone", params: { server, since: iso(since) } }),
  );
  events.on(serverBack, (tx, { name: server, since, until }) =>
    tellAll(tx, { kind: "server_back", params: { server, since: iso(since), until: iso(until) } }),
  );
  events.on(forwardingRefused, (tx, { name: server }) =>
    tellAll(tx, { kind: "forwarding_refused", params: { server } }),
  );
  events.on(forwardingBack, (tx, { name: server, since, until }) =>
    tellAll(tx, { kind: "forwarding_back", params: { server, since: iso(since), until: iso(until) } }),
  );
  events.on(backupLate, (tx, { since }) => tellAll(tx, { kind: "backup_late", params: { since: iso(since) } }));
  events.on(reachLost, (tx, { name, server, since }) =>
    tellAll(tx, { kind: "interface_gone", params: { interface: name, server, since: iso(since) } }),
  );
  events.on(reachBack, (tx, { name, server, since, until }) =>
    tellAll(tx, {
      kind: "interface_back",
      params: { interface: name, server, since: iso(since), until: iso(until) },
    }),
  );
  events.on(ticketOpened, async (tx, { ticketId, subject, member, isVip }) => {
    const staff = (await members.activeStaff(tx)).filter(({ role }) => role === "admin" || !isVip);
    const told = { kind: "ticket_opened" as const, params: { ticketId, subject, member } };
    await tell(
      tx,
      staff.map(({ id: memberId }) => ({ memberId, told })),
    );
  });
  events.on(webhookSwitchedOff, async (tx, { host, because }) => {
    const told = { kind: "webhook_off" as const, params: { host, because } };
    await tell(
      tx,
      (await activeAdmins(tx)).map(({ id: memberId }) => ({ memberId, told })),
    );
  });
  events.on(unknownPeersFound, async (tx, { name, server, count }) => {
    const told = { kind: "unknown_peers" as const, params: { interface: name, server, count } };
    await tell(
      tx,
      (await activeAdmins(tx)).map(({ id: memberId }) => ({ memberId, told })),
    );
  });
  events.on(countersRefused, async (tx, { serverId, name: server }) => {
    const onceKey = `counters_refused:${serverId}:${clubTime.dayOf(clock.now().getTime())}`;
    const told = { kind: "counters_refused" as const, params: { server } };
    await tell(
      tx,
      (await members.activeStaff(tx)).map(({ id: memberId }) => ({ memberId, told, onceKey })),
    );
  });
  events.on(addressesRanLow, async (tx, { interfaceId, name, server, free }) => {
    // VIP members' devices are counted too, which only admins may know of.
    const admins = await activeAdmins(tx);
    // Once a day on which devices are added.
    const onceKey = `addresses_low:${interfaceId}:${clubTime.dayOf(clock.now().getTime())}`;
    await tell(
      tx,
      admins.map(({ id }) => ({
        memberId: id,
        told: { kind: "addresses_low", params: { interface: name, server, free } },
        onceKey,
      })),
    );
  });
}
