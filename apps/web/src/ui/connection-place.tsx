import { useSyncExternalStore } from "react";
import classes from "./connection-place.module.css";

interface Place {
  element: HTMLElement;
  /** A sheet over the page does not show good news about the connection. */
  isSheet: boolean;
}

let places: readonly Place[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Place[]) {
  places = next;
  for (const listener of listeners) listener();
}

function register(place: Place) {
  change([...places, place]);
  return () => change(places.filter((one) => one !== place));
}

const ofPage = (element: HTMLElement | null) => (element ? register({ element, isSheet: false }) : undefined);
const ofSheet = (element: HTMLElement | null) => (element ? register({ element, isSheet: true }) : undefined);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/**
 * Under a frame's header: where the page reports whether the panel answers. It takes no room until there is trouble.
 * @param props.quiet  what follows the header leaves no gap for good news, which is then only announced to screen readers
 */
export function ConnectionPlace({ quiet = false }: { quiet?: boolean }) {
  return <div ref={ofPage} className={classes.place} data-quiet={quiet || undefined} />;
}

/** The same under a sheet's header, for trouble only: elsewhere it would be behind the sheet. */
export const ConnectionPlaceOfSheet = () => <div ref={ofSheet} className={classes.place} />;

/** Where it is reported now: null on a page without a header. */
export const useConnectionPlace = (isTrouble: boolean): HTMLElement | null =>
  useSyncExternalStore(subscribe, () => places.findLast(({ isSheet }) => isTrouble || !isSheet)?.element ?? null);

export const useIsUnderSheet = (): boolean =>
  useSyncExternalStore(subscribe, () => places.some(({ isSheet }) => isSheet));
