import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { LISTEN, type Line } from "./database.ts";

/**
 * The server lists each running panel once, under this name. It changes when panels of the name before must not work on something
 * new: those before the second cannot route by services, those before the third know no disguised links between servers
 * (docs/adr/0147-nothing-is-routed-beside-older-panels.md).
 */
export const LINE_NAME = "krug line 3";
export const OLDER_LINE_NAMES = ["krug line", "krug line 2"];

/** How often the server is probed, and how long it may take: a frozen server is noticed within the sum of both. */
const BEAT_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;
const CONNECT_AGAIN_MS = 500;
/** A probe got no answer, but something else did recently: the server is slow, not away. */
const HEARD_WITHIN_MS = 2_000;

/** Ends a connection without notifying a server that may never answer; whatever waits on it fails at once. */
export function dropConnection(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * One connection held open all the time. While it answers, the server is up. Once nothing does, the line is `down` and
 * reconnects until it answers.
 * @param abandon  what else to drop then
 * @param heardAt  when another connection last got an answer, as performance.now()
 */
export function makeLine(url: string, { abandon, heardAt }: { abandon(): void; heardAt(): number }): Line {
  const isSilent = () => performance.now() - heardAt() > HEARD_WITHIN_MS;
  let closed = false;
  let current: pg.Client | null = null;
  let keeping: Promise<void> = Promise.resolve();

  const connect = async (heard: (message: string) => void): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: LINE_NAME,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
    });
    client.on("error", () => {});
    client.on("notification", ({ payload }) => heard(payload ?? ""));
    current = client;
    try {
      await client.connect();
      await answered(client, LISTEN);
      return client;
    } catch (error) {
      dropConnection(client);
      throw error;
    }
  };

  return {
    abandon,
    async open({ up, down, heard }) {
      const first = await connect(heard);
      up();
      const keep = async () => {
        for (let client: pg.Client | null = first; !closed; ) {
          if (client === null) await wait(CONNECT_AGAIN_MS);
          else if ((await untilLost(client)) === "silent" && !closed && isSilent()) down();
          if (closed) return;
          client = await connect(heard).catch(() => null);
          if (closed) return client === null ? undefined : dropConnection(client);
          // One connection ended, but another is available at once: the server never went away.
          if (client !== null) up();
          else if (isSilent()) down();
        }
      };
      keeping = keep();
    },
    async close() {
      closed = true;
      if (current !== null) dropConnection(current);
      await keeping;
    },
  };
}

/** Probes and waits for the answer, within its limit. @throws if none comes */
function answered(client: pg.Client, question: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Timers run before received data is read: after a stall the panel first reads answers that arrived long ago.
    const late = () => setImmediate(() => reject(new Error("no answer")));
    const timer = setTimeout(late, ANSWER_WITHIN_MS);
    client
      .query(question)
      .then(() => resolve(), reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Probes repeatedly; resolves once the connection has ended or an answer is missing. */
async function untilLost(client: pg.Client): Promise<"ended" | "silent"> {
  let wake = () => {};
  let isEnded = false;
  client.once("end", () => {
    isEnded = true;
    wake();
  });
  while (!isEnded) {
    try {
      await answered(client, "select 1");
    } catch {
      if (isEnded) break;
      dropConnection(client);
      return "silent";
    }
    if (isEnded) break;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, BEAT_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  return "ended";
}
