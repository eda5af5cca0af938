import { useEffect } from "react";

/** While `isWanted`, the browser asks before the page is reloaded or left for another one: something on it cannot be had again. */
export function useStay(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isWanted]);
}
