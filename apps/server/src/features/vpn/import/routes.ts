import type { AnswerOf } from "@krug/contract/endpoint";
import type { imports as contract } from "@krug/contract/vpn/import";
import type { InterfaceAnswer } from "@krug/contract/vpn/interfaces";
import { reason } from "@krug/domain/reasons";
import type { AmneziaFault } from "@krug/wireguard/amneziawg";
import type { Db, Transact, Tx } from "../../../platform/database/database.ts";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import type { Jobs } from "../../../platform/jobs.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
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
import { devicesOf, type FileDevice, faultsIn, type ReadFile, readFile } from "./read-file.ts";

interface Parts {
  db: Db;
  transact: Transact;
  jobs: Jobs;
  audit: Audit;
  members: Members;
  servers: Servers;
  interfaces: Interfaces;
  configs: Configs;
  /** An interface as staff see it, once its machine has answered, or after a moment. */
  shownInterface(id: string, jobIds: readonly string[]): Promise<InterfaceAnswer>;
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

interface WhatIsRead {
  file: string;
  clientsTable?: string | undefined;
  amneziawg?: boolean | undefined;
}

/** Imports an interface of another program with its devices (docs/adr/0058-devices-move-in-with-their-keys.md). */
export function makeImportRoutes(parts: Parts): Handlers<typeof contract> {
  const { db, transact, jobs, audit, members, servers, interfaces, configs } = parts;

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

  const describe = async (
    { file, devices, faults, onMachine, isTypeOpen }: Look,
    yielding: readonly Yielding[],
    ownerIds: readonly string[],
  ) => {
    const names = devices.flatMap(({ name }) => name ?? []);
    const suggested = new Map((await members.byUsernames(db, names)).map((row) => [row.username.toLowerCase(), row]));
    const owners = [...suggested.values(), ...(await members.byIds(db, ownerIds))];
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
      devices: devices.map((device) => {
        const owner = device.name === null ? undefined : suggested.get(device.name.toLowerCase());
        return {
          publicKey: device.publicKey,
          name: device.name,
          suggestedName: device.suggestedName,
          address: device.address,
          hasPrivateKey: device.privateKey !== null,
          isEnabled: device.isEnabled,
          endsAt: device.endsAt,
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
    actor: Actor,
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
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "interface.changed",
        target: before.id,
        before: told(before),
        after: told({ ...before, ...change }),
      });
    }
    await configs.takeIn(tx, actor, row, devices);
    await audit.record(tx, {
      actorId: actor.memberId,
      action: "interface.moved_in",
      target: row.id,
      after: { server: server.name, ...auditedOf(row), configs: devices.length },
    });
    return { id: row.id, jobIds: [await enqueueReconcile(jobs, tx, server)] };
  };

  return {
    async look({ params, body }) {
      const seen = await look(params.id, body);
      // The other program may hold the port until the import itself.
      const { file, onMachine } = seen;
      const port = portOf(file, onMachine);
      const { yielding } = await interfaces.refuseGiven(db, params.id, file, onMachine, port, configs.isUntouched);
      return describe(seen, yielding, body.owners);
    },

    async takeIn({ actor, params, body }) {
      const seen = await look(params.id, body);
      const { file, onMachine } = seen;
      const port = body.listenPort ?? portOf(file, onMachine) ?? refuse("import.field_missing", { name: "ListenPort" });
      const running = new Map<string, GivenDevice["counters"]>(onMachine.peers.map((peer) => [peer.publicKey, peer]));
      const inFile = new Map<string, FileDevice>(seen.devices.map((device) => [device.publicKey, device]));
      const devices = body.devices.map(({ publicKey, userId, name, deviceType }): GivenDevice => {
        const device = inFile.get(publicKey);
        inFile.delete(publicKey);
        if (device === undefined || device.address === null || device.strange !== null)
          return refuse("import.device_refused", { field: "devices", name });
        const { privateKey, presharedKey, address, isEnabled } = device;
        const keys = { publicKey: device.publicKey, privateKey, presharedKey };
        return {
          memberId: userId,
          name,
          deviceType,
          address,
          isOff: !isEnabled,
          ...keys,
          counters: running.get(publicKey),
        };
      });
      const { id, jobIds } = await transact(async (tx) => {
        // The lock separates two simultaneous imports.
        const server = (await servers.lock(tx, params.id)) ?? refuse("server.not_found");
        return write(tx, actor, server, seen, { port, name: body.name, devices });
      });
      return { interface: await parts.shownInterface(id, jobIds), configs: devices.length };
    },
  };
}
