import { ApiError } from "../../../lib/api.ts";

interface Wish {
  name: string;
  /** The reason it cannot be done at all; null if it can. */
  why: string | null;
  run: () => Promise<unknown>;
}

export interface Left {
  name: string;
  why: string;
}

/** Does something for members one after another, each in its own call. Those for whom it cannot be done are left out, with the reason. */
export async function oneByOne(
  wishes: readonly Wish[],
  { explain, onReached }: { explain: (error: ApiError) => string; onReached: (count: number) => void },
): Promise<{ done: number[]; left: Left[] }> {
  const done: number[] = [];
  const left: Left[] = [];
  for (const [place, { name, why, run }] of wishes.entries()) {
    if (why !== null) left.push({ name, why });
    else
      try {
        await run();
        done.push(place);
      } catch (error) {
        // If the panel does not answer, the rest would fail too. Another press continues with them.
        if (!(error instanceof ApiError)) throw error;
        left.push({ name, why: explain(error) });
      }
    onReached(done.length + left.length);
  }
  return { done, left };
}
