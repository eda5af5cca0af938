import { setTimeout as wait } from "node:timers/promises";
import { lineOrNull } from "@krug/contract/reasons";
import type { App } from "../app.ts";
import { type Finding, finding } from "./finding.ts";

/** A panel that runs begins what is due within seconds. */
const LATE_MS = 5 * 60_000;

/** The program's own names; anything else in that place is told as such. */
export const kindOf = (kind: string) => (/^[a-z]+(?:[.-][a-z_]+){1,3}$/.test(kind) ? kind : "unknown");

/** Work that waits or fails, webhooks that are off, and the scheduled backups. */
export async function lookAtWork({ parts, jobs }: App, now: Date): Promise<Finding[]> {
  const found: Finding[] = [];
  const { waiting, failing, failed, oldestDueAt, troubled } = await jobs.standing();
  const kinds = troubled.map(({ kind }) => kindOf(kind)).join(", ");
  const detail = lineOrNull(troubled.find(({ lastError }) => lastError !== null)?.lastError ?? null);
  if (failed > 0)
    found.push(
      finding("wrong", "jobs.given_up", `Pieces of work that were given up after many tries: ${failed} (${kinds}).`, {
        detail,
        todo: "Do what the reason asks for; /admin/system names each. The servers' minute round catches up on tunnels by itself.",
      }),
    );
  if (failing > 0)
    found.push(
      finding(
        "wrong",
        "jobs.failing",
        `Waiting pieces of work that have failed and are tried again: ${failing} of ${waiting} (${kinds}).`,
        {
          detail,
          todo: "Where a server is away they wait for it. Otherwise do what the reason asks for.",
        },
      ),
    );
  if (oldestDueAt !== null && now.getTime() - oldestDueAt > LATE_MS)
    found.push(
      finding(
        "wrong",
        "jobs.late",
        `Work has waited for ${Math.floor((now.getTime() - oldestDueAt) / 60_000)} min, and no panel does it.`,
        {
          todo: "Start the panel; if it runs, restart it.",
        },
      ),
    );
  if (found.length === 0) found.push(finding("well", "jobs", "No work hangs."));

  const off = await parts.webhooks.off(parts.db);
  if (off.length > 0)
    found.push(
      finding("note", "webhooks.off", `Webhooks that the panel has switched off: ${off.length}.`, {
        todo: "/admin/webhooks says why, and switches them on again.",
      }),
    );

  const backups = await parts.backups.state();
  if (backups === null)
    found.push(
      finding("note", "backups.off", "No scheduled backups are made.", {
        todo: "Set BACKUP_DIR, BACKUP_SFTP or BACKUP_S3 to have some.",
      }),
    );
  else {
    const { lastGoodAt, problem, isLate, everyHours } = backups;
    const last =
      lastGoodAt === null ? "There is no good scheduled backup yet" : `The last good backup is of ${lastGoodAt}`;
    const todo =
      "See that the place for backups is reachable and has room; the panel tries again every quarter of an hour.";
    const gone = await whatIsGone(parts.backups.gone);
    if (gone !== null) found.push(gone);
    else if (isLate)
      found.push(
        finding("wrong", "backups.late", `${last}, and one is due every ${everyHours} h.`, { detail: problem, todo }),
      );
    else if (problem !== null)
      found.push(finding("wrong", "backups.failed", `${last}, and the newest failed.`, { detail: problem, todo }));
    else found.push(finding("well", "backups", `${last}.`));
  }
  return found;
}

/** A place far away that hangs keeps nothing else from being said. */
const PLACE_ANSWERS_MS = 20_000;

/** Whether the last good backup is still where it was brought. Null: it is, as far as can be seen. */
async function whatIsGone(gone: App["parts"]["backups"]["gone"]): Promise<Finding | null> {
  const late = wait(PLACE_ANSWERS_MS, undefined, { ref: false }).then(() =>
    Promise.reject(new Error("no answer came in time")),
  );
  try {
    const found = await Promise.race([gone(), late]);
    if (found === null) return null;
    return finding("wrong", "backups.gone", "The last good backup is gone from its place.", {
      detail: lineOrNull(found.problem),
      todo: "Put it back, or run: krug backup --to-place. A running panel makes another within an hour.",
    });
  } catch (error) {
    return finding("unknown", "backups.unseen", "It could not be seen whether the last good backup is still there.", {
      detail: (error as Error).message,
      todo: "See that the place for backups can be reached from here, by the panel's user.",
    });
  }
}
