import { DEVICE_TYPES } from "@krug/domain/config-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, line, Time } from "../fields.ts";

/** Listed and decided in one batch; the next batch follows once these are decided. */
export const MOST_UNKNOWN_PEERS = 500;

const Place = z.object({ id: z.uuid(), name: z.string() });

/** A device that a restored panel found on the wire but not in its backup. */
const UnknownPeer = z.object({
  id: z.uuid(),
  interface: Place,
  server: Place,
  /** The start of its key: enough to tell devices apart. */
  publicKey: z.string(),
  address: z.string(),
  foundAt: Time,
  /** As this panel last read it; null if it has not, or if there was no handshake since the interface came up. */
  lastHandshakeAt: Time.nullable(),
  /** Bytes since the interface came up, as the device sees them; null if this panel has not read them. */
  received: z.int().nonnegative().nullable(),
  sent: z.int().nonnegative().nullable(),
  /** The backup's device with the same key, which was moved here since, or else the one that waits for this one's address. */
  rival: z.object({ by: z.enum(["key", "address"]), name: z.string(), username: z.string() }).nullable(),
});

export const unknownPeers = {
  list: endpoint("GET /admin/unknown-peers", {
    needs: "servers.change",
    summary: "Devices that were on the wire after a restore and are not in the backup",
    answer: z.object({
      /** Of all of them. */
      total: z.int().nonnegative(),
      peers: z.array(UnknownPeer).max(MOST_UNKNOWN_PEERS),
    }),
  }),
  takeIn: endpoint("POST /admin/unknown-peers/{id}/take-in", {
    needs: "servers.change",
    summary: "Make such a device a member's: it keeps its key and its address",
    body: z.strictObject({ userId: Id, name: line(64), deviceType: z.enum(DEVICE_TYPES) }),
    refusals: [
      "unknown_peer.not_found",
      "unknown_peer.key_taken",
      "unknown_peer.address_taken",
      "member.not_found",
      "config.name_invalid",
      "import.name_taken",
      "dns.unknown",
    ],
  }),
  disconnect: endpoint("POST /admin/unknown-peers/disconnect", {
    needs: "servers.change",
    summary: "Take such devices off the wire; their addresses are free again",
    body: z.strictObject({ ids: z.array(Id).min(1).max(MOST_UNKNOWN_PEERS) }),
    answer: z.object({ disconnected: z.int().nonnegative() }),
  }),
};
