export { OtherWays } from "./other-ways.tsx";
export { SupportContact } from "./support-contact.tsx";
