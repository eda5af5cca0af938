import type { Reason } from "@krug/domain/reasons";
import type { ActualInterface, DesiredInterface } from "@krug/wireguard/interface";
import type { TunnelProtocol } from "@krug/wireguard/protocol";
import type { FirewallWish } from "./firewall.ts";
import type {
  DesiredAccess,
  HostLook,
  HostReport,
  MachineState,
  Occupied,
  Passing,
  Refusing,
  SpeedLimit,
} from "./host.ts";
import type { Link } from "./links.ts";
import type { Machine } from "./machine.ts";
import type { Route } from "./occupied.ts";

export type Abilities = Pick<HostReport, "backend" | "missing" | "install">;

export type Tunnel = Pick<DesiredInterface, "name" | "addresses">;

/**
 * What carries a machine's tunnels: the kernel with its links, firewall and routing (kernel-carrier.ts), or engines with their
 * own network (engine-carrier.ts). Neither lets anything through a tunnel before its rules are loaded.
 */
export interface Carrier {
  /** How tunnels run this way, or why they do not. @throws MachineFailure */
  findAbilities(machine: Machine): Promise<Abilities>;

  /** Why tunnels of a protocol that only an engine runs cannot run; null if they can. @throws MachineFailure */
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

  /** Starts to read what the rules are compared with, without waiting for it. */
  beginRules(machine: Machine): Rules;
  /** The same rules with other access. @throws MachineFailure if none were loaded yet */
  restrict(machine: Machine, access: DesiredAccess): Promise<void>;
  /**
   * Has the machine resolve services' names, once it has rules and interfaces; returns why it does not, null also if it need not.
   * @throws MachineFailure
   */
  resolveNames(machine: Machine): Promise<Reason | null>;

  /** Limits members' speed in these tunnels, which are up; returns why nobody is limited, or null. */
  limitSpeeds(
    machine: Machine,
    tunnels: readonly string[],
    limits: readonly SpeedLimit[],
    /** Of the machine, as read before. */
    links: ReadonlyMap<string, Link>,
  ): Promise<Reason | null>;
  /** The same in the same tunnels. @throws MachineFailure before the first time */
  changeSpeeds(machine: Machine, limits: readonly SpeedLimit[]): Promise<Reason | null>;
  /** How many of these are not in force. @throws MachineFailure if the machine did not answer */
  lackingSpeeds(machine: Machine, limits: readonly SpeedLimit[]): Promise<number>;

  /** What members sent and how much of it passed; null if nothing counts. @throws MachineFailure */
  passing(machine: Machine): Promise<Passing[] | null>;
  /** What others' firewalls refuse of the tunnels' traffic. @throws MachineFailure */
  refusing(machine: Machine, tunnels: readonly Tunnel[]): Promise<Refusing[]>;
  /** Keeps others' firewalls open for exactly these tunnels. @throws MachineFailure */
  open(machine: Machine, tunnels: readonly Tunnel[]): Promise<void>;

  look(machine: Machine, tunnels: readonly Tunnel[]): Promise<Omit<HostLook, "interfaces" | "down">>;
  /** The machine's routes, without the default route and its own addresses. */
  routes(machine: Machine): Promise<Route[]>;
  findOccupied(machine: Machine, tunnels: readonly ActualInterface[]): Promise<Occupied>;
  readMachine(machine: Machine): Promise<MachineState>;
  /** Of a packet to the internet, in bytes; null without a route there. */
  pathMtu(machine: Machine): Promise<number | null>;
  /** Whether an echo from this address comes back from the internet; null if that cannot be tried. */
  echoes(machine: Machine, from: string): Promise<boolean | null>;
  /** The machine's own address on its route to the internet, IPv4 first; null without one. */
  defaultAddress(machine: Machine): Promise<string | null>;
}

export type RulesWish = FirewallWish & { interfaces: DesiredInterface[] };

export interface Rules {
  /**
   * Call before any change. `isOurs` returns null for a tunnel that does not exist.
   * @throws MachineFailure if another club's panel has its tunnels here
   */
  refuseOthers(isOurs: (tunnel: string) => boolean | null): Promise<void>;
  /** For the existing tunnels, before any of them changes, and for new ones. @throws MachineFailure */
  load(wish: RulesWish): Promise<void>;
  /** Leads exits through these links, which are up. @throws MachineFailure */
  routeExits(names: readonly string[]): Promise<void>;
  /** Switches packet forwarding on, if the machine needs it. */
  letThrough(families: { v6: boolean }): Promise<void>;
}
