import type { InterfaceChangeInput } from "@krug/contract/vpn/interfaces";
import type { ColumnsOf } from "@krug/domain/fields/field";
import { INTERFACE_FIELDS } from "@krug/domain/fields/interface";
import { reason } from "@krug/domain/reasons";
import type { Exit, ExitDown } from "@krug/domain/routing-rules";
import { cidrsOverlap, covers } from "@krug/wireguard/addresses";
import { type AmneziaProfile, amneziaChange } from "@krug/wireguard/amneziawg";
import { readEndpointHost } from "@krug/wireguard/endpoint";
import { readTunnelSubnet } from "@krug/wireguard/tunnel-subnet";
import type { Occupied } from "../../../hosts/host.ts";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { columnsOf, seenOf } from "../../../platform/described-fields.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import { enqueueReconcile } from "../servers/index.ts";
import { refuseUnroutable } from "./ask-machine.ts";
import { auditedOf } from "./audited.ts";
import { interfaceChanged, interfaceDeleted } from "./events.ts";
import { drawSubnetV6 } from "./new-interface.ts";
import type { InterfaceParts } from "./parts.ts";
import {
  changedProfile,
  parametersOf,
  profileColumns,
  profileOf,
  shownProfile,
  shownTexts,
  textOf,
} from "./profile.ts";
import * as repository from "./repository.ts";
import type { InterfaceRow } from "./table.ts";

/** An interface as written, and the jobs that bring the change to its machine. */
export interface Changed {
  row: InterfaceRow;
  jobIds: string[];
}

type Change = Partial<Pick<InterfaceRow, "parameters"> & ColumnsOf<typeof INTERFACE_FIELDS>>;

/** Fields that the machine does not need. */
const OFF_MACHINE: readonly (keyof InterfaceRow)[] = ["name", "endpoint", "takes_new"];

/** Devices' addresses depend on these: they can change only while none is in use. */
const ADDRESSING = [
  ["subnet", "subnet"],
  ["ipv6", "subnet_v6"],
] as const;

/** Of a feature above this one. */
export interface ExitCheck {
  /** @throws Refusal if nothing can leave there */
  refuseUnfit(exit: Exit | undefined, whenDown: ExitDown | undefined): Promise<void>;
  /** As the audit keeps it. */
  nameOf(over: Tx, exit: string): Promise<string>;
  /** @throws Refusal if a machine at either end of its links cannot have AmneziaWG */
  refuseUndisguised(entryId: string): Promise<void>;
}

