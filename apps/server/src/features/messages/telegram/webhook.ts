import { HOUR_MS, SECOND_MS } from "@krug/domain/moment";
import type { Api } from "grammy";
import type { Sealing } from "../../../platform/sealing.ts";
import { HEARD_UPDATES } from "./answer-messages.ts";
import { failureOf } from "./failure.ts";

export const WEBHOOK_PATH = "/telegram/webhook";

const LOOK_MS = 20 * SECOND_MS;
const LOOK_AGAIN_MS = 5 * SECOND_MS;
/** Checks in a row at which Telegram holds undelivered updates: once may be a restart. */
const STRIKES = 2;
const POLLED_FOR_MS = HOUR_MS;

/** Where Telegram delivers, and the secret it sends there to identify itself. */
export interface WebhookPlace {
  url: string;
  secret: string;
}

/** Null if Telegram is to be polled. The secret is the same on every panel of the club, and changes with the token. */
export const webhookPlace = (
  bot: { token: string | null; webhook: boolean },
  publicUrl: URL | null,
  sealing: Sealing,
): WebhookPlace | null =>
  bot.token === null || !bot.webhook || publicUrl === null
    ? null
    : {
        url: new URL(WEBHOOK_PATH, publicUrl).href,
        secret: sealing.hash("telegram-webhook", bot.token),
      };

/**
 * Has Telegram deliver updates instead of polling it, and checks whether it can (Bot API, setWebhook and getWebhookInfo). If it
 * cannot, it is polled for an hour.
 */
export function makeWebhook({ url, secret }: WebhookPlace) {
  let isSet = false;
  let strikes = 0;
  /** Telegram's own time of the last failed delivery, s. */
  let knownFailure = 0;
  let polledUntil = Number.NEGATIVE_INFINITY;
  const giveUp = () => {
    polledUntil = performance.now() + POLLED_FOR_MS;
    isSet = false;
    return null;
  };
  const set = async (api: Api): Promise<boolean> => {
    try {
      // One at a time, as when polling: a person's messages are answered in order.
      await api.setWebhook(url, { secret_token: secret, allowed_updates: HEARD_UPDATES, max_connections: 1 });
      return true;
    } catch (error) {
      // An address that Telegram refuses to call.
      if (failureOf(error)?.kind === "refused") return false;
      throw error;
    }
  };

  return {
    /** Another panel has or had it. */
    forget(): void {
      isSet = false;
    },
    /** Returns how long to wait before the next check, ms; null: poll Telegram. */
    async look(api: Api): Promise<number | null> {
      if (performance.now() < polledUntil) return null;
      if (!isSet) {
        if (!(await set(api))) return giveUp();
        knownFailure = (await api.getWebhookInfo()).last_error_date ?? 0;
        isSet = true;
        strikes = 0;
        return LOOK_AGAIN_MS;
      }
      const info = await api.getWebhookInfo();
      if (info.url !== url) {
        isSet = false;
        return 0;
      }
      const failedAt = info.last_error_date ?? 0;
      if (info.pending_update_count > 0 && failedAt > knownFailure) {
        strikes += 1;
        if (strikes < STRIKES) return LOOK_AGAIN_MS;
        // Waiting updates are kept for polling.
        await api.deleteWebhook();
        return giveUp();
      }
      if (info.pending_update_count === 0) knownFailure = failedAt;
      strikes = 0;
      return LOOK_MS;
    },
  };
}

export type Webhook = ReturnType<typeof makeWebhook>;
