import { useEffect, useRef } from "react";

/** Something over the page, or a further step of it, that the browser's Back takes away. */
interface Layer {
  /** Null where it cannot be taken away: Back then does nothing. */
  close: () => (() => void) | null;
}

let layers: readonly Layer[] = [];
let due: ReturnType<typeof setTimeout> | undefined;
/** While an entry of ours is being left by ourselves, the browser's event about it is not a person's Back. */
let isLeaving = false;

/** How many layers the current entry of the history stands for. */
const depth = () => Number((history.state as { layers?: number } | null)?.layers ?? 0);

/** The router's own listener is bypassed: the address stays, and the router has nothing to do. */
const push = (count: number) =>
  History.prototype.pushState.call(history, { ...(history.state as object | null), layers: count }, "");

/** Gives the history as many entries as there are layers. */
function settle() {
  due = undefined;
  if (isLeaving) return;
  for (let count = depth() + 1; count <= layers.length; count++) push(count);
  const surplus = depth() - layers.length;
  if (surplus <= 0) return;
  isLeaving = true;
  history.go(-surplus);
}

/** After what happens now: one layer often gives way to another at once. */
function settleSoon() {
  clearTimeout(due);
  due = setTimeout(settle);
}

function onPop() {
  if (!isLeaving) for (const layer of layers.slice(depth()).toReversed()) layer.close()?.();
  isLeaving = false;
  settleSoon();
}

/** Again and again is once: the window knows its listeners. */
const listen = () => addEventListener("popstate", onPop);

// A reload took away what lay over the page and left its entries: a Back to one of them would do nothing. The build, which renders
// pages ahead, has no history.
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

/** While `isOpen`, the browser's Back calls `onClose` in place of leaving the page. */
export function useLayer(isOpen: boolean, onClose: (() => void) | null): void {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => (isOpen ? add({ close: () => close.current }) : undefined), [isOpen]);
}
