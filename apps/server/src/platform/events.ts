import type { Tx } from "./database/database.ts";

/** An event's name and shape, declared once by its feature. */
export interface EventType<Payload> {
  readonly name: string;
  /** For the type only. */
  readonly payload?: Payload;
}

export const eventType = <Payload>(name: string): EventType<Payload> => ({ name });

/**
 * Events are raised inside the transaction that causes them. A listener writes its own rows and jobs with the same `tx`, so
 * everything commits or nothing does.
 */
export interface Events {
  on<Payload>(type: EventType<Payload>, listener: (tx: Tx, payload: Payload) => Promise<unknown>): void;
  /** Receives all events recorded at once, so it can handle them in one statement. Never an empty list. */
  onAll<Payload>(type: EventType<Payload>, listener: (tx: Tx, payloads: readonly Payload[]) => Promise<unknown>): void;
  record<Payload>(tx: Tx, type: EventType<Payload>, payload: Payload): Promise<void>;
  recordAll<Payload>(tx: Tx, type: EventType<Payload>, payloads: readonly Payload[]): Promise<void>;
}

export function makeEvents(): Events {
  const listeners = new Map<string, ((tx: Tx, payloads: readonly never[]) => Promise<unknown>)[]>();
  const onAll: Events["onAll"] = (type, listener) =>
    void listeners.set(type.name, [...(listeners.get(type.name) ?? []), listener]);
  const recordAll: Events["recordAll"] = async (tx, type, payloads) => {
    if (payloads.length === 0) return;
    for (const listener of listeners.get(type.name) ?? []) await listener(tx, payloads as readonly never[]);
  };
  return {
    on: (type, listener) =>
      onAll(type, async (tx, payloads) => {
        for (const payload of payloads) await listener(tx, payload);
      }),
    onAll,
    record: (tx, type, payload) => recordAll(tx, type, [payload]),
    recordAll,
  };
}
