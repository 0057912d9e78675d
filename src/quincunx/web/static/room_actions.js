// What the action buttons of a room do.

import { announce } from "./announce.js";
import { actionSeat, lastMoverSeat } from "./room_state.js";
import { navigate } from "./router.js";
import { playerName } from "./settings.js";

/** @import { ActionHandlers } from "./actions.js" */
/** @import { RoomPage } from "./room_page.js" */

/**
 * Returns the handlers of the action buttons of a page.
 * @param {RoomPage} page
 * @returns {ActionHandlers}
 */
export function actionHandlers(page) {
  const { connection } = page;
  const seat = () => actionSeat(page.room, page.activeSeat);
  return {
    undo: () => connection.send("undo", { seat: lastMoverSeat(page.room, page.activeSeat), number: page.room.number }),
    resign: () => connection.send("resign", { seat: seat() }),
    pause: () => connection.send("pause", { seat: seat() }),
    resume: () => connection.send("resume", { seat: seat() }),
    redraw: () => page.draw(),
    rematch: () => connection.send("rematch", { seat: seat() }),
    hint: async () => {
      const hint = await connection.send("hint", { seat: seat() });
      if (!hint || !page.input.selection.showHint(hint.clicks, hint.path)) return;
      page.status.hintText = `Hint: ${page.input.buttons.describeMove(hint.clicks) || hint.move}`;
      page.draw();
      announce(page.status.hintText);
    },
    flip: async () => {
      const response = await connection.send("look", { flip: !connection.flip });
      if (!response) return;
      connection.flip = !connection.flip;
      page.flipTo(response.picture);
    },
    analyse: () => navigate(`/analysis?room=${connection.id}&plies=${page.moveList.current}`),
    share: () => page.panels.toggleShare(),
    type: () => page.toggleMoveInput(),
  };
}

/**
 * Sends the name of the settings for all own seats that have another one.
 * @param {RoomPage} page
 */
export function sendName({ connection, room }) {
  const name = playerName();
  if (!name) return;
  for (const seat of room.you) if (room.players[seat].name !== name) connection.send("name", { seat, name });
}
