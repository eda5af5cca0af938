import type { Actor } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import { makeChangeSettings } from "../settings/index.ts";
import type { TelegramParts } from "./parts.ts";

/** Switches the requirement; without a token there is nothing to require (decisions, section 8). */
export function makeChangeRequirement(parts: TelegramParts) {
  const change = makeChangeSettings(parts);
  return async (actor: Actor, required: boolean): Promise<void> => {
    if (required && parts.bot.token === null) refuse("telegram.no_token", { field: "required" });
    await change(actor, "telegram.changed", { telegramRequired: required });
  };
}
