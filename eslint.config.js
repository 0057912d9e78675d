import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
      "object-shorthand": "error",
      "no-implicit-coercion": "error",
      "no-promise-executor-return": "off",
      "no-unmodified-loop-condition": "error",
      "no-self-compare": "error",
      "no-template-curly-in-string": "error",
      "no-useless-return": "error",
      "prefer-template": "error",
      curly: ["error", "multi-line"],
      "max-lines": ["error", 300],
    },
  },
  {
    files: ["src/quincunx/web/static/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["src/quincunx/web/static/theme.js"], // a classic script, so that it runs before the first paint
    languageOptions: { sourceType: "script" },
  },
  {
    files: ["tests/page/*.mjs"],
    languageOptions: { globals: globals.nodeBuiltin },
  },
];
