import { Button } from "@mantine/core";
import { reached } from "../../../lib/base.ts";
import { clock } from "../../../lib/format.ts";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { PictureLink } from "../../../ui/picture-link.tsx";
import { Ring } from "../../../ui/ring.tsx";
import type { Line, Message } from "./line.ts";
import classes from "./message-list.module.css";
import type { Letter } from "./outbox.ts";

/** A message in the thread: the other side's on the left, own ones on the right (specification, member's side 2). */
export function MessageView({ line, message, showState }: { line: Line; message: Message; showState: boolean }) {
  const words = useSupportWords();
  const { isAdmin, content, attachments, createdAt, readAt } = message;
  const time = clock(Date.parse(createdAt));
  const isOwn = isAdmin === line.isStaff;
  return (
    <article className={classes.message} data-own={isOwn || undefined}>
      <p className={classes.from}>
        <b>{line.nameOf(message)}</b> <time dateTime={createdAt}>{time}</time>
        {showState && isOwn && <span> · {readAt ? words.seen : words.sent}</span>}
      </p>
      <Body content={content}>
        {attachments.map((path, index) => (
          <PictureLink
            key={path}
            address={reached(path)}
            title={words.imageOf(index + 1)}
            label={words.openImage(index + 1)}
            className="k-focus"
          >
            <img src={reached(path)} alt={words.imageOf(index + 1)} loading="lazy" />
          </PictureLink>
        ))}
      </Body>
    </article>
  );
}

interface LetterProps {
  line: Line;
  letter: Letter;
  onRetry: () => void;
  onDiscard: () => void;
}

/** A message without confirmation: being sent, or failed with the reason. */
export function LetterView({ line, letter, onRetry, onDiscard }: LetterProps) {
  const words = useSupportWords();
  const failed = letter.state === "failed";
  return (
    <article className={classes.message} data-own data-failed={failed || undefined}>
      <p className={classes.from}>
        <b>{line.ownName}</b> <time>{clock(letter.writtenAtMs)}</time>
        <span> · {failed ? words.notSent : words.sending}</span>
      </p>
      <Body content={letter.content}>
        {letter.images.map((dataUrl, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the images of a letter stay as they are
          <img key={index} src={dataUrl} alt={words.imageOf(index + 1)} />
        ))}
      </Body>
      {failed && (
        <div className={classes.failed}>
          <p role="alert">
            <Ring state="bad" size={18} />
            {letter.reason ? `${words.sendFailed}. ${letter.reason}` : words.sendFailed}
          </p>
          <Button variant="default" size="sm" onClick={onRetry}>
            {words.retry}
          </Button>
          <Button variant="subtle" size="sm" onClick={onDiscard}>
            {words.discard}
          </Button>
        </div>
      )}
    </article>
  );
}

function Body({ content, children }: { content: string; children: React.ReactNode[] }) {
  return (
    <div className={classes.body}>
      {content !== "" && <p className={classes.content}>{content}</p>}
      {children.length > 0 && <div className={classes.images}>{children}</div>}
    </div>
  );
}
