import type { Api } from "@krug/contract/api";
import { servicesToBeginWith } from "@krug/domain/template-rules";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { allTraffic } from "./first-device.ts";
import type { Config } from "./queries.ts";

/** The catalogue, and the suggested ids. */
interface Lists {
  services: Api["GET /services"]["answer"];
  suggested: Api["GET /vpn/suggested-services"]["answer"];
}

/** Services of the template that a member joined by: the viewer, or `userId` for staff. Without an answer nothing is suggested. */
export const suggestedServicesQuery = (userId?: string) =>
  queryOptions({
    queryKey: ["suggested-services", userId ?? null],
    queryFn: ({ signal }) =>
      api("GET /vpn/suggested-services", { query: userId === undefined ? {} : { userId }, signal }).catch(
        (): string[] => [],
      ),
    staleTime: 60_000,
  });

/** Ids of the services that a new config of this kind starts with. */
export const suggestedFor = ({ services, suggested }: Lists, deviceType: Config["deviceType"]): string[] =>
  servicesToBeginWith(
    deviceType,
    services.filter(({ id }) => suggested.includes(id)),
  ).map(({ id }) => id);

/** Like suggestedFor, but falls back to the service that routes everything through the VPN: then nothing has to be chosen. */
export function servicesAtFirst(lists: Lists, deviceType: Config["deviceType"]): string[] {
  const suggested = suggestedFor(lists, deviceType);
  const all = allTraffic(lists.services, deviceType);
  return suggested.length === 0 && all ? [all.id] : suggested;
}
