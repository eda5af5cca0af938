import { useEffect, useRef, useState } from "react";

/** How long each of the nine steps lasts, ms (specification, operator's side 2). */
export const STEP_MS = [2000, 3000, 2500, 2000, 1500, 2000, 2500, 2000, 1500] as const;
/** How long the critical error is shown (specification, operator's side 2). */
export const ERROR_MS = 5000;

/** Which step is running, counted from 0; nine while the error is shown after all of them. Then it calls `onReset`. */
export function useWipe(onReset: () => void): number {
  const [step, setStep] = useState(0);
  const reset = useRef(onReset);
  useEffect(() => {
    reset.current = onReset;
  });
  useEffect(() => {
    const goOn = () => (step === STEP_MS.length ? reset.current() : setStep(step + 1));
    const timer = setTimeout(goOn, STEP_MS[step] ?? ERROR_MS);
    return () => clearTimeout(timer);
  }, [step]);
  return step;
}
