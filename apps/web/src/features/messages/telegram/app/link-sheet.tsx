import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../../lib/api.ts";
import { useCommand } from "../../../../lib/use-command.ts";
import { FormMessage } from "../../../../ui/form-message.tsx";
import { Sheet } from "../../../../ui/sheet.tsx";
import { useToast } from "../../../../ui/toasts.tsx";
import { type Me, meQuery } from "../../../access/auth/index.ts";
import { telegramQuery } from "../queries.ts";
import { keepOffer, useOffer } from "./offer.ts";
import { useAppWords } from "./words.ts";

/** After a sign-in in Telegram: links that account by one press, so that the next opening signs in. */
export function LinkSheet({ me }: { me: Me }) {
  const words = useAppWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const offer = useOffer();
  const [isOver, setIsOver] = useState(false);
  const link = useCommand({
    mutationFn: (ticket: string) => api("POST /auth/telegram/app/link", { body: { ticket } }),
    onSuccess: () => {
      keepOffer(null);
      void toast("good", words.linked);
      void queryClient.invalidateQueries({ queryKey: telegramQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  // The charter comes first, and lies beneath whatever else opens.
  if (offer === null || isOver || me.telegramConnected || !me.hasAcceptedRules) return null;
  return (
    <Sheet
      small
      onClose={() => setIsOver(true)}
      title={words.linkTitle}
      footer={
        <Button fullWidth size="lg" loading={link.isPending} onClick={() => link.mutate(offer.ticket)}>
          {words.link}
        </Button>
      }
    >
      <p>{words.linkLead(offer.account, me.username)}</p>
      <FormMessage error={link.error} failed={words.linkFailed} />
    </Sheet>
  );
}
