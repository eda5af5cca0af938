import type { Exit } from "@krug/domain/routing-rules";
import type { ServiceGroup } from "@krug/domain/service-groups";

type Entry = {
  id: string;
  name: string;
  /** Lower case: names are unique without regard to it. */
  name_key: string;
  /** JSON list of strings, as entered and in that order. */
  ips: string;
  /** The order of the lists. */
  position: number;
  created_at: number;
};

export type CatalogTables = {
  services: Entry & {
    /** JSON list. */
    device_types: string;
    picture: string;
    description: string;
    group_name: ServiceGroup;
    /** By which it leaves servers that route. */
    exit: Exit;
  };
  dns_entries: Entry;
  service_texts: {
    service_id: string;
    typed: string;
    all_but: number;
  };
};

export type TypedList = Omit<CatalogTables["service_texts"], "service_id">;
/** `all_but`: as its list; null without one. */
export type ServiceRow = CatalogTables["services"] & { all_but: number | null };
export type DnsRow = CatalogTables["dns_entries"];
