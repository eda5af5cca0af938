import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf, eachBy } from "../../../lib/use-draft.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { type Interface, planQuery } from "../servers/index.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";
import { FIRST_PROFILE, ProfileFields } from "./profile-fields.tsx";

interface Props {
  row: Interface;
  onClose: () => void;
  onDone: () => void;
}

const DAYS = { least: 1, most: 60, usual: 14 };

/** New parameters on a second interface, to which the devices move without being cut off. */
export function RotateDialog({ row, onClose, onDone }: Props) {
  const { rotate: words } = useAmneziaWords();
  const toast = useToast();
  const plan = useQuery(planQuery({ kind: "interface", id: row.id, name: row.name }));
  const first = {
    profile: { ...FIRST_PROFILE, version: row.amneziawg?.version ?? FIRST_PROFILE.version },
    days: String(DAYS.usual),
  };
  const [profile, setProfile] = useState(first.profile);
  const [days, setDays] = useState(first.days);
  const [tried, setTried] = useState(false);
  const count = /^\d{1,2}$/.test(days.trim()) ? Number(days) : 0;
  const isWrong = count < DAYS.least || count > DAYS.most;
  const beginning = useCommand({
    mutationFn: () =>
      api("POST /admin/servers/interfaces/{id}/rotate", { params: { id: row.id }, body: { ...profile, days: count } }),
    onSuccess: () => {
      void toast("good", words.begun(row.name));
      onDone();
    },
  });
  return (
    <FormSheet
      draft={draftOf(`rotation.${row.id}`, { profile, days }, first, eachBy({ profile: setProfile, days: setDays }))}
      asksBeforeLoss
      title={words.title(row.name)}
      onClose={onClose}
      submit={plan.data ? { label: words.submit, working: words.working, busy: beginning.isPending } : null}
      onSubmit={() => {
        setTried(true);
        if (!isWrong && !beginning.isPending) beginning.mutate();
      }}
    >
      <Loading of={plan} failed={words.planFailed} label={words.loading} room={320} />
      {plan.data && (
        <>
          <p>{words.lead}</p>
          <p>{words.told(plan.data.devices - plan.data.keysInBrowser)}</p>
          {plan.data.keysInBrowser > 0 && <p>{words.stay(plan.data.keysInBrowser)}</p>}
          <ProfileFields serverId={row.serverId} profile={profile} onChange={setProfile} />
          <TextInput
            label={words.days}
            description={words.daysHint}
            inputMode="numeric"
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
            error={tried && isWrong ? words.daysWrong : null}
            autoComplete="off"
            maxLength={2}
          />
          <Hint>{words.port}</Hint>
        </>
      )}
      <FormMessage error={beginning.error} failed={words.failed} reason />
    </FormSheet>
  );
}
