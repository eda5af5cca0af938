import { formatCidr, parseCidr } from "@krug/wireguard/addresses";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { type ClubSettings, makeChangeSettings, type SettingsParts } from "../../club/settings/index.ts";

interface Rules {
  blockedCountries?: string[] | undefined;
  exceptions?: string[] | undefined;
  supportContact?: string | null | undefined;
  mirrorUrl?: string | null | undefined;
}
interface Input extends Rules {
  /** What the editor saw of the settings being changed. */
  expected?: Rules | undefined;
}

/** Writes the gate's settings, each entry once and in its canonical form; settings not named stay. */
export function makeChangeGate(parts: SettingsParts) {
  const change = makeChangeSettings(parts);
  return async (actor: Actor, { expected = {}, ...input }: Input): Promise<void> =>
    change(actor, "security.changed", settingsOf(input), settingsOf(expected));
}

const settingsOf = ({ blockedCountries, exceptions, supportContact, mirrorUrl }: Rules): Partial<ClubSettings> => ({
  ...(blockedCountries === undefined ? {} : { blockedCountries: [...new Set(blockedCountries)] }),
  ...(exceptions === undefined ? {} : { gateExceptions: [...new Set(exceptions.map(canonical))] }),
  ...(supportContact === undefined ? {} : { supportContact }),
  ...(mirrorUrl === undefined ? {} : { mirrorUrl }),
});

function canonical(text: string): string {
  const cidr = parseCidr(text);
  if (cidr === null) refuse("security.exception_invalid", { field: "exceptions", value: text });
  return formatCidr(cidr);
}
