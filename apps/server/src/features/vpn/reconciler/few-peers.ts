import type { PublicKey } from "@krug/wireguard/key-text";
import { HostFailure, type PeersApplied } from "../../../hosts/host.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { gathered, makeTogether } from "../../../platform/database/gathered.ts";
import type { ApplyConfigs, ConfigOnServer } from "../configs/index.ts";
import type { Place } from "../interfaces/index.ts";
import type { makeDesired } from "./desired.ts";
import { desiredSpeeds } from "./desired-speeds.ts";
import type { Notes } from "./notes.ts";
import { namedOn, type Owner } from "./owners.ts";
import type { ReconcilerParts } from "./parts.ts";
import type { Turn } from "./turn.ts";

type GoneKey = ApplyConfigs["goneKeys"][number];
type Wanted = ReturnType<ReturnType<typeof makeDesired>["wantedBy"]>;
/** A server's interfaces, by id. */
export type Places = ReadonlyMap<string, Place>;
const NOTHING_DONE: PeersApplied = { addedPeers: [], removedPeers: [] };

/** What a change of a few peers did on a machine, to be recorded. */
interface Done {
  turn: Turn;
  change: PeersApplied;
  owners: ReadonlyMap<string, Owner>;
  /** Nothing was counted. */
  isNoteOnly: boolean;
  on: readonly ConfigOnServer[];
  off: readonly ConfigOnServer[];
  /** What their owners' pages show has changed; it has not for whoever may not use the VPN. */
  shown: readonly ConfigOnServer[];
  end: ((tx: Tx) => Promise<void>) | null;
}

