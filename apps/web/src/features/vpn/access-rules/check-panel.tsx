import { TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useRulesWords } from "./words.ts";
import "../../../ui/form.css";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { asViewed, useViewed } from "../../club/staff/index.ts";
import { MemberField, type Named } from "../../members/member-field/index.ts";
import { CheckResult } from "./check-result.tsx";
import classes from "./rules.module.css";

/** 'Would this member reach this place?', answered by the rules that the servers use. */
export function CheckPanel() {
  const { check: words } = useRulesWords();
  const { viewedRole } = useViewed();
  const [member, setMember] = useState<Named | null>(null);
  const [place, setPlace] = useState("");
  const [missing, setMissing] = useState(false);
  const checking = useCommand({
    mutationFn: (userId: string) =>
      api("GET /admin/rules/check", { query: { userId, target: place.trim(), ...asViewed(viewedRole) } }),
  });
  const submit = () => {
    const isWhole = member !== null && place.trim() !== "";
    setMissing(!isWhole);
    if (isWhole && !checking.isPending) checking.mutate(member.id);
  };
  return (
    <Panel title={words.title}>
      <p className={classes.lead}>{words.lead}</p>
      <form
        className={classes.check}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <MemberField
          label={words.member}
          picked={member}
          onPick={(picked) => {
            setMember(picked);
            checking.reset();
          }}
          error={missing && member === null && words.memberMissing}
        />
        <TextInput
          label={words.place}
          description={words.placeHint}
          value={place}
          onChange={(event) => {
            setPlace(event.currentTarget.value);
            checking.reset();
          }}
          error={missing && place.trim() === "" && words.placeMissing}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
        />
        <SubmitButton
          size="md"
          variant="outline"
          busy={checking.isPending}
          label={words.submit}
          working={words.working}
        />
        <FormMessage error={checking.error} failed={words.failed} reason />
      </form>
      <div role="status">{checking.data && <CheckResult checked={checking.data} />}</div>
    </Panel>
  );
}