/** Staff's changes of an interface, each audited; its machine and the members' files follow. */
export function makeInterfaceChanges(parts: InterfaceParts & { exits: ExitCheck }) {
  const { db, transact, clock, sealing, jobs, events, audit, servers, usage, exits } = parts;

  const lockIn = async (tx: Tx, serverId: string, id: string): Promise<InterfaceRow> => {
    const row = await repository.lock(tx, id);
    return row === undefined || row.server_id !== serverId ? refuse("interface.not_found") : row;
  };

  /** What others use on the machine; null if it cannot be asked, which its next reading will show. */
  const occupiedBeside = async (serverId: string, id: string): Promise<Occupied | null> => {
    const server = await servers.find(db, serverId);
    const row = await repository.find(db, id);
    const host = server && servers.hostOf(server);
    if (!host || !row) return null;
    const occupied = await host.occupied().catch(() => null);
    if (occupied === null) return null;
    return {
      ...occupied,
      udpPorts: occupied.udpPorts.filter((port) => port !== row.listen_port),
      subnets: occupied.subnets.filter((subnet) => !covers([row.subnet], subnet)),
    };
  };

  const refuseIfUnroutable = async (serverId: string): Promise<void> => {
    const server = (await servers.find(db, serverId)) ?? refuse("interface.not_found");
    await refuseUnroutable(db, servers.hostOf(server) ?? refuseBecause("server.unreachable", reason("panel.another")));
  };

  const change = async (
    actor: Actor,
    { serverId, id }: { serverId: string; id: string },
    wish: InterfaceChangeInput,
  ): Promise<Changed> => {
    if (wish.routing === "server" || wish.exitLink === "amneziawg") await refuseIfUnroutable(serverId);
    if (wish.exitLink === "amneziawg") await exits.refuseUndisguised(serverId);
    await exits.refuseUnfit(wish.restExit, wish.exitDown);
    const needsLook = wish.listenPort !== undefined || wish.subnet !== undefined || wish.ipv6 !== undefined;
    const beside = needsLook ? await occupiedBeside(serverId, id) : null;
    return transact(async (tx) => {
      // Whoever takes a port or a network of a server locks the server: two at once cannot both find it free.
      if (needsLook) await servers.lock(tx, serverId);
      const before = await lockIn(tx, serverId, id);
      const fields = changedMeanwhile(seenIn(before), wish, wish.expected);
      if (fields.length > 0) refuse("interface.changed_meanwhile", { fields });
      const change = changeOf(before, wish);
      const others = (await repository.ofServer(tx, serverId)).filter((other) => other.id !== id);
      if (wish.ipv6 !== undefined && wish.ipv6 !== (before.subnet_v6 !== null))
        change.subnet_v6 = wish.ipv6 ? drawSubnetV6(others, beside) : null;
      // Other settings can be changed although its secret cannot be opened.
      const profile = parametersOf(sealing, before) === null ? shownProfile(before) : profileOf(sealing, before);
      const mtu = { before: before.mtu, after: change.mtu === undefined ? before.mtu : change.mtu };
      const next = nextProfile(profile, wish, mtu);
      const differs = profile && next ? amneziaChange(profile, next) : { fields: [], cutsDevicesOff: false };
      if (next !== null && differs.fields.length > 0)
        change.parameters = profileColumns(await sealing.sealer(tx), id, next).parameters;
      const changed = Object.keys(change) as (keyof Change)[];
      if (changed.length === 0) return { row: before, jobIds: [] };
      if (differs.cutsDevicesOff) {
        const count = (await usage.byInterface(tx, true)).get(id)?.delivered ?? 0;
        if (count !== (wish.cutsOff ?? 0)) refuse("interface.cuts_off", { count });
      }
      if (change.listen_port !== undefined) refuseTakenPort(change.listen_port, others, beside);
      if (change.subnet !== undefined) refuseTakenSubnet(change.subnet, others, beside);
      for (const [field, column] of ADDRESSING) {
        if (change[column] === undefined) continue;
        const count = await usage.addressesOn(tx, id);
        if (count > 0) refuse("interface.subnet_in_use", { field, count });
      }
      const after = { ...before, ...change };
      const exitsIn = async (of: Partial<InterfaceRow>) => ({
        ...(change.rest_exit !== undefined && { rest_exit: await exits.nameOf(tx, of.rest_exit ?? "") }),
        ...(change.exit_down !== undefined && { exit_down: await exits.nameOf(tx, of.exit_down ?? "") }),
      });
      const told = (of: AmneziaProfile | null) =>
        of === null || differs.fields.length === 0 ? {} : { parameters: textOf(of, differs.fields) };
      await repository.update(parts, tx, id, change);
      await audit.record(tx, actor.memberId, "interface.changed", {
        target: id,
        before: {
          ...Object.fromEntries(changed.map((name) => [name, before[name]])),
          ...told(profile),
          ...(await exitsIn(before)),
        },
        after: { ...change, ...told(next), ...(await exitsIn(change)) },
      });
      const server = (await servers.find(tx, serverId)) ?? refuse("interface.not_found");
      const host = (row: InterfaceRow) => row.endpoint ?? server.endpoint ?? server.default_endpoint;
      const files =
        host(after) !== host(before) ||
        after.listen_port !== before.listen_port ||
        after.mtu !== before.mtu ||
        after.routing !== before.routing ||
        differs.cutsDevicesOff;
      if (
        isRouted(before) ||
        isRouted(after) ||
        files ||
        after.is_active !== before.is_active ||
        after.subnet !== before.subnet
      )
        await events.record(tx, interfaceChanged, { interfaceId: id, files });
      const touchesMachine = changed.some((name) => !OFF_MACHINE.includes(name));
      return { row: after, jobIds: touchesMachine ? [await enqueueReconcile(jobs, tx, server)] : [] };
    });
  };

  return {
    change,

    /** `configs`: how many configs the deleter expects to destroy with it. */
    remove: (actor: { memberId: string | null }, serverId: string, id: string, configs: number): Promise<string[]> =>
      transact(async (tx) => {
        const row = await lockIn(tx, serverId, id);
        const count = (await usage.byInterface(tx, true)).get(id)?.configs ?? 0;
        if (count !== configs) refuse("interface.in_use", { count });
        await repository.update(parts, tx, id, { deleted_at: clock.now().getTime() });
        await repository.assignments.removeAll(tx, id);
        await events.record(tx, interfaceDeleted, { interfaceId: id });
        const server = (await servers.find(tx, serverId)) ?? refuse("interface.not_found");
        await audit.record(tx, actor.memberId, "interface.deleted", {
          target: id,
          before: { server: server.name, ...auditedOf(row), configs: count },
        });
        return [await enqueueReconcile(jobs, tx, server)];
      }),
  };
}

