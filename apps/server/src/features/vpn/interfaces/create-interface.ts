import { reason } from "@krug/domain/reasons";
import type { Host } from "../../../hosts/host.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import { enqueueReconcile, type ServerRow } from "../servers/index.ts";
import { refuseUnreachable, refuseUnroutable } from "./ask-machine.ts";
import { auditedOf } from "./audited.ts";
import type { Changed } from "./change-interface.ts";
import { interfaceChanged } from "./events.ts";
import { type DrawnInterface, isPlaceTaken, newInterface, type Seen, sealedRow, type Wished } from "./new-interface.ts";
import type { InterfaceParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** Somebody else took the same port or subnet between the machine's answer and the write. */
const TRIES = 5;

/** Creates the next interface of a server, clear of what its machine uses; a job brings it up (decisions, section 7). */
export function makeCreateInterface(parts: InterfaceParts) {
  const { db, transact, clock, sealing, jobs, events, audit, servers } = parts;
  const seenOf = makeSeen(servers);

  const draw = async (serverId: string, wished: Wished): Promise<DrawnInterface> => {
    const server = (await servers.find(db, serverId)) ?? refuse("server.not_found");
    const host = servers.hostOf(server) ?? refuseBecause("server.unreachable", reason("panel.another"));
    if (wished.routed?.routing === "server") await refuseUnroutable(db, host);
    const seen = await seenOf(server, host).catch(refuseUnreachable);
    const existing = await repository.ofServer(db, serverId);
    return newInterface(clock, serverId, existing, seen, wished) ?? refuse("interface.no_room");
  };
  const write = (actor: Actor, drawn: DrawnInterface): Promise<Changed | null> =>
    transact(async (tx) => {
      const row = sealedRow(drawn, await sealing.sealer(tx));
      // The lock separates two simultaneous creations; the second checks again.
      const server = (await servers.lock(tx, row.server_id)) ?? refuse("server.not_found");
      if (isPlaceTaken(row, await repository.ofServer(tx, row.server_id))) return null;
      await repository.insert(parts, tx, row);
      await events.record(tx, interfaceChanged, { interfaceId: row.id, files: false });
      await audit.record(tx, actor.memberId, "interface.added", {
        target: row.id,
        after: { server: server.name, ...auditedOf(row) },
      });
      return { row, jobIds: [await enqueueReconcile(jobs, tx, server)] };
    });

  return async (
    actor: Actor,
    serverId: string,
    { name, ...wished }: Wished & { name?: string | undefined },
  ): Promise<Changed> => {
    for (let left = TRIES; left > 0; left--) {
      const drawn = await draw(serverId, wished);
      const written = await write(actor, { ...drawn, row: { ...drawn.row, name: name ?? drawn.row.name } });
      if (written !== null) return written;
    }
    return refuse("interface.no_room");
  };
}

/** @throws HostFailure */
export const makeSeen =
  ({ path }: Pick<InterfaceParts["servers"], "path">) =>
  async (server: Pick<ServerRow, "id">, host: Host): Promise<Seen> => {
    const [occupied, bytes, address] = await Promise.all([
      host.occupied(),
      path.measure(server, host),
      host.defaultEndpoint(),
    ]);
    return { occupied, path: bytes, hasOnlyV6: address?.includes(":") === true };
  };
