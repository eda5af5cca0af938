import type { PeerOn } from "../../../hosts/host.ts";
import type { PeerRow } from "../configs/index.ts";
import type { Reading } from "../traffic/index.ts";

/** The row of a peer's owner: a config, or the place on an interface that a device leaves. */
export type Owner = Pick<PeerRow, "id" | "interface_id" | "place_of">;

/** A peer among those of a server. A key can be on several of its interfaces: a moving device has two places. */
export const peerName = ({ interfaceKey, publicKey }: Pick<PeerOn, keyof PeerOn>): string =>
  `${interfaceKey} ${publicKey}`;

/** An entry for a map of owners by their peers' names; none if `keyOf` (interfaces' keys by id) lacks its interface. */
export function namedOn<Row extends Owner>(
  keyOf: ReadonlyMap<string, string>,
  row: Row,
  publicKey: string,
): [[string, Row]] | [] {
  const interfaceKey = keyOf.get(row.interface_id);
  return interfaceKey === undefined ? [] : [[`${interfaceKey} ${publicKey}`, row]];
}

/** Whose bytes an owner's are, and which counters they are read from. */
export const creditedTo = ({
  id,
  interface_id,
  place_of,
}: Owner): Pick<Reading, "configId" | "placeId" | "interfaceId"> => ({
  configId: place_of ?? id,
  placeId: place_of === null ? null : id,
  interfaceId: interface_id,
});
