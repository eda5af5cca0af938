import { ActionIcon } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { useCsv } from "../../../ui/use-csv.ts";
import { useFold } from "../../../ui/use-fold.tsx";
import classes from "./statistics.module.css";
import { useStatisticsWords } from "./words.ts";

export interface Ranked {
  key: string;
  name: string;
  /** A secondary line: a server's name, or a login. */
  more?: string;
  link?: React.ReactNode;
  configs: number;
  received: number;
  sent: number;
}

interface Props {
  title: string;
  note?: string;
  rows: readonly Ranked[];
  /** The rows of the exported file, if more than are shown. */
  whole?: () => Promise<readonly Ranked[]>;
  file: string;
  /** Ranks are announced, and a file has logins. */
  numbered?: boolean;
}

/** What used the most, first: bars next to their figures. */
export function Ranking({ title, note, rows, whole, file, numbered = false }: Props) {
  const { top: words } = useStatisticsWords();
  const { language } = useSpeech();
  const columns: Column<Ranked>[] = [
    { key: "name", title: words.name, text: ({ name }) => name },
    ...(numbered ? [{ key: "more", title: words.login, text: ({ more }: Ranked) => more ?? "" }] : []),
    { key: "configs", title: words.configCount, text: ({ configs }) => configs },
    { key: "received", title: words.received, text: ({ received }) => received },
    { key: "sent", title: words.sent, text: ({ sent }) => sent },
  ];
  const csv = useCsv({ name: file, columns, page: async () => ({ rows: whole ? await whole() : rows, next: null }) });
  const size = (bytes: number) => sizeText(bytes, language);
  const { shown, more } = useFold(rows, () => false);
  const most = Math.max(1, ...rows.map(({ received, sent }) => received + sent));
  return (
    <Panel
      title={title}
      beside={
        rows.length > 0 && (
          <ActionIcon aria-label={words.csv(title)} title={words.csv(title)} onClick={() => csv.busy || csv.onClick()}>
            {csv.busy ? <Ring state="wait" size={20} /> : <IconDownload size={20} stroke={1.6} />}
          </ActionIcon>
        )
      }
    >
      {rows.length === 0 && <p className={cells.quiet}>{words.nothing}</p>}
      <ol className={classes.ranking} data-numbered={numbered || undefined}>
        {shown.map(({ key, name, more, link, configs, received, sent }) => (
          <li key={key}>
            <span className={classes.who}>
              {link ?? <b>{name}</b>}
              {more && <span>{more}</span>}
            </span>
            <span className={classes.total}>{size(received + sent)}</span>
            <span className={classes.bar} aria-hidden="true">
              <span style={{ width: `${((received + sent) / most) * 100}%` }} />
            </span>
            <span className={classes.figures}>
              {words.configs(configs)}, {words.more(size(received), size(sent))}
            </span>
          </li>
        ))}
      </ol>
      {more}
      {note && rows.length > 0 && <p className={classes.note}>{note}</p>}
    </Panel>
  );
}
