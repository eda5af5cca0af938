import type { Api } from "@krug/contract/api";
import { moneyText } from "@krug/domain/money-text";
import { Button } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { apiPage, type Page } from "../../../lib/api.ts";
import { clubDay, longDay, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { makeWords } from "../../../lib/i18n/words.ts";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { ledger as ru } from "./ledger-words-ru.ts";
import { monthText } from "./wording.ts";

type OwnEntry = Api["GET /payments/ledger"]["answer"][number];
type Entry = OwnEntry & Partial<Pick<Api["GET /admin/payments/members/{id}/ledger"]["answer"][number], "by">>;

const useLedgerWords = makeWords(ru, () => import("./ledger-words-en.ts").then(({ ledger }) => ledger));
const PAGE_SIZE = 20;

interface Props {
  /** null: one's own. */
  member: { id: string; as?: "moderator" } | null;
  /** The key of the queries that change with it. */
  within: readonly unknown[];
  nowMs: number;
}

const ledgerQuery = ({ member, within }: Omit<Props, "nowMs">) =>
  infiniteQueryOptions({
    queryKey: [...within, "ledger", member],
    queryFn: ({ signal, pageParam }): Promise<Page<Entry[]>> => {
      const query = { limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) };
      if (member === null) return apiPage("GET /payments/ledger", { query, signal });
      const { id, ...as } = member;
      return apiPage("GET /admin/payments/members/{id}/ledger", { params: { id }, query: { ...query, ...as }, signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });

/** What was paid, granted and taken back, folded until somebody asks; the newest line leads to the subscription's end (ADR 171). */
export function LedgerOf(props: Props) {
  const words = useLedgerWords();
  const [isOpen, setOpen] = useState(false);
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <div>
      <Button
        variant="subtle"
        data-flush="always"
        aria-expanded={isOpen}
        rightSection={<Icon size={18} stroke={1.6} aria-hidden="true" />}
        onClick={() => setOpen(!isOpen)}
      >
        {words.open}
      </Button>
      {isOpen && <Entries {...props} />}
    </div>
  );
}

function Entries({ nowMs, ...whose }: Props) {
  const { language } = useSpeech();
  const say = useLedgerWords();
  const list = useInfiniteQuery(ledgerQuery(whose));
  const entries = list.data?.pages.flatMap(({ rows }) => rows);
  return (
    <>
      <Loading of={list} failed={say.failed} room={120} />
      {entries?.length === 0 && <p>{say.none}</p>}
      <Lines>
        {entries?.map((entry) => (
          <Line key={entry.number} much={<Much entry={entry} nowMs={nowMs} />}>
            <b>{entry.kind === "extension" && entry.isGift ? say.gift : say.kinds[entry.kind]}</b>
            {entry.period !== null && (
              <span>{say.monthsFrom(entry.months ?? 1, monthText(entry.period, language))}</span>
            )}
            <span>
              {entry.endAfter === entry.endBefore
                ? say.same
                : entry.endAfter === null
                  ? say.nothing
                  : say.until(writtenDay(clubDay(entry.endAfter), nowMs, language))}
            </span>
          </Line>
        ))}
      </Lines>
      {list.hasNextPage && (
        <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {say.older}
        </Button>
      )}
    </>
  );
}

function Much({ entry: { amount, currency, at, by }, nowMs }: { entry: Entry; nowMs: number }) {
  const { language } = useSpeech();
  const words = useLedgerWords();
  const day = longDay(new Date(at), nowMs, language);
  return (
    <>
      {amount !== null && currency !== null && moneyText(amount, currency, language)}
      <span>{by === undefined ? day : `${day}, ${by?.displayName ?? words.panel}`}</span>
    </>
  );
}
