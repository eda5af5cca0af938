import { isIP } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { ProbeAnswer } from "@krug/contract/vpn/interfaces";
import { isoOf, MINUTE_MS } from "@krug/domain/moment";
import { type ProbeReply, probeState } from "@krug/domain/probe";
import { type Initiator, makeInitiator } from "@krug/wireguard/handshake";
import type { DesiredPeer } from "@krug/wireguard/interface";
import type { PrivateKey, PublicKey } from "@krug/wireguard/key-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import type { TunnelParameters } from "@krug/wireguard/protocol";
import type { Db } from "../../../platform/database/database.ts";
import { makeLimiter } from "../../../platform/limiter.ts";
import type { Names } from "../../../platform/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import { endpointOf, type InterfaceRow, type Interfaces, type Place } from "../interfaces/index.ts";
import { laneOf, type Servers, serverStatusOf } from "../servers/index.ts";
import { type Greet, makeGreetByUdp } from "./greet.ts";
import * as repository from "./repository.ts";
import type { ProbeRow } from "./table.ts";

export { type Greet, makeGreetByUdp } from "./greet.ts";

interface Parts extends Platform {
  names: Names;
  servers: Servers;
  interfaces: Interfaces;
  /** Over UDP by default. */
  greet?: Greet;
}

export type Probe = ReturnType<typeof makeProbe>;

const AT_ONCE = 20;
/** A round over more interfaces than fit at once starts spread over this time. */
const SPREAD_MS = 20_000;
/** An unchanged result is written this often, so an idle minute costs nothing. */
const CONFIRM_MS = 5 * MINUTE_MS;
/** An older result says nothing: no panel probes this interface. */
const STALE_MS = 3 * CONFIRM_MS;
const FORGET_MS = 24 * 60 * MINUTE_MS;

/** Where an interface is probed, and from where. */
interface Target {
  place: Place;
  host: string;
  port: number;
  fromInside: boolean;
}

interface Greeted {
  target: Target;
  reply: ProbeReply;
  /** The timestamp of its last handshake. */
  greetedAt: number;
}

/**
 * Probes every interface once a minute with a handshake, as a device does, and records since when it answers or not
 * (docs/adr/0054-a-peer-of-the-panels-own.md). The panel that works on a server probes its interfaces.
 */
