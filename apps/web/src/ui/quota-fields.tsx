import { QUOTA_ENDS, type QuotaEnd } from "@krug/domain/quota-rules";
import { bytesOf, gigabytesOf, isGigabytes } from "../lib/gigabytes.ts";
import { LimitField } from "./limit-field.tsx";
import { Segments } from "./segments.tsx";

/** A traffic quota as form fields. */
export interface WishedQuota {
  hasQuota: boolean;
  /** In units of 1024³ bytes, as typed. */
  gigabytes: string;
  quotaAtEnd: QuotaEnd;
}

export const quotaFields = (quotaBytes: number | null, quotaAtEnd: QuotaEnd): WishedQuota => ({
  hasQuota: quotaBytes !== null,
  gigabytes: quotaBytes === null ? "" : gigabytesOf(quotaBytes),
  quotaAtEnd,
});

/** Bytes; null: any. */
export const quotaOf = ({ hasQuota, gigabytes }: WishedQuota): number | null => (hasQuota ? bytesOf(gigabytes) : null);

/** `seen`: the earlier value. A script may have set less than the form accepts, which is not the editor's mistake. */
export const isQuotaWrong = ({ hasQuota, gigabytes }: WishedQuota, seen?: WishedQuota): boolean =>
  hasQuota && !isGigabytes(gigabytes) && !(seen?.hasQuota && gigabytes === seen.gigabytes);

interface Props {
  value: WishedQuota;
  onChange: (change: Partial<WishedQuota>) => void;
  problem: React.ReactNode;
  words: { gigabytes: string; hint: string; noQuota: string; atEnd: string; choices: Record<QuotaEnd, string> };
}

/** How much traffic a member may use in a month, and what happens when it is used up. */
export function QuotaFields({ value, onChange, problem, words }: Props) {
  return (
    <LimitField
      words={{ label: words.gigabytes, hint: words.hint, none: words.noQuota }}
      isLimited={value.hasQuota}
      typed={value.gigabytes}
      onLimit={(hasQuota) => onChange({ hasQuota })}
      onType={(gigabytes) => onChange({ gigabytes })}
      inputMode="decimal"
      problem={problem}
    >
      {value.hasQuota && (
        <Segments
          label={words.atEnd}
          value={value.quotaAtEnd}
          onChange={(quotaAtEnd) => onChange({ quotaAtEnd })}
          choices={QUOTA_ENDS.toReversed().map((end) => ({ value: end, label: words.choices[end] }))}
        />
      )}
    </LimitField>
  );
}