const isRouted = ({ routing }: Pick<InterfaceRow, "routing">) => routing === "server";

/** Null for plain WireGuard. @throws Refusal interface.parameter_invalid */
function nextProfile(
  before: AmneziaProfile | null,
  { amneziawg = {} }: Pick<InterfaceChangeInput, "amneziawg">,
  mtu: Parameters<typeof changedProfile>[2],
): AmneziaProfile | null {
  const [named] = Object.keys(amneziawg);
  if (before !== null) return changedProfile(before, amneziawg, mtu);
  return named === undefined ? null : refuse("interface.parameter_invalid", { field: named, reason: "unknown" });
}

const seenIn = (row: InterfaceRow) => ({
  ...seenOf(INTERFACE_FIELDS, row),
  ipv6: row.subnet_v6 !== null,
  amneziawg: shownTexts(row) ?? {},
});

/** Only values that changed. */
function changeOf(before: InterfaceRow, wish: InterfaceChangeInput): Change {
  const wished: Change = columnsOf(INTERFACE_FIELDS, wish);
  if (wish.subnet !== undefined)
    wished.subnet = readTunnelSubnet(wish.subnet) ?? refuse("interface.subnet_invalid", { field: "subnet" });
  if (wish.endpoint !== undefined) wished.endpoint = checkedEndpoint(wish.endpoint);
  return Object.fromEntries(Object.entries(wished).filter(([name, value]) => before[name as keyof Change] !== value));
}

function checkedEndpoint(written: string | null): string | null {
  if (written === null || written === "") return null;
  return readEndpointHost(written) ?? refuse("interface.endpoint_invalid", { field: "endpoint" });
}

/** @throws Refusal */
export function refuseTakenPort(port: number, others: readonly InterfaceRow[], beside: Occupied | null): void {
  const isTaken = others.some((other) => other.listen_port === port) || beside?.udpPorts.includes(port);
  if (isTaken) refuse("interface.port_taken", { field: "listenPort", port });
}

/** @throws Refusal */
export function refuseTakenSubnet(subnet: string, others: readonly InterfaceRow[], beside: Occupied | null): void {
  const taken = [...others.map((other) => other.subnet), ...(beside?.subnets ?? [])];
  const met = taken.find((used) => cidrsOverlap(subnet, used));
  if (met !== undefined) refuse("interface.subnet_taken", { field: "subnet", with: met });
}
