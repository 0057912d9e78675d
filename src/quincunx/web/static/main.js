// Where the page begins: its head, its routes, and word of the connection.

import { fill, h } from "./dom.js";
import { start } from "./router.js";
import { apply, settings } from "./settings.js";
import { notice } from "./say.js";
import { on } from "./socket.js";
import { front } from "./front.js";
import { learn } from "./learn.js";
import { list } from "./list.js";
import { room } from "./room.js";
import { analysis } from "./analysis.js";
import { keysHelp } from "./keys.js";

apply();

const LINKS = [["/games", "Games"], ["/learn", "Learn"], ["/analysis", "Analysis"]];

fill(document.getElementById("header"),
  h("a", { class: "brand", href: "/" }, h("img", { src: "/static/icon.svg", alt: "", width: 26, height: 26 }), "Quincunx"),
  h("nav", { "aria-label": "Pages" }, LINKS.map(([href, words]) => h("a", { href }, words))),
  settings());
keysHelp();

// A short break is not worth a word; a longer one is.
let away = 0;
on("closed", () => {
  away ||= setTimeout(() => notice("The connection is lost. Trying again …", 0), 700);
});
on("open", () => {
  clearTimeout(away);
  if (away) notice("");
  away = 0;
});

start([
  { path: /^\/room\/([\w-]+)$/, open: room },
  { path: /^\/analysis$/, open: analysis },
  { path: /^\/learn(?:\/([\w-]+))?$/, open: learn },
  { path: /^\/games$/, open: list },
  { path: /^\/$/, open: front },
]);
