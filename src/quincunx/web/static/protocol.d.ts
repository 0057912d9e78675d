// The messages of the protocol, generated from the types in rooms/messages.py and rooms/answers.py
// by `make protocol`. `tsc` reads this file; browsers never load it.

/** Subscribes to a room and its events. */
export interface JoinRequest extends RoomRequest {
  type: "join";
  /** The number of the protocol that the client speaks. */
  protocol?: 2;
  /** The secrets of one's own seats; without any, one is a spectator. */
  secrets?: Record<string, string>;
  /** Moves as texts, or pictures and moves with their clicks, or neither. */
  view?: "page" | "moves" | "none";
  /** Whether the board is drawn from the other side. */
  flip?: boolean;
  /** How changes are acknowledged: by `ok`, or by their event, which then has the `ref`. */
  ack?: "ok" | "event";
}

/** A request about a room. */
export interface RoomRequest extends Request {
  /** The id of the room. */
  room: string;
}

/** A message from a client. */
export interface Request {
  /** Repeated in the answer. */
  ref?: string | number;
}

/** Says that secrets issued in `room` are stored: from then on, their invitations are dead. */
export interface ConfirmRequest extends RoomRequest {
  type: "confirm";
  /** The secrets of one's own seats; without any, one is a spectator. */
  secrets: Record<string, string>;
}

/** Ends the subscription to a room. */
export interface LeaveRequest extends RoomRequest {
  type: "leave";
}

/** Sets the side from which this and later pictures are drawn. */
export interface LookRequest extends RoomRequest {
  type: "look";
  /** Whether the board is drawn from the other side. */
  flip?: boolean;
}

/** Plays a move. */
export interface PlayRequest extends SeatRequest {
  type: "play";
  /** The text of the move. */
  move: string;
  /** That of the last event that the client knew. */
  number: number;
}

/** A request for one's own seat in a room. */
export interface SeatRequest extends RoomRequest {
  /** The seat. */
  seat: number;
}

/** Takes back the last move of a seat, or asks the other people: event `undo` or `asked`. */
export interface UndoRequest extends SeatRequest {
  type: "undo";
  /** That of the last event that the client knew. */
  number: number;
}

/** Allows or declines the takeback, pause or rematch that is requested. */
export interface AnswerRequest extends SeatRequest {
  type: "answer";
  /** Whether the takeback, pause or rematch is allowed. */
  yes: boolean;
  /** That of the last event that the client knew. */
  number: number;
}

/** Gives up the game. */
export interface ResignRequest extends SeatRequest {
  type: "resign";
}

/** Pauses the game, or asks the other people: event `pause` or `pause_asked`. */
export interface PauseRequest extends SeatRequest {
  type: "pause";
}

/** Continues a paused game; any person may do so. */
export interface ResumeRequest extends SeatRequest {
  type: "resume";
}

/** Requests a rematch; when all people have, everyone is sent `rematched`. */
export interface RematchRequest extends SeatRequest {
  type: "rematch";
}

/** Sets the name of the person at a seat. */
export interface NameRequest extends SeatRequest {
  type: "name";
  /** The name of the person. */
  name: string;
}

/** Asks for the picture after a number of plies. */
export interface AtRequest extends RoomRequest {
  type: "at";
  /** The number of moves before the position. */
  plies: number;
  /** Whether the board is drawn from the other side. */
  flip?: boolean;
}

/** Asks for a good move; refused in a game with other people. */
export interface HintRequest extends SeatRequest {
  type: "hint";
}

/** Asks for a position, its legal moves and its picture, or the frames of its last move. */
export interface ExploreRequest extends BoardRequest {
  type: "explore";
  /** Whether the last move is sent in steps. */
  frames?: boolean;
  /** The seat. */
  seat?: number;
}

