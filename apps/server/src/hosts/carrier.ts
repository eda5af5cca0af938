import type { Reason } from "@krug/domain/reasons";
import type { ActualInterface, DesiredInterface } from "@krug/wireguard/interface";
import type { TunnelProtocol } from "@krug/wireguard/protocol";
import type { FirewallWish } from "./firewall.ts";
import type { DesiredAccess, HostLook, HostReport, MachineState, Occupied, Passing, Refusing } from "./host.ts";
import type { Link } from "./links.ts";
import type { Machine } from "./machine.ts";
import type { Route } from "./occupied.ts";

export type Abilities = Pick<HostReport, "backend" | "missing" | "install">;

export type Tunnel = Pick<DesiredInterface, "name" | "addresses">;

/**
 * What carries a machine's tunnels: the kernel with its links, firewall and routing (kernel-carrier.ts), or engines with a network
 * of their own (engine-carrier.ts). Either lets nothing pass through a tunnel before its rules are there.
 */
export interface Carrier {
  /** How tunnels run this way, or why they do not. @throws MachineFailure */
  findAbilities(machine: Machine): Promise<Abilities>;

  /** Why tunnels of a protocol that has an engine alone cannot run; null where they can. @throws MachineFailure */
  whyNoEngine(machine: Machine, protocol: TunnelProtocol): Promise<Reason | null>;

  /** By name. */
  readLinks(machine: Machine): Promise<Map<string, Link>>;
  /** @throws MachineFailure */
  create(machine: Machine, protocol: TunnelProtocol, name: string): Promise<void>;
  remove(machine: Machine, protocol: TunnelProtocol, name: string): Promise<void>;
  /** Sets addresses, MTU and state as wanted, and touches nothing that is already right. */
  bringLinkTo(
    machine: Machine,
    protocol: TunnelProtocol,
    desired: DesiredInterface,
    link: Link | undefined,
  ): Promise<void>;

  /** Asks for what the rules are compared with; nothing waits for it yet. */
  beginRules(machine: Machine): Rules;
  /** The same rules with other access. @throws MachineFailure if none were loaded yet */
  restrict(machine: Machine, access: DesiredAccess): Promise<void>;

  /** What members began and what of it passed; null where nothing counts. @throws MachineFailure */
  passing(machine: Machine): Promise<Passing[] | null>;
  /** What of others' firewalls refuses what tunnels carry. @throws MachineFailure */
  refusing(machine: Machine, tunnels: readonly Tunnel[]): Promise<Refusing[]>;
  /** Keeps others' firewalls open for these tunnels alone. @throws MachineFailure */
  open(machine: Machine, tunnels: readonly Tunnel[]): Promise<void>;

  look(machine: Machine, tunnels: readonly Tunnel[]): Promise<Omit<HostLook, "interfaces" | "down">>;
  /** Where the machine sends packets for which networks; its default route and its own addresses left out. */
  routes(machine: Machine): Promise<Route[]>;
  findOccupied(machine: Machine, tunnels: readonly ActualInterface[]): Promise<Occupied>;
  readMachine(machine: Machine): Promise<MachineState>;
  /** Of a packet towards the internet, in bytes; null without a way there. */
  pathMtu(machine: Machine): Promise<number | null>;
  /** The machine's own address on the way to the internet, IPv4 first; null without one. */
  defaultAddress(machine: Machine): Promise<string | null>;
}

export type RulesWish = FirewallWish & { interfaces: DesiredInterface[] };

export interface Rules {
  /**
   * Before anything is changed: `isOurs` of a tunnel is null where it does not stand. @throws MachineFailure where another club's panel
   * has its tunnels here
   */
  refuseOthers(isOurs: (tunnel: string) => boolean | null): Promise<void>;
  /** For the tunnels that stand, before any of them changes, and for those to come. @throws MachineFailure */
  load(wish: RulesWish): Promise<void>;
  /** Lets packets through the machine at all, where something has to be switched on for that. */
  letThrough(families: { v6: boolean }): Promise<void>;
}
