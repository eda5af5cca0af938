import { useQuery } from "@tanstack/react-query";
import { configsOfQuery } from "../../members/users/index.ts";
import { type Line, threadQuery } from "../conversation/index.ts";
import { namedDevices } from "./named-devices.ts";
import type { StaffTicket } from "./queries.ts";

/** Which of the member's devices this thread names, the last named first. */
export function useNamedDevices(memberId: string, line: Line, ticket: StaffTicket | undefined) {
  const devices = useQuery(configsOfQuery(memberId)).data;
  // The thread's list keeps it current. Here it is only read.
  const thread = useQuery({ ...threadQuery(line), refetchInterval: false }).data;
  const said = [
    ...(ticket === undefined ? [] : [ticket.subject, ticket.description]),
    ...(thread?.messages.map(({ content }) => content) ?? []),
  ];
  return namedDevices(said, devices ?? []);
}
