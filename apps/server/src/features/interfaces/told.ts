import type { InterfaceRow } from "./table.ts";

/** What the audit log keeps of an interface. */
export const toldOf = ({ name, interface_name, listen_port, subnet, subnet_v6, endpoint, mtu }: InterfaceRow) => ({
  name,
  interface_name,
  listen_port,
  subnet,
  subnet_v6,
  endpoint,
  mtu,
});
