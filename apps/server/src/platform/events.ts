import type { Tx } from "./database/database.ts";

/** An event's name and shape, declared once by its feature. */
export interface EventType<Payload> {
  readonly name: string;
  /** For the type only. */
  readonly payload?: Payload;
}

export const eventType = <Payload>(name: string): EventType<Payload> => ({ name });

/**
 * Events are raised inside the transaction they happen in. A listener writes its own rows and jobs with the same `tx`, so
 * everything commits or nothing does.
 */
export interface Events {
  on<Payload>(type: EventType<Payload>, listener: (tx: Tx, payload: Payload) => Promise<unknown>): void;
  record<Payload>(tx: Tx, type: EventType<Payload>, payload: Payload): Promise<void>;
}

export function makeEvents(): Events {
  const listeners = new Map<string, ((tx: Tx, payload: never) => Promise<unknown>)[]>();
  return {
    on(type, listener) {
      listeners.set(type.name, [...(listeners.get(type.name) ?? []), listener]);
    },
    async record(tx, type, payload) {
      for (const listener of listeners.get(type.name) ?? []) await listener(tx, payload as never);
    },
  };
}
