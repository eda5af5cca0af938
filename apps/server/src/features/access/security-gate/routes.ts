import type { AdminSecurityAnswer } from "@krug/contract/access/security-gate";
import type { Contract } from "@krug/contract/api";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { SettingsParts } from "../../club/settings/index.ts";
import { makeChangeGate } from "./change-settings.ts";
import type { SecurityGate } from "./index.ts";

interface Parts extends SettingsParts {
  db: Db;
  securityGate: SecurityGate;
}

export function makeSecurityRoutes(parts: Parts): Handlers<Contract["security"]> {
  const { db, settings, securityGate } = parts;
  const { gate, whereabouts } = securityGate;
  const changeGate = makeChangeGate(parts);

  const shown = async (): Promise<AdminSecurityAnswer> => {
    const { blockedCountries, gateExceptions, supportContact, mirrorUrl } = await settings.read(db);
    const { countriesBuiltAt, hostingListOf } = securityGate.dataAge();
    const { untrustedSince, unreadableSince } = securityGate.forwarding();
    return {
      enabled: gate.enabled,
      blockedCountries,
      exceptions: gateExceptions,
      supportContact,
      mirrorUrl,
      countriesBuiltAt: countriesBuiltAt?.toISOString() ?? null,
      hostingListOf,
      untrustedForwardingSince: isoOf(untrustedSince),
      unreadableForwardingSince: isoOf(unreadableSince),
    };
  };

  return {
    async gate({ address }) {
      const { blockedCountries, supportContact } = await settings.read(db);
      if (!gate.enabled) return { enabled: false, services: [], blockedCountries: [], supportContact };
      securityGate.prepare();
      // External services are not asked about a member inside the club's VPN, nor about an exception.
      const isExcepted = address !== null && (await whereabouts(address)).excepted;
      return { enabled: true, services: isExcepted ? [] : [...gate.services], blockedCountries, supportContact };
    },
    geo: async ({ address }) => ({ country: (await whereabouts(address)).country }),
    async vpn({ address }) {
      const { proxy, vpn } = await whereabouts(address);
      return { proxy, vpn };
    },
    async ways() {
      const { mirrorUrl, supportContact } = await settings.read(db);
      return { mirrorUrl, supportContact };
    },
    settings: () => shown(),
    async change({ actor, body }) {
      await changeGate(actor, body);
      return shown();
    },
  };
}
