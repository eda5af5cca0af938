import { randomUUID } from "node:crypto";
import { afterCommit, beforeCommit, type Database, sayAround, type Tx } from "./database/database.ts";
import { isTroubled } from "./database/trouble.ts";
import type { Log } from "./log.ts";

/**
 * What every panel on the database receives within a second, including the sender: that something changed, and whose it is. Never
 * the new state: receivers query the database.
 */
export interface Signals {
  /** Sent after the commit; duplicates within one transaction are merged. `ids`: UUIDs, or names little longer; empty if it concerns everyone. */
  send(tx: Tx, topic: string, ids?: Iterable<string>): void;
  on(topic: string, listener: (ids: readonly string[]) => unknown): void;
  /** The database was away: any message may be lost, so everything is reloaded. */
  onGap(listener: () => unknown): void;
}

/** A message holds 8,000 bytes on PostgreSQL; an id with its quotes and comma takes 39, a server's lane 46. */
const IDS_IN_A_MESSAGE = 150;

type Message = [from: string, topic: string, ids: string[]];

/** Watches the database for the panel, and delivers its messages. */
export async function makeSignals(database: Database, log: Log): Promise<Signals> {
  const self = randomUUID();
  const listeners = new Map<string, ((ids: readonly string[]) => unknown)[]>();
  const afterGap: (() => unknown)[] = [];
  const said = new WeakMap<Tx, Map<string, Set<string>>>();

  const run = async (work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      if (!isTroubled(error)) log.error({ err: error }, "a signal could not be handled");
    }
  };
  const deliver = (topic: string, ids: readonly string[]) => {
    for (const listener of listeners.get(topic) ?? []) void run(() => listener(ids));
  };

  await database.attend({
    trouble(now) {
      if (now === "away")
        log.warn({}, "the database does not answer: the panel waits for it and tries again by itself");
      else if (now === "full") log.warn({}, "the database's disk is full: the panel reads but writes nothing");
      else log.info({}, "the database serves again");
    },
    slow(longestMs) {
      if (longestMs === null) log.info({}, "the database's disk is quick again");
      else log.warn({ longestMs }, "the database's disk is slow: every change waits for it");
    },
    heard(text) {
      const message = read(text);
      if (message !== null && message[0] !== self) deliver(message[1], message[2]);
    },
    missed() {
      for (const listener of afterGap) void run(listener);
    },
  });

  return {
    send(tx, topic, ids = []) {
      let topics = said.get(tx);
      if (topics === undefined) {
        const gathered = new Map<string, Set<string>>();
        topics = gathered;
        said.set(tx, gathered);
        beforeCommit(tx, () => sayAround(tx, messagesOf(self, gathered)));
        afterCommit(tx, () => {
          for (const [topic, ids] of gathered) deliver(topic, [...ids]);
        });
      }
      const known = topics.get(topic) ?? new Set();
      topics.set(topic, known);
      for (const id of ids) known.add(id);
    },
    on: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    onGap: (listener) => void afterGap.push(listener),
  };
}

function messagesOf(self: string, gathered: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const messages: Message[] = [];
  for (const [topic, ids] of gathered) {
    const all = [...ids];
    for (let start = 0; start === 0 || start < all.length; start += IDS_IN_A_MESSAGE)
      messages.push([self, topic, all.slice(start, start + IDS_IN_A_MESSAGE)]);
  }
  return messages.map((message) => JSON.stringify(message));
}

/** null if no panel sent it: any user of the database may send on its channel. */
function read(text: string): Message | null {
  try {
    const [from, topic, ids] = JSON.parse(text) as unknown[];
    const isOurs = typeof from === "string" && typeof topic === "string" && Array.isArray(ids);
    return isOurs ? [from, topic, ids.map(String)] : null;
  } catch {
    return null;
  }
}
