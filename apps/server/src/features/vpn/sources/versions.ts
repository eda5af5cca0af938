import { isoOf } from "@krug/domain/moment";
import { shownSource } from "@krug/wireguard/list-source";
import { changeBetween } from "@krug/wireguard/network-change";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import { Failure } from "../../../platform/failure.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { markOf } from "./judge.ts";
import { LISTS_PLACE, type Renew } from "./renew.ts";
import * as repository from "./repository.ts";
import { listIn, type SourceRow } from "./table.ts";

interface Parts extends Platform {
  audit: Audit;
  renew: Renew;
}

type Act = "list_accepted" | "list_refused" | "list_brought_back";

/** What admins do with a source's lists: those that wait, and earlier versions. */
export function makeVersions({ db, transact, audit, renew }: Parts) {
  const require = async (over: Db | Tx, serviceId: string, id: string): Promise<SourceRow> =>
    (await repository.ofService(over, serviceId)).find((row) => row.id === id) ?? refuse("source.not_found");
  const versionOf = async (over: Db | Tx, id: string, versionId: string) =>
    (await repository.versions(over, id)).find((each) => each.id === versionId) ?? refuse("source.not_found");
  /** Under the locks that a look-up takes. */
  const changing = (serviceId: string, id: string, work: (tx: Tx, row: SourceRow) => Promise<void>): Promise<void> =>
    transact(async (tx) => {
      await lockPlace(tx, LISTS_PLACE);
      await repository.lock(tx, id);
      await work(tx, await require(tx, serviceId, id));
    }).catch((error: unknown) => {
      if (error instanceof Failure) refuseBecause("source.not_taken", error.why);
      throw error;
    });
  const record = (tx: Tx, actorId: string, act: Act, serviceId: string, row: SourceRow, networks: readonly string[]) =>
    audit.record(tx, actorId, `service.${act}`, {
      target: serviceId,
      after: { source: shownSource(row.source), networks: networks.length },
    });

  return {
    /** `mark`: of the list that was seen. */
    decide: (actorId: string, serviceId: string, id: string, { accept, mark }: { accept: boolean; mark: string }) =>
      changing(serviceId, id, async (tx, row) => {
        const waiting = row.waiting === null ? null : listIn(row.waiting);
        if (waiting === null || markOf(waiting) !== mark) refuse("source.changed_meanwhile");
        await record(tx, actorId, accept ? "list_accepted" : "list_refused", serviceId, row, waiting);
        const decided = { waiting: null, waiting_since: null };
        if (accept) await renew(tx, row, waiting, { ...decided, held: 0, refused: null });
        else await repository.update(tx, id, { ...decided, refused: mark });
      }),

    /** The newest first. */
    async list(serviceId: string, id: string) {
      const row = await require(db, serviceId, id);
      return (await repository.versions(db, id)).map((version) => ({
        id: version.id,
        madeAt: isoOf(version.made_at),
        networks: listIn(version.networks).length,
        isCurrent: version.networks === row.networks,
      }));
    },

    /** What bringing a version back would change. */
    async compare(serviceId: string, id: string, versionId: string) {
      const row = await require(db, serviceId, id);
      const version = await versionOf(db, id, versionId);
      return changeBetween(listIn(row.networks), listIn(version.networks));
    },

    /** Holds the source there: from then on whatever differs from it waits for an admin. */
    bringBack: (actorId: string, serviceId: string, id: string, versionId: string) =>
      changing(serviceId, id, async (tx, row) => {
        const networks = listIn((await versionOf(tx, id, versionId)).networks);
        await record(tx, actorId, "list_brought_back", serviceId, row, networks);
        // What stands at the address now is fetched again, and then waits.
        await renew(tx, row, networks, { held: 1, etag: null, refused: null, waiting: null, waiting_since: null });
      }),
  };
}