/** A request about a position: of a game, or of a room, and moves from there. */
export interface BoardRequest extends Request {
  /** The name of the game. */
  game?: string;
  /** The options of the game that differ from the defaults. */
  options?: Record<string, string | number | boolean>;
  /** The first position, or empty for the usual one. */
  start?: string;
  /** Of the random events. */
  seed?: number;
  /** The version of the game's rules; without it the newest. */
  rules?: number;
  /** The id of the room. */
  room?: string;
  /** The number of moves before the position. */
  plies?: number;
  /** From there, as in a record. */
  moves?: string[];
  /** Whether the board is drawn from the other side. */
  flip?: boolean;
}

/** Asks why no legal move begins with some clicks; nothing is played. */
export interface ExplainRequest extends BoardRequest {
  type: "explain";
  /** The names of the cells and buttons that were clicked, in order. */
  clicks: string[];
  /** The seat. */
  seat?: number;
}

/** Asks what the board would look like after a legal move, which is not played. */
export interface PreviewRequest extends BoardRequest {
  type: "preview";
  /** The text of the move. */
  move: string;
  /** The seat. */
  seat?: number;
}

/** Asks for an analysis, which is sent several times as it gets better. */
export interface AnalyseRequest extends BoardRequest {
  type: "analyse";
  /** The time of the analysis. */
  seconds?: number;
  /** The seat. */
  seat?: number;
}

/** Asks for a review of a game that has ended: messages with its progress, then the review. */
export interface MistakesRequest extends RoomRequest {
  type: "mistakes";
}

/** Cancels the analysis, hint and review of this connection. */
export interface StopRequest extends Request {
  type: "stop";
}

/** Asks whether the connection works, and for the protocol number. */
export interface PingRequest extends Request {
  type: "ping";
}

/** The whole room, as the receiver may see it. */
export interface RoomMessage extends RoomStatusMessage {
  type: "room";
  /** The number of the protocol that the server speaks. */
  protocol: number;
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** All options of the game. */
  options: Record<string, string | number | boolean>;
  /** Null while it could predict the game. */
  seed: number | null;
  /** The first position, or empty for the usual one. */
  start: string;
  /** Milliseconds since 1970. */
  created: number;
  /** The seconds that a bot waits before a move. */
  pace: number;
  /** Whether anyone may move at any time. */
  live: boolean;
  /** Of each seat. */
  players: PlayerFields[];
  /** The seats of all connected clients. */
  seats_here: number[];
  /** The seats that share the win. */
  winners: number[];
  /** Seat and text of each move. */
  moves: [number, string][];
  /** The room of the rematch. */
  rematch: string | null;
  /** The seats that have requested a rematch. */
  wishes: number[];
  /** Your own seats. */
  you: number[];
  /** Whether the result counts in best scores and ratings. */
  fair: boolean;
  /** The version of the game's rules by which it is played. */
  rules: number;
  /** The day, if this is the game of the day. */
  daily?: string;
  /** Issued to you for the invitations with which you joined: store, then `confirm`. */
  secrets?: Record<string, string>;
  /** With the view `page`: the input. */
  controls?: Controls;
}

/** How the game of a room stands: the fields that snapshots and events share. */
export interface RoomStatusMessage extends StatusMessage {
  /** The id of the room. */
  room: string;
  /** The number of the room's last event. */
  number: number;
  /** Whether the game is paused. */
  paused: boolean;
  /** The takeback that is requested, or null. */
  asked: AskedFields | null;
  /** The pause that is requested, or null. */
  pause_asked: AskedFields | null;
  /** Null without clocks. */
  clocks: ClockFields | null;
  /** The legal moves of those of your seats that may move, in the form of the view. */
  legal?: Record<string, string[] | ClickTree>;
  /** With the view `page`: the whole board. */
  picture?: Picture;
}

