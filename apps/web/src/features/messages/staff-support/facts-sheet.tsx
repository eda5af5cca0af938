import { Sheet } from "../../../ui/sheet.tsx";
import type { MemberFile } from "../../members/users/index.ts";
import { MemberFacts } from "./member-facts.tsx";
import type { StaffTicket } from "./queries.ts";

interface Props {
  file: MemberFile;
  tickets: readonly StaffTicket[] | undefined;
  checked: readonly string[];
  onClose: () => void;
}

/** The same facts as next to the thread, if there is no room there. */
export const FactsSheet = ({ file, tickets, checked, onClose }: Props) => (
  <Sheet onClose={onClose} title={file.member.displayName}>
    <MemberFacts file={file} tickets={tickets} checked={checked} onChoose={onClose} />
  </Sheet>
);
