import { NoAnswer } from "../lib/api.ts";
import type { CodeTrouble } from "../lib/code.ts";
import { Crash } from "./crash.tsx";

/** Replaces a page whose code does not load. The page opens by itself. */
export const PageComing = ({ trouble }: { trouble: CodeTrouble | null }) =>
  trouble && <Crash error={trouble === "silent" ? new NoAnswer("unreachable") : trouble} />;
