import type { DnsAnswer, ServiceAnswer } from "@krug/contract/vpn/catalog";
import type { DnsRow, ServiceRow } from "./table.ts";

/** A row as the contract shows it and as other features read it. */
export const serviceAnswer = ({ id, name, ips, device_types, all_but, ...row }: ServiceRow): ServiceAnswer => ({
  id,
  name,
  ips: JSON.parse(ips) as string[],
  deviceTypes: JSON.parse(device_types) as ServiceAnswer["deviceTypes"],
  allBut: all_but === 1,
  picture: row.picture,
  description: row.description,
  group: row.group_name,
  exit: row.exit,
});

export const dnsAnswer = ({ id, name, ips }: DnsRow): DnsAnswer => ({ id, name, ips: JSON.parse(ips) as string[] });
