import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { makeChangeSettings, type SettingsParts } from "../../club/settings/index.ts";

/** Switches the requirement to link; without a token it cannot be required (decisions, section 8). */
export function makeChangeRequirement(parts: SettingsParts & { telegram: { hasToken: boolean } }) {
  const change = makeChangeSettings(parts);
  return async (actor: Actor, required: boolean): Promise<void> => {
    if (required && !parts.telegram.hasToken) refuse("telegram.no_token", { field: "required" });
    await change(actor, "telegram.changed", { telegramRequired: required });
  };
}