/** How a game stands in a position, for people and for programs. */
export interface StatusMessage extends ServerMessage {
  /** The number of moves played. */
  plies: number;
  /** The seat to move; null when over or when anyone may move. */
  turn: number | null;
  /** Whether the game has ended. */
  over: boolean;
  /** Of each seat. */
  scores: number[];
  /** Who is to do what, or how the game ended, in English. */
  status: string;
  /** The same as a code, for programs. */
  status_code: string;
  /** The values in the sentence of the code. */
  status_fields: Record<string, string | number | PhraseFields>;
  /** The status addressed to a seat that may move (in `legal`); absent when over. */
  status_you?: string;
  /** How near the end is, in English; absent when over or not known. */
  progress?: string;
  /** The position. */
  text: string;
  /** Of each seat, such as its pieces left; absent without notes. */
  notes?: string[];
}

/** A message from the server. */
export interface ServerMessage {
  /** Repeated in the answer. */
  ref?: string | number;
}

/** A part of a sentence, independent of the language. */
export interface PhraseFields {
  code: string;
  fields: Record<string, string | number | PhraseFields>;
}

/** A takeback or a pause that has been requested, and that not all people have answered. */
export interface AskedFields {
  /** The seat that has requested it. */
  by: number;
  /** The seats that have agreed so far. */
  agreed: number[];
}

/** The clocks of a room, in milliseconds. */
export interface ClockFields {
  /** The time of each seat; that of `running` decreases. */
  left: number[];
  /** The seat whose clock is running. */
  running: number | null;
  /** Added for each move. */
  increment: number;
}

/** A picture of the board. */
export interface Picture {
  box: [number, number, number, number];
  defs: string;
  shapes: [string, string][];
  title: string;
  status: string;
}

/** The player of a seat. */
export interface PlayerFields {
  /** Empty for a person without a name. */
  name: string;
  /** Who plays. */
  kind: "human" | "bot";
  /** `human`, or the bot as in the body of `POST /api/rooms`. */
  text: string;
  /** Whether a client with this seat is connected; true for a bot. */
  here: boolean;
  /** Whether the invitation to the seat has been used. */
  taken: boolean;
  /** Whether the seat has taken back or got a hint or analysis. */
  assisted: boolean;
}

/** What an interface needs in addition to the board. */
export interface Controls {
  buttons: Button[];
  nested: boolean;
  live: [string, string] | null;
  facing: boolean;
  scoreboard: boolean;
  movable: boolean;
}

/** A button for a click that has no place on the board. */
export interface Button {
  word: string;
  label: string;
  key: string;
  about: string;
  after: boolean;
  colour: string;
  cost: number;
}

/** A change of a room. */
export interface EventMessage extends RoomStatusMessage {
  type: "event";
  /** What was changed; `flag`: time is up. */
  kind: "play" | "undo" | "asked" | "answer" | "resign" | "flag" | "pause" | "resume" | "name" | "rematch" | "pause_asked" | "pause_answer" | "rematch_answer" | "assisted";
  /** The seat that made it. */
  seat: number | null;
  /** When over: the seats that share the win; empty for a draw and in solo games. */
  winners?: number[];
  /** With the kind `play`. */
  move?: string;
  /** With the kinds `answer`, `pause_answer` and `rematch_answer`. */
  yes?: boolean;
  /** With the kind `name`. */
  name?: string;
  /** With `rematch`: the new room, or null for a request. */
  to?: string | null;
  /** With the view `page`: the steps of a move. */
  frames?: Frame[];
}

/** One event of a move; the final board may have a frame without an event. */
export interface Frame {
  event: string;
  cells: string[];
  picture: Delta;
  ways: Record<string, [number, number][]>;
  text?: string;
}

/** The change from one picture to the next: `[i, n]` stands for n old shapes, from i on. */
export interface Delta {
  status: string;
  shapes: ([string, string] | [number, number])[];
  box?: [number, number, number, number];
}

/** A seat is connected now, or no longer. */
export interface HereMessage extends ServerMessage {
  type: "here";
  /** The id of the room. */
  room: string;
  /** A seat, from 0. */
  seat: number;
  /** Whether a client with this seat is connected. */
  here: boolean;
  /** True when the invitation to the seat has just been used. */
  taken?: boolean;
}

