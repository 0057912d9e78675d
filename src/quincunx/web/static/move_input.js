// A text field for typing moves.

import { button, h } from "./dom.js";

/** A form with a text field, hidden until it is toggled. */
export class MoveInput {
  /**
   * @param {(move: string) => Promise<unknown>} play resolves to a true value if the move was played
   * @param {() => void} onclose
   */
  constructor(play, onclose) {
    this.onclose = onclose;
    this.field = h("input", {
      type: "text", "aria-label": "Move", placeholder: "type a move", autocomplete: "off",
      spellcheck: "false", autocapitalize: "off",
    });
    this.element = h("form", {
      class: "move-input", hidden: true,
      onsubmit: async (event) => {
        event.preventDefault();
        const move = this.field.value.trim();
        if (move && (await play(move))) this.field.value = "";
      },
      onkeydown: (event) => event.key === "Escape" && this.toggle(),
    }, this.field, button("", "Play", () => {}, { type: "submit" }));
  }

  /** Shows or hides the form. */
  toggle() {
    this.element.hidden = !this.element.hidden;
    if (this.element.hidden) this.onclose();
    else this.field.focus();
  }
}
