import { useEffect } from "react";

/** While `isWanted`, the browser asks before the page is reloaded or left: something on it cannot be retrieved again. */
export function useStay(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isWanted]);
}
