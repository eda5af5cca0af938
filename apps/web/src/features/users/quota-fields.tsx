import { QUOTA_ENDS, type QuotaEnd } from "@krug/domain/quota-rules";
import { Checkbox, TextInput } from "@mantine/core";
import { Segments } from "../../ui/segments.tsx";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

/** A traffic quota as form fields. */
export interface WishedQuota {
  hasQuota: boolean;
  /** Of 1024³ bytes, as typed. */
  gigabytes: string;
  quotaAtEnd: QuotaEnd;
}

const GIGABYTE = 1024 ** 3;
const MOST_GIGABYTES = 1024 ** 2;

export const quotaFields = (quotaBytes: number | null, quotaAtEnd: QuotaEnd): WishedQuota => ({
  hasQuota: quotaBytes !== null,
  gigabytes: quotaBytes === null ? "" : String(Math.round((quotaBytes / GIGABYTE) * 100) / 100),
  quotaAtEnd,
});

const amountOf = (typed: string) => Number(typed.replace(",", "."));

/** Bytes; null: any. */
export const quotaOf = ({ hasQuota, gigabytes }: WishedQuota): number | null =>
  hasQuota ? Math.round(amountOf(gigabytes) * GIGABYTE) : null;

export const isQuotaWrong = ({ hasQuota, gigabytes }: WishedQuota): boolean =>
  hasQuota &&
  !(/^\d+([.,]\d{1,2})?$/.test(gigabytes) && amountOf(gigabytes) > 0 && amountOf(gigabytes) <= MOST_GIGABYTES);

interface Props {
  value: WishedQuota;
  onChange: (change: Partial<WishedQuota>) => void;
  problem: React.ReactNode;
}

/** How much traffic a member may use in a month, and what happens at its end. */
export function QuotaFields({ value, onChange, problem }: Props) {
  const { quota: words, edit } = useUsersWords();
  return (
    <div className={classes.pair}>
      <TextInput
        label={words.gigabytes}
        description={words.hint}
        inputMode="decimal"
        value={value.hasQuota ? value.gigabytes : ""}
        disabled={!value.hasQuota}
        onChange={(event) => onChange({ gigabytes: event.currentTarget.value.trim() })}
        error={problem}
        autoComplete="off"
      />
      <Checkbox
        label={words.noQuota}
        checked={!value.hasQuota}
        onChange={(event) => onChange({ hasQuota: !event.currentTarget.checked })}
      />
      {value.hasQuota && (
        <Segments
          label={edit.quotaAtEnd}
          value={value.quotaAtEnd}
          onChange={(quotaAtEnd) => onChange({ quotaAtEnd })}
          choices={QUOTA_ENDS.toReversed().map((end) => ({ value: end, label: words.choices[end] }))}
        />
      )}
    </div>
  );
}
