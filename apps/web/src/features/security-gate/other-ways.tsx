import { useQuery } from "@tanstack/react-query";
import { useMemberText } from "../../lib/i18n/member.ts";
import { Contact } from "./support-contact.tsx";
import { waysQuery } from "./ways-query.ts";

/** The panel's mirror, and how to reach support without the panel: what was last known of them. */
export function OtherWays() {
  const { dashboard } = useMemberText();
  const { data: ways } = useQuery({ ...waysQuery, enabled: false });
  return (
    <>
      {ways?.mirrorUrl && (
        <p>
          {dashboard.mirror}{" "}
          <a href={ways.mirrorUrl} className="k-focus" rel="noreferrer">
            {ways.mirrorUrl.replace(/^https:\/\//, "")}
          </a>
        </p>
      )}
      {ways?.supportContact && <Contact contact={ways.supportContact} />}
    </>
  );
}
