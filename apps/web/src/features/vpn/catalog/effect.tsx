import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { api, withReason } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { Banner } from "../../../ui/banner.tsx";
import classes from "./catalog.module.css";
import { CATALOG, type Entry } from "./queries.ts";
import { useCatalogWords } from "./words.ts";

const TYPING_MS = 400;

interface Props {
  entry: Entry;
  ips: readonly string[];
  /** Instead, of a service with sources: the panel adds their networks. null: unchanged. */
  text?: { typed: string; allBut: boolean } | null;
}

/** Whom another list of addresses touches, counted by the panel while one edits (decisions, section 6). */
export function Effect({ entry, ips, text }: Props) {
  const { edit: words } = useCatalogWords();
  const { failure } = useText();
  const [wished] = useDebouncedValue(text === undefined ? ips.join(",") : JSON.stringify(text), TYPING_MS);
  const isChanged = wished !== (text === undefined ? entry.ips.join(",") : "null");
  const effect = useQuery({
    queryKey: [...CATALOG, "effect", entry.id, wished],
    queryFn: async ({ signal }) => {
      const to = { params: { id: entry.id }, signal };
      if (text !== undefined)
        return api("POST /services/{id}/effect", { ...to, body: JSON.parse(wished) as NonNullable<typeof text> });
      const body = { ips: wished.split(",") };
      return entry.kind === "service"
        ? api("POST /services/{id}/effect", { ...to, body })
        : { ...(await api("POST /dns/{id}/effect", { ...to, body })), phonesOver: 0 };
    },
    enabled: isChanged,
    gcTime: 0,
  });
  if (!isChanged) return null;
  if (effect.isError)
    return <p className={classes.hint}>{withReason(words.effectFailed, effect.error, failure.silent)}</p>;
  if (!effect.data)
    return (
      <p className={classes.hint} role="status">
        {words.effectWaiting}
      </p>
    );
  const { toDownload, phonesOver } = effect.data;
  return (
    <>
      {toDownload > 0 ? (
        <Banner tone="move" live title={words.effect(toDownload)}>
          {words.effectMore}
        </Banner>
      ) : (
        <p className={classes.hint} role="status">
          {words.effectNone}
        </p>
      )}
      {phonesOver > 0 && (
        <Banner tone="move" live title={words.phonesOver(phonesOver)}>
          {words.phonesOverMore}
        </Banner>
      )}
    </>
  );
}
