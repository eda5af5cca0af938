import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { InternetException } from "../platform/http/internet.ts";
import { PEM } from "./push-double.ts";

export interface Received {
  /** https://NAME:PORT/PATH as it was called. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

type Answer = { status: number; headers?: Record<string, string> } | "silence" | "cut";

export type WebhookDouble = Awaited<ReturnType<typeof startWebhookDouble>>;

/** A receiver of webhooks, over TLS on this machine. */
export async function startWebhookDouble() {
  const received: Received[] = [];
  /** Other answers than 204, by path; `*`: everywhere. */
  const told = new Map<string, Answer>();
  let underWay = 0;
  let most = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    underWay += 1;
    most = Math.max(most, underWay);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({
      url: `https://${request.headers.host}${request.url}`,
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString("utf8"),
    });
    const answer = told.get(request.url ?? "") ?? told.get("*") ?? { status: 204 };
    if (answer === "silence") return;
    underWay -= 1;
    if (answer === "cut") request.socket.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.status === 204 ? undefined : "x".repeat(64));
  };
  const server = createServer({ key: PEM, cert: PEM }, (request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    port,
    /** One of the names of its certificate. */
    at: (path: string, name: "push.example" | "other.example" | "moved.example" = "other.example") =>
      `https://${name}:${port}${path}`,
    /** For the panel under test: this machine's address stands for the internet's, and this certificate is good. */
    exception: {
      allows: (address) => address === "127.0.0.1",
      ca: PEM,
      answersWithinMs: 2_000,
    } satisfies InternetException,
    /** In order, whatever was answered. */
    received,
    /** What came to this path, parsed. */
    bodies: (path: string) =>
      received.filter(({ url }) => new URL(url).pathname === path).map(({ body }) => JSON.parse(body)),
    /** How many requests there were side by side at most. */
    mostAtOnce: () => most,
    /** From now on this answer at a path or everywhere; null: normal again. */
    answer(answer: Answer | null, path = "*"): void {
      if (answer === null) told.delete(path);
      else told.set(path, answer);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
