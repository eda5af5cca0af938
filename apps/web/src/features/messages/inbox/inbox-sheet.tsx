import { traitsOf } from "@krug/domain/notices";
import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "../../../lib/api.ts";
import { ageText, moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { DoorLink } from "../../../ui/door-link.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { openSupport } from "../support/index.ts";
import classes from "./inbox.module.css";
import { type Notice, noticesQuery, unreadQuery } from "./queries.ts";
import { useRenderNotice } from "./use-render-notice.ts";
import { useInboxWords } from "./words.ts";

type Door = NonNullable<ReturnType<typeof traitsOf>["door"]>;
/** What the dashboard opens besides support. */
export type Doors = Readonly<Record<Exclude<Door, "support">, () => void>>;

/** The club's notices, newest first. Those shown count as seen. */
export function InboxSheet({ doors, onClose }: { doors: Doors; onClose: () => void }) {
  const words = useInboxWords();
  const nowMs = useNow(15_000);
  const queryClient = useQueryClient();
  const list = useInfiniteQuery(noticesQuery);
  const notices = list.data?.pages.flatMap(({ rows }) => rows) ?? [];
  // Notices that were new when it was opened stay marked until it is closed.
  const fresh = useRef(new Set<string>());
  for (const { id, readAt } of notices) if (readAt === null) fresh.current.add(id);
  const { mutate: read, isSuccess: isRead } = useCommand({
    mutationFn: (ids?: string[]) => api("POST /inbox/read", { body: ids === undefined ? {} : { ids } }),
    onSuccess: (answer) => queryClient.setQueryData(unreadQuery.queryKey, answer),
  });
  const unseen = notices
    .filter(({ readAt }) => readAt === null)
    .map(({ id }) => id)
    .join(" ");
  useEffect(() => {
    if (unseen !== "") read(unseen.split(" "));
  }, [unseen, read]);
  const unread = useQuery({ ...unreadQuery, enabled: false }).data?.unread ?? 0;
  const open = (door: Door) => {
    onClose();
    if (door === "support") openSupport();
    else doors[door]();
  };
  return (
    <Sheet onClose={onClose} title={words.title}>
      <Loading of={list} failed={words.failed} label={words.loading} />
      {list.data && notices.length === 0 && (
        <div className={classes.empty}>
          <Ring state="never" size={56} />
          <p>{words.empty}</p>
          <p className={classes.more}>{words.emptyLead}</p>
        </div>
      )}
      {/* More than shown here, so that nobody has to press for page after page. */}
      {(unseen === "" || isRead) && unread > 0 && (
        <Button variant="subtle" className={classes.all ?? ""} onClick={() => read(undefined)}>
          {words.readAll(unread)}
        </Button>
      )}
      <ul className={classes.notices}>
        {notices.map((notice) => (
          <Told key={notice.id} notice={notice} nowMs={nowMs} isFresh={fresh.current.has(notice.id)} onOpen={open} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          variant="outline"
          fullWidth
          aria-disabled={list.isFetchingNextPage || undefined}
          onClick={() => list.isFetchingNextPage || void list.fetchNextPage()}
        >
          {list.isFetchingNextPage ? words.loading : words.more}
        </Button>
      )}
    </Sheet>
  );
}

const AREA = "/admin/";

interface ToldProps {
  notice: Notice;
  nowMs: number;
  isFresh: boolean;
  onOpen: (door: Door) => void;
}

function Told({ notice, nowMs, isFresh, onOpen }: ToldProps) {
  const words = useInboxWords();
  const { text, language } = useSpeech();
  const { ring, title, more } = useRenderNotice()(notice, nowMs);
  const { door, page } = traitsOf(notice.kind);
  const at = Date.parse(notice.createdAt);
  return (
    <li className={classes.notice}>
      <Ring state={ring} size={24} />
      <div>
        <p className={classes.title}>
          {title}
          {isFresh && <span className={classes.fresh}>{words.fresh}</span>}
        </p>
        <p className={classes.words}>{more}</p>
        {door && (
          <Button variant="outline" onClick={() => onOpen(door)}>
            {words.doors[door]}
          </Button>
        )}
        {page?.startsWith(AREA) && (
          <DoorLink to="/admin/$" params={{ _splat: page.slice(AREA.length) }}>
            {words.toPage}
          </DoorLink>
        )}
        <time className={classes.more} dateTime={notice.createdAt} title={moment(at, language)}>
          {ageText(at, nowMs, text.age)}
        </time>
      </div>
    </li>
  );
}
