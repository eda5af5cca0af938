import { counter } from "@krug/domain/plural";

const sessions = counter("en", { one: "session", other: "sessions" });

export const account = {
  sessions: {
    title: "Active sessions",
    unknown: "Unknown device",
    current: "this session",
    signedIn: (day: string) => `Signed in ${day}`,
    times: (signedIn: string, seen: string) => `Signed in ${signedIn}, last seen ${seen}`,
    end: "End",
    endOf: (device: string, signedIn: string) => `End the session: ${device}, ${signedIn}`,
    endOthers: "End all other sessions",
    more: (count: number) => `Show ${sessions(count)} more`,
    only: "There are no other sessions.",
    ended: "The session has ended",
    othersEnded: "The other sessions have ended",
    failed: "The sessions could not be loaded",
    endFailed: "The session could not be ended",
    askTitle: (device: string) => `End the session: ${device}?`,
    askText: "You will have to sign in again on that device. Its VPN keeps working.",
    askOthersTitle: "End all other sessions?",
    askOthersText: "You will have to sign in again on all other devices. Their VPN keeps working.",
    confirm: "End",
    working: "Ending...",
  },
  dataExport: {
    title: "My data",
    lead: "A JSON file: account, devices and their traffic, sessions, invitations, payments, messages to support. It contains no keys or passwords.",
    download: "Download my data",
    working: "Preparing the file...",
    failed: "The file could not be prepared",
  },
};
