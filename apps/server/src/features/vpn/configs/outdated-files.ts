import { markableFrom, weekOf } from "@krug/domain/outdated-files";
import { cidrsWithout } from "@krug/wireguard/addresses";
import { chunks, letOthersIn } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { jobKind } from "../../../platform/jobs.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Catalog } from "../catalog/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import { configsChanged, filesOutdated } from "./events.ts";
import * as repository from "./outdated-repository.ts";
import { servicesOf } from "./repository.ts";

interface Parts extends Platform {
  catalog: Pick<Catalog, "servicesByIds">;
  interfaces: Pick<Interfaces, "routedIds">;
}

type File = repository.CurrentFile;
interface List {
  key: string;
  ips: readonly string[];
}

/** Only lists that somebody downloaded are kept; an older file counts as one of the oldest. */
const LISTS_KEPT = 200;
const AT_ONCE = 2_000;
const markFiles = jobKind<{ serviceId: string }>("configs.mark-outdated");

/**
 * Marks files that lack addresses of their services: not for an address that a service lost, nor for one that the file routes
 * anyway, for another service or from an earlier list. Each at most once a week, with one notice for all of a member's devices
 * (ADR 163).
 */
export function makeOutdatedFiles({ db, transact, clock, events, jobs, catalog, interfaces }: Parts) {
  /** Those of `files` that lack something. `wish`: lists that services do not have yet. */
  const lacking = async (over: Db | Tx, files: readonly File[], wish: ReadonlyMap<string, readonly string[]>) => {
    const chosen = new Map<string, string[]>();
    for (const some of chunks(files.map(({ id }) => id)))
      for (const [id, services] of await servicesOf(over, some)) chosen.set(id, services);
    const serviceIds = [...new Set([...chosen.values()].flat())];
    const current = new Map((await catalog.servicesByIds(over, serviceIds)).map(({ id, ips }) => [id, ips]));
    const past = groupBy(await repository.pastLists(over, serviceIds), (row) => row.service_id);
    const read = new Map<string, readonly string[]>();
    const listAt = async (serviceId: string, at: number): Promise<List> => {
      const row = past.get(serviceId)?.find(({ until_at }) => at <= until_at);
      if (row === undefined) return { key: serviceId, ips: current.get(serviceId) ?? [] };
      const key = `${serviceId}:${row.seq}`;
      const ips = read.get(key) ?? (await repository.pastList(over, serviceId, row.seq));
      read.set(key, ips);
      return { key, ips };
    };
    const known = new Map<string, boolean>();
    const found: File[] = [];
    for (const file of files) {
      const services = chosen.get(file.id) ?? [];
      const held = await Promise.all(services.map((id) => listAt(id, file.delivered_at)));
      const key = held.map((list) => list.key).join();
      const wished = () => services.flatMap((id) => wish.get(id) ?? current.get(id) ?? []);
      const lacks =
        known.get(key) ??
        cidrsWithout(
          wished(),
          held.flatMap(({ ips }) => ips),
        ).length > 0;
      known.set(key, lacks);
      if (lacks) found.push(file);
    }
    return found;
  };

  /** The files with a service, a slice at a time. */
  async function* filesWith(serviceId: string) {
    const of = { serviceId, exceptOn: await interfaces.routedIds(db) };
    for (let after: string | undefined = ""; after !== undefined; await letOthersIn()) {
      const files: File[] = await repository.filesWith(db, of, after, AT_ONCE);
      yield files;
      after = files.length < AT_ONCE ? undefined : files.at(-1)?.id;
    }
  }

  /** Marks those whose week is over; the others wait for its end. */
  const mark = async (tx: Tx, files: readonly File[]) => {
    const now = clock.now().getTime();
    const memberIds = [...new Set(files.map((file) => file.member_id))];
    const marksByMember = groupBy(await repository.marksOf(tx, memberIds), (row) => row.member_id);
    const marks = files.map(({ id, member_id }) => {
      const own = marksByMember.get(member_id) ?? [];
      const last = own.find(({ config_id }) => config_id === id);
      const from = markableFrom(last);
      return from <= now
        ? { config_id: id, marked_at: now, week_at: weekOf(own, now), due_at: null, member_id }
        : {
            config_id: id,
            marked_at: last?.marked_at ?? null,
            week_at: last?.week_at ?? null,
            due_at: from,
            member_id,
          };
    });
    await repository.putMarks(
      tx,
      marks.map(({ member_id: _, ...row }) => row),
    );
    const marked = marks.filter(({ due_at }) => due_at === null);
    await repository.setStale(
      tx,
      marked.map(({ config_id }) => config_id),
    );
    await tellOf(tx, new Map(marked.map(({ member_id, week_at }) => [member_id, week_at ?? now])));
  };

  const tellOf = async (tx: Tx, weeks: ReadonlyMap<string, number>) => {
    if (weeks.size === 0) return;
    const memberIds = [...weeks.keys()];
    await events.record(tx, configsChanged, { memberIds });
    const names = await repository.markedNames(tx, memberIds);
    const told = [...groupBy(names, (row) => row.member_id)].map(([memberId, rows]) => ({
      memberId,
      names: rows.map(({ name }) => name),
      weekAt: weeks.get(memberId) ?? 0,
    }));
    await events.record(tx, filesOutdated, told);
  };

  const markLacking = async (tx: Tx, ids: readonly string[]) => {
    const files = await repository.filesByIds(tx, ids, await interfaces.routedIds(tx));
    await mark(tx, await lacking(tx, files, new Map()));
  };

  jobs.handle(markFiles, async (payloads) => {
    for (const serviceId of new Set(payloads.map((payload) => payload.serviceId)))
      for await (const files of filesWith(serviceId))
        await transact((tx) =>
          markLacking(
            tx,
            files.map(({ id }) => id),
          ),
        );
  });

  return {
    /** In the transaction that changed the list. The files are marked afterwards: they may be a hundred thousand. */
    async follow(tx: Tx, change: { serviceId: string; before: readonly string[]; after: readonly string[] }) {
      const { serviceId, before, after } = change;
      await repository.addPastList(tx, { serviceId, at: clock.now().getTime(), ips: before }, LISTS_KEPT);
      if (cidrsWithout(after, before).length === 0) return;
      await jobs.enqueue(tx, markFiles, { payload: { serviceId } });
    },

    /** How many files would lack something if the service had this list. */
    async wouldLack(serviceId: string, ips: readonly string[]): Promise<number> {
      let count = 0;
      for await (const files of filesWith(serviceId))
        count += (await lacking(db, files, new Map([[serviceId, ips]]))).length;
      return count;
    },

    /** Marks files whose week is over and that still lack something. */
    markDue: () =>
      transact(async (tx) => {
        const ids = (await repository.dueFiles(tx, clock.now().getTime(), AT_ONCE)).map(({ config_id }) => config_id);
        if (ids.length === 0) return;
        await repository.setNotDue(tx, ids);
        await markLacking(tx, ids);
      }),
  };
}
