import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import type { Me } from "../auth/index.ts";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import { discard, type Letter, post, retry, useLetters } from "./outbox.ts";
import { type TicketId, threadQuery } from "./queries.ts";
import { type Thread, withSent } from "./thread.ts";

interface Props {
  me: Me;
  ticketId: TicketId;
  /** In place of the text box: why nothing can be written here. */
  closed?: React.ReactNode;
}

/** A thread, and the box to write into it. */
export function Conversation({ me, ticketId, closed }: Props) {
  const queryClient = useQueryClient();
  const thread = useQuery(threadQuery(ticketId));
  const letters = useLetters(me.id, ticketId);

  const send = async ({ key, content, images }: Letter) => {
    const message = await api("POST /support/messages", {
      body: { content, attachments: [...images], ...(ticketId === null ? {} : { ticketId }) },
      idempotencyKey: key,
    });
    const { queryKey } = threadQuery(ticketId);
    queryClient.setQueryData<Thread>(queryKey, (known) => known && withSent(known, message));
    return message;
  };

  return (
    <>
      <MessageList
        me={me}
        ticketId={ticketId}
        thread={thread.data}
        broken={thread.isError ? thread.error : null}
        onReload={() => void thread.refetch()}
        reloading={thread.isFetching}
        letters={letters}
        onRetry={(letter) => retry(me.id, letter, send)}
        onDiscard={(letter) => discard(me.id, letter.key)}
      />
      {closed ?? (
        <Composer
          memberId={me.id}
          ticketId={ticketId}
          onSend={(content, images) => post(me.id, { ticketId, content, images }, send)}
        />
      )}
    </>
  );
}
