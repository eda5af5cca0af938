/** Who decides what of a member's traffic goes where: the file on the device, or the server (decisions, section 16). */
export const ROUTINGS = ["device", "server"] as const;
export type Routing = (typeof ROUTINGS)[number];

/** Where routed traffic leaves: from the server itself, or not at all. */
export const EXITS = ["direct", "closed"] as const;
export type OwnExit = (typeof EXITS)[number];
/** Or from another server of the club: its id. */
export type Exit = OwnExit | (string & {});

/** While another server that is an exit does not answer: wait for it, leave from here, or by a third one: its id. */
export type ExitDown = "wait" | "direct" | (string & {});

/** The kind of tunnel to other servers that are exits. Networks that block WireGuard let AmneziaWG pass. */
export const EXIT_LINKS = ["wireguard", "amneziawg"] as const;
export type ExitLink = (typeof EXIT_LINKS)[number];

export const isOwnExit = (exit: Exit): exit is OwnExit => exit === "direct" || exit === "closed";

/** The other servers that these name. */
export const serversAmong = (exits: readonly (Exit | ExitDown)[]): string[] => [
  ...new Set(exits.filter((exit) => !isOwnExit(exit) && exit !== "wait")),
];

/**
 * The tunnel to another server that is an exit. `stuck`: it answers, but has no internet itself. `making`: it has not answered yet.
 * `missing`: there is none yet.
 */
export const LINK_STATES = ["up", "down", "stuck", "making", "missing"] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** Services in the order in which they decide: closed ones first, the others as the catalogue lists them. */
export const inOrderOfExits = <Service extends { exit: Exit }>(services: readonly Service[]): Service[] => [
  ...services.filter(({ exit }) => exit === "closed"),
  ...services.filter(({ exit }) => exit !== "closed"),
];

/** Which of a device's services decides by which exit something leaves; null: none, so the rest's exit does. */
export function exitFor<Service extends { exit: Exit }>(
  chosen: readonly Service[],
  rest: Exit,
  includes: (service: Service) => boolean,
): { service: Service | null; exit: Exit } {
  const service = inOrderOfExits(chosen).find(includes) ?? null;
  return { service, exit: service?.exit ?? rest };
}
