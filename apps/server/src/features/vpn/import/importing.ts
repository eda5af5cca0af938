import type { AnswerOf, BodyOf } from "@krug/contract/endpoint";
import type { imports as contract } from "@krug/contract/vpn/import";
import { LONGEST_LINK_MS } from "@krug/domain/invite-rules";
import { reason } from "@krug/domain/reasons";
import type { AmneziaFault } from "@krug/wireguard/amneziawg";
import type { Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { AddMembers, MemberRow, Members } from "../../members/members/index.ts";
import type { Configs, GivenDevice } from "../configs/index.ts";
import {
  auditedOf,
  type GivenOnMachine,
  type InterfaceRow,
  type Interfaces,
  shownFault,
  type Yielding,
} from "../interfaces/index.ts";
import { enqueueReconcile, type ServerRow, type Servers } from "../servers/index.ts";
import { devicesOf, type FileDevice, faultsIn, type GivenFiles, type ReadFile, readFile } from "./read-file.ts";
import { suggestedUsername } from "./suggested-username.ts";

interface Parts extends Platform {
  audit: Audit;
  members: Members;
  servers: Servers;
  interfaces: Interfaces;
  configs: Configs;
  addMembers: AddMembers;
}

/** What a file says, and the state of its interface on its machine. */
interface Look {
  file: ReadFile;
  devices: FileDevice[];
  faults: AmneziaFault[];
  onMachine: GivenOnMachine;
  /** Only the operator knows whether it is AmneziaWG. */
  isTypeOpen: boolean;
}

type Found = AnswerOf<typeof contract.look>;

export type TakeIn = BodyOf<(typeof contract)["takeIn"]>;
type NewMember = NonNullable<TakeIn["devices"][number]["newMember"]>;
export type Invited = AnswerOf<(typeof contract)["takeIn"]>["invited"][number];

type Also = (tx: Tx, invited: readonly Invited[]) => Promise<void>;

/** Ends a rehearsal's transaction, so that nothing of it stays. */
class Rehearsed extends Error {}

/** Who imports; null: the operator on the machine itself. */
export interface Doer {
  memberId: string | null;
}

interface WhatIsRead {
  file: GivenFiles;
  clientsTable?: string | undefined;
  amneziawg?: boolean | undefined;
}

export type Importing = ReturnType<typeof makeImporting>;

/** Imports an interface of another program with its devices (docs/adr/0058-devices-move-in-with-their-keys.md). */
export function makeImporting(parts: Parts) {
  const { db, transact, jobs, audit, members, servers, interfaces, configs, addMembers } = parts;

  /** The file, the server, and the interface's state there. Asks the machine, so not in a transaction. */
  const look = async (serverId: string, { file: text, clientsTable, amneziawg }: WhatIsRead): Promise<Look> => {
    const read = await readFile(text, clientsTable);
    const server = (await servers.find(db, serverId)) ?? refuse("server.not_found");
    const host = servers.hostOf(server) ?? refuseBecause("server.unreachable", reason("panel.another"));
    const onMachine = await interfaces.stateOnMachine(host, read);
    const isPlain = read.mayBePlain && (onMachine.tunnel ? onMachine.tunnel.type === "wireguard" : amneziawg !== true);
    const file = isPlain ? { ...read, profile: null } : read;
    return {
      file,
      devices: devicesOf(file, onMachine.tunnel && onMachine.peers),
      faults: faultsIn(file),
      onMachine,
      isTypeOpen: read.mayBePlain && onMachine.tunnel === null,
    };
  };
  const portOf = (file: ReadFile, onMachine: GivenOnMachine) => onMachine.listenPort ?? file.listenPort;

  /** One for each device, none of which a member has. `taken`: those known to be, in lower case. */
  const freeUsernames = async (devices: readonly FileDevice[], taken: ReadonlySet<string>): Promise<string[]> => {
    const used = new Set(taken);
    const free = devices.map(({ name }, index) => suggestedUsername(name, index, used));
    // With a number behind it a name may be a member's as well.
    const met = (await members.byUsernames(db, free)).map(({ username }) => username.toLowerCase());
    return met.length === 0 ? free : freeUsernames(devices, new Set([...taken, ...met]));
  };

  const describe = async (
    { file, devices, faults, onMachine, isTypeOpen }: Look,
    yielding: readonly Yielding[],
    ownerIds: readonly string[],
  ) => {
    const names = devices.flatMap(({ name }) => name ?? []);
    const usernames = devices.map(({ name }, index) => suggestedUsername(name, index, new Set()));
    const sameNames = await members.byUsernames(db, [...names, ...usernames]);
    const known = new Map(sameNames.map((row) => [row.username.toLowerCase(), row]));
    const ownerOf = ({ name }: FileDevice) => (name === null ? undefined : known.get(name.toLowerCase()));
    const freeNames = await freeUsernames(devices, new Set(known.keys()));
    const suggested = devices.flatMap((device) => ownerOf(device) ?? []);
    const owners = [...suggested, ...(await members.byIds(db, ownerIds))];
    const ids = [...new Set(owners.map(({ id }) => id))];
    const entitled = await members.entitlements(db, ids);
    const counts = await configs.countsOf(db, ids);
    const taken = await configs.keysTaken(
      db,
      devices.map(({ publicKey }) => publicKey),
    );
    const named = ({ id, username, display_name }: MemberRow) => ({ id, username, displayName: display_name });
    const answer: Found = {
      publicKey: file.publicKey,
      subnet: file.subnet,
      listenPort: portOf(file, onMachine),
      mtu: file.mtu,
      amneziawg: file.profile && { version: file.profile.version, faults: faults.map(shownFault) },
      isTypeOpen,
      runsAs: onMachine.runsAs,
      givesWay: yielding.map(({ row, change: { subnet, listen_port } }) => ({
        name: row.name,
        subnet: subnet === undefined ? null : { from: row.subnet, to: subnet },
        port: listen_port === undefined ? null : { from: row.listen_port, to: listen_port },
      })),
      ignored: file.ignored,
      unread: file.unread,
      devices: devices.map((device, index) => {
        const owner = ownerOf(device);
        return {
          publicKey: device.publicKey,
          name: device.name,
          suggestedName: device.suggestedName,
          suggestedUsername: freeNames[index] ?? "",
          address: device.address,
          hasPrivateKey: device.privateKey !== null,
          isEnabled: device.isEnabled,
          endsAt: device.endsAt,
          traffic: device.traffic ?? null,
          losesV6: device.losesV6,
          strange: device.strange ?? (taken.has(device.publicKey) ? "key_taken" : null),
          suggestedOwner: owner === undefined ? null : named(owner),
        };
      }),
      owners: [...new Map(owners.map((row) => [row.id, row])).values()].map((row) => ({
        ...named(row),
        isEntitled: entitled.get(row.id)?.allowed === true,
        configLimit: row.config_limit,
        configs: counts.get(row.id) ?? 0,
      })),
    };
    return answer;
  };

  const write = async (
    tx: Tx,
    actor: Doer,
    server: ServerRow,
    { file, onMachine }: Look,
    wish: { port: number; name: string | undefined; devices: readonly GivenDevice[] },
  ) => {
    const { port, name, devices } = wish;
    const wished = { port, filePort: portOf(file, onMachine), name };
    const { row, yielding } = await interfaces.insertGiven(tx, server.id, file, onMachine, wished, configs.isUntouched);
    for (const { row: before, change } of yielding) {
      const told = (of: InterfaceRow) =>
        Object.fromEntries(Object.keys(change).map((key) => [key, of[key as keyof typeof change]]));
      await audit.record(tx, actor.memberId, "interface.changed", {
        target: before.id,
        before: told(before),
        after: told({ ...before, ...change }),
      });
    }
    await configs.takeIn(tx, actor, row, devices);
    await audit.record(tx, actor.memberId, "interface.moved_in", {
      target: row.id,
      after: { server: server.name, ...auditedOf(row), configs: devices.length },
    });
    return { id: row.id, jobIds: [await enqueueReconcile(jobs, tx, server)] };
  };

  /** The new members among the owners, each once, by their usernames. */
  const addNewcomers = async (tx: Tx, doer: Doer, { devices, newMembersUntil }: TakeIn, origin: string) => {
    const newcomers = new Map<string, NewMember>();
    for (const { newMember } of devices) {
      if (newMember === undefined) continue;
      const key = newMember.username.toLowerCase();
      const before = newcomers.get(key);
      // Different names are their devices', not theirs.
      const isOther = before !== undefined && before.displayName !== newMember.displayName;
      newcomers.set(key, isOther ? { username: before.username } : newMember);
    }
    const until = newMembersUntil === undefined ? {} : { subscriptionEnd: newMembersUntil };
    const wishes = [...newcomers.values()].map((newMember) => ({ ...newMember, ...until }));
    const rows = await addMembers(tx, doer, wishes, { origin, linkLifeMs: LONGEST_LINK_MS });
    const added = rows.map(({ row: { id, username, display_name: displayName }, link }): [string, Invited] => [
      username.toLowerCase(),
      { id, username, displayName, ...link },
    ]);
    return new Map(added);
  };

  /** `also`: written with it. `isRehearsal`: the other program still holds the port, and nothing is written. */
  const takeIn = async (
    doer: Doer,
    serverId: string,
    wish: TakeIn,
    origin: string,
    { also, isRehearsal = false }: { also?: Also | undefined; isRehearsal?: boolean } = {},
  ) => {
    const seen = await look(serverId, wish);
    const { file } = seen;
    const port =
      wish.listenPort ?? portOf(file, seen.onMachine) ?? refuse("import.field_missing", { name: "ListenPort" });
    const { beside } = seen.onMachine;
    const onMachine = isRehearsal
      ? { ...seen.onMachine, beside: { ...beside, udpPorts: beside.udpPorts.filter((used) => used !== port) } }
      : seen.onMachine;
    const running = new Map<string, GivenDevice["counters"]>(onMachine.peers.map((peer) => [peer.publicKey, peer]));
    const inFile = new Map<string, FileDevice>(seen.devices.map((device) => [device.publicKey, device]));
    const given = wish.devices.map(({ publicKey, userId, newMember, name, deviceType }) => {
      const device = inFile.get(publicKey);
      inFile.delete(publicKey);
      if (device === undefined || device.address === null || device.strange !== null)
        return refuse("import.device_refused", { field: "devices", name });
      const { privateKey, presharedKey, address, isEnabled } = device;
      const endsAt = device.endsAt === null ? null : Date.parse(device.endsAt);
      const keys = { publicKey: device.publicKey, privateKey, presharedKey };
      const owner = { memberId: userId ?? null, username: newMember?.username.toLowerCase() ?? "" };
      const counters = running.get(publicKey);
      return { owner, name, deviceType, address, isOff: !isEnabled, endsAt, ...keys, counters };
    });
    const { id, jobIds, invited } = await transact(async (tx) => {
      // The lock separates two simultaneous imports.
      const server = (await servers.lock(tx, serverId)) ?? refuse("server.not_found");
      const added = await addNewcomers(tx, doer, wish, origin);
      const devices = given.map(({ owner, ...device }): GivenDevice => {
        const memberId = owner.memberId ?? added.get(owner.username)?.id ?? refuse("member.not_found");
        return { ...device, memberId };
      });
      const written = await write(tx, doer, server, { ...seen, onMachine }, { port, name: wish.name, devices });
      if (isRehearsal) throw new Rehearsed();
      const invited = [...added.values()];
      await also?.(tx, invited);
      return { ...written, invited };
    });
    return { id, jobIds, configs: given.length, invited };
  };

  return {
    /** What would become of the files' interface; writes nothing. */
    async preview(serverId: string, read: WhatIsRead, owners: readonly string[]): Promise<Found> {
      const seen = await look(serverId, read);
      // The other program may hold the port until the import itself.
      const { file, onMachine } = seen;
      const port = portOf(file, onMachine);
      const { yielding } = await interfaces.refuseGiven(db, serverId, file, onMachine, port, configs.isUntouched);
      return describe(seen, yielding, owners);
    },

    /** Writes it, with the chosen devices and the members who are new. `origin`: of the new members' links. */
    takeIn: (doer: Doer, serverId: string, wish: TakeIn, origin: string, also?: Also) =>
      takeIn(doer, serverId, wish, origin, { also }),

    /** Refuses what `takeIn` would refuse, while the other program still holds the port; writes nothing. */
    async rehearse(doer: Doer, serverId: string, wish: TakeIn, origin: string): Promise<void> {
      await takeIn(doer, serverId, wish, origin, { isRehearsal: true }).catch((error: unknown) => {
        if (!(error instanceof Rehearsed)) throw error;
      });
    },
  };
}
