export { SupportContact } from "./support-contact.tsx";
