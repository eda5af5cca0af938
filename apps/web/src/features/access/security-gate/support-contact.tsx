import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import classes from "./support-contact.module.css";

const contactQuery = queryOptions({
  queryKey: ["support-contact"],
  queryFn: async ({ signal }) => (await api("GET /security/gate", { signal })).supportContact,
  staleTime: Number.POSITIVE_INFINITY,
});

/** How to reach support without signing in. Empty if no admin has set it: the text around it says whom to ask. */
export function SupportContact() {
  const { data: contact } = useQuery(contactQuery);
  return contact ? <Contact contact={contact} /> : null;
}

export function Contact({ contact }: { contact: string }) {
  const { gate } = useText();
  const address = addressOf(contact);
  return (
    <p className={classes.contact}>
      {gate.contact}{" "}
      {address ? (
        <a href={address} className="k-focus" target="_blank" rel="noreferrer">
          {contact.replace(/^(https:\/\/|mailto:)/, "")}
        </a>
      ) : (
        contact
      )}
    </p>
  );
}

/** A contact's link: an https address, a mail address or a Telegram name; null if it is only text. */
export function addressOf(contact: string): string | null {
  if (/^https:\/\/\S+$/.test(contact) && URL.canParse(contact)) return contact;
  if (/^(mailto:)?[^\s@/:]+@(?:[^\s@/:.]+\.)+[^\s@/:.]+$/.test(contact))
    return `mailto:${contact.replace(/^mailto:/, "")}`;
  const name = /^@([A-Za-z]\w{4,31})$/.exec(contact)?.[1];
  return name === undefined ? null : `https://t.me/${name}`;
}
