import { setTimeout as wait } from "node:timers/promises";
import type { App } from "../app.ts";
import { type Finding, finding } from "./finding.ts";
import type { CheckWords } from "./words.ts";

/** A running panel starts due work within seconds. */
const LATE_MS = 5 * 60_000;

/** The program's own names; anything else is reported as unknown. */
export const kindOf = (kind: string) => (/^[a-z]+(?:[.-][a-z_]+){1,3}$/.test(kind) ? kind : "unknown");

/** Work that waits or fails, webhooks that are off, and the scheduled backups. */
export async function lookAtWork(words: CheckWords, { parts, jobs }: App, now: Date): Promise<Finding[]> {
  const { work: say, backups: ofBackups } = words;
  const found: Finding[] = [];
  const { waiting, failing, failed, oldestDueAt, troubled } = await jobs.status();
  const kinds = troubled.map(({ kind }) => kindOf(kind)).join(", ");
  const detail = words.reason(troubled.find(({ lastError }) => lastError !== null)?.lastError ?? null);
  if (failed > 0)
    found.push(
      finding("wrong", "jobs.given_up", say.givenUp(failed, kinds), {
        detail,
        todo: say.givenUpTodo,
      }),
    );
  if (failing > 0)
    found.push(
      finding("wrong", "jobs.failing", say.failing(failing, waiting, kinds), {
        detail,
        todo: say.failingTodo,
      }),
    );
  if (oldestDueAt !== null && now.getTime() - oldestDueAt > LATE_MS)
    found.push(
      finding("wrong", "jobs.late", say.late(Math.floor((now.getTime() - oldestDueAt) / 60_000)), {
        todo: say.lateTodo,
      }),
    );
  if (found.length === 0) found.push(finding("well", "jobs", say.none));

  const off = await parts.webhooks.off(parts.db);
  if (off.length > 0)
    found.push(
      finding("note", "webhooks.off", say.webhooksOff(off.length), {
        todo: say.webhooksOffTodo,
      }),
    );

  const backups = await parts.backups.state();
  if (backups === null)
    found.push(
      finding("note", "backups.off", ofBackups.off, {
        todo: ofBackups.offTodo,
      }),
    );
  else {
    const { lastGoodAt, why, isLate, everyHours } = backups;
    const detail = words.inLanguage(why);
    const last = ofBackups.last(lastGoodAt);
    const { todo } = ofBackups;
    const gone = await whatIsGone(words, parts.backups.gone);
    if (gone !== null) found.push(gone);
    else if (isLate) found.push(finding("wrong", "backups.late", ofBackups.late(last, everyHours), { detail, todo }));
    else if (why !== null) found.push(finding("wrong", "backups.failed", ofBackups.failed(last), { detail, todo }));
    else found.push(finding("well", "backups", `${last}.`));
  }
  return found;
}

/** A remote place that hangs holds up nothing else. */
const PLACE_ANSWERS_MS = 20_000;

/** Whether the last good backup is still where it was brought. Null: it is, as far as can be seen. */
async function whatIsGone(
  { backups: say, reason, sentenceOf }: CheckWords,
  gone: App["parts"]["backups"]["gone"],
): Promise<Finding | null> {
  const late = wait(PLACE_ANSWERS_MS, undefined, { ref: false }).then(() => Promise.reject(new Error(say.noAnswer)));
  try {
    const found = await Promise.race([gone(), late]);
    if (found === null) return null;
    return finding("wrong", "backups.gone", say.gone, {
      detail: reason(found.problem),
      todo: say.goneTodo,
    });
  } catch (error) {
    return finding("unknown", "backups.unseen", say.unseen, {
      detail: sentenceOf(error),
      todo: say.unseenTodo,
    });
  }
}
