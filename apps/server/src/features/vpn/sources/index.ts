import { randomUUID } from "node:crypto";
import { DAY_MS } from "@krug/domain/moment";
import type { Reason } from "@krug/domain/reasons";
import { MOST_SOURCES, nextLookIn, TELL_AFTER_MS } from "@krug/domain/source-rules";
import { isDomain, nameInKey, shownSource } from "@krug/wireguard/list-source";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import { Failure, failure, reasonOf } from "../../../platform/failure.ts";
import type { TimedWork } from "../../../platform/feature.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Internet } from "../../../platform/http/internet.ts";
import { makeLimiter } from "../../../platform/limiter.ts";
import type { Names } from "../../../platform/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse, refuseBecause } from "../../../platform/refusal.ts";
import type { SecurityGate } from "../../access/security-gate/index.ts";
import type { Audit } from "../../club/audit/index.ts";
import { makeAsNetworks } from "./as-networks.ts";
import { sourceFailing, sourceWaits } from "./events.ts";
import { type Found, makeFind } from "./find.ts";
import { judge } from "./judge.ts";
import { LISTS_PLACE, makeRenew } from "./renew.ts";
import * as repository from "./repository.ts";
import { stillSeen } from "./seen-addresses.ts";
import { listIn, type SourceRow } from "./table.ts";
import { makeVersions } from "./versions.ts";

export { sourceChanged, sourceFailing, sourceWaits } from "./events.ts";
export { LISTS_PLACE } from "./renew.ts";

interface Parts extends Platform {
  audit: Audit;
  internet: Internet;
  names: Names;
  securityGate: Pick<SecurityGate, "networksOfCountry">;
  /** For data on autonomous systems. */
  folder: string | null;
}

export type Sources = ReturnType<typeof makeSources>;

/** Looked up side by side, for whoever asks: all sources of a service, so that silent ones keep nobody longer than one would. */
const AT_ONCE = MOST_SOURCES;
/** A round is over before the next panel may begin one. */
const IN_A_ROUND = 30;
const LEASE_MS = 5 * 60_000;

