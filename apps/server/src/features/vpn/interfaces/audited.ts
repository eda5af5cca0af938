import { tunnelOf } from "./profile.ts";
import type { InterfaceRow } from "./table.ts";

/** What the audit log keeps of an interface. */
export const auditedOf = (row: InterfaceRow) => {
  const { name, interface_name, listen_port, subnet, subnet_v6, endpoint, mtu, routing } = row;
  const { version: amneziawg } = tunnelOf(row);
  return {
    name,
    ...(amneziawg === null ? {} : { amneziawg }),
    interface_name,
    listen_port,
    subnet,
    subnet_v6,
    endpoint,
    mtu,
    ...(routing === "device" ? {} : { routing, rest_exit: row.rest_exit }),
  };
};
