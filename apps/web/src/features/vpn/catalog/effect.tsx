import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { withReason } from "../../../lib/with-reason.ts";
import { Banner } from "../../../ui/banner.tsx";
import classes from "./catalog.module.css";
import { CATALOG, type Entry } from "./queries.ts";
import { useCatalogWords } from "./words.ts";

const TYPING_MS = 400;

/** Whom another list of addresses touches, counted by the panel while one edits (decisions, section 6). */
export function Effect({ entry, ips }: { entry: Entry; ips: readonly string[] }) {
  const { edit: words } = useCatalogWords();
  const { failure } = useText();
  const [wished] = useDebouncedValue(ips.join(","), TYPING_MS);
  const isChanged = wished !== entry.ips.join(",");
  const effect = useQuery({
    queryKey: [...CATALOG, "effect", entry.id, wished],
    queryFn: async ({ signal }) => {
      const wish = { params: { id: entry.id }, body: { ips: wished.split(",") }, signal };
      return entry.kind === "service"
        ? api("POST /services/{id}/effect", wish)
        : { ...(await api("POST /dns/{id}/effect", wish)), phonesOver: 0 };
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
