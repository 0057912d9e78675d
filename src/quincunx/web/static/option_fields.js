// The field of one option of a game in the setup form.

import { appendChildren, h, select } from "./dom.js";
import { isInRange, numberRequirement } from "./field_errors.js";

/** @import { Option, OptionValue } from "./types.js" */

/**
 * Creates the field of an option with its label and description.
 * @param {Option} option
 * @param {OptionValue} value
 * @param {(value: OptionValue) => void} onchange
 */
export function optionField(option, value, onchange) {
  const { label } = option;
  const description = h("small", {}, option.about);
  if (typeof option.default === "boolean") {
    return h("label", { class: "check" },
      h("input", {
        type: "checkbox", name: option.name, checked: value === true, onchange: (event) => onchange(event.currentTarget.checked),
      }),
      h("span", {}, label, description));
  }
  const field = option.choices
    ? select(option.choices.map((choice, i) => [choice, option.choice_labels?.[i] ?? choice]), value, {
        name: option.name, onchange: (event) => onchange(event.currentTarget.value),
      })
    : numberField(option, value, onchange);
  return appendChildren(h("label", { class: "field" }), h("span", {}, label), field, description);
}

/**
 * @param {Option} option
 * @param {OptionValue} value
 * @param {(value: OptionValue) => void} onchange
 */
function numberField(option, value, onchange) {
  const { low, high, also } = option;
  const whole = Number.isInteger(option.default);
  const requirement = numberRequirement({ low, high, also, whole });
  const field = h("input", {
    type: "number", name: option.name, value, min: Math.min(low ?? -Infinity, ...(also ?? [])), max: high,
    step: whole ? 1 : "any", required: true, "data-requirement": requirement,
    onchange: (event) => onchange(Number(event.currentTarget.value)),
  });
  const check = () => field.setCustomValidity(isInRange(Number(field.value), { low, high, also }) ? "" : requirement);
  field.addEventListener("input", check);
  check();
  return field;
}
