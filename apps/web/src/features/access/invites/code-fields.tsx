import { Checkbox, TextInput } from "@mantine/core";
import { placeName } from "../../../lib/place-name.ts";
import { LimitField } from "../../../ui/limit-field.tsx";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useId } from "react";
import { TemplateField } from "../../members/templates/index.ts";
import { useStaffInvitesWords } from "./staff-words.ts";
import "../../../ui/form.css";
import { Segments } from "../../../ui/segments.tsx";
import type { CodeForm, CodeProblems } from "./code-form.ts";
import classes from "./staff-invites.module.css";

interface Props {
  value: CodeForm;
  onChange: (value: CodeForm) => void;
  problems: CodeProblems;
  interfaces: readonly { id: string; name: string; serverName: string; interfaceName: string; isActive: boolean }[];
  usedAlready: number;
}

/** What a code grants and how long it works (specification, operator's side 5). */
export function CodeFields({ value, onChange, problems, interfaces, usedAlready }: Props) {
  const { form: words } = useStaffInvitesWords();
  const problemId = useId();
  const set = (change: Partial<CodeForm>) => onChange({ ...value, ...change });
  const turn = (id: string) =>
    set({
      interfaces: value.interfaces.includes(id)
        ? value.interfaces.filter((taken) => taken !== id)
        : [...value.interfaces, id],
    });
  return (
    <>
      <div className={classes.pair}>
        <Segments
          label={words.gives}
          value={value.gives}
          onChange={(gives) => set({ gives })}
          choices={[
            { value: "days", label: words.byDays },
            { value: "date", label: words.byDate },
            { value: "trial", label: words.byTrial },
          ]}
        />
        {value.gives === "days" && (
          <TextInput
            label={words.days}
            description={words.daysHint}
            inputMode="numeric"
            value={value.days}
            onChange={(event) => set({ days: event.currentTarget.value.trim() })}
            error={problems.days}
          />
        )}
        {value.gives === "date" && (
          <TextInput
            type="date"
            label={words.date}
            value={value.until}
            max="9999-12-31"
            onChange={(event) => set({ until: event.currentTarget.value })}
            error={problems.until}
          />
        )}
        {value.gives === "trial" && <p className={classes.hint}>{words.trialHint}</p>}
      </div>
      <LimitField
        words={{
          label: words.uses,
          hint:
            value.hasLimit && value.maxUses !== "" && Number(value.maxUses) <= usedAlready && usedAlready > 0
              ? words.usesBelow(usedAlready)
              : undefined,
          none: words.noLimit,
        }}
        isLimited={value.hasLimit}
        typed={value.maxUses}
        onLimit={(hasLimit) => set({ hasLimit })}
        onType={(maxUses) => set({ maxUses })}
        problem={problems.maxUses}
      />
      <TextInput
        type="date"
        label={words.expires}
        description={words.expiresHint}
        value={value.expires}
        max="9999-12-31"
        onChange={(event) => set({ expires: event.currentTarget.value })}
        error={problems.expires}
      />
      <TemplateField
        value={value.templateId}
        onChange={(templateId, template) => {
          // Without the template's chosen interface, the code would keep newcomers from it.
          const wanted = interfaces.some(({ id }) => id === template?.interfaceId) ? [template?.interfaceId ?? ""] : [];
          set({ templateId, interfaces: [...new Set([...value.interfaces, ...wanted])] });
        }}
      />
      <fieldset className={classes.choices} aria-describedby={problems.interfaces ? problemId : undefined}>
        <legend className={classes.legend}>{words.interfaces}</legend>
        <p className={classes.hint}>{words.interfacesHint}</p>
        {interfaces.map(({ id, interfaceName, isActive, ...place }) => (
          <Checkbox
            key={id}
            label={placeName(place)}
            description={isActive ? interfaceName : `${interfaceName}, ${words.inactive}`}
            aria-invalid={problems.interfaces ? true : undefined}
            checked={value.interfaces.includes(id)}
            onChange={() => turn(id)}
          />
        ))}
        <p id={problemId} className={classes.problem} role="alert">
          {problems.interfaces}
        </p>
      </fieldset>
    </>
  );
}
