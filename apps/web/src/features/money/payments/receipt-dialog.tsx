import { Button } from "@mantine/core";
import { useState } from "react";
import { clubNow } from "../../../lib/club-clock.ts";
import { clubDay, moment, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { PictureLink } from "../../../ui/picture-link.tsx";
import { Sheet, SheetActions } from "../../../ui/sheet.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import classes from "./staff-payments.module.css";
import { type Claim, receiptAddress } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";

interface Props {
  claim: Claim;
  /** null: it is made elsewhere. */
  decision: { busy: boolean; onConfirm: () => void; onDecline: () => void } | null;
  onClose: () => void;
}

/** A receipt as large as the window allows, with the decision to make. */
export function ReceiptDialog({ claim, decision, onClose }: Props) {
  const { receipt: words, queue, unlimitedMember } = useStaffPaymentsWords();
  const { language } = useSpeech();
  const [gone, setGone] = useState(false);
  if (claim.receipt === null) return null;
  const address = receiptAddress(claim.id, claim.receipt);
  return (
    <Sheet
      onClose={onClose}
      title={words.title(claim.displayName)}
      footer={
        decision && (
          <SheetActions>
            <Button variant="outline" size="lg" onClick={decision.onDecline}>
              {queue.decline}
            </Button>
            {!claim.isUnlimited && (
              <SubmitButton
                type="button"
                busy={decision.busy}
                label={queue.confirm}
                working={queue.confirming}
                onClick={decision.onConfirm}
              />
            )}
          </SheetActions>
        )
      }
    >
      {gone ? (
        <Banner tone="move" live title={words.gone} />
      ) : (
        <PictureLink address={address} title={words.alt(claim.displayName)} className={`${classes.receipt} k-focus`}>
          <img src={address} alt={words.alt(claim.displayName)} onError={() => setGone(true)} />
          <span>{words.open}</span>
        </PictureLink>
      )}
      <p className={classes.receiptWords}>
        {moment(Date.parse(claim.claimedAt), language)}
        {claim.isUnlimited
          ? `, ${unlimitedMember}`
          : claim.grantsUntil && `, ${queue.extends(writtenDay(clubDay(claim.grantsUntil), clubNow(), language))}`}
      </p>
    </Sheet>
  );
}
