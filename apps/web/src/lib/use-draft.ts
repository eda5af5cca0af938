import { useEffect, useRef } from "react";
import { begun, useBegun } from "./begun.ts";

/** What a form has that was not sent: a reload, or a tap outside, must not lose it. */
export interface Draft {
  /** Where it is stored: which form, and of what. */
  place: string;
  /** Only the fields that differ from those the form opened with. Restored later, it undoes nobody's change of the others. */
  typed: object;
  /** Fills the form in again. */
  goOn: (typed: object) => void;
  drop: () => void;
}

/** Fields that are never stored, in any form. */
export const SECRET_FIELDS: readonly string[] = ["password", "code"];

/** The draft of a form whose fields were `first` when it opened. */
export function draftOf<Values extends object>(
  place: string,
  values: Values,
  first: Values,
  set: (change: Partial<Values>) => void,
): Draft {
  const isFirst = (name: string, value: unknown) =>
    JSON.stringify(value) === JSON.stringify(first[name as keyof Values]);
  const typed = Object.entries(values).filter(([name, value]) => !isFirst(name, value));
  return {
    place: `form.${place}`,
    typed: Object.fromEntries(typed),
    goOn: set as Draft["goOn"],
    drop: () => begun.write(`form.${place}`, undefined),
  };
}

/** Fills in a form whose fields are separate states. */
export const eachBy =
  <Values extends object>(setters: { [Name in keyof Values]: (value: Values[Name]) => void }) =>
  (change: Partial<Values>) => {
    for (const name of Object.keys(change) as (keyof Values)[]) setters[name]?.(change[name] as Values[keyof Values]);
  };

/**
 * Stores the draft as it is typed, until it was sent.
 * @param isSending  a form that closes meanwhile was sent
 * @returns restores an earlier draft; null if there is none, or something was typed since
 */
export function useDraft(draft: Draft, isSending: boolean): (() => void) | null {
  useBegun();
  const { place } = draft;
  const typed = Object.entries(draft.typed).filter(([name]) => !SECRET_FIELDS.includes(name));
  const text = JSON.stringify(Object.fromEntries(typed));
  const isBlank = typed.length === 0;
  const wasTyped = useRef(false);
  useEffect(() => {
    if (isBlank && !wasTyped.current) return;
    wasTyped.current = true;
    begun.write(place, isBlank ? undefined : JSON.parse(text));
  }, [place, text, isBlank]);
  const last = useRef({ draft, isSending });
  last.current = { draft, isSending };
  useEffect(() => () => void (last.current.isSending && last.current.draft.drop()), []);
  const before = isBlank && !wasTyped.current ? begun.read<object>(place) : undefined;
  return before ? () => draft.goOn(before) : null;
}
