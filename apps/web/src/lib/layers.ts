import { useEffect, useRef } from "react";

/** Something over the page, or a further step of it, that the browser's Back closes. */
interface Layer {
  /** Null if it cannot be closed: Back then does nothing. */
  close: () => (() => void) | null;
}

let layers: readonly Layer[] = [];
let due: ReturnType<typeof setTimeout> | undefined;
/** While we leave our own history entry, the browser's event is not a person's Back. */
let isLeaving = false;

/** How many layers the current history entry represents. */
const depth = () => Number((history.state as { layers?: number } | null)?.layers ?? 0);

/** Bypasses the router's listener: the address does not change, so the router has nothing to do. */
const push = (count: number) =>
  History.prototype.pushState.call(history, { ...(history.state as object | null), layers: count }, "");

/** Makes the history have as many entries as there are layers. */
function settle() {
  due = undefined;
  if (isLeaving) return;
  for (let count = depth() + 1; count <= layers.length; count++) push(count);
  const surplus = depth() - layers.length;
  if (surplus <= 0) return;
  isLeaving = true;
  history.go(-surplus);
}

/** After the current task: one layer often replaces another at once. */
function settleSoon() {
  clearTimeout(due);
  due = setTimeout(settle);
}

function onPop() {
  if (!isLeaving) for (const layer of layers.slice(depth()).toReversed()) layer.close()?.();
  isLeaving = false;
  settleSoon();
}

/** Adding the same listener twice has no effect. */
const listen = () => addEventListener("popstate", onPop);

// A reload removed what lay over the page but left its history entries: a Back to one of them would do nothing. Prerendering at
// build time has no history.
if (typeof history !== "undefined" && depth() > 0) {
  listen();
  settleSoon();
}

function add(layer: Layer): () => void {
  listen();
  layers = [...layers, layer];
  settleSoon();
  return () => {
    layers = layers.filter((one) => one !== layer);
    settleSoon();
  };
}

/** While `isOpen`, the browser's Back calls `onClose` instead of leaving the page. */
export function useLayer(isOpen: boolean, onClose: (() => void) | null): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => (isOpen ? add({ close: () => close.current }) : undefined), [isOpen]);
}
