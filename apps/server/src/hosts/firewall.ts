import { formatCidr, requireCidr } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { accessText } from "./access-text.ts";
import { type DesiredAccess, HostUnavailable } from "./host.ts";
import { ProgramFailed, type Run } from "./run.ts";

/*
 * The law of the tunnel (decisions, section 6): a member reaches the internet and nothing else, that is no other members,
 * no loopback or private networks of the host, no link-local metadata address, and no closed port such as 25. A source
 * address cannot be forged: WireGuard drops what does not come from a peer's own address.
 */

export interface FirewallWish {
  interfaces: Pick<DesiredInterface, "name" | "addresses">[];
  closedTcpPorts: number[];
  access: DesiredAccess;
}

/** The whole table as nft reads it, in one transaction with the removal of the one before; null where none is wanted. */
function firewallText({ interfaces, closedTcpPorts, access }: FirewallWish): string | null {
  if (interfaces.length === 0) return null;
  const tunnels = `{ ${interfaces.map(({ name }) => `"${name}"`).join(", ")} }`;
  const networks = interfaces.flatMap(({ addresses }) => addresses.map((each) => formatCidr(requireCidr(each))));
  const gateways = interfaces.flatMap(({ addresses }) => addresses.map((address) => address.split("/")[0] ?? ""));
  const masquerade = networks.map((cidr) => `    ${familyOf(cidr)} saddr ${cidr} oifname != ${tunnels} masquerade`);
  const answerPing = gateways.map((address) =>
    address.includes(":")
      ? `    ip6 daddr ${address} icmpv6 type echo-request accept`
      : `    ip daddr ${address} icmp type echo-request accept`,
  );
  const closedPorts = closedTcpPorts.length === 0 ? [] : [`    tcp dport { ${closedTcpPorts.join(", ")} } drop`];
  return `table inet krug
delete table inet krug
table inet krug {
  set closed_v4 {
    type ipv4_addr
    flags interval
    elements = { ${closedNetworks(4)} }
  }
  set closed_v6 {
    type ipv6_addr
    flags interval
    elements = { ${closedNetworks(6)} }
  }
  chain closed_to_members {
    ip daddr @closed_v4 drop
    ip6 daddr @closed_v6 drop
${lines(closedPorts)}  }
  chain from_members {
    oifname ${tunnels} drop
    jump closed_to_members
    jump access_rules
  }
${accessText(access)}  chain to_members {
    ct state established,related accept
    drop
  }
  chain forward {
    type filter hook forward priority filter - 10; policy accept;
    iifname ${tunnels} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
    oifname ${tunnels} tcp flags syn / syn,rst tcp option maxseg size set rt mtu
    iifname ${tunnels} jump from_members
    oifname ${tunnels} jump to_members
  }
  chain to_host {
${lines(answerPing)}    jump closed_to_members
    jump access_rules
  }
  chain input {
    type filter hook input priority filter - 10; policy accept;
    iifname ${tunnels} jump to_host
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
${lines(masquerade)}  }
}
`;
}

/** Loads the table in one piece, and only when it is not what stands there; loading never interrupts a connection. */
export function makeFirewall(run: Run) {
  // What we loaded last and how nft listed it then. A table that someone edited lists differently and is loaded anew.
  let loaded: { wish: FirewallWish; text: string; listed: string } | null = null;

  const listed = () =>
    run("nft", ["--stateless", "list", "table", "inet", "krug"]).catch((error) => {
      if (error instanceof ProgramFailed && error.stderr.includes("No such file or directory")) return null;
      throw error;
    });

  const bringTo = async (wish: FirewallWish): Promise<void> => {
    const text = firewallText(wish);
    const present = await listed();
    if (text === null) {
      if (present !== null) await run("nft", ["delete", "table", "inet", "krug"]);
      loaded = null;
      return;
    }
    if (present !== null && loaded?.text === text && loaded.listed === present) return;
    await run("nft", ["-f", "-"], { stdin: text });
    loaded = { wish, text, listed: (await listed()) ?? "" };
  };

  return {
    bringTo,
    /** The same table with other access rules. @throws HostUnavailable where none was loaded yet */
    async bringAccessTo(access: DesiredAccess): Promise<void> {
      if (loaded === null) throw new HostUnavailable("no firewall was loaded yet");
      await bringTo({ ...loaded.wish, access });
    },
  };
}

function lines(list: string[]): string {
  return list.map((line) => `${line}\n`).join("");
}

const closedNetworks = (family: 4 | 6) =>
  CLOSED_NETWORKS.flatMap(({ cidr }) => (requireCidr(cidr).family === family ? [cidr] : [])).join(", ");

function familyOf(cidr: string): "ip" | "ip6" {
  return cidr.includes(":") ? "ip6" : "ip";
}
