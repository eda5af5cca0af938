import { WEBHOOK_VERSION } from "@krug/contract/messages/webhook-events";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { WebhookParts } from "./parts.ts";
import { usernameOf } from "./sealed.ts";
import type { EventRow } from "./table.ts";

/**
 * The request body, the same bytes each time while its member exists; the contract's `webhookBody` describes it. A username never
 * changes. After a deletion it is empty, except in the deletion's own event.
 */
export const makeBodyOf =
  ({ sealing, members }: Pick<WebhookParts, "sealing" | "members">) =>
  async (
    over: Db,
    { id, type, data, created_at, member_id, sealed_username }: Omit<EventRow, "once_key">,
  ): Promise<string> => {
    const username = async () => {
      if (sealed_username !== null) return usernameOf(sealing, id, sealed_username);
      const [member] = await members.byIds(over, [member_id ?? ""]);
      return member?.username ?? "";
    };
    return JSON.stringify({
      id,
      type,
      version: WEBHOOK_VERSION,
      timestamp: isoOf(created_at),
      data: { ...(member_id !== null && { username: await username() }), ...(JSON.parse(data) as object) },
    });
  };
