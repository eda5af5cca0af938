import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Why } from "@krug/contract/reasons";
import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import type { Host } from "../../../hosts/host.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { Failure, reasonOf } from "../../../platform/failure.ts";
import type { Platform } from "../../../platform/platform.ts";
import { Refusal, refuse } from "../../../platform/refusal.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { opened, type Sealing } from "../../../platform/sealing.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Configs } from "../configs/index.ts";
import type { InterfaceRow, Interfaces } from "../interfaces/index.ts";
import type { Probe } from "../probe/index.ts";
import { enqueueReconcile, openForwarding, type Servers } from "../servers/index.ts";
import type { Doer, Importing, Invited, TakeIn } from "./importing.ts";
import { How, type OldProgram, type OldPrograms } from "./old-programs.ts";
import * as repository from "./repository.ts";
import type { MovedRow } from "./table.ts";

export interface TakeOverParts extends Platform {
  audit: Audit;
  servers: Servers;
  interfaces: Interfaces;
  configs: Configs;
  probe: Probe;
  importing: Importing;
  /** Deletes an interface with as many configs, as staff do. */
  removeInterface(doer: Doer, serverId: string, id: string, configs: number): Promise<unknown>;
}

interface Around {
  server: { id: string };
  host: Host;
  programs: OldPrograms;
  /** Ends the waiting for an answer. */
  signal?: AbortSignal;
  /** Ends the waiting for the way back, too. */
  stopping?: AbortSignal;
}

type Wish = Omit<TakeIn, "file" | "clientsTable">;

/** The club's interface did not answer, or the panel did not bring it up. */
export class Silent extends Failure {
  constructor() {
    super(reason("import.silent"));
  }
}

/** The panel has not removed the club's interface from the machine. */
export class StillHere extends Failure {
  readonly interfaceName: string;

  constructor(name: string) {
    super(reason("import.still_here", { name }));
    this.interfaceName = name;
  }
}

const ANSWERS_WITHIN_MS = 90_000;
const LOOKS_EVERY_MS = 500;

const linksPlace = (serverId: string) => `old_programs.invited:${serverId}`;

export const sealedInImport: SealedColumn = {
  table: "old_programs",
  column: "sealed_invited",
  key: ["server_id"],
  place: ({ server_id = "" }) => linksPlace(server_id),
};

/** The new members of an import with their links; none if they have expired. */
export function invitedOf(sealing: Pick<Sealing, "open">, row: MovedRow): Invited[] {
  if (row.sealed_invited === null) return [];
  const text = opened(sealing, { place: linksPlace(row.server_id), text: row.sealed_invited });
  return text === null ? [] : (JSON.parse(text) as Invited[]);
}

/** For people: a refusal's own words, or what the machine said. */
export const whyFailed = (error: unknown): Why =>
  error instanceof Refusal
    ? { code: error.code, ru: error.sentence("ru"), en: error.sentence("en"), said: null }
    : whyOf(reasonOf(error));

/**
 * Takes an old program's interface over and gives it back (docs/adr/0202-the-old-program-can-come-back.md). Each step is written
 * before the next begins, so whoever finds the record can go on from it, or back.
 */
