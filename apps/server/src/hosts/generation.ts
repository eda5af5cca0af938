import { reason } from "@krug/domain/reasons";
import { MachineFailure } from "./machine.ts";

/*
 * Which of a club's panels may change its machines (docs/adr/0076-a-restored-panel-is-the-current-one.md). Each machine stores
 * the highest generation that it has obeyed.
 */

export interface Generation {
  /** A UUID, the same in every copy of the club's database. */
  club: string;
  number: number;
  /** A UUID that distinguishes two restores of one backup, which have the same number. */
  token: string;
  /** ms since 1970. */
  since: number;
}

/** What a machine stores about a club. */
export type Remembered = Omit<Generation, "club">;

/** Whether a panel of generation `own` must not change a machine that has stored `seen`. Of equals the first is obeyed. */
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
   * Does `work` while the machine obeys this panel; meanwhile no other panel can take over. The first panel with a new generation
   * is stored.
   * @throws Superseded, and then `work` has not started
   */
  whileCurrent<T>(work: () => Promise<T>): Promise<T>;
  /** Checks and stores nothing. @throws Superseded */
  refuseIfSuperseded(): Promise<void>;
}
