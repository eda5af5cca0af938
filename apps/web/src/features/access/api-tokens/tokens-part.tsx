import { Button } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { ApiError, api } from "../../../lib/api.ts";
import { dotted } from "../../../lib/dotted.ts";
import { ageText, longDay, moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { Ask } from "../../../ui/ask.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import type { Me } from "../auth/index.ts";
import { type ApiToken, apiTokensQuery } from "./queries.ts";
import { TokenDialog } from "./token-dialog.tsx";
import classes from "./tokens-part.module.css";
import { useApiTokenWords } from "./words.ts";

/**
 * Tokens with which a member's own programs call the API: the list, a new one, and revoking each. Everyone may have them and few
 * want them, so the list is folded until there is one.
 */
export function TokensPart({ me }: { me: Me }) {
  const words = useApiTokenWords();
  const list = useQuery(apiTokensQuery);
  const queryClient = useQueryClient();
  const toast = useToast();
  const [making, setMaking] = useState(false);
  const [asked, setAsked] = useState<ApiToken | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const revoke = useCommand({
    mutationFn: async ({ id }: ApiToken) => {
      try {
        await api("DELETE /api-tokens/{id}", { params: { id } });
      } catch (error) {
        // It had already ended, which is the wanted result.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    },
    onSuccess: (_, { id }) => {
      queryClient.setQueryData(apiTokensQuery.queryKey, (tokens) => tokens?.filter((token) => token.id !== id));
      setAsked(null);
      // The pressed button is gone: the focus moves to the head of the list.
      title.current?.focus();
      void toast("good", words.revoked);
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey }),
  });
  return (
    <section className={classes.part} aria-labelledby="api-tokens">
      <details open={list.isError || (list.data !== undefined && list.data.length > 0)}>
        <summary className={`${classes.summary} k-focus`}>
          <h3 id="api-tokens" className={classes.title} ref={title} tabIndex={-1}>
            {words.title}
          </h3>
          <IconChevronDown size={20} stroke={1.6} aria-hidden="true" />
        </summary>
        <p className={classes.lead}>{words.lead}</p>
        {list.isPending && <Waiting room={68} />}
        {list.isError && !list.data && (
          <LoadFailed title={words.failed} error={list.error} onRetry={() => void list.refetch()} />
        )}
        {list.data?.length === 0 && <p className={classes.lead}>{words.none}</p>}
        {list.data !== undefined && list.data.length > 0 && (
          <ul>
            {list.data.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setAsked(token)} />
            ))}
          </ul>
        )}
        <div className={classes.actions}>
          <Button variant="outline" onClick={() => setMaking(true)}>
            {words.make}
          </Button>
          <Button variant="subtle" component="a" href="/api/docs">
            {words.docs}
          </Button>
        </div>
      </details>
      {making && <TokenDialog me={me} onClose={() => setMaking(false)} />}
      <Ask
        opened={asked !== null}
        onClose={() => {
          setAsked(null);
          revoke.reset();
        }}
        title={words.revokeTitle(asked?.name ?? "")}
        text={words.revokeText}
        confirm={words.revoke}
        working={words.revoking}
        danger
        of={revoke}
        failed={words.revokeFailed}
        onConfirm={() => asked !== null && revoke.mutate(asked)}
      />
    </section>
  );
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const words = useApiTokenWords();
  const { text, language } = useSpeech();
  const nowMs = useNow(60_000);
  const { name, scopes, expiresAt, lastUsedAt } = token;
  const used = lastUsedAt === null ? words.unused : words.used(ageText(Date.parse(lastUsedAt), nowMs, text.age));
  return (
    <li className={classes.token}>
      <div className={classes.what}>
        <p>{name}</p>
        <p className={classes.lead} title={moment(Date.parse(expiresAt), language)}>
          {words.until(longDay(new Date(expiresAt), nowMs, language))}, {used}
        </p>
        <p className={classes.lead}>{dotted(scopes.map((scope) => words.scopes[scope]))}</p>
      </div>
      <Button variant="subtle" aria-label={words.revokeOf(name)} onClick={onRevoke}>
        {words.revoke}
      </Button>
    </li>
  );
}
