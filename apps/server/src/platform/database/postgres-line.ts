import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { LISTEN, type Line } from "./database.ts";

/** How often the server is asked whether it is there, and how long it may take: a frozen one is noticed within the sum. */
const BEAT_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;
const CONNECT_AGAIN_MS = 500;

/** Ends a connection without a word to a server that may never answer; what waits for it fails at once. */
export function dropConnection(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * One connection that is held all the time. While it answers, the server is up; while it does not, `down`, and it is made
 * anew until it does. `abandon`: what else is to be given up then.
 */
export function makeLine(url: string, abandon: () => void): Line {
  let closed = false;
  let current: pg.Client | null = null;
  let keeping: Promise<void> = Promise.resolve();

  const connect = async (heard: (message: string) => void): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: "krug line",
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
          if (client === null) await pause(CONNECT_AGAIN_MS);
          else if ((await untilLost(client)) === "silent" && !closed) down();
          if (closed) return;
          client = await connect(heard).catch(() => null);
          if (closed) return client === null ? undefined : dropConnection(client);
          // One connection that was ended, and another to be had at once: the server was there all the time.
          if (client === null) down();
          else up();
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

/** Asks and waits as long as an answer may take. @throws where none comes */
function answered(client: pg.Client, question: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Timers come before what was received: a panel that stood still itself reads first what has long been answered.
    const late = () => setImmediate(() => reject(new Error("no answer")));
    const timer = setTimeout(late, ANSWER_WITHIN_MS);
    client
      .query(question)
      .then(() => resolve(), reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Asks again and again; answers once the connection was ended, or nothing came back. */
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
