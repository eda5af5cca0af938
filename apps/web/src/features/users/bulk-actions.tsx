import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Sheet, SheetActions } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { BlockQuestion } from "./block-dialog.tsx";
import { type ListedMember, MEMBERS } from "./queries.ts";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

type Bulk = Api["POST /admin/users/bulk"];

const PERIODS = ["30", "90", "365"] as const;

/** Actions on all selected members at once; those left out are named with the reason. */
export function BulkActions({ members, onDone }: { members: readonly ListedMember[]; onDone: () => void }) {
  const { actions, bulk: words } = useUsersWords();
  const { common, failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Bulk["body"]["action"] | null>(null);
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>("30");
  const [configsToo, setConfigsToo] = useState(true);
  const blocked = members.filter(({ isActive }) => !isActive);
  const acting = useCommand({
    mutationFn: (body: Omit<Bulk["body"], "ids">) => {
      const meant = body.action === "unblock" ? blocked : members;
      return api("POST /admin/users/bulk", { body: { ids: meant.map(({ id }) => id), ...body } });
    },
    onSuccess: ({ changed, refused }) => {
      void queryClient.invalidateQueries({ queryKey: MEMBERS });
      if (refused.length > 0) return;
      void toast("good", words.done(changed.length));
      setAsked(null);
      onDone();
    },
    onError: (error, { action }) => {
      // The others say it in their questions.
      if (action === "unblock") void toast("bad", explain(error, words.failed, failure.silent));
    },
  });
  const close = () => {
    setAsked(null);
    acting.reset();
  };
  const bad = acting.error && explain(acting.error, words.failed, failure.silent);
  const refused = acting.data?.refused ?? [];
  const nameOf = (id: string) => members.find((member) => member.id === id)?.displayName ?? id;

  return (
    <>
      <Button variant="subtle" onClick={() => setAsked("extend")}>
        {actions.extend}
      </Button>
      <Button variant="subtle" data-danger onClick={() => setAsked("block")}>
        {actions.block}
      </Button>
      {blocked.length > 0 && (
        <Button
          variant="subtle"
          loading={asked === "unblock" && acting.isPending}
          onClick={() => {
            setAsked("unblock");
            acting.mutate({ action: "unblock" });
          }}
        >
          {actions.unblock}
        </Button>
      )}
      {asked !== null && refused.length > 0 ? (
        <Sheet
          opened
          small
          title={words.partly(acting.data?.changed.length ?? 0, refused.length)}
          onClose={() => {
            close();
            onDone();
          }}
        >
          <p>{words.refused}</p>
          <ul className={classes.refused}>
            {refused.map(({ id, message }) => (
              <li key={id}>
                {nameOf(id)}
                <span>{message}</span>
              </li>
            ))}
          </ul>
        </Sheet>
      ) : asked === "extend" ? (
        <Sheet opened onClose={close} title={words.extendTitle(members.length)} small>
          <div className={classes.pair}>
            <p>{words.extendLead}</p>
            <Segments
              label={words.period}
              value={period}
              onChange={setPeriod}
              choices={PERIODS.map((value) => ({ value, label: words.days(Number(value)) }))}
            />
            <FormMessage bad={bad} />
            <SheetActions>
              <Button variant="subtle" onClick={close}>
                {common.cancel}
              </Button>
              <SubmitButton
                type="button"
                size="sm"
                busy={acting.isPending}
                label={words.extend}
                working={words.extending}
                onClick={() => acting.mutate({ action: "extend", days: Number(period) })}
              />
            </SheetActions>
          </div>
        </Sheet>
      ) : asked === "block" ? (
        <BlockQuestion
          title={words.blockTitle(members.length)}
          configsToo={configsToo}
          onConfigsToo={setConfigsToo}
          onClose={close}
          onConfirm={() => acting.mutate({ action: "block", blockConfigs: configsToo })}
          busy={acting.isPending}
          bad={bad}
        />
      ) : null}
    </>
  );
}