/** A seat is no longer yours: another client has used a secret issued for its invitation. */
export interface UnseatedMessage extends ServerMessage {
  type: "unseated";
  /** The id of the room. */
  room: string;
  /** A seat, from 0. */
  seat: number;
  /** A message for people. */
  text: string;
}

/** A rematch has started in a new room. */
export interface RematchedMessage extends ServerMessage {
  type: "rematched";
  /** The id of the room. */
  room: string;
  /** The id of the new room. */
  to: string;
  /** Of your own seats in the new room. */
  secrets: Record<string, string>;
}

/** The current board of a room, in answer to `look`. */
export interface PictureMessage extends ServerMessage {
  type: "picture";
  /** The id of the room. */
  room: string;
  /** The number of the room's last event. */
  number: number;
  /** The board. */
  picture: Picture;
}

/** An older position of a room, in answer to `at`. */
export interface PastPictureMessage extends StatusMessage {
  type: "picture";
  /** The id of the room. */
  room: string;
  /** The board. */
  picture: Picture;
}

/** The position after the moves of `explore`, or before the first that cannot be played. */
export interface PositionMessage extends StatusMessage {
  type: "position";
  /** The name of the game. */
  game: string;
  /** The number of seats. */
  seats: number;
  /** The seats that share the win. */
  winners: number[];
  /** The legal moves. */
  ways: ClickTree;
  /** The board. */
  picture: Picture;
  /** The board before the first frame. */
  before?: Picture;
  /** The steps of the last move. */
  frames?: Frame[];
  /** Why a move could not be played. */
  error?: ErrorFields;
}

/** Why a request failed. */
export interface ErrorFields {
  /** One of the error codes. */
  error: string;
  /** A message for people. */
  text: string;
  /** The field that caused the error, or empty. */
  where: string;
}

/** Why no legal move begins with the clicks of `explain`. */
export interface ReasonMessage extends ServerMessage {
  type: "reason";
  /** A sentence for people; empty if a legal move begins so. */
  reason: string;
}

/** The board after the move of `preview`. */
export interface PreviewMessage extends ServerMessage {
  type: "preview";
  /** The board; absent if it depends on chance. */
  picture?: Picture;
}

/** An analysis; each one of a request is better than the one before. */
export interface OpinionsMessage extends ServerMessage {
  type: "opinions";
  /** The player that analysed. */
  by: string;
  /** A seat, from 0. */
  seat: number;
  /** From -1, lost, to 1, won, for the seat. */
  value: number;
  /** The expected moves. */
  line: string[];
  /** Up to twelve, the best first. */
  moves: OpinionFields[];
  /** Whether the position is solved. */
  exact: boolean;
  /** The time spent so far. */
  seconds: number;
  /** Whether this is the last one. */
  done: boolean;
}

/** A move with its value. */
export interface OpinionFields {
  /** The text of the move. */
  move: string;
  /** The names to click for the move. */
  clicks: string[];
  /** The cells through which the move goes, or the names to click. */
  path: string[];
  /** From -1, lost, to 1, won, for the seat. */
  value: number;
  /** The expected points, or lead over the best other seat; null without points. */
  points: number | null;
  /** The expected moves. */
  line: string[];
  /** To the end of the game; null if it is not known. */
  plies: number | null;
  /** The number of visits in the search. */
  visits: number;
}

/** A good move. */
export interface HintMessage extends ServerMessage {
  type: "hint";
  /** The id of the room. */
  room: string;
  /** A seat, from 0. */
  seat: number;
  /** The number of the room's last event. */
  number: number;
  /** The text of the move. */
  move: string;
  /** The names to click for the move. */
  clicks: string[];
  /** The cells through which the move goes, or the names to click. */
  path: string[];
}

