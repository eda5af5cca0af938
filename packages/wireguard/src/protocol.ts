export const TUNNEL_TYPES = ["wireguard", "amneziawg"] as const;
export type TunnelType = (typeof TUNNEL_TYPES)[number];

/** A kind of tunnel that is driven like WireGuard: by a program like `wg` or a control socket, over a link of its own type. */
export interface TunnelProtocol {
  type: TunnelType;
  /** Reads and sets interfaces of both the kernel and the engine. Null: only the engine's tunnels, through their sockets. */
  program: string | null;
  /** As in `ip link add … type`. */
  linkType: string;
  /** Programs that run a tunnel if the kernel has no such type; the first one the machine has is used. */
  engines: readonly Engine[];
  /** Where the engine puts each interface's control socket, NAME.sock. */
  socketFolder: string;
  /** The largest MTU whose packets are not fragmented; omitted if it is WireGuard's. */
  mtuFor?(parameters: TunnelParameters): number;
  /** What its interfaces have besides key and port, in the order of a dump, where they come before the mark. */
  fields: readonly TunnelField[];
}

export interface Engine {
  /** Its name or full path. */
  program: string;
  /** Its arguments, before the interface's name. */
  args: readonly string[];
}

/** A number or word that interfaces of some protocol have, e.g. how many bytes of junk go before a handshake. */
export interface TunnelField {
  /** The same for the program's arguments and the control socket. */
  name: string;
  /** The value of an interface on which nobody set it, in canonical form. */
  initial: string;
  /** The canonical form, so that two spellings of one value compare as equal; null for an invalid value. */
  parse(text: string): string | null;
  /** False if no engine can restore the initial value once it has another: such an interface is recreated. */
  canReturn?: boolean;
}

/** Values of a protocol's fields, by name; an omitted one has its initial value. */
export type TunnelParameters = Readonly<Record<string, string>>;

export const WIREGUARD = {
  type: "wireguard" as const,
  program: "wg",
  linkType: "wireguard",
  // From the system's packages: used if the panel has no engine for the machine's processor.
  engines: [{ program: "wireguard-go", args: ["--foreground"] }] as readonly Engine[],
  socketFolder: "/var/run/wireguard",
  fields: [] as readonly TunnelField[],
} satisfies TunnelProtocol;

/** `engine` is the path of the panel's engine. */
export const wireguardBy = (engine: string) => ({
  ...WIREGUARD,
  engines: [{ program: engine, args: ["--foreground", "--type", "wireguard"] }, ...WIREGUARD.engines],
});

/** What has to be set to get from `actual` to `desired`, in canonical form. Throws RangeError on an invalid value. */
export function drift(
  { fields }: TunnelProtocol,
  desired: TunnelParameters = {},
  actual: TunnelParameters = {},
): TunnelParameters {
  const differing = fields.flatMap((field) => {
    const wanted = canonical(field, desired);
    return wanted === canonical(field, actual) ? [] : [[field.name, wanted] as const];
  });
  return Object.fromEntries(differing);
}

/** Does an interface have a value that it cannot give up for the desired one? */
export function mustBeMadeAnew(
  protocol: TunnelProtocol,
  desired?: TunnelParameters,
  actual?: TunnelParameters,
): boolean {
  const steps = drift(protocol, desired, actual);
  return protocol.fields.some(({ name, canReturn, initial }) => canReturn === false && steps[name] === initial);
}

function canonical({ name, initial, parse }: TunnelField, values: TunnelParameters): string {
  const value = parse(values[name] ?? initial);
  if (value === null) throw new RangeError(`Not a valid ${name}`);
  return value;
}
