import type { Contract } from "@krug/contract/api";
import type { Handlers } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import { makeDnsChanges } from "./change-dns.ts";
import { type ExitCheck, makeServiceChanges, typedAs } from "./change-services.ts";
import type { Catalog } from "./index.ts";
import type { CatalogParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { makeTellEffect } from "./tell-effect.ts";
import { dnsAnswer, serviceAnswer } from "./to-answer.ts";

interface Parts extends CatalogParts {
  catalog: Pick<Catalog, "services" | "dns">;
  interfaces: Pick<Interfaces, "ownNetworks">;
  exits: ExitCheck;
}

export function makeCatalogRoutes(parts: Parts): Handlers<Contract["catalog"]> {
  const { db, catalog } = parts;
  const services = makeServiceChanges(parts);
  const dns = makeDnsChanges(parts);
  const effect = makeTellEffect(parts);
  return {
    services: async () => [...(await catalog.services(db))],
    addService: async ({ actor, body, language }) => serviceAnswer(await services.add(actor.memberId, body, language)),
    changeService: async ({ actor, params, body, language }) =>
      serviceAnswer(await services.change(actor.memberId, params.id, body, language)),
    async serviceTyped({ params }) {
      const row = (await repository.servicesByIds(db, [params.id]))[0] ?? refuse("service.not_found");
      return typedAs(db, row, (await parts.sources.ofService(db, row.id)).keys);
    },
    removeService: async ({ actor, params }) => void (await services.remove(actor.memberId, params.id)),
    dns: async () => [...(await catalog.dns(db))],
    addDns: async ({ actor, body, language }) => dnsAnswer(await dns.add(actor.memberId, body, language)),
    changeDns: async ({ actor, params, body, language }) =>
      dnsAnswer(await dns.change(actor.memberId, params.id, body, language)),
    async usage({ actor, query }) {
      const withVip = seesVip(actor, query.as);
      const listed = (uses: ReadonlyMap<string, { configs: number }>) =>
        [...uses].flatMap(([id, { configs }]) => (configs > 0 ? [{ id, configs }] : []));
      return {
        services: listed(await parts.usage.byService(db, withVip)),
        dns: listed(await parts.usage.byDns(db, withVip)),
      };
    },
    ownNetworks: () => parts.interfaces.ownNetworks(db),
    serviceEffect: ({ params, body, language }) => effect.ofService(params.id, body, language),
    dnsEffect: ({ params, body, language }) => effect.ofDns(params.id, body.ips, language),
    removeDns: async ({ actor, params }) => void (await dns.remove(actor.memberId, params.id)),
  };
}
