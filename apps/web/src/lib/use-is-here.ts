import { useEffect, useState } from "react";
import { presence } from "./presence.ts";

/** Whether somebody has touched or returned to this page within this long. Opening it counts. */
export function useIsHere(withinMs: number): boolean {
  const [isHere, setIsHere] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const note = () => {
      setIsHere(true);
      clearTimeout(timer);
      timer = setTimeout(() => setIsHere(false), withinMs);
    };
    note();
    const stop = presence.onSign(note);
    document.addEventListener("visibilitychange", note);
    return () => {
      clearTimeout(timer);
      stop();
      document.removeEventListener("visibilitychange", note);
    };
  }, [withinMs]);
  return isHere;
}
