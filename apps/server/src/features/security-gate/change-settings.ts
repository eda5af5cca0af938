import { formatCidr, parseCidr } from "@krug/wireguard/addresses";
import type { Transact } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import type { Audit } from "../audit/index.ts";
import { makeChangeSettings, type Settings } from "../settings/index.ts";

interface Wish {
  blockedCountries?: string[] | undefined;
  exceptions?: string[] | undefined;
  supportContact?: string | null | undefined;
}

/** Writes the gate's settings, each entry once and in its canonical form; what is not named stays. */
export function makeChangeGate(parts: { transact: Transact; settings: Settings; audit: Audit }) {
  const change = makeChangeSettings(parts);
  return async (actor: Actor, { blockedCountries, exceptions, supportContact }: Wish): Promise<void> =>
    change(actor, "security.changed", {
      ...(blockedCountries === undefined ? {} : { blockedCountries: [...new Set(blockedCountries)] }),
      ...(exceptions === undefined ? {} : { gateExceptions: [...new Set(exceptions.map(canonical))] }),
      ...(supportContact === undefined ? {} : { supportContact }),
    });
}

function canonical(text: string): string {
  const cidr = parseCidr(text);
  if (cidr === null) refuse("security.exception_invalid", { field: "exceptions", value: text });
  return formatCidr(cidr);
}