export function makeTakeOver(parts: TakeOverParts, { server, host, programs, signal, stopping }: Around) {
  const { db, transact, clock, sealing, jobs, audit, interfaces, configs, importing } = parts;

  const read = ({ files, isAmneziawg }: OldProgram) => ({ file: files, ...(isAmneziawg ? { amneziawg: true } : {}) });
  const placeOf = async (publicKey: string) =>
    [...(await interfaces.places(db)).values()].find((place) => place.interface.public_key === publicKey);

  const until = async (isSo: () => Promise<boolean>, ...ends: (AbortSignal | undefined)[]): Promise<boolean> => {
    // Not by the club's clock: while it is set back, members would stay cut off.
    const end = performance.now() + ANSWERS_WITHIN_MS;
    while (!(await isSo())) {
      if (performance.now() > end || ends.some((each) => each?.aborted)) return false;
      await wait(LOOKS_EVERY_MS);
    }
    return true;
  };

  /** The container's own way past Docker's firewall does not serve an interface of the machine. */
  const isRefused = async ({ interface_name: name, subnet }: InterfaceRow) =>
    (await host.refusing([{ name, addresses: [subnet] }]).catch(() => [])).length > 0;

  return {
    preview: (program: OldProgram, owners: readonly string[] = [], amneziawg?: boolean) =>
      importing.preview(server.id, { ...read(program), ...(amneziawg === undefined ? {} : { amneziawg }) }, owners),

    /** Tries everything and records the way back. @throws Refusal */
    async begin(
      doer: Doer,
      program: OldProgram,
      publicKey: string,
      wish: Wish,
      origin: string,
      also?: (tx: Tx) => void,
    ): Promise<MovedRow> {
      await importing.rehearse(doer, server.id, { ...read(program), ...wish }, origin);
      return transact(async (tx) => {
        await parts.servers.lock(tx, server.id);
        const last = await repository.find(tx, server.id);
        if (last !== undefined) {
          if (last.state === "done") refuse("old_program.can_go_back", { program: last.name });
          if (last.state !== "left") refuse("old_program.busy", { program: last.name });
          await repository.remove(tx, last);
        }
        const row: MovedRow = {
          server_id: server.id,
          id: randomUUID(),
          name: program.name,
          how: JSON.stringify(program.how),
          public_key: publicKey,
          wish: JSON.stringify({ wish, origin }),
          taken: 0,
          opened: 0,
          state: "taking",
          why: null,
          trouble: null,
          sealed_invited: null,
          started_by: doer.memberId,
          started_at: clock.now().getTime(),
        };
        await repository.insert(tx, row);
        await audit.record(tx, doer.memberId, "server.import_begun", {
          target: server.id,
          after: { name: row.name },
        });
        also?.(tx);
        return row;
      });
    },

    /** Stops the program and writes its devices. @throws Refusal, MachineFailure: then `goBack` */
    async carryOut(row: MovedRow, program: OldProgram): Promise<MovedRow> {
      const { wish, origin } = JSON.parse(row.wish ?? "{}") as { wish: Wish; origin: string };
      const body = { ...read(program), ...wish };
      const doer = { memberId: row.started_by };
      // As it was at first: by now it may already be stopped.
      await programs.stop(howOf(row));
      let written = row;
      await importing.takeIn(doer, server.id, body, origin, async (tx, invited) => {
        const seal = await sealing.sealer(tx);
        const links = invited.length === 0 ? null : seal(linksPlace(server.id), JSON.stringify(invited));
        written = await changed(tx, row, { state: "answering", taken: 1, wish: null, sealed_invited: links });
      });
      return written;
    },

    /** Waits until the club's interface answers, then keeps the old program from starting. @throws Failure: then `goBack` */
    async prove(row: MovedRow): Promise<MovedRow> {
      let mine = row;
      const place = (await placeOf(row.public_key)) ?? fail(new Silent());
      const isOpen = (await parts.servers.find(db, server.id))?.opens_forwarding === 1;
      if (mine.opened === 1 || (!isOpen && (await isRefused(place.interface)))) {
        // Recorded first: an end right after this must not leave it open for good.
        mine = await transact((tx) => changed(tx, mine, { opened: 1 }));
        await openForwarding(parts, row.started_by, server.id, true);
      }
      if (!(await until(() => parts.probe.answers(place.interface.id), signal, stopping))) throw new Silent();
      await programs.retire(howOf(row));
      return transact((tx) => changed(tx, mine, { state: "done" }));
    },

    /** From any step: removes the club's interface, if it came to that, and starts what served its devices before. @throws Failure */
    async goBack(row: MovedRow): Promise<void> {
      const { public_key: publicKey, taken, opened, started_by } = row;
      const how = howOf(row);
      const doer = { memberId: started_by };
      const place = await placeOf(publicKey);
      if (place !== undefined) {
        const use = (await configs.usage.byInterface(db, true)).get(place.interface.id);
        await parts.removeInterface(doer, server.id, place.interface.id, use?.configs ?? 0);
      }
      const name = place?.interface.interface_name ?? how.name;
      // Also when an earlier try has deleted it and ended before the machine followed. Once given back, it is the old program's.
      const isGone = async () => (await host.read()).every((each) => each.publicKey !== publicKey);
      const isOurs = (await interfaces.keysEverOn(db, server.id)).includes(publicKey);
      if (isOurs && !(await until(isGone, stopping))) throw new StillHere(name);
      // A round that is under way still takes the key for the panel's, and would remove the old program's interface.
      const jobIds = await transact(async (tx) => {
        await interfaces.giveBack(tx, server.id, publicKey);
        const locked = (await parts.servers.lock(tx, server.id)) ?? refuse("server.not_found");
        return [await enqueueReconcile(jobs, tx, locked)];
      });
      // Another process may do it, and on SQLite tells nobody.
      if (taken === 1 && !(await until(() => jobs.settled(jobIds, 0), stopping))) throw new StillHere(name);
      if (opened === 1) await openForwarding(parts, started_by, server.id, false);
      await programs.start(how);
      await transact((tx) => repository.update(tx, row, { state: "left", trouble: null }));
    },
  };
}

const howOf = ({ how }: MovedRow): How => How.parse(JSON.parse(how));

async function changed(tx: Tx, row: MovedRow, change: Partial<MovedRow>): Promise<MovedRow> {
  await repository.update(tx, row, change);
  return { ...row, ...change };
}

function fail(error: Error): never {
  throw error;
}
