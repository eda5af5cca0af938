import { afterAll, beforeAll, expect, test } from "vitest";
import { changeEverything } from "../testing/growing-tables.ts";
import { makeReader, READS, told, watchChanges } from "../testing/stale-answers.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";

/*
 * After every call that changes something, each read of a member is what it would be without anything that the panel keeps: rows and
 * answers until the database changes (ADR 89, 215), settings and the like for a second (platform/cached.ts), and pages' own copies by
 * their tags. Reads also run while the change is made, so that one which began before it may be kept by mistake. Staff's reads:
 * nothing-stale-for-staff.feature.test.ts.
 */

/** What members may read without naming anything. */
const reads = READS.filter(({ path, needs }) => !path.includes("{") && needs === undefined).map(({ path }) => path);
/** Whose answers are kept whole (`answeredWhileSame`). */
const KEPT = ["/auth/me", "/vpn/configs"];

let club: Club;
let reader: Awaited<ReturnType<typeof makeReader>>;
beforeAll(async () => {
  club = await startClub();
  reader = await makeReader(club);
});
afterAll(async () => {
  await reader.stop();
  await club.stop();
});

test("whatever is changed, every read after it says so", async () => {
  const people: Person[] = [];
  const changes: string[] = [];
  const by = (paths: readonly string[]) => people.map((person) => ({ person, paths }));
  const changed = async (line: string, change: () => Promise<unknown>) => {
    await club.settle();
    const before = await reader.readAnew(by(reads));
    const beside = reader.read(by(KEPT), before);
    const result = await change();
    const after = await reader.read(by(reads), before);
    await beside;
    const again = await reader.read(by(KEPT), after);
    await club.settle();
    const anew = told(await reader.readAnew(by(reads)));
    expect(told(after), line).toEqual(anew);
    expect(anew, `${line}, once more`).toMatchObject(told(again));
    changes.push(line);
    return result;
  };
  await changeEverything(watchChanges(club, changed, (person) => people.push(person)));
  expect(changes.length).toBeGreaterThan(35);
}, 300_000);
