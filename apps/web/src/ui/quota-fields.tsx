import { QUOTA_ENDS, type QuotaEnd } from "@krug/domain/quota-rules";
import { TextInput } from "@mantine/core";
import { bytesOf, gigabytesOf, isGigabytes } from "../lib/gigabytes.ts";
import { useSpeedWords } from "../lib/i18n/speed.ts";
import { LimitField } from "./limit-field.tsx";
import { Segments } from "./segments.tsx";
import { isMbit } from "./speed-field.tsx";

/** A traffic quota as form fields. */
export interface WishedQuota {
  hasQuota: boolean;
  /** In units of 1024³ bytes, as typed. */
  gigabytes: string;
  quotaAtEnd: QuotaEnd;
  /** How fast the member is after a quota that slows down, Mbit/s, as typed. */
  slowMbit: string;
}

interface Quota {
  quotaBytes: number | null;
  quotaAtEnd: QuotaEnd;
  quotaSlowMbit: number;
}

export const quotaFields = ({ quotaBytes, quotaAtEnd, quotaSlowMbit }: Quota): WishedQuota => ({
  hasQuota: quotaBytes !== null,
  gigabytes: quotaBytes === null ? "" : gigabytesOf(quotaBytes),
  quotaAtEnd,
  slowMbit: String(quotaSlowMbit),
});

/** Bytes; null: any. */
export const quotaOf = ({ hasQuota, gigabytes }: WishedQuota): number | null => (hasQuota ? bytesOf(gigabytes) : null);

const isSlow = ({ hasQuota, quotaAtEnd }: WishedQuota) => hasQuota && quotaAtEnd === "slow";

/** Mbit/s; `kept`: while it does not matter. */
export const slowOf = (wished: WishedQuota, kept: number): number => (isSlow(wished) ? Number(wished.slowMbit) : kept);

export const isSlowWrong = (wished: WishedQuota): boolean => isSlow(wished) && !isMbit(wished.slowMbit);

/** `seen`: the earlier value. A script may have set less than the form accepts, which is not the editor's mistake. */
export const isQuotaWrong = ({ hasQuota, gigabytes }: WishedQuota, seen?: WishedQuota): boolean =>
  hasQuota && !isGigabytes(gigabytes) && !(seen?.hasQuota && gigabytes === seen.gigabytes);

interface Props {
  value: WishedQuota;
  onChange: (change: Partial<WishedQuota>) => void;
  problem: React.ReactNode;
  isSlowWrong: boolean;
  words: { gigabytes: string; hint: string; noQuota: string; atEnd: string; choices: Record<QuotaEnd, string> };
}

/** How much traffic a member may use in a month, and what happens when it is used up. */
export function QuotaFields({ value, onChange, problem, isSlowWrong, words }: Props) {
  const speed = useSpeedWords();
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
      {isSlow(value) && (
        <TextInput
          label={speed.slow}
          inputMode="numeric"
          value={value.slowMbit}
          onChange={(event) => onChange({ slowMbit: event.currentTarget.value.trim() })}
          error={isSlowWrong && speed.wrong}
          autoComplete="off"
        />
      )}
    </LimitField>
  );
}
