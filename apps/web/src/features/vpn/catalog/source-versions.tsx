import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, withReason } from "../../../lib/api.ts";
import { moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import classes from "./catalog.module.css";
import { comparisonQuery, versionsQuery } from "./queries.ts";
import { Change } from "./source-change.tsx";
import { useCatalogWords } from "./words.ts";

interface Props {
  serviceId: string;
  sourceId: string;
  onDone: (sources: Api["GET /services/{id}/sources"]["answer"]) => void;
}

/** Earlier lists of a source: each can be compared with the current one, and restored. */
export function VersionsOf({ serviceId, sourceId, onDone }: Props) {
  const { sources: words } = useCatalogWords();
  const versions = useQuery(versionsQuery(serviceId, sourceId));
  if (versions.isError && versions.data === undefined)
    return <LoadFailed title={words.versionsFailed} error={versions.error} onRetry={() => void versions.refetch()} />;
  if (versions.data === undefined) return <Waiting label={words.versionsLoading} room={72} />;
  return (
    <Lines>
      {versions.data.map((version) => (
        <VersionLine key={version.id} params={{ id: serviceId, source: sourceId }} version={version} onDone={onDone} />
      ))}
    </Lines>
  );
}

interface LineProps {
  params: { id: string; source: string };
  version: Api["GET /services/{id}/sources/{source}/versions"]["answer"][number];
  onDone: Props["onDone"];
}

function VersionLine({ params, version, onDone }: LineProps) {
  const { sources: words } = useCatalogWords();
  const { text, language } = useSpeech();
  const [isCompared, setIsCompared] = useState(false);
  const at = moment(Date.parse(version.madeAt), language);
  const back = useCommand({
    mutationFn: () => api("PUT /services/{id}/sources/{source}/versions", { params, body: { version: version.id } }),
    onSuccess: onDone,
  });
  const difference = useQuery({ ...comparisonQuery({ ...params, version: version.id }), enabled: isCompared });
  return (
    <Line
      below={
        !version.isCurrent && (
          <>
            <div className={classes.buttons}>
              <Button
                variant="subtle"
                size="compact-sm"
                aria-expanded={isCompared}
                aria-label={words.compareOf(at)}
                onClick={() => setIsCompared(!isCompared)}
              >
                {words.compare}
              </Button>
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={words.bringBackOf(at)}
                loading={back.isPending}
                onClick={() => back.mutate()}
              >
                {words.bringBack}
              </Button>
            </div>
            {isCompared && difference.data && <Change change={difference.data} />}
            <FormMessage
              bad={
                (back.error && withReason(words.bringBackFailed, back.error, text.failure.silent)) ||
                (difference.error && withReason(words.compareFailed, difference.error, text.failure.silent))
              }
            />
          </>
        )
      }
    >
      <b>{at}</b>
      <span>
        {words.networks(version.networks)}
        {version.isCurrent && ` · ${words.current}`}
      </span>
    </Line>
  );
}
