import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Composer, type ComposerTool } from "./composer.tsx";
import { type Line, threadQuery, type Written } from "./line.ts";
import { MessageList } from "./message-list.tsx";
import { discard, post, retry, useLetters } from "./outbox.ts";
import { type Thread, withSent } from "./thread.ts";

interface Props {
  line: Line;
  /** Replaces the text box: why nothing can be written here. */
  closed?: React.ReactNode;
  /** An extra tool of the text box. */
  tool?: ComposerTool;
  /** An initial text, and a callback once it was taken. */
  begun?: { text: string | null; taken: () => void };
}

/** A thread, and the box to write into it. Another line is another conversation: give it a key. */
export function Conversation({ line, closed, tool, begun }: Props) {
  const queryClient = useQueryClient();
  const thread = useQuery(threadQuery(line));
  const letters = useLetters(line.writer, line.ticketId);

  const send = async (letter: Written) => {
    const message = await line.send(letter);
    queryClient.setQueryData<Thread>(line.queryKey, (known) => known && withSent(known, message));
    return message;
  };

  return (
    <>
      <MessageList
        line={line}
        thread={thread.data}
        broken={thread.isError ? thread.error : null}
        onReload={() => void thread.refetch()}
        reloading={thread.isFetching}
        letters={letters}
        onRetry={(letter) => retry(line.writer, letter, send)}
        onDiscard={(letter) => discard(line.writer, letter)}
      />
      {closed ?? (
        <Composer
          line={line}
          begun={begun}
          tool={tool}
          onSend={(content, images) => post(line.writer, { ticketId: line.ticketId, content, images }, send)}
        />
      )}
    </>
  );
}
