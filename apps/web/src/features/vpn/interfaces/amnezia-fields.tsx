import { Accordion, TextInput } from "@mantine/core";
import "@mantine/core/styles/Accordion.layer.css";
import type { AmneziaFault } from "@krug/wireguard/amneziawg";
import { IconChevronDown } from "@tabler/icons-react";
import classes from "./amnezia-fields.module.css";
import { type Entered, newFaults, shownFields, type Texts } from "./amnezia-form.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";

interface Props {
  version: "2.0" | "3.1";
  /** The interface's current values. */
  seen: Entered;
  now: Entered;
  onChange: (texts: Texts) => void;
}

const GROUPS = [
  ["junk", /^J/],
  ["sizes", /^S\d/],
  ["headers", /^H\d/],
  ["chains", /^I\d/],
  ["times", /Time|Padding|Attempts/],
  ["rest", /Trailers|Cookies/],
] as const;

/** Every parameter of an AmneziaWG interface, for experts. Each is checked as it is typed. */
export function AmneziaFields({ version, seen, now, onChange }: Props) {
  const words = useAmneziaWords();
  const fields = shownFields(version);
  const faults = newFaults(version, seen, now);
  return (
    <Accordion chevron={<IconChevronDown size={20} stroke={1.6} />} classNames={{ content: classes.content ?? "" }}>
      <Accordion.Item value="parameters">
        <Accordion.Control>{words.parameters}</Accordion.Control>
        <Accordion.Panel>
          <p className={classes.lead}>{words.parametersLead}</p>
          {GROUPS.map(([group, pattern]) => {
            const own = fields.filter(({ key }) => pattern.test(key) && groupOf(key) === group);
            return (
              own.length > 0 && (
                <fieldset key={group} className={classes.group}>
                  <legend>{words.groups[group]}</legend>
                  {own.map(({ key, isShared }) => (
                    <TextInput
                      key={key}
                      classNames={{ input: classes.input ?? "" }}
                      label={
                        <>
                          <code>{key}</code>
                          {isShared && (
                            <span role="img" aria-label={words.shared} title={words.shared}>
                              {" ⇄"}
                            </span>
                          )}
                        </>
                      }
                      description={words.fields[key]}
                      value={now.texts[key] ?? ""}
                      onChange={(event) => onChange({ ...now.texts, [key]: event.currentTarget.value })}
                      error={faultText(faults.get(key), words)}
                      autoComplete="off"
                      autoCapitalize="none"
                      spellCheck={false}
                    />
                  ))}
                </fieldset>
              )
            );
          })}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

const groupOf = (key: string) => GROUPS.find(([, pattern]) => pattern.test(key))?.[0];

function faultText(fault: AmneziaFault | undefined, { faults }: ReturnType<typeof useAmneziaWords>): string | null {
  return fault === undefined ? null : faults[fault.reason](fault);
}
