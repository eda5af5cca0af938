import { DAY_MS, SECOND_MS } from "@krug/domain/moment";
import { traitsOf } from "@krug/domain/notices";
import { reason, reasonAt } from "@krug/domain/reasons";
import { type Internet, NoAnswer } from "../../../platform/http/internet.ts";
import type { Outcome, Way } from "../outbox/index.ts";
import type { ClubKeys } from "./keys.ts";
import { pushMessage } from "./message.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** How long a push service stores a notice for a browser that is off, s. Older ones are in the inbox. */
const KEPT_FOR_S = (2 * DAY_MS) / SECOND_MS;

interface Parts {
  internet: Internet;
  subscriptions: Subscriptions;
  keys(): Promise<ClubKeys>;
  /** The contact for push services (RFC 8292, section 2.1). */
  subject: string;
}

/** The outbox's channel to browsers (RFC 8030): a target is a subscription. The library only signs and encrypts. */
export function makePushWay({ internet, subscriptions, keys, subject }: Parts): Way {
  return {
    name: "push",
    betweenMs: SECOND_MS / 50,
    sideBySide: 16,
    // Each browser names its own service.
    isOneService: false,
    lose: (tx, target) => subscriptions.remove(tx, [target]),
    async deliver({ target, notice, today }, signal): Promise<Outcome> {
      const subscription = await subscriptions.open(target);
      if (subscription === null) return { is: "sent" };
      const { language, ...endpoint } = subscription;
      const { default: webPush } = await import("web-push");
      const { headers, body } = webPush.generateRequestDetails(endpoint, pushMessage(notice, language, today), {
        vapidDetails: { subject, ...(await keys()) },
        TTL: KEPT_FOR_S,
        urgency: traitsOf(notice.kind).canWait ? "normal" : "high",
        contentEncoding: "aes128gcm",
      });
      const url = new URL(endpoint.endpoint);
      try {
        const taken = await internet.post(
          url,
          { headers: headers as Record<string, string>, body: body as Buffer },
          signal,
        );
        return outcomeOf(taken, url.host);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof NoAnswer)) throw error;
        // Staff may see the service, but the rest of the address is the browser's secret.
        const why = reasonAt(url.host, error.why);
        return error.closed
          ? { is: "refused", reason: why, isGone: true }
          : { is: "postponed", reason: why, waitMs: null };
      }
    },
  };
}

/** RFC 8030, sections 5 and 7.3. */
function outcomeOf({ status, waitMs }: { status: number; waitMs: number | null }, host: string): Outcome {
  if (status >= 200 && status < 300) return { is: "sent" };
  if (status === 404 || status === 410) return { is: "gone" };
  const why = reason("push.status", { host, status });
  return status === 429 || status >= 500 ? { is: "postponed", reason: why, waitMs } : { is: "refused", reason: why };
}
