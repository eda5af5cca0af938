import type { HandedConfigAnswer, NewConfigInput } from "@krug/contract/vpn/configs";
import type { Transact, Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import { refuse } from "../../../platform/refusal.ts";
import { tunnelOf } from "../interfaces/index.ts";
import { makeConfigText } from "./config-text.ts";
import { makeCreateConfig } from "./create-config.ts";
import { configMadeByStaff, configsChanged } from "./events.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

interface Link {
  link: string;
  expiresAt: string;
}

/** Configs that an admin makes for a member, and the one-time links that hand them over (decisions, section 6). */
export function makeHandOver(parts: ConfigParts) {
  const { transact, clock, events, audit, auth, interfaces } = parts;
  const create = makeCreateConfig(parts);
  const textOf = makeConfigText(parts);

  const linkTo = (tx: Tx, row: ConfigRow, origin: string) =>
    auth.makeConfigLink(tx, { id: row.id, memberId: row.member_id }, origin);
  const note = (
    tx: Tx,
    actorId: string | null,
    action: "config.handed_over" | "config.link_made" | "config.link_revoked" | "config.link_opened",
    row: ConfigRow,
  ) => audit.record(tx, actorId, action, { target: row.id, memberId: row.member_id, after: { name: row.name } });

  /** Only a config that staff made and whose file nobody has can be handed over. */
  const refuseGivenOut = (row: ConfigRow) => {
    if (row.deleted_at !== null) refuse("config.not_found");
    if (row.made_by === null || row.delivered_at !== null) refuse("config.handed_over");
  };
  /** The owner first, as in every change of configs. */
  const lock = async (tx: Tx, id: string) => {
    const [found] = await peers.byIds(tx, [id]);
    const owner = found && (await parts.members.lock(tx, found.member_id));
    const row = await repository.lockAny(tx, id);
    if (owner === undefined || row === undefined || row.deleted_at !== null) refuse("config.not_found");
    return { row, isBlocked: row.is_blocked === 1 || owner.is_active === 0 };
  };

  return {
    /** By the rules of a member's own. Resent with its key it answers the same config and a new link. */
    async make(
      counted: Transact,
      actor: Actor,
      memberId: string,
      wish: NewConfigInput,
      { idempotencyKey, origin }: { idempotencyKey: string | null; origin: string },
    ): Promise<Changed & Link> {
      let made: Link | undefined;
      const handOver = async (tx: Tx, row: ConfigRow, isNew: boolean) => {
        refuseGivenOut(row);
        made = await linkTo(tx, row, origin);
        if (!isNew) return;
        await note(tx, actor.memberId, "config.handed_over", row);
        await events.record(tx, configMadeByStaff, { memberId, name: row.name });
      };
      // The same column has the member's own keys.
      const key = idempotencyKey === null ? null : `staff:${actor.memberId}:${idempotencyKey}`;
      const changed = await create(counted, memberId, wish, key, { staffId: actor.memberId, handOver });
      if (made === undefined) throw new Error(`config ${changed.config.id} was made without a link`);
      return { ...changed, ...made };
    },

    /** A new link that replaces one that was lost or has expired. */
    renewLink: (actor: Actor, id: string, origin: string): Promise<Link> =>
      transact(async (tx) => {
        const { row, isBlocked } = await lock(tx, id);
        refuseGivenOut(row);
        if (isBlocked) refuse("config.owner_blocked");
        await note(tx, actor.memberId, "config.link_made", row);
        return linkTo(tx, row, origin);
      }),

    /** Without a link it changes nothing. */
    revokeLink: (actor: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        const { row } = await lock(tx, id);
        if ((await auth.voidConfigLinks(tx, [id])) > 0) await note(tx, actor.memberId, "config.link_revoked", row);
      }),

    /** Gives the file to whoever has the link, once. */
    open: (token: string, address: ClientAddress): Promise<HandedConfigAnswer> =>
      auth.openConfigLink(token, address, async (tx, owner, id) => {
        const row = await repository.lockAny(tx, id);
        if (row === undefined || row.deleted_at !== null || row.is_blocked === 1 || row.sealed_private_key === null)
          return null;
        if (owner.is_active === 0) return null;
        const config = await textOf(tx, row);
        await repository.update(tx, id, { delivered_at: clock.now().getTime(), is_stale: 0 });
        await note(tx, null, "config.link_opened", row);
        await events.record(tx, configsChanged, { memberIds: [row.member_id] });
        const tunnel = tunnelOf(await interfaces.find(tx, row.interface_id));
        return { name: row.name, deviceType: row.device_type, tunnel, config };
      }),
  };
}
