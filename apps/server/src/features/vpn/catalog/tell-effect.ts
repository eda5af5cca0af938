import type { Language } from "@krug/contract/refusals";
import { PHONE_ADDRESS_LIMIT } from "@krug/domain/phone-limit";
import { refuse } from "../../../platform/refusal.ts";
import { checkAddresses, checkGiven, checkNetworks } from "./check-entry.ts";
import { compositionOf } from "./composition.ts";
import type { CatalogParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServiceRow } from "./table.ts";

/** Previews the effect of an edit of an entry's addresses before it is saved (decisions, section 6). */
export function makeTellEffect(parts: CatalogParts) {
  const { db, usage } = parts;
  return {
    async ofService(id: string, wish: Parameters<typeof checkGiven>[0], language: Language) {
      const services = await repository.allServices(db);
      const before = services.find((service) => service.id === id) ?? refuse("service.not_found");
      const { given, found } = await compositionOf(parts, db, before);
      const after = checkNetworks(checkGiven(wish, language) ?? given, found, language);
      const isChanged = JSON.stringify(after) !== before.ips;
      const sizes = new Map(services.map((service) => [service.id, sizeOf(service)]));
      return {
        toDownload: isChanged ? await usage.toDownloadForService(id, after) : 0,
        phonesOver: await usage.phonesOver(db, {
          serviceId: id,
          sizes: sizes.set(id, after.length),
          limit: PHONE_ADDRESS_LIMIT,
        }),
      };
    },
    async ofDns(id: string, ips: readonly string[], language: Language) {
      const before = (await repository.dnsById(db, id)) ?? refuse("dns.not_found");
      const isChanged = JSON.stringify(checkAddresses(ips, language)) !== before.ips;
      return { toDownload: isChanged ? await usage.toDownloadForDns(db, id) : 0 };
    },
  };
}

const sizeOf = ({ ips }: ServiceRow) => (JSON.parse(ips) as string[]).length;
