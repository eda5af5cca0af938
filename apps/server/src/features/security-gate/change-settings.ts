import { formatCidr, parseCidr } from "@krug/wireguard/addresses";
import type { Transact } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import type { Audit } from "../audit/index.ts";
import type { ClubSettings, Settings } from "../settings/index.ts";

interface Wish {
  blockedCountries?: string[] | undefined;
  exceptions?: string[] | undefined;
  supportContact?: string | null | undefined;
}

/** Writes the gate's settings, each entry once and in its canonical form; what is not named stays. */
export function makeChangeSettings(parts: { transact: Transact; settings: Settings; audit: Audit }) {
  const { transact, settings, audit } = parts;
  return (actor: Actor, { blockedCountries, exceptions, supportContact }: Wish): Promise<void> => {
    const change: Partial<ClubSettings> = {
      ...(blockedCountries === undefined ? {} : { blockedCountries: [...new Set(blockedCountries)] }),
      ...(exceptions === undefined ? {} : { gateExceptions: [...new Set(exceptions.map(canonical))] }),
      ...(supportContact === undefined ? {} : { supportContact }),
    };
    return transact(async (tx) => {
      const before = await settings.read(tx);
      await settings.write(tx, change);
      const changed = Object.keys(change) as (keyof ClubSettings)[];
      await audit.record(tx, {
        actorId: actor.memberId,
        action: "security.changed",
        before: Object.fromEntries(changed.map((name) => [name, before[name]])),
        after: change,
      });
    });
  };
}

function canonical(text: string): string {
  const cidr = parseCidr(text);
  if (cidr === null) refuse("security.exception_invalid", { field: "exceptions", value: text });
  return formatCidr(cidr);
}
