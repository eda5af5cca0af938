import type { ServiceAnswer } from "@krug/contract/vpn/catalog";
import type { DiagnosisAnswer } from "@krug/contract/vpn/diagnosis";
import type { ProbeAnswer } from "@krug/contract/vpn/interfaces";
import { type DiagnosisFacts, diagnose, latelyFrom, tcpProbesFrom } from "@krug/domain/diagnosis";
import { entitlement } from "@krug/domain/entitlement";
import { isoOf } from "@krug/domain/moment";
import { fitsDevice } from "@krug/domain/phone-limit";
import { keepsDevicesOff } from "@krug/domain/probe";
import { isOwnExit, serversAmong } from "@krug/domain/routing-rules";
import { refuse } from "../../../platform/refusal.ts";
import { entitlementAnswer, standingOf } from "../../members/members/index.ts";
import type { Place } from "../interfaces/index.ts";
import type { Probe } from "../probe/index.ts";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";
import { othersConnected } from "./usage-repository.ts";

interface ExitsSeen {
  said: Pick<DiagnosisAnswer, "restExit" | "restExitServer" | "exits">;
  down: DiagnosisFacts["exitsDown"];
}

/** Diagnoses a config from the club's side. `deviceClock`: ms, null if not given. */
export function makeDiagnose(parts: ConfigParts & { probe: Pick<Probe, "of"> }) {
  const { db, clock, clubTime, settings, members, interfaces, catalog, traffic, probe } = parts;

  const chosenBy = async (row: ConfigRow) =>
    catalog.servicesByIds(db, (await repository.servicesOf(db, [row.id])).get(row.id) ?? []);

  /** A probe from the machine itself does not test the route that devices take; another device that gets through does. */
  const openSince = async (row: ConfigRow, { state, since, fromInside }: ProbeAnswer, now: number) => {
    if (state !== "answers") return null;
    const isOpen = !fromInside || (await othersConnected(db, traffic.counters(db), row, now));
    return isOpen ? Date.parse(since) : null;
  };

  /** By which other servers its traffic leaves, and how they stand. */
  const exitsOf = async (place: Place | undefined, chosen: readonly ServiceAnswer[]): Promise<ExitsSeen> => {
    if (place?.interface.routing !== "server")
      return { said: { restExit: null, restExitServer: null, exits: [] }, down: [] };
    const { rest_exit: rest, exit_down: whenDown } = place.interface;
    const others = serversAmong([...chosen.map(({ exit }) => exit), rest]).filter((id) => id !== place.server.id);
    const now = others.length === 0 && isOwnExit(rest) ? null : await parts.exits.now(db);
    const said = {
      ...(isOwnExit(rest)
        ? { restExit: rest, restExitServer: null }
        : { restExit: "server" as const, restExitServer: now?.name(rest) ?? "" }),
      exits: others.map((id) => ({
        server: now?.name(id) ?? "",
        link: now?.link(place.server.id, id).state ?? "missing",
        services: chosen.filter(({ exit }) => exit === id).map(({ name }) => name),
      })),
    };
    return { said, down: (now?.downAmong(place.server.id, others, whenDown) ?? []).map(({ instead }) => instead) };
  };

  return async (row: ConfigRow, deviceClock: number | null): Promise<DiagnosisAnswer> => {
    const now = clock.now();
    const nowMs = now.getTime();
    const owner = (await members.find(db, row.member_id)) ?? refuse("config.not_found");
    const place = (await interfaces.places(db)).get(row.interface_id);
    const { lastHandshake } = (await traffic.statsOf(db, [row.id]))(row.id);
    const lately = await traffic.bytesFrom(row.id, latelyFrom(nowMs));
    const tcpProbes = await traffic.bytesFrom(row.id, tcpProbesFrom(lastHandshake, nowMs));
    const right = entitlement(standingOf(owner, await settings.read(db)), now);
    const awaySince = place?.server.unreachable_since ?? null;
    const tunnel = place === undefined ? null : ((await probe.of(db, [place])).get(row.interface_id) ?? null);
    const fileOutdated = row.is_stale === 1 || (row.delivered_at === null && lastHandshake !== null);
    const clockAhead = deviceClock === null ? null : deviceClock - nowMs;
    const chosen = await chosenBy(row);
    const exits = await exitsOf(place, chosen);
    const cause = diagnose(
      {
        entitlement: right,
        configBlocked: row.is_blocked === 1,
        dormant: row.dormant_since !== null,
        hasEnded: row.has_ended === 1,
        interfaceActive: place?.interface.is_active === 1,
        serverAway: awaySince !== null,
        tunnelDown: tunnel !== null && keepsDevicesOff(tunnel.state),
        tunnelAnswersSince: tunnel === null ? null : await openSince(row, tunnel, nowMs),
        notForwarded: place !== undefined && place.server.forwarding !== null,
        exitsDown: exits.down,
        onWire: row.on_wire === 1,
        fileOutdated,
        fileGivenAt: row.delivered_at,
        overPhoneLimit: !fitsDevice({ deviceType: row.device_type, routing: place?.interface.routing }, chosen),
        lastHandshake,
        receivedLately: lately.received,
        tcpProbes: tcpProbes.sent,
        clockAhead,
      },
      now,
    );
    return {
      cause,
      checkedAt: now.toISOString(),
      entitlement: entitlementAnswer(right, clubTime),
      serverName: place?.server.name ?? "",
      serverAwaySince: isoOf(awaySince),
      tunnel,
      applied: row.on_wire === 1,
      fileOutdated,
      ...exits.said,
      lastHandshake,
      receivedLately: lately.received,
      sentLately: lately.sent,
      clockAhead,
    };
  };
}
