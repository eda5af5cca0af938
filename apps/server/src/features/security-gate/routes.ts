import type { Contract } from "@krug/contract/api";
import type { AdminSecurityAnswer } from "@krug/contract/security";
import type { Actor, Handlers } from "../../platform/http/call.ts";
import type { ClientAddress } from "../../platform/http/client-address.ts";
import type { makeChangeGate } from "./change-settings.ts";
import type { SecurityParts, Whereabouts } from "./index.ts";

interface Parts extends Pick<SecurityParts, "db" | "settings" | "gate" | "forwarding"> {
  whereabouts(address: ClientAddress): Promise<Whereabouts>;
  /** Country data is read ahead: whoever asks for the gate asks for his country next. */
  prepare(): void;
  dataAge(): { countriesBuiltAt: Date | null; hostingListOf: string | null };
  changeGate: ReturnType<typeof makeChangeGate>;
}

export function makeSecurityRoutes(parts: Parts): Handlers<Contract["security"]> {
  const { db, settings, gate, whereabouts } = parts;

  const shown = async (): Promise<AdminSecurityAnswer> => {
    const { blockedCountries, gateExceptions, supportContact } = await settings.read(db);
    const { countriesBuiltAt, hostingListOf } = parts.dataAge();
    const { untrustedSince, unreadableSince } = parts.forwarding();
    return {
      enabled: gate.enabled,
      blockedCountries,
      exceptions: gateExceptions,
      supportContact,
      countriesBuiltAt: countriesBuiltAt?.toISOString() ?? null,
      hostingListOf,
      untrustedForwardingSince: isoOrNull(untrustedSince),
      unreadableForwardingSince: isoOrNull(unreadableSince),
    };
  };

  return {
    async gate({ address }) {
      const { blockedCountries, supportContact } = await settings.read(db);
      if (!gate.enabled) return { enabled: false, services: [], blockedCountries: [], supportContact };
      parts.prepare();
      // A member inside the club's VPN, or an exception, is no stranger: nobody outside is asked about him.
      const isExcepted = address !== null && (await whereabouts(address)).excepted;
      return { enabled: true, services: isExcepted ? [] : [...gate.services], blockedCountries, supportContact };
    },
    geo: async ({ address }) => ({ country: (await whereabouts(address)).country }),
    async vpn({ address }) {
      const { proxy, vpn } = await whereabouts(address);
      return { proxy, vpn };
    },
    settings: () => shown(),
    async change({ actor, body }: { actor: Actor; body: Parameters<Parts["changeGate"]>[1] }) {
      await parts.changeGate(actor, body);
      return shown();
    },
  };
}

const isoOrNull = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
