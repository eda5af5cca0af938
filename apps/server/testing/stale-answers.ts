import { join } from "node:path";
import { contract } from "@krug/contract/api";
import { type EndpointSpec, isFile, isStream } from "@krug/contract/endpoint";
import { sql } from "kysely";
import { vi } from "vitest";
import { type Database, isPostgres } from "../src/platform/database/database.ts";
import { openSqlite } from "../src/platform/database/sqlite.ts";
import type { Club, Person } from "./start-club.ts";

/** Every call that reads something and answers in JSON. */
export const READS: readonly EndpointSpec[] = Object.values(contract)
  .flatMap((calls) => Object.values(calls) as EndpointSpec[])
  .filter(({ method, answer }) => method === "GET" && answer !== null && !isStream(answer) && !isFile(answer));

interface Answer {
  status: number;
  body: unknown;
  tag: string | null;
}
/** By reader and path. */
export type Answers = ReadonlyMap<string, Answer>;
export type Reading = readonly { person: Person; paths: readonly string[] }[];

/** Whether a peer is on the wire yet is up to the rounds, which go on meanwhile. */
const settled = (body: unknown): unknown =>
  body === undefined
    ? ""
    : JSON.parse(
        JSON.stringify(body)
          .replaceAll('"state":"pending"', '"state":"applied"')
          .replaceAll('"cause":"applying"', '"cause":"never_connected"')
          .replace(/"(peerCount|pending|applied)":(?:\d+|true|false)/g, '"$1":0'),
      );

/** What can be compared of answers. */
export const told = (answers: Answers): Record<string, [number, unknown]> =>
  Object.fromEntries([...answers].map(([key, { status, body }]) => [key, [status, settled(body)]]));

/**
 * Reads answers as the panel gives them, and as it would give them if it kept nothing. `connected`: paths to ask over a connection,
 * where an answer may be repeated (ADR 224). For tens of thousands of requests that would take most of the time.
 */
export async function makeReader(club: Club, { connected = [] }: { connected?: readonly string[] } = {}) {
  const now = performance.now.bind(performance);
  let laterMs = 0;
  const time = vi.spyOn(performance, "now").mockImplementation(() => now() + laterMs);
  // Another process on SQLite's file. PostgreSQL's panels keep nothing until a change.
  const other: Database | null = isPostgres(club.db) ? null : await openSqlite(join(club.config.dataDir, "krug.db"));
  if (other) await sql`create table of_another_process (number integer)`.execute(other.db);

  /** As a page does: with the tags of what it `had`. */
  const read = async (reading: Reading, had: Answers = new Map()): Promise<Answers> => {
    const answers = new Map<string, Answer>();
    const ask = async (person: Person, path: string) => {
      const key = `${person.username} ${path}`;
      const before = had.get(key);
      const headers = before?.tag ? { "if-none-match": before.tag } : {};
      if (connected.includes(path)) {
        const {
          status,
          body,
          headers: answered,
        } = await club.as(person).send("GET", `/api${path}`, undefined, headers);
        answers.set(key, status === 304 && before ? before : { status, body, tag: answered.get("etag") });
        return;
      }
      const {
        statusCode,
        body,
        headers: answered,
      } = await club.app.server.inject({
        method: "GET",
        url: `/api${path}`,
        headers: { authorization: `Bearer ${person.token}`, ...headers },
      });
      const tag = typeof answered.etag === "string" ? answered.etag : null;
      answers.set(
        key,
        statusCode === 304 && before ? before : { status: statusCode, body: body && JSON.parse(body), tag },
      );
    };
    for (const { person, paths } of reading) await Promise.all(paths.map((path) => ask(person, path)));
    return answers;
  };
  return {
    read,
    /** As if the panel kept nothing: SQLite's file was changed by somebody else, and what is kept by time is too old. */
    async readAnew(...sent: Parameters<typeof read>): Promise<Answers> {
      await other?.transact((tx) => sql`insert into of_another_process values (1)`.execute(tx));
      laterMs += 1_001;
      return read(...sent);
    },
    async stop() {
      time.mockRestore();
      await other?.close();
    },
  };
}

/** The club, each of whose calls that change something goes through `changed`; `joined` learns of every person who is made. */
export function watchChanges(
  club: Club,
  changed: (line: string, change: () => Promise<unknown>) => Promise<unknown>,
  joined: (person: Person, as: "admin" | "member") => void = () => {},
): Club {
  return new Proxy(club, {
    get(target, name) {
      if (name === "admin" || name === "member")
        return async (...wish: unknown[]) => {
          const person: Person = await (target[name] as (...wish: unknown[]) => Promise<Person>)(...wish);
          joined(person, name);
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
}
