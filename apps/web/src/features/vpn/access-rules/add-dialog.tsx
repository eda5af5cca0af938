import { RULE_TYPES, type RuleType } from "@krug/domain/access-rules";
import { readAddressList } from "@krug/wireguard/address-list";
import { TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { withReason } from "../../../lib/with-reason.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { MemberField, type Named } from "../../members/users/index.ts";
import { RULES } from "./key.ts";
import classes from "./rules.module.css";
import { useRulesWords } from "./words.ts";

/** A network so wide that most of the internet is in it. */
const IS_WIDE = /\/[0-4]\s*$/;
const HAS_LETTER = /\p{L}/u;

/** A new rule: what, in which list, and for whom (specification, operator's side 2). */
export function AddDialog({ type: first, onClose }: { type: RuleType; onClose: () => void }) {
  const { form: words, lists } = useRulesWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [type, setType] = useState<RuleType>(first);
  const [target, setTarget] = useState("");
  /** What stands in a list of addresses may have a comment behind it. */
  const meant = readAddressList(target).items.join(", ");
  const [appliesTo, setAppliesTo] = useState<"all" | "selected">("all");
  const [chosen, setChosen] = useState<Named[]>([]);
  const adding = useCommand({
    mutationFn: () =>
      api("POST /admin/rules", {
        body: { type, target: meant, appliesTo: appliesTo === "all" ? "all" : chosen.map(({ id }) => id) },
      }),
    onSuccess: (rule) => {
      void toast("good", words.done(rule.target));
      void queryClient.invalidateQueries({ queryKey: RULES });
      onClose();
    },
  });
  const isEmpty = meant === "" || (appliesTo === "selected" && chosen.length === 0);
  return (
    <FormSheet
      asksBeforeLoss
      title={words.title}
      onClose={onClose}
      submit={{ label: words.create, working: words.working, busy: adding.isPending, disabled: isEmpty }}
      onSubmit={() => adding.mutate()}
    >
      <Segments
        label={words.type}
        value={type}
        onChange={setType}
        choices={RULE_TYPES.map((value) => ({ value, label: lists[value] }))}
      />
      <TextInput
        label={words.target}
        description={HAS_LETTER.test(target.split(/[/:]/).at(-1) ?? "") ? words.domainHint : words.targetHint}
        value={target}
        onChange={(event) => {
          setTarget(event.currentTarget.value);
          adding.reset();
        }}
        error={adding.isError}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={300}
        data-autofocus
      />
      {type === "blacklist" && IS_WIDE.test(meant) && <Banner tone="move" live title={words.wide} />}
      <Segments
        label={words.appliesTo}
        value={appliesTo}
        onChange={setAppliesTo}
        choices={[
          { value: "all", label: words.all },
          { value: "selected", label: words.selected },
        ]}
      />
      {appliesTo === "selected" && (
        <div>
          <MemberField
            label={words.member}
            picked={null}
            onPick={(member) => member && setChosen([...chosen, member])}
            without={chosen.map(({ id }) => id)}
          />
          {chosen.length === 0 ? (
            <p className={classes.quiet}>{words.noneChosen}</p>
          ) : (
            <ul className={classes.chips}>
              {chosen.map((member) => (
                <li key={member.id}>
                  <button
                    type="button"
                    className={`${classes.chip} k-focus`}
                    aria-label={words.unpick(member.displayName)}
                    onClick={() => setChosen(chosen.filter(({ id }) => id !== member.id))}
                  >
                    {member.displayName}
                    <IconX size={16} stroke={1.8} aria-hidden="true" />
                  </button>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      <FormMessage bad={adding.error && withReason(words.failed, adding.error, failure.silent)} />
    </FormSheet>
  );
}
