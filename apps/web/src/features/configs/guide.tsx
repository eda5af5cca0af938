import { Accordion } from "@mantine/core";
import { useMemberText } from "../../lib/i18n/member.ts";
import "@mantine/core/styles/Accordion.layer.css";
import { IconChevronDown, IconDeviceLaptop, IconDeviceMobile, IconExternalLink } from "@tabler/icons-react";
import { Steps } from "../../ui/steps.tsx";
import classes from "./guide.module.css";

// The official clients: https://www.wireguard.com/install/
const SYSTEMS = [
  { id: "ios", name: "iOS", phone: true, client: "https://apps.apple.com/app/wireguard/id1441195209" },
  { id: "windows", name: "Windows", phone: false, client: "https://www.wireguard.com/install/" },
  {
    id: "android",
    name: "Android",
    phone: true,
    client: "https://play.google.com/store/apps/details?id=com.wireguard.android",
  },
  { id: "macos", name: "macOS", phone: false, client: "https://apps.apple.com/app/wireguard/id1451685025" },
] as const;

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
        {SYSTEMS.map(({ id, name, phone, client }) => {
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
                <a className={`${classes.client} k-focus`} href={client} target="_blank" rel="noreferrer">
                  {guide.get(name)}
                  <IconExternalLink size={18} stroke={1.6} aria-hidden="true" />
                </a>
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </section>
  );
}
