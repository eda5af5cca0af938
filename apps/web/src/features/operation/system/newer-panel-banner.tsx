import { useQuery } from "@tanstack/react-query";
import { moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { systemQuery } from "../../../lib/system-state.ts";
import { Banner } from "../../../ui/banner.tsx";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

/** Another panel, restored from a backup, has replaced this one. */
export function NewerPanelBanner() {
  const { newerPanel: words } = useSystemWords();
  const { language } = useSpeech();
  const newer = useQuery(systemQuery).data?.newerPanel ?? null;
  if (newer === null) return null;
  return (
    <div className={classes.above}>
      <Banner tone="broken" live title={words.title(moment(Date.parse(newer.since), language))}>
        <p>{words.more(newer.server)}</p>
        <p>{words.back}</p>
      </Banner>
    </div>
  );
}
