import { useSyncExternalStore } from "react";
import classes from "./connection-place.module.css";

let places: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLElement[]) {
  places = next;
  for (const listener of listeners) listener();
}

function register(place: HTMLElement | null) {
  if (place === null) return;
  change([...places, place]);
  return () => change(places.filter((one) => one !== place));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/**
 * Under a frame's header: where the page says whether the panel answers. It takes no room until there is trouble.
 * @param props.quiet  what follows the header leaves no gap for good news, which then is only spoken
 */
export function ConnectionPlace({ quiet = false }: { quiet?: boolean }) {
  return <div ref={register} className={classes.place} data-quiet={quiet || undefined} />;
}

/** Null on a page without a header. */
export const useConnectionPlace = (): HTMLElement | null =>
  useSyncExternalStore(subscribe, () => places.at(-1) ?? null);
