export const TUNNEL_TYPES = ["wireguard", "amneziawg"] as const;
export type TunnelType = (typeof TUNNEL_TYPES)[number];

/** A kind of tunnel that is driven as WireGuard is: by a program like `wg` or a control socket, over a link of its own type. */
export interface TunnelProtocol {
  type: TunnelType;
  /** Reads and sets interfaces: speaks to the kernel and to the engine alike. Null: only the engine's tunnels, through their sockets. */
  program: string | null;
  /** As `ip link add … type` takes it. */
  linkType: string;
  /** Programs that run a tunnel where the kernel has none of this type; the first that the machine has does. */
  engines: readonly Engine[];
  /** Where the engine puts each interface's control socket, NAME.sock. */
  socketFolder: string;
  /** The largest MTU whose packets are carried in one piece; left out where it is WireGuard's own. */
  mtuFor?(parameters: TunnelParameters): number;
  /** What its interfaces have beside key and port, in the order of a dump, where they stand before the mark. */
  fields: readonly TunnelField[];
}

export interface Engine {
  /** Its name or full path. */
  program: string;
  /** What it is started with, before the interface's name. */
  args: readonly string[];
}

/** A number or word that an interface of some protocol has, e.g. how many bytes of junk go before a handshake. */
export interface TunnelField {
  /** The same for the program's arguments and the control socket. */
  name: string;
  /** What an interface has that nobody set, in canonical form. */
  initial: string;
  /** The canonical form, so that two spellings of one value compare as equal; null for what is no value of this field. */
  parse(text: string): string | null;
  /** False where no engine can be asked for the initial value once it has another: such an interface is recreated. */
  canReturn?: boolean;
}

/** Values of a protocol's fields, by name; one that is left out has its initial value. */
export type TunnelParameters = Readonly<Record<string, string>>;

export const WIREGUARD = {
  type: "wireguard" as const,
  program: "wg",
  linkType: "wireguard",
  // Of the system's packages: serves where the panel has no engine for the machine's processor.
  engines: [{ program: "wireguard-go", args: ["--foreground"] }] as readonly Engine[],
  socketFolder: "/var/run/wireguard",
  fields: [] as readonly TunnelField[],
} satisfies TunnelProtocol;

/** `engine` is where the panel's own is. */
export const wireguardBy = (engine: string) => ({
  ...WIREGUARD,
  engines: [{ program: engine, args: ["--foreground", "--type", "wireguard"] }, ...WIREGUARD.engines],
});

/** What has to be set to get from `actual` to `desired`, in canonical form. Throws RangeError on what is no value of its field. */
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
