// A box to type a move into, for those who would rather write than point.

import { button, h } from "./dom.js";

/** The box; `play` gives true when the move was played. */
export class MoveBox {
  constructor(play, onclose) {
    this.onclose = onclose;
    this.field = h("input", {
      type: "text", "aria-label": "Move", placeholder: "type a move", autocomplete: "off",
      spellcheck: "false", autocapitalize: "off",
    });
    this.element = h("form", {
      class: "move-box", hidden: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const move = this.field.value.trim();
        if (move && (await play(move))) this.field.value = "";
      },
      onkeydown: (event) => event.key === "Escape" && this.toggle(),
    }, this.field, button("", "Play", () => {}, { type: "submit" }));
  }

  /** Opens the box or closes it. */
  toggle() {
    this.element.hidden = !this.element.hidden;
    if (this.element.hidden) this.onclose();
    else this.field.focus();
  }
}
