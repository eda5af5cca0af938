import type { Api } from "@krug/contract/api";
import { servicesToBeginWith } from "@krug/domain/template-rules";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { allTraffic } from "./first-device.ts";
import type { Config } from "./queries.ts";

/** What the choice is made from: the catalogue, and the ids that are suggested. */
interface Lists {
  services: Api["GET /services"]["answer"];
  suggested: Api["GET /vpn/suggested-services"]["answer"];
}

/** Services of the template by which somebody joined, oneself or `userId` for staff. Without an answer nothing is suggested. */
export const suggestedServicesQuery = (userId?: string) =>
  queryOptions({
    queryKey: ["suggested-services", userId ?? null],
    queryFn: ({ signal }) =>
      api("GET /vpn/suggested-services", { query: userId === undefined ? {} : { userId }, signal }).catch(
        (): string[] => [],
      ),
    staleTime: 60_000,
  });

/** Ids of those that a new config of this kind begins with. */
export const suggestedFor = ({ services, suggested }: Lists, deviceType: Config["deviceType"]): string[] =>
  servicesToBeginWith(
    deviceType,
    services.filter(({ id }) => suggested.includes(id)),
  ).map(({ id }) => id);

/** As suggestedFor, else what leads everything through the VPN: with it nothing has to be chosen. */
export function servicesAtFirst(lists: Lists, deviceType: Config["deviceType"]): string[] {
  const suggested = suggestedFor(lists, deviceType);
  const all = allTraffic(lists.services, deviceType);
  return suggested.length === 0 && all ? [all.id] : suggested;
}
