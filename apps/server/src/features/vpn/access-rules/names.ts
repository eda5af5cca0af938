import { ASK_NAMES_EVERY_MS, ASK_UNFOUND_NAMES_EVERY_MS } from "@krug/domain/access-rules";
import { addressesAfter, type FoundAddresses } from "../../../platform/names.ts";
import { accessRulesChanged } from "./events.ts";
import { spread } from "./jobs.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { NameFailure, NameRow } from "./table.ts";

/** Look-ups at once, in one round; the next round, a few seconds later, takes the rest. */
const SIDE_BY_SIDE = 8;
const NAMES_A_LOOK = 200;

export const addressesOf = (row: Pick<NameRow, "addresses">) => JSON.parse(row.addresses) as string[];

/** A name's row after a look-up: new addresses replace the known ones; a failed look-up changes nothing (decisions, section 7). */
export function afterAsking(before: NameRow | null, name: string, found: FoundAddresses, now: number): NameRow {
  const known = before === null ? [] : addressesOf(before);
  const none = found.v4?.length === 0 && found.v6?.length === 0;
  const failure: NameFailure | null = none
    ? "not_found"
    : found.v4 === null || found.v6 === null
      ? "unavailable"
      : null;
  const hasFound = (found.v4?.length ?? 0) + (found.v6?.length ?? 0) > 0;
  return {
    name,
    // Well-known addresses come first.
    addresses: JSON.stringify(addressesAfter(known, found)),
    found_at: hasFound ? now : (before?.found_at ?? null),
    asked_at: now,
    failing_since: failure === null ? null : (before?.failing_since ?? now),
    failure,
  };
}

/** Looks up names that are due; changes go to the servers. */
export function makeNameWatch(parts: AccessRuleParts) {
  const { db, transact, clock, events, names } = parts;
  return async (): Promise<void> => {
    const now = clock.now().getTime();
    const before = { askedBefore: now - ASK_NAMES_EVERY_MS, unfoundBefore: now - ASK_UNFOUND_NAMES_EVERY_MS };
    const due = await repository.namesDue(db, { now, ...before }, NAMES_A_LOOK);
    const asked: { before: NameRow; found: FoundAddresses }[] = [];
    const left = [...due];
    const ask = async () => {
      for (let row = left.shift(); row !== undefined; row = left.shift())
        asked.push({ before: row, found: await names.find(row.name) });
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, ask));
    if (asked.length === 0) return;
    await transact(async (tx) => {
      let isOther = false;
      for (const { before, found } of asked) {
        const after = afterAsking(before, before.name, found, now);
        const stillBorne = await repository.updateName(tx, after);
        if (stillBorne && after.addresses !== before.addresses) isOther = true;
      }
      if (isOther) await spread(parts, tx);
      else await events.record(tx, accessRulesChanged, { isVips: false });
    });
  };
}
