import type { Api } from "@krug/contract/api";
import { api } from "../../../lib/api.ts";
import type { Offer } from "./offer.ts";

type Undone = Api["POST /admin/payments/undo"]["answer"];

/** Some members at a time, to the last. A repeated call is safe. */
export async function undo({ of, act }: Offer): Promise<Omit<Undone, "after">> {
  let undone = 0;
  const refused: Undone["refused"] = [];
  for (let after: string | null = null; ; ) {
    const answer: Undone = await api(`POST /admin/${of}/undo`, { body: { act, after } });
    undone += answer.undone;
    refused.push(...answer.refused);
    after = answer.after;
    if (after === null) return { undone, refused };
  }
}
