import type { Actor } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import type { TelegramParts } from "./parts.ts";

/** Switches the requirement; without a token there is nothing to require (decisions, section 8). */
export function makeChangeSettings({ transact, settings, audit, bot }: TelegramParts) {
  return async (actor: Actor, required: boolean): Promise<void> => {
    if (required && bot.token === null) refuse("telegram.no_token", { field: "required" });
    await transact(async (tx) => {
      const { telegramRequired: before } = await settings.read(tx);
      await settings.write(tx, { telegramRequired: required });
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "telegram.changed",
        before: { required: before },
        after: { required },
      });
    });
  };
}
