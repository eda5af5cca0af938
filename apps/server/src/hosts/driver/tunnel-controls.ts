import { reason } from "@krug/domain/reasons";
import { makeDumpParser } from "@krug/wireguard/dump";
import type { TunnelProtocol, TunnelType } from "@krug/wireguard/protocol";
import { type Control, controlOver, type Protocols } from "../control.ts";
import { type Machine, MachineFailure } from "../machine.ts";

export type Way = "socket" | "program";

export type TunnelControls = ReturnType<typeof makeTunnelControls>;

/** The protocols of a machine's tunnels, and what reads and sets them there. */
export function makeTunnelControls(protocols: Protocols, way: Way) {
  const { wireguard } = protocols;
  const all: TunnelProtocol[] = Object.values(protocols);
  const parse = makeDumpParser(wireguard);
  return {
    all,
    wireguard,
    way,
    find: (type: TunnelType = "wireguard"): TunnelProtocol | undefined => protocols[type],
    /** @throws MachineFailure if the panel has no engine for it */
    protocolOf(type: TunnelType = "wireguard"): TunnelProtocol {
      const found = protocols[type];
      if (found === undefined) throw new MachineFailure("refused", reason("lack.engine"));
      return found;
    },
    over: (machine: Machine, protocol: TunnelProtocol, by = way): Control =>
      controlOver(by, machine, protocol, protocol === wireguard ? parse : undefined),
  };
}
