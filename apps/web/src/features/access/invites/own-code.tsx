import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { clock } from "../../../lib/format.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useNow } from "../../../lib/use-now.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { ShownCode } from "../../../ui/shown-code.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import type { Me } from "../auth/index.ts";
import { HandOver } from "./hand-over.tsx";
import classes from "./invite-dialog.module.css";
import { ownCodeQuery } from "./queries.ts";

/** The current code with its remaining time, or the button that creates one. */
export function OwnCode({ me, onPay }: { me: Me; onPay: () => void }) {
  const { friends } = useCircle();
  const query = ownCodeQuery(me.id);
  const own = useQuery(query);
  const queryClient = useQueryClient();
  const make = useCommand({
    mutationFn: () => api("POST /users/generate-invite", { body: { userId: me.id, username: me.username } }),
    onSuccess: async (made) => {
      // An earlier request's answer must not remove the new code.
      await queryClient.cancelQueries(query);
      queryClient.setQueryData(query.queryKey, made);
    },
  });

  const { code, expiresAt } = own.data ?? {};
  const endsAtMs = code && expiresAt ? Date.parse(expiresAt) : null;
  const now = useNow(1000, endsAtMs !== null);
  const leftS = endsAtMs === null ? 0 : Math.max(0, Math.ceil((endsAtMs - now) / 1000));
  const over = endsAtMs !== null && leftS === 0;
  useEffect(() => {
    if (over) queryClient.setQueryData(query.queryKey, { expiresAt: null });
  }, [over, queryClient, query.queryKey]);

  if (own.isError && !own.data)
    return <LoadFailed title={friends.codeFailed} error={own.error} onRetry={() => void own.refetch()} />;

  const live = code !== undefined && endsAtMs !== null && !over;
  // Known without asking. The panel decides.
  const onTrial = me.isTrial && me.entitlement.reason === "subscription";
  const isSubscribed = me.entitlement.allowed || me.entitlement.reason === "quota";
  const whyNot = onTrial ? friends.onTrial : isSubscribed ? null : friends.needsSubscription;
  const door = onTrial
    ? friends.doorTrial
    : whyNot
      ? friends.doorSubscription
      : make.error instanceof ApiError
        ? doorOf(make.error.code, friends)
        : null;
  return (
    <section className={classes.code} aria-labelledby="own-code">
      <div className={classes.codeHead}>
        <h3 id="own-code" className={classes.codeTitle}>
          {friends.codeTitle}
        </h3>
        {live && (
          <span className={classes.left} role="timer">
            {friends.left} <strong>{clockFace(leftS)}</strong>
          </span>
        )}
      </div>
      {own.isPending ? (
        <Waiting room={164} />
      ) : (
        <>
          <ShownCode code={live ? code : null} />
          {live ? (
            <HandOver code={code} />
          ) : whyNot ? (
            <Banner
              tone="move"
              title={whyNot}
              action={
                <Button variant="outline" onClick={onPay}>
                  {friends.pay}
                </Button>
              }
            >
              {door}
            </Banner>
          ) : (
            <SubmitButton
              type="button"
              size="sm"
              fullWidth
              busy={make.isPending}
              label={friends.make}
              working={friends.making}
              onClick={() => make.mutate()}
            />
          )}
          {(live || !whyNot) && (
            <p className={classes.terms}>{live ? friends.validUntil(clock(endsAtMs)) : friends.none}</p>
          )}
        </>
      )}
      <FormMessage error={make.error} failed={friends.makeFailed} />
      {door && !whyNot && <p className={classes.terms}>{door}</p>}
    </section>
  );
}

/** No dead ends: whom to ask, if the refusal itself does not say. */
function doorOf(code: string, words: { doorSubscription: string; doorTrial: string }): string | null {
  if (code === "invite.needs_subscription") return words.doorSubscription;
  return code === "invite.on_trial" ? words.doorTrial : null;
}

/** 42128 → "11:42:08" */
function clockFace(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
