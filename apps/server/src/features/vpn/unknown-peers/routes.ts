import type { Contract } from "@krug/contract/api";
import { MOST_UNKNOWN_PEERS } from "@krug/contract/vpn/unknown-peers";
import { isoOf } from "@krug/domain/moment";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Configs } from "../configs/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import type { Reconciler } from "../reconciler/index.ts";
import { enqueueReconcile } from "../servers/index.ts";

interface Parts extends Platform {
  audit: Audit;
  members: Members;
  interfaces: Interfaces;
  configs: Configs;
  reconciler: Pick<Reconciler, "peerSeen" | "readStats">;
}

const SHOWN_OF_KEY = 8;
/** How long an answer waits for the machine: slower changes finish later. */
const APPLY_WAIT_MS = 6_000;

/** Decides on devices that a restored panel found on the wire and its backup does not know. */
export function makeUnknownPeerRoutes(parts: Parts): Handlers<Contract["unknownPeers"]> {
  const { db, transact, jobs, audit, members, interfaces, configs, reconciler } = parts;
  const { unknownPeers } = configs;

  return {
    async list() {
      const places = await interfaces.places(db);
      const ids = [...places.keys()];
      const rows = await unknownPeers.on(db, ids, MOST_UNKNOWN_PEERS);
      const total = rows.length < MOST_UNKNOWN_PEERS ? rows.length : await unknownPeers.count(db, ids);
      const servers = new Set(rows.flatMap((row) => places.get(row.interface_id)?.server.id ?? []));
      await Promise.all([...servers].map((id) => reconciler.readStats(id)));
      const rivals = await unknownPeers.rivals(db, rows);
      const owners = await members.byIds(db, [...new Set([...rivals.values()].map(({ memberId }) => memberId))]);
      const usernames = new Map(owners.map(({ id, username }) => [id, username]));
      const peers = rows.flatMap((row) => {
        const place = places.get(row.interface_id);
        if (place === undefined) return [];
        const { server, interface: on } = place;
        const seen = reconciler.peerSeen(server.id, on.id, row.public_key);
        const rival = rivals.get(row.id);
        const at = seen?.lastHandshakeAt ?? null;
        return {
          id: row.id,
          interface: { id: on.id, name: on.name },
          server: { id: server.id, name: server.name },
          publicKey: row.public_key.slice(0, SHOWN_OF_KEY),
          address: row.address,
          foundAt: isoOf(row.found_at),
          lastHandshakeAt: isoOf(at),
          received: seen?.txBytes ?? null,
          sent: seen?.rxBytes ?? null,
          rival: rival ? { by: rival.by, name: rival.name, username: usernames.get(rival.memberId) ?? "" } : null,
        };
      });
      return { total, peers };
    },

    async takeIn({ actor, params, body }) {
      const jobId = await transact(async (tx) => {
        const [row] = await unknownPeers.lock(tx, [params.id]);
        if (row === undefined) return refuse("unknown_peer.not_found");
        const place = (await interfaces.places(tx)).get(row.interface_id) ?? refuse("unknown_peer.not_found");
        await interfaces.lock(tx, row.interface_id);
        const rival = (await unknownPeers.rivals(tx, [row])).get(row.id);
        if (rival !== undefined)
          refuse(rival.by === "key" ? "unknown_peer.key_taken" : "unknown_peer.address_taken", { name: rival.name });
        await unknownPeers.claimAddress(tx, row);
        await unknownPeers.remove(tx, [row], { isAddressKept: true });
        const device = {
          memberId: body.userId,
          name: body.name,
          deviceType: body.deviceType,
          publicKey: row.public_key as PublicKey,
          privateKey: null,
          presharedKey: unknownPeers.presharedKeyOf(row),
          address: row.address,
          addressV6: row.address_v6,
          // Its traffic until now is not counted.
          counters: reconciler.peerSeen(place.server.id, row.interface_id, row.public_key),
        };
        await configs.takeIn(tx, actor, place.interface, [device], "config.taken_in");
        return enqueueReconcile(jobs, tx, place.server);
      });
      await jobs.settled([jobId], APPLY_WAIT_MS);
    },

    async disconnect({ actor, body }) {
      const { disconnected, jobIds } = await transact(async (tx) => {
        const rows = await unknownPeers.lock(tx, body.ids);
        const places = await interfaces.places(tx);
        const touched = [...new Set(rows.map((row) => row.interface_id))].sort();
        for (const id of touched) await interfaces.lock(tx, id);
        await unknownPeers.remove(tx, rows);
        for (const id of touched)
          await audit.record(tx, actor.memberId, "interface.unknown_disconnected", {
            target: id,
            after: { configs: rows.filter((row) => row.interface_id === id).length },
          });
        const servers = new Map(touched.flatMap((id) => places.get(id)?.server ?? []).map((row) => [row.id, row]));
        const enqueued: string[] = [];
        for (const server of servers.values()) enqueued.push(await enqueueReconcile(jobs, tx, server));
        return { disconnected: rows.length, jobIds: enqueued };
      });
      await jobs.settled(jobIds, APPLY_WAIT_MS);
      return { disconnected };
    },
  };
}