export function makeProbe(parts: Parts) {
  const { db, transact, clock, sealing, heldLeases, names, servers, interfaces, greet = makeGreetByUdp() } = parts;
  const limited = makeLimiter(AT_ONCE);
  const ended = new AbortController();
  // Cached for their timestamps, and a cookie.
  const initiators = new Map<string, { greets: string; initiator: Initiator }>();
  let underWay: Promise<void> = Promise.resolve();

  /** The key of the panel's peer on this interface: the same on every panel of the club, and never stored. */
  const privateKeyOf = ({ id }: Pick<InterfaceRow, "id">): PrivateKey =>
    Buffer.from(sealing.hash("probe.private_key", id), "base64url").toString("base64") as PrivateKey;

  /**
   * `before`: what was recorded by then. Records lag, so the first timestamp is later than any before it can have been.
   * `profile`: an AmneziaWG interface's.
   */
  const initiatorOf = (row: InterfaceRow, before: ProbeRow | undefined, profile?: TunnelParameters): Initiator => {
    const greets = JSON.stringify([row.public_key, profile]);
    const known = initiators.get(row.id);
    if (known?.greets === greets) return known.initiator;
    const after = before === undefined ? 0 : before.greeted_at + CONFIRM_MS + MINUTE_MS;
    const keys = { privateKey: privateKeyOf(row), interfaceKey: row.public_key as PublicKey, profile };
    const initiator = makeInitiator({ ...keys, after });
    initiators.set(row.id, { greets, initiator });
    return initiator;
  };

  const replyOf = async ({ host, port }: Target, initiator: Initiator): Promise<ProbeReply> => {
    const address = isIP(host) === 0 ? await addressOf(names, host) : { found: host };
    if (typeof address === "string") return address;
    return greet({ address: address.found, port, initiator, signal: ended.signal });
  };

  const targets = async (): Promise<Target[]> => {
    const found: Target[] = [];
    for (const place of (await interfaces.knownPlaces(db)).values()) {
      const target = place.interface.is_active === 1 ? targetOf(place) : null;
      if (target === null || servers.hostOf(place.server) === null) continue;
      if (interfaces.parametersOf(place.interface) === null) continue;
      if ((await heldLeases.hold(laneOf(place.server).lane)) !== null) found.push(target);
    }
    return found;
  };

  const greetAll = async (): Promise<void> => {
    const before = await repository.all(db);
    const all = await targets();
    const spreadMs = all.length > AT_ONCE ? SPREAD_MS : 0;
    const greeted = await Promise.all(
      all.map(async (target): Promise<Greeted> => {
        if (spreadMs > 0) await wait(Math.random() * spreadMs, undefined, { ref: false, signal: ended.signal });
        const { interface: row } = target.place;
        const initiator = initiatorOf(row, before.get(row.id), interfaces.parametersOf(row) ?? undefined);
        const reply = (await limited(() => replyOf(target, initiator)))?.result ?? "unsent";
        return { target, reply, greetedAt: initiator.latest() };
      }),
    );
    if (ended.signal.aborted) return;
    const ids = new Set(all.map(({ place }) => place.interface.id));
    for (const id of initiators.keys()) if (!ids.has(id)) initiators.delete(id);
    await note(greeted, before);
  };

  /** Writes new results, and those last confirmed long ago. */
  const note = async (greeted: readonly Greeted[], before: ReadonlyMap<string, ProbeRow>): Promise<void> => {
    // After the probes, to use what was found out about the servers meanwhile.
    const places = await interfaces.knownPlaces(db);
    const now = clock.now().getTime();
    const changed = greeted.flatMap(({ target, reply, greetedAt }): ProbeRow[] => {
      const place = places.get(target.place.interface.id);
      if (place === undefined) return [];
      const row: ProbeRow = {
        interface_id: place.interface.id,
        target: nameOf(target),
        from_inside: target.fromInside ? 1 : 0,
        state: probeState(reply, {
          answers: serverStatusOf(place.server, now) === "connected",
          hasConflict: place.interface.conflict !== null,
        }),
        since: now,
        checked_at: now,
        greeted_at: greetedAt,
      };
      const last = before.get(row.interface_id);
      const isSame = last?.state === row.state && last.target === row.target && last.from_inside === row.from_inside;
      if (!isSame) return [row];
      return Math.abs(now - last.checked_at) < CONFIRM_MS ? [] : [{ ...row, since: last.since }];
    });
    if (changed.length > 0) await transact((tx) => repository.write(tx, changed));
  };

  const round = (): Promise<void> => {
    underWay = greetAll().catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
    return underWay;
  };

  return {
    /** The panel's own peer on an interface: it has no address, so it carries no packets. */
    peerOf: (row: Pick<InterfaceRow, "id">): DesiredPeer => ({
      publicKey: publicKeyOf(privateKeyOf(row)),
      presharedKey: null,
      allowedIps: [],
    }),
    /** The last result for each of these, by interface id; absent if it was not probed yet, or not recently. */
    async of(over: Db, places: readonly Place[]): Promise<Map<string, ProbeAnswer>> {
      const rows = await repository.all(over);
      const now = clock.now().getTime();
      return new Map(
        places.flatMap((place) => {
          const row = rows.get(place.interface.id);
          const target = targetOf(place);
          if (row === undefined || target === null || place.interface.is_active !== 1) return [];
          if (row.target !== nameOf(target) || Math.abs(now - row.checked_at) > STALE_MS) return [];
          const { state, since, from_inside } = row;
          return [[row.interface_id, { state, since: isoOf(since), fromInside: from_inside === 1 }]];
        }),
      );
    },
    /** Whether it answers a handshake now. */
    async answers(id: string): Promise<boolean> {
      const place = (await interfaces.knownPlaces(db)).get(id);
      const target = place === undefined ? null : targetOf(place);
      if (place === undefined || target === null) return false;
      const before = (await repository.all(db)).get(id);
      const profile = interfaces.parametersOf(place.interface) ?? undefined;
      return (await replyOf(target, initiatorOf(place.interface, before, profile))) === "answered";
    },
    // Between two readings of the servers, which start at the full minute.
    timed: [{ name: "probes", at: "30 * * * * *", run: round }],
    forgetOld: (): Promise<void> => transact((tx) => repository.removeBefore(tx, clock.now().getTime() - FORGET_MS)),
    async stop(): Promise<void> {
      ended.abort();
      await underWay.catch(() => {});
    },
  };
}

/** The devices' endpoint; the panel's own machine is only reached from inside. Null if no endpoint is known. */
function targetOf(place: Place): Target | null {
  const fromInside = place.server.driver === "local";
  const host = fromInside ? "127.0.0.1" : endpointOf(place);
  return host === null ? null : { place, host, port: place.interface.listen_port, fromInside };
}

const nameOf = ({ host, port }: Target) => `${host} ${port}`;

/** Like most devices, the first IPv4 address if there is one. A resolver that does not answer says nothing about the name. */
async function addressOf(names: Names, host: string): Promise<{ found: string } | "unresolved" | "unsent"> {
  const { v4, v6 } = await names.find(host);
  const found = v4?.[0] ?? v6?.[0];
  if (found !== undefined) return { found };
  return v4 === null || v6 === null ? "unsent" : "unresolved";
}
