import type { BodyOf } from "@krug/contract/endpoint";
import type { telegram as contract } from "@krug/contract/messages/telegram";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { makeChangeSettings, type SettingsParts } from "../../club/settings/index.ts";

/** Writes the messenger's settings; without a token nothing can be required (decisions, section 8). */
export function makeChangeTelegram(parts: SettingsParts & { telegram: { hasToken: boolean } }) {
  const change = makeChangeSettings(parts);
  return async (actor: Actor, { required, staffActs }: BodyOf<typeof contract.change>): Promise<void> => {
    if (required === true && !parts.telegram.hasToken) refuse("telegram.no_token", { field: "required" });
    await change(actor, "telegram.changed", {
      ...(required === undefined ? {} : { telegramRequired: required }),
      ...(staffActs === undefined ? {} : { telegramStaffActs: staffActs }),
    });
  };
}
