import { afterAll, beforeAll, expect, test } from "vitest";
import { changeEverything } from "../testing/growing-tables.ts";
import { type Answers, makeReader, READS, told, watchChanges } from "../testing/stale-answers.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";
import { isPostgres } from "./platform/database/database.ts";

/*
 * After every call that changes something, each read of a member is what it would be without anything that the panel keeps: rows and
 * answers until the database changes (ADR 89, 215), whole answers to the same request (ADR 224), settings and the like for a second
 * (platform/cached.ts), and pages' own copies by their tags. Reads also run while the change is made, so that one which began before
 * it may be kept by mistake. Staff's reads: nothing-stale-for-staff.feature.test.ts.
 */

/** What members may read without naming anything. */
const reads = READS.filter(({ path, needs }) => !path.includes("{") && needs === undefined).map(({ path }) => path);
/** Whose answers are kept whole (`answeredWhileSame`). */
const KEPT = ["/auth/me", "/vpn/configs"];

let club: Club;
let reader: Awaited<ReturnType<typeof makeReader>>;
beforeAll(async () => {
  club = await startClub();
  // Here the answers themselves are compared.
  club.app.repeats.checkBy(null);
  reader = await makeReader(club, { connected: KEPT });
});
afterAll(async () => {
  await reader.stop();
  await club.stop();
});

test("whatever is changed, every read after it says so", async () => {
  const people: Person[] = [];
  const changes: string[] = [];
  let repeats = 0;
  club.app.repeats.onRepeated(() => {
    repeats += 1;
  });
  const by = (paths: readonly string[]) => people.map((person) => ({ person, paths }));
  /** Everybody's at once, as a page that has the answers and as one that has none. */
  const readKept = (had: Answers) =>
    Promise.all(by(KEPT).flatMap((each) => [had, new Map()].map((of) => reader.read([each], of))));
  const changed = async (line: string, change: () => Promise<unknown>) => {
    await club.settle();
    const before = await reader.readAnew(by(reads));
    // The third time an answer is repeated before anything decides about it, in full and as unchanged.
    for (let times = 0; times < 3; times++) await readKept(before);
    // Every other time nobody, since a panel that is asked meanwhile may notice the change by that.
    const beside = changes.length % 2 === 0 ? readKept(before) : [];
    const result = await change();
    const atOnce = await readKept(before);
    const after = await reader.read(by(reads), before);
    await beside;
    for (const each of atOnce) expect(told(after), `${line}, at once`).toMatchObject(told(each));
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
  if (!isPostgres(club.db)) expect(repeats).toBeGreaterThan(10 * changes.length);
}, 300_000);
