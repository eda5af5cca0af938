import { reason } from "@krug/domain/reasons";
import { MachineFailure } from "./machine.ts";

/*
 * Which panel of a club may change its machines (docs/adr/0076-a-restored-panel-is-the-current-one.md). Each machine remembers the
 * highest generation that it has obeyed.
 */

export interface Generation {
  /** A UUID, the same in every copy of the club's database. */
  club: string;
  number: number;
  /** A UUID that tells apart two restores of one backup, which have the same number. */
  token: string;
  /** ms since 1970. */
  since: number;
}

/** What a machine remembers of a club. */
export type Remembered = Omit<Generation, "club">;

/** Whether a panel of generation `own` has to keep its hands off a machine that remembers `seen`. Of equals the first is obeyed. */
export const isSuperseded = (own: Remembered, seen: Remembered): boolean =>
  seen.number > own.number || (seen.number === own.number && seen.token !== own.token);

/** The machine obeys a newer panel of the club. Nothing was done. */
export class Superseded extends MachineFailure {
  readonly by: Remembered;

  constructor(by: Remembered) {
    super("refused", reason("panel.superseded", { number: by.number }));
    this.by = by;
  }
}

/** Keeps panels of an older generation from changing a machine. */
export interface Guard {
  /**
   * Does `work` while the machine obeys this panel; meanwhile no other panel can make it obey itself. The first to come with a
   * new generation is remembered. @throws Superseded, and then `work` has not begun
   */
  whileCurrent<T>(work: () => Promise<T>): Promise<T>;
  /** Looks and remembers nothing. @throws Superseded */
  refuseIfSuperseded(): Promise<void>;
}
