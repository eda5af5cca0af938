import { RULE_TYPES, type RuleType } from "@krug/domain/access-rules";
import { NativeSelect, Textarea } from "@mantine/core";
import { IconChevronDown, IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf, eachBy } from "../../../lib/use-draft.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { groupsQuery } from "../../members/groups/index.ts";
import { MemberField, type Named } from "../../members/member-field/index.ts";
import { RULES } from "./key.ts";
import classes from "./rules.module.css";
import { readTargets } from "./targets.ts";
import { useRulesWords } from "./words.ts";

/** A network so wide that it covers most of the internet. */
const IS_WIDE = /\/[0-4]$/;
const HAS_LETTER = /\p{L}/u;

/** One rule for each target. A member of staff may make more than this in a minute. */
const MOST_AT_ONCE = 50;
/** How many wrong items are named. */
const NAMED = 5;

interface Values {
  type: RuleType;
  target: string;
  appliesTo: "all" | "selected" | "group";
  chosen: Named[];
  groupId: string;
}

/** New rules, one for each target: which target, which list, and for whom (specification, operator's side 2). */
export function AddDialog({ type: first, onClose }: { type: RuleType; onClose: () => void }) {
  const { form: words, lists } = useRulesWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [type, setType] = useState<RuleType>(first);
  const [target, setTarget] = useState("");
  const [shown, setShown] = useState(false);
  const { targets, wrong } = useMemo(() => readTargets(target), [target]);
  const [appliesTo, setAppliesTo] = useState<Values["appliesTo"]>("all");
  const [chosen, setChosen] = useState<Named[]>([]);
  const [groupId, setGroupId] = useState("");
  const { viewedRole } = useViewed();
  // Without an answer, or without groups, the other two are offered.
  const groups = useQuery(groupsQuery(viewedRole)).data ?? [];
  const group = groups.find(({ id }) => id === groupId) ?? groups[0];
  const whom = { all: "all" as const, selected: chosen.map(({ id }) => id), group: { groupId: group?.id ?? "" } };
  const adding = useCommand({
    mutationFn: async () => {
      const added: string[] = [];
      for (const [place, each] of targets.entries()) {
        const rule = await api("POST /admin/rules", {
          body: { type, target: each, appliesTo: whom[appliesTo] },
        });
        added.push(rule.target);
        // The field keeps the targets that have no rule yet.
        if (targets.length > 1) setTarget(targets.slice(place + 1).join("\n"));
      }
      return added;
    },
    onSuccess: (added) => {
      void toast("good", added.length === 1 ? words.done(added[0] ?? "") : words.doneSeveral(added.length));
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: RULES }),
  });
  const problems = [
    ...wrong.slice(0, NAMED).map(({ text }) => words.wrong(text)),
    ...(wrong.length > NAMED ? [words.andMore(wrong.length - NAMED)] : []),
    ...(targets.length > MOST_AT_ONCE ? [words.tooMany(targets.length, MOST_AT_ONCE)] : []),
  ];
  const isEmpty =
    targets.length + wrong.length === 0 ||
    (appliesTo === "selected" && chosen.length === 0) ||
    (appliesTo === "group" && group === undefined);
  return (
    <FormSheet
      draft={draftOf<Values>(
        "rule.new",
        { type, target, appliesTo, chosen, groupId },
        { type: first, target: "", appliesTo: "all", chosen: [], groupId: "" },
        eachBy({ type: setType, target: setTarget, appliesTo: setAppliesTo, chosen: setChosen, groupId: setGroupId }),
      )}
      asksBeforeLoss
      title={words.title}
      onClose={onClose}
      submit={{ label: words.create, working: words.working, busy: adding.isPending, disabled: isEmpty }}
      onSubmit={() => {
        setShown(true);
        if (problems.length === 0) adding.mutate();
      }}
    >
      <Segments
        label={words.type}
        value={type}
        onChange={setType}
        choices={RULE_TYPES.map((value) => ({ value, label: lists[value] }))}
      />
      <Textarea
        label={words.target}
        description={HAS_LETTER.test(target.split(/[/:]/).at(-1) ?? "") ? words.domainHint : words.targetHint}
        value={target}
        onChange={(event) => {
          setTarget(event.currentTarget.value);
          adding.reset();
          setShown(false);
        }}
        error={
          shown && problems.length > 0
            ? problems.map((problem) => (
                <span key={problem} className={classes.problem}>
                  {problem}
                </span>
              ))
            : adding.isError
        }
        rows={Math.min(8, target.split("\n").length)}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      {targets.length > 1 && <p className={classes.quiet}>{words.several(targets.length)}</p>}
      {type === "blacklist" && targets.some((each) => IS_WIDE.test(each)) && (
        <Banner tone="move" live title={words.wide} />
      )}
      <Segments
        label={words.appliesTo}
        value={appliesTo}
        onChange={setAppliesTo}
        choices={[
          { value: "all", label: words.all },
          ...(groups.length > 0 || appliesTo === "group" ? [{ value: "group" as const, label: words.group }] : []),
          { value: "selected", label: words.selected },
        ]}
      />
      {appliesTo === "group" && (
        <NativeSelect
          label={words.group}
          description={words.groupHint}
          rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
          value={group?.id ?? ""}
          onChange={(event) => setGroupId(event.currentTarget.value)}
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
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
      <FormMessage error={adding.error} failed={words.failed} reason />
    </FormSheet>
  );
}
