import type { Api } from "@krug/contract/api";
import { ApiError, api } from "../../../lib/api.ts";

/** `why`: the reason it cannot be done at all. */
interface Wish {
  name: string;
  why: string | null;
  body: Api["PUT /admin/payments/status"]["body"];
}

export interface Left {
  name: string;
  why: string;
}

/** Sets members' months one after another, each in its own call. Those that cannot be set are left out, with the reason. */
export async function setMany(
  wishes: readonly Wish[],
  { explain, onReached }: { explain: (error: ApiError) => string; onReached: (count: number) => void },
): Promise<{ done: number[]; left: Left[] }> {
  const done: number[] = [];
  const left: Left[] = [];
  for (const [place, { name, why, body }] of wishes.entries()) {
    if (why !== null) left.push({ name, why });
    else
      try {
        await api("PUT /admin/payments/status", { body });
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
