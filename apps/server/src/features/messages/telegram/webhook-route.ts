import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Update } from "grammy/types";
import { z } from "zod";
import { refuse } from "../../../platform/refusal.ts";
import type { makeTelegramBot } from "./bot.ts";
import { WEBHOOK_PATH } from "./webhook.ts";

/** A message has at most 4,096 characters, of up to six bytes each; the rest is names and numbers. */
const MOST_BYTES = 128 * 1024;
const MOST_VALUES = 5_000;

/** The rest is trusted as Telegram's: only Telegram knows the secret. */
const Delivered = z.looseObject({ update_id: z.int() });

/** Where Telegram delivers messages to the bot (Bot API, setWebhook). Everybody else gets 'not found'. */
export function serveWebhook(
  server: FastifyInstance,
  { webhookSecret, hear }: Pick<ReturnType<typeof makeTelegramBot>, "webhookSecret" | "hear">,
): void {
  if (webhookSecret === null) return;
  const secret = Buffer.from(webhookSecret);
  server.post(
    WEBHOOK_PATH,
    {
      config: { body: { kind: "json", bytes: MOST_BYTES, values: MOST_VALUES } },
      onRequest: async (request) => {
        const said = Buffer.from(String(request.headers["x-telegram-bot-api-secret-token"] ?? ""));
        if (said.length !== secret.length || !timingSafeEqual(said, secret)) refuse("request.not_found");
      },
    },
    async (request) => {
      const read = Delivered.safeParse(request.body);
      if (!read.success) return refuse("request.not_found");
      await hear(read.data as Update);
      return {};
    },
  );
}
