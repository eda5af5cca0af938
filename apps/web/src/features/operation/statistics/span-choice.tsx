import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useStatisticsWords } from "./words.ts";
import "../../../ui/form.css";
import { Segments } from "../../../ui/segments.tsx";
import { SPANS, type View } from "./queries.ts";
import classes from "./statistics.module.css";

interface Props {
  view: View;
  onChange: (view: View) => void;
}

type Choice = (typeof SPANS)[number] | "custom";

/** One of the usual spans, or any days, which load once both are given. */
export function SpanChoice({ view, onChange }: Props) {
  const words = useStatisticsWords();
  const given = "from" in view ? view : null;
  const [asking, setAsking] = useState(given !== null);
  const [draft, setDraft] = useState({ from: given?.from ?? "", to: given?.to ?? "" });
  const [problem, setProblem] = useState<string | null>(null);
  const chosen: Choice = asking || "from" in view ? "custom" : view.span;
  const choose = (choice: Choice) => {
    setAsking(choice === "custom");
    setProblem(null);
    if (choice !== "custom") onChange({ span: choice });
  };
  const show = () => {
    const { from, to } = draft;
    const wrong = from === "" || to === "" ? words.datesMissing : from > to ? words.backwards : null;
    setProblem(wrong);
    if (wrong === null) onChange({ from, to });
  };
  return (
    <>
      <Segments
        label={words.span}
        labelHidden
        value={chosen}
        onChange={choose}
        choices={[...SPANS, "custom" as const].map((value) => ({ value, label: words[value] }))}
      />
      {chosen === "custom" && (
        <form
          className={classes.days}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            show();
          }}
        >
          {(["from", "to"] as const).map((end) => (
            <TextInput
              key={end}
              type="date"
              label={words[end]}
              value={draft[end]}
              max="9999-12-31"
              onChange={(event) => setDraft({ ...draft, [end]: event.currentTarget.value })}
              error={end === "to" ? problem : problem !== null}
            />
          ))}
          <Button type="submit" variant="outline">
            {words.show}
          </Button>
        </form>
      )}
    </>
  );
}
