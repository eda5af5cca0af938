import type { RotationInput } from "@krug/contract/vpn/drain";
import { DAY_MS } from "@krug/domain/moment";
import { reason } from "@krug/domain/reasons";
import type { Db } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { Refusal, refuse, refuseBecause } from "../../../platform/refusal.ts";
import {
  drawProfile,
  type ExitCheck,
  type InterfaceParts,
  type InterfaceRow,
  makeCreateInterface,
  makeInterfaceChanges,
} from "../interfaces/index.ts";
import * as repository from "./repository.ts";
import type { DrainRow } from "./table.ts";

interface Parts extends InterfaceParts, Platform {
  interfaces: {
    find(over: Db, id: string): Promise<InterfaceRow | undefined>;
    ofServer(over: Db, serverId: string): Promise<InterfaceRow[]>;
  };
  drains: {
    beginInterface(actor: Actor, fromId: string, toId: string, stayUntil?: number): Promise<DrainRow>;
  };
}

/** A machine brings an interface up within seconds, or says why it cannot. */
const UP_WITHIN_MS = 20_000;

export type Rotation = ReturnType<typeof makeRotation>;

/**
 * Gives an interface's devices new parameters without cutting any off: a second interface next to the first, to which they move.
 * The first is deleted when all have moved, or at a date (docs/adr/0063-new-parameters-are-a-second-interface.md).
 */
export function makeRotation(parts: Parts) {
  const { db, clock, jobs, interfaces, drains } = parts;
  const create = makeCreateInterface(parts);
  // It changes no exit.
  const exits: ExitCheck = {
    refuseUnfit: async () => {},
    refuseUndisguised: async () => {},
    nameOf: async (_, exit) => exit,
  };
  const changes = makeInterfaceChanges({ ...parts, exits });

  /** Creates one that is up: no device is sent where nobody answers. */
  const upBeside = async (actor: Actor, from: InterfaceRow, wish: RotationInput): Promise<InterfaceRow> => {
    const { row, jobIds } = await create(actor, from.server_id, {
      name: nextName(
        from.name,
        (await interfaces.ofServer(db, from.server_id)).map(({ name }) => name),
      ),
      prefix: Number(from.subnet.split("/")[1]),
      ipv6: from.subnet_v6 !== null,
      endpoint: from.endpoint,
      routed: {
        routing: from.routing,
        rest_exit: from.rest_exit,
        exit_down: from.exit_down,
        exit_link: from.exit_link,
      },
      profile: drawProfile(wish),
    });
    const isSettled = await jobs.settled(jobIds, UP_WITHIN_MS);
    const made = await interfaces.find(db, row.id);
    const why = isSettled ? (made?.conflict ?? null) : reason("server.no_answer");
    if (made === undefined || why !== null) {
      await changes.remove(actor, from.server_id, row.id, 0);
      return refuseBecause("interface.not_up", why ?? reason("interface.deleted"));
    }
    return made;
  };

  /** Deletes interfaces that nobody uses any more. Those whose devices could not be moved stay. */
  const retire = async (): Promise<void> => {
    const done = await repository.rotated(db);
    if (done.length === 0) return;
    const uses = await parts.usage.byInterface(db, true);
    for (const { from_interface, actor_id } of done) {
      const row = from_interface === null ? undefined : await interfaces.find(db, from_interface);
      const use = row && uses.get(row.id);
      if (row === undefined || (use?.configs ?? 0) > 0 || (use?.leaving ?? 0) > 0) continue;
      // Somebody may have made a config on it meanwhile: then it stays.
      await changes.remove({ memberId: actor_id }, row.server_id, row.id, 0).catch(whereUsed);
    }
  };

  return {
    timed: [{ name: "rotated interfaces", at: "40 * * * * *", leaseMs: 50_000, forgets: true, run: retire }],

    /** Starts; until the first interface is deleted, repeated requests answer the same. @throws Refusal */
    async rotate(actor: Actor, id: string, wish: RotationInput): Promise<DrainRow> {
      const from = (await interfaces.find(db, id)) ?? refuse("interface.not_found");
      const begun = await repository.rotationOf(db, id, clock.now().getTime());
      if (begun !== undefined) return begun;
      const to = await upBeside(actor, from, wish);
      const until = clock.now().getTime() + wish.days * DAY_MS;
      try {
        return await drains.beginInterface(actor, id, to.id, until);
      } catch (error) {
        // Another started meanwhile.
        await changes.remove(actor, to.server_id, to.id, 0);
        throw error;
      }
    },
  };
}

function whereUsed(error: unknown): void {
  if (!(error instanceof Refusal) || error.code !== "interface.in_use") throw error;
}

/** 'Interface 2' after 'Interface', or after 'Interface 1'. */
function nextName(name: string, taken: readonly string[]): string {
  const [, base = name, number = "1"] = /^(.*?)(?: (\d{1,4}))?$/.exec(name) ?? [];
  for (let next = Number(number) + 1; ; next++) if (!taken.includes(`${base} ${next}`)) return `${base} ${next}`;
}
