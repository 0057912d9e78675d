// Types of what the server sends and receives, and of what pages store. `tsc` reads this file; browsers never load it.

// The HTTP API

export interface Option {
  name: string;
  kind: string;
  default: OptionValue;
  about: string;
  choices?: OptionValue[];
  low?: number;
  high?: number;
  also?: number[];
}

export type OptionValue = string | number | boolean;
export type Options = Record<string, OptionValue>;

/** A button of a game: `word` is the name that is clicked. */
export interface ButtonSpec {
  word: string;
  label: string;
  key: string;
  about: string;
  after: boolean;
  colour: string;
  cost: number;
}

export interface Controls {
  buttons: ButtonSpec[];
  nested: boolean;
  live: [string, OptionValue] | null;
  facing: boolean;
}

/** What is true of a game with its default options. */
export interface Traits {
  random_start: boolean;
  chance: boolean;
  hidden: boolean;
  simultaneous: boolean;
  outcome: "win_or_draw" | "shared_win" | "score";
  repetition: boolean;
}

export interface PlayerChoice {
  text: string;
  title: string;
}

export interface Game {
  name: string;
  title: string;
  sentence: string;
  seats: { least: number; most: number };
  solo: boolean;
  options: Option[];
  levels: PlayerChoice[];
  bots: PlayerChoice[];
  seat_names: string[];
  colours: string[];
  letters: string;
  controls: Controls;
  traits: Traits;
}

/** An entry of the list of rooms. */
export interface RoomEntry {
  id: string;
  game: string;
  players: Player[];
  plies: number;
  status: string;
  created: number;
  changed: number;
}

export interface NewRoom {
  game: string;
  options: Options;
  players: string[];
  listed: boolean;
  start?: string;
  seed?: number;
  clock?: { minutes: number; increment: number };
  pace?: number;
}

export interface CreatedRoom {
  id: string;
  secrets: Record<string, string>;
}

export interface Score {
  room: string;
  name: string;
  player: string;
  score: number;
  seed: number;
  options: Options;
  date: string;
}

export interface Rating {
  player: string;
  games: number;
  points: number;
  elo: { value: number } | null;
}

/** What the server recognised in a pasted text. */
export interface PastedText {
  kind: "position" | "record" | "link";
  game: string;
  options: Options;
  start: string;
  seed: number | null;
  moves: string[];
  room: string;
}

export interface ExampleSpec {
  caption: string;
  game: string;
  options: Options;
  position: string;
  moves: string[];
}

export interface Lesson {
  title: string;
  sections: { heading: string; html: string; examples: ExampleSpec[] }[];
}

/** The routes that pages read, with their responses. */
export interface GetResponses {
  "/api/games": Game[];
  "/api/daily": { date: string; seed: number };
  "/api/rooms": RoomEntry[];
  "/api/scores": Score[];
  "/api/ratings": Rating[];
  [room: `/api/rooms/${string}`]: { game: string; seed: number | null; options: Options };
  [lesson: `/api/games/${string}/learn`]: Lesson;
}

/** The routes that pages post to: request and response. */
export interface Posts {
  "/api/rooms": [NewRoom, CreatedRoom];
  "/api/read": [{ text: string }, PastedText];
}

export type QueryValue = string | number | null | undefined;
export type Query = Record<string, QueryValue | QueryValue[]>;

// Pictures

export type Box = [x: number, y: number, width: number, height: number];
export type Point = [x: number, y: number];

export interface Picture {
  box: Box;
  defs: string;
  title: string;
  status: string;
  shapes: [key: string, markup: string][];
}

/** The change from one picture to the next: `[i, n]` stands for n shapes of the old picture, from index i on. */
export interface PictureDelta {
  status?: string;
  box?: Box;
  shapes?: ([string, string] | [number, number])[];
}

/** One step of a move; `ways` are the paths of shapes by key. */
export interface Frame {
  event: string;
  cells: string[];
  picture: PictureDelta;
  ways: Record<string, Point[]>;
}

// The socket

/**
 * The legal moves as a tree of clicks: from the name of each cell or button to the node after its click. The text of
 * a move is under the key "", in the node at which its clicks end.
 */
export interface ClickTree {
  ""?: string;
  [name: string]: ClickTree | string | undefined;
}

export interface Player {
  name: string | null;
  kind: "human" | "bot";
  text: string;
  here: boolean;
}

export interface Clocks {
  left: number[];
  running: number | null;
  increment: number;
}

/** The state of a game, which events, snapshots and positions share. */
export interface Status {
  plies: number;
  turn: number | null;
  over: boolean;
  scores: number[];
  winners?: number[];
  status: string;
  status_you?: string;
  text: string;
}

export interface RoomStatus extends Status {
  number: number;
  paused: boolean;
  asked: { by: number } | null;
  clocks: Clocks | null;
  legal?: Record<string, ClickTree>;
}

export type PlayedMove = [seat: number, move: string];

/** A room, as its snapshot has it. */
export interface Room extends RoomStatus {
  room: string;
  game: string;
  options: Options;
  live: boolean;
  players: Player[];
  you: number[];
  moves: PlayedMove[];
  rematch: string | null;
  picture: Picture;
}