/** Applies small changes directly, without comparing the rest of the server. */
export function makeFewPeers(
  { db, transact, members, servers, configs, accessRules, routing }: ReconcilerParts,
  { withPeers, wantedBy }: Pick<ReturnType<typeof makeDesired>, "withPeers" | "wantedBy">,
  { noteCounters, countsNothing, ownersOf, noteDone, refuseIfTakenOver }: Notes,
) {
  const write = async (tx: Tx, all: readonly Done[]) => {
    for (const { isNoteOnly, turn, owners, change } of all)
      if (!isNoteOnly) await noteCounters(tx, turn.server, owners, change);
    await configs.noteOnWire(
      tx,
      all.flatMap(({ on }) => on.filter((row) => row.on_wire === 0)),
      true,
    );
    await configs.noteSilenced(
      tx,
      all.flatMap(({ off }) => off),
      all.flatMap(({ shown }) => shown),
    );
    for (const { end } of all) await end?.(tx);
  };
  const noteTogether = makeTogether<Done>(
    { db, transact },
    {
      write,
      alone: (done) => transact((tx) => write(tx, [done]), done.isNoteOnly ? { commit: "asynchronous" } : {}),
    },
  );

  /** What decides about these configs' peers; read at once for all servers whose turn it is. */
  const readAll = gathered(async (over: Db, asks: readonly { ids: readonly string[]; places: Places }[]) => {
    const rows = await configs.onServersByIds(over, [...new Set(asks.flatMap(({ ids }) => ids))]);
    const memberIds = [...new Set(rows.map((row) => row.member_id))];
    return {
      rows: new Map(rows.map((row) => [row.id, row])),
      named: await accessRules.namedAmong(over, memberIds),
      limited: await members.speedLimits(over, memberIds),
      entitled: await members.entitlements(over, memberIds),
      unknown: await configs.unknownPeers.on(over, [...new Set(asks.flatMap(({ places }) => [...places.keys()]))]),
    };
  });

  /** Applies access rules directly. @throws if the machine was not set up yet */
  const bringAccess = async (turn: Turn, by: { memberIds?: readonly string[] } = {}) => {
    const { server, host, lease } = turn;
    const { revision, access } = await routing.desiredOn(db, server);
    await host.applyAccess(access, { lease });
    await refuseIfTakenOver(turn, NOTHING_DONE);
    await transact((tx) => accessRules.noteOnServer(tx, server.id, { revision, failure: null, ...by }));
  };

  /** Applies speed limits directly. @throws if the machine was not set up yet */
  const bringSpeeds = async (turn: Turn, places: Places) => {
    const { server, host, lease } = turn;
    const speeds = await desiredSpeeds({ db, configs }, await members.speedLimits(db), [...places.keys()]);
    const failure = await host.applySpeeds(speeds, { lease });
    await refuseIfTakenOver(turn, NOTHING_DONE);
    await servers.noteSpeeds(server, failure);
  };

  /** On one interface; `end` belongs to the same transaction as the note: if that is lost, the job is done again. */
  const applyOn = async (
    turn: Turn,
    { interface: { id: interfaceId, interface_name, public_key } }: Place,
    {
      here,
      isWanted,
      isHeld,
      goneHere,
    }: Pick<Wanted, "isWanted" | "isHeld"> & { here: ConfigOnServer[]; goneHere: GoneKey[] },
    end: ((tx: Tx) => Promise<void>) | null,
  ) => {
    const wanted = withPeers(here.filter(isWanted)).flatMap(({ row, peer }) => (peer === null ? [] : [{ row, peer }]));
    const on = wanted.map(({ row }) => row);
    const off = here.filter((row) => !isWanted(row));
    const keyOf = new Map([[interfaceId, public_key]]);
    const known = new Map<string, Owner>([
      ...goneHere.flatMap(({ configId: id, publicKey }) =>
        namedOn(keyOf, { id, interface_id: interfaceId, place_of: null }, publicKey),
      ),
      ...here.flatMap((row) => namedOn(keyOf, row, row.public_key)),
    ]);
    const wish = {
      interfaceName: interface_name,
      interfaceKey: public_key as PublicKey,
      upsert: wanted.map(({ peer }) => peer),
      silence: off.map((row) => row.public_key as PublicKey),
      remove: goneHere.map((key) => key.publicKey as PublicKey),
    };
    const change = await turn.host.applyPeers(wish, { lease: turn.lease }).catch(async (error: unknown) => {
      if (error instanceof HostFailure) await noteDone(turn.server, error.done, known);
      throw error;
    });
    await refuseIfTakenOver(turn, change, known);
    const owners = await ownersOf(turn.server, [...change.removedPeers, ...change.addedPeers], known);
    const isNoteOnly = await countsNothing(owners, change);
    // A peer held back for an unknown one shows as waiting.
    await noteTogether({ turn, change, owners, isNoteOnly, on, off, shown: off.filter(isHeld), end });
  };

  /** Applies only these configs' peers. @throws HostFailure if the interface is not up as it should be */
  const applyFew = async (
    turn: Turn,
    places: Places,
    payloads: readonly ApplyConfigs[],
    end: (tx: Tx) => Promise<void>,
  ) => {
    const ids = [...new Set(payloads.flatMap((payload) => payload.configIds))];
    const read = await readAll(db, { ids, places });
    const rows = ids.flatMap((id) => read.rows.get(id) ?? []);
    // First: no device may be on the wire without its owner's rules, or under those of its address's previous owner.
    const memberIds = [...new Set(rows.map((row) => row.member_id))];
    const isOnRouted = rows.some((row) => places.get(row.interface_id)?.interface.routing === "server");
    if (isOnRouted || memberIds.some((id) => read.named.has(id))) await bringAccess(turn, { memberIds });
    if (memberIds.some((id) => read.limited.has(id))) await bringSpeeds(turn, places);
    const wanted = wantedBy(read.entitled, places, read.unknown);
    const gone = payloads.flatMap((payload) => payload.goneKeys);
    const touched = [...new Set([...rows.map((row) => row.interface_id), ...gone.map((key) => key.interfaceId)])]
      .flatMap((id) => places.get(id) ?? [])
      .filter((place) => place.interface.is_active === 1);
    for (const [at, place] of touched.entries()) {
      const { id } = place.interface;
      const here = rows.filter((row) => row.interface_id === id && row.address !== "");
      const goneHere = gone.filter((key) => key.interfaceId === id);
      await applyOn(turn, place, { here, ...wanted, goneHere }, at === touched.length - 1 ? end : null);
    }
  };

  return { applyFew, bringAccess, bringSpeeds };
}
