import type { TunnelType } from "@krug/wireguard/protocol";
import type { z } from "zod";
import { oneByOne } from "../../platform/limiter.ts";
import type { Control } from "../control.ts";
import { type Guard, Superseded } from "../generation.ts";
import {
  type Call,
  type HostFailure,
  HostRefused,
  HostSuperseded,
  HostUncertain,
  HostUnreachable,
  type Lease,
  type PeersApplied,
} from "../host.ts";
import { endingWith, LeaseLost, type Machine, MachineFailure, type Outcome, Unreadable } from "../machine.ts";
import { SshFailure } from "../remote.ts";
import type { TunnelControls } from "./tunnel-controls.ts";
import type { Unreported } from "./unreported.ts";

/** A call's access to the machine, which ends with the call. */
export interface Tools {
  machine: Machine;
  /** Of tunnels of this type. @throws MachineFailure if the panel has no engine for it */
  controlOf(type: TunnelType | undefined): Control;
}

type Work<T> = (tools: Tools) => Promise<T>;

const WITHIN_MS = 30_000;

export interface CallParts {
  machine: Machine;
  controls: TunnelControls;
  guard: Guard | undefined;
  unreported: Unreported;
}

/** How a host's calls reach its machine: queued or not, guarded or not, and with which failure. */
export function makeCalls({ machine, controls, guard, unreported }: CallParts) {
  const limited = oneByOne();
  // For what the driver does on its own, which needs the right to it too.
  let lastLease: Lease | undefined;

  /**
   * Does a call's work, and ends it at its deadline, its caller's signal or the loss of its lease. `fail` turns the machine's
   * failure into the caller's.
   */
  async function perform<T>(
    work: Work<T>,
    { signal, deadlineMs = WITHIN_MS, lease }: Call = {},
    fail: (error: MachineFailure) => HostFailure,
  ): Promise<T> {
    const controller = new AbortController();
    const giveUp = () => controller.abort(signal?.reason);
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp);
    const late = () => controller.abort(new DOMException("too late", "TimeoutError"));
    const timer = setTimeout(late, deadlineMs);
    if (lease !== undefined) lastLease = lease;
    const bound = endingWith(controller.signal, machine, async () => {
      if (lease !== undefined && !(await lease.isOurs())) controller.abort(new LeaseLost());
    });
    try {
      return await work({
        machine: bound,
        controlOf: (type) => controls.over(bound, controls.protocolOf(type)),
      });
    } catch (error) {
      throw error instanceof MachineFailure ? fail(error) : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  }

  const guarded =
    <T>(work: Work<T>): Work<T> =>
    (tools) =>
      guard === undefined ? work(tools) : guard.whileCurrent(() => work(tools));

  /** Changes nothing, so a lost answer leaves nothing uncertain. */
  const ask = <T>(work: Work<T>, call?: Call) =>
    perform(work, call, (error) => failureOf(error.outcome === "unknown" ? "unreachable" : error.outcome, error));
  const change = <T>(work: Work<T>, call?: Call) =>
    limited(() => perform(guarded(work), call, (error) => failureOf(error.outcome, error)));

  return {
    ask,
    /** The same, one after another with changes. */
    askInTurn: <T>(work: Work<T>, call?: Call) => limited(() => ask(work, call)),
    change,
    /** A failure carries what was done before it. */
    changePeers: <T>(work: Work<T>, call?: Call) =>
      limited(() => perform(guarded(work), call, (error) => failureOf(error.outcome, error, unreported.take()))),
    /** With the right of the last call that had one. */
    changeOnOurOwn: (work: (machine: Machine) => Promise<void>) =>
      change((tools) => work(tools.machine), lastLease && { lease: lastLease }),
  };
}

/** Work whose result is checked by a schema. */
export const checked =
  <Schema extends z.ZodType>(schema: Schema, work: Work<z.output<Schema>>): Work<z.output<Schema>> =>
  async (tools) => {
    const read = schema.safeParse(await work(tools));
    if (!read.success) throw new Unreadable("the machine");
    return read.data;
  };

function failureOf(outcome: Outcome, error: MachineFailure, done?: PeersApplied): HostFailure {
  const Failure = { unreachable: HostUnreachable, refused: HostRefused, unknown: HostUncertain }[outcome];
  if (error instanceof Superseded)
    return new HostSuperseded(error.why, { by: error.by, cause: error, ...(done ? { done } : {}) });
  const connection = error instanceof SshFailure ? error : null;
  return new Failure(error.why, { cause: error, connection, ...(done ? { done } : {}) });
}
