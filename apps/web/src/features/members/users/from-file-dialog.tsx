import { Button, FileButton } from "@mantine/core";
import { IconDownload, IconFileImport } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { csvFile } from "../../../lib/csv.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { saveFile } from "../../../lib/save-file.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Facts } from "../../../ui/facts.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { useMaySave } from "../../../ui/use-may-save.ts";
import { MEMBERS } from "../../club/staff/index.ts";
import { TemplateField } from "../templates/index.ts";
import { useFromFileWords } from "./from-file-words.ts";
import { linesToSend, lookAtFile, type Seen, sendLines } from "./import-members.ts";
import classes from "./invited-links.module.css";
import { InvitedLinks } from "./invited-links.tsx";
import type { Invited } from "./printed-links.tsx";

/** How many problems are listed. */
const MOST_LISTED = 50;

/** Adds members from a CSV file: first what would become of its lines, then the new members' links. */
export function FromFileDialog({ onClose }: { onClose: () => void }) {
  const words = useFromFileWords();
  const [seen, setSeen] = useState<Seen | null>(null);
  const [invited, setInvited] = useState<readonly Invited[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [showsLinks, setShowsLinks] = useState(false);
  return (
    <Sheet
      // The links are shown once: no tap outside the sheet may lose them.
      onClose={isBusy || invited.length > 0 ? null : onClose}
      title={words.title}
      parts={
        showsLinks ? (
          <InvitedLinks invited={invited} onDone={onClose} />
        ) : seen === null ? (
          <ChosenFile onClose={onClose} onSeen={setSeen} />
        ) : (
          <WhatBecomes
            seen={seen}
            onBusy={setIsBusy}
            onInvited={(more) => setInvited((before) => before.concat(more))}
            onLinks={() => setShowsLinks(true)}
            onBack={() => setSeen(null)}
          />
        )
      }
    />
  );
}

function ChosenFile({ onClose, onSeen }: { onClose: () => void; onSeen: (seen: Seen) => void }) {
  const words = useFromFileWords();
  const { language } = useSpeech();
  const maySave = useMaySave();
  const reading = useCommand({ mutationFn: lookAtFile, onSuccess: onSeen });
  const sample = async () => {
    if (!(await maySave())) return;
    const columns = words.columnsInOrder.map(([title, example]) => ({ title, text: () => example }));
    const content = csvFile(columns, [{}], language);
    saveFile(content, `${words.sampleFile}.csv`);
  };
  return (
    <FormParts draft={null} onClose={onClose} submit={null} onSubmit={() => {}}>
      <div className={classes.column}>
        <p>{words.lead}</p>
        <p>{words.leadRole}</p>
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => file && reading.mutate(file)}>
          {(props) => (
            <Button
              {...props}
              size="lg"
              fullWidth
              loading={reading.isPending}
              leftSection={<IconFileImport size={20} stroke={1.6} aria-hidden="true" />}
              data-autofocus
            >
              {words.choose}
            </Button>
          )}
        </FileButton>
        <Button
          variant="outline"
          size="lg"
          leftSection={<IconDownload size={20} stroke={1.6} aria-hidden="true" />}
          onClick={() => void sample()}
        >
          {words.sample}
        </Button>
        <FormMessage error={reading.error} failed={words.notRead} reason />
      </div>
    </FormParts>
  );
}

interface BecomesProps {
  seen: Seen;
  onBusy: (isBusy: boolean) => void;
  onInvited: (invited: readonly Invited[]) => void;
  onLinks: () => void;
  onBack: () => void;
}

function WhatBecomes({ seen, onBusy, onInvited, onLinks, onBack }: BecomesProps) {
  const words = useFromFileWords();
  const queryClient = useQueryClient();
  const [templateId, setTemplateId] = useState("");
  const [sent, setSent] = useState(0);
  const lines = linesToSend(seen);
  const { problems, waiting, here, ended, ignored, staff } = seen;
  const newcomers = lines.length - waiting.length;
  const isWrong = problems.length > 0;
  const adding = useCommand({
    mutationFn: async () => {
      onBusy(true);
      await sendLines(lines.slice(sent), templateId, (more, invited) => {
        setSent((before) => before + more);
        onInvited(invited);
      });
    },
    onSettled: () => {
      onBusy(false);
      void queryClient.invalidateQueries({ queryKey: MEMBERS });
    },
    onSuccess: onLinks,
  });
  const saidBy = (each: Seen["problems"][number]) => {
    if ("message" in each) return words.atCell(each.line, words.columns[each.field], each.message);
    const about = words.problems[each.problem](each.written ?? "");
    if (each.column !== null) return words.atCell(each.line, words.columns[each.column], about);
    return each.line === 0 ? about : words.atLine(each.line, about);
  };
  return (
    <FormParts
      draft={null}
      onClose={sent > 0 ? onLinks : onBack}
      cancel={sent > 0 ? words.toLinks : words.back}
      submit={{
        label: sent > 0 ? words.goOn : words.add(lines.length),
        working: words.adding(sent, lines.length),
        busy: adding.isPending,
        disabled: isWrong || lines.length === 0,
      }}
      onSubmit={() => adding.mutate()}
      effect={
        <FormMessage error={adding.error} failed={sent > 0 ? words.stopped(sent, lines.length) : words.failed} reason />
      }
    >
      <p>{seen.name}</p>
      {isWrong && (
        <Banner tone="broken" live title={words.wrong(problems.length)}>
          {problems.slice(0, MOST_LISTED).map((each) => (
            <p key={`${each.line} ${saidBy(each)}`}>{saidBy(each)}</p>
          ))}
          {problems.length > MOST_LISTED && <p>{words.moreWrong(problems.length - MOST_LISTED)}</p>}
        </Banner>
      )}
      {!isWrong && lines.length === 0 && <Banner tone="move" live title={words.nobody} />}
      {seen.members.length > 0 && (
        <Facts
          facts={[
            [words.newcomers, String(newcomers)],
            ...(waiting.length > 0 ? [[words.waiting, String(waiting.length)] as [string, string]] : []),
            ...(here.length > 0 ? [[words.here, String(here.length)] as [string, string]] : []),
            ...(ended.length > 0 ? [[words.ended, String(ended.length)] as [string, string]] : []),
            ...(staff > 0 ? [[words.staff, String(staff)] as [string, string]] : []),
            ...(ignored.length > 0 ? [[words.ignored, ignored.join(", ")] as [string, string]] : []),
          ]}
        />
      )}
      {newcomers > 0 && !isWrong && sent === 0 && <TemplateField value={templateId} onChange={setTemplateId} />}
    </FormParts>
  );
}
