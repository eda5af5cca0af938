import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { App } from "../app.ts";
import { makeAddMembers } from "../features/members/members/index.ts";
import { type Importing, makeImporting } from "../features/vpn/import/importing.ts";
import { makeInterfaceChanges } from "../features/vpn/interfaces/change-interface.ts";
import { enqueueReconcile, openForwarding } from "../features/vpn/servers/index.ts";
import type { Host } from "../hosts/host.ts";
import { refuse } from "../platform/refusal.ts";
import { How, type OldProgram, type OldPrograms } from "./old-programs.ts";

/** What it takes to go back, written before anything ends. */
export const Moved = z.object({
  name: z.string(),
  how: How,
  serverId: z.string(),
  publicKey: z.string(),
  /** Whether other firewalls of the machine were opened for it. */
  opened: z.boolean(),
  isDone: z.boolean(),
});
export type Moved = z.output<typeof Moved>;

interface Around {
  parts: App["parts"];
  server: { id: string };
  host: Host;
  programs: OldPrograms;
  /** Where the way back is kept. */
  record: { write(moved: Moved): Promise<void>; clear(): Promise<void> };
  /** Who does it; null: the operator of the machine. */
  memberId: string | null;
  /** Of the new members' links. */
  origin: string;
  /** Ends the waiting for an answer, and so goes back. */
  signal?: AbortSignal;
}

type Wish = Omit<Parameters<Importing["takeIn"]>[2], "file" | "amneziawg" | "clientsTable">;
export type Invited = Awaited<ReturnType<Importing["takeIn"]>>["invited"];

/** What stood in the way of an import. `invited`: members who are in the club by then, and stay. */
export class WentBack extends Error {
  readonly invited: Invited;

  constructor(cause: unknown, invited: Invited) {
    super("the import went back", { cause });
    this.invited = invited;
  }
}

/** The club's interface did not answer, or the panel did not bring it up. */
export class Silent extends Error {}

/** The panel has not removed the club's interface from the machine. */
export class StillHere extends Error {}

const ANSWERS_WITHIN_MS = 90_000;
const LOOKS_EVERY_MS = 1_000;

/** Takes an old program's interface over and gives it back (docs/adr/0202-the-old-program-can-come-back.md). */
export function makeTakeOver({ parts, server, host, programs, record, memberId, origin, signal }: Around) {
  const importing = makeImporting({ ...parts, addMembers: makeAddMembers(parts) });
  const changes = makeInterfaceChanges({ ...parts, usage: parts.configs.usage });
  const doer = { memberId };

  const read = ({ files, isAmneziawg }: OldProgram) => ({ file: files, ...(isAmneziawg ? { amneziawg: true } : {}) });
  const placeOf = async (publicKey: string) =>
    [...(await parts.interfaces.places(parts.db)).values()].find((place) => place.interface.public_key === publicKey);

  const until = async (isSo: () => Promise<boolean>, ends?: AbortSignal): Promise<boolean> => {
    const end = Date.now() + ANSWERS_WITHIN_MS;
    while (!(await isSo())) {
      if (Date.now() > end || ends?.aborted) return false;
      await wait(LOOKS_EVERY_MS);
    }
    return true;
  };

  /** Removes the club's interface, if it came to that, and starts what served its devices before. @throws StillHere */
  const goBack = async ({ how, publicKey, opened }: Moved): Promise<void> => {
    const place = await placeOf(publicKey);
    if (place !== undefined) {
      const use = (await parts.configs.usage.byInterface(parts.db, true)).get(place.interface.id);
      await changes.remove(doer, server.id, place.interface.id, use?.configs ?? 0);
    }
    const name = place?.interface.interface_name ?? null;
    // Also when an earlier try has deleted it and ended before the machine followed.
    const isGone = async () => (await host.read()).every((each) => each.publicKey !== publicKey);
    const isOurs = (await parts.interfaces.keysEverOn(parts.db, server.id)).includes(publicKey);
    if (isOurs && !(await until(isGone))) throw new StillHere(name ?? how.name);
    // A round that is under way still takes the key for the panel's, and would remove the old program's interface.
    const jobIds = await parts.transact(async (tx) => {
      await parts.interfaces.giveBack(tx, server.id, publicKey);
      const row = (await parts.servers.lock(tx, server.id)) ?? refuse("server.not_found");
      return [await enqueueReconcile(parts.jobs, tx, row)];
    });
    // Another process may do it, and on SQLite tells nobody.
    if (isOurs && !(await until(() => parts.jobs.settled(jobIds, 0)))) throw new StillHere(name ?? how.name);
    if (opened) await openForwarding(parts, memberId, server.id, false);
    await programs.start(how);
    await record.clear();
  };

  return {
    goBack,

    preview: (program: OldProgram) => importing.preview(server.id, read(program), []),

    /** @throws Refusal before anything has changed, WentBack after that */
    async takeOver(program: OldProgram, publicKey: string, wish: Wish): Promise<{ invited: Invited; opened: boolean }> {
      const { name, how } = program;
      const body = { ...read(program), ...wish };
      await importing.rehearse(doer, server.id, body, origin);
      const moved: Moved = { name, how, serverId: server.id, publicKey, opened: false, isDone: false };
      await record.write(moved);
      let invited: Invited = [];
      try {
        await programs.stop(how);
        ({ invited } = await importing.takeIn(doer, server.id, body, origin));
        const place = await placeOf(publicKey);
        if (place === undefined) throw new Silent();
        moved.opened = await openedFor(place.interface);
        if (moved.opened) await record.write(moved);
        if (!(await until(() => parts.probe.answers(place.interface.id), signal))) throw new Silent();
        await programs.retire(how);
        await record.write({ ...moved, isDone: true });
        return { invited, opened: moved.opened };
      } catch (error) {
        await goBack(moved);
        throw new WentBack(error, invited);
      }
    },
  };

  /** The container's own way past Docker's firewall does not serve an interface of the machine. */
  async function openedFor({ interface_name: name, subnet }: { interface_name: string; subnet: string }) {
    const refusing = await host.refusing([{ name, addresses: [subnet] }]).catch(() => []);
    return refusing.length > 0 && openForwarding(parts, memberId, server.id, true);
  }
}
