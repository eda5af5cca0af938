import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import type { Me } from "../../access/auth/index.ts";
import { Conversation, type TicketId } from "../conversation/index.ts";
import { takeAsked, useAsked } from "./asked.ts";
import { ownLine } from "./own-line.ts";

interface Props {
  me: Me;
  ticketId: TicketId;
  /** Replaces the text box: why nothing can be written here. */
  closed?: React.ReactNode;
}

/** A member's own thread. A question prepared by another part of the page is put into the chat's text box. */
export function OwnConversation({ me, ticketId, closed }: Props) {
  const words = useSupportWords();
  const queryClient = useQueryClient();
  const line = useMemo(() => ownLine(me, ticketId, words, queryClient), [me, ticketId, words, queryClient]);
  const { text } = useAsked();
  const begun = useMemo(() => ({ text: ticketId === null ? text : null, taken: takeAsked }), [ticketId, text]);
  return <Conversation line={line} closed={closed} begun={begun} />;
}
