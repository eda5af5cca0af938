import { z } from "zod";
import { Id, Named } from "./fields.ts";

/** Chosen by the caller: the same in all calls of one press, which can be undone together. */
export const Act = z.string().regex(/^[0-9a-f]{32}$/);

export const UndoWish = z.strictObject({
  act: Act,
  /** From the previous answer; null at first. */
  after: Id.nullable().default(null),
});

export const Undone = z.object({
  /** How many members are as they were before, by this call or an earlier one. */
  undone: z.int().nonnegative(),
  /** Who stays as they are, and why. */
  refused: z.array(Named.extend({ code: z.string(), message: z.string() })),
  after: Id.nullable(),
});
export type UndoWishInput = z.output<typeof UndoWish>;
export type UndoneAnswer = z.output<typeof Undone>;
