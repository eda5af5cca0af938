import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from "react";
import { clubNow } from "../../../lib/club-clock.ts";
import { dayText } from "../../../lib/format.ts";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Ring } from "../../../ui/ring.tsx";
import type { Line } from "./line.ts";
import { LetterView, MessageView } from "./message.tsx";
import classes from "./message-list.module.css";
import type { Letter } from "./outbox.ts";
import { type Thread, withOlder } from "./thread.ts";
import { useSeen } from "./use-seen.ts";

interface Props {
  line: Line;
  /** Undefined until it is known. */
  thread: Thread | undefined;
  broken: Error | null;
  onReload: () => void;
  reloading: boolean;
  letters: readonly Letter[];
  onRetry: (letter: Letter) => void;
  onDiscard: (letter: Letter) => void;
}

/** Within this distance of its end the list counts as read to the end, and of its beginning it loads more, px. */
const NEAR_END = 48;
const NEAR_START = 160;

export function MessageList({ line, thread, broken, onReload, reloading, letters, onRetry, onDiscard }: Props) {
  const words = useSupportWords();
  const { language, text } = useSpeech();
  const queryClient = useQueryClient();
  const list = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const messages = thread?.messages ?? [];
  useSeen(line, messages, atEnd);

  const older = useCommand({
    mutationFn: () => line.read({ before: messages[0]?.sequence ?? 1, background: true }),
    onSuccess: (page) => queryClient.setQueryData<Thread>(line.queryKey, (known) => known && withOlder(known, page)),
  });
  const askOlder = () => {
    if (thread?.hasOlder && !older.isPending) older.mutate();
  };

  const drawn = useRef({ height: 0, first: 0, letters: 0 });
  useLayoutEffect(() => {
    const box = list.current;
    if (box === null) return;
    const first = messages[0]?.sequence ?? 0;
    const before = drawn.current;
    // Older messages above move nothing in view. A reader at the end stays there. Sending scrolls to the end.
    if (first < before.first && !atEnd) box.scrollTop += box.scrollHeight - before.height;
    else if (atEnd || letters.length > before.letters) box.scrollTop = box.scrollHeight;
    drawn.current = { height: box.scrollHeight, first, letters: letters.length };
  }, [messages, letters, atEnd]);

  // The text box below grows and shrinks. A reader at the end stays there.
  useEffect(() => {
    const box = list.current;
    if (box === null || !atEnd) return;
    const sizes = new ResizeObserver(() => {
      box.scrollTop = box.scrollHeight;
    });
    sizes.observe(box);
    return () => sizes.disconnect();
  }, [atEnd]);

  const nowMs = clubNow();
  const day = (iso: string) => dayText(iso, nowMs, language, text.age);
  const newest = messages.at(-1);

  return (
    <div className={classes.frame}>
      <div
        ref={list}
        role="log"
        aria-label={words.log}
        aria-busy={older.isPending || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className={classes.list}
        onScroll={({ currentTarget: box }) => {
          setAtEnd(box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END);
          if (box.scrollTop < NEAR_START && !older.isError) askOlder();
        }}
      >
        {thread?.hasOlder && (
          <Button variant="subtle" size="sm" className={classes.older ?? ""} onClick={askOlder}>
            {older.isPending ? words.olderLoading : words.older}
          </Button>
        )}
        {broken && (
          <div className={classes.broken}>
            <FormMessage error={broken} failed={words.loadFailed} />
            <Button variant="default" onClick={onReload}>
              {reloading ? words.olderLoading : words.retry}
            </Button>
          </div>
        )}
        {!thread && !broken && (
          <p className={classes.loading}>
            <Ring state="wait" size={22} />
            {words.loading}
          </p>
        )}
        {thread && messages.length === 0 && letters.length === 0 && (
          <div className={classes.empty}>
            <Ring state="never" size={56} />
            <h3>{line.empty.title}</h3>
            <p>{line.empty.lead}</p>
          </div>
        )}
        {messages.map((message, index) => (
          <Fragment key={message.id}>
            {day(message.createdAt) !== day(messages[index - 1]?.createdAt ?? "") && (
              <p className={classes.day}>{day(message.createdAt)}</p>
            )}
            <MessageView line={line} message={message} showState={message === newest && letters.length === 0} />
          </Fragment>
        ))}
        {letters.map((letter) => (
          <LetterView
            key={letter.key}
            line={line}
            letter={letter}
            onRetry={() => onRetry(letter)}
            onDiscard={() => onDiscard(letter)}
          />
        ))}
      </div>
      {!atEnd && newest && newest.isAdmin !== line.isStaff && newest.readAt === null && (
        <Button
          variant="default"
          className={classes.newBelow ?? ""}
          onClick={() => list.current?.scrollTo({ top: list.current.scrollHeight })}
        >
          {words.newBelow}
        </Button>
      )}
    </div>
  );
}
