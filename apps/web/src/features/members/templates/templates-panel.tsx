import { Button } from "@mantine/core";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { placeName } from "../../../lib/place-name.ts";
import { Deletion } from "../../../ui/deletion.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { servicesQuery } from "../../vpn/configs/index.ts";
import { TEMPLATES } from "./key.ts";
import { interfacesQuery, type Template, templatesQuery } from "./queries.ts";
import { termsText } from "./standing.ts";
import classes from "./templates.module.css";
import { useTemplatesWords } from "./words.ts";

const TemplateDialog = lazyDialog(() => import("./template-dialog.tsx").then(({ TemplateDialog }) => TemplateDialog));

type Open = { dialog: "add" } | { dialog: "edit" | "delete"; template: Template };

/** The club's templates, managed by admins. */
export function TemplatesPanel() {
  const words = useTemplatesWords();
  const { table } = useStaffWords();
  const { language } = useSpeech();
  const templates = useQuery(templatesQuery);
  // The list works without them.
  const services = useQuery(servicesQuery).data;
  const interfaces = useQuery(interfacesQuery).data;
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const chosenIn = (template: Template) =>
    [
      services?.filter(({ id }) => template.services.includes(id)).map(({ name }) => name),
      interfaces?.filter(({ id }) => id === template.interfaceId).map(placeName),
    ]
      .flat()
      .filter(Boolean)
      .join(", ");
  return (
    <Panel
      title={words.title}
      count={templates.data?.length || undefined}
      busy={templates.isPending}
      className={classes.panel}
    >
      <p className={classes.lead}>{templates.data?.length === 0 ? words.nobody : words.lead}</p>
      <Loading of={templates} failed={words.failed} room={80} />
      {templates.data && templates.data.length > 0 && (
        <Lines>
          {templates.data.map((template) => (
            <Line
              key={template.id}
              much={
                <MoreMenu
                  label={table.actions(template.name)}
                  groups={[
                    [
                      { label: words.edit, icon: IconPencil, onClick: () => setOpen({ dialog: "edit", template }) },
                      {
                        label: words.remove,
                        icon: IconTrash,
                        danger: true,
                        onClick: () => setOpen({ dialog: "delete", template }),
                      },
                    ],
                  ]}
                />
              }
            >
              <b>
                {template.name}
                {template.isDefault && <span className={classes.default}>{words.byDefault}</span>}
              </b>
              <span>{termsText(template, words, language)}</span>
              {chosenIn(template) && <span>{chosenIn(template)}</span>}
            </Line>
          ))}
        </Lines>
      )}
      {templates.data && (
        <Button
          variant="outline"
          leftSection={<IconPlus size={18} stroke={1.6} aria-hidden="true" />}
          onClick={() => setOpen({ dialog: "add" })}
        >
          {words.add}
        </Button>
      )}
      {open?.dialog === "add" && <TemplateDialog template={null} onClose={close} />}
      {open?.dialog === "edit" && <TemplateDialog template={open.template} onClose={close} />}
      {open?.dialog === "delete" && (
        <Deletion
          words={words.deletion}
          name={open.template.name}
          remove={() => api("DELETE /admin/templates/{id}", { params: { id: open.template.id } })}
          list={TEMPLATES}
          onClose={close}
          onDeleted={close}
        />
      )}
    </Panel>
  );
}
