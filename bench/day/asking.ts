import { Agent, request } from "node:http";

/* Calls to the balancer over kept connections, as a proxy's, with what they took. */

const CONNECTIONS = 48;
/** Longer than the panel itself waits for its database. */
const ANSWER_MS = 40_000;
/** More than that wait for a connection: the rest is not sent, so that the load is bounded. */
const MOST_WAITING = 4_000;

export interface Asked {
  method?: string;
  path: string;
  token?: string;
  body?: object;
  key?: string;
  address?: string;
  /** A browser's page, by its cookie. */
  page?: boolean;
}
export interface Reply {
  /** 0: no answer. */
  status: number;
  text: string;
}

/** Of one kind of call: how long answers took, ms, and how often what else came: a status, 0 without an answer. */
export interface Kind {
  took: number[];
  failed: Record<string, number>;
}

export function makeAsking(urls: readonly string[], connections = CONNECTIONS) {
  const targets = urls.map((url) => ({ url: new URL(url), agent: agentOf(connections) }));
  let turn = 0;
  let waiting = 0;
  let kinds = new Map<string, Kind>();

  const once = (asked: Asked) =>
    new Promise<Reply>((resolve) => {
      const { method = "GET", path, token, body, key, address, page } = asked;
      const target = targets[turn++ % targets.length];
      const text = body === undefined ? undefined : JSON.stringify(body);
      const sent = request({
        hostname: target?.url.hostname,
        port: target?.url.port,
        agent: target?.agent,
        method,
        path: page ? path : `/api${path}`,
        headers: {
          ...(token === undefined
            ? {}
            : page
              ? { cookie: `krug_session=${token}` }
              : { authorization: `Bearer ${token}` }),
          ...(text === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(address === undefined ? {} : { "x-forwarded-for": address }),
        },
        timeout: ANSWER_MS,
      });
      const none = () => resolve({ status: 0, text: "" });
      sent.once("timeout", () => sent.destroy());
      sent.once("error", none);
      sent.once("response", (response) => {
        let got = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          got += piece;
        });
        response.once("end", () => resolve({ status: response.statusCode ?? 0, text: got }));
        response.once("error", none);
        response.once("close", none);
      });
      sent.end(text);
    });

  return {
    /** Asks once and notes it under this kind. */
    async ask(kind: string, asked: Asked): Promise<Reply> {
      // It counts where it ends, not where it began.
      const noted = () => {
        const known = kinds.get(kind) ?? { took: [], failed: {} };
        kinds.set(kind, known);
        return known;
      };
      const failed = (why: string) => {
        const { failed } = noted();
        failed[why] = (failed[why] ?? 0) + 1;
      };
      if (waiting >= MOST_WAITING) {
        failed("not sent");
        return { status: 0, text: "" };
      }
      waiting += 1;
      const from = performance.now();
      const reply = await once(asked);
      waiting -= 1;
      if (reply.status >= 200 && reply.status < 300) noted().took.push(performance.now() - from);
      else failed(String(reply.status));
      return reply;
    },
    /** What was noted since the last call. */
    take(): Map<string, Kind> {
      const taken = kinds;
      kinds = new Map();
      return taken;
    },
  };
}
export type Asking = ReturnType<typeof makeAsking>;

const agentOf = (maxSockets: number) => new Agent({ keepAlive: true, maxSockets });
