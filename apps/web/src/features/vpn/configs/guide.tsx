import { Accordion } from "@mantine/core";
import { useMemberText } from "../../../lib/i18n/member.ts";
import "@mantine/core/styles/Accordion.layer.css";
import { IconChevronDown, IconDeviceLaptop, IconDeviceMobile } from "@tabler/icons-react";
import { withApp } from "../../../lib/i18n/typography.ts";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Steps } from "../../../ui/steps.tsx";
import { ClientLinks } from "./client-links.tsx";
import { CLIENTS, systemsHereFirst } from "./clients.ts";
import classes from "./guide.module.css";
import type { Config } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";

const SamePhone = lazyPart(() => import("./same-phone.tsx").then(({ SamePhone }) => SamePhone));
const AmneziaLinks = lazyPart(() => import("./amnezia-links.tsx").then(({ AmneziaLinks }) => AmneziaLinks));

/** How to connect devices, for each app that the member's devices need. */
export function Guide({ configs }: { configs: readonly Config[] }) {
  const kinds = new Map(configs.map(({ tunnel }) => [`${tunnel.version}`, tunnel]));
  return (
    <div className={classes.guides}>
      {[...kinds].map(([id, tunnel]) => (
        <GuideFor key={id} id={`guide-${id}`} tunnel={tunnel} />
      ))}
    </div>
  );
}

function GuideFor({ id: titleId, tunnel }: { id: string; tunnel: Config["tunnel"] }) {
  const app = appFor(tunnel);
  const { guide } = withApp(useMemberText(), app);
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {tunnel.version === null ? guide.title : `${guide.title}: ${app}`}
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
        {systemsHereFirst().map((id) => {
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
                {(id === "ios" || id === "android") && onThisPhone() && <SamePhone system={id} />}
                {tunnel.version === null ? (
                  <ClientLinks systems={[id]} />
                ) : (
                  <AmneziaLinks systems={[id]} version={tunnel.version} />
                )}
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </section>
  );
}
