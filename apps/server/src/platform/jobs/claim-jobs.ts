import { sql } from "kysely";
import { isPostgres } from "../database/database.ts";
import { prepared } from "../database/prepared.ts";
import { type Claimant, claimable, LOCK_MS, momentsOf } from "./due.ts";
import type { Handlers, JobParts } from "./parts.ts";
import { type JobRow, jobTables } from "./table.ts";

const BATCH = 500;

/** `passedOver`: busy lanes that a claim skipped, where jobs may be waiting. */
export interface Lanes {
  busy: Set<string>;
  passedOver: Set<string>;
}

/** Claims what is due and not in a busy lane, the oldest first. */
export async function claimJobs(
  { db, clock, heldLeases, panelId }: JobParts,
  handlers: Handlers,
  lanes: Lanes,
): Promise<JobRow[]> {
  const { holder } = heldLeases;
  const now = clock.now().getTime();
  const by = { ...momentsOf(now), panelId, holder };
  // Reads before it writes: an idle panel does not write to the disk every second.
  if (handlers.size === 0 || (await anyClaimable(db, by)).length === 0) return [];
  const busy = [...lanes.busy];
  for (const lane of busy) lanes.passedOver.add(lane);
  const free = claimable(db, by)
    .where("kind", "in", [...handlers.keys()])
    .$if(busy.length > 0, (query) => query.where("lane", "not in", busy));
  const others = isPostgres(db) ? await heldByOthers(free, handlers, heldLeases) : [];
  const due = free
    .$if(others.length > 0, (query) => query.where("lane", "not in", others))
    .orderBy("run_at")
    .orderBy("created_at")
    .limit(BATCH);
  return jobTables(db)
    .updateTable("jobs")
    .set((e) => ({ locked_until: now + LOCK_MS, claimed_by: holder, attempts: e("attempts", "+", 1) }))
    .where("id", "in", isPostgres(db) ? due.modifyEnd(sql`for update of jobs skip locked`) : due)
    .returningAll()
    .execute();
}

const anyClaimable = prepared((db, by: Claimant) => claimable(db, by).limit(1));

/** Lanes of free jobs whose lease this panel needs and does not get. */
async function heldByOthers(
  free: ReturnType<typeof claimable>,
  handlers: Handlers,
  heldLeases: JobParts["heldLeases"],
): Promise<string[]> {
  const kinds = [...handlers].flatMap(([kind, { underLease }]) => (underLease ? [kind] : []));
  if (kinds.length === 0) return [];
  const wanted = await free.clearSelect().select("lane").distinct().where("kind", "in", kinds).execute();
  const held = await Promise.all(wanted.map(async ({ lane }) => (await heldLeases.hold(lane)) !== null));
  return wanted.flatMap(({ lane }, place) => (held[place] ? [] : [lane]));
}