/** Where services' networks come from besides what was typed (ADR 137). */
export function makeSources(parts: Parts) {
  const { db, transact, clock, events, log } = parts;
  const renew = makeRenew(parts);
  const find = makeFind({ ...parts, ...parts.securityGate, networksOfAs: makeAsNetworks(parts.folder) });
  const fewAtOnce = makeLimiter(AT_ONCE);
  const eachOf = async <Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> => {
    await Promise.all(items.map((item) => fewAtOnce(() => work(item))));
  };
  const stopping = new AbortController();
  const now = () => clock.now().getTime();

  /** Another look-up, by this panel or another, that began later than this one has ended already: its answer stays. */
  const isOutdone = ({ good_at }: SourceRow, began: number) => good_at > began && good_at <= now();

  /** `began`: when the look-up did. @throws Failure if a service cannot have these networks */
  const take = (id: string, found: Found | null, began: number) =>
    transact(async (tx) => {
      await lockPlace(tx, LISTS_PLACE);
      const row = await repository.lock(tx, id);
      if (row === undefined || isOutdone(row, began)) return;
      if (found?.networks.length === 0 && listIn(row.networks).length > 0) throw failure("web.no_address");
      const at = now();
      const dueAt = at + nextLookIn(false, isDomain(row.source));
      const good = { good_at: Math.min(began, at), due_at: dueAt, failing_since: null, problem: null, told_at: null };
      if (found === null) return repository.update(tx, id, good);
      const { unread, etag } = found;
      const { networks, seen } = networksIn(row.source, row.seen, found, at);
      const inForce = { networks: listIn(row.networks), held: row.held === 1, refused: row.refused };
      const verdict = judge({ ...inForce, isDomain: isDomain(row.source) }, networks);
      const waits = verdict === "wait";
      const waiting = { waiting: waits ? JSON.stringify(networks) : null, waiting_since: waits ? at : null };
      const rest = { ...good, unread, etag, seen, ...waiting };
      if (verdict === "take") return renew(tx, row, networks, { ...rest, refused: null });
      await repository.update(tx, id, { ...rest, ...(waits && { waiting_since: row.waiting_since ?? at }) });
      if (!waits || row.waiting !== null) return;
      const serviceIds = await repository.servicesWith(tx, id);
      await events.record(tx, sourceWaits, { source: shownSource(row.source), serviceIds });
    });

  const noteFailure = (id: string, problem: Reason, began: number) =>
    transact(async (tx) => {
      const row = await repository.lock(tx, id);
      if (row === undefined || isOutdone(row, began)) return;
      const failing_since = row.failing_since ?? now();
      const isLate = row.told_at === null && now() - row.good_at >= TELL_AFTER_MS;
      const told = isLate ? { told_at: now() } : {};
      await repository.update(tx, id, {
        due_at: now() + nextLookIn(true, isDomain(row.source)),
        failing_since,
        problem,
        ...told,
      });
      if (!isLate) return;
      const serviceIds = await repository.servicesWith(tx, id);
      await events.record(tx, sourceFailing, { source: shownSource(row.source), serviceIds, since: row.good_at });
    });

  const lookAt = async ({ id, source, etag }: SourceRow) => {
    const began = now();
    try {
      await take(id, await find(source, etag, stopping.signal), began);
    } catch (error) {
      // What the panel's own end cut off has not failed.
      if (stopping.signal.aborted) return;
      if (!(error instanceof Failure)) log.error({ err: error }, "a source of a service could not be looked up");
      await noteFailure(id, reasonOf(error), began);
    }
  };

  return {
    ...makeVersions({ ...parts, renew }),

    /**
     * Looks up those that are new, so that no service begins without.
     * @throws Refusal
     */
    async prepare(keys: readonly string[]): Promise<void> {
      const known = new Set((await repository.byKeys(db, keys)).map((row) => row.source));
      await eachOf(
        keys.filter((key) => !known.has(key)),
        async (source) => {
          const found = await find(source, null, stopping.signal).catch((error: unknown) =>
            refuseBecause("source.failed", reasonOf(error), { source }),
          );
          const at = now();
          const row = found && newRow(source, found, at);
          if (row !== null) await transact((tx) => repository.insert(tx, row));
        },
      );
    },

    /** What the sources of a service are, and all their networks. */
    async ofService(over: Db | Tx, serviceId: string): Promise<{ keys: string[]; networks: string[] }> {
      return together(await repository.ofService(over, serviceId));
    },

    /** The names among the sources of each service. */
    async domains(over: Db | Tx): Promise<ReadonlyMap<string, string[]>> {
      const uses = groupBy(await repository.domainUses(over), ({ service_id }) => service_id);
      return new Map([...uses].map(([id, rows]) => [id, rows.map(({ source }) => nameInKey(source))]));
    },

    /** Of sources that `prepare` has looked up. */
    async networksOf(tx: Tx, keys: readonly string[]): Promise<string[]> {
      return together(await known(tx, keys)).networks;
    },

    async setUses(tx: Tx, serviceId: string, keys: readonly string[]): Promise<void> {
      await repository.setUses(
        tx,
        serviceId,
        (await known(tx, keys)).map(({ id }) => id),
      );
    },

    /** As rows, for staff. */
    rowsOf: (serviceId: string): Promise<SourceRow[]> => repository.ofService(db, serviceId),

    /** Looks up all sources of a service now. */
    async lookNow(serviceId: string): Promise<void> {
      await eachOf(await repository.ofService(db, serviceId), lookAt);
    },

    forgetOld: () => transact((tx) => repository.forgetUnused(tx, now() - DAY_MS)),
    timed: [
      {
        name: "list sources",
        at: "20 * * * * *",
        leaseMs: LEASE_MS,
        run: async () => eachOf(await repository.due(db, now(), IN_A_ROUND), lookAt),
      },
    ] satisfies TimedWork[],
    stop: async () => stopping.abort(),
  };
}

async function known(tx: Tx, keys: readonly string[]): Promise<SourceRow[]> {
  const rows = await repository.byKeys(tx, keys);
  // One that nothing used was forgotten in between.
  if (rows.length < keys.length) refuse("service.changed_meanwhile", { fields: ["sources"] });
  return rows;
}

const together = (rows: readonly SourceRow[]) => ({
  keys: rows.map(({ source }) => source),
  networks: rows.flatMap(({ networks }) => listIn(networks)),
});

/** Of a domain also those of the last day. */
const networksIn = (source: string, seen: string | null, { networks }: Found, at: number) =>
  isDomain(source) ? stillSeen(seen, networks, at) : { networks, seen: null };

const newRow = (source: string, found: Found, at: number): SourceRow => ({
  id: randomUUID(),
  source,
  networks: JSON.stringify(found.networks),
  seen: networksIn(source, null, found, at).seen,
  unread: found.unread,
  etag: found.etag,
  good_at: at,
  due_at: at + nextLookIn(false, isDomain(source)),
  failing_since: null,
  problem: null,
  told_at: null,
  waiting: null,
  waiting_since: null,
  refused: null,
  held: 0,
  created_at: at,
});
