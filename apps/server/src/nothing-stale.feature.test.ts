import { join } from "node:path";
import { contract } from "@krug/contract/api";
import { type EndpointSpec, isFile, isStream } from "@krug/contract/endpoint";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { changeEverything } from "../testing/growing-tables.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";
import { type Database, isPostgres } from "./platform/database/database.ts";
import { openSqlite } from "./platform/database/sqlite.ts";

/*
 * After every call that changes something, each read is what it would be without anything that the panel keeps: rows and answers
 * until the database changes (ADR 89, 215), settings and the like for a second (platform/cached.ts), and pages' own copies by
 * their tags. Reads also run while the change is made, so that one which began before it may be kept by mistake.
 */

/** What members may read without naming anything. Staff's calls keep no answers. */
const reads = Object.values(contract)
  .flatMap((calls) => Object.values(calls) as EndpointSpec[])
  .filter(({ method, path, needs }) => method === "GET" && !path.includes("{") && needs === undefined)
  .filter(({ answer }) => answer !== null && !isStream(answer) && !isFile(answer))
  .map(({ path }) => path);
/** Whose answers are kept whole (`answeredWhileSame`). */
const KEPT = ["/auth/me", "/vpn/configs"];

let club: Club;
/** Another process on SQLite's file. PostgreSQL's panels keep nothing until a change. */
let other: Database | null = null;
let laterMs = 0;
beforeAll(async () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + laterMs);
  club = await startClub();
  if (isPostgres(club.db)) return;
  other = await openSqlite(join(club.config.dataDir, "krug.db"));
  await sql`create table of_another_process (number integer)`.execute(other.db);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await other?.close();
  await club.stop();
});

interface Answer {
  status: number;
  body: unknown;
  tag: string | null;
}
type Answers = Map<string, Answer>;

/** Whether a peer is on the wire yet is up to the rounds, which go on meanwhile. */
const settled = (body: unknown): unknown =>
  body === undefined ? "" : JSON.parse(JSON.stringify(body).replaceAll('"state":"pending"', '"state":"applied"'));

async function readAll(people: readonly Person[], had: Answers = new Map(), paths = reads): Promise<Answers> {
  const answers: Answers = new Map();
  const ask = async (person: Person, path: string) => {
    const key = `${person.username} ${path}`;
    const before = had.get(key);
    const headers = before?.tag ? { "if-none-match": before.tag } : {};
    const { status, body, headers: answered } = await club.as(person).send("GET", `/api${path}`, undefined, headers);
    answers.set(key, status === 304 && before ? before : { status, body, tag: answered.get("etag") });
  };
  for (const person of people) await Promise.all(paths.map((path) => ask(person, path)));
  return answers;
}

/** As if the panel kept nothing: SQLite's file was changed by somebody else, and what is kept by time is too old. */
async function readAnew(...who: Parameters<typeof readAll>): Promise<Answers> {
  await other?.transact((tx) => sql`insert into of_another_process values (1)`.execute(tx));
  laterMs += 1_001;
  return readAll(...who);
}

const told = (answers: Answers) =>
  Object.fromEntries([...answers].map(([key, { status, body }]) => [key, [status, settled(body)]]));

test("whatever is changed, every read after it says so", async () => {
  const people: Person[] = [];
  const changes: string[] = [];
  const changed = async <Result>(line: string, change: () => Promise<Result>): Promise<Result> => {
    await club.settle();
    const before = await readAnew(people);
    const beside = readAll(people, before, KEPT);
    const result = await change();
    const after = await readAll(people, before);
    await beside;
    const again = await readAll(people, after, KEPT);
    await club.settle();
    const anew = told(await readAnew(people));
    expect(told(after), line).toEqual(anew);
    expect(anew, `${line}, once more`).toMatchObject(told(again));
    changes.push(line);
    return result;
  };
  const watched = new Proxy(club, {
    get(target, name) {
      if (name === "admin" || name === "member")
        return async (...wish: unknown[]) => {
          const person: Person = await (target[name] as (...wish: unknown[]) => Promise<Person>)(...wish);
          people.push(person);
          return person;
        };
      const value = Reflect.get(target, name, target);
      if (name !== "as") return value;
      return (person: Person) => {
        const caller = target.as(person);
        const sends = (method: string, line: string, send: () => Promise<unknown>) =>
          method === "GET" ? send() : changed(line, send);
        return {
          send: (...sent: Parameters<typeof caller.send>) =>
            sends(sent[0], `${sent[0]} ${sent[1]}`, () => caller.send(...sent)),
          call: (key: string, sent: unknown) =>
            sends(key.split(" ")[0] ?? "", key, () => caller.call(key as never, sent as never)),
        };
      };
    },
  });
  await changeEverything(watched);
  expect(changes.length).toBeGreaterThan(35);
}, 300_000);