export interface RoomEvent extends RoomStatus {
  room: string;
  kind: "play" | "undo" | "asked" | "answer" | "resign" | "flag" | "pause" | "resume" | "name" | "rematch";
  seat: number | null;
  move?: string;
  name?: string;
  yes?: boolean;
  to?: string | null;
  picture?: Picture;
  frames?: Frame[];
}

/** The answer to `explore`. */
export interface Position extends Status {
  game: string;
  seats: number;
  ways: ClickTree;
  picture: Picture;
  before?: Picture;
  frames?: Frame[];
  error?: { error: string; text: string; where: string };
}

export interface ScoredMove {
  move: string;
  clicks: string[];
  value: number;
  line: string[];
  plies: number | null;
}

/** The message `opinions`. */
export interface Analysis {
  ref: number;
  by: string;
  seat: number;
  value: number;
  exact: boolean;
  done: boolean;
  moves: ScoredMove[];
}

export interface Mistake {
  plies: number;
  seat: number;
  move: string;
  value: number;
  best: string;
  best_value: number;
}

/** The fields of a message that identify a position. */
export interface BoardFields {
  game?: string;
  options?: Options;
  start?: string;
  seed?: number;
  room?: string;
  plies?: number;
  moves?: string[];
  flip?: boolean;
}

interface SeatAction {
  room: string;
  seat: number;
}

interface NumberedAction extends SeatAction {
  number: number;
}

/** The messages to the server, each with its answer. */
export interface Requests {
  join: [{ room: string; secrets: Record<string, string>; view: "page" | "moves"; flip?: boolean }, Room];
  leave: [{ room: string }, object];
  look: [{ room: string; flip: boolean }, { picture: Picture }];
  play: [NumberedAction & { move: string }, object];
  undo: [NumberedAction, object];
  answer: [NumberedAction & { yes: boolean }, object];
  resign: [SeatAction, object];
  pause: [SeatAction, object];
  resume: [SeatAction, object];
  rematch: [SeatAction, object];
  name: [SeatAction & { name: string }, object];
  at: [{ room: string; plies: number; flip: boolean }, { picture: Picture; text: string }];
  hint: [SeatAction, { move: string; clicks: string[] }];
  explore: [BoardFields & { frames?: boolean }, Position];
  analyse: [BoardFields & { seconds: number }, Analysis];
  mistakes: [{ room: string }, object];
  stop: [object, object];
}

export type Request<T extends keyof Requests> = { type: T } & Requests[T][0];

/** The messages that pages subscribe to; "open" and "closed" come from the connection itself. */
export interface ServerMessages {
  event: RoomEvent;
  here: { room: string; seat: number; here: boolean };
  rematched: { room: string; to: string; secrets: Record<string, string> };
  opinions: Analysis;
  mistakes: { room: string } & ({ done: false; progress: number } | { done: true; moves: Mistake[] });
  open: object;
  closed: object;
}

// This browser

/** The known secrets of a room by seat. */
export interface Seats {
  mine: Record<string, string>;
  others: Record<string, string>;
}

export interface Settings {
  theme: "auto" | "light" | "dark" | "contrast";
  marks: "strong" | "faint" | "none";
  motion: "auto" | "full" | "none";
  name: string;
}

/** The last choices in the form that starts a game. */
export interface SetupChoices {
  players: string[];
  options: Options;
  clock: string;
  minutes: number;
  increment: number;
  pace: string;
  seed: string;
  listed: boolean;
  opened?: boolean;
}

/** What local storage holds, by key. */
export interface Stored {
  settings: Partial<Settings>;
  rooms: Record<string, Seats>;
  engine: boolean;
  speed: number;
  [setup: `setup:${string}`]: Partial<SetupChoices>;
}

// Elements

export type Child = Node | string | number | null | undefined | false | Child[];

type Attribute = string | number | boolean | null | undefined;

type Listeners<E> = {
  [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K] & { currentTarget: E }) => unknown;
};

/** The properties of a new element: listeners, and attributes with their names in markup. */
export interface Properties<E> extends Listeners<E> {
  [data: `data-${string}`]: Attribute;
  [aria: `aria-${string}`]: Attribute;
  class?: string;
  id?: string;
  role?: string;
  hidden?: boolean;
  tabindex?: string;
  title?: string;
  type?: string;
  name?: string;
  value?: OptionValue;
  checked?: boolean;
  selected?: boolean;
  disabled?: boolean;
  readonly?: boolean;
  open?: boolean;
  placeholder?: string;
  pattern?: string;
  inputmode?: string;
  autocomplete?: string;
  autocapitalize?: string;
  spellcheck?: string;
  maxlength?: number;
  rows?: number;
  min?: number;
  max?: number;
  step?: number | string;
  href?: string;
  download?: string;
  src?: string;
  alt?: string;
  width?: number;
  height?: number;
  scope?: string;
  viewBox?: string;
  x?: number;
  y?: number;
  cx?: number;
  cy?: number;
  r?: number;
  rx?: number;
  d?: string;
  opacity?: number;
  "stroke-width"?: number;
}

export type Shortcut = [key: string, description: string, action: () => unknown];

/** Opens a page in a container; may return a function that closes it. */
export type OpenPage = (
  container: HTMLElement,
  parameters: string[],
  query: URLSearchParams,
) => Promise<(() => void) | null>;
