import type { Carrier } from "../carrier.ts";
import type { Guard } from "../generation.ts";
import type { KnownInterfaces } from "./known-interfaces.ts";
import type { TunnelControls } from "./tunnel-controls.ts";
import type { Unreported } from "./unreported.ts";

/** What a machine's driver works with, and what it remembers from call to call. */
export interface DriverState {
  readonly carrier: Carrier;
  readonly controls: TunnelControls;
  readonly guard: Guard | undefined;
  readonly known: KnownInterfaces;
  readonly unreported: Unreported;
  /** Whether the machine could run tunnels when it was last inspected. */
  isAble: boolean;
}
