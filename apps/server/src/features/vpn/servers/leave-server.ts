import type { AnswerOf } from "@krug/contract/endpoint";
import { whyOf } from "@krug/contract/reasons";
import type { servers as contract } from "@krug/contract/vpn/servers";
import { type Reason, reason, reasonLine } from "@krug/domain/reasons";
import type { PublicKey } from "@krug/wireguard/key-text";
import { HostFailure, NO_ACCESS_RULES } from "../../../hosts/host.ts";
import { MachineFailure, SshFailure } from "../../../hosts/remote.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import type { KeysEverOn } from "./adopt.ts";
import type { makeServerChanges } from "./change-server.ts";
import type { Connections } from "./connections.ts";
import type { ServerCallParts } from "./parts.ts";
import * as repository from "./repository.ts";

type Left = AnswerOf<(typeof contract)["leave"]>;

/**
 * Deletes a server and removes what the panel put on its machine. The row is deleted first, so that nothing puts it back; a
 * machine that is down is refused before that.
 */
export function makeLeaveServer(
  { db, remotes, log }: Pick<ServerCallParts, "db" | "remotes" | "log">,
  connections: Connections,
  {
    changes,
    keysEverOn,
  }: { changes: Pick<ReturnType<typeof makeServerChanges>, "remove" | "refuseToRemove">; keysEverOn: KeysEverOn },
) {
  return async (actor: Actor, id: string): Promise<Left> => {
    const server = (await repository.find(db, id)) ?? refuse("server.not_found");
    if (server.driver !== "ssh") refuse("server.is_local");
    const left: Left = { isClean: true, removed: [], kept: [], reason: null, why: null };
    const unclean = (why: Reason): Left => ({
      ...left,
      isClean: false,
      reason: reasonLine(why, "en"),
      why: whyOf(why),
    });
    await changes.refuseToRemove(id);
    let isDone = false;
    const hear = (line: string) => {
      const [mark, word, thing = ""] = line.split(" ");
      if (mark !== "#krug") return;
      if (word === "left") left.removed.push(thing);
      if (word === "kept") left.kept.push(thing);
      isDone ||= word === "done";
    };
    const ownKeys = (await keysEverOn(db, id)) as PublicKey[];
    const target = await connections.targetOf(server);
    const remote = remotes.open(async () => target);
    const refuseUnreached = (error: unknown): never => {
      if (error instanceof HostFailure || error instanceof SshFailure) refuseBecause("server.unreachable", error.why);
      throw error;
    };
    /** The machine's own refusal: it keeps what it has, and the server is deleted all the same. */
    const refusalOf = (error: unknown): MachineFailure =>
      error instanceof MachineFailure && !(error instanceof SshFailure) ? error : refuseUnreached(error);
    try {
      if (server.is_prepared === 0) {
        // An interrupted try may have left the helper or the key there, but nothing that runs.
        const problem = await remote.clean(connections.passwordOf(server), hear).then(() => null, refusalOf);
        await changes.remove(actor, id);
        if (problem !== null) throw problem;
      } else {
        await remote.host.reach().catch(refuseUnreached);
        const { missing } = await remote.host.inspect();
        await changes.remove(actor, id);
        // Set-up was interrupted before its packages came: there are no tunnels, and nothing to remove them with.
        if (!missing.some(({ code }) => code === "no_programs")) {
          await remote.host.apply({
            interfaces: [],
            ownKeys,
            closedTcpPorts: [],
            openPorts: [],
            access: NO_ACCESS_RULES,
          });
          left.removed.push("tunnels");
        }
        await remote.leave(target.username, hear);
      }
      return isDone ? left : unclean(reason("helper.stopped"));
    } catch (error) {
      if (!(error instanceof HostFailure || error instanceof MachineFailure)) throw error;
      log.warn({ server: id, reason: error.message }, "a deleted server was not cleaned wholly");
      return unclean(error.why);
    } finally {
      remote.close();
    }
  };
}
