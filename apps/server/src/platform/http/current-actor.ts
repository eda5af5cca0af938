import { AsyncLocalStorage } from "node:async_hooks";
import type { Actor } from "./call.ts";

const current = new AsyncLocalStorage<Actor | null>();

/** Runs the work for a call; code inside can ask who made it. */
export const asActor = <Result>(actor: Actor | null, work: () => Result): Result => current.run(actor, work);

/** Who made the current call; null for a guest, and outside any call: a job, the clock, the command line. */
export const currentActor = (): Actor | null => current.getStore() ?? null;
