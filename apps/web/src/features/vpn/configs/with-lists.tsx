import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { SheetBody } from "../../../ui/sheet.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { dnsQuery, servicesQuery } from "./queries.ts";
import { suggestedServicesQuery } from "./suggested-services.ts";
import type { Lists } from "./use-new-config.ts";

/** Waits for the lists that a new config needs. `interfaces`: those its owner may use; `ownerId`: set if that is another member. */
export function WithLists({
  interfaces,
  ownerId,
  children,
}: {
  interfaces: UseQueryResult<Lists["interfaces"]>;
  ownerId?: string;
  children: (lists: Lists) => ReactNode;
}) {
  const { create } = useDevices();
  const services = useQuery(servicesQuery);
  const dns = useQuery(dnsQuery);
  const suggested = useQuery(suggestedServicesQuery(ownerId));
  const all = [services, dns, interfaces];
  const error = all.find((list) => list.error)?.error;
  // All are read at each rendering: a query only notifies about fields that were read.
  const lists = { services: services.data, dns: dns.data, interfaces: interfaces.data, suggested: suggested.data };
  if (isComplete(lists)) return children(lists);
  return (
    <SheetBody>
      {error ? (
        <LoadFailed
          title={create.listsFailed}
          error={error}
          onRetry={() => all.forEach((list) => void list.refetch())}
        />
      ) : (
        <Waiting room={420} />
      )}
    </SheetBody>
  );
}

const isComplete = (lists: { [Name in keyof Lists]: Lists[Name] | undefined }): lists is Lists =>
  Object.values(lists).every((list) => list !== undefined);
