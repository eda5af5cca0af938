export { NotesOf } from "./notes-of.tsx";
