import type { FileBody } from "@krug/contract/endpoint";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden } from "../../club/rights/index.ts";
import type { PaymentParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ClaimRow } from "./table.ts";

/** A claim and its receipt, as staff find them by its id. */
export function makeStaffClaims({ db, members }: PaymentParts) {
  const find = async (actor: Pick<Actor, "role">, id: string): Promise<ClaimRow | undefined> => {
    const claim = await repository.findClaim(db, id);
    const member = claim === undefined ? undefined : await members.find(db, claim.member_id);
    return member === undefined || isHidden(actor, member) ? undefined : claim;
  };
  return {
    find,
    receipt: async (actor: Pick<Actor, "role">, id: string): Promise<FileBody> => receiptOf(db, await find(actor, id)),
  };
}

export async function receiptOf(db: PaymentParts["db"], claim: ClaimRow | undefined): Promise<FileBody> {
  const receipt = claim?.receipt_id == null ? undefined : await repository.findReceipt(db, claim.receipt_id);
  if (receipt === undefined) refuse("payment.receipt_not_found");
  return { fileName: null, media: receipt.media, content: receipt.picture };
}
