import { addressesRanLow } from "../configs/index.ts";
import { joiningLimited } from "../invites/index.ts";
import { memberJoined } from "../members/index.ts";
import { serverBack, serverGone } from "../servers/index.ts";
import { ticketOpened } from "../support/index.ts";
import type { InboxParts } from "./parts.ts";
import type { Tell } from "./tell.ts";

/** Tells those who run the club what needs a look before it does harm. */
export function tellStaff({ clock, events, members }: InboxParts, tell: Tell): void {
  events.on(joiningLimited, async (tx, { by, members: joined, codeId }) => {
    const staff = await members.activeStaff(tx);
    await tell(
      tx,
      staff.map(({ id }) => ({
        memberId: id,
        told: { kind: "joining_limited", params: { by, members: joined, codeId } },
      })),
    );
  });
  const iso = (at: number) => new Date(at).toISOString();
  events.on(serverGone, async (tx, { name: server, since }) => {
    const told = { kind: "server_gone" as const, params: { server, since: iso(since) } };
    await tell(
      tx,
      (await members.activeStaff(tx)).map(({ id: memberId }) => ({ memberId, told })),
    );
  });
  events.on(serverBack, async (tx, { name: server, since, until }) => {
    const told = { kind: "server_back" as const, params: { server, since: iso(since), until: iso(until) } };
    await tell(
      tx,
      (await members.activeStaff(tx)).map(({ id: memberId }) => ({ memberId, told })),
    );
  });
  events.on(ticketOpened, async (tx, { ticketId, subject, member, isVip }) => {
    const staff = (await members.activeStaff(tx)).filter(({ role }) => role === "admin" || !isVip);
    const told = { kind: "ticket_opened" as const, params: { ticketId, subject, member } };
    await tell(
      tx,
      staff.map(({ id: memberId }) => ({ memberId, told })),
    );
  });
  events.on(memberJoined, async (tx, { memberId: joined, username }) => {
    const told = { kind: "member_joined" as const, params: { memberId: joined, username } };
    await tell(
      tx,
      (await members.activeStaff(tx)).map(({ id: memberId }) => ({ memberId, told })),
    );
  });
  events.on(addressesRanLow, async (tx, { interfaceId, name, server, free }) => {
    // VIP members' devices are counted too, which only admins may know of.
    const admins = (await members.activeStaff(tx)).filter(({ role }) => role === "admin");
    // Once a day on which devices are added.
    const onceKey = `addresses_low:${interfaceId}:${clock.now().toISOString().slice(0, 10)}`;
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
