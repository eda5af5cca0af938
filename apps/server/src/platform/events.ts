import type { Tx } from "./database/database.ts";

/** An event's name and shape, declared once by the feature it happens in. */
export interface EventType<Payload> {
  readonly name: string;
  /** Only for the type. */
  readonly payload?: Payload;
}

export const eventType = <Payload>(name: string): EventType<Payload> => ({ name });

/**
 * What happened, told inside the transaction it happened in: a listener writes its own rows and jobs with the same `tx`,
 * so that all of it is committed or none.
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