/** A review of a game: its progress, then its mistakes. */
export interface MistakesMessage extends ServerMessage {
  type: "mistakes";
  /** The id of the room. */
  room: string;
  /** Whether this is the last one. */
  done: boolean;
  /** From 0 to 1, until the last one. */
  progress?: number;
  /** In the last one. */
  moves?: MistakeFields[];
}

/** A move that is much worse than the best one. */
export interface MistakeFields {
  /** The number of moves before it. */
  plies: number;
  /** A seat, from 0. */
  seat: number;
  /** The text of the move. */
  move: string;
  /** The cells through which the move goes, or the names to click. */
  path: string[];
  /** From -1, lost, to 1, won, for the seat. */
  value: number;
  /** The expected points, or lead over the best other seat; null without points. */
  points: number | null;
  /** The best move. */
  best: string;
  /** The cells through which the move goes, or the names to click. */
  best_path: string[];
  /** From -1, lost, to 1, won, for the seat. */
  best_value: number;
  /** The expected points, or lead over the best other seat; null without points. */
  best_points: number | null;
  /** The names to click for the best move. */
  clicks: string[];
}

/** A request that has no answer of its own has been carried out. */
export interface OkMessage extends ServerMessage {
  type: "ok";
  /** The number of the event that it made, if any. */
  number?: number;
}

/** The answer to `ping`. */
export interface PongMessage extends ServerMessage {
  type: "pong";
  /** The number of the protocol that the server speaks. */
  protocol: number;
}

/** A request failed, and changed nothing. */
export interface ErrorMessage extends ServerMessage {
  type: "error";
  /** One of the error codes. */
  error: string;
  /** A message for people. */
  text: string;
  /** The field that caused the error, or empty. */
  where: string;
}

/** Moves by their clicks; the text of a complete move has the name ''. */
export interface ClickTree {
  ""?: string;
  [name: string]: ClickTree | string | undefined;
}

/** A message from a client. */
export type AnyRequest =
  | JoinRequest
  | ConfirmRequest
  | LeaveRequest
  | LookRequest
  | PlayRequest
  | UndoRequest
  | AnswerRequest
  | ResignRequest
  | PauseRequest
  | ResumeRequest
  | RematchRequest
  | NameRequest
  | AtRequest
  | HintRequest
  | ExploreRequest
  | ExplainRequest
  | PreviewRequest
  | AnalyseRequest
  | MistakesRequest
  | StopRequest
  | PingRequest;

/** A message from the server. */
export type AnyMessage =
  | RoomMessage
  | EventMessage
  | HereMessage
  | UnseatedMessage
  | RematchedMessage
  | PictureMessage
  | PastPictureMessage
  | PositionMessage
  | ReasonMessage
  | PreviewMessage
  | OpinionsMessage
  | HintMessage
  | MistakesMessage
  | OkMessage
  | PongMessage
  | ErrorMessage;

/** Each request with its answer. */
export interface Requests {
  join: [JoinRequest, RoomMessage];
  confirm: [ConfirmRequest, OkMessage];
  leave: [LeaveRequest, OkMessage];
  look: [LookRequest, PictureMessage];
  play: [PlayRequest, OkMessage];
  undo: [UndoRequest, OkMessage];
  answer: [AnswerRequest, OkMessage];
  resign: [ResignRequest, OkMessage];
  pause: [PauseRequest, OkMessage];
  resume: [ResumeRequest, OkMessage];
  rematch: [RematchRequest, OkMessage];
  name: [NameRequest, OkMessage];
  at: [AtRequest, PastPictureMessage];
  hint: [HintRequest, HintMessage];
  explore: [ExploreRequest, PositionMessage];
  explain: [ExplainRequest, ReasonMessage];
  preview: [PreviewRequest, PreviewMessage];
  analyse: [AnalyseRequest, OpinionsMessage];
  mistakes: [MistakesRequest, MistakesMessage];
  stop: [StopRequest, OkMessage];
  ping: [PingRequest, PongMessage];
}
