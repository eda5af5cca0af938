import type { IncomingMessage, ServerResponse } from "node:http";
import { WEBHOOK_EVENTS } from "@krug/domain/webhook-rules";
import { type Club, PASSWORD } from "./start-club.ts";
import { type DoubleName, startTlsDouble } from "./tls-double.ts";

export interface Received {
  /** https://NAME:PORT/PATH as it was called. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A webhook that nobody calls, by an admin made for it. Its name is 'Bot'. */
export async function addWebhook(club: Club) {
  const admin = club.as(await club.admin());
  await admin.call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  const body = { url: "https://93.184.216.34/hook", description: "Bot", events: [...WEBHOOK_EVENTS] };
  return (await admin.call("POST /admin/webhooks", { body })).body;
}

type Answer = { status: number; headers?: Record<string, string> } | "silence" | "cut";

export type WebhookDouble = Awaited<ReturnType<typeof startWebhookDouble>>;

/** A receiver of webhooks, over TLS on this machine. */
export async function startWebhookDouble() {
  const received: Received[] = [];
  /** Answers other than 204, by path; `*`: everywhere. */
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
  const double = await startTlsDouble((request, response) => void serve(request, response));

  return {
    ...double,
    at: (path: string, name: DoubleName = "other.example") => `https://${name}:${double.port}${path}`,
    /** In order, whatever the answer. */
    received,
    /** What came to this path, parsed. */
    bodies: (path: string) =>
      received.filter(({ url }) => new URL(url).pathname === path).map(({ body }) => JSON.parse(body)),
    /** The most requests at one time. */
    mostAtOnce: () => most,
    /** Gives this answer at a path or everywhere from now on; null: normal again. */
    answer(answer: Answer | null, path = "*"): void {
      if (answer === null) told.delete(path);
      else told.set(path, answer);
    },
  };
}
