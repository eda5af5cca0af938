import { readFile } from "node:fs/promises";
import type { RefusalCode } from "@krug/contract/refusals";
import { type Networks, networksOf } from "../../../platform/addresses.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import type { ForwardingTrouble } from "../../../platform/http/forwarded.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import type { Settings } from "../../club/settings/index.ts";
import { makeCountries } from "./countries.ts";
import { type HostingList, parseHostingList } from "./hosting-list.ts";
import { isLocal } from "./networks.ts";

export { serveAskingPage } from "./asking-page.ts";

interface Parts extends Platform {
  settings: Settings;
  /** Of a feature above this one. */
  servers: { isOwnAddress(address: string): Promise<boolean> };
  gate: {
    enabled: boolean;
    /** https addresses that the browser calls before the panel. */
    services: readonly string[];
    /** Where the operator puts newer country data. */
    folder: string | null;
    countryFile: string;
    hostingFile: string;
  };
  forwarding(): ForwardingTrouble;
}

/** What local data says about an address; nothing for one that always passes. */
export interface Whereabouts {
  /** An own server's address or an operator's exception: no external service need be asked. */
  excepted: boolean;
  country: string | null;
  proxy: boolean;
  vpn: boolean;
}

interface Hosting {
  date: string;
  isHosting: Networks;
  isProxy: Networks;
}

export type SecurityGate = ReturnType<typeof makeSecurityGate>;

/** Who may see the club at all, by address (decisions, section 9). Addresses are neither stored nor logged. */
export function makeSecurityGate(parts: Parts) {
  const { db, settings, servers, gate, log } = parts;
  const countries = makeCountries({ packaged: gate.countryFile, folder: gate.folder, log });
  let hosting: Promise<Hosting> | null = null;
  let hostingListOf: string | null = null;

  const readHosting = async (): Promise<Hosting> => {
    const { date, networks }: HostingList = parseHostingList(await readFile(gate.hostingFile, "utf8"));
    hostingListOf = date;
    return { date, isHosting: networksOf(networks.hosting), isProxy: networksOf(networks.proxy) };
  };

  const passes: Whereabouts = { excepted: false, country: null, proxy: false, vpn: false };

  const whereabouts = async (address: ClientAddress): Promise<Whereabouts> => {
    if (address === null) refuse("security.unmet");
    const { gateExceptions } = await settings.read(db);
    if (networksOf(gateExceptions)(address) || (await servers.isOwnAddress(address)))
      // A visitor from an own server is inside the club's VPN (decisions, section 9).
      return { ...passes, excepted: true };
    if (isLocal(address)) return passes;
    hosting ??= readHosting();
    const { isHosting, isProxy } = await hosting;
    return {
      excepted: false,
      country: await countries.countryOf(address),
      proxy: isProxy(address),
      vpn: isHosting(address),
    };
  };

  const whyDenied = async (address: ClientAddress): Promise<RefusalCode | null> => {
    const { country, proxy, vpn } = await whereabouts(address);
    const { blockedCountries } = await settings.read(db);
    if (country !== null && blockedCountries.includes(country)) return "security.region";
    return proxy || vpn ? "security.vpn" : null;
  };

  return {
    /** ISO code of a public address, from local data; null if that has none. */
    countryOf: (address: string): Promise<string | null> =>
      isLocal(address) ? Promise.resolve(null) : countries.countryOf(address),
    /** From the same data; null without any. */
    networksOfCountry: countries.networksOf,
    /** The decision that counts: refuses sign-in and registration from a denied address, and from an unreadable one. */
    refuseDenied: async (address: ClientAddress): Promise<void> => {
      if (gate.enabled) refuseIf(await whyDenied(address));
    },
    gate: { enabled: gate.enabled, services: gate.services },
    forwarding: parts.forwarding,
    whereabouts,
    /** Reads country data early: after the gate, a visitor's page needs the country. */
    prepare: countries.prepare,
    dataAge: () => ({ countriesBuiltAt: countries.builtAt(), hostingListOf }),
  };
}
