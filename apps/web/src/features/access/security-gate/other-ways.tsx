import { useQuery } from "@tanstack/react-query";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { Contact } from "./support-contact.tsx";
import { waysQuery } from "./ways-query.ts";

/** The last known address of the panel's mirror, and how to reach support without the panel. */
export function OtherWays() {
  const { gate } = useText();
  const { data: ways } = useQuery({ ...waysQuery, enabled: false });
  return (
    <>
      {ways?.mirrorUrl && (
        <p>
          {gate.mirror}{" "}
          <a href={ways.mirrorUrl} className="k-focus" rel="noreferrer">
            {ways.mirrorUrl.replace(/^https:\/\//, "")}
          </a>
        </p>
      )}
      {ways?.supportContact && <Contact contact={ways.supportContact} />}
    </>
  );
}
