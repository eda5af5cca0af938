/** Why a network is not part of the internet. */
export type ClosedBecause = "private" | "loopback" | "link_local" | "special";

/**
 * Special-purpose networks (RFC 6890), which nothing reaches from a tunnel, except documentation networks. The club's own
 * tunnels are in the private ones, the clouds' metadata service in the link-local one. The mapped and translated IPv6 ranges
 * are listed because they embed the networks above.
 */
export const CLOSED_NETWORKS: readonly { cidr: string; because: ClosedBecause }[] = [
  { cidr: "0.0.0.0/8", because: "special" },
  { cidr: "10.0.0.0/8", because: "private" },
  { cidr: "100.64.0.0/10", because: "private" },
  { cidr: "127.0.0.0/8", because: "loopback" },
  { cidr: "169.254.0.0/16", because: "link_local" },
  { cidr: "172.16.0.0/12", because: "private" },
  { cidr: "192.0.0.0/24", because: "special" },
  { cidr: "192.168.0.0/16", because: "private" },
  { cidr: "198.18.0.0/15", because: "special" },
  { cidr: "224.0.0.0/4", because: "special" },
  { cidr: "240.0.0.0/4", because: "special" },
  { cidr: "::/128", because: "special" },
  { cidr: "::1/128", because: "loopback" },
  { cidr: "::ffff:0:0/96", because: "special" },
  { cidr: "::ffff:0:0:0/96", because: "special" },
  { cidr: "64:ff9b::/96", because: "special" },
  { cidr: "64:ff9b:1::/48", because: "special" },
  { cidr: "fc00::/7", because: "private" },
  { cidr: "fe80::/10", because: "link_local" },
  { cidr: "fec0::/10", because: "private" },
  { cidr: "ff00::/8", because: "special" },
];
