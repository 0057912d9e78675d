// Types of the HTTP API, of messages as pages see them, and of what pages store. `tsc` reads this file; browsers never
// load it. The messages themselves are in protocol.d.ts, which is generated from the server's types.

import type * as protocol from "./protocol.js";

// The HTTP API

export interface Option {
  name: string;
  label: string; // the name for people
  kind: string;
  default: OptionValue;
  about: string;
  choices?: OptionValue[];
  choice_labels?: string[];
  low?: number;
  high?: number;
  also?: number[];
}

/** Values of some options by name; those in `per_seat` are for each seat. */
export interface Preset {
  name: string;
  about: string;
  options: Options;
  per_seat: Record<string, number>;
}

/** A choice that the setup offers instead of some options, such as the length of a game. */
export interface Presets {
  name: string;
  selected: number;
  presets: Preset[];
}

export type OptionValue = string | number | boolean;
export type Options = Record<string, OptionValue>;

/** What is true of a game with its default options. */
export interface Traits {
  random_start: boolean;
  chance: boolean;
  hidden: boolean;
  simultaneous: boolean;
  outcome: "win_or_draw" | "shared_win" | "score";
  repetition: boolean;
  unattended: Options;
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
  presets: Presets | null;
  levels: PlayerChoice[];
  bots: PlayerChoice[];
  seat_names: string[];
  colours: string[];
  letters: string;
  rules: number; // the newest version
  controls: protocol.Controls;
  traits: Traits;
}

/** An entry of the list of rooms. */
export interface RoomEntry {
  id: string;
  game: string;
  players: protocol.PlayerFields[];
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
  daily?: boolean;
}

export interface CreatedRoom {
  id: string;
  secrets: Record<string, string>;
  fair: boolean;
}

export interface Score {
  room: string;
  name: string;
  player: string;
  score: number;
  seed: number | null;
  options: Options;
  date: string;
}

export interface Rating {
  player: string; // the name of a person, the text of a bot
  kind: "human" | "bot";
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
  /** The version of the game's rules, if it is not the newest. */
  rules: number | null;
}

export interface ExampleSpec {
  caption: string;
  game: string;
  options: Options;
  position: string;
  moves: string[];
}

export interface PictureSpec {
  name: string;
  description: string;
  columns: number;
  rows: number;
}

export interface Lesson {
  title: string;
  sections: { heading: string; html: string; pictures: PictureSpec[]; examples: ExampleSpec[] }[];
}

/** The routes that pages read, with their responses. */
export interface GetResponses {
  "/api/games": Game[];
  "/api/daily": { date: string; seeds: Record<string, number> | null };
  "/api/rooms": RoomEntry[];
  "/api/scores": Score[];
  "/api/ratings": Rating[];
  [room: `/api/rooms/${string}`]: { game: string; seed: number | null; options: Options; daily?: string; fair: boolean; players: protocol.PlayerFields[] };
  [lesson: `/api/games/${string}/learn`]: Lesson;
  [picture: `/api/games/${string}/pictures/${string}`]: protocol.Picture;
}

/** The routes that pages post to: request and response. */
export interface Posts {
  "/api/rooms": [NewRoom, CreatedRoom];
  "/api/read": [{ text: string }, PastedText];
}

export type QueryValue = string | number | null | undefined;
export type Query = Record<string, QueryValue | QueryValue[]>;

// Messages, as pages see them: those of the view `page`, in which legal moves are trees of clicks.

export type {
  ClickTree,
  ClockFields as Clocks,
  Controls,
  Button as ButtonSpec,
  Delta as PictureDelta,
  Frame,
  MistakeFields as Mistake,
  OpinionFields as ScoredMove,
  OpinionsMessage as Analysis,
  Picture,
  PlayerFields as Player,
  PositionMessage as Position,
} from "./protocol.js";

type PageView<M extends protocol.RoomStatusMessage> = Omit<M, "legal"> & { legal?: Record<string, protocol.ClickTree> };

/** A room, as its snapshot has it. */
export type Room = PageView<protocol.RoomMessage> & { picture: protocol.Picture };
export type RoomEvent = PageView<protocol.EventMessage>;
export type PlayedMove = protocol.RoomMessage["moves"][number];
export type Box = protocol.Picture["box"];
export type Point = protocol.Frame["ways"][string][number];

/** The fields of a message that identify a position. */
export type BoardFields = Omit<protocol.BoardRequest, "ref">;

/** The messages to the server, each with its answer. */
export interface Requests {
  join: [protocol.JoinRequest, Room];
  confirm: [protocol.ConfirmRequest, protocol.OkMessage];
  leave: [protocol.LeaveRequest, protocol.OkMessage];
  look: [protocol.LookRequest, protocol.PictureMessage];
  play: [protocol.PlayRequest, protocol.OkMessage];
  undo: [protocol.UndoRequest, protocol.OkMessage];
  answer: [protocol.AnswerRequest, protocol.OkMessage];
  resign: [protocol.ResignRequest, protocol.OkMessage];
  pause: [protocol.PauseRequest, protocol.OkMessage];
  resume: [protocol.ResumeRequest, protocol.OkMessage];
  rematch: [protocol.RematchRequest, protocol.OkMessage];
  name: [protocol.NameRequest, protocol.OkMessage];
  at: [protocol.AtRequest, protocol.PastPictureMessage];
  hint: [protocol.HintRequest, protocol.HintMessage];
  explore: [protocol.ExploreRequest, protocol.PositionMessage];
  preview: [protocol.PreviewRequest, protocol.PreviewMessage];
  explain: [protocol.ExplainRequest, protocol.ReasonMessage];
  analyse: [protocol.AnalyseRequest, protocol.OpinionsMessage];
  mistakes: [protocol.MistakesRequest, protocol.MistakesMessage];
  stop: [protocol.StopRequest, protocol.OkMessage];
}

/** A message to the server; `request` adds its `ref`. */
export type Request<T extends keyof Requests> = Omit<Requests[T][0], "ref" | "type"> & { type: T };

/** The messages that pages subscribe to; "open" and "closed" come from the connection itself. */
export interface ServerMessages {
  event: RoomEvent;
  here: protocol.HereMessage;
  unseated: protocol.UnseatedMessage;
  rematched: protocol.RematchedMessage;
  opinions: protocol.OpinionsMessage;
  mistakes: protocol.MistakesMessage;
  open: object;
  closed: object;
}

// This browser

/** The known secrets of a room by seat. */
export interface Seats {
  mine: Record<string, string>;
  others: Record<string, string>;
}

/** A secret of a seat: issued to this browser, an invitation or link to an own seat, or an invitation of others. */
export interface StoredSecret {
  kind: "issued" | "mine" | "others";
  time: number; // when it was stored, in ms since 1970
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
  preset?: string;
  opened?: boolean;
}

/** A move of an analysis, without those of the game itself. */
export interface StoredNode {
  after: number | null; // the index of the stored node that it follows; null after a move of the game
  plies: number; // the number of moves before it
  seat: number | null;
  move: string;
  sentMove: string;
}

export interface StoredVariations {
  time: number; // when they were stored, in ms since 1970
  nodes: StoredNode[];
}

/** What local storage holds, by key. */
export interface Stored {
  settings: Partial<Settings>;
  rooms: Record<string, Seats>; // by earlier versions of the page, which stored the secrets of all rooms together
  [secret: `secret:${string}`]: StoredSecret;
  engine: boolean;
  speed: number;
  [analysis: `analysis:${string}`]: StoredVariations;
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
  required?: boolean;
  novalidate?: boolean;
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
