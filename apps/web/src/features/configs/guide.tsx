import { Accordion } from "@mantine/core";
import { useMemberText } from "../../lib/i18n/member.ts";
import "@mantine/core/styles/Accordion.layer.css";
import { IconChevronDown, IconDeviceLaptop, IconDeviceMobile } from "@tabler/icons-react";
import { Steps } from "../../ui/steps.tsx";
import { ClientLinks } from "./client-links.tsx";
import { CLIENTS, SYSTEMS } from "./clients.ts";
import classes from "./guide.module.css";

export function Guide() {
  const { guide } = useMemberText();
  return (
    <section aria-labelledby="guide">
      <h2 id="guide" className={classes.title}>
        {guide.title}
      </h2>
      <Accordion
        multiple
        chevron={<IconChevronDown size={20} stroke={1.6} />}
        classNames={{
          root: classes.root ?? "",
          item: classes.item ?? "",
          control: classes.control ?? "",
          label: classes.label ?? "",
          content: classes.content ?? "",
        }}
      >
        {SYSTEMS.map((id) => {
          const { name, phone } = CLIENTS[id];
          const Device = phone ? IconDeviceMobile : IconDeviceLaptop;
          return (
            <Accordion.Item key={id} value={id}>
              <Accordion.Control>
                <span className={classes.row}>
                  <Device size={22} stroke={1.6} aria-hidden="true" />
                  <strong>{name}</strong> <span className={classes.how}>{phone ? guide.byQr : guide.byFile}</span>
                </span>
              </Accordion.Control>
              <Accordion.Panel>
                <Steps steps={guide[id]} />
                <ClientLinks systems={[id]} />
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </section>
  );
}
