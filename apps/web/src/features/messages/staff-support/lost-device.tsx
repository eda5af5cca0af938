import { Button, Radio } from "@mantine/core";
import "@mantine/core/styles/Radio.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { Sheet, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { configsOfQuery, LinkShown } from "../../members/users/index.ts";
import classes from "./lost-device.module.css";
import { DESK, type StaffTicket } from "./queries.ts";
import { useStaffSupportWords } from "./words.ts";

/** Staff confirm that a device is lost: its key is revoked, and a link to the new file is shown only once (ADR 118). */
export function LostDeviceDialog({ ticket, onClose }: { ticket: StaffTicket; onClose: () => void }) {
  const { lost: words } = useStaffSupportWords();
  const { failure } = useText();
  const queryClient = useQueryClient();
  const devices = useQuery(configsOfQuery(ticket.userId));
  const [chosen, setChosen] = useState<string | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const cut = useCommand({
    mutationFn: (configId: string) =>
      api("POST /admin/support/tickets/{id}/lost-device", { params: { id: ticket.id }, body: { configId } }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: DESK });
      void queryClient.invalidateQueries({ queryKey: configsOfQuery(ticket.userId).queryKey });
    },
  });
  if (cut.data)
    return (
      <Sheet
        onClose={onClose}
        title={words.title}
        parts={
          <>
            <SheetBody>
              {cut.data.link !== null && cut.data.expiresAt !== null ? (
                <LinkShown lead={words.made} link={cut.data.link} expiresAt={cut.data.expiresAt} />
              ) : (
                <p>{words.noFile}</p>
              )}
            </SheetBody>
            <SheetFooter>
              <Button fullWidth size="lg" onClick={onClose}>
                {words.done}
              </Button>
            </SheetFooter>
          </>
        }
      />
    );
  const none = devices.data?.length === 0;
  const wasCut = (id: string) => ticket.lostCut?.some((cut) => cut.id === id) === true;
  const listed = devices.data?.toSorted((a, b) => Number(wasCut(a.id)) - Number(wasCut(b.id)));
  return (
    <Sheet
      onClose={onClose}
      title={words.title}
      parts={
        <FormParts
          draft={null}
          onClose={onClose}
          submit={
            devices.data && !none
              ? { label: words.confirm, working: words.working, busy: cut.isPending, danger: true }
              : null
          }
          onSubmit={() => (chosen === null ? setIsMissing(true) : cut.mutate(chosen))}
        >
          <p>{words.lead}</p>
          {none && <p role="status">{words.none}</p>}
          {devices.isError && <p role="alert">{explain(devices.error, words.devicesFailed, failure.silent)}</p>}
          {listed && !none && (
            <Radio.Group
              label={words.which}
              value={chosen}
              onChange={(id) => {
                setChosen(id);
                setIsMissing(false);
              }}
              error={isMissing && words.whichMissing}
            >
              {listed.map(({ id, name }) => (
                <Radio
                  key={id}
                  value={id}
                  label={wasCut(id) ? words.replaced(name) : name}
                  classNames={{
                    root: classes.device ?? "",
                    radio: classes.ring ?? "",
                    icon: classes.mark ?? "",
                    label: classes.name ?? "",
                  }}
                />
              ))}
            </Radio.Group>
          )}
          <FormMessage error={cut.error} failed={words.failed} />
        </FormParts>
      }
    />
  );
}
