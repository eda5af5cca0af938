import { HOUR_MS, SECOND_MS } from "@krug/domain/moment";
import type { Api } from "grammy";
import type { Sealing } from "../../../platform/sealing.ts";
import { HEARD_UPDATES } from "./converse.ts";
import { failureOf } from "./failure.ts";

export const WEBHOOK_PATH = "/telegram/webhook";

const LOOK_MS = 20 * SECOND_MS;
const LOOK_AGAIN_MS = 5 * SECOND_MS;
/** Looks in a row at which Telegram holds updates that it could not deliver: once may be a restart. */
const STRIKES = 2;
const POLLED_FOR_MS = HOUR_MS;

/** Where Telegram delivers, and what it says there to show that it is Telegram. */
export interface WebhookPlace {
  url: string;
  secret: string;
}

/** Null if Telegram is to be asked. The secret is the same on every panel of the club, and changes with the token. */
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
 * Has Telegram deliver updates instead of being asked for them, and sees whether it can (Bot API, setWebhook and
 * getWebhookInfo). Where it cannot, it is asked for an hour.
 */
export function makeWebhook({ url, secret }: WebhookPlace) {
  let isSet = false;
  let strikes = 0;
  /** Telegram's own time of the last delivery that failed, s. */
  let knownFailure = 0;
  let polledUntil = Number.NEGATIVE_INFINITY;
  const giveUp = () => {
    polledUntil = performance.now() + POLLED_FOR_MS;
    isSet = false;
    return null;
  };
  const set = async (api: Api): Promise<boolean> => {
    try {
      // One after the other, as they are when asked for: a person's messages are answered in order.
      await api.setWebhook(url, { secret_token: secret, allowed_updates: HEARD_UPDATES, max_connections: 1 });
      return true;
    } catch (error) {
      // An address that Telegram will not call.
      if (failureOf(error)?.kind === "refused") return false;
      throw error;
    }
  };

  return {
    /** Another panel looks after it, or did. */
    forget(): void {
      isSet = false;
    },
    /** Answers how long to wait before the next look, ms; null: Telegram is to be asked. */
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
        // What waits is kept for those who ask.
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
