// The entry point: builds the header, registers the routes and reports the state of the connection.

import { elementById, h, setChildren } from "./dom.js";
import { startRouter } from "./router.js";
import { applySettings, settingsMenu } from "./settings.js";
import { showNotice } from "./announce.js";
import { on } from "./socket.js";
import { openFrontPage } from "./front_page.js";
import { openLearnPage } from "./learn_page.js";
import { openGamesPage } from "./games_page.js";
import { openRoomPage } from "./room_page.js";
import { openAnalysisPage } from "./analysis_page.js";
import { openMissingPage } from "./missing_page.js";
import { trackFocusFrame } from "./focus_frame.js";
import { listenForShortcuts } from "./shortcuts.js";

const LINKS = [["/games", "Games"], ["/learn", "Learn"], ["/analysis", "Analysis"]];
const DISCONNECT_NOTICE_DELAY_MS = 700; // shorter interruptions are not reported

applySettings();

setChildren(elementById("header"),
  h("a", { class: "brand", href: "/" }, h("img", { src: "/static/icon.svg", alt: "", width: 26, height: 26 }), "Quincunx"),
  h("nav", { "aria-label": "Pages" }, LINKS.map(([href, label]) => h("a", { href }, label))),
  settingsMenu());
listenForShortcuts();
trackFocusFrame();

let disconnectTimer = 0;
on("closed", () => {
  disconnectTimer ||= setTimeout(() => showNotice("Connection lost. Reconnecting…", 0), DISCONNECT_NOTICE_DELAY_MS);
});
on("open", () => {
  clearTimeout(disconnectTimer);
  if (disconnectTimer) showNotice("");
  disconnectTimer = 0;
});

startRouter([
  { path: /^\/room\/([\w-]+)$/, open: openRoomPage },
  { path: /^\/analysis$/, open: openAnalysisPage },
  { path: /^\/learn(?:\/([\w-]+))?$/, open: openLearnPage },
  { path: /^\/games$/, open: openGamesPage },
  { path: /^\/(?:new\/([\w-]+))?$/, open: openFrontPage },
], openMissingPage);
