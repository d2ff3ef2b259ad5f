// What pages of the dashboard do beyond links and forms. Everything works without it, if less comfortably.
// Scripts of plugins may import this module; "comanda:content" on the document says that the content was replaced.
import "./menus.js";
import "./forms.js";
import "./live.js";
import "./palette.js";
import "./sortable.js";

export { onContent, toast } from "./page.js";
